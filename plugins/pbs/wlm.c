/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/wlm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "plugins/agent/setup.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/survey.h"

/* Seconds by which the recorded end of a job may differ from the computed one. */
#define END_SLACK 2

/* Age of the look after which a start asks again whether scheduling is on. */
#define RECHECK_US 1000000

/* Time in which a pass confirms reservations: as long as a look at a large site. */
#define CONFIRM_US 200000

/* Seconds by which the run time that the server reports may lag behind. */
#define LAG_SECONDS 900

static void lock(void *context)
{
	struct lxfw_pbs *pbs = context;

	pthread_mutex_lock(&pbs->mutex);
	lxfw_pbs_wait_begin(&pbs->watch.passes);
}

static void unlock(void *context)
{
	struct lxfw_pbs *pbs = context;

	lxfw_pbs_wait_end(&pbs->watch.passes);
	pthread_mutex_unlock(&pbs->mutex);
}

static int64_t now(void *context)
{
	const struct lxfw_pbs *pbs = context;

	return pbs->clock ? pbs->clock() : time(NULL);
}

static char *folder(void *context)
{
	const struct lxfw_pbs *pbs = context;

	return pbs->folder ? strdup(pbs->folder) : NULL;
}

static bool changed(void *context)
{
	return ((struct lxfw_pbs *)context)->changed;
}

static bool stirred(void *context)
{
	return ((struct lxfw_pbs *)context)->stirred;
}

/* --- numbers of tasks ----------------------------------------------------------------- */

static char *records_path(const struct lxfw_pbs *pbs)
{
	char *path;

	return asprintf(&path, "%s/lxfw_pbs_records", pbs->folder) < 0 ? NULL : path;
}

static void read_records(struct lxfw_pbs *pbs)
{
	char *path = pbs->folder ? records_path(pbs) : NULL;

	if (!pbs->folder)
		return;
	if (!path || lxfw_pbs_records_read(&pbs->site.records, path) < 0)
		lxfw_log_error("%s: %m; using its readable part", path ? path : "records");
	free(path);
}

/* Called before the first decision of a pass: a task that is suspended must be found again
   after a restart. */
static void passing(void *context, bool begins)
{
	struct lxfw_pbs *pbs = context;
	char *path;
	bool good;

	if (!begins || (!pbs->site.records.dirty && !pbs->unwritten))
		return;
	path = records_path(pbs);
	good = path && lxfw_pbs_records_write(&pbs->site.records, path) == 0;
	if (!good && !pbs->unwritten)
		lxfw_log_error("%s: %m; tasks of arrays are not suspended until this is corrected",
			       path ? path : "records");
	pbs->unwritten = !good;
	free(path);
}

/* --- hosts ---------------------------------------------------------------------------- */

static void read_calendar(struct lxfw_pbs *pbs)
{
	int64_t at = lxfw_agent_now(&pbs->agent);
	size_t count = 0;

	if (pbs->priv && lxfw_pbs_calendar_read(&pbs->calendar, pbs->priv)) {
		for (size_t i = 0; i < pbs->calendar.gap_count; i++)
			count += pbs->calendar.gap[i].to > at;
		lxfw_log_info("%zu dedicated times to come, prime time %s", count,
			      pbs->calendar.year ? "as in the holidays file" : "always");
		/* Any user may watch, and the scripts are for root. */
		if (!pbs->watches)
			lxfw_pbs_set_scripts(pbs);
	}
	if (pbs->watches)
		lxfw_pbs_survey_assume(pbs);
	if (pbs->calendar.failed)
		pbs->agent.events.failed = true;
}

/* Returns false; logs the first of consecutive failures. */
static bool is_unreadable(struct lxfw_pbs *pbs, const struct lxfw_error *why)
{
	if (!pbs->unreadable)
		lxfw_log_error("cannot read the server: %s", why->text);
	pbs->unreadable = true;
	return false;
}

