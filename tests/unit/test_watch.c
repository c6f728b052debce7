/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The watch of a Slurm that schedules by itself, over many looks. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "plugins/agent/table.h"
#include "sim-frontend/watch/world.h"

#define BEGIN 1796043946

static struct lxfw_watch *watch;

/* For the looks that follow. */
static const char *licenses = "No licenses configured in Slurm.\n";
static const char *config = "";

static void note(const char *text)
{
	(void)text;
}

#define NODE(name, feature) "NodeName=" name " CPUAlloc=0 CPUTot=8 RealMemory=100 " \
	"ActiveFeatures=" feature " Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 State=IDLE\n"

/* Looks at these nodes and jobs; ';' ends a field of a job. */
static void look_at(int64_t now, const char *nodes, const char *jobs, const char *excluded)
{
	struct lxfw_watch_texts texts = {
		.licenses = strdup(licenses), .config = strdup(config),
		.nodes = strdup(nodes), .reservations = strdup(""), .jobs = strdup(jobs),
		.partitions = strdup("PartitionName=p Nodes=n[1-2] State=UP MaxTime=UNLIMITED\n"),
		.excluded = strdup(excluded),
	};
	struct lxfw_error error;

	for (char *end = texts.jobs; (end = strchr(end, ';'));)
		*end = LXFW_WATCHED_END;
	for (char *end = texts.excluded; (end = strchr(end, ';'));)
		*end = LXFW_WATCHED_END;
	if (lxfw_watch_look(watch, &texts, now, &error))
		fail_msg("%s", error.text);
}

/* The line of a job that waits: NUMBER and NAME, TASKS of PER_TASK processors, in all PROCS. */
static const char *waiting(const char *number, const char *name, int tasks, int per_task, int procs,
			   const char *threads)
{
	static char line[400];

	snprintf(line, sizeof(line), "PENDING;%s;%s;N/A;p;Resources;9;1;%d;%d;1:00:00;%d;%d;N/A;N/A;;"
		 "cpu=%d,node=1;N/A;N/A;N/A;OK;(null);(null);;%s;anna;biology;N/A;*;N/A;1;;\n", number, name,
		 tasks, per_task, BEGIN, BEGIN, procs, threads);
	return line;
}

/* Looks at two nodes, and at a job in this state that requests the feature. */
static void look(int64_t now, const char *state, int64_t submit, const char *feature)
{
	char line[400];

	snprintf(line, sizeof(line), "%s;7;7;N/A;p;Resources;9;1;1;1;1:00:00;%lld;%lld;%lld;%lld;%s;"
		 "cpu=1,node=1;N/A;N/A;N/A;OK;(null);%s;;*;anna;biology;N/A;*;N/A;1;;\n", state,
		 (long long)submit, (long long)submit, (long long)now, (long long)now + 3600,
		 strcmp(state, "RUNNING") == 0 ? "n1" : "", feature);
	look_at(now, NODE("n1", "a") NODE("n2", "b"), line, "");
	assert_int_equal(lxfw_watch_bad_lines(watch), 0);
}

static const struct lxfw_request *request_of(uint64_t id)
{
	const struct lxfw_known_job *known = lxfw_table_find(&watch->agent.jobs, id);

	assert_non_null(known);
	return &known->request;
}

static int open_watch(void **state)
{
	struct lxfw_params params;

	(void)state;
	licenses = "No licenses configured in Slurm.\n";
	config = "";
	lxfw_watch_usual(&params);
	watch = lxfw_watch_open(&params, "", note);
	return watch ? 0 : -1;
}

static int close_watch(void **state)
{
	(void)state;
	lxfw_watch_close(watch);
	return 0;
}

/* A user who names features in new ways does not fill the memory. */
static void sets_are_bounded(void **state)
{
	char feature[40];

	(void)state;
	for (int i = 0; i < 4000; i++) {
		snprintf(feature, sizeof(feature), "a|b%d", i);
		look(BEGIN + i, "PENDING", BEGIN, feature);
		assert_true(watch->sets.count < 1100);
	}
	assert_non_null(lxfw_table_find(&watch->agent.jobs, 7));
}

