/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has become of the jobs of immediate service since the last look. */
#include "plugins/slurm/bridge/quanta_look.h"

#include <string.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/cores.h"
#include "plugins/slurm/bridge/quanta.h"

/* So often nodes are told that a job goes on, whatever they say; so many seconds
   apart. */
#define TELLINGS 3
#define TELL_SECONDS 3

/* By then Slurm has saved its records, which later releases do after five seconds. */
#define SAVE_SECONDS 7

/* --- going on -------------------------------------------------------------------- */

/* A node of the job that could not be told, or NULL. */
static const node_record_t *deaf_node(const job_record_t *job)
{
	for (int i = 0; job->node_bitmap && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(job->node_bitmap, i) &&
		    (IS_NODE_DOWN(node) || IS_NODE_NO_RESPOND(node)))
			return node;
	}
	return NULL;
}

static void say_once(struct lxfw_lent *lent, const char *why,
		     const char *name, uint32_t other)
{
	if (lent->said)
		return;
	lent->said = true;
	if (name)
		info("sched/lxfw: JobId=%u is to go on, but %s %s: it waits",
		     lent->job_id, why, name);
	else
		info("sched/lxfw: JobId=%u is to go on, but %s JobId=%u: it waits",
		     lent->job_id, why, other);
}

void lxfw_quanta_try_resume(struct lxfw_bridge *bridge, struct lxfw_lent *lent,
			    job_record_t *job)
{
	const node_record_t *deaf = deaf_node(job);
	const job_record_t *taker;
	int error_code;

	if (deaf) {
		say_once(lent, "no word from", deaf->name, 0);
		return;
	}
	taker = lxfw_cores_taken(job);
	if (taker) {
		/* One that is being cleaned up after is gone in a moment. */
		if (!IS_JOB_COMPLETING(taker))
			say_once(lent, "its processors are taken by", NULL,
				 taker->job_id);
		return;
	}
	error_code = lxfw_compat_resume(job);
	if (error_code != SLURM_SUCCESS) {
		say_once(lent, "Slurm says:", slurm_strerror(error_code), 0);
		return;
	}
	if (lent->priority)
		job->priority = lent->priority;
	lent->resume = false;
	lent->resumed = time(NULL);
	lent->tellings = 1;
	lent->tell = false;
	bridge->quanta.dirty = true;
	bridge->quanta.acted = true;
	info("sched/lxfw: JobId=%u goes on", job->job_id);
}

/* Have all nodes of the job been heard of since they were told last? What was heard
   in the same second may have been said before. */
static bool heard_since(const struct lxfw_lent *lent, const job_record_t *job)
{
	for (int i = 0; job->node_bitmap && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(job->node_bitmap, i) &&
		    (node->last_response <= lent->resumed ||
		     IS_NODE_NO_RESPOND(node)))
			return false;
	}
	return true;
}

static void look_again(struct lxfw_bridge *bridge, int64_t at)
{
	if (at < bridge->next_begin)
		bridge->next_begin = at;
}

static void tell_again(struct lxfw_bridge *bridge, struct lxfw_lent *lent)
{
	lent->tell = true;
	bridge->quanta.tell = true;
	look_again(bridge, time(NULL) + TELL_SECONDS);
}

/*
 * Is it certain that a resumed job runs on its nodes? No answer says so. slurmd
 * answers before it acts, and a suspension takes it two seconds or more, in which
 * whatever else is said of the job waits, and then comes in any order; the
 * controller's threads overtake each other, too. So a job that goes on soon after its
 * suspension, or twice in a short time, may be stopped when all is done. A message to
 * a slurmd that is dead, or dies before it acts, is lost.
 *
 * Hence nodes are told again when what was under way is over, and the last time when
 * they have been heard of since. Where the job runs slurmstepd does nothing: neither
 * steps nor accounting hear of it. By the time it is forgotten Slurm has saved that it
 * runs, which later releases do after five seconds.
 */
static bool has_gone_on(struct lxfw_bridge *bridge, struct lxfw_lent *lent,
			job_record_t *job)
{
	time_t now = time(NULL);

	/* The clock was set back. */
	if (lent->resumed > now)
		lent->resumed = now;
	if (lent->tell)
		return false;
	if (now < lent->resumed + TELL_SECONDS) {
		look_again(bridge, lent->resumed + TELL_SECONDS);
		return false;
	}
	if (lent->tellings > TELLINGS)
		return true;
	if (lent->tellings < TELLINGS || heard_since(lent, job))
		tell_again(bridge, lent);
	return false;
}