/* Reads all objects. Returns false if that failed or nothing may be scheduled. */
static bool read_all(struct lxfw_pbs *pbs)
{
	struct lxfw_error why;

	if (pbs->link.lost)
		return false;
	pbs->changed = pbs->stirred = false;
	lxfw_pbs_consider_wanted(pbs);
	if (atomic_exchange(&pbs->redefined, false))
		pbs->kinds_known = false;
	if (!pbs->kinds_known) {
		lxfw_pbs_kinds_clear(&pbs->site.kinds);
		lxfw_pbs_book_forget_selects(&pbs->site.book);
		lxfw_error_set(&why, "out of memory");
		if (!lxfw_pbs_kinds_init(&pbs->site.kinds) ||
		    lxfw_pbs_read_kinds(&pbs->link, &pbs->site.kinds, &why) < 0)
			return is_unreadable(pbs, &why);
		pbs->kinds_known = true;
		free(pbs->priv);
		pbs->priv = NULL;
		if (lxfw_pbs_read_priv(&pbs->link, pbs->sched, &pbs->priv, &why) < 0)
			return is_unreadable(pbs, &why);
	}
	if (lxfw_pbs_read_sched(&pbs->link, pbs->sched, &pbs->site.sched, &why) < 0 ||
	    ((pbs->site.sched.scheduling || pbs->shadow || pbs->wanted) &&
	     lxfw_pbs_read_site(&pbs->link, &pbs->site, &why) < 0))
		return is_unreadable(pbs, &why);
	pbs->unreadable = false;
	if (pbs->site.keeps_procs && !pbs->kept)
		lxfw_log_error("restrict_res_to_release_on_suspend does not have ncpus: no job is suspended, and none gets a quantum");
	pbs->kept = pbs->site.keeps_procs;
	read_calendar(pbs);
	lxfw_pbs_measure(pbs);
	if (pbs->site.sched.scheduling == pbs->idle)
		lxfw_log_info(pbs->idle ? "scheduling is on" :
			      "scheduling is off: nothing is started");
	pbs->idle = !pbs->site.sched.scheduling;
	pbs->read_us = lxfw_now_us();
	if (pbs->idle && lxfw_pbs_sets_update(&pbs->sets, &pbs->site))
		lxfw_pbs_serve_operator(pbs);
	return !pbs->idle || pbs->shadow;
}

/* What a host has: its vnodes that can be used, and what jobs use of the others. */
static struct lxfw_resources total_of(const struct lxfw_pbs_site *site,
				      const struct lxfw_pbs_host *host, bool *up)
{
	struct lxfw_resources total = { 0 };

	*up = false;
	for (int32_t i = 0; i < host->count; i++) {
		const struct lxfw_pbs_vnode *vnode =
			&site->vnode[site->by_host[host->first + i]];

		*up |= vnode->up && vnode->total.procs > 0;
		lxfw_pbs_add_vnode(&total, vnode->up ? &vnode->total : &vnode->used);
	}
	return *up ? total : host->total;
}

static bool tell_names(struct lxfw_pbs *pbs)
{
	const struct lxfw_pbs_site *site = &pbs->site;
	int32_t pools = (int32_t)site->pools.count;
	const char **names = calloc((size_t)site->host_count + site->pools.count + 1,
				    sizeof(*names));
	int rc;

	if (!names) {
		pbs->agent.events.failed = true;
		return false;
	}
	for (int32_t i = 0; i < site->host_count; i++)
		names[i] = site->host[i].name;
	for (int32_t i = 0; i < pools; i++)
		names[site->host_count + i] = site->pools.pool[i].name;
	rc = lxfw_mirror_hosts(&pbs->agent, names, site->host_count + pools);
	free(names);
	return rc >= 0 && !pbs->agent.rebuild;
}

static void tell_pools(struct lxfw_pbs *pbs)
{
	const struct lxfw_pbs_site *site = &pbs->site;

	for (size_t i = 0; i < site->pools.count; i++) {
		struct lxfw_resources total = {
			.extras = { lxfw_pbs_pool_total(site, &site->pools.pool[i]) },
		};

		lxfw_mirror_host(&pbs->agent, site->host_count + (int32_t)i, true, &total, 0, 0, 0);
	}
}

