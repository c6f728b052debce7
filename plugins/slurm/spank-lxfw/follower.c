/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/follower.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/slurm/spank-lxfw/affinity.h"
#include "plugins/slurm/spank-lxfw/cpuset.h"

/* Milliseconds that the end of a step waits for the thread. */
#define PATIENCE 1000
/* Longest pause between requests, in milliseconds. */
#define PAUSE_MAX 30000
/* Interval in milliseconds at which a step that does not send requests reads the
   recorded share and checks whether another step sends them. */
#define LOOK 500

struct lxfw_follower {
	struct lxfw_follower_plan plan;
	char *node;
	struct lxfw_given given;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;	/* signals the thread to stop */
	pthread_cond_t ended;	/* signalled by the thread */
	bool stop;
	bool over;
	bool left_behind;	/* the thread is detached */
	bool refused;		/* a change of the cpuset failed and was logged */
	bool told;		/* the job's files are up to date; used by the leader
				   only */
	long long laid;		/* time at which the share was last applied, ms */
	unsigned failures;
	unsigned random;
};

long lxfw_follower_pause(long interval, unsigned failures, unsigned *random)
{
	long pause = interval;

	while (failures-- && pause < PAUSE_MAX)
		pause *= 2;
	if (pause > PAUSE_MAX)
		pause = PAUSE_MAX;
	return pause * 85 / 100 + rand_r(random) % (pause * 30 / 100);
}

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static struct timespec in(long milliseconds)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += milliseconds / 1000;
	time.tv_nsec += milliseconds % 1000 * 1000000;
	if (time.tv_nsec >= 1000000000) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000;
	}
	return time;
}

