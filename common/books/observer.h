/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Observers follow the jobs of a scheduler: immediate service, EQspatial, job classes.
 * Each attaches a table of functions and a state, and the scheduler calls the functions
 * that are defined. The rest of the scheduler does not depend on them. Without observers
 * a call costs one comparison.
 *
 * Observers are called in the order in which they were attached, and are independent of
 * each other. A function of type void cannot fail; what it needs has been allocated
 * before.
 */
#ifndef LXFW_BOOKS_OBSERVER_H
#define LXFW_BOOKS_OBSERVER_H

#include <assert.h>

#include "common/books/books.h"

/* Functions of an observer; each may be NULL. STATE is the state that was attached. */
struct lxfw_observer {
	const char *name;	/* its address identifies the state */
	/* Called before and after a pass. Return 0, or -1 with errno ENOMEM. */
	int (*before_pass)(struct lxfw_sched *sched, void *state);
	int (*after_pass)(struct lxfw_sched *sched, void *state);
	/* sched->job_classes has changed. */
	void (*job_classes)(struct lxfw_sched *sched, void *state);
	/* Allocate memory for one more running job; called before its claim is made.
	   Returns 0, or -1 with errno ENOMEM. */
	int (*ready)(struct lxfw_sched *sched, void *state);
	/* A job has been submitted and is about to be queued. Returns 0, or -1 with errno
	   ENOMEM. */
	int (*arrived)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A job has entered its class, for the first time or again. */
	void (*queued)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A job that is assigned to a host, and is in no class, leaves the host. */
	void (*unassigned)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A job has started or was resumed, and has its claim. */
	void (*running)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A waiting job runs that was not started by this scheduler; called after
	   `running`. */
	void (*adopted)(struct lxfw_sched *sched, void *state, int32_t job);
	/* The processors of a running job have changed. */
	void (*resized)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A running job is reported with these shares. Returns true if the observer
	   expects them and nothing else is to be done. */
	bool (*reported)(struct lxfw_sched *sched, void *state, int32_t job,
			 const struct lxfw_share *shares, int32_t count);
	/* A running job stops, or has changed its shares; it still has its old claim. */
	void (*leaving)(struct lxfw_sched *sched, void *state, int32_t job);
	/* It stops because it has ended; called after `leaving`. */
	void (*ended)(struct lxfw_sched *sched, void *state, int32_t job);
	/* The slot of the job is about to be released. */
	void (*forgotten)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A class of equal requests has been created, or is about to be released. */
	void (*class_made)(struct lxfw_sched *sched, void *state, int32_t class);
	void (*class_gone)(struct lxfw_sched *sched, void *state, int32_t class);
	/* Time at which a decision is needed even without an event, or LXFW_NEVER. */
	int64_t (*wake)(const struct lxfw_sched *sched, const void *state);
	/* The scheduler is being destroyed; release the state. */
	void (*clear)(struct lxfw_sched *sched, void *state);
};

/* Attach an observer until the scheduler is destroyed. */
static inline void lxfw_observe(struct lxfw_sched *sched,
				const struct lxfw_observer *observer, void *state)
{
	assert(sched->observer_count < LXFW_OBSERVERS_MAX);
	sched->observers[sched->observer_count++] =
		(struct lxfw_attached){ observer, observer->name, state };
}

/* The state of the observer whose name is at this address, or NULL if none is
   attached. */
static inline void *lxfw_observer_state(const struct lxfw_sched *sched,
					const char *name)
{
	for (int i = 0; i < sched->observer_count; i++) {
		if (sched->observers[i].name == name)
			return sched->observers[i].state;
	}
	return NULL;
}

/* lxfw_observed_WHAT(sched, index) calls WHAT of every observer that defines it. */
#define LXFW_OBSERVED(what) \
	static inline void lxfw_observed_##what(struct lxfw_sched *sched, \
						int32_t index) \
	{ \
		for (int i = 0; i < sched->observer_count; i++) { \
			const struct lxfw_attached *at = &sched->observers[i]; \
			\
			if (at->observer->what) \
				at->observer->what(sched, at->state, index); \
		} \
	}
LXFW_OBSERVED(queued)
LXFW_OBSERVED(unassigned)
LXFW_OBSERVED(running)
LXFW_OBSERVED(adopted)
LXFW_OBSERVED(resized)
LXFW_OBSERVED(leaving)
LXFW_OBSERVED(ended)
LXFW_OBSERVED(forgotten)
LXFW_OBSERVED(class_made)
LXFW_OBSERVED(class_gone)
#undef LXFW_OBSERVED

/* lxfw_observers_WHAT(sched) calls WHAT of every observer that defines it, until one
   fails. Returns 0, or -1 with errno ENOMEM. */
#define LXFW_OBSERVERS(what) \
	static inline int lxfw_observers_##what(struct lxfw_sched *sched) \
	{ \
		for (int i = 0; i < sched->observer_count; i++) { \
			const struct lxfw_attached *at = &sched->observers[i]; \
			\
			if (at->observer->what && \
			    at->observer->what(sched, at->state) < 0) \
				return -1; \
		} \
		return 0; \
	}
LXFW_OBSERVERS(ready)
LXFW_OBSERVERS(before_pass)
LXFW_OBSERVERS(after_pass)
#undef LXFW_OBSERVERS

static inline void lxfw_observed_job_classes(struct lxfw_sched *sched)
{
	for (int i = 0; i < sched->observer_count; i++) {
		const struct lxfw_attached *at = &sched->observers[i];

		if (at->observer->job_classes)
			at->observer->job_classes(sched, at->state);
	}
}

static inline int lxfw_observed_arrived(struct lxfw_sched *sched, int32_t job)
{
	for (int i = 0; i < sched->observer_count; i++) {
		const struct lxfw_attached *at = &sched->observers[i];

		if (at->observer->arrived &&
		    at->observer->arrived(sched, at->state, job) < 0)
			return -1;
	}
	return 0;
}

static inline bool lxfw_observed_reported(struct lxfw_sched *sched, int32_t job,
					  const struct lxfw_share *shares,
					  int32_t count)
{
	for (int i = 0; i < sched->observer_count; i++) {
		const struct lxfw_attached *at = &sched->observers[i];

		if (at->observer->reported &&
		    at->observer->reported(sched, at->state, job, shares, count))
			return true;
	}
	return false;
}

/* The earliest time at which an observer needs a decision. */
static inline int64_t lxfw_observers_wake(const struct lxfw_sched *sched)
{
	int64_t wake = LXFW_NEVER;

	for (int i = 0; i < sched->observer_count; i++) {
		const struct lxfw_attached *at = &sched->observers[i];
		int64_t time = at->observer->wake ?
			       at->observer->wake(sched, at->state) : LXFW_NEVER;

		if (time < wake)
			wake = time;
	}
	return wake;
}

static inline void lxfw_observers_clear(struct lxfw_sched *sched)
{
	for (int i = 0; i < sched->observer_count; i++) {
		const struct lxfw_attached *at = &sched->observers[i];

		if (at->observer->clear)
			at->observer->clear(sched, at->state);
	}
	sched->observer_count = 0;
}

#endif