/* Sets that only jobs needed that are gone get free for others. */
static void evict_sets(struct lxfw_pbs *pbs)
{
	if (pbs->sets.count < LXFW_PBS_SETS_MANY)
		return;
	for (size_t i = 0; i < pbs->agent.jobs.count; i++) {
		const struct lxfw_known_job *known = pbs->agent.jobs.jobs[i];

		if (known->state != LXFW_KNOWN_NOT && known->request.host_set_count)
			lxfw_pbs_sets_need(&pbs->sets, known->request.host_sets[0],
					   known->request.more_sets + 1);
	}
	lxfw_pbs_sets_evict(&pbs->sets);
}

static bool look_at_hosts(void *context)
{
	struct lxfw_pbs *pbs = context;

	if (!read_all(pbs) || !tell_names(pbs))
		return false;
	lxfw_pbs_update_tiers(pbs);
	if (pbs->watches)
		lxfw_pbs_survey_depth(pbs);
	evict_sets(pbs);
	pbs->agent.hosts.gpus = LXFW_PBS_GPUS;
	for (int32_t i = 0; i < pbs->site.host_count; i++) {
		struct lxfw_resources total;
		bool up;

		total = total_of(&pbs->site, &pbs->site.host[i], &up);
		lxfw_mirror_host(&pbs->agent, i, up, &total, 0, 0, 0);
	}
	tell_pools(pbs);
	for (size_t i = 0; i < pbs->site.kinds.count; i++) {
		if (pbs->site.kinds.kind[i].place >= 0)
			lxfw_mirror_extra(&pbs->agent, pbs->site.kinds.kind[i].place,
					  pbs->site.kinds.kind[i].name);
	}
	if (!lxfw_pbs_sets_update(&pbs->sets, &pbs->site)) {
		pbs->agent.events.failed = true;
		return false;
	}
	return true;
}

static void forget(void *context)
{
	struct lxfw_pbs *pbs = context;

	lxfw_pbs_forget_bars(pbs);
	lxfw_pbs_sets_forget(&pbs->sets);
}

/* --- running jobs --------------------------------------------------------------------- */

/* Updates what is known of the run. */
static void follow(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own,
		   const struct lxfw_pbs_job *job, bool *went_on)
{
	int64_t now = pbs->agent.clock, passed = now - job->started;

	if (own->started != job->started) {
		own->started = job->started;
		own->suspended = own->resumed = own->stopped = own->requeued = 0;
		/* The daemon did not see what it did before. */
		if (job->ran >= 0 && passed - job->ran > LAG_SECONDS)
			own->suspended = passed - job->ran;
		if (job->state == 'S' && job->ran >= 0 && passed > job->ran) {
			own->suspended = 0;
			own->stopped = job->started + job->ran;
		}
	}
	if (job->state == 'S' && !own->stopped)
		own->stopped = now;
	if (job->state != 'S' && own->stopped) {
		if (now > own->stopped)
			own->suspended += now - own->stopped;
		own->stopped = 0;
		own->resumed = now;
		*went_on = true;
	}
}

static void set_past(struct lxfw_pbs *pbs, const struct lxfw_pbs_own *own,
		     const struct lxfw_pbs_job *job, struct lxfw_run *run)
{
	int64_t until = own->stopped ? own->stopped : pbs->agent.clock;
	int64_t ran = until - job->started - own->suspended;

	if (ran < 0)
		ran = 0;
	run->past.submit = job->eligible ? job->eligible : job->queued;
	run->past.suspended = own->suspended;
	if (own->stopped) {
		run->past.ran = ran;
	} else if (own->resumed) {
		run->past.since = own->resumed;
		run->past.ran = own->resumed - job->started - own->suspended;
		if (run->past.ran < 0)
			run->past.ran = 0;
	} else {
		run->past.since = job->started;
	}
}