/* One that this pass has suspended is not told: the messages might change places. */
bool lxfw_quanta_tell(struct lxfw_bridge *bridge, uint64_t deadline_us)
{
	struct lxfw_quanta_books *books = &bridge->quanta;

	(void)deadline_us;
	for (size_t i = 0; i < books->lent_count; i++) {
		struct lxfw_lent *lent = &books->lent[i];
		job_record_t *job = find_job_record(lent->job_id);

		if (lent->tell && lent->resumed && job && IS_JOB_RUNNING(job) &&
		    !IS_JOB_COMPLETING(job)) {
			lxfw_compat_continue(job);
			lent->resumed = time(NULL);
			lent->tellings++;
			debug("sched/lxfw: JobId=%u: its nodes are told that it goes on, time %d",
			      job->job_id, lent->tellings);
		}
		lent->tell = false;
	}
	books->tell = false;
	return true;
}

void lxfw_quanta_give_priority(const struct lxfw_lent *lent, job_record_t *job)
{
	if (job->priority != 0 || job->state_reason == WAIT_HELD_USER)
		return;
	job->priority = lent->priority;
	if (job->state_reason == WAIT_HELD)
		job->state_reason = WAIT_NO_REASON;
	last_job_update = time(NULL);
}

void lxfw_quanta_tell_anew(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs,
				lxfw_job_id(job->job_id, job->array_job_id,
					    job->array_task_id));

	if (!known)
		return;
	memset(&known->run, 0, sizeof(known->run));
	known->shares_hash = ~known->shares_hash;
}

/*
 * The job was cancelled, requeued or resumed by somebody else, or its script came to
 * its end as it was stopped. What Slurm has saved may still say that it is suspended,
 * and a controller that is killed and comes back would leave it so for ever if the
 * entry were gone. False if it is of no more use.
 */
static bool is_wanted_until_saved(struct lxfw_bridge *bridge,
				  struct lxfw_lent *lent)
{
	time_t now = time(NULL);

	if (!lent->over || lent->over > now) {
		lent->over = now;
		lent->resume = false;
		bridge->quanta.acted = true;
	}
	look_again(bridge, lent->over + SAVE_SECONDS);
	return now < lent->over + SAVE_SECONDS;
}

/* False if the entry is of no more use. */
static bool look_at_lent(struct lxfw_bridge *bridge, struct lxfw_lent *lent)
{
	job_record_t *job = find_job_record(lent->job_id);

	if (!job || job->magic != JOB_MAGIC)
		return false;
	if (lent->over)
		return is_wanted_until_saved(bridge, lent);
	if (IS_JOB_PENDING(job)) {
		lxfw_quanta_give_priority(lent, job);
		return is_wanted_until_saved(bridge, lent);
	}
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job))
		return !lent->resumed && is_wanted_until_saved(bridge, lent);
	/* The controller forgot that it was suspended, its nodes may not have; or it
	   was killed before they were told that it goes on. */
	if (bridge->quanta.end_all && IS_JOB_RUNNING(job)) {
		lent->resume = true;
		lent->resumed = time(NULL);
		lent->tellings = 0;
		tell_again(bridge, lent);
		return true;
	}
	if (lent->resumed)
		return IS_JOB_RUNNING(job) && !has_gone_on(bridge, lent, job);
	if (bridge->quanta.end_all) {
		lent->resume = true;
	} else if (IS_JOB_RUNNING(job)) {
		info("sched/lxfw: JobId=%u was resumed by somebody else",
		     job->job_id);
		lxfw_quanta_tell_anew(bridge, job);
		return is_wanted_until_saved(bridge, lent);
	}
	if (lent->resume)
		lxfw_quanta_try_resume(bridge, lent, job);
	return true;
}

/* --- requeueing ------------------------------------------------------------------ */

void lxfw_quanta_restore_request(job_record_t *job)
{
	const size_t length = strlen(LXFW_QUANTUM_VARIABLE);
	lxfw_slurm_details *details = job->details;

	details->pn_min_memory = details->orig_pn_min_memory;
	for (uint32_t i = 0; i < details->env_cnt; i++) {
		if (strncmp(details->env_sup[i], LXFW_QUANTUM_VARIABLE, length))
			continue;
		xfree(details->env_sup[i]);
		details->env_sup[i] = details->env_sup[--details->env_cnt];
		details->env_sup[details->env_cnt] = NULL;
		break;
	}
}

/*
 * May a node still answer that the job was to start? Where that answer is that it was
 * killed before, Slurm fails the job, which may be the next run of it by then. A node
 * that is busy takes some seconds, the time that Slurm gives it at most.
 */
static bool is_launch_unanswered(const struct lxfw_bridge *bridge,
				 const struct lxfw_served *served)
{
	int64_t started = served->until - bridge->params.quantum;

	return time(NULL) <= started + lxfw_compat_message_timeout() &&
	       lxfw_compat_messages_unanswered();
}

/*
 * The job waits again. Slurm has it wait until the credential of its first start
 * is void, so that a node which has not heard of the end cannot mix them up. All
 * nodes have heard, for the job is not completing any more, and a credential that
 * is younger by a second is another one to them.
 */
