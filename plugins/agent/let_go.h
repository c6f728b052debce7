/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the scheduler's thread when the workload manager begins to schedule by
 * itself. The agent is not accessible then: the thread may be using it.
 */
#ifndef LXFW_AGENT_LET_GO_H
#define LXFW_AGENT_LET_GO_H

#include <stddef.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

struct lxfw_let_go {
	enum lxfw_let_go_reason reason;
	unsigned int seconds;	/* for which the thread has stalled */
	const char *step;	/* at which it stalls, or NULL */
	/* Set by lxfw_let_go_note() after a pass. */
	int64_t last;		/* time of the last pass; 0: there was none */
	struct lxfw_pass_counts counts;
	struct lxfw_agent_counts total;
	size_t jobs, waiting, running;
	int32_t hosts;
};

/* Notes the state of AGENT after a pass. */
void lxfw_let_go_note(struct lxfw_let_go *state, const struct lxfw_agent *agent);

/* Returns the reason in words: "the scheduler's thread stalls". */
const char *lxfw_let_go_why(const struct lxfw_let_go *state);

/* Writes the state at second NOW to a file, for a report. Returns 0, or -1 with errno
   set. */
int lxfw_let_go_write(const struct lxfw_let_go *state, int64_t now, const char *path);

#endif
