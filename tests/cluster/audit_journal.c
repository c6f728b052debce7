/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_journal FILE: compute the processors and memory that jobs hold on each host
 * from the records of a journal alone. No code is shared with the scheduler except the
 * decoder.
 *
 * The exit status is 1, and a line is printed for each case, if a start or a resumption
 * allocates more of a host than it has. Records that Slurm reported are accepted as
 * they are: an administrator may have resumed a job, or Slurm may have allocated other
 * processors than were decided. Such an excess is counted separately. If Slurm reported
 * a change since a job was suspended, the job's resumption may find too few processors
 * too: in the library's model a resumed job has them at once, while in Slurm it waits
 * for them.
 *
 * So it is if a group of jobs starts in part or with a host twice, or if a part of it is
 * allocated at a decision while another part waits. With --idle, the exit status is also 1 if jobs are left at the end.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/journal.h"
#include "common/util/grow.h"
#include "common/util/id_map.h"

struct held {
	uint64_t id;
	struct lxfw_share *shares;
	int32_t count;		/* 0: not allocated */
	uint64_t group;		/* 0: none */
	int32_t group_count;
	bool waits;
};

struct audit {
	struct lxfw_resources *total, *used;	/* by host */
	struct host {
		int32_t stopped;	/* number of jobs on the host without processors */
		int32_t level;	/* number of processors that resumptions may allocate */
	} *of;
	size_t total_size, used_size, of_size;
	int32_t hosts;
	struct held *jobs;
	size_t jobs_size, jobs_used;
	struct lxfw_id_map by_id;
	size_t segments, actions, told, quanta, suspensions, beyond, excess, waits;
	int32_t most_procs;
	int64_t most_memory;
	struct {
		uint64_t group;		/* 0: none */
		int32_t count, jobs;	/* started so far, in all */
	} starting;
	size_t groups, torn;
};

