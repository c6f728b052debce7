/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated OpenPBS server: the functions of libpbs that plugins/pbs/calls.c calls, over
 * vnodes and jobs in memory. It refuses requests, loses jobs that nodes refuse, dies and comes
 * back. It checks what it is asked for by itself:
 *
 *   no vnode has more in use than it has; suspended jobs keep their memory. If they also
 *     keep their processors (fake_pbs.keeps), no job is suspended
 *   a job runs on what it requested: its chunks in their order, each on vnodes that have what it
 *     wants, its place, vnodes of one switch
 *   no job is started twice, or resumed that the scheduler has not suspended
 *   a job that should not end by then does not start on vnodes of a reservation
 *   jobs of dedicated, prime and nonprime queues run in their times, and no other job runs
 *     into dedicated time
 *   a reservation gets what it requested, on vnodes that are up and that no job or other
 *     occurrence has then
 *   no limit of running jobs is exceeded by a start, and no license of the server or the queue
 *   a job that a node refused is not started again at once
 *
 * fake_pbs.wrong is set if that is violated.
 */
#ifndef LXFW_TESTS_FAKE_PBS_H
#define LXFW_TESTS_FAKE_PBS_H

#include <stdbool.h>
#include <stdint.h>

#define FAKE_VNODES 8
#define FAKE_PBS_JOBS 300
#define FAKE_CHUNKS 6

struct fake_use {
	int ncpus, mem_mb, ngpus;
};

struct fake_vnode {
	char name[16], host[16];
	struct fake_use has;
	int on_switch;
	bool fast;
	bool up;
};

/* What a chunk wants of its vnodes. */
enum fake_want { FAKE_ANY, FAKE_FAST, FAKE_SLOW };

struct fake_pbs_job {
	int number, task;	/* task: -1, or of array NUMBER */
	int queue;		/* enum fake_queue */
	bool reserved;		/* in the queue of the reservation instead */
	char state;		/* Q H W R S E F */
	const char *holds, *depends;	/* of states H and W; NULL: unset */
	int64_t begin;		/* of state W */
	int chunks;
	struct fake_use chunk[FAKE_CHUNKS];
	enum fake_want want[FAKE_CHUNKS];
	bool mixed;		/* its chunks differ so much that they cannot all be the largest */
	int arrangement;	/* 0 free, 1 pack, 2 scatter, 3 vscatter */
	bool excl, rerunable;
	bool group;		/* all its vnodes are of one switch, if that is possible */
	int user, lic, priority;
	int64_t least;		/* min_walltime, beside a max_walltime of `walltime`; 0: none */
	bool impossible;	/* no host can have it */
	int64_t rank;		/* queue_rank; 0: none */
	int64_t submit, walltime, work, left, started, ran;
	int64_t ends;		/* of state E: time at which it is queued or over */
	bool again;		/* it is queued then */
	char vnodes[512];
	int on[FAKE_CHUNKS * FAKE_VNODES];
	struct fake_use part[FAKE_CHUNKS * FAKE_VNODES];
	int of[FAKE_CHUNKS * FAKE_VNODES];	/* the chunk of each part */
	int parts;
	int runs;
	int64_t bounced;	/* time at which a node refused it; 0: none did */
	int bounced_connections;	/* fake_pbs.connections then */
	bool by_sched;		/* the scheduler suspended it, or is to resume it */
	bool interrupted;	/* this run was suspended */
	int rerun;		/* fake_pbs.connections when the scheduler requeued it last */
	bool stopped;		/* it is in state S, or in E since then */
	char comment[200];
	int64_t estimated;
	char estimated_on[512];	/* exec_vnode */
	int accrue_type;	/* what its wait counts as, if the server counts that */
	int64_t mtime;		/* of the last change that the server saved */
	uint64_t saved;		/* hash of what was saved */
};

enum fake_queue { FAKE_WORKQ, FAKE_HIGH, FAKE_DEDICATED, FAKE_PRIME, FAKE_NONPRIME, FAKE_QUEUES };

/* Dedicated and prime times, each once; 0: none. In minutes, as the files have them. */
struct fake_times {
	int64_t dedicated_from, dedicated_to;
	int64_t prime_from, prime_to;
	bool backfill, exempt;
};