/* The request of a job that was submitted and started between two looks is reported, that of a
   job which ran at the first look is not: it had waited before. */
static void submissions_between_looks(void **state)
{
	const struct lxfw_known_job *known;

	(void)state;
	look(BEGIN, "RUNNING", BEGIN - 100, "(null)");
	known = lxfw_table_find(&watch->agent.jobs, 7);
	assert_non_null(known);
	assert_int_equal(known->request.estimate, 0);
	look(BEGIN + 60, "COMPLETED", BEGIN - 100, "(null)");
	assert_null(lxfw_table_find(&watch->agent.jobs, 7));
	look(BEGIN + 120, "RUNNING", BEGIN + 70, "(null)");
	known = lxfw_table_find(&watch->agent.jobs, 7);
	assert_non_null(known);
	assert_int_equal(known->state, LXFW_KNOWN_RUNNING);
	assert_int_equal(known->request.estimate, 3600);
}

/* A second line of a node is left out and counted. */
static void nodes_twice(void **state)
{
	(void)state;
	look_at(BEGIN, NODE("n1", "a") NODE("n2", "b") NODE("n1", "c"),
		waiting("7", "7", 1, 1, 1, "*"), "");
	assert_int_equal(lxfw_watch_bad_lines(watch), 1);
	assert_int_equal(watch->cluster.count, 2);
}

/* What the line of a node lacks is not that of the next one. */
static void values_of_lines(void **state)
{
	(void)state;
	look_at(BEGIN, "NodeName=n1 CPUTot=8 RealMemory=100 State=IDLE\n" NODE("n2", "b"),
		waiting("7", "7", 1, 1, 1, "*"), "");
	assert_int_equal(watch->hosts[0].threads, 1);
	assert_int_equal(watch->hosts[1].threads, 2);
	assert_int_equal(watch->hosts[0].features_length, 0);
}

/* Jobs have whole cores. Numbers as Slurm 22.05 has allocated them (CR_Core). */
static void whole_cores(void **state)
{
	static const struct {
		int tasks, per_task, procs;
		const char *threads;
		int32_t unit, count;
	} cases[] = {
		{ 1, 1, 1, "*", 2, 1 },
		{ 3, 1, 3, "*", 4, 1 },
		{ 4, 1, 4, "1", 8, 1 },
		{ 1, 3, 3, "*", 4, 1 },
		{ 1, 1, 1, "1", 2, 1 },
		{ 6, 1, 6, "2", 6, 1 },
		{ 10, 1, 10, "*", 2, 5 },
		{ 5, 2, 10, "*", 2, 5 },
		{ 5, 2, 10, "1", 4, 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct lxfw_request *request;
		char number[24];

		snprintf(number, sizeof(number), "%zu", i + 10);
		look_at(BEGIN + (int64_t)i, NODE("n1", "a") NODE("n2", "b"),
			waiting(number, number, cases[i].tasks, cases[i].per_task, cases[i].procs,
				cases[i].threads), "");
		request = request_of(i + 10);
		assert_int_equal(request->unit.procs, cases[i].unit);
		assert_int_equal(request->count, cases[i].count);
	}
}

static const char two_nodes[] = NODE("n1", "a") NODE("n2", "b");

/* Number of hosts in the set of a job, as it was reported last; -1: it has none. */
static int32_t set_count(uint64_t id)
{
	const struct lxfw_request *request = request_of(id);

	return request->host_set_count == 0 ? -1 :
	       watch->agent.sched->host_sets[request->host_sets[0]].count;
}

/* Nodes that a job excludes; the line of a job that is not shown, and one that is none. */
static void excluded_nodes(void **state)
{
	(void)state;
	look_at(BEGIN, two_nodes, waiting("7", "7", 1, 1, 1, "*"), "7;n[2-9];;\n8;n1;;\n");
	assert_int_equal(lxfw_watch_bad_lines(watch), 0);
	assert_int_equal(set_count(7), 1);
	look_at(BEGIN + 60, two_nodes, waiting("7", "7", 1, 1, 1, "*"), "7;(null);(null);\nx;\n7;n1;\n");
	assert_int_equal(lxfw_watch_bad_lines(watch), 2);
	assert_int_equal(set_count(7), 2);
}

/* Slurm 26.05 states apart whether a job shares its nodes; earlier releases say that they do not know
   the field, and have an empty one. */
static void exclusive_jobs(void **state)
{
	static const struct {
		const char *sharing, *exclusive;
		bool is;
	} cases[] = {
		{ "NO", "", true }, { "OK", "", false }, { "NO", "NO", false },
		/* The only job of its user shares its node with none. */
		{ "NO", "NODE", true }, { "NO", "USER", true }, { "USER", "", true },
	};
	char line[600];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(line, sizeof(line), "squeue: error: Invalid job format specification: "
			 "exclusive\nPENDING;%zu;%zu;N/A;p;Resources;9;1;1;1;1:00:00;%d;%d;N/A;N/A;;"
			 "cpu=1,node=1;N/A;N/A;N/A;%s;(null);(null);;*;anna;biology;N/A;*;N/A;1;%s;\n", i + 1,
			 i + 1, BEGIN, BEGIN, cases[i].sharing, cases[i].exclusive);
		look_at(BEGIN + (int64_t)i, two_nodes, line, "");
		assert_int_equal(lxfw_watch_bad_lines(watch), 0);
		assert_int_equal(request_of(i + 1)->exclusive, cases[i].is);
	}
}

