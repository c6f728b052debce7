/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows the decisions of a pass: jobs that an operator runs and jobs of reservations,
 * which start wherever they fit; comments of jobs that the library cannot represent.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"
#include "plugins/agent/quanta.h"
#include "plugins/pbs/psets.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/wlm.h"

bool lxfw_pbs_has_offers(void *context)
{
	(void)context;
	return true;
}

/* --- first fit ------------------------------------------------------------------------ */

/* What the vnodes of the host have left. */
static struct lxfw_resources left_on(const struct lxfw_pbs_site *site, int32_t host)
{
	struct lxfw_resources left = { 0 };

	for (int32_t i = 0; i < site->host[host].count; i++) {
		const struct lxfw_pbs_vnode *vnode =
			&site->vnode[site->by_host[site->host[host].first + i]];

		if (!vnode->up)
			continue;
		lxfw_resources_add(&left, &vnode->total);
		lxfw_resources_subtract(&left, &vnode->used);
	}
	return left;
}

/* The first of COUNT shares, on one of which a packed job must be, on which it fits. */
static char *pack(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		  const struct lxfw_share *shares, int32_t count)
{
	errno = EBUSY;
	for (int32_t i = 0; i < count; i++) {
		char *vnodes = lxfw_pbs_layout(&pbs->site, job, &shares[i], 1);

		if (vnodes || errno != EBUSY)
			return vnodes;
	}
	return NULL;
}

static char *layout(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		    const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_pbs_place place;
	struct lxfw_error why;
	char *vnodes;

	if (!lxfw_pbs_place_read(&place, job->place, &why)) {
		errno = EINVAL;
		return NULL;
	}
	if (place.arrangement == LXFW_PBS_PACK)
		return pack(pbs, job, shares, count);
	vnodes = lxfw_pbs_layout(&pbs->site, job, shares, count);
	/* Chunks that differ may not fit in the order of hosts. */
	return vnodes || errno != EBUSY ? vnodes :
		       lxfw_pbs_layout_first(&pbs->site, job, shares, count);
}

/* The layout on the hosts of COUNT shares. */
static char *lay_on(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		pbs->shares[i].amount = left_on(&pbs->site, pbs->shares[i].host);
	return layout(pbs, job, pbs->shares, count);
}

/* The layout on the hosts of one of the placement sets of the request, which is of the job. */
static char *in_a_set(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		      const struct lxfw_request *request)
{
	char *vnodes = NULL;

	for (int32_t i = 0; i <= request->more_sets && !vnodes; i++) {
		const struct lxfw_pbs_set *set = &pbs->sets.set[request->host_sets[0] + i];

		for (int32_t j = 0; j < set->count; j++)
			pbs->shares[j].host = set->hosts[j];
		vnodes = lay_on(pbs, job, set->count);
	}
	return vnodes;
}

/* The layout on one host. */
static char *on_a_host(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		pbs->shares[i].amount = left_on(&pbs->site, pbs->shares[i].host);
	return pack(pbs, job, pbs->shares, count);
}

/* The placement sets of a job. */
struct within {
	bool one_host;		/* each host is a set; otherwise COUNT sets from FIRST on */
	int32_t first, count;
};

static char *lay_within(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			const struct within *within)
{
	int32_t hosts = pbs->site.host_count;
	char *vnodes = NULL;

	for (int32_t i = 0; i < within->count && !vnodes; i++) {
		const struct lxfw_pbs_set *set = &pbs->sets.set[within->first + i];

		for (int32_t j = 0; j < set->count; j++)
			pbs->shares[j].host = set->hosts[j];
		vnodes = lay_on(pbs, job, set->count);
	}
	for (int32_t i = 0; i < hosts; i++)
		pbs->shares[i].host = i;
	return within->one_host ? on_a_host(pbs, job, hosts) : vnodes;
}

