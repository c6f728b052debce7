/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/watch/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "plugins/agent/journal_file.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/pass.h"
#include "plugins/agent/setup.h"
#include "plugins/agent/shadow.h"
#include "sim-frontend/history/experience.h"

/* Ids of blocks: that of what is in use on hosts by jobs that are not shown, and the first one of
   a reservation. */
#define HIDDEN 1
#define BLOCK_FIRST (LXFW_BLOCK_PASSING_MAX + 1)

/* Size at which the journal is rotated, and how many old ones are kept, as by the plugin. */
#define JOURNAL_MB 256
#define JOURNALS_KEPT 8

/* Seconds for which the use of a host is assumed that is not that of the jobs, where these are shown:
   some have started since, or their parts on hosts are not known. */
#define HIDDEN_SECONDS 3600

/* Added to the weight of a node that must boot: more than Slurm's are (32 bits). */
#define WEIGHT_ASLEEP (INT64_C(1) << 34)

/* Sets of hosts that the model may have beyond those of the jobs: any user can name nodes and
   features in new ways. */
#define SETS_SPARE 1000

/* Seconds in which a job that is being cleaned up is expected to leave its hosts. */
#define ENDING_SECONDS 60

#define LIMITLESS ((int64_t)LXFW_EXPERIENCE_LIMITLESS)

static int64_t now(void *context)
{
	return ((struct lxfw_watch *)context)->now;
}

/* --- hosts and blocks ----------------------------------------------------------------- */

/* Slurm uses nodes that are powered down only if those that are up are not sufficient. */
static int64_t weight_of(const struct lxfw_watch *watch, int32_t host)
{
	return watch->cluster.hosts[host].weight + (watch->hosts[host].boot > 0 ? WEIGHT_ASLEEP : 0);
}

/* The extras that count processors: of partitions with MaxCPUsPerNode, "partition:a,b", and those that
   are not kept for jobs with GPUs. */
static void name_limits(struct lxfw_watch *watch)
{
	const struct lxfw_cluster *cluster = &watch->cluster;

	for (int i = 0; i < cluster->extra_count; i++) {
		char name[80] = "partition:";
		size_t length = strlen(name), first = length;

		for (int32_t k = 0; k < cluster->set_count; k++) {
			const struct lxfw_cluster_set *set = &cluster->sets[k];

			if (set->cap != 1 + i || set->is_part ||
			    length + strlen(set->name) + 2 > sizeof(name))
				continue;
			length += (size_t)sprintf(name + length, "%s%s", length > first ? "," : "",
						  set->name);
		}
		if (length > first)
			lxfw_mirror_extra(&watch->agent, i, name);
		else if (cluster->open == 1 + i)
			lxfw_mirror_extra(&watch->agent, i, "without:gpu");
	}
}

static bool look_at_hosts(void *context)
{
	struct lxfw_watch *watch = context;
	const struct lxfw_cluster *cluster = &watch->cluster;
	struct lxfw_event event = { .time = watch->now };
	int32_t next = 0;

	if (lxfw_watch_look_at_names(watch) < 0)
		return false;
	watch->agent.hosts.gpus = cluster->gpus;
	for (int32_t i = 0; i < cluster->count; i++)
		lxfw_mirror_host(&watch->agent, i, watch->hosts[i].up,
				 &cluster->hosts[i].total, cluster->hosts[i].sockets,
				 weight_of(watch, i), watch->hosts[i].boot);
	lxfw_watch_look_at_pools(watch);
	while (lxfw_cluster_extra_event(cluster, &next, &event))
		lxfw_mirror_extra(&watch->agent, event.extra.index, event.extra.name);
	name_limits(watch);
	return !watch->agent.rebuild;
}

static void look_at_reservations(struct lxfw_watch *watch)
{
	for (size_t i = 0; i < watch->cluster.block_count; i++) {
		const struct lxfw_cluster_block *block = &watch->cluster.blocks[i];
		char key[320];
		int length = snprintf(key, sizeof(key), "%lld %s", (long long)block->start,
				      block->name);
		int32_t id = lxfw_names_add(&watch->blocks, key,
					    length < (int)sizeof(key) ? (size_t)length :
									sizeof(key) - 1);

		if (id < 0)
			watch->failed = true;
		else
			lxfw_mirror_block(&watch->agent, BLOCK_FIRST + (uint64_t)id, block->start,
					  block->end, block->shares, block->count);
	}
}