/* The server ends the jobs of a reservation with it. */
static int64_t end_with_resv(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			     int64_t end)
{
	const struct lxfw_pbs_resv *resv = lxfw_pbs_site_find_resv_of(&pbs->site, job->queue);

	return resv && resv->end > resv->start && resv->end < end ? resv->end : end;
}

bool lxfw_pbs_read_run(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
		       const struct lxfw_pbs_job *job, struct lxfw_run *run)
{
	struct lxfw_pbs_own *own = lxfw_pbs_own(known);
	int64_t estimate = lxfw_pbs_estimate(job), end;
	int32_t count;

	memset(run, 0, sizeof(*run));
	if (!lxfw_pbs_holds(job) || !job->vnodes)
		return false;
	count = lxfw_pbs_shares(&pbs->site, job->vnodes,
				lxfw_pbs_exclusion(&pbs->site, job) != LXFW_PBS_SHARED,
				&pbs->shares,
				&pbs->shares_size);
	if (count > 0)
		count = lxfw_pbs_pools_share(&pbs->site, job, &pbs->shares, &pbs->shares_size,
					     count);
	if (count < 0 && errno == ENOMEM) {
		pbs->agent.events.failed = true;
		run->count = -1;
		return true;
	}
	if (count <= 0)
		return false;
	if (job->walltime >= 0)
		estimate = job->walltime;	/* that of a job that was shortened */
	follow(pbs, own, job, &run->went_on);
	run->id = known->id;
	run->record = job->record;
	run->count = count;
	run->shares = pbs->shares;
	end = job->started + own->suspended + estimate;
	if (own->stopped)
		end += pbs->agent.clock - own->stopped;
	end = end_with_resv(pbs, job, end);
	if (known->state == LXFW_KNOWN_RUNNING && !run->went_on &&
	    llabs(known->expected_end - end) <= END_SLACK)
		end = known->expected_end;
	run->end = end;
	set_past(pbs, own, job, run);
	return true;
}

static bool read_run(void *context, struct lxfw_known_job *known, struct lxfw_run *run)
{
	struct lxfw_pbs *pbs = context;
	const struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, known->record);

	/* That of a part is the whole job's in the next look. */
	return job && !known->request.group && lxfw_pbs_read_run(pbs, known, job, run);
}

/* The level of a job changes while it runs, with what its user, group or project uses. */
static void follow_level(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
			 const struct lxfw_pbs_job *job)
{
	int32_t tier = lxfw_pbs_present_tier(pbs, job);

	if (known->request.tier == tier)
		return;
	known->request.tier = tier;
	lxfw_events_request(&pbs->agent.events, LXFW_EVENT_JOB_CHANGE, &known->request);
}

/* Another scheduler suspended the job for one of a higher level, or an operator has asked for its
   resumption. If its processors are in use, the library suspends it: it is not too young for
   that. */
static void adopt(const struct lxfw_pbs *pbs, struct lxfw_run *run)
{
	int64_t least = lxfw_params_min_run(&pbs->agent.params);

	if (run->past.since > 0)
		return;
	run->past.since = pbs->agent.clock - least;
	run->past.ran = run->past.ran > least ? run->past.ran - least : 0;
}

/* Whether a job that runs was submitted and started between two looks. */
static bool was_unseen(const struct lxfw_pbs *pbs, const struct lxfw_known_job *known,
		       const struct lxfw_pbs_job *job)
{
	int64_t submit = job->queued ? job->queued : job->eligible;

	return pbs->watches && known->state == LXFW_KNOWN_NOT && pbs->before > 0 &&
	       submit >= pbs->before;
}

