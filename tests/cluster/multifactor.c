/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * multifactor SLURM.CONF ASSOCIATIONS QOS JOBS EVENTS: what a controller did, done again by
 * the model of priority/multifactor, for live-multifactor.sh.
 *
 * JOBS has a line for each job, values separated by '|':
 *   id user account qos partitions nice procs nodes limit tres submit accrue start end
 *   runs-in runs-with
 * with limit in minutes, times in s, TRES as scontrol prints them, and "" for a start or an
 * end that did not come. EVENTS is, in the order in which they happened:
 *   step SECOND          priorities were calculated
 *   submit|start|end ID
 *   priority ID NUMBER   the controller made it that: compared, but for jobs of several
 *                        partitions, where it is that of the partition tried last
 *   in ID PARTITION NUMBER   the same of each of several partitions
 *   raw ACCOUNT USER NUMBER  the same of raw usage (USER "-": an account)
 *   sprio, sshare        print what these do, behind a line "sprio N", N counting them
 * Differences are printed to standard error. Status 1: there were some; 2: bad input.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/priority/multifactor.h"

#define JOBS_MAX 500
#define NONE INT64_MIN
/* s of the fast clock in which Slurm's scheduler has tested a new job */
#define UNSEEN 20

struct live_job {
	struct lxfw_multifactor_job told;
	int64_t submit, accrue, start, end;
	int32_t runs_in;
	uint64_t runs_with[LXFW_TRES_MAX];
	bool waits, known;
};

static struct lxfw_multifactor_site site;
static struct lxfw_multifactor *model;
static struct lxfw_error error;
static struct live_job jobs[JOBS_MAX];
static int job_count;
static long compared, different;
static int64_t last_step = NONE;

static void die(const char *what)
{
	fprintf(stderr, "multifactor: %s %s\n", what, error.text);
	exit(2);
}