bool lxfw_watch_hides_jobs(const struct lxfw_watch *watch)
{
	if (!lxfw_watch_configured(watch, "PrivateData", "jobs", false))
		return false;
	for (size_t i = 1; i < watch->count; i++) {
		if (strcmp(watch->jobs[i].is.user, watch->jobs[0].is.user) != 0)
			return false;
	}
	return true;
}

/* What nodes have allocated to jobs that this user may not see. */
static void look_at_hidden(struct lxfw_watch *watch)
{
	struct lxfw_share *shares = calloc((size_t)watch->cluster.count + 1, sizeof(*shares));
	int32_t count = 0;

	if (!shares) {
		watch->failed = true;
		return;
	}
	for (int32_t i = 0; i < watch->cluster.count; i++) {
		const struct lxfw_watch_host *host = &watch->hosts[i];
		struct lxfw_resources more = { 0 };

		if (host->used.procs > host->seen.procs)
			more.procs = host->used.procs - host->seen.procs;
		if (watch->cluster.memory_bound && host->used.memory_mb > host->seen.memory_mb)
			more.memory_mb = host->used.memory_mb - host->seen.memory_mb;
		if (more.procs > 0)
			shares[count++] = (struct lxfw_share) { .host = i, .amount = more };
	}
	if (count > 0)
		lxfw_mirror_passing_block(&watch->agent, HIDDEN,
					  lxfw_watch_hides_jobs(watch) ? LXFW_MIRROR_UNKNOWN : HIDDEN_SECONDS,
					  shares, count);
	free(shares);
}

static void look_at_blocks(void *context)
{
	look_at_reservations(context);
	look_at_hidden(context);
}

/* --- jobs ----------------------------------------------------------------------------- */

/* The longest time until the nodes of a job are up: its limit begins then. */
static int64_t boot_of(const struct lxfw_watch *watch, const struct lxfw_watch_job *job)
{
	int64_t most = 0;

	for (int32_t i = 0; i < job->share_count; i++) {
		int64_t boot = watch->hosts[watch->shares[job->first_share + (size_t)i].host].boot;

		most = boot > most ? boot : most;
	}
	return most;
}

/* When a job without a limit would end by the limit that Slurm plans with, a year. One that runs for
   longer has another one. */
static int64_t end_of_year(const struct lxfw_watch *watch, const struct lxfw_watched *job)
{
	int64_t past = watch->now > job->start ? watch->now - job->start : 0;

	return job->start + (past / LIMITLESS + 1) * LIMITLESS;
}

/* LXFW_NEVER: it is not known. */
static int64_t end_of(const struct lxfw_watch *watch, const struct lxfw_watch_job *job)
{
	if (job->is.state == LXFW_WATCHED_ENDING)
		return watch->now + ENDING_SECONDS;
	if (job->is.end > 0)
		return job->is.end + boot_of(watch, job);
	return job->is.start > 0 && job->is.limit == 0 ? end_of_year(watch, &job->is) : LXFW_NEVER;
}

static void fill_run(const struct lxfw_watch *watch, const struct lxfw_watch_job *job,
		     struct lxfw_run *run)
{
	*run = (struct lxfw_run) {
		.id = job->is.id, .record = job->is.record,
		.end = end_of(watch, job),
		.count = job->share_count + job->pool_count, .shares = watch->shares + job->first_share,
		.past = { .since = job->is.start, .submit = job->is.submit },
	};
}

static void look_at_running(struct lxfw_watch *watch, struct lxfw_watch_job *job)
{
	struct lxfw_known_job *known = lxfw_mirror_running(&watch->agent, job->is.id,
							   job->is.record);
	struct lxfw_run run;

	if (!known || job->share_count == 0)
		return;
	lxfw_watch_share_extras(watch, job);
	/* A suspended job has its memory only. */
	for (int32_t i = 0; i < job->share_count && job->is.state == LXFW_WATCHED_SUSPENDED; i++)
		watch->shares[job->first_share + (size_t)i].amount.procs = 0;
	fill_run(watch, job, &run);
	/* It was submitted and started between two looks. */
	if (job->requested && known->state == LXFW_KNOWN_NOT && watch->before > 0 &&
	    job->is.submit >= watch->before)
		lxfw_mirror_request(&watch->agent, known, &job->request);
	lxfw_mirror_run(&watch->agent, known, &run);
}