static void wait_again(struct lxfw_bridge *bridge, struct lxfw_served *served,
		       job_record_t *job)
{
	lxfw_quanta_restore_request(job);
	if (job->details->begin_time > time(NULL))
		job->details->begin_time = time(NULL) + 1;
	served->until = 0;
	last_job_update = time(NULL);
	bridge->quanta.acted = true;
}

/* Since when it waits, as soon as Slurm has begun to count it among those that wait
   for an association's limits: the time tells whether it does. */
static void restore_accrue(struct lxfw_bridge *bridge,
			   struct lxfw_served *served, job_record_t *job)
{
	if (served->accrue == 0 || job->details->accrue_time == 0)
		return;
	if (job->details->accrue_time > served->accrue)
		job->details->accrue_time = served->accrue;
	served->accrue = 0;
	last_job_update = time(NULL);
	bridge->quanta.dirty = true;
}

/* It was killed for lack of memory that it asked for, but was not given. */
static bool outgrew_quantum(const struct lxfw_served *served,
			    const job_record_t *job)
{
	return served->until && served->cut && IS_JOB_FINISHED(job) &&
	       lxfw_compat_out_of_memory(job);
}

/* False if the entry is of no more use. */
static bool look_at_served(struct lxfw_bridge *bridge,
			   struct lxfw_served *served)
{
	job_record_t *job = find_job_record(served->job_id);

	if (!job || job->magic != JOB_MAGIC || !job->details)
		return false;
	if (IS_JOB_PENDING(job)) {
		if (IS_JOB_COMPLETING(job))
			return true;
		if (served->until && is_launch_unanswered(bridge, served)) {
			/* It keeps its place, as in wait_again(). */
			if (job->details->begin_time > time(NULL))
				job->details->begin_time = time(NULL) + 2;
			look_again(bridge, time(NULL) + 1);
		} else if (served->until) {
			wait_again(bridge, served, job);
			bridge->quanta.dirty = true;
		}
		restore_accrue(bridge, served, job);
		return true;
	}
	if (outgrew_quantum(served, job) &&
	    lxfw_compat_requeue(job) == SLURM_SUCCESS) {
		info("sched/lxfw: JobId=%u outgrew the memory of its quantum and waits again",
		     job->job_id);
		return true;
	}
	if (IS_JOB_FINISHED(job))
		return false;
	if (bridge->quanta.end_all && served->until && IS_JOB_RUNNING(job)) {
		bridge->quanta.dirty = true;
		bridge->quanta.acted = true;
		if (lxfw_compat_requeue(job) != SLURM_SUCCESS)
			served->until = 0;	/* it runs on */
	}
	return true;
}

/* --- how often ------------------------------------------------------------------- */

/* A job's count is of use as long as it runs or is suspended: where it waits again it
   begins anew. */
static bool is_victim(uint32_t job_id)
{
	const job_record_t *job = find_job_record(job_id);

	return job && job->magic == JOB_MAGIC &&
	       (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) ||
		IS_JOB_COMPLETING(job));
}

/*
 * The file did not tell how often jobs were suspended: it is not there, damaged or of an
 * earlier release. Whom Slurm knows to have been suspended since it was started may have
 * been so any number of times.
 */
static void enter_unknown(struct lxfw_quanta_books *books)
{
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	const job_record_t *job;

	while ((job = list_next(each)) != NULL) {
		struct lxfw_victim *victim;

		if (job->magic != JOB_MAGIC || job->start_time <= 0 ||
		    job->suspend_time <= job->start_time ||
		    (!IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job)))
			continue;
		victim = lxfw_victim_find(books, job->job_id);
		if (!victim)
			victim = lxfw_victim_enter(books, job->job_id);
		if (!victim)
			break;	/* tried again */
		victim->suspensions = LXFW_SUSPENSIONS_UNKNOWN;
	}
	books->uncounted = job != NULL;
	books->dirty = true;
	list_iterator_destroy(each);
}

static void look_at_victims(struct lxfw_quanta_books *books)
{
	if (books->uncounted && books->path)
		enter_unknown(books);
	for (size_t i = books->victim_count; i-- > 0;) {
		if (!is_victim(books->victims[i].job_id))
			lxfw_victim_remove(books, i);
	}
}

void lxfw_quanta_look(struct lxfw_bridge *bridge)
{
	struct lxfw_quanta_books *books = &bridge->quanta;

	look_at_victims(books);

	for (size_t i = books->served_count; i-- > 0;) {
		if (!look_at_served(bridge, &books->served[i]))
			lxfw_served_remove(books, i);
	}
	for (size_t i = books->lent_count; i-- > 0;) {
		if (!look_at_lent(bridge, &books->lent[i]))
			lxfw_lent_remove(books, i);
	}
	books->end_all = false;
}