#define FAKE_OCCURRENCES 4

#define FAKE_ALTERED 11

/* A reservation; another one follows when it is over. It recurs if `count` is more than 1. */
struct fake_pbs_resv {
	int number, state;	/* state: 1 requested, 2 confirmed, 6 over or refused;
				   FAKE_ALTERED: a change waits for confirmation */
	int chunks, ncpus;
	int64_t start, end;	/* of the present occurrence */
	int64_t start_before, end_before;	/* of one that is altered */
	int count, index;	/* occurrences; the present one, from 1 on */
	int64_t period;
	char nodes[FAKE_OCCURRENCES][512];
	char sequence[2048];	/* as last confirmed */
	bool early;		/* it begins as early as possible, whenever that is */
	bool degraded;		/* some of its vnodes are down */
	bool refuses;		/* the server takes no answer */
	int64_t retry;
};

struct fake_pbs {
	struct fake_pbs_resv resv;
	struct fake_times times;
	bool preempts;		/* preemptive_sched, if there is a `priv` */
	int priority[FAKE_QUEUES];	/* of queues */
	char method;		/* Q: preempted jobs are requeued; 0: suspended, or if that
				   fails requeued */
	bool keeps;		/* suspended jobs keep their processors */
	bool quanta;		/* jobs get immediate service */
	const char *priv;	/* folder of the files that have them; NULL: none */
	uint64_t random;
	bool quiet;		/* nothing fails any more */
	int64_t now;
	bool alive, scheduling;
	bool stopped[FAKE_QUEUES];	/* these queues do not start jobs */
	int most_of_user;	/* limit of running jobs of a user; 0: none */
	int most_ncpus;		/* limit of processors that jobs of workq use; 0: none */
	const char *formula;	/* job_sort_formula of the scheduler; NULL: none */
	int threshold;		/* job_sort_formula_threshold; 0: unset */
	const char *server_formula;	/* that of the server */
	bool do_not_span;	/* do_not_span_psets */
	bool eligible_time;	/* eligible_time_enable */
	int depth;		/* backfill_depth of the server; 0: unset */
	bool plain;		/* the client is a user without privileges, 0 */
	bool hides;		/* it sees only its own jobs */
	bool hook;		/* a runjob hook rejects all starts */
	int soft_of_user;	/* soft limit of running jobs of a user; 0: none */
	int lic, queue_lic;	/* licenses of the server and of workq; 0: any number */
	bool no_lic;		/* no job requests one, and none is mixed */
	int64_t back;		/* time at which a dead server comes back */
	int registered[2];	/* connections of the scheduler, or 0 */
	int connections;
	int64_t connected;	/* time of the last one, which expires if it is plain */
	struct fake_vnode vnode[FAKE_VNODES];
	struct fake_pbs_job job[FAKE_PBS_JOBS];
	int jobs, numbers;
	int denies;		/* one in this number of starts is refused; 0: none */
	bool late;		/* starts without an answer are carried out late */
	int cut_after;		/* the connection is lost after this number of them; 0: it
				   is not lost */
	bool carried_out;	/* those that wait then are */
	int in_a_row, most_in_a_row;	/* starts without an answer after one with it */
	int starts, refusals, bounces, suspensions, resumptions, requeues, deaths, comments,
		lost, lics, mixed, arrays, operated, estimates, confirmed, denied, recurring, replaced,
		dedicated, prime, nonprime,	/* starts in these queues */
		accruals, batches, checkpoints, silences, offs, withdrawn, unanswered;
	int wanted;		/* number of the job that an operator runs; or 0 */
	int run_now;		/* jobs that operators have run */
	char answer[100];	/* to the last job of an operator: "runs", or why not */
	char wrong[300];
};

extern struct fake_pbs fake_pbs;

/* PRIV is a folder for the files of the scheduler, or NULL. */
void fake_pbs_begin(uint64_t seed, const char *priv);
/* Advances time, and lets events happen. */
void fake_pbs_step(void);
/* 0 to MOST - 1. */
int fake_pbs_roll(int most);
bool fake_pbs_all_over(void);
int64_t fake_pbs_clock(void);

#endif