/* Whether one of the sets could have the job if all vnodes were up and nothing ran. */
static bool fits_ever(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		      const struct within *within)
{
	struct lxfw_pbs_site *site = &pbs->site;
	size_t size = site->vnode_count * sizeof(*site->vnode);
	struct lxfw_pbs_vnode *saved = malloc(size + 1);
	char *vnodes;

	if (!saved)
		return true;
	memcpy(saved, site->vnode, size);
	for (size_t i = 0; i < site->vnode_count; i++) {
		struct lxfw_pbs_vnode *vnode = &site->vnode[i];

		memset(&vnode->used, 0, sizeof(vnode->used));
		vnode->users = vnode->owners = 0;
		vnode->up = vnode->in >= 0;
	}
	vnodes = lay_within(pbs, job, within);
	memcpy(site->vnode, saved, size);
	free(saved);
	free(vnodes);
	return vnodes != NULL;
}

/* The layout of a mixed job (mixed.h), or of another one without a request, on hosts that have room
   now: its chunks may want different things of them. It spans placement sets only if none could ever
   have it. */
static char *lay_mixed(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		       const struct lxfw_pbs_queue *queue, const char *group)
{
	const char *keys = queue ? lxfw_pbs_psets_keys(&pbs->site, queue, group) : "";
	struct within within = { .one_host = strcmp(keys, "host") == 0 };
	char *vnodes;

	if (LXFW_GROW(pbs->shares, pbs->shares_size, (size_t)pbs->site.host_count + 1))
		return NULL;
	if (*keys && !within.one_host)
		within.first = lxfw_pbs_psets(&pbs->sets, &pbs->site, queue, "", keys,
					      lxfw_pbs_sets_owner(job->user), &within.count);
	if (within.first < 0)
		within.first = within.count = 0;
	vnodes = lay_within(pbs, job, &within);
	if (vnodes || (*keys && (pbs->site.sched.do_not_span_psets ||
				 fits_ever(pbs, job, &within))))
		return vnodes;
	return lay_on(pbs, job, pbs->site.host_count);
}

char *lxfw_pbs_anywhere(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			struct lxfw_error *why)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(&pbs->site, job->queue);
	int32_t count = lxfw_pbs_suitable(&pbs->site, queue, job, &pbs->shares,
					  &pbs->shares_size, why);
	struct lxfw_request request;
	struct lxfw_pbs_place place;
	char *vnodes;

	if (count < 0)
		return NULL;
	if (!lxfw_pbs_place_read(&place, job->place, why))
		return NULL;
	/* A job that the library cannot represent, or not now, has no sets in a request. */
	if (lxfw_pbs_is_mixed(&pbs->site, &pbs->sets, job) ||
	    lxfw_pbs_request(&pbs->site, &pbs->sets, job, &request, why) != 1)
		vnodes = lay_mixed(pbs, job, queue, place.group);
	else if (request.host_set_count && pbs->sets.set[request.host_sets[0]].of_family)
		vnodes = in_a_set(pbs, job, &request);
	else if (request.max_hosts == 1)
		vnodes = on_a_host(pbs, job, count);
	else
		vnodes = lay_on(pbs, job, count);
	if (!vnodes)
		lxfw_error_set(why, "not enough free resources for it now");
	return vnodes;
}

/* --- an operator's job ---------------------------------------------------------------- */

static bool run_wanted(struct lxfw_pbs *pbs, const char *id, struct lxfw_error *why)
{
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_id(&pbs->site, id);
	struct lxfw_known_job *known;
	int64_t end;
	char *vnodes;

	if (pbs->shadow || !job || job->state != 'Q' || job->array) {
		lxfw_error_set(why, pbs->shadow ? "lxfw-pbsd does not act (--shadow)" :
			       "the job is not eligible");
		return false;
	}
	end = pbs->agent.clock + lxfw_pbs_estimate(job);
	if (lxfw_pbs_class_of(&pbs->calendar, job->queue) != LXFW_PBS_DEDICATED &&
	    lxfw_pbs_meets_dedicated(&pbs->calendar, pbs->agent.clock, end)) {
		lxfw_error_set(why, "it would run into dedicated time");
		return false;
	}
	lxfw_pbs_use_resvs(pbs, pbs->agent.clock, end, NULL);
	vnodes = lxfw_pbs_anywhere(pbs, job, why);
	lxfw_pbs_free_resvs(pbs);
	if (!vnodes || lxfw_pbs_begin(pbs, job, vnodes, true, why) < 0)
		return false;
	/* The library learns of it in the next look. */
	known = lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));
	if (known)
		lxfw_pbs_own(known)->started = 0;
	pbs->agent.stale = true;
	return true;
}