static void die(const char *what)
{
	fprintf(stderr, "audit_journal: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void *grow(void *array, size_t *size, size_t need, size_t item)
{
	void *grown = lxfw_grow(array, size, need, item);

	if (!grown)
		die("memory");
	return grown;
}

static void begin(struct audit *audit)
{
	for (size_t i = 0; i < audit->jobs_used; i++)
		free(audit->jobs[i].shares);
	audit->jobs_used = 0;
	lxfw_id_map_clear(&audit->by_id);
	audit->hosts = 0;
	audit->starting.group = 0;
	audit->segments++;
}

static struct held *find(struct audit *audit, uint64_t id)
{
	int32_t at = lxfw_id_map_get(&audit->by_id, id);

	return at < 0 ? NULL : &audit->jobs[at];
}

static struct held *enter(struct audit *audit, uint64_t id)
{
	struct held *job = find(audit, id);

	if (job)
		return job;
	audit->jobs = grow(audit->jobs, &audit->jobs_size, audit->jobs_used + 1,
			   sizeof(*audit->jobs));
	if (lxfw_id_map_add(&audit->by_id, id, (int32_t)audit->jobs_used) < 0)
		die("memory");
	job = &audit->jobs[audit->jobs_used++];
	*job = (struct held){ .id = id };
	return job;
}

static bool shares_host(const struct held *one, const struct held *other)
{
	for (int32_t i = 0; i < one->count; i++) {
		for (int32_t j = 0; j < other->count; j++) {
			if (one->shares[i].host == other->shares[j].host)
				return true;
		}
	}
	return false;
}

/* Another job is allocated beside JOB, which has a group: print what is wrong. */
static void check_pair(struct audit *audit, const struct held *job,
		       const struct held *other)
{
	if (job == other || other->group != job->group || other->count == 0)
		return;
	if (job->count == 0 || shares_host(job, other)) {
		audit->torn++;
		printf("segment %zu: group %"PRIu64": job %"PRIu64" %s job %"PRIu64"\n",
		       audit->segments, job->group, other->id,
		       job->count == 0 ? "is allocated without" : "shares a host with",
		       job->id);
	}
}

static void check_groups(struct audit *audit)
{
	for (size_t i = 0; i < audit->jobs_used; i++) {
		const struct held *job = &audit->jobs[i];

		if (job->group == 0 || (!job->waits && job->count == 0))
			continue;
		for (size_t j = 0; j < audit->jobs_used; j++)
			check_pair(audit, job, &audit->jobs[j]);
	}
}

/* The starts of a group are consecutive. */
static void end_starts(struct audit *audit)
{
	if (audit->starting.group != 0 &&
	    audit->starting.count != audit->starting.jobs) {
		audit->torn++;
		printf("segment %zu: group %"PRIu64": %d of %d jobs start\n",
		       audit->segments, audit->starting.group,
		       audit->starting.count, audit->starting.jobs);
	}
	audit->starting.group = 0;
}

static void start_in_group(struct audit *audit, const struct held *job)
{
	if (job->group != audit->starting.group)
		end_starts(audit);
	if (job->group == 0)
		return;
	if (audit->starting.group == 0) {
		audit->starting.group = job->group;
		audit->starting.jobs = job->group_count;
		audit->starting.count = 0;
		audit->groups++;
	}
	audit->starting.count++;
}

static void let_go(struct audit *audit, struct held *job)
{
	for (int32_t i = 0; i < job->count; i++) {
		int32_t host = job->shares[i].host;

		lxfw_resources_subtract(&audit->used[host],
					&job->shares[i].amount);
		audit->of[host].stopped -= job->shares[i].amount.procs == 0;
	}
	job->count = 0;
}

static void hold(struct audit *audit, struct held *job,
		 const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_share *copy;

	let_go(audit, job);
	copy = realloc(job->shares, (size_t)count * sizeof(*copy) + 1);
	if (!copy)
		die("memory");
	job->shares = copy;
	for (int32_t i = 0; i < count; i++) {
		if (shares[i].host >= audit->hosts) {
			fprintf(stderr, "audit_journal: job %"PRIu64": host %d is not known\n",
				job->id, shares[i].host);
			exit(2);
		}
		copy[i] = shares[i];
		lxfw_resources_add(&audit->used[shares[i].host],
				   &shares[i].amount);
		audit->of[shares[i].host].stopped +=
			shares[i].amount.procs == 0;
	}
	job->count = count;
	job->waits = false;
}

/* Processors that Slurm allocates while jobs are suspended may be missing when these
   jobs are resumed. Processors that Slurm allocated beyond a host's total may be
   exceeded again. */
static void raise_levels(struct audit *audit, const struct lxfw_share *shares,
			 int32_t count, bool told)
{
	for (int32_t i = 0; i < count; i++) {
		struct host *of = &audit->of[shares[i].host];
		int32_t total = audit->total[shares[i].host].procs;
		int32_t used = audit->used[shares[i].host].procs;

		if (of->level < total || of->stopped == 0)
			of->level = total;
		if (told && of->stopped > 0)
			of->level += shares[i].amount.procs;
		if (of->level < used)
			of->level = used;
	}
}

static void take_run(struct audit *audit, const struct lxfw_event *event)
{
	audit->told++;
	hold(audit, enter(audit, event->run.id), event->run.shares,
	     event->run.count);
	raise_levels(audit, event->run.shares, event->run.count, true);
	for (int32_t i = 0; i < event->run.count; i++) {
		int32_t host = event->run.shares[i].host;

		audit->excess += audit->used[host].procs >
				 audit->total[host].procs;
	}
}

static void take_event(struct audit *audit, const struct lxfw_event *event)
{
	struct held *job;
	size_t hosts;

	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		job = enter(audit, event->request->id);
		job->group = event->request->group;
		job->group_count = event->request->group_count;
		job->waits = job->count == 0;
		break;
	case LXFW_EVENT_HOST:
		hosts = (size_t)event->host.index + 1;
		audit->total = grow(audit->total, &audit->total_size, hosts,
				    sizeof(*audit->total));
		audit->used = grow(audit->used, &audit->used_size, hosts,
				   sizeof(*audit->used));
		audit->of = grow(audit->of, &audit->of_size, hosts,
				 sizeof(*audit->of));
		if (event->host.index >= audit->hosts) {
			audit->hosts = event->host.index + 1;
			memset(&audit->used[event->host.index], 0,
			       sizeof(*audit->used));
			audit->of[event->host.index] = (struct host){ 0 };
		}
		audit->total[event->host.index] = event->host.total;
		break;
	case LXFW_EVENT_JOB_RUN:
		take_run(audit, event);
		break;
	case LXFW_EVENT_JOB_END:
	case LXFW_EVENT_JOB_REFUSED:
		job = find(audit, event->type == LXFW_EVENT_JOB_END ?
				  event->end.id : event->refused.id);
		if (job) {
			let_go(audit, job);
			job->waits = event->type == LXFW_EVENT_JOB_REFUSED;
		}
		break;
	default:
		break;
	}
}

/* True if more of HOST is allocated than it has. */
static bool is_beyond(const struct audit *audit, int32_t host)
{
	const struct lxfw_resources *used = &audit->used[host];
	const struct lxfw_resources *total = &audit->total[host];

	return used->memory_mb > total->memory_mb || used->procs > total->procs;
}

/* True if a resumption exceeds HOST because of an allocation that was not decided here.
 */
static bool has_to_wait(const struct audit *audit,
			const struct lxfw_action *action, int32_t host)
{
	return action->type == LXFW_ACTION_RESUME &&
	       audit->used[host].procs <= audit->of[host].level &&
	       audit->used[host].memory_mb <= audit->total[host].memory_mb;
}

static void check(struct audit *audit, const struct lxfw_action *action)
{
	for (int32_t i = 0; i < action->count; i++) {
		int32_t host = action->shares[i].host;
		const struct lxfw_resources *used = &audit->used[host];

		if (used->procs > audit->most_procs)
			audit->most_procs = used->procs;
		if (used->memory_mb > audit->most_memory)
			audit->most_memory = used->memory_mb;
		if (!is_beyond(audit, host))
			continue;
		if (has_to_wait(audit, action, host)) {
			audit->waits++;
			continue;
		}
		audit->beyond++;
		printf("segment %zu: job %"PRIu64" %s at %"PRId64": host %d gives %d of %d processors, %"PRId64" of %"PRId64" MB\n",
		       audit->segments, action->job,
		       action->type == LXFW_ACTION_RESUME ? "goes on" : "starts",
		       action->start, host, used->procs,
		       audit->total[host].procs, used->memory_mb,
		       audit->total[host].memory_mb);
	}
}

static void take_action(struct audit *audit, const struct lxfw_action *action)
{
	struct held *job;

	if (action->type != LXFW_ACTION_START)
		end_starts(audit);
	switch (action->type) {
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		return;
	case LXFW_ACTION_REQUEUE:
		job = find(audit, action->job);
		if (job) {
			let_go(audit, job);
			job->waits = true;
		}
		break;
	default:
		job = enter(audit, action->job);
		/* the state before the suspension */
		if (action->type == LXFW_ACTION_SUSPEND)
			raise_levels(audit, job->shares, job->count, false);
		hold(audit, job, action->shares, action->count);
		if (action->type == LXFW_ACTION_START)
			start_in_group(audit, job);
		if (action->type != LXFW_ACTION_SUSPEND)
			check(audit, action);
	}
	audit->actions++;
	audit->suspensions += action->type == LXFW_ACTION_SUSPEND;
	audit->quanta += action->type == LXFW_ACTION_START &&
			 action->until != LXFW_NEVER;
}

static void take_records(struct audit *audit, const unsigned char *bytes,
			 size_t length)
{
	struct lxfw_record record = { 0 };
	size_t offset = 0;
	int got;

	while ((got = lxfw_journal_get(bytes, length, &offset, &record)) > 0) {
		if (record.kind == LXFW_RECORD_MAGIC)
			begin(audit);
		else if (record.kind == LXFW_RECORD_EVENT)
			take_event(audit, &record.event);
		else if (record.kind == LXFW_RECORD_ACTION)
			take_action(audit, &record.action);
		else if (record.kind == LXFW_RECORD_DECIDE)
			check_groups(audit);
		else if (record.kind == LXFW_RECORD_DECIDED)
			end_starts(audit);
	}
	lxfw_record_clear(&record);
	if (got < 0)
		die("a record that is not valid");
	if (audit->segments == 0) {
		fprintf(stderr, "audit_journal: not a journal\n");
		exit(2);
	}
}

static unsigned char *read_whole(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	unsigned char *bytes = NULL;
	size_t size = 0, count = 0, got;

	if (!file)
		die(path);
	do {
		bytes = grow(bytes, &size, count + 65536, 1);
		got = fread(bytes + count, 1, 65536, file);
		count += got;
	} while (got > 0);
	if (ferror(file))
		die(path);
	fclose(file);
	*length = count;
	return bytes;
}

static size_t count_left(const struct audit *audit)
{
	size_t left = 0;

	for (size_t i = 0; i < audit->jobs_used; i++)
		left += audit->jobs[i].count > 0;
	return left;
}

int main(int argc, char **argv)
{
	bool idle = argc == 3 && strcmp(argv[1], "--idle") == 0;
	struct audit audit = { 0 };
	unsigned char *bytes;
	size_t length, left;

	if (argc != 2 + idle) {
		fprintf(stderr, "usage: audit_journal [--idle] FILE\n");
		return 2;
	}
	bytes = read_whole(argv[1 + idle], &length);
	take_records(&audit, bytes, length);
	left = count_left(&audit);
	printf("%zu segments, %zu actions: %zu quanta, %zu suspensions; at most %d processors and %"PRId64" MB of a host given; %zu times more than it has (%zu times told so by Slurm, %zu resumptions that wait for that); %zu groups started, %zu errors in groups; %zu jobs at the end\n",
	       audit.segments, audit.actions, audit.quanta, audit.suspensions,
	       audit.most_procs, audit.most_memory, audit.beyond, audit.excess,
	       audit.waits, audit.groups, audit.torn, left);
	begin(&audit);
	free(audit.jobs);
	free(audit.total);
	free(audit.used);
	free(audit.of);
	free(bytes);
	return audit.beyond || audit.torn || (idle && left) ? 1 : 0;
}