/* Each task of an array is a job. */
static void tasks_of_arrays(void **state)
{
	static const uint64_t tasks[] = { 1, 4, 5, 6, 10, 13 };

	(void)state;
	look_at(BEGIN, two_nodes, waiting("9", "7_[1,4-6,10-15:3%2]", 1, 1, 1, "*"), "9;n2;;\n");
	assert_int_equal(watch->count, sizeof(tasks) / sizeof(*tasks));
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		assert_int_equal(request_of(7 | (tasks[i] + 1) << 32)->unit.procs, 2);
		assert_int_equal(set_count(7 | (tasks[i] + 1) << 32), 1);
	}
	/* One of them runs, and the list is odd. */
	look_at(BEGIN + 60, two_nodes, waiting("9", "7_[4-5,,7]", 1, 1, 1, "*"), "");
	assert_int_equal(watch->count, 2);
	look_at(BEGIN + 120, two_nodes, waiting("9", "7_[9-4]", 1, 1, 1, "*"), "");
	assert_int_equal(watch->count, 0);
}

/* The reasons of an array are those of several tasks, or one that ends with names of nodes. */
static void reasons_of_arrays(void **state)
{
	static const struct {
		const char *said;
		enum lxfw_reason reason;
	} cases[] = {
		{ "ReqNodeNotAvail, UnavailableNodes:n[1,3]", LXFW_REASON_NONE },
		{ "ReqNodeNotAvail, UnavailableNodes:a1,n[1-2,4],b", LXFW_REASON_NONE },
		{ "Resources,Priority", LXFW_REASON_NONE },
		{ "Resources,JobHeldUser", LXFW_REASON_OTHER },
		{ "Resources,SomeNewReason", LXFW_REASON_OTHER },
		{ "ReqNodeNotAvail, UnavailableNodes:n[1,3],JobHeldUser", LXFW_REASON_OTHER },
	};
	char line[400];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(line, sizeof(line), "PENDING;7;7_[1-2];N/A;p;%s;9;1;1;1;1:00:00;0;0;N/A;N/A;;"
			 "cpu=1,node=1;N/A;N/A;N/A;OK;(null);(null);;*;a;b;N/A;*;N/A;1;;\n",
			 cases[i].said);
		look_at(BEGIN + (int64_t)i, two_nodes, line, "");
		assert_int_equal(watch->count, 2);
		assert_int_equal(watch->jobs[0].is.reason, cases[i].reason);
	}
}