static char *take_wanted(struct lxfw_pbs *pbs)
{
	char *id;

	pthread_mutex_lock(&pbs->wanted_mutex);
	id = pbs->wanted;
	pbs->wanted = NULL;
	pthread_mutex_unlock(&pbs->wanted_mutex);
	return id;
}

void lxfw_pbs_consider_wanted(struct lxfw_pbs *pbs)
{
	free(pbs->considered);
	pthread_mutex_lock(&pbs->wanted_mutex);
	pbs->considered = pbs->wanted ? strdup(pbs->wanted) : NULL;
	pthread_mutex_unlock(&pbs->wanted_mutex);
}

/* Leave the job to the next pass, in which the library preempts others for it. Returns false if the
   other thread has another one by now. */
static bool put_back(struct lxfw_pbs *pbs, char *id)
{
	bool back;

	pthread_mutex_lock(&pbs->wanted_mutex);
	back = !pbs->wanted;
	if (back)
		pbs->wanted = id;
	pthread_mutex_unlock(&pbs->wanted_mutex);
	pbs->agent.stale |= back;
	return back;
}

/* The library may have started it in this pass, in the place of others. */
static bool runs_already(struct lxfw_pbs *pbs, const char *id)
{
	const struct lxfw_pbs_job *job = lxfw_pbs_site_find_id(&pbs->site, id);

	return job && job->state == 'R';
}

static void note_operated(struct lxfw_pbs *pbs, const char *id)
{
	const struct lxfw_pbs_job *job = lxfw_pbs_site_find_id(&pbs->site, id);
	struct lxfw_known_job *known = job ? lxfw_table_find(
		&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task)) : NULL;

	if (known)
		lxfw_pbs_own(known)->operated = true;
}

void lxfw_pbs_serve_operator(struct lxfw_pbs *pbs)
{
	struct lxfw_error why;
	char *id = take_wanted(pbs);
	bool considered = id && pbs->considered && strcmp(id, pbs->considered) == 0, runs;

	if (!id)
		return;
	runs = (considered && runs_already(pbs, id)) || run_wanted(pbs, id, &why);
	if (!runs && !considered && !pbs->idle && lxfw_pbs_preempts_now(pbs) &&
	    put_back(pbs, id))
		return;
	if (runs)
		note_operated(pbs, id);
	lxfw_log_info(runs ? "%s runs: an operator asked for it" :
		      "%s, which an operator wants to run: %s", id, why.text);
	if (lxfw_pbs_answer_run(&pbs->link, id, runs ? NULL : why.text) < 0)
		pbs->link.lost = true;
	pthread_mutex_lock(&pbs->wanted_mutex);
	pbs->answered = true;
	pthread_mutex_unlock(&pbs->wanted_mutex);
	free(id);
}

/* --- jobs that an operator resumes ----------------------------------------------------- */

/* The agent does not know that they are suspended: it did not do that. */
static void resume(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job)
{
	struct lxfw_error why;

	if (!lxfw_pbs_waits_to_resume(job) || lxfw_quanta_hold(&pbs->agent, job->record))
		return;
	if (lxfw_pbs_try_resume(pbs, job, &why))
		lxfw_log_info("%s resumes: an operator asked for it", job->id);
	else
		lxfw_log_debug("%s cannot resume yet: %s", job->id, why.text);
}

/* --- jobs of reservations ---------------------------------------------------------------- */

/* What the reservation has left for its jobs. */
static int32_t left_in(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	int32_t count = lxfw_pbs_shares(&pbs->site, resv->nodes, false, &pbs->shares,
					&pbs->shares_size);

	for (size_t i = 0; i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];
		int32_t used;

		if (!lxfw_pbs_holds(job) || !job->queue || strcmp(job->queue, resv->queue) != 0)
			continue;
		used = lxfw_pbs_shares(&pbs->site, job->vnodes, false, &pbs->others,
				       &pbs->others_size);
		for (int32_t j = 0; j < used; j++) {
			for (int32_t k = 0; k < count; k++) {
				if (pbs->shares[k].host == pbs->others[j].host)
					lxfw_resources_subtract(&pbs->shares[k].amount,
								&pbs->others[j].amount);
			}
		}
	}
	return count;
}