static void say(void (*sink)(const char *), const struct lxfw_follower *follower,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(void (*sink)(const char *), const struct lxfw_follower *follower,
		const char *format, ...)
{
	char text[LXFW_CPU_LIST_TEXT + 512];
	va_list arguments;
	int length;

	length = snprintf(text, sizeof(text), "lxfw: JobId=%" PRIu32 " ",
			  follower->plan.step.job);
	va_start(arguments, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format,
		  arguments);
	va_end(arguments);
	sink(text);
}

/* Returns true for the step that does what is done once for the job. */
static bool leads(const struct lxfw_follower *follower)
{
	const struct lxfw_share_dir *dir = follower->plan.dir;

	return !dir || dir->leader >= 0;
}

static void lay_groups(struct lxfw_follower *follower)
{
	const struct lxfw_follower_plan *plan = &follower->plan;
	struct lxfw_cpuset cpuset;

	if (!lxfw_cpuset_find(&cpuset, plan->mounts, &plan->step))
		return;
	if (lxfw_cpuset_apply(&cpuset, &follower->given) >= 0) {
		follower->refused = false;
		return;
	}
	if (!follower->refused)
		say(plan->error, follower, "cannot change %s: %s",
		    cpuset.folder, strerror(errno));
	follower->refused = true;
}

static void tell_job(struct lxfw_follower *follower,
		     const struct lxfw_cpus *cpus)
{
	const struct lxfw_follower_plan *plan = &follower->plan;

	if (!leads(follower) || follower->told)
		return;
	if (plan->dir &&
	    lxfw_share_dir_publish(plan->dir, plan->share.processors,
				   cpus) < 0)
		say(plan->error, follower, "%s cannot be written: %s",
		    plan->dir->path, strerror(errno));
	follower->told = true;
}

/* Applies the share to groups and processes. Releases the lock meanwhile, because users
   determine how many there are. Other threads do not access this data. Returns the
   number of threads changed. */
static int lay_on(struct lxfw_follower *follower, const struct lxfw_cpus *cpus)
{
	bool groups = leads(follower);
	int moved;

	lxfw_given_add(&follower->given, cpus);
	pthread_mutex_unlock(&follower->lock);
	if (groups)
		lay_groups(follower);
	moved = lxfw_affinity_apply(&follower->given, &follower->plan.step);
	pthread_mutex_lock(&follower->lock);
	return moved;
}

/* The CPUs may be empty: the share may exceed the machine, or the map may have failed.
   When lay_on() returns, the step may have ended and its folder may be gone. */
static void lay(struct lxfw_follower *follower, bool changed)
{
	const struct lxfw_follower_plan *plan = &follower->plan;
	char list[LXFW_CPU_LIST_TEXT];
	struct lxfw_cpus cpus;
	int moved = 0;

	lxfw_cpu_map_machine(&plan->map, &plan->share.cores, &cpus);
	if (lxfw_cpus_count(&cpus))
		moved = lay_on(follower, &cpus);
	if (follower->stop)
		return;
	follower->laid = now();
	tell_job(follower, &cpus);
	if (!changed)
		return;
	(void)lxfw_cpus_format(&cpus, list, sizeof(list));
	say(plan->info, follower,
	    "has %u processors, CPUs %s; %d threads moved",
	    plan->share.processors, list, moved);
}

/* Requests the shares of COUNT jobs. Releases the lock meanwhile, because the request
   may take long. Returns 0, or -1 with errno, also if the step has ended in the
   meantime. */
static int ask(struct lxfw_follower *follower, struct lxfw_job_share *jobs,
	       size_t count)
{
	const struct lxfw_share_source *source = &follower->plan.source;
	int result, why;

	pthread_mutex_unlock(&follower->lock);
	result = source->read(source->context, jobs, count);
	why = errno;
	pthread_mutex_lock(&follower->lock);
	errno = follower->stop ? ECANCELED : why;
	return follower->stop ? -1 : result;
}

/* Requests the shares of all jobs of the node and records them for their steps. */
static int ask_for_node(struct lxfw_follower *follower)
{
	const struct lxfw_share_dir *dir = follower->plan.dir;
	struct lxfw_job_share *jobs;
	size_t count, i;
	int why = 0;

	if (lxfw_share_dir_jobs(dir, &jobs, &count) < 0)
		return -1;
	if (ask(follower, jobs, count) < 0) {
		why = errno;
		count = 0;
	}
	for (i = 0; i < count; i++)
		if (jobs[i].answer == LXFW_SHARE_READ &&
		    lxfw_share_dir_tell(dir, jobs[i].job, &jobs[i].share) < 0)
			why = errno;
	free(jobs);
	errno = why;
	return why ? -1 : 0;
}

/* Determines the job's present share from the controller or from the recorded one. */
static enum lxfw_share_answer learn(struct lxfw_follower *follower,
				    struct lxfw_node_share *share)
{
	struct lxfw_share_dir *dir = follower->plan.dir;
	struct lxfw_job_share alone = { .job = follower->plan.step.job };

	if (!dir) {
		if (ask(follower, &alone, 1) < 0)
			return LXFW_SHARE_AWAY;
		*share = alone.share;
		return alone.answer;
	}
	(void)lxfw_share_dir_leads(dir);
	if (lxfw_share_dir_asks(dir) && ask_for_node(follower) < 0)
		return LXFW_SHARE_AWAY;
	return lxfw_share_dir_read(dir, share);
}

static void note_away(struct lxfw_follower *follower, int why)
{
	if (follower->failures++ == 0)
		say(follower->plan.info, follower,
		    "and others here keep their CPUs, their shares are "
		    	"unknown: %s",
		    strerror(why));
}

static void look(struct lxfw_follower *follower)
{
	struct lxfw_node_share share;
	bool changed;

	switch (learn(follower, &share)) {
	case LXFW_SHARE_AWAY:
		if (!follower->stop)
			note_away(follower, errno);
		return;
	case LXFW_SHARE_NONE:
		follower->failures = 0;
		return;
	case LXFW_SHARE_READ:
		follower->failures = 0;
		break;
	}
	changed = !lxfw_share_equal(&share, &follower->plan.share);
	follower->plan.share = share;
	if (changed)
		follower->told = false;
	/* The share is unchanged, but threads may have been created while it was
	   applied. */
	if (changed || (leads(follower) && !follower->told) ||
	    now() - follower->laid >= follower->plan.interval * 850LL)
		lay(follower, changed);
}

static long pause_of(struct lxfw_follower *follower)
{
	const struct lxfw_share_dir *dir = follower->plan.dir;
	bool asks = !dir || dir->asker >= 0;

	return lxfw_follower_pause(asks ? follower->plan.interval * 1000L : LOOK,
				   follower->failures, &follower->random);
}

/* Called by the last user of the follower. */
static void destroy(struct lxfw_follower *follower)
{
	pthread_mutex_destroy(&follower->lock);
	pthread_cond_destroy(&follower->wake);
	pthread_cond_destroy(&follower->ended);
	lxfw_cpu_map_free(&follower->plan.map);
	free(follower->node);
	free(follower);
}

static void *follow(void *argument)
{
	struct lxfw_follower *follower = argument;
	bool left_behind;

	pthread_mutex_lock(&follower->lock);
	lay(follower, true);
	while (!follower->stop) {
		struct timespec until = in(pause_of(follower));

		while (!follower->stop &&
		       pthread_cond_timedwait(&follower->wake, &follower->lock,
					      &until) == 0)
			;
		if (!follower->stop)
			look(follower);
	}
	follower->over = true;
	left_behind = follower->left_behind;
	pthread_cond_signal(&follower->ended);
	pthread_mutex_unlock(&follower->lock);
	if (left_behind)
		destroy(follower);
	return NULL;
}

static int start_thread(struct lxfw_follower *follower)
{
	pthread_condattr_t clock;
	sigset_t all, before;
	int why;

	pthread_mutex_init(&follower->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&follower->wake, &clock);
	pthread_cond_init(&follower->ended, &clock);
	pthread_condattr_destroy(&clock);
	/* slurmstepd must receive all signals itself. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	why = pthread_create(&follower->thread, NULL, follow, follower);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return why ? -1 : 0;
}

struct lxfw_follower *lxfw_follower_start(const struct lxfw_follower_plan *plan)
{
	struct lxfw_follower *follower;

	follower = calloc(1, sizeof(*follower));
	if (!follower)
		return NULL;
	follower->plan = *plan;
	follower->random = (unsigned)getpid() ^ (unsigned)time(NULL);
	follower->node = strdup(plan->step.node);
	follower->plan.step.node = follower->node;
	if (!follower->node || start_thread(follower) < 0) {
		int why = errno;

		free(follower->node);
		free(follower);
		errno = why;
		return NULL;
	}
	return follower;
}

void lxfw_follower_stop(struct lxfw_follower *follower)
{
	struct timespec until = in(PATIENCE);
	bool over;

	pthread_mutex_lock(&follower->lock);
	follower->stop = true;
	pthread_cond_signal(&follower->wake);
	while (!follower->over &&
	       pthread_cond_timedwait(&follower->ended, &follower->lock,
				      &until) == 0)
		;
	over = follower->over;
	follower->left_behind = !over;
	if (!over)
		pthread_detach(follower->thread);
	pthread_mutex_unlock(&follower->lock);
	if (!over)
		return;
	pthread_join(follower->thread, NULL);
	destroy(follower);
}
