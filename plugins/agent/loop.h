/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that makes passes. A pass is made when something has changed, when a
 * scheduled time is reached, and at least every 30 seconds. The thread looks for changes
 * four times a second, and when lxfw_loop_wake() is called. After a pass it rests for
 * ten times as long as it held the locks, for 20 ms at least and 1.25 s at most: changes
 * of that time are handled together. A process has at most one such thread. When it is
 * stopped, it looks once more, so that the journal contains the ends of jobs since the last
 * pass.
 *
 * A second thread, the watch, lets go if the first one has ended by itself, or has worked
 * for stall_seconds() at the same step: in the library, the journal or another file. Time
 * in which it waits for the workload manager's locks does not count, nor time in which the
 * watch did not run either, because the process was stopped. The workload manager then
 * schedules by itself, and the first thread, should it resume, ends without another access
 * to the workload manager, and without writing the files of suspensions and metrics, which
 * the watch writes now. It is started again by lxfw_loop_reconfigure(), if it has ended. A
 * stall under locks is only logged, because the workload manager could do nothing.
 */
#ifndef LXFW_AGENT_LOOP_H
#define LXFW_AGENT_LOOP_H

#include <stdbool.h>

#include "plugins/agent/agent.h"
#include "plugins/agent/let_go.h"

enum lxfw_fall_back {
	LXFW_FALL_BACK_BEGIN,	/* let the workload manager schedule by itself */
	LXFW_FALL_BACK_TICK,	/* called every second until the end */
	LXFW_FALL_BACK_RECONFIGURE,	/* the configuration has been read again, but the
				   thread still stalls */
	LXFW_FALL_BACK_END,	/* stop it */
	LXFW_FALL_BACK_LEAVE,	/* the same, finally, while another step does not end; it
				   must not access the workload manager any more */
};

/* Callbacks of the loop's owner. The thread calls them; the watch calls fall_back() and
   stall_seconds(), and lxfw_loop_stop() fall_back() for its end. */
struct lxfw_service {
	/* Name of the workload manager in log messages. */
	const char *name;
	/* Returns an initialized agent, or NULL if none can be created. It may call
	   STOPPING(LOOP) while it waits. */
	struct lxfw_agent *(*open)(bool (*stopping)(void *), void *loop);
	/* Destroys and frees the agent. */
	void (*close)(struct lxfw_agent *agent);
	/* Returns true if passes may be made now. Also called before open(). */
	bool (*may_run)(void);
	/* Returns true if the workload manager's records can be read while the thread
	   is stopped, as they can until lxfw_loop_stop() returns. NULL: they
	   cannot. */
	bool (*may_look)(void);
	/* The configuration has been read again. */
	void (*reconfigure)(struct lxfw_agent *agent);
	/* Returns the time after which the thread is taken for stalled; 0: the watch does
	   not let go. */
	unsigned int (*stall_seconds)(void);
	/* NULL: there is no watch. May not access the agent, which may be in use. STATE is
	   why the watch lets go, NULL except for LXFW_FALL_BACK_BEGIN. */
	void (*fall_back)(enum lxfw_fall_back step, const struct lxfw_let_go *state);
};

/* Starts the thread. Returns 0, or -1 if it runs already or cannot be started. SERVICE
   must stay valid. */
int lxfw_loop_start(const struct lxfw_service *service);

/* Stops the thread and waits for its end, but only for a few seconds. A thread that
   takes longer ends by itself and does not access the workload manager any more. Does
   nothing if the thread was not started. */
void lxfw_loop_stop(void);

/* Signals that the workload manager has handled a request: wlm.h's stirred() is called
   soon. May be called by any thread, with or without the workload manager's locks, as
   often as requests arrive. */
void lxfw_loop_wake(void);

/* Signals that the configuration has been read again. May be called with or without
   locks. */
void lxfw_loop_reconfigure(void);

#endif