static bool add_reserved(void *context, const char *name, const struct lxfw_resources *amount)
{
	struct lxfw_pbs *pbs = context;
	struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(&pbs->site, name);

	if (vnode)
		lxfw_resources_add(&vnode->total, amount);
	return true;
}

/* The layout of a job on the vnodes of its reservation: others of their hosts have what they have
   for other jobs. */
static char *lay_in(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		    const struct lxfw_pbs_resv *resv)
{
	struct lxfw_pbs_site *site = &pbs->site;
	size_t size = site->vnode_count * sizeof(*site->vnode);
	struct lxfw_pbs_vnode *saved = malloc(size + 1);
	int32_t count = left_in(pbs, resv);
	char *vnodes;

	if (!saved)
		return NULL;
	memcpy(saved, site->vnode, size);
	for (size_t i = 0; i < site->vnode_count; i++) {
		memset(&site->vnode[i].total, 0, sizeof(site->vnode[i].total));
		memset(&site->vnode[i].used, 0, sizeof(site->vnode[i].used));
	}
	(void)lxfw_pbs_vnodes_read(resv->nodes, &site->kinds, add_reserved, pbs);
	for (size_t i = 0; i < site->job_count; i++) {
		const struct lxfw_pbs_job *other = &site->job[i];

		if (lxfw_pbs_holds(other) && lxfw_pbs_is_in(other, resv))
			lxfw_pbs_use(site, other, 1, lxfw_pbs_has_procs(site, other));
	}
	vnodes = layout(pbs, job, pbs->shares, count);
	memcpy(site->vnode, saved, size);
	free(saved);
	return vnodes;
}

static void run_reserved(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_resv *resv = lxfw_pbs_site_find_resv_of(&pbs->site, job->queue);
	struct lxfw_error why;
	char *vnodes;

	if (!resv || !resv->nodes || resv->start > pbs->agent.clock ||
	    resv->end <= pbs->agent.clock)
		return;
	vnodes = lay_in(pbs, job, resv);
	if (!vnodes)
		return;
	if (lxfw_pbs_begin(pbs, job, vnodes, true, &why) < 0)
		lxfw_log_info("%s cannot start in its reservation: %s", job->id, why.text);
	else
		lxfw_log_info("%s starts in its reservation", job->id);
	pbs->agent.stale = true;
}

/* --- telling -------------------------------------------------------------------------- */

#define ODD "Not Running: lxfw does not schedule this job: "
#define HELD_BACK "Not Running: "
#define FAILURE "Not Running: PBS Error"	/* the server's, of a start */
#define WAITS HELD_BACK "waits for resources or for jobs that come first"

static bool begins_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void tell_comment(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			 const char *prefix, const char *reason)
{
	struct lxfw_error why;
	char *text;

	if (asprintf(&text, "%s%s", prefix, reason) < 0)
		return;
	if ((!job->comment || strcmp(job->comment, text) != 0) &&
	    pbs->tellings++ < LXFW_PBS_TELLINGS_MAX) {
		if (pbs->silent || pbs->shadow)
			lxfw_log_debug("%s is not scheduled: %s", job->id, reason);
		else if (lxfw_pbs_set_comment(&pbs->link, job->id, text, &why) < 0)
			lxfw_log_debug("%s: no comment: %s", job->id, why.text);
		else
			lxfw_log_info("%s is not scheduled: %s", job->id, reason);
	}
	free(text);
}

/* A job that may start, but for room or for other jobs. A reason that does not hold any more is
   replaced, of whichever scheduler. The comment of an operator stays, and that of a start that
   failed or that a hook has refused. */
static void tell_waits(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
		       const struct lxfw_pbs_job *job)
{
	const char *comment = job->comment ? job->comment : "";
	struct lxfw_error why;

	if (strcmp(comment, WAITS) == 0 || begins_with(comment, FAILURE) ||
	    lxfw_pbs_own(known)->failures > 0 ||
	    (*comment && !begins_with(comment, HELD_BACK) && !begins_with(comment, "Job ")) ||
	    pbs->tellings++ >= LXFW_PBS_TELLINGS_MAX)
		return;
	if (lxfw_pbs_set_comment(&pbs->link, job->id, WAITS, &why) < 0)
		lxfw_log_debug("%s: no comment: %s", job->id, why.text);
}

