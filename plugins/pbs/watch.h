/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that notices when the server does not answer. libpbs waits for an answer for hours.
 *
 * Each thread records when it begins a step that may wait for the server. If the step takes long,
 * the watch logs that, and later shuts the connections down: the request fails, and the daemon
 * connects again and reads all objects. If the step still does not end, for example because the
 * daemon is connecting, the watch does not notify systemd any more, which then restarts the daemon
 * (WatchdogSec= of the unit).
 */
#ifndef LXFW_PBS_WATCH_H
#define LXFW_PBS_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define LXFW_PBS_PATIENCE 300

/* What a thread waits for. */
struct lxfw_pbs_wait {
	atomic_llong since_ms;	/* of the monotonic clock; 0: for nothing */
};

struct lxfw_pbs_watch {
	struct lxfw_pbs_wait passes;	/* the thread that makes passes: the locks are held */
	struct lxfw_pbs_wait commands;	/* the thread that reads commands: it works */
	atomic_int sockets[2];	/* the connections; -1: none */
	int signals;		/* signalfd(2), not blocking, of the thread that reads
				   commands; -1: none */
	int64_t log_ms, break_ms;	/* times after which a stall is logged, and the
				   connections are broken */
	/* Only the watch uses these, and the tests. */
	int64_t logged_ms;	/* beginning of the stall that was logged last */
	int64_t broken_ms;	/* of the stall whose connections were broken last */
	int64_t signal_ms;	/* time since which a signal waits; 0: none does */
};

int64_t lxfw_pbs_now_ms(void);

static inline void lxfw_pbs_wait_begin(struct lxfw_pbs_wait *wait)
{
	atomic_store(&wait->since_ms, lxfw_pbs_now_ms());
}

static inline void lxfw_pbs_wait_end(struct lxfw_pbs_wait *wait)
{
	atomic_store(&wait->since_ms, 0);
}

/* Initializes the watch: the connections are shut down after SECONDS without an answer, and a stall
   is logged after a tenth of that time. */
void lxfw_pbs_watch_init(struct lxfw_pbs_watch *watch, int64_t seconds);

/* What the watch does once a second. Returns false if a signal that ends the daemon has waited
   for long. *HEALTHY is set to whether systemd may be told that the daemon works. */
bool lxfw_pbs_watch_look(struct lxfw_pbs_watch *watch, int64_t now_ms, bool *healthy);

/* Starts the thread. Returns 0, or -1 if it cannot be started. It never ends. */
int lxfw_pbs_watch_start(struct lxfw_pbs_watch *watch);

/* Sends STATE, "READY=1" for instance, to the service manager, if there is one
   (sd_notify(3)). */
void lxfw_pbs_notify(const char *state);

#endif
