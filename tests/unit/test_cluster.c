/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptions of clusters: names, the text format, slurm.conf. */
#include <errno.h>

#include "sim-frontend/trace/cluster_extras.h"
#include "tests/unit/file.h"

static struct lxfw_error error;

static struct lxfw_cluster read_cluster(const char *description)
{
	struct lxfw_cluster cluster;

	error.text[0] = '\0';
	if (lxfw_cluster_read(&cluster, description, &error))
		fail_msg("%s", error.text);
	return cluster;
}

static void expect_error(const char *description, const char *message)
{
	struct lxfw_cluster cluster;

	assert_int_equal(lxfw_cluster_read(&cluster, description, &error), -1);
	assert_string_equal(unit_message(error.text), message);
	assert_null(cluster.hosts);
}

/* The same for a message with the name of a folder between BEGIN and END. */
static void expect_error_around(const char *description, const char *begin, const char *end)
{
	struct lxfw_cluster cluster;
	const char *message;

	assert_int_equal(lxfw_cluster_read(&cluster, description, &error), -1);
	message = unit_message(error.text);
	if (strncmp(message, begin, strlen(begin)) != 0 || strlen(message) < strlen(end) ||
	    strcmp(message + strlen(message) - strlen(end), end) != 0)
		fail_msg("%s", message);
	assert_null(cluster.hosts);
}

static void expect_host(const struct lxfw_cluster *cluster, const char *name,
			int32_t procs, int64_t memory_mb)
{
	int32_t host = lxfw_cluster_find(cluster, name);

	assert_true(host >= 0);
	assert_string_equal(lxfw_cluster_host_name(cluster, host), name);
	assert_int_equal(cluster->hosts[host].total.procs, procs);
	assert_int_equal(cluster->hosts[host].total.memory_mb, memory_mb);
}

struct names {
	char text[4096];
	const char *names[256];
	size_t count, used;
};

static int collect(void *context, const char *name)
{
	struct names *names = context;

	names->names[names->count++] = strcpy(names->text + names->used, name);
	names->used += strlen(name) + 1;
	return 0;
}

static void expect_names(const char *list, size_t count, const char *first,
			 const char *last, const char *again)
{
	struct names names = { .count = 0 };
	char *compressed;

	assert_int_equal(lxfw_hostlist_expand(list, strlen(list), collect,
					      &names, &error), 0);
	assert_int_equal(names.count, count);
	assert_string_equal(names.names[0], first);
	assert_string_equal(names.names[count - 1], last);
	compressed = lxfw_hostlist_compress(names.names, names.count);
	assert_string_equal(compressed, again);
	free(compressed);
}

static void expands_names(void **state)
{
	(void)state;
	expect_names("n1", 1, "n1", "n1", "n1");
	expect_names("n[1-3]", 3, "n1", "n3", "n[1-3]");
	expect_names("n[001-128,200]", 129, "n001", "n200", "n[001-128,200]");
	expect_names("n[8-11]", 4, "n8", "n11", "n[8-11]");
	expect_names("r[0-1]c[0-2]", 6, "r0c0", "r1c2", "r0c[0-2],r1c[0-2]");
	expect_names("a,b[2,4]x,c", 4, "a", "c", "a,b2x,b4x,c");
	expect_names("n[1-2]-ib[01-02]", 4, "n1-ib01", "n2-ib02",
		     "n1-ib[01-02],n2-ib[01-02]");
	/* 9 and 10 are merged; 09 and 10 are padded; 010 has another width */
	expect_names("n9,n10,n010", 3, "n9", "n010", "n[9-10],n010");
}