static void show_running(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job)
{
	uint64_t id = lxfw_pbs_id(job->number, job->task);
	bool suspended = job->state == 'S';
	bool ours = suspended && lxfw_quanta_hold(&pbs->agent, job->record), idle;
	bool adopted = !ours && pbs->site.preempts && lxfw_pbs_waits_to_resume(job);
	struct lxfw_known_job *known;
	struct lxfw_request request;
	struct lxfw_error why;
	struct lxfw_run run;

	known = lxfw_table_find(&pbs->agent.jobs, id);
	if (known && lxfw_pbs_own(known)->requeued && job->state != 'S' &&
	    job->started == lxfw_pbs_own(known)->started) {
		lxfw_mirror_keep(&pbs->agent, id);
		return;
	}
	if (known && known->request.group)
		lxfw_pbs_unite(pbs, known);
	known = lxfw_mirror_running(&pbs->agent, id, job->record);
	/* The server has no start yet while it sends the job to its nodes. */
	if (known && job->started <= 0)
		job->started = lxfw_pbs_own(known)->asked ? lxfw_pbs_own(known)->asked :
							    pbs->agent.clock;
	if (!known)
		return;
	if (known->state == LXFW_KNOWN_RUNNING && !known->bare && pbs->site.preempts)
		follow_level(pbs, known, job);
	if (known->state == LXFW_KNOWN_RUNNING && ours)
		return;
	/* The library preempts only jobs whose request it knows. It knows that of a job which it has
	   started: such a job is entered again. */
	if (known->state == LXFW_KNOWN_RUNNING && !known->bare && pbs->site.preempts &&
	    !lxfw_pbs_may_preempt(pbs, job)) {
		lxfw_events_end(&pbs->agent.events, known->id);
		known->state = LXFW_KNOWN_NOT;
	}
	if ((!suspended || ours || adopted) && lxfw_pbs_may_preempt(pbs, job) &&
	    lxfw_mirror_lacks_request(&pbs->agent, known) &&
	    lxfw_pbs_make_request(pbs, job, &request, &why) == 1)
		lxfw_mirror_request(&pbs->agent, known, &request);
	if (was_unseen(pbs, known, job) && lxfw_pbs_make_request(pbs, job, &request, &why) == 1)
		lxfw_mirror_request(&pbs->agent, known, &request);
	if (!lxfw_pbs_read_run(pbs, known, job, &run) || run.count < 0)
		return;
	if (adopted)
		adopt(pbs, &run);
	/* One that waits to be resumed keeps its processors, so that no other job gets them. */
	idle = !lxfw_pbs_has_procs(&pbs->site, job) && !ours && !lxfw_pbs_waits_to_resume(job);
	for (int32_t i = 0; idle && i < run.count; i++)
		pbs->shares[i].amount.procs = 0;
	lxfw_mirror_run(&pbs->agent, known, &run);
}

/* --- waiting jobs --------------------------------------------------------------------- */

/* Returns true if the job waits in a queue of this scheduler. */
static bool is_eligible(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(&pbs->site, job->queue);
	bool mine;

	if (job->state != 'Q' || job->array || !job->record || !queue || !queue->execution ||
	    lxfw_pbs_site_find_resv_of(&pbs->site, job->queue))
		return false;
	mine = pbs->site.sched.partition ? queue->partition &&
		strcmp(queue->partition, pbs->site.sched.partition) == 0 :
		!queue->partition || !*queue->partition;
	return mine;
}

static bool look_at_jobs(void *context)
{
	struct lxfw_pbs *pbs = context;

	lxfw_pbs_begin_ranks(pbs);
	lxfw_pbs_begin_bars(pbs);
	lxfw_pbs_decisions_begin(&pbs->decided, pbs->agent.clock);
	pbs->site.queue_order = lxfw_pbs_follows_site(pbs) ?
		lxfw_pbs_queue_order(&pbs->calendar, pbs->agent.clock) :
		LXFW_PBS_QUEUES_BY_PRIORITY;
	pbs->site.preempts = lxfw_params_by_tier(&pbs->agent.params);
	for (size_t i = 0; i < pbs->sets.count; i++)
		(void)lxfw_pbs_tell_set(pbs, (int32_t)i);
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (!job->record)
			continue;
		if (lxfw_pbs_holds(job))
			show_running(pbs, job);
		else if (is_eligible(pbs, job))
			lxfw_pbs_show_waiting(pbs, job);
		else
			lxfw_pbs_tell_aside(pbs, job);
	}
	lxfw_mirror_release_others(&pbs->agent);
	if (pbs->decided.later)
		lxfw_agent_look_again(&pbs->agent, pbs->agent.clock + 1);
	pbs->tellings = 0;
	return true;
}