static struct lxfw_slice slice(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static int64_t second(const char *text)
{
	return *text >= '0' && *text <= '9' ? strtoll(text, NULL, 10) : NONE;
}

static int32_t partition(const char *name)
{
	int32_t at = lxfw_multifactor_partition_find(&site, slice(name));

	if (at < 0)
		die("unknown partition");
	return at;
}

/* The values of a line of JOBS. */
static void take_job(char *value[16])
{
	struct live_job *job = &jobs[job_count++];
	char *save, *name;

	*job = (struct live_job) {
		.told = {
			.id = strtoull(value[0], NULL, 10),
			.qos = lxfw_qos_find(&site.qos, slice(value[3])),
			.nice = (int32_t)strtol(value[5], NULL, 10),
			.size = {
				.procs = (uint32_t)strtoul(value[6], NULL, 10),
				.nodes = (uint32_t)strtoul(value[7], NULL, 10),
				.limit_minutes = (uint32_t)strtoul(value[8], NULL, 10),
			},
		},
		.submit = second(value[10]), .accrue = second(value[11]),
		.start = second(value[12]), .end = second(value[13]),
	};
	for (name = strtok_r(value[4], ",", &save); name; name = strtok_r(NULL, ",", &save))
		job->told.partitions[job->told.partition_count++] = partition(name);
	job->told.assoc = lxfw_assocs_of_job(&site.assocs, slice(value[2]), slice(value[1]),
		slice(site.partitions[job->told.partitions[0]].name));
	if (job->told.assoc < 0 || job->told.qos < 0)
		die("a job without association or QOS");
	if (lxfw_tres_amounts(&site.tres, slice(value[9]), job->told.tres, &error) ||
	    lxfw_tres_amounts(&site.tres, slice(value[15]), job->runs_with, &error))
		die("TRES");
	job->runs_in = *value[14] ? partition(value[14]) : -1;
}

static void read_jobs(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[2000];

	if (!file)
		die(path);
	while (fgets(line, sizeof(line), file)) {
		char *value[16], *at = line;

		line[strcspn(line, "\n")] = '\0';
		for (int i = 0; i < 16; i++) {
			value[i] = strsep(&at, "|");
			if (!value[i] || job_count == JOBS_MAX)
				die("a line of jobs");
		}
		take_job(value);
	}
	fclose(file);
}

static struct live_job *find(const char *id)
{
	for (int i = 0; i < job_count; i++) {
		if (jobs[i].told.id == strtoull(id, NULL, 10))
			return &jobs[i];
	}
	die("unknown job");
	return NULL;
}

/* A value of sprio, before and behind its weight. */
static void print_factor(double weighted, uint32_t weight)
{
	printf("|%.7f|%.0f", weight ? weighted / weight : 0, weighted);
}

static void print_tres(const struct live_job *job, int32_t at)
{
	const struct lxfw_multifactor_partition *where = &site.partitions[at];
	const char *between = "|";
	uint64_t amounts[LXFW_TRES_MAX];

	memcpy(amounts, job->told.tres, sizeof(amounts));
	amounts[LXFW_TRES_BILLING] = (uint64_t)lxfw_tres_bill(&site.tres, amounts,
		site.partitions[job->told.partitions[0]].billed ?
		site.partitions[job->told.partitions[0]].billing : NULL,
		site.params.flags & LXFW_MULTIFACTOR_MAX_TRES);
	for (int i = 0; i < site.tres.count; i++) {
		struct lxfw_multifactor_params one = site.params;
		double value;

		memset(one.weight_tres, 0, sizeof(one.weight_tres));
		one.weight_tres[i] = site.params.weight_tres[i];
		value = lxfw_factor_tres(&site, where, &one, amounts);
		if (value != 0)
			printf("%s%s=%.0f", between, site.tres.names[i], value);
		between = value != 0 ? "," : between;
	}
	if (*between == '|')
		printf("|");
}

static void print_sprio(const struct live_job *job, int32_t at)
{
	struct lxfw_multifactor_factors f;
	double sum;

	if (!lxfw_multifactor_factors(model, job->told.id, at, &f))
		die("no factors");
	printf("%" PRIu64 "|%s", job->told.id, site.partitions[at].name);
	print_factor(f.age, site.params.weight_age);
	print_factor(f.assoc, site.params.weight_assoc);
	print_factor(f.fairshare, site.params.weight_fairshare);
	print_factor(f.size, site.params.weight_job_size);
	print_factor(f.partition, site.params.weight_partition);
	print_factor(f.qos, site.params.weight_qos);
	sum = f.age + f.assoc + f.fairshare + f.size + f.partition + f.qos - f.nice + f.tres;
	printf("|%d|%lld", f.nice, (long long)(sum < 1 ? 1 : sum));
	print_tres(job, at);
	printf("\n");
}

static void sprio(void)
{
	for (int i = 0; i < job_count; i++) {
		for (int j = 0; j < jobs[i].told.partition_count && jobs[i].waits; j++)
			print_sprio(&jobs[i], jobs[i].told.partitions[j]);
	}
}

/* As Slurm prints it: what was never computed is empty. */
static void print_share(double value)
{
	if (value == 4294967294.0)
		printf("|");
	else
		printf("|%f", value);
}

static void sshare(void)
{
	bool fair_tree = lxfw_multifactor_is_fair_tree(&site.params);

	for (size_t i = 0; i < site.assocs.count; i++) {
		const struct lxfw_assoc *item = &site.assocs.items[i];
		struct lxfw_multifactor_share share;

		lxfw_multifactor_share(model, (int32_t)i, &share);
		printf("%s|%s|%s|%f|%" PRIu64, item->account, item->user, item->partition,
		       share.shares_norm, (uint64_t)share.usage_raw);
		print_share(share.usage_norm);
		print_share(share.usage_effective);
		if (fair_tree && !*item->user)
			printf("|");
		else
			printf("|%f", share.fairshare);
		if (fair_tree && item->shares == LXFW_SHARES_PARENT)
			printf("|");
		else if (fair_tree)
			print_share(share.level);
		printf("\n");
	}
}

/* In Slurm a job's age grows only once its scheduler has tested the job. A calculation may
   come before that: then the priority is that without age. */
static bool lacks_age(const struct live_job *job, int32_t at, uint32_t expected)
{
	struct lxfw_multifactor_factors f;
	double sum;

	if (last_step - job->submit > UNSEEN ||
	    !lxfw_multifactor_factors(model, job->told.id, at, &f))
		return false;
	sum = f.assoc + f.fairshare + f.size + f.partition + f.qos + f.tres - f.nice;
	return (uint32_t)(sum < 1 ? 1 : sum) == expected;
}

/* Of a job in partition AT; -1: in its only one. */
static void expect_priority(const struct live_job *job, int32_t at, const char *expected)
{
	uint32_t priority = lxfw_multifactor_priority(model, job->told.id, at);

	/* finished jobs keep theirs, and with CALCULATE_RUNNING Slurm recalculates them */
	if (!job->known || (at < 0 && job->told.partition_count > 1))
		return;
	compared++;
	if (priority == strtoul(expected, NULL, 10) ||
	    lacks_age(job, at, (uint32_t)strtoul(expected, NULL, 10)))
		return;
	different++;
	fprintf(stderr, "job %" PRIu64 " in %s: priority %" PRIu32 ", Slurm's %s\n",
		job->told.id, at < 0 ? "its partition" : site.partitions[at].name,
		priority, expected);
}

static void expect_raw(const char *account, const char *user, const char *expected)
{
	int32_t at = lxfw_assocs_find(&site.assocs, slice(account),
				      slice(*user == '-' ? "" : user), slice(""));
	char text[64];

	if (at < 0)
		die("unknown association");
	snprintf(text, sizeof(text), "%Lf", lxfw_multifactor_usage(model, at));
	compared++;
	if (strcmp(text, expected) == 0)
		return;
	different++;
	fprintf(stderr, "%s/%s: usage %s, Slurm's %s\n", account, user, text, expected);
}

static int happens(const char *what, struct live_job *job)
{
	if (strcmp(what, "submit") == 0) {
		job->waits = job->known = true;
		if (lxfw_multifactor_submit(model, &job->told, job->submit))
			return -1;
		return job->accrue == NONE ? 0 :
		       lxfw_multifactor_eligible(model, job->told.id, job->accrue);
	}
	if (strcmp(what, "start") == 0) {
		job->waits = false;
		return lxfw_multifactor_start(model, job->told.id, job->runs_in,
			(uint32_t)job->runs_with[LXFW_TRES_CPU], job->runs_with,
			job->start);
	}
	job->known = job->waits = false;
	return lxfw_multifactor_end(model, job->told.id, job->end);
}

static void take_event(char *line)
{
	static int tables;
	char *word[4] = { NULL }, *save;
	int count = 0;

	for (char *at = strtok_r(line, " \n", &save); at && count < 4;
	     at = strtok_r(NULL, " \n", &save))
		word[count++] = at;
	if (count == 1 && strcmp(word[0], "sprio") == 0) {
		printf("sprio %d\n", ++tables);
		sprio();
	} else if (count == 1 && strcmp(word[0], "sshare") == 0) {
		printf("sshare %d\n", ++tables);
		sshare();
	} else if (count == 2 && strcmp(word[0], "step") == 0) {
		if (!model)
			model = lxfw_multifactor_new(&site, &site.params, NULL,
						     second(word[1]));
		last_step = second(word[1]);
		if (!model || lxfw_multifactor_step(model, last_step))
			die("step");
	} else if (count == 3 && strcmp(word[0], "priority") == 0) {
		expect_priority(find(word[1]), -1, word[2]);
	} else if (count == 4 && strcmp(word[0], "in") == 0) {
		expect_priority(find(word[1]), partition(word[2]), word[3]);
	} else if (count == 4 && strcmp(word[0], "raw") == 0) {
		expect_raw(word[1], word[2], word[3]);
	} else if (count != 2 || happens(word[0], find(word[1]))) {
		die(line);
	}
}

int main(int argc, char **argv)
{
	struct lxfw_cluster cluster;
	char line[2000];
	FILE *file;

	if (argc != 6)
		die("expected SLURM.CONF ASSOCIATIONS QOS JOBS EVENTS");
	if (lxfw_multifactor_site_begin(&site) ||
	    lxfw_cluster_read(&cluster, argv[1], &error) ||
	    lxfw_assocs_read(&site.assocs, argv[2], NULL, &error) ||
	    lxfw_qos_read(&site.qos, argv[3], &error) ||
	    lxfw_multifactor_site_read(&site, argv[1], &cluster, &error))
		die("");
	read_jobs(argv[4]);
	file = fopen(argv[5], "r");
	if (!file)
		die(argv[5]);
	while (fgets(line, sizeof(line), file))
		take_event(line);
	fclose(file);
	fprintf(stderr, "%ld values compared, %ld different\n", compared, different);
	lxfw_multifactor_free(model);
	lxfw_multifactor_site_clear(&site);
	lxfw_cluster_clear(&cluster);
	return different > 0 || compared == 0;
}
