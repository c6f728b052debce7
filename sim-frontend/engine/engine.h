/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The virtual clock: takes events from a world in the order of time, hands them
 * to the scheduler, asks it to decide, and carries its starts out.
 *
 * At one time: other events (hosts, parameters, changes) first, then the ends of
 * jobs in the order in which they were started, then submissions in their order.
 * With LXFW_PASS_TIMESTAMP one decision follows all of them, as in the live
 * plugin; with LXFW_PASS_EVENT one follows each single end and submission, as in
 * many simulators.
 */
#ifndef LXFW_ENGINE_ENGINE_H
#define LXFW_ENGINE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "sim-frontend/engine/journal_writer.h"

enum lxfw_pass {
	LXFW_PASS_TIMESTAMP,
	LXFW_PASS_EVENT,
};

/* What the engine runs in. Functions return -1 with errno and ERROR set to end
   the run. */
struct lxfw_world {
	void *context;

	/* The next submission, in the order of time: fills in *REQUEST and
	   *TIME and returns 1; 0 when there are no more. */
	int (*submission)(void *context, struct lxfw_request *request,
			  int64_t *time);

	/* The job of the action starts now; how long it holds its hosts is
	   returned: 1 or more seconds, or LXFW_NEVER. */
	int64_t (*started)(void *context, const struct lxfw_action *action,
			   struct lxfw_error *error);

	/* The next other event, in the order of time; NULL when there are no
	   more. Valid until the next call. */
	const struct lxfw_event *(*other)(void *context);

	/* Called after each decision, before it is carried out. May be NULL. */
	void (*decided)(void *context, int64_t now,
			const struct lxfw_decision *decision);

	/* Called now and then; DONE submissions so far. May be NULL. */
	void (*progress)(void *context, size_t done);
};

struct lxfw_engine_result {
	size_t submitted, started, ended;
	size_t events;		/* handed to the scheduler */
	size_t decisions;
	size_t waiting;		/* left at the end */
};

/*
 * Run the world to its end. JOURNAL may be NULL. 0, or -1 with errno and ERROR
 * set; EDEADLK when jobs wait that can never start (ERROR is for the caller to
 * fill: it knows which).
 */
int lxfw_engine_run(const struct lxfw_world *world,
		    const struct lxfw_params *params, enum lxfw_pass pass,
		    struct lxfw_journal_writer *journal,
		    struct lxfw_engine_result *result,
		    struct lxfw_error *error);

#endif
