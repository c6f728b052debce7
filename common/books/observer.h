/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who keeps account of jobs beside the books: immediate service, EQspatial, job
 * classes. Each attaches a table of functions and its state, and the books call those
 * functions that it has. Neither the books nor the scheduler know any of them by name.
 * With none attached a call costs one compare.
 *
 * Observers are called in the order in which they were attached, and no one rests on
 * another. A function that returns nothing cannot fail: what it needs was made ready.
 */
#ifndef LXFW_BOOKS_OBSERVER_H
#define LXFW_BOOKS_OBSERVER_H

#include <assert.h>

#include "common/books/books.h"

/* STATE is what was given when the observer was attached. Any may be NULL. */
struct lxfw_observer {
	const char *name;	/* its address tells the state from that of others */
	/* Before a pass, and after one. 0, or -1 with errno ENOMEM. */
	int (*before_pass)(struct lxfw_sched *sched, void *state);
	int (*after_pass)(struct lxfw_sched *sched, void *state);
	/* sched->job_classes are others from now on. */
	void (*job_classes)(struct lxfw_sched *sched, void *state);
	/* Make room for one more job that runs, before the claim is made. 0, or -1
	   with errno ENOMEM. */
	int (*ready)(struct lxfw_sched *sched, void *state);
	/* A job arrives: it is about to wait. 0, or -1 with errno ENOMEM. */
	int (*arrived)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A job has come, or come back, to its class in the queue. */
	void (*queued)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A job that is assigned to a host, and is in no class, leaves it. */
	void (*unassigned)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A job runs from now on, its claim made; it did not before. */
	void (*running)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A job that waited runs, by others than this scheduler; after `running`. */
	void (*adopted)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A running job has other processors than before. */
	void (*resized)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A running job is reported to run on these shares. True: the observer knows
	   why, and nothing else is to be done. */
	bool (*reported)(struct lxfw_sched *sched, void *state, int32_t job,
			 const struct lxfw_share *shares, int32_t count);
	/* A running job leaves its place, or has changed it; its claim still stands. */
	void (*leaving)(struct lxfw_sched *sched, void *state, int32_t job);
	/* It leaves because it has ended; after `leaving`. */
	void (*ended)(struct lxfw_sched *sched, void *state, int32_t job);
	/* The job's slot is about to be free. */
	void (*forgotten)(struct lxfw_sched *sched, void *state, int32_t job);
	/* A class of equal requests is made, or about to go. */
	void (*class_made)(struct lxfw_sched *sched, void *state, int32_t class);
	void (*class_gone)(struct lxfw_sched *sched, void *state, int32_t class);
	/* When it wants a decision though no event comes, or LXFW_NEVER. */
	int64_t (*wake)(const struct lxfw_sched *sched, const void *state);
	/* The scheduler goes: free the state. */
	void (*clear)(struct lxfw_sched *sched, void *state);
};

/* Attach an observer for the rest of the scheduler's life. */
static inline void lxfw_observe(struct lxfw_sched *sched,
				const struct lxfw_observer *observer, void *state)
{
	assert(sched->observer_count < LXFW_OBSERVERS_MAX);
	sched->observers[sched->observer_count++] =
		(struct lxfw_attached){ observer, observer->name, state };
}

/* The state of the observer with that name, at that address; NULL if none is attached. */
static inline void *lxfw_observer_state(const struct lxfw_sched *sched,
					const char *name)
{
	for (int i = 0; i < sched->observer_count; i++) {
		if (sched->observers[i].name == name)
			return sched->observers[i].state;
	}
	return NULL;
}

/* lxfw_observed_WHAT(sched, index) calls WHAT of all who have it. */
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

/* lxfw_observers_WHAT(sched) calls WHAT of all who have it, up to the first that fails.
   0, or -1 with errno ENOMEM. */
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

/* The first time at which any wants a decision. */
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
