/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload manager below the seam of plugins/agent/wlm.h, for tests of the agent: it
 * refuses, delays, lies, loses what it has not saved, and dies in the middle of anything.
 * What happens is drawn by a number's random numbers, or read from bytes of a fuzzer; all
 * zeroes are a workload manager without any trouble.
 *
 * Nodes have a truth of their own. They hear of suspensions and resumptions some seconds
 * later, in any order, or not at all.
 *
 *   fake_truth.c   chance, and what is true of jobs and nodes
 *   fake_wlm.c     the operations of wlm.h
 *   fake_world.c   what happens to hosts, jobs and the process
 *
 * What must never be makes fake->wrong say what is wrong:
 *
 *   a job is started while the agent knows that it runs
 *   hosts are overbooked, where the agent could know it
 *   a job is requeued that is in no quantum, or before its end
 *   a job is resumed that nobody suspended, or suspended more often than it may be
 *   the agent's books differ from what was shown, or from the library's
 */
#ifndef LXFW_TESTS_FAKE_WLM_H
#define LXFW_TESTS_FAKE_WLM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

#define FAKE_HOSTS 5
#define FAKE_JOBS 40

/* What a job's record says. */
struct fake_record {
	enum lxfw_phase phase;
	int32_t count;
	struct lxfw_share shares[FAKE_HOSTS];
	int64_t ran;		/* seconds while the record said that it ran */
	int64_t until;		/* of its quantum; 0: it was not started for one */
	int64_t suspended_for;	/* seconds */
	uint32_t runs;		/* so far, this one included */
};

/* A suspension (STOP) or resumption that is on its way to the nodes. */
struct fake_message {
	int64_t at;
	bool stop;
};

struct fake_job {
	struct lxfw_request request;
	struct fake_record record, saved;
	int64_t priority, delay;	/* the workload manager's own */
	int64_t changed;	/* second in which the record differed first from what
				   was saved; 0: it does not */
	int64_t work, left;	/* seconds that it runs, and is still to run */
	bool held;		/* by its user */
	bool restarted;		/* it was started before */
	int64_t submit;		/* when it was submitted first */
	bool age_lost;		/* others than the agent have requeued it */
	/* On the nodes. */
	bool stopped;
	struct fake_message message[4];
	int messages;
	/* Under way. */
	int64_t begins;		/* a start that was asked for comes about; 0 */
	bool fails;		/* or does not */
	bool strays;		/* it runs elsewhere than was asked for */
	int64_t unsettled;	/* after its quantum it cannot be started before */
	int64_t cleaned;	/* the end of its last run is cleaned up after */
	/* What the agent can know of it, in this life. */
	bool known_running;
	int64_t asked;		/* for a start, and that was answered by "later" */
	uint32_t jumps;		/* of the clock, before that */
	int32_t suspensions;	/* for others, since it was started */
	uint32_t deaths;	/* of the agent, before it was started */
	uint64_t rebuilds;	/* of its books when the job was started */
};

struct fake_counts {
	uint32_t starts, late, elsewhere, refusals, suspensions, victims,
		resumptions, requeues, reminders, crashes, lost_records, lost_messages, jumps,
		vanished, deferred;
};

struct fake {
	struct lxfw_agent agent;
	bool alive;		/* the agent */
	/* Where chance comes from. */
	uint64_t random;
	const uint8_t *bytes;	/* NULL: from `random` */
	size_t byte_count;
	bool quiet;		/* nothing goes wrong any more */
	int64_t now;		/* by the clock of the day, which may jump */
	int64_t ticks;		/* seconds that have passed */
	bool up[FAKE_HOSTS];
	int64_t silent[FAKE_HOSTS], heard[FAKE_HOSTS];
	struct fake_job job[FAKE_JOBS];
	int jobs;
	bool changed;		/* since the last look */
	bool hidden;		/* something that the agent has not seen */
	bool sets_shown;
	bool unsaved;		/* records have changed in a life: a crash would lose
				   what is not saved */
	int64_t last_pass;
	char folder[64];
	jmp_buf death;		/* where the process goes when it dies */
	struct fake_counts counts;
	char wrong[320];	/* what must never be; empty */
};

/* FAKE is zeroed but for where chance comes from and `folder`, which is there. */
void fake_begin(struct fake *fake);
void fake_end(struct fake *fake);

/* Some time passes, things happen, and the agent makes a pass if one is due. */
void fake_step(struct fake *fake);

/* Without any more trouble, until all jobs are over: false if that takes too long. */
bool fake_finish(struct fake *fake);

#endif
