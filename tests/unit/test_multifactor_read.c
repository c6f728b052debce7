/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What priorities of a Slurm site depend on: slurm.conf and dumps of associations and QOS. */
#include "sim-frontend/priority/site.h"
#include "tests/unit/file.h"

static struct lxfw_error error;
static struct lxfw_multifactor_site site;
static struct lxfw_cluster cluster;

static struct lxfw_slice slice(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static int begin(void **state)
{
	(void)state;
	return lxfw_multifactor_site_begin(&site);
}

static int end(void **state)
{
	(void)state;
	lxfw_multifactor_site_clear(&site);
	lxfw_cluster_clear(&cluster);
	return 0;
}

static int read_conf(const char *text)
{
	const char *path = unit_file("slurm.conf", text);

	lxfw_cluster_clear(&cluster);
	assert_int_equal(lxfw_cluster_read(&cluster, path, &error), 0);
	return lxfw_multifactor_site_read(&site, path, &cluster, &error);
}

#define NODES "NodeName=n[1-4] CPUs=16 RealMemory=64000 Gres=gpu:2\n"

static void test_parameters(void **state)
{
	const struct lxfw_multifactor_params *params = &site.params;

	(void)state;
	assert_int_equal(read_conf("PriorityType=priority/multifactor\n" NODES
		"PriorityWeightAge=1000\nPriorityWeightFairshare=4294967295\n"
		"PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3000\n"
		"PriorityMaxAge=1-0\nPriorityDecayHalfLife=90:30\n"
		"PriorityCalcPeriod=1:01\nPriorityFavorSmall=yes\n"
		"PriorityFlags=ACCRUE_ALWAYS,no_fair_tree\n"
		"PriorityUsageResetPeriod=Weekly\nFairShareDampeningFactor=3\n"
		"AccountingStorageType=accounting_storage/slurmdbd\n"
		"AccountingStorageEnforce=associations,limits\n"
		"AccountingStorageTRES=gres/gpu,license/m\nLicenses=m:7,k\n"
		"PartitionName=DEFAULT PriorityJobFactor=4\n"
		"PartitionName=p Nodes=n[1-4] MaxTime=1-0\n"
		"PartitionName=q Nodes=n1 PriorityJobFactor=1 "
		"TRESBillingWeights=\"CPU=1.0,Mem=0.25G,GRES/gpu=2.0\"\n"), 0);
	assert_true(params->multifactor && params->slurmdbd && params->enforce_limits);
	assert_int_equal(params->weight_age, 1000);
	assert_int_equal(params->weight_fairshare, UINT32_MAX);
	assert_int_equal(params->max_age, 86400);
	assert_int_equal(params->half_life, 91 * 60);
	assert_int_equal(params->calc_period, 120);
	assert_true(params->favor_small && params->any_tres);
	assert_int_equal(params->flags, LXFW_MULTIFACTOR_ACCRUE_ALWAYS |
					LXFW_MULTIFACTOR_NO_FAIR_TREE);
	assert_int_equal(params->reset, LXFW_MULTIFACTOR_RESET_WEEKLY);
	assert_int_equal(params->dampening, 3);
	assert_true(params->weight_tres[LXFW_TRES_MEM] == 2000);
	assert_true(params->weight_tres[LXFW_TRES_FIXED] == 3000);
	assert_int_equal(site.procs, 64);
	assert_int_equal(site.nodes, 4);
	assert_int_equal(site.partition_count, 2);
	assert_true(site.partitions[0].norm == 1 && site.partitions[1].norm == 0.25);
	assert_int_equal(site.partitions[0].max_minutes, 1440);
	assert_int_equal(site.partitions[0].tres[LXFW_TRES_CPU], 64);
	assert_int_equal(site.partitions[0].tres[LXFW_TRES_FIXED], 8);
	assert_int_equal(site.partitions[0].tres[LXFW_TRES_FIXED + 1], 7);
	assert_int_equal(site.partitions[0].tres[LXFW_TRES_BILLING], 64);
	assert_false(site.partitions[0].billed);
	assert_true(site.partitions[1].billed);
	assert_true(site.partitions[1].billing[LXFW_TRES_MEM] == 0.25 / 1024);
	/* 16 + 64000 / 4096 + 2 x 2 = 35.625 */
	assert_int_equal(site.partitions[1].tres[LXFW_TRES_BILLING], 35);
}

/* Without a key Slurm has these. */
static void test_defaults(void **state)
{
	(void)state;
	assert_int_equal(read_conf(NODES "PartitionName=p Nodes=ALL\n"), 0);
	assert_false(site.params.multifactor || site.params.slurmdbd ||
		     site.params.enforce_limits);
	assert_int_equal(site.params.max_age, 7 * 86400);
	assert_int_equal(site.params.half_life, 7 * 86400);
	assert_int_equal(site.params.calc_period, 300);
	assert_int_equal(site.partitions[0].job_factor, 1);
	assert_int_equal(site.partitions[0].max_minutes, UINT32_MAX);
}

static void test_bad_conf(void **state)
{
	static const struct {
		const char *line, *message;
	} bad[] = {
		{ "PriorityWeightAge=-1",
		  "slurm.conf:2: PriorityWeightAge=-1, expected a number from 0 to 4294967295" },
		{ "PriorityMaxAge=1-", "slurm.conf:2: PriorityMaxAge=1-, expected a time" },
		{ "PriorityCalcPeriod=0", "expected a time of a minute or more" },
		{ "PriorityUsageResetPeriod=hourly", "expected NONE, NOW, DAILY" },
		{ "FairShareDampeningFactor=0", "expected a number from 1 to 65535" },
		{ "PriorityWeightTRES=cpu=1,x=2",
		  "slurm.conf:2: PriorityWeightTRES='x=2', expected a TRES" },
		{ "PriorityWeightTRES=cpu=1Q", "expected K, M, G, T or P behind the weight" },
		{ "PartitionName=p Nodes=ALL PriorityJobFactor=65536",
		  "PriorityJobFactor=65536, expected a number from 0 to 65535" },
		{ "PartitionName=p Nodes=ALL TRESBillingWeights=cpu",
		  "slurm.conf:2: TRESBillingWeights='cpu', expected TRES=WEIGHT" },
		{ "PriorityType=priority/multifactor PriorityDecayHalfLife=0",
		  "slurm.conf: PriorityDecayHalfLife=0 without PriorityUsageResetPeriod" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[400];

		end(NULL);
		begin(NULL);
		snprintf(text, sizeof(text), NODES "%s\n", bad[i].line);
		assert_int_equal(read_conf(text), -1);
		if (!strstr(unit_message(error.text), bad[i].message))
			fail_msg("%s: %s", bad[i].line, error.text);
	}
}

static const char sacctmgr_text[] =
	"Cluster|Account|User|Partition|Par Name|Share|Priority\n"
	"lxfw|root||||1|\n"
	"lxfw|root|root|||1|\n"
	"lxfw|physics|||root|30|4\n"
	"lxfw|physics|ann|||3|\n"
	"lxfw|physics|ann|debug||1|\n"
	"lxfw|optics|||physics|parent|\n"
	"lxfw|optics|bob|||7|2\n";

static const char sshare_text[] =
	"Account|User|Partition|RawShares|NormShares|RawUsage|EffectvUsage|FairShare\n"
	"root||||0.000000|1000|1.000000|\n"
	" root|root||1|0.032258|0|0.000000|1.000000\n"
	" physics|||30|0.9|1000|1.0|\n"
	"  physics|ann||3|0.2|400|0.4|0.5\n"
	"  physics|ann|debug|1|0.1|100|0.1|0.5\n"
	"  optics|||parent|0.9|500|0.5|\n"
	"   optics|bob||7|0.6|500|0.5|0.25\n";

static const struct lxfw_assoc *assoc(const char *account, const char *user,
				      const char *partition)
{
	int32_t at = lxfw_assocs_find(&site.assocs, slice(account), slice(user),
				      slice(partition));

	assert_true(at >= 0);
	return &site.assocs.items[at];
}

/* Add what a dump says. */
static void read_assocs(const char *text)
{
	if (lxfw_assocs_read(&site.assocs, unit_file("a", text), NULL, &error))
		fail_msg("%s", error.text);
}

static void check_tree(void)
{
	const struct lxfw_assoc *optics;

	lxfw_multifactor_site_finish(&site);
	assert_int_equal(site.assocs.count, 7);
	assert_int_equal(site.assocs.users, 4);
	assert_int_equal(assoc("physics", "", "")->shares, 30);
	assert_int_equal(assoc("physics", "ann", "debug")->shares, 1);
	optics = assoc("optics", "", "");
	assert_true(optics->shares == LXFW_SHARES_PARENT);
	assert_ptr_equal(&site.assocs.items[optics->parent], assoc("physics", "", ""));
	/* bob competes with ann: his account hands him up */
	assert_int_equal(assoc("optics", "bob", "")->level_shares, 11);
	assert_int_equal(assoc("physics", "ann", "")->level_shares, 11);
	assert_true(assoc("physics", "ann", "")->shares_norm == 3.0 / 11);
	assert_int_equal(assoc("physics", "", "")->level_shares, 31);
}

static void test_sacctmgr(void **state)
{
	(void)state;
	read_assocs(sacctmgr_text);
	check_tree();
	assert_true(assoc("optics", "bob", "")->priority_norm == 0.5);
	assert_true(assoc("physics", "ann", "")->priority_norm == 0);
}

static void test_sshare(void **state)
{
	(void)state;
	read_assocs(sshare_text);
	check_tree();
	assert_int_equal(assoc("physics", "ann", "")->usage, 400);
	assert_int_equal(site.assocs.items[0].usage, 1000);
	/* the other one adds priorities and no associations */
	read_assocs(sacctmgr_text);
	check_tree();
	assert_int_equal(assoc("physics", "ann", "")->usage, 400);
	assert_int_equal(assoc("optics", "bob", "")->priority, 2);
}

static void test_of_job(void **state)
{
	int32_t everywhere, debug;

	(void)state;
	assert_int_equal(lxfw_assocs_read(&site.assocs, unit_file("a", sacctmgr_text),
					  "lxfw", &error), 0);
	everywhere = lxfw_assocs_of_job(&site.assocs, slice("physics"), slice("ann"),
					slice("p"));
	debug = lxfw_assocs_of_job(&site.assocs, slice("physics"), slice("ann"),
				   slice("debug"));
	assert_true(everywhere > 0 && debug > everywhere);
	assert_int_equal(lxfw_assocs_of_job(&site.assocs, slice("optics"), slice("ann"),
					    slice("p")), -1);
}

static void test_bad_assocs(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "", "a: empty, expected what `sacctmgr" },
		{ "User|Share\n", "a:1: no column Account, expected" },
		{ "Account|User|Share\nroot||1|x\n", "a:2: 4 values separated by '|', expected 3" },
		{ "Account|User|Share\nroot||1\nphysics||30\n",
		  "a:3: account physics without a parent" },
		{ "Account|User|Share\nphysics|ann|1\n",
		  "a:2: user of account physics, expected the account before its users" },
		{ "Account|User|Par Name|Share\nx||y|1\n",
		  "a:2: parent y of an account, expected an account before it" },
		{ "Account|User|Share\nroot||many\n", "a:2: shares 'many', expected a number" },
		{ "Account|User|Share|RawUsage\nroot||1|-5\n", "a:2: usage '-5', expected" },
		{ "Account|User|Share|Priority\nroot||1|x\n", "a:2: priority 'x', expected" },
		{ "Cluster|Account|User|Share\na|root||1\nb|root||1\n",
		  "a:3: cluster b after a, expected one cluster" },
		{ "Account|User|Par Name|Share\nx||root|1\ny||root|1\nx||y|1\n",
		  "a:4: account x below another account before" },
		{ "Account|User|Share\n||1\n", "a:2: no account" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		end(NULL);
		begin(NULL);
		assert_int_equal(lxfw_assocs_read(&site.assocs,
				 unit_file("a", bad[i].text), NULL, &error), -1);
		if (!strstr(unit_message(error.text), bad[i].message))
			fail_msg("%s: %s", bad[i].text, error.text);
	}
}

static void test_qos(void **state)
{
	(void)state;
	assert_int_equal(lxfw_qos_read(&site.qos, unit_file("q",
		"Name|Priority|GraceTime|UsageFactor\n"
		"normal|0|00:00:00|1.000000\nhigh|20||2.500000\nlow|5||0.000000\n"),
		&error), 0);
	assert_int_equal(site.qos.count, 3);
	assert_int_equal(lxfw_qos_find(&site.qos, slice("high")), 1);
	assert_int_equal(lxfw_qos_find(&site.qos, slice("none")), -1);
	assert_true(site.qos.items[1].priority_norm == 1);
	assert_true(site.qos.items[2].priority_norm == 0.25);
	assert_true(site.qos.items[1].usage_factor == 2.5);
	assert_true(site.qos.items[2].usage_factor == 0);
	assert_int_equal(lxfw_qos_read(&site.qos, unit_file("q",
		"Name|Priority|UsageFactor\nx|1|much\n"), &error), -1);
	assert_string_equal(unit_message(error.text),
		"q:2: usage factor 'much', expected a number from 0 on");
	assert_int_equal(lxfw_qos_read(&site.qos, unit_file("q",
		"Name|Priority\nx|-1\n"), &error), -1);
	assert_string_equal(unit_message(error.text),
		"q:2: priority '-1', expected a number from 0 to 4294967294");
}

static void test_amounts(void **state)
{
	uint64_t amounts[LXFW_TRES_MAX];

	(void)state;
	assert_int_equal(lxfw_tres_list_add(&site.tres, slice("gres/gpu"), &error), 0);
	assert_int_equal(lxfw_tres_amounts(&site.tres,
		slice("cpu=4,mem=1.5G,node=2,billing=4,gres/gpu=3,gres/x=1"), amounts,
		&error), 0);
	assert_int_equal(amounts[LXFW_TRES_CPU], 4);
	assert_int_equal(amounts[LXFW_TRES_MEM], 1536);
	assert_int_equal(amounts[LXFW_TRES_NODE], 2);
	assert_int_equal(amounts[LXFW_TRES_FIXED], 3);
	assert_int_equal(lxfw_tres_amounts(&site.tres, slice("cpu=-4"), amounts, &error), -1);
	assert_string_equal(error.text, "'cpu=-4', expected TRES=AMOUNT");
}

/* MAX_TRES: the largest of what is on nodes, and all else. */
static void test_billing(void **state)
{
	uint64_t amounts[LXFW_TRES_MAX];
	double weights[LXFW_TRES_MAX];

	(void)state;
	assert_int_equal(lxfw_tres_list_add(&site.tres, slice("gres/gpu,license/m"), &error),
			 0);
	assert_int_equal(lxfw_tres_amounts(&site.tres,
		slice("cpu=4,mem=16G,gres/gpu=2,license/m=3"), amounts, &error), 0);
	assert_int_equal(lxfw_tres_weights(&site.tres,
		slice("CPU=1,Mem=0.5G,GRES/gpu=3,license/m=10"), weights, &error), 0);
	assert_true(lxfw_tres_bill(&site.tres, amounts, NULL, false) == 4);
	assert_true(lxfw_tres_bill(&site.tres, amounts, weights, false) == 4 + 8 + 6 + 30);
	assert_true(lxfw_tres_bill(&site.tres, amounts, weights, true) == 8 + 30);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(test_parameters), EACH(test_defaults), EACH(test_bad_conf),
		EACH(test_sacctmgr), EACH(test_sshare), EACH(test_of_job),
		EACH(test_bad_assocs), EACH(test_qos), EACH(test_amounts),
		EACH(test_billing),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
