/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs, and their requests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/engine/request.h"
#include "sim-frontend/predict/request_slurm.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/watch/job_gres.h"
#include "sim-frontend/watch/world.h"

/* Of a job without a limit, in a partition without one. */
#define NO_LIMIT (365 * 86400)

/* MB of a processor, so that no product overflows. */
#define MEMORY_MOST (1 << 28)

/* Tasks of arrays that wait, of all jobs together. More are left out. */
#define TASKS_MAX 200000

static struct lxfw_slice slice_of(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

/* --- requests ------------------------------------------------------------------------- */

struct words {
	char text[LXFW_NEEDS_TEXT];
	size_t length;
};

static void put_gres(struct words *words, struct lxfw_slice name, int64_t count)
{
	size_t room = sizeof(words->text) - words->length;
	int length = snprintf(words->text + words->length, room, "%sgres/%.*s=%lld",
			      words->length ? "," : "", (int)name.length, name.at,
			      (long long)count);

	if (length > 0 && (size_t)length < room)
		words->length += (size_t)length;
	else
		words->text[words->length] = '\0';
}

/* What the job requests besides processors, in the words of needs.h. */
static void describe(const struct lxfw_watched *job, int64_t hosts, struct words *words)
{
	struct lxfw_job_gres gres;

	words->length = 0;
	words->text[0] = '\0';
	if (hosts > 0)
		words->length = (size_t)snprintf(words->text, sizeof(words->text),
			"nodes=%lld,least-nodes=%lld", (long long)hosts, (long long)hosts);
	lxfw_job_gres(job, &gres);
	for (int i = 0; i < gres.count; i++)
		put_gres(words, gres.of[i].name, gres.of[i].count);
	if (job->exclusive && words->length + sizeof(",exclusive") < sizeof(words->text))
		words->length += (size_t)sprintf(words->text + words->length, "%sexclusive",
						 words->length ? "," : "");
}

static int64_t part_of(int64_t amount, int64_t parts)
{
	return amount / parts + (amount % parts > 0);
}

/* Processors of the largest host. */
static int32_t largest(const struct lxfw_cluster *cluster)
{
	int32_t most = 0;

	for (int32_t i = 0; i < cluster->count; i++) {
		if (cluster->hosts[i].total.procs > most)
			most = cluster->hosts[i].total.procs;
	}
	return most;
}

/*
 * The number of hosts that the job will have; 0: as many as there are. Slurm states the number
 * that the job requests, or the fewest on which it fits, and not which of both. A job that fits on
 * one host is expected there. More are taken for a request if fewer would do, and so is the number
 * if what the job needs of each host fills that number of hosts (--ntasks-per-node).
 */
static int64_t hosts_of(const struct lxfw_watch *watch, const struct lxfw_watched *job,
			int64_t procs)
{
	int64_t stated = lxfw_tres_count(slice_of(job->tres), "node");
	int32_t most = largest(&watch->cluster);
	int64_t fewest = most > 0 ? part_of(procs, most) : 1;

	if (job->hosts > stated)
		stated = job->hosts;
	if (fewest == 1)
		return stated > 1 ? stated : 1;
	if (job->least_cpus > 1 && job->least_cpus >= part_of(procs, stated > 0 ? stated : 1))
		return stated;
	return stated > fewest ? stated : 0;
}

/* The partition that the job names first; NULL: it is not known. */
static const struct lxfw_watch_partition *partition_of(const struct lxfw_watch *watch,
						       const struct lxfw_watched *job)
{
	size_t length = strcspn(job->partitions, ",");

	for (size_t i = 0; i < watch->partition_count; i++) {
		const struct lxfw_watch_partition *partition = &watch->partitions[i];

		if (strlen(partition->name) == length &&
		    strncmp(partition->name, job->partitions, length) == 0)
			return partition;
	}
	return NULL;
}

/* What a job has in all, as far as its TRES tell. Those of a job that waits have neither the processors
   that come with its GPUs, nor the memory that comes with these. */
struct amounts {
	int64_t procs, per_task;
	int64_t memory_kb;
};

static void add_gpus(const struct lxfw_watch *watch, const struct lxfw_watched *job,
		     struct amounts *amounts)
{
	const struct lxfw_watch_partition *partition = partition_of(watch, job);
	int64_t each = lxfw_job_cpus_per_gpu(job), tasks = job->tasks > 0 ? job->tasks : 1;
	int64_t cpus;

	/* Slurm has not considered it yet, which sets the default. */
	if (each == 0 && partition && strcmp(job->said, "None") == 0 && job->per_task <= 1)
		each = partition->cpus_per_gpu;
	if (each == 0 || tasks > LXFW_WATCH_PROCS_MAX)
		return;
	cpus = lxfw_request_gpu_cpus(lxfw_job_gpus(job), each, tasks);
	if (cpus > LXFW_WATCH_PROCS_MAX || cpus * tasks > LXFW_WATCH_PROCS_MAX ||
	    cpus * tasks <= amounts->procs)
		return;
	if (partition && partition->memory_per_cpu > 0 && partition->memory_per_cpu < MEMORY_MOST &&
	    amounts->memory_kb == amounts->procs * partition->memory_per_cpu * 1024)
		amounts->memory_kb = cpus * tasks * partition->memory_per_cpu * 1024;
	amounts->procs = cpus * tasks;
	amounts->per_task = cpus;
}

static void find_amounts(const struct lxfw_watch *watch, const struct lxfw_watched *job,
			 struct amounts *amounts)
{
	struct lxfw_slice tres = slice_of(job->tres);

	*amounts = (struct amounts) {
		.procs = lxfw_tres_count(tres, "cpu"), .per_task = job->per_task,
		.memory_kb = lxfw_tres_memory(tres),
	};
	if (job->state == LXFW_WATCHED_WAITING && amounts->procs >= 1 &&
	    amounts->procs <= LXFW_WATCH_PROCS_MAX)
		add_gpus(watch, job, amounts);
}

/* The processors of a job that has whole cores, and those that stay together. */
struct cores {
	int32_t threads;	/* processors of a core */
	int64_t used;		/* of them, that the job uses */
	int64_t procs;		/* that it has */
	int64_t together;	/* that are on one host: those of a task, or of a core */
};

static void find_cores(const struct lxfw_watch *watch, const struct lxfw_watched *job,
		       const struct lxfw_need *need, const struct amounts *amounts,
		       struct cores *cores)
{
	int64_t procs = amounts->procs, each = amounts->per_task;
	int64_t task = each > 1 && procs % each == 0 ? each : 1;
	int32_t threads = lxfw_watch_threads(watch, need);

	cores->threads = threads;
	cores->used = job->threads > 0 && job->threads < threads ? job->threads : threads;
	cores->together = part_of(task, cores->used) * threads;
	cores->procs = task > 1 ? procs / task * cores->together :
				  part_of(procs, cores->used) * threads;
}

/* As many whole cores on each host. */
static int64_t on_hosts(const struct cores *cores, int64_t hosts)
{
	if (hosts == 0 || cores->threads == 1)
		return cores->procs;
	return part_of(part_of(cores->procs, hosts), cores->threads) * cores->threads * hosts;
}

/* What a job that waits must find free on its hosts, if that is more than PROCS. */
static int64_t with_least(const struct cores *cores, const struct lxfw_watched *job, int64_t hosts,
			  int64_t procs)
{
	int64_t least = part_of(job->least_cpus, cores->threads) * cores->threads;

	if (job->state != LXFW_WATCHED_WAITING || hosts == 0 || hosts > LXFW_WATCH_PROCS_MAX ||
	    least > LXFW_WATCH_PROCS_MAX || least * hosts < procs)
		return procs;
	return least * hosts;
}

static void keep_together(const struct cores *cores, struct lxfw_request *request)
{
	if (request->shape != LXFW_SHAPE_ANYWHERE || cores->together <= 1 ||
	    request->unit.procs != 1 || request->count % cores->together != 0)
		return;
	request->count = (int32_t)(request->count / cores->together);
	request->unit = lxfw_resources_times(&request->unit, (int32_t)cores->together);
}

/* The hosts of the request as the library's sets. Returns 0; 1: the model cannot represent
   them; -1: memory ran out. */
static int find_sets(struct lxfw_watch *watch, struct lxfw_watch_job *job)
{
	struct lxfw_request *request = &job->request;
	int count = request->host_set_count;

	if (count == 0 && (*job->is.features || *job->is.required || *job->is.excluded)) {
		request->host_sets[0] = -1;
		count = request->host_set_count = 1;
	}
	request->more_sets = 0;
	for (int i = 0; i < count; i++) {
		int32_t id = lxfw_watch_set(watch, request->host_sets[i], job);

		if (id < 0)
			return id == -1 ? -1 : 1;
		request->host_sets[i] = id;
	}
	return 0;
}

static int64_t limit_of(const struct lxfw_watched *job, const struct lxfw_need *need)
{
	if (job->limit > 0)
		return job->limit;
	if (need && need->default_time > 0)
		return need->default_time;
	return need && need->max_time > 0 ? need->max_time : NO_LIMIT;
}

static void leave(struct lxfw_watch_job *job, enum lxfw_reason reason)
{
	if (job->is.state == LXFW_WATCHED_WAITING && job->is.reason == LXFW_REASON_NONE)
		job->is.reason = reason;
}

/* The partitions of a job that start jobs now, in TEXT, or all of them, if they are too long: Slurm
   starts it in one of these. */
static struct lxfw_slice open_partitions(const struct lxfw_watch *watch,
					 const struct lxfw_watched *job, char text[1024])
{
	size_t used = 0;

	if (!strchr(job->partitions, ',') || strlen(job->partitions) >= 1024)
		return slice_of(job->partitions);
	for (const char *at = job->partitions; *at;) {
		size_t length = strcspn(at, ",");

		if (lxfw_watch_starts_jobs(watch, at, length)) {
			memcpy(text + used, at, length);
			used += length;
			text[used++] = ',';
		}
		at += length + (at[length] == ',');
	}
	if (used == 0)
		return slice_of(job->partitions);
	text[used - 1] = '\0';
	return slice_of(text);
}

/* Returns NULL if memory runs out. */
static const struct lxfw_need *need_of(struct lxfw_watch *watch, const struct lxfw_watched *job,
				       int64_t hosts)
{
	char partitions[1024];
	struct words words;
	int32_t index;

	describe(job, hosts, &words);
	index = lxfw_needs_find(&watch->needs, &watch->cluster,
				open_partitions(watch, job, partitions),
				(struct lxfw_slice) { words.text, words.length });
	return index < 0 ? NULL : &watch->needs.needs[index];
}

int lxfw_watch_request(struct lxfw_watch *watch, struct lxfw_watch_job *job)
{
	const struct lxfw_watched *is = &job->is;
	struct amounts amounts;
	int64_t procs, hosts;
	struct lxfw_trace_job log = { .number = is->record, .submit = is->submit, .wait = -1 };
	const struct lxfw_need *need;
	struct cores cores;
	int failed;

	find_amounts(watch, is, &amounts);
	if (amounts.procs < 1 || amounts.procs > LXFW_WATCH_PROCS_MAX) {
		leave(job, LXFW_REASON_LEFT_REQUEST);
		return 0;
	}
	need = need_of(watch, is, 0);
	if (!need)
		return -1;
	find_cores(watch, is, need, &amounts, &cores);
	hosts = hosts_of(watch, is, cores.procs);
	need = need_of(watch, is, hosts);
	if (!need)
		return -1;
	procs = with_least(&cores, is, hosts, on_hosts(&cores, hosts));
	if (procs > INT32_MAX) {
		leave(job, LXFW_REASON_LEFT_REQUEST);
		return 0;
	}
	log.procs = (int32_t)procs;
	log.memory_kb = watch->cluster.memory_bound ? amounts.memory_kb : 0;
	log.limit = log.run = limit_of(is, need);
	lxfw_simulation_request(&watch->cluster, false, &log, need, &job->request);
	job->request.id = is->id;
	job->request.submit = is->eligible > is->submit ? is->eligible : is->submit;
	job->request.estimate = log.limit;
	job->request.no_quantum = true;
	job->request.tier *= LXFW_PARAMETERS_TIERS;
	lxfw_watch_request_pools(watch, job);
	keep_together(&cores, &job->request);
	if (lxfw_watch_could_share(watch, job))
		leave(job, LXFW_REASON_LEFT_USER);
	failed = find_sets(watch, job);
	if (failed < 0)
		return -1;
	job->requested = failed == 0 && lxfw_request_is_valid(&job->request);
	if (failed)
		leave(job, LXFW_REASON_LEFT_FEATURES);
	else if (!job->requested)
		leave(job, LXFW_REASON_LEFT_REQUEST);
	return 0;
}

/* --- all ------------------------------------------------------------------------------ */

/* Replaces the last job, of a list of tasks, by one of each task. */
static int take_tasks(struct lxfw_watch *watch, size_t *room)
{
	const struct lxfw_watch_job whole = watch->jobs[--watch->count];
	struct lxfw_watched_tasks tasks;
	int64_t task;

	lxfw_watched_tasks(&tasks, whole.is.array);
	while ((task = lxfw_watched_next_task(&tasks)) >= 0) {
		if (*room == 0) {
			watch->arrays_left_out++;
			break;
		}
		--*room;
		if (LXFW_GROW(watch->jobs, watch->size, watch->count + 1))
			return -1;
		watch->jobs[watch->count] = whole;
		watch->jobs[watch->count++].is.id = (whole.is.id & UINT32_MAX) |
						    (uint64_t)(task + 1) << 32;
	}
	return 0;
}

/* ROOM is the number of tasks that may still be taken. */
static int take_line(struct lxfw_watch *watch, char *line, size_t *room)
{
	struct lxfw_watch_job *job;
	int got;

	if (LXFW_GROW(watch->jobs, watch->size, watch->count + 1))
		return -1;
	job = &watch->jobs[watch->count];
	*job = (struct lxfw_watch_job) { .share_count = 0 };
	got = lxfw_watched_read(line, &job->is);
	watch->bad_lines += got < 0;
	if (got <= 0)
		return 0;
	watch->count++;
	if (job->is.state != LXFW_WATCHED_WAITING)
		return lxfw_watch_find_shares(watch, job);
	return *job->is.array ? take_tasks(watch, room) : 0;
}

/* Tasks of an array that wait have one record: the first of them stands for it. */
static int find_records(struct lxfw_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++) {
		uint32_t record = watch->jobs[i].is.record;

		if (lxfw_id_map_get(&watch->by_record, record) < 0 &&
		    lxfw_id_map_add(&watch->by_record, record, (int32_t)i))
			return -1;
	}
	return 0;
}