static void look_at_waiting(struct lxfw_watch *watch, const struct lxfw_watch_job *job)
{
	const struct lxfw_watched *is = &job->is;

	if (is->reason != LXFW_REASON_NONE) {
		lxfw_mirror_aside(&watch->agent, &(struct lxfw_aside) {
			.id = is->id, .reason = is->reason, .limited = is->limited,
			.submit = is->submit,
			.until = is->reason == LXFW_REASON_BEGIN_TIME && is->eligible > watch->now ?
					 is->eligible : 0,
		});
		return;
	}
	lxfw_mirror_waiting(&watch->agent, &(struct lxfw_waiting) {
		.request = job->request, .priority = is->priority, .record = is->record,
	});
}

/* The tasks of an array that wait request the same. Returns as lxfw_watch_request(). */
static int find_request(struct lxfw_watch *watch, size_t index)
{
	struct lxfw_watch_job *job = &watch->jobs[index];
	const struct lxfw_watch_job *before = index > 0 ? job - 1 : NULL;

	if (job->is.het > 0 && job->is.state == LXFW_WATCHED_WAITING)
		return 0;
	if (!before || !*job->is.array || before->is.record != job->is.record)
		return job->is.reason == LXFW_REASON_NONE ? lxfw_watch_request(watch, job) : 0;
	job->is.reason = before->is.reason;
	job->requested = before->requested;
	job->request = before->request;
	job->request.id = job->is.id;
	return 0;
}

static bool look_at_jobs(void *context)
{
	struct lxfw_watch *watch = context;

	watch->looks++;
	watch->work = LXFW_WATCH_WORK;
	if (lxfw_watch_look_at_partitions(watch) || lxfw_watch_request_components(watch)) {
		watch->failed = true;
		return false;
	}
	for (size_t i = 0; i < watch->count; i++) {
		struct lxfw_watch_job *job = &watch->jobs[i];

		lxfw_watch_settle_stopped(watch, &job->is);
		if (find_request(watch, i)) {
			watch->failed = true;
			return false;
		}
		if (job->is.state == LXFW_WATCHED_WAITING)
			look_at_waiting(watch, job);
		else
			look_at_running(watch, job);
	}
	lxfw_mirror_release_others(&watch->agent);
	return true;
}

static void forget(void *context)
{
	struct lxfw_watch *watch = context;

	lxfw_names_clear(&watch->sets);
	if (watch->set_hashes)
		memset(watch->set_hashes, 0, watch->set_hashes_size * sizeof(*watch->set_hashes));
	if (watch->set_looks)
		memset(watch->set_looks, 0, watch->set_looks_size * sizeof(*watch->set_looks));
}

static const struct lxfw_watch_job *find(const struct lxfw_watch *watch, uint32_t record)
{
	int32_t index = lxfw_id_map_get(&watch->by_record, record);

	return index < 0 ? NULL : &watch->jobs[index];
}

static enum lxfw_phase phase(void *context, uint32_t record)
{
	static const enum lxfw_phase phases[] = {
		[LXFW_WATCHED_WAITING] = LXFW_PHASE_WAITING,
		[LXFW_WATCHED_RUNNING] = LXFW_PHASE_RUNNING,
		[LXFW_WATCHED_SUSPENDED] = LXFW_PHASE_SUSPENDED,
		[LXFW_WATCHED_ENDING] = LXFW_PHASE_ENDING,
	};
	const struct lxfw_watch_job *job = find(context, record);

	return job ? phases[job->is.state] : LXFW_PHASE_GONE;
}

static bool read_run(void *context, struct lxfw_known_job *known, struct lxfw_run *run)
{
	const struct lxfw_watch_job *job = find(context, known->record);

	if (!job || job->share_count == 0)
		return false;
	fill_run(context, job, run);
	return true;
}

/* Nothing is suspended, so that nothing must outlive this process. */
static char *folder(void *context)
{
	(void)context;
	return NULL;
}

/* What acts is missing: in shadow mode it is not called. */
static const struct lxfw_wlm slurm = {
	.name = "Slurm", .job = "JobId=", .now = now,
	.look_at_hosts = look_at_hosts, .look_at_blocks = look_at_blocks,
	.folder_name = "no folder", .folder = folder,
	.look_at_jobs = look_at_jobs, .forget = forget, .phase = phase, .read_run = read_run,
};

/* --- the whole ------------------------------------------------------------------------ */

static void (*note)(const char *text);