static struct lxfw_known_job *find_waiting(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	struct lxfw_known_job *known = lxfw_table_find(&pbs->agent.jobs,
						       lxfw_pbs_id(job->number, job->task));

	return known && known->state == LXFW_KNOWN_WAITING ? known : NULL;
}

static void tell_start(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	struct lxfw_known_job *known = find_waiting(pbs, job);

	if (!known)
		return;
	tell_waits(pbs, known, job);
	lxfw_pbs_tell_time(pbs, known, job);
}

/* What must not wait for the comments of others. */
static void act_on(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job)
{
	resume(pbs, job);
	if (job->state == 'Q' && !job->array && !job->odd && !job->held_back &&
	    pbs->site.resv_count && !pbs->shadow)
		run_reserved(pbs, job);
}

/* Why a job of a reservation waits; NULL: it is not one. */
static const char *waits_in_resv(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_resv *resv = lxfw_pbs_site_find_resv_of(&pbs->site, job->queue);

	return !resv ? NULL :
	       resv->start > pbs->agent.clock ? "its reservation has not begun" :
						"not enough is left in its reservation";
}

/* Tells the user of JOB, or of the array of which it is a task, what concerns the task. Returns
   false if it is up to the library when it starts. */
static bool tell_reason(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *task,
			const struct lxfw_pbs_job *job)
{
	const char *waits = waits_in_resv(pbs, task);

	if (task->odd)
		tell_comment(pbs, job, ODD, task->odd);
	else if (task->held_back)
		tell_comment(pbs, job, HELD_BACK, task->held_back);
	else if (waits)
		tell_comment(pbs, job, HELD_BACK, waits);
	else if (pbs->silent || pbs->shadow)
		return true;
	else
		return false;
	return true;
}

/* The first waiting task of an array stands for all: they request the same. An array of which some
   have begun has no reason for those that have not. */
static void tell_array(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *task)
{
	struct lxfw_pbs_job *array = &pbs->site.job[task->of];
	struct lxfw_known_job *known;

	if (array->told)
		return;
	array->told = true;
	if (array->state == 'Q' ? tell_reason(pbs, task, array) : pbs->silent || pbs->shadow)
		return;
	known = find_waiting(pbs, task);
	if (known && array->state == 'Q')
		tell_waits(pbs, known, array);
	if (known)
		lxfw_pbs_tell_time(pbs, known, array);
}

/* The code of the error is left out, as by the server. */
void lxfw_pbs_tell_failure(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			   const char *why)
{
	const char *code = strrchr(why, '(');
	struct lxfw_pbs_job *array;
	char *reason;

	if (!job->expanded)
		return;
	array = &pbs->site.job[job->of];
	reason = strndup(why, code && code > why ? (size_t)(code - why - 1) : strlen(why));
	if (reason && array->state == 'Q' && !array->told)
		tell_comment(pbs, array, FAILURE ": ", reason);
	array->told = true;
	free(reason);
}

static void tell(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	if (job->state != 'Q' || job->array)
		return;
	if (job->expanded)
		tell_array(pbs, job);
	else if (!tell_reason(pbs, job, job))
		tell_start(pbs, job);
}

/* Comments for which there is no time are written in a later pass. */
bool lxfw_pbs_offer(void *context, uint64_t deadline_us)
{
	struct lxfw_pbs *pbs = context;

	lxfw_pbs_serve_operator(pbs);
	lxfw_pbs_confirm(pbs);
	for (size_t i = 0; i < pbs->site.job_count && !pbs->link.lost; i++)
		act_on(pbs, &pbs->site.job[i]);
	for (size_t i = 0; i < pbs->site.job_count && !pbs->link.lost; i++) {
		lxfw_pbs_accrue(pbs, &pbs->site.job[i]);
		tell(pbs, &pbs->site.job[i]);
		if (lxfw_now_us() >= deadline_us)
			break;
	}
	return true;
}