static void read_excluded(struct lxfw_watch *watch)
{
	char *rest = NULL;

	for (char *line = strtok_r(watch->texts.excluded, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct lxfw_watched more;
		int32_t first;

		if (!lxfw_watched_read_excluded(line, &more)) {
			watch->bad_lines++;
			continue;
		}
		first = *more.excluded || *more.licenses || *more.dependency ?
			lxfw_id_map_get(&watch->by_record, more.record) : -1;
		for (size_t i = (size_t)first; first >= 0 && i < watch->count &&
		     watch->jobs[i].is.record == more.record; i++) {
			watch->jobs[i].is.excluded = more.excluded;
			watch->jobs[i].is.licenses = more.licenses;
			watch->jobs[i].is.dependency = more.dependency;
		}
	}
}

/* Slurm 23.11 takes accounts for invalid where there are none, and starts the jobs. */
static void settle_accounts(struct lxfw_watch *watch)
{
	if (lxfw_watch_configured(watch, "AccountingStorageEnforce", "associations", true))
		return;
	for (size_t i = 0; i < watch->count; i++) {
		if (watch->jobs[i].is.reason == LXFW_REASON_ACCOUNT)
			lxfw_watched_settle(&watch->jobs[i].is);
	}
}

int lxfw_watch_read_jobs(struct lxfw_watch *watch, struct lxfw_error *error)
{
	size_t room = TASKS_MAX;
	char *rest = NULL;

	watch->count = watch->share_count = watch->arrays_left_out = 0;
	lxfw_id_map_clear(&watch->by_record);
	for (char *line = strtok_r(watch->texts.jobs, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (take_line(watch, line, &room)) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
	}
	settle_accounts(watch);
	if (lxfw_watch_divide(watch) || lxfw_watch_keep_users_apart(watch) ||
	    find_records(watch)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	read_excluded(watch);
	if (lxfw_watch_read_pools(watch)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	return 0;
}