/* The amount of the first extra that a job which runs has of host HOST. */
static int32_t pool_share(uint64_t id, int32_t host)
{
	const struct lxfw_sched *sched = watch->agent.sched;
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);
	const struct lxfw_release *nodes = sched->profile.releases.nodes;
	int32_t amount = 0;

	assert_true(index >= 0);
	for (int32_t i = sched->jobs[index].claim; i >= 0; i = nodes[i].next)
		amount += nodes[i].host == host ? nodes[i].amount.extras[0] : 0;
	return amount;
}

/* The line of a job that runs: NUMBER and NAME, on NODES with PROCS processors in all. */
static const char *running(const char *number, const char *name, const char *nodes, int procs)
{
	static char line[400];

	snprintf(line, sizeof(line), "RUNNING;%s;%s;N/A;p;None;9;1;1;1;1:00:00;%d;%d;%d;%d;%s;"
		 "cpu=%d,node=1;N/A;N/A;N/A;OK;(null);(null);;*;anna;biology;N/A;*;N/A;1;;\n", number, name,
		 BEGIN, BEGIN, BEGIN, BEGIN + 3600, nodes, procs);
	return line;
}

/* Without accounting, an account that Slurm takes for invalid keeps no job from a start. */
static void accounts_without_accounting(void **state)
{
	static const struct {
		const char *config;
		enum lxfw_reason reason;
	} cases[] = {
		{ "AccountingStorageEnforce = none\n", LXFW_REASON_NONE },
		{ "X = y\nAccountingStorageEnforce = associations,limits\n", LXFW_REASON_ACCOUNT },
		{ "", LXFW_REASON_ACCOUNT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		config = cases[i].config;
		look_at(BEGIN + (int64_t)i, two_nodes, "PENDING;7;7;N/A;p;InvalidAccount;9;1;1;1;"
			"1:00:00;0;0;N/A;N/A;;cpu=1,node=1;N/A;N/A;N/A;OK;(null);(null);;*;a;b;N/A;*;N/A;1;;\n", "");
		assert_int_equal(watch->jobs[0].is.reason, cases[i].reason);
	}
}

/* Memory that Slurm does not allocate restricts no job. */
static void memory_that_counts(void **state)
{
	char line[400];

	(void)state;
	snprintf(line, sizeof(line), "PENDING;7;7;N/A;p;Resources;9;1;1;1;1:00:00;0;0;N/A;N/A;;"
		 "cpu=1,mem=90M,node=1;N/A;N/A;N/A;OK;(null);(null);;*;a;b;N/A;*;N/A;1;;\n");
	look_at(BEGIN, two_nodes, line, "");
	assert_int_equal(request_of(7)->unit.memory_mb, 90);
	config = "SelectTypeParameters    = CR_CORE\n";
	look_at(BEGIN + 60, two_nodes, line, "");
	assert_int_equal(request_of(7)->unit.memory_mb, 0);
	config = "SelectTypeParameters    = CR_CORE_MEMORY\n";
	look_at(BEGIN + 120, two_nodes, line, "");
	assert_int_equal(request_of(7)->unit.memory_mb, 90);
}

/* Of an array with "%2", two tasks run at once: a third one waits for a pool. */
static void limited_arrays(void **state)
{
	char lines[1000] = "";

	(void)state;
	strcat(lines, running("20", "7_1", "n1", 1));
	strcat(lines, waiting("9", "7_[2-4%2]", 1, 1, 1, "*"));
	look_at(BEGIN, two_nodes, lines, "");
	assert_int_equal(watch->array_count, 1);
	assert_int_equal(watch->agent.hosts.count, 3);
	assert_string_equal(watch->agent.hosts.host[2].name, "tasks:0");
	assert_int_equal(watch->agent.hosts.host[2].total.extras[0], 2);
	assert_int_equal(pool_share(7 | UINT64_C(2) << 32, 2), 1);
	for (uint64_t task = 2; task <= 4; task++) {
		const struct lxfw_request *request = request_of(7 | (task + 1) << 32);

		assert_int_equal(request->pool_count, 1);
		assert_int_equal(request->pools[0].pool, 2);
		assert_int_equal(request->pools[0].amount, 1);
	}
	/* Another array, which keeps the hosts, and an array that has none left. */
	strcpy(lines, running("20", "7_1", "n1", 1));
	strcat(lines, waiting("30", "8_[1-4%3]", 1, 1, 1, "*"));
	look_at(BEGIN + 60, two_nodes, lines, "");
	assert_int_equal(watch->agent.hosts.count, 3);
	assert_int_equal(watch->agent.hosts.host[2].total.extras[0], 3);
	assert_int_equal(pool_share(7 | UINT64_C(2) << 32, 2), 0);
	assert_int_equal(request_of(8 | UINT64_C(2) << 32)->pool_count, 1);
	/* Slurm's reason is what is modelled. */
	look_at(BEGIN + 120, two_nodes, "PENDING;9;7_[2-4%2];N/A;p;JobArrayTaskLimit;9;1;1;1;"
		"1:00:00;0;0;N/A;N/A;;cpu=1,node=1;N/A;N/A;N/A;OK;(null);(null);;*;a;b;N/A;*;N/A;1;;\n", "");
	assert_int_equal(watch->jobs[0].is.reason, LXFW_REASON_NONE);
	assert_int_equal(watch->agent.hosts.host[2].total.extras[0], 2);
	/* Two at the same time, with other hosts. */
	strcpy(lines, waiting("30", "8_[1-4%3]", 1, 1, 1, "*"));
	strcat(lines, waiting("9", "7_[2-4%2]", 1, 1, 1, "*"));
	look_at(BEGIN + 180, two_nodes, lines, "");
	assert_int_equal(watch->agent.hosts.count, 2 + 4);
	assert_int_equal(request_of(7 | UINT64_C(3) << 32)->pools[0].pool, 2);
	assert_int_equal(request_of(8 | UINT64_C(2) << 32)->pools[0].pool, 3);
	assert_int_equal(watch->agent.hosts.host[3].total.extras[0], 3);
}

/* Arrays with limits are bounded, too. */
static void limits_are_bounded(void **state)
{
	enum { JOBS = 1000 };
	char *jobs = calloc(JOBS, 400);
	size_t length = 0;

	(void)state;
	for (int i = 0; i < JOBS; i++) {
		char number[24], name[40];

		snprintf(number, sizeof(number), "%d", i + 1);
		snprintf(name, sizeof(name), "%d_[1-2%%1]", i + 1);
		length += (size_t)sprintf(jobs + length, "%s", waiting(number, name, 1, 1, 1, "*"));
	}
	look_at(BEGIN, two_nodes, jobs, "");
	free(jobs);
	assert_int_equal(watch->array_count, LXFW_WATCH_ARRAYS);
	assert_int_equal(request_of(1 | UINT64_C(2) << 32)->pool_count, 1);
	assert_int_equal(request_of(1000 | UINT64_C(2) << 32)->pool_count, 0);
}

/* Licenses are pools; those that no job has which is shown are not there. */
static void jobs_with_licenses(void **state)
{
	char lines[1000] = "";

	(void)state;
	licenses = "LicenseName=abaqus Total=5 Used=3 Free=2 Reserved=0 Remote=no\n"
		   "LicenseName=matlab Total=1 Used=0 Free=1 Reserved=0 Remote=no\n";
	strcat(lines, running("20", "20", "n1", 1));
	strcat(lines, waiting("21", "21", 1, 1, 1, "*"));
	strcat(lines, waiting("22", "22", 1, 1, 1, "*"));
	look_at(BEGIN, two_nodes, lines, "20;(null);abaqus:2;\n21;(null);matlab,abaqus:3;\n"
		"22;(null);none:1;\n");
	assert_int_equal(watch->agent.hosts.count, 4);
	assert_string_equal(watch->agent.hosts.host[2].name, "license:abaqus");
	assert_int_equal(watch->agent.hosts.host[2].total.extras[0], 4);
	assert_int_equal(watch->agent.hosts.host[3].total.extras[0], 1);
	assert_int_equal(pool_share(20, 2), 2);
	assert_int_equal(request_of(21)->pool_count, 2);
	assert_int_equal(request_of(21)->pools[0].amount, 3);
	assert_int_equal(request_of(21)->pools[1].pool, 3);
	assert_int_equal(request_of(22)->pool_count, 0);
	/* Slurm's reason is modelled if the licenses are. */
	look_at(BEGIN + 60, two_nodes, "PENDING;21;21;N/A;p;Licenses;9;1;1;1;1:00:00;0;0;N/A;N/A;;"
		"cpu=1,node=1;N/A;N/A;N/A;OK;(null);(null);;*;a;b;N/A;*;N/A;1;;\n"
		"PENDING;22;22;N/A;p;Licenses;9;1;1;1;1:00:00;0;0;N/A;N/A;;"
		"cpu=1,node=1;N/A;N/A;N/A;OK;(null);(null);;*;a;b;N/A;*;N/A;1;;\n",
		"21;(null);abaqus:3;\n22;(null);abaqus:1|matlab:1;\n");
	assert_int_equal(watch->jobs[0].is.reason, LXFW_REASON_NONE);
	assert_int_equal(watch->jobs[1].is.reason, LXFW_REASON_LICENSES);
}

#define USED(name, procs) "NodeName=" name " CPUAlloc=" procs " CPUTot=16 RealMemory=100 " \
	"ActiveFeatures=a Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 State=MIXED\n"

/* What a job has of its nodes is remembered from when it was alone there. */
static void uneven_divisions(void **state)
{
	char lines[1000] = "";
	const struct lxfw_share *share;

	(void)state;
	look_at(BEGIN, USED("n1", "16") USED("n2", "12"), running("7", "7", "n[1-2]", 28), "");
	share = watch->shares + watch->jobs[0].first_share;
	assert_int_equal(share[0].amount.procs, 16);
	assert_int_equal(share[1].amount.procs, 12);
	/* Two other jobs, of which the parts are not known. */
	strcat(lines, running("8", "8", "n2", 2));
	strcat(lines, running("7", "7", "n[1-2]", 28));
	look_at(BEGIN + 60, USED("n1", "16") USED("n2", "16"), lines, "");
	share = watch->shares + watch->jobs[1].first_share;
	assert_int_equal(share[0].amount.procs, 16);
	assert_int_equal(share[1].amount.procs, 12);
	/* It has been resized. */
	lines[0] = '\0';
	strcat(lines, running("8", "8", "n2", 2));
	strcat(lines, running("7", "7", "n[1-2]", 20));
	look_at(BEGIN + 120, USED("n1", "12") USED("n2", "14"), lines, "");
	share = watch->shares + watch->jobs[1].first_share;
	assert_int_equal(share[0].amount.procs, 10);
	assert_int_equal(share[1].amount.procs, 10);
}

/* What a job has of two nodes, of which other jobs that are not shown have a part: the same of each,
   but not more than a node has allocated. */
static void divisions_beside_others(void **state)
{
	static const struct {
		const char *nodes;
		int procs;
		int32_t first, second;
	} cases[] = {
		{ USED("n1", "10") USED("n2", "6"), 10, 5, 5 },
		{ USED("n1", "10") USED("n2", "4"), 10, 9, 1 },
		{ USED("n1", "10") USED("n2", "4"), 9, 8, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct lxfw_share *share;

		look_at(BEGIN + (int64_t)i, cases[i].nodes,
			running("7", "7", "n[1-2]", cases[i].procs), "");
		share = watch->shares + watch->jobs[0].first_share;
		assert_int_equal(share[0].amount.procs, cases[i].first);
		assert_int_equal(share[1].amount.procs, cases[i].second);
	}
}

/* Whatever a user states, memory and time are bounded. */
static void arrays_are_bounded(void **state)
{
	(void)state;
	look_at(BEGIN, two_nodes, waiting("9", "7_[0-4000000000]", 1, 1, 1, "*"), "");
	assert_int_equal(watch->count, 200000);
	assert_int_equal(watch->arrays_left_out, 1);
	look_at(BEGIN, two_nodes, waiting("9", "7_[0-3]", 1, 1, 1, "*"), "");
	assert_int_equal(watch->arrays_left_out, 0);
}

/* The JOBS of a user who names 100,000 nodes in each, in other ways. */
static void names_are_bounded(void **state)
{
	enum { JOBS = 2000 };
	char *jobs = calloc(JOBS, 400), *excluded = calloc(JOBS, 64);
	size_t length = 0, excluded_length = 0;

	(void)state;
	for (int i = 0; i < JOBS; i++) {
		char number[24];

		snprintf(number, sizeof(number), "%d", i + 1);
		length += (size_t)sprintf(jobs + length, "%s", waiting(number, number, 1, 1, 1, "*"));
		excluded_length += (size_t)sprintf(excluded + excluded_length, "%d;x[1-%d];;\n",
						   i + 1, 100000 + i);
	}
	look_at(BEGIN, two_nodes, jobs, excluded);
	free(jobs);
	free(excluded);
	assert_int_equal(set_count(1), 2);
	assert_true(watch->work < 0);
	assert_int_equal(watch->jobs[JOBS - 1].is.reason, LXFW_REASON_LEFT_FEATURES);
}

/* What Slurm composes may name users, accounts and QOS. */
static void what_all_may_read(void **state)
{
	static const char *const shown[] = {
		"Resources", "launch_failed_requeued_held", "JobHeldUser,Priority",
		"Dependency, afterok:12(unfulfilled)", "ReqNodeNotAvail, UnavailableNodes:n[1-3]",
		"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher pri",
	};
	static const char *const kept[] = {
		"Job is at or exceeds association (acc=a/user=anna/part=p) group wall limit",
		"Job is at or exceeds QOS anna's group wall limit of 1 with 2",
		"burst_buffer/lua: /home/anna/x: no such file", "Reservation anna, which has ended",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		assert_true(lxfw_watch_said_to_all(shown[i]));
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		assert_false(lxfw_watch_said_to_all(kept[i]));
}

static void words_are_found_by_job(void **state)
{
	struct lxfw_watch_said said[] = { { 7, "b" }, { 3, "a" }, { 3 | UINT64_C(2) << 32, "c" } };

	(void)state;
	lxfw_watch_said_sort(said, 3);
	assert_string_equal(lxfw_watch_said_of(said, 3, 3), "a");
	assert_string_equal(lxfw_watch_said_of(said, 3, 7), "b");
	assert_string_equal(lxfw_watch_said_of(said, 3, 3 | UINT64_C(2) << 32), "c");
	assert_null(lxfw_watch_said_of(said, 3, 8));
	assert_null(lxfw_watch_said_of(NULL, 0, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_all_may_read),
		cmocka_unit_test(words_are_found_by_job),
		cmocka_unit_test_setup_teardown(exclusive_jobs, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(excluded_nodes, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(tasks_of_arrays, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(reasons_of_arrays, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(accounts_without_accounting, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(memory_that_counts, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(limited_arrays, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(limits_are_bounded, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(jobs_with_licenses, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(uneven_divisions, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(divisions_beside_others, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(arrays_are_bounded, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(names_are_bounded, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(nodes_twice, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(values_of_lines, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(whole_cores, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(sets_are_bounded, open_watch, close_watch),
		cmocka_unit_test_setup_teardown(submissions_between_looks, open_watch, close_watch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
