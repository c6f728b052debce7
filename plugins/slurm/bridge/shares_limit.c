/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/shares_limit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/profile/duration.h"
#include "plugins/slurm/bridge/bridge.h"

/* Prefix in the job's SystemComment. */
#define MARK "lxfw: adaptive, limit "

struct mark {
	uint32_t limit;		/* as submitted or changed since, minutes */
	uint32_t set;		/* value last set by the plugin */
	int64_t cut;		/* work cut off by the bounds, processor seconds */
};

static bool read_mark(const job_record_t *job, struct mark *mark)
{
	const char *text = job->system_comment;

	if (!text || strncmp(text, MARK, strlen(MARK)) != 0)
		return false;
	return sscanf(text, MARK "%" SCNu32 " min, now %" SCNu32
		      " min, cut off %" SCNd64, &mark->limit, &mark->set,
		      &mark->cut) == 3 && mark->cut >= 0;
}

static void write_mark(job_record_t *job, const struct mark *mark)
{
	xfree(job->system_comment);
	xstrfmtcat(job->system_comment, MARK "%" PRIu32 " min, now %" PRIu32
		   " min, cut off %" PRId64 " processor seconds", mark->limit,
		   mark->set, mark->cut);
}

uint32_t lxfw_limit_submitted(const job_record_t *job)
{
	struct mark mark;

	return read_mark(job, &mark) ? mark.limit : NO_VAL;
}

static bool is_finite(const job_record_t *job)
{
	return job->time_limit != INFINITE && job->time_limit != NO_VAL;
}

/* Returns the first start, FROM or later, of an advance reservation on the job's
   node. */
static int64_t next_reservation(const job_record_t *job, int64_t from)
{
	lxfw_slurm_iterator each;
	const slurmctld_resv_t *resv;
	int64_t first = INT64_MAX;

	if (!resv_list || !job->node_bitmap)
		return first;
	each = list_iterator_create(resv_list);
	while ((resv = list_next(each)) != NULL) {
		if (resv->node_bitmap && resv->start_time >= from &&
		    resv->start_time < first &&
		    bit_overlap_any(resv->node_bitmap, job->node_bitmap))
			first = resv->start_time;
	}
	list_iterator_destroy(each);
	return first;
}

/* Returns the job's end if it needs DURATION seconds from NOW, limited by both
   bounds. */
static int64_t bounded(const struct lxfw_bridge *bridge,
		       const job_record_t *job, const struct mark *mark,
		       int64_t now, int64_t duration)
{
	int64_t end = lxfw_time_add(now, duration);
	int64_t latest = job->start_time + job->tot_sus_time +
			 bridge->adaptive.max_stretch * 60 * mark->limit;
	int64_t reserved;

	if (end <= job->end_time)
		return end;
	reserved = next_reservation(job, job->end_time);
	if (reserved < latest)
		latest = reserved;
	if (latest < job->end_time)
		latest = job->end_time;
	return end < latest ? end : latest;
}

static void set_end(job_record_t *job, struct mark *mark, int64_t end)
{
	int64_t minutes = (end - job->start_time - job->tot_sus_time + 59) / 60;

	job->end_time = end;
	job->end_time_exp = end;
	if (minutes < 1)
		minutes = 1;
	mark->set = minutes < INFINITE - 2 ? (uint32_t)minutes : INFINITE - 3;
	job->time_limit = mark->set;
}

/* Sets the end so that the remaining work fits on TO instead of FROM processors. */
static void stretch(const struct lxfw_bridge *bridge, job_record_t *job,
		    struct mark *mark, int64_t now, int32_t from, int32_t to)
{
	int64_t left = job->end_time > now ? job->end_time - now : 0;
	int64_t duration = lxfw_time_scale(left, from, to), end;

	duration = lxfw_time_add(duration, (mark->cut + to - 1) / to);
	end = bounded(bridge, job, mark, now, duration);
	mark->cut = (now + duration - end) * to;
	set_end(job, mark, end);
}

void lxfw_limit_begin(const struct lxfw_bridge *bridge, job_record_t *job,
		      int64_t now, int32_t from, int32_t to)
{
	struct mark mark = { .limit = job->time_limit, .set = job->time_limit };

	if (is_finite(job) && from != to)
		stretch(bridge, job, &mark, now, from, to);
	write_mark(job, &mark);
}

void lxfw_limit_change(const struct lxfw_bridge *bridge, job_record_t *job,
		       int64_t now, int32_t from, int32_t to)
{
	struct mark mark;

	if (!is_finite(job) || job->preempt_time || !read_mark(job, &mark))
		return;
	/* The limit was changed by a user or an administrator. The difference applies
	   to the submitted limit. */
	if (mark.set != job->time_limit && mark.limit != INFINITE) {
		int64_t limit = (int64_t)mark.limit + job->time_limit -
				mark.set;

		mark.limit = limit > 1 ? (uint32_t)limit : 1;
	} else if (mark.limit == INFINITE) {
		mark.limit = job->time_limit;
	}
	stretch(bridge, job, &mark, now, from, to);
	write_mark(job, &mark);
}

/* The limit on all requested processors. A limit that was changed while the job ran applied
   to those that it had, and is changed by the same factor: a user may lower a limit that the
   plugin has raised, and must not keep a part of the raise. */
static uint32_t limit_for_all(const job_record_t *job, const struct mark *mark)
{
	uint64_t limit;

	if (job->time_limit == mark->set)
		return mark->limit;
	if (!is_finite(job) || mark->limit == INFINITE || mark->set == INFINITE ||
	    mark->set == 0)
		return job->time_limit;
	limit = ((uint64_t)mark->limit * job->time_limit + mark->set - 1) / mark->set;
	return limit < INFINITE - 2 ? (uint32_t)limit : INFINITE - 3;
}

bool lxfw_limit_restore(job_record_t *job)
{
	struct mark mark;

	if (!read_mark(job, &mark))
		return false;
	job->time_limit = limit_for_all(job, &mark);
	xfree(job->system_comment);
	return true;
}