static void write_log(enum lxfw_log_level level, const char *text)
{
	if (level == LXFW_LOG_ERROR)
		note(text);
}

struct lxfw_watch *lxfw_watch_open(const struct lxfw_params *params, const char *journal,
				   void (*tell)(const char *text))
{
	struct lxfw_watch *watch = calloc(1, sizeof(*watch));

	if (!watch)
		return NULL;
	note = tell;
	lxfw_log_to(write_log);
	lxfw_agent_init(&watch->agent, &slurm, watch, params);
	lxfw_agent_set_params(&watch->agent, params);	/* shadow mode */
	lxfw_journal_file_set(&watch->agent.journal, journal, (int)strlen(journal));
	lxfw_journal_file_limit(&watch->agent.journal, JOURNAL_MB, JOURNALS_KEPT);
	return watch;
}

void lxfw_watch_close(struct lxfw_watch *watch)
{
	lxfw_agent_destroy(&watch->agent);
	lxfw_watch_texts_clear(&watch->texts);
	lxfw_needs_clear(&watch->needs);
	lxfw_cluster_clear(&watch->cluster);
	lxfw_id_map_clear(&watch->by_record);
	lxfw_names_clear(&watch->sets);
	lxfw_names_clear(&watch->blocks);
	free(watch->hosts);
	free(watch->partitions);
	free(watch->jobs);
	free(watch->shares);
	lxfw_watch_forget_divisions(&watch->divisions);
	free(watch->arrays);
	free(watch->licenses_used);
	free(watch->host_names);
	free(watch->set_hashes);
	free(watch->set_looks);
	free(watch->members);
	free(watch);
}

void lxfw_watch_usual(struct lxfw_params *params)
{
	struct lxfw_error error;

	/* Valid in every build. */
	lxfw_params_default(params);
	(void)lxfw_params_parse(params, "lxfw_policy=site,lxfw_reservations=all", NULL, NULL,
				&error);
	params->shadow = LXFW_SHADOW_ON;
}

bool lxfw_watch_permits(const struct lxfw_params *params)
{
	return lxfw_shadow_permits(params);
}

bool lxfw_watch_records(const struct lxfw_watch *watch)
{
	return watch->agent.journal.recording;
}

int lxfw_watch_owners(const struct lxfw_watch *watch, struct lxfw_owners *owners)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct lxfw_watched *job = &watch->jobs[i].is;

		if (lxfw_owners_add(owners, job->id, job->user, job->group, job->partitions))
			return -1;
	}
	return 0;
}

size_t lxfw_watch_bad_lines(const struct lxfw_watch *watch)
{
	return watch->bad_lines;
}

const char *lxfw_watch_missing(const struct lxfw_watch *watch)
{
	if (watch->texts.cut)
		return "squeue prints more than 256 MB: the last jobs are left out";
	if (watch->arrays_left_out > 0)
		return "more than 200,000 tasks of arrays wait: the last ones are left out";
	return watch->unlimited_arrays ?
	       "more than 256 arrays limit their running tasks (%): the limits of the others "
	       "are not considered" : NULL;
}

/* Says once that jobs are missing. */
static void tell_left_out(struct lxfw_watch *watch)
{
	const char *missing = lxfw_watch_missing(watch);

	if (missing && !watch->told_left_out)
		note(missing);
	watch->told_left_out = missing != NULL;
}

int lxfw_watch_look(struct lxfw_watch *watch, struct lxfw_watch_texts *texts, int64_t time,
		    struct lxfw_error *error)
{
	lxfw_watch_texts_clear(&watch->texts);
	watch->texts = *texts;
	*texts = (struct lxfw_watch_texts) { NULL };
	watch->now = time > watch->now ? time : watch->now;
	watch->failed = false;
	if (lxfw_watch_read_hosts(watch, error) || lxfw_watch_read_jobs(watch, error))
		return -1;
	tell_left_out(watch);
	/* Sets of jobs that have left stay in the model until it is built again. */
	if (watch->sets.count > SETS_SPARE + 8 * watch->count)
		watch->agent.rebuild = true;
	/* Hosts that differ take another pass. */
	for (int i = 0; i < 2; i++) {
		if (!lxfw_agent_pass(&watch->agent) || !watch->agent.rebuild)
			break;
	}
	watch->before = watch->now;
	if (!watch->failed)
		return 0;
	lxfw_error_set(error, "out of memory");
	return -1;
}
