/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated workload manager that implements plugins/agent/wlm.h for tests of the
 * agent. It refuses, delays, reports wrong states, loses what it has not saved, and
 * dies at any point. Events are drawn from random numbers with a seed, or from the
 * bytes of a fuzzer; if all bytes are zero, no error occurs.
 *
 * Nodes have a separate state. They receive suspensions and resumptions some seconds
 * later, in any order, or not at all.
 *
 *   fake_truth.c   random numbers, and the true state of jobs and nodes
 *   fake_wlm.c     the operations of wlm.h
 *   fake_world.c   events of hosts, jobs and the process
 *
 * fake->wrong is set if an invariant is violated:
 *
 *   a job is started while the agent knows that it runs
 *   hosts are overcommitted where the agent could know it
 *   a job is requeued that has no quantum, or before its quantum ends
 *   a job is started or suspended in shadow mode
 *   a job is resumed that the agent did not suspend, or is suspended more often than
 *   its bound permits
 *   the agent's model differs from what was shown, or from the library's
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

/* The record of a job. */
struct fake_record {
	enum lxfw_phase phase;
	int32_t count;
	struct lxfw_share shares[FAKE_HOSTS];
	int64_t ran;		/* seconds during which the record was in state running */
	int64_t until;		/* end of its quantum; 0 if it was not started for one */
	int64_t suspended_for;	/* seconds */
	uint32_t runs;		/* number of runs, including this one */
	int64_t began;		/* time of the start, not by the clock */
};

/* A suspension (STOP) or resumption in transit to the nodes. */
struct fake_message {
	int64_t at;
	bool stop;
};

struct fake_job {
	struct lxfw_request request;
	struct fake_record record, saved;
	int64_t priority, delay;	/* the workload manager's own */
	int64_t changed;	/* time since which the record differs from the saved
	                	 * one; 0 if it does not */
	int64_t work, left;	/* run time in seconds, and what remains of it */
	bool held;		/* by the user */
	bool restarted;		/* it was started before */
	int64_t submit;		/* time of the first submission */
	bool age_lost;		/* it was requeued by others than the agent */
	bool requeued;		/* by the agent */
	bool dead;		/* the agent requeued it, which was not saved: it runs,
	                	 * and on no node */
	int64_t missing;	/* seconds in which the nodes could have reported it */
	/* State on the nodes. */
	bool stopped;
	struct fake_message message[4];
	int messages;
	/* Operations in progress. */
	int64_t begins;		/* time at which a requested start takes effect; 0 if
	               		 * none */
	bool fails;		/* the start fails */
	bool strays;		/* it starts elsewhere than requested */
	int64_t unsettled;	/* time before which it cannot be started after its
	                  	 * quantum */
	int64_t cleaned;	/* time until which Slurm cleans up after its last run */
	int64_t waits_since;
	/* What the agent can know of the job since its last start. */
	bool known_running;
	int64_t asked;		/* time of the requested start that was answered with
	              		 * "later" */
	uint32_t jumps;		/* clock jumps before that */
	int32_t suspensions;	/* for others, since the job was started */
	int64_t spared_until;	/* the agent must not suspend it for others before, if the
				 * sum of what confuses it is still `confusion` */
	uint64_t confusion;
	uint32_t deaths;	/* of the agent, before the job was started */
	uint64_t rebuilds;	/* number of rebuilds of the model when the job was
	                  	 * started */
};

struct fake_counts {
	uint32_t starts, late, elsewhere, refusals, suspensions, victims,
		resumptions, requeues, reminders, crashes, lost_records, lost_messages, jumps,
		vanished, deferred, omitted, switches;
};

/* Of shadow mode; all 0 unless it may begin. */
struct fake_shadow_counts {
	uint32_t begun, starts, resumptions;
};

struct fake {
	struct lxfw_agent agent;
	bool alive;		/* the agent */
	uint64_t born_us;	/* time at which it came up */
	/* Source of random decisions. */
	uint64_t random;
	const uint8_t *bytes;	/* if NULL, `random` is used */
	size_t byte_count;
	bool quiet;		/* no further errors occur */
	bool faulty;		/* memory and files fail: the agent may be short of either */
	bool may_shadow;	/* shadow mode begins and ends; during it the workload
	             		 * manager starts jobs by itself */
	int64_t now;		/* by the clock, which may jump */
	int64_t ticks;		/* seconds since the beginning */
	bool up[FAKE_HOSTS];
	int64_t silent[FAKE_HOSTS], heard[FAKE_HOSTS];
	struct fake_job job[FAKE_JOBS];
	int jobs;
	bool changed;		/* changes since the agent's last look */
	bool hidden;		/* changes that the agent has not seen */
	bool sets_shown;
	bool unsaved;		/* records have changed since the last start: a crash
	             		 * loses what is not saved */
	int64_t last_pass;
	char folder[64];
	char journal[128];	/* path of a journal; empty: none is written */
	jmp_buf death;		/* longjmp() target when the process dies */
	struct fake_counts counts;
	struct fake_shadow_counts shadow;
	char wrong[320];	/* violated invariant, or empty */
};

/* FAKE must be zeroed except for its source of random decisions and `folder`, which
 * must exist. */
void fake_begin(struct fake *fake);
void fake_end(struct fake *fake);

/* Advance time, let events happen, and run a pass of the agent if one is due. */
void fake_step(struct fake *fake);

/* The clock jumps by BY seconds. */
void fake_jump(struct fake *fake, int64_t by);

/* A second passes in which nothing happens but a pass of the agent, if one is due. */
void fake_idle(struct fake *fake);

/* Continue without further errors until all jobs have ended. Return false if that takes
 * too long. */
bool fake_finish(struct fake *fake);

#endif