static enum lxfw_phase phase(void *context, uint32_t record)
{
	struct lxfw_pbs *pbs = context;
	const struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, record);
	struct lxfw_known_job *known;

	if (!job)
		return LXFW_PHASE_GONE;
	known = lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));
	if (known && lxfw_pbs_own(known)->requeued && (job->state == 'R' || job->state == 'E'))
		return LXFW_PHASE_REQUEUED;
	switch (job->state) {
	case 'Q':
		return LXFW_PHASE_WAITING;
	/* It comes back as another job would. */
	case 'H':
	case 'W':
		return LXFW_PHASE_GONE;
	case 'R':
		return LXFW_PHASE_RUNNING;
	case 'S':
		return LXFW_PHASE_SUSPENDED;
	default:
		return LXFW_PHASE_ENDING;
	}
}

static const struct lxfw_wlm operations = {
	.name = "PBS",
	.job = "job ",
	.lock = lock,
	.unlock = unlock,
	.now = now,
	.folder_name = "the folder of --state",
	.folder = folder,
	.changed = changed,
	.stirred = stirred,
	.look_at_hosts = look_at_hosts,
	.look_at_blocks = lxfw_pbs_look_at_blocks,
	.look_at_jobs = look_at_jobs,
	.forget = forget,
	.phase = phase,
	.read_run = read_run,
	.start = lxfw_pbs_start,
	.may_start = lxfw_pbs_may_start,
	.unfit = lxfw_pbs_unfit,
	.busy = lxfw_pbs_busy,
	.suspend = lxfw_pbs_suspend,
	.resume = lxfw_pbs_resume,
	.requeue = lxfw_pbs_requeue,
	.has_offers = lxfw_pbs_has_offers,
	.offer = lxfw_pbs_offer,
	.passing = passing,
};

void lxfw_pbs_init(struct lxfw_pbs *pbs, const struct lxfw_params *params,
		   const char *sched, const char *state_folder)
{
	pbs->sched = sched;
	pbs->folder = state_folder;
	pbs->recheck_us = RECHECK_US;
	pbs->confirm_us = CONFIRM_US;
	pbs->link.primary = pbs->link.secondary = -1;
	pbs->link.lost = true;
	pthread_mutex_init(&pbs->mutex, NULL);
	pthread_mutex_init(&pbs->wanted_mutex, NULL);
	lxfw_pbs_watch_init(&pbs->watch, LXFW_PBS_PATIENCE);
	lxfw_agent_init(&pbs->agent, &operations, pbs, params);
	pbs->agent.jobs.own_size = sizeof(struct lxfw_pbs_own);
	read_records(pbs);
}

void lxfw_pbs_destroy(struct lxfw_pbs *pbs)
{
	lxfw_agent_destroy(&pbs->agent);
	lxfw_pbs_sets_clear(&pbs->sets);
	lxfw_pbs_site_clear(&pbs->site);
	lxfw_pbs_formula_clear(&pbs->formula);
	lxfw_pbs_formula_clear(&pbs->used);
	lxfw_pbs_usage_clear(&pbs->usage);
	lxfw_pbs_charges_clear(&pbs->charges);
	lxfw_pbs_peaks_clear(&pbs->peaks);
	lxfw_pbs_starting_clear(&pbs->starting);
	lxfw_pbs_decisions_clear(&pbs->decided);
	lxfw_pbs_scripts_clear(&pbs->scripts);
	free(pbs->shares);
	free(pbs->others);
	free(pbs->wanted);
	free(pbs->considered);
	free(pbs->priv);
	lxfw_pbs_calendar_clear(&pbs->calendar);
	free(pbs->unserved);
	pthread_mutex_destroy(&pbs->wanted_mutex);
	pthread_mutex_destroy(&pbs->mutex);
}