static void refuses_names(void **state)
{
	static const char *const wrong[][2] = {
		{ "", "empty host name in a list of hosts" },
		{ "a,,b", "empty host name in a list of hosts" },
		{ "n[1-3", "'[' without ']' in a list of hosts" },
		{ "n[3-1]", "range 3-1 is descending, expected an ascending range" },
		{ "n[x]", "'x' in brackets, expected a number or a range such "
		  "as 1-8" },
		{ "n[]", "'' in brackets, expected a number or a range such as "
		  "1-8" },
		{ "n[1-]", "'1-' in brackets, expected a number or a range "
		  "such as 1-8" },
		{ "n m", "' ' in a host name, expected letters, digits, '-', "
		  "'_', '.' or a range in brackets" },
		{ "n[1-99999999]", "range of 99999999 names, expected at most "
		  "1000000" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct names names = { .count = 0 };

		assert_int_equal(lxfw_hostlist_expand(wrong[i][0],
				 strlen(wrong[i][0]), collect, &names, &error),
				 -1);
		assert_int_equal(errno, EINVAL);
		assert_string_equal(error.text, wrong[i][1]);
	}
}

static void reads_procs(void **state)
{
	struct lxfw_cluster cluster = read_cluster("procs=128");

	(void)state;
	assert_int_equal(cluster.count, 1);
	assert_int_equal(cluster.procs, 128);
	assert_false(cluster.memory_bound);
	expect_host(&cluster, "h0", 128, 0);
	lxfw_cluster_clear(&cluster);
	expect_error("procs=0", "invalid procs=0, expected procs=1 to "
		     "procs=2147483647");
	expect_error("procs=12x", "invalid procs=12x, expected procs=1 to "
		     "procs=2147483647");
}

static void reads_text(void **state)
{
	struct lxfw_cluster cluster = read_cluster(unit_file("hosts",
		"# two kinds of hosts\n"
		"\n"
		"thin[01-10]  procs=16 memory=64G   # most of them\n"
		"fat count=2 procs=64 memory=1T gpu=4 license=1\n"
		"old procs=4 memory=4000 gpu=1\r\n"));

	(void)state;
	assert_int_equal(cluster.count, 13);
	assert_int_equal(cluster.procs, 160 + 128 + 4);
	assert_true(cluster.memory_bound);
	expect_host(&cluster, "thin01", 16, 65536);
	expect_host(&cluster, "thin10", 16, 65536);
	expect_host(&cluster, "fat0", 64, 1048576);
	expect_host(&cluster, "fat1", 64, 1048576);
	expect_host(&cluster, "old", 4, 4000);
	assert_int_equal(cluster.extra_count, 2);
	assert_string_equal(cluster.extras[0], "gpu");
	assert_int_equal(cluster.hosts[10].total.extras[0], 4);
	assert_int_equal(cluster.hosts[10].total.extras[1], 1);
	assert_int_equal(cluster.hosts[12].total.extras[0], 1);
	lxfw_cluster_clear(&cluster);
}

static void refuses_text(void **state)
{
	(void)state;
	expect_error(unit_file("x", ""), "x:1: no hosts in the file, expected "
		     "lines such as 'n[0-7] procs=16 memory=64G' or a "
		     "slurm.conf");
	expect_error(unit_file("x", "# nothing\n"), "x:2: no hosts in the "
		     "file, expected lines such as 'n[0-7] procs=16 "
		     "memory=64G' or a slurm.conf");
	expect_error(unit_file("x", "n1\n"), "x:1: hosts without processors, "
		     "expected procs=1 or more");
	expect_error(unit_file("x", "n1 procs=4\nn1 procs=4\n"), "x:2: host n1 is a "
		     "duplicate, expected each name once");
	expect_error(unit_file("x", "n1 procs=4 memory=1G\nn2 procs=4\n"),
		     "x:2: no memory on this line but on those above, expected memory=SIZE on "
		     "every line or on none");
	expect_error(unit_file("x", "n1 procs=-4\n"), "x:1: 'procs=-4', "
		     "expected a number from 0 to 2147483647");
	expect_error(unit_file("x", "n1 procs=4 memory=much\n"), "x:1: 'memory=much', "
		     "expected a number of MB, or a number with the suffix K, "
		     "M, G or T");
	expect_error(unit_file("x", "n1 procs=4 fast\n"), "x:1: 'fast', expected "
		     "count=N, procs=N, memory=SIZE, weight=N, gpu-sockets=N+N or EXTRA=N");
	expect_error(unit_file("x", "n1 procs=4 procs=5\n"),
		     "x:1: procs given twice");
	expect_error(unit_file("x", "n[1-2] procs=2000000000\n"),
		     "x:1: more than 2147483647 processors in all hosts");
	expect_error(unit_path("none"), "none: No such file or directory");
}

/* Six types of GPUs, each alone on its hosts, one of them with another GRES. */
static void restricts_types(void **state)
{
	struct lxfw_cluster cluster = read_cluster(unit_file("cluster",
		"a procs=4 gpu:a=1\nb procs=4 gpu:b=2\nc procs=4 gpu:c=3 nic=1\n"
		"d procs=4 gpu:d=4\ne procs=4 gpu:e=5\nf[1-2] procs=4 gpu:f=6\n"
		"partition=p nodes=a,b,f[1-2] max-cpus-per-node=2\npartition=q nodes=f[1-2]\n"));
	int32_t f = lxfw_gres_find(&cluster.gres, "GPU:F", 5);
	int32_t c = lxfw_gres_find(&cluster.gres, "gpu:c", 5), part;

	(void)state;
	assert_int_equal(cluster.extra_count, 3);
	assert_string_equal(cluster.extras[0], "gpu");
	assert_string_equal(cluster.extras[1], "nic");
	assert_int_equal(cluster.extras_left_out, 0);
	assert_int_equal(cluster.hosts[6].total.extras[0], 6);
	part = lxfw_cluster_part(&cluster, 0, f);
	assert_int_equal(lxfw_cluster_partition_of(&cluster, part), 0);
	assert_int_equal(cluster.sets[part].count, 2);
	assert_int_equal(cluster.sets[part].hosts[0], 5);
	/* all hosts of q have it, and none of p has c */
	assert_int_equal(lxfw_cluster_part(&cluster, 1, f), 1);
	assert_int_equal(lxfw_cluster_part(&cluster, 0, c), -1);
	part = lxfw_cluster_part(&cluster, -1, c);
	assert_int_equal(lxfw_cluster_partition_of(&cluster, part), -1);
	assert_int_equal(cluster.sets[part].count, 1);
	/* the processors of p on each of its hosts */
	assert_int_equal(cluster.sets[0].cap, 3);
	assert_int_equal(cluster.sets[1].cap, 0);
	assert_int_equal(cluster.hosts[0].total.extras[2], 2);
	/* the others limit nothing */
	assert_int_equal(cluster.hosts[2].total.extras[2], 4);
	/* partitions without a common host share the extra */
	lxfw_cluster_clear(&cluster);
	cluster = read_cluster(unit_file("cluster", "n[1-6] procs=4 gpu=1\n"
		"partition=a nodes=n[1-2] max-cpus-per-node=2\npartition=b nodes=n[3-4] max-cpus-per-node=3\n"
		"partition=c nodes=n[2-3] max-cpus-per-node=1\npartition=d nodes=n[5-6] max-cpus-per-node=4\n"));
	assert_int_equal(cluster.sets[0].cap, 2);
	assert_int_equal(cluster.sets[1].cap, 2);
	assert_int_equal(cluster.sets[2].cap, 3);
	assert_int_equal(cluster.sets[3].cap, 0);
	assert_int_equal(cluster.hosts[2].total.extras[1], 3);
	assert_int_equal(cluster.hosts[2].total.extras[2], 1);
	assert_int_equal(cluster.hosts[4].total.extras[1], 4);
	lxfw_cluster_clear(&cluster);
}

static void knows_kinds(void **state)
{
	struct lxfw_cluster cluster = read_cluster(unit_file("cluster",
		"a procs=4\nb procs=4 gpu=1\nc procs=4 nic=1\nd procs=8\nf[1-2] procs=4 gpu=6\n"
		"partition=p nodes=a\npartition=q nodes=f[1-2]\n"));

	(void)state;
	assert_int_equal(cluster.kinds.count, 5);
	assert_int_equal(cluster.sets[1].kinds.count, 1);
	assert_int_equal(cluster.sets[1].kinds.kinds[0].count, 2);
	lxfw_cluster_clear(&cluster);
}

/* What jobs request is counted first. */
static void counts_what_is_wanted(void **state)
{
	struct lxfw_cluster cluster = read_cluster(unit_file("cluster",
		"n procs=4 gpu=1 a=1 b=1 c=1 d=1 e=1 lustre=5000\n"));
	bool wanted[7] = { false };

	(void)state;
	assert_int_equal(cluster.extra_count, LXFW_EXTRAS_MAX);
	assert_int_equal(cluster.extras_left_out, 2);
	assert_string_equal(cluster.extras[4], "d");
	wanted[5] = wanted[6] = true;
	assert_int_equal(lxfw_cluster_settle_wanted(&cluster, wanted), 0);
	assert_int_equal(cluster.extra_count, LXFW_EXTRAS_MAX);
	assert_string_equal(cluster.extras[0], "e");
	assert_string_equal(cluster.extras[1], "lustre");
	assert_string_equal(cluster.extras[2], "gpu");
	assert_int_equal(cluster.hosts[0].total.extras[1], 5000);
	lxfw_cluster_clear(&cluster);
}

static const char conf[] =
	"# a site\n"
	"ClusterName=site\n"
	"SelectType=select/cons_tres\n"
	"SelectTypeParameters=CR_Core_Memory\n"
	"SchedulerParameters=defer,lxfw_policy=lxfw\n"
	"SlurmctldHost=head # comment\n"
	"NodeName=DEFAULT Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 \\\n"
	"    RealMemory=64000 State=UNKNOWN\n"
	"nodename=n[001-004,010] Gres=gpu:tesla:2(S:0,1),gpu:k80:1(S:0),"
	"lustre:no_consume:4G,nic\n"
	"NodeName=fat CPUs=64 Sockets=4 RealMemory=1000000 MemSpecLimit=1000 Weight=20\n"
	"NodeName=later CPUs=4 State=FUTURE\n"
	"Include nodes.conf\n"
	"NodeSet=mixed Nodes=fat,n001\n"
	"PartitionName=DEFAULT MaxTime=1-0\n"
	"PartitionName=all Nodes=ALL Default=YES\n"
	"PartitionName=thin Nodes=n[001-010] MaxTime=60 DefaultTime=30:00 "
	"MaxNodes=4 MinNodes=2 PriorityTier=7\n"
	"PartitionName=mixed Nodes=mixed,inc2 MaxTime=UNLIMITED "
	"OverSubscribe=EXCLUSIVE\n";

static void reads_slurm_conf(void **state)
{
	struct lxfw_cluster cluster;
	int32_t thin, mixed;

	(void)state;
	unit_file("nodes.conf", "NodeName=inc[1-2] Boards=1 SocketsPerBoard=2 "
		  "CoresPerSocket=4 ThreadsPerCore=1 Sockets=2 CoreSpecCount=1\n");
	cluster = read_cluster(unit_file("slurm.conf", conf));
	assert_int_equal(cluster.count, 8);
	assert_true(cluster.memory_bound);
	assert_string_equal(cluster.parameters, "defer,lxfw_policy=lxfw");
	expect_host(&cluster, "n001", 32, 64000);
	expect_host(&cluster, "n010", 32, 64000);
	expect_host(&cluster, "fat", 64, 999000);
	expect_host(&cluster, "inc2", 7, 64000);
	/* Slurm's usual weight is 1 */
	assert_int_equal(cluster.hosts[lxfw_cluster_find(&cluster, "fat")].weight, 19);
	assert_int_equal(cluster.hosts[lxfw_cluster_find(&cluster, "n001")].weight, 0);
	assert_int_equal(lxfw_cluster_find(&cluster, "later"), -1);
	/* a kind includes its types */
	assert_int_equal(cluster.extra_count, 4);
	assert_string_equal(cluster.extras[0], "gpu");
	assert_string_equal(cluster.extras[1], "gpu:tesla");
	assert_string_equal(cluster.extras[2], "gpu:k80");
	assert_int_equal(cluster.hosts[0].total.extras[0], 3);
	assert_int_equal(cluster.hosts[0].total.extras[1], 2);
	assert_int_equal(cluster.hosts[0].total.extras[2], 1);
	assert_int_equal(cluster.hosts[0].total.extras[3], 1);
	assert_int_equal(cluster.hosts[5].total.extras[0], 0);
	assert_int_equal(cluster.set_count, 3);
	assert_int_equal(cluster.sets[0].count, 8);
	thin = lxfw_cluster_find_set(&cluster, "thin", 4);
	assert_int_equal(cluster.sets[thin].count, 5);
	mixed = lxfw_cluster_find_set(&cluster, "mixed", 5);
	assert_int_equal(cluster.sets[mixed].count, 3);
	assert_int_equal(cluster.sets[mixed].hosts[0], 0);
	assert_int_equal(cluster.sets[mixed].hosts[1], 5);
	assert_int_equal(cluster.sets[mixed].hosts[2], 7);
	assert_int_equal(cluster.sets[0].rules.max_time, 86400);
	assert_int_equal(cluster.sets[0].rules.tier, 1);
	assert_int_equal(cluster.sets[thin].rules.max_time, 3600);
	assert_int_equal(cluster.sets[thin].rules.default_time, 1800);
	assert_int_equal(cluster.sets[thin].rules.max_hosts, 4);
	assert_int_equal(cluster.sets[thin].rules.min_hosts, 2);
	assert_int_equal(cluster.sets[thin].rules.tier, 7);
	assert_false(cluster.sets[thin].rules.exclusive);
	assert_int_equal(cluster.sets[mixed].rules.max_time, 0);
	assert_true(cluster.sets[mixed].rules.exclusive);
	lxfw_cluster_clear(&cluster);
}

static void knows_whether_memory_counts(void **state)
{
	static const struct {
		const char *text;
		bool counts;
	} confs[] = {
		{ "NodeName=a CPUs=2 RealMemory=100\n", true },
		{ "NodeName=a CPUs=2\n", false },
		{ "SelectTypeParameters=CR_Core\n"
		  "NodeName=a CPUs=2 RealMemory=100\n", false },
		{ "SelectTypeParameters=CR_CPU_Memory\nNodeName=a CPUs=2\n",
		  true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(confs) / sizeof(*confs); i++) {
		struct lxfw_cluster cluster =
			read_cluster(unit_file("memory.conf", confs[i].text));

		assert_int_equal(cluster.memory_bound, confs[i].counts);
		lxfw_cluster_clear(&cluster);
	}
}

static void refuses_slurm_conf(void **state)
{
	(void)state;
	expect_error(unit_file("s", "ClusterName=x\n"), "s: no NodeName line, "
		     "expected the nodes of a cluster");
	expect_error(unit_file("s", "A=b\n\nNodeName=n[1-2 CPUs=4\n"),
		     "s:3: '[' without ']' in a list of hosts");
	expect_error(unit_file("s", "A=b\nNodeName=n1 \\\n CPUs=many\n"),
		     "s:2: CPUs=many, expected a number from 0 to 2147483647");
	expect_error(unit_file("s", "NodeName=n1 CPUs\n"),
		     "s:1: 'CPUs', expected KEY=VALUE");
	expect_error_around(unit_file("s", "NodeName=n1\nInclude nowhere.conf\n"),
			    "s:2: Include /", "/nowhere.conf: No such file or directory");
	expect_error(unit_file("loop", "A=b\nInclude loop\n"),
		     "loop:2: Include in Include more than 8 deep");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expands_names),
		cmocka_unit_test(refuses_names),
		cmocka_unit_test(reads_procs),
		cmocka_unit_test(reads_text),
		cmocka_unit_test(refuses_text),
		cmocka_unit_test(restricts_types),
		cmocka_unit_test(knows_kinds),
		cmocka_unit_test(counts_what_is_wanted),
		cmocka_unit_test(reads_slurm_conf),
		cmocka_unit_test(knows_whether_memory_counts),
		cmocka_unit_test(refuses_slurm_conf),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
