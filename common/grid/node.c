/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/node.h"

#include <stdlib.h>

#include "common/model/time.h"
#include "common/util/grow.h"

/* --- lists ------------------------------------------------------------------------------- */

static void link_job(struct lxfw_nodes *nodes, int32_t *first, int32_t previous, int32_t job)
{
	struct lxfw_node_job *jobs = nodes->jobs;
	int32_t next = previous >= 0 ? jobs[previous].next : *first;

	jobs[job].previous = previous;
	jobs[job].next = next;
	if (previous >= 0)
		jobs[previous].next = job;
	else
		*first = job;
	if (next >= 0)
		jobs[next].previous = job;
}

static void unlink_job(struct lxfw_nodes *nodes, int32_t *first, int32_t job)
{
	struct lxfw_node_job *jobs = nodes->jobs;

	if (jobs[job].previous >= 0)
		jobs[jobs[job].previous].next = jobs[job].next;
	else
		*first = jobs[job].next;
	if (jobs[job].next >= 0)
		jobs[jobs[job].next].previous = jobs[job].previous;
}

void lxfw_nodes_begin(struct lxfw_nodes *nodes, int32_t count)
{
	for (int32_t i = 0; i < nodes->node_count; i++) {
		struct lxfw_node *node = &nodes->nodes[i];

		*node = (struct lxfw_node){
			.procs = node->procs, .memory = node->memory, .speed = node->speed,
			.free_procs = node->procs, .free_memory = node->memory,
			.first_waiting = -1, .first_running = -1, .wake = LXFW_NEVER,
		};
	}
	for (int32_t i = 0; i < count; i++) {
		nodes->jobs[i].ran = 0;
		nodes->jobs[i].node = nodes->jobs[i].previous = nodes->jobs[i].next = -1;
		nodes->jobs[i].state = LXFW_NODE_JOB_AWAY;
	}
}

void lxfw_nodes_clear(struct lxfw_nodes *nodes)
{
	free(nodes->victims);
	free(nodes->chosen);
	free(nodes->stopped);
	nodes->victims = nodes->chosen = NULL;
	nodes->stopped = NULL;
	nodes->victims_size = nodes->chosen_size = nodes->stopped_size = 0;
}

/* --- jobs ---------------------------------------------------------------------------------- */

static int64_t time_of(int64_t work, int32_t speed)
{
	return work > 0 ? (work + speed - 1) / speed : 0;
}

bool lxfw_node_can_run(const struct lxfw_node *node, const struct lxfw_node_job *job)
{
	return job->procs <= node->procs && job->speed <= node->speed &&
	       (job->memory <= node->memory || node->memory == 0);
}

bool lxfw_node_has_room(const struct lxfw_node *node, const struct lxfw_node_job *job)
{
	return job->procs <= node->free_procs &&
	       (job->memory <= node->free_memory || node->memory == 0);
}

/* Whether waiting job A is before B. */
static bool is_before(const struct lxfw_node_job *jobs, int32_t a, int32_t b)
{
	if (jobs[a].rank != jobs[b].rank)
		return jobs[a].rank > jobs[b].rank;
	return jobs[a].submit != jobs[b].submit ? jobs[a].submit < jobs[b].submit : a < b;
}

void lxfw_nodes_enter(struct lxfw_nodes *nodes, int32_t index, int32_t at, int64_t now)
{
	const struct lxfw_node_rules *rules = &nodes->rules;
	struct lxfw_node *node = &nodes->nodes[at];
	struct lxfw_node_job *job = &nodes->jobs[index];
	int32_t previous = -1;

	job->node = at;
	job->state = LXFW_NODE_JOB_WAITING;
	job->since = now;
	job->rank = -rules->wait * (job->submit + job->ran) -
		    rules->time * time_of(job->estimate, node->speed);
	for (int32_t next = node->first_waiting;
	     next >= 0 && is_before(nodes->jobs, next, index); next = nodes->jobs[next].next)
		previous = next;
	link_job(nodes, &node->first_waiting, previous, index);
	node->waiting++;
	node->queued_procs += job->procs;
	node->queued_memory += job->memory;
}

void lxfw_nodes_leave(struct lxfw_nodes *nodes, int32_t index)
{
	struct lxfw_node_job *job = &nodes->jobs[index];
	struct lxfw_node *node = &nodes->nodes[job->node];

	unlink_job(nodes, &node->first_waiting, index);
	node->waiting--;
	node->queued_procs -= job->procs;
	node->queued_memory -= job->memory;
	job->state = LXFW_NODE_JOB_AWAY;
	job->node = -1;
}

/* The running job does not run any more. */
static void stop(struct lxfw_nodes *nodes, int32_t index)
{
	struct lxfw_node_job *job = &nodes->jobs[index];
	struct lxfw_node *node = &nodes->nodes[job->node];

	unlink_job(nodes, &node->first_running, index);
	node->running--;
	node->free_procs += job->procs;
	node->free_memory += job->memory;
}

void lxfw_nodes_end(struct lxfw_nodes *nodes, int32_t index)
{
	stop(nodes, index);
	nodes->jobs[index].state = LXFW_NODE_JOB_ENDED;
}

static void start(struct lxfw_nodes *nodes, int32_t index, int64_t now)
{
	struct lxfw_node_job *job = &nodes->jobs[index];
	int32_t at = job->node;
	struct lxfw_node *node = &nodes->nodes[at];

	lxfw_nodes_leave(nodes, index);
	job->node = at;
	job->state = LXFW_NODE_JOB_RUNNING;
	job->since = now;
	node->free_procs -= job->procs;
	node->free_memory -= job->memory;
	node->running++;
	link_job(nodes, &node->first_running, -1, index);
	nodes->started(nodes->context, index, time_of(job->work, node->speed));
}

/* What the job has done since its start is taken from its work. */
static void preempt(struct lxfw_nodes *nodes, int32_t index, int64_t now)
{
	struct lxfw_node_job *job = &nodes->jobs[index];
	int64_t done = (now - job->since) * nodes->nodes[job->node].speed;

	stop(nodes, index);
	job->work -= done;
	job->estimate -= done;
	job->ran += now - job->since;
	job->state = LXFW_NODE_JOB_AWAY;
}

/* --- preemption ---------------------------------------------------------------------------- */

/* Rest of the estimate of a running job. */
static int64_t rest_of(const struct lxfw_nodes *nodes, const struct lxfw_node_job *job,
		       int64_t now)
{
	int64_t rest = time_of(job->estimate, nodes->nodes[job->node].speed) -
		       (now - job->since);

	return rest > 0 ? rest : 0;
}

/* Lowest priority first. */
static int by_priority(const void *one, const void *other)
{
	const struct lxfw_node_victim *a = one, *b = other;

	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit > b->submit ? -1 : 1;
	return a->job > b->job ? -1 : a->job < b->job;
}

/* Smallest first. */
static int by_size(const void *one, const void *other)
{
	const struct lxfw_node_victim *a = one, *b = other;

	if (a->procs != b->procs)
		return a->procs < b->procs ? -1 : 1;
	if (a->memory != b->memory)
		return a->memory < b->memory ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit > b->submit ? -1 : 1;
	return a->job > b->job ? -1 : a->job < b->job;
}

/* One that starts in a pass is not preempted in it, and is not collected. */
static int collect(struct lxfw_nodes *nodes, const struct lxfw_node *node, int64_t now)
{
	const struct lxfw_node_rules *rules = &nodes->rules;

	nodes->victim_count = 0;
	if (!rules->preempts || node->waiting == 0)
		return 0;
	if (LXFW_GROW(nodes->victims, nodes->victims_size, (size_t)node->running + 1) ||
	    LXFW_GROW(nodes->chosen, nodes->chosen_size, (size_t)node->running + 1) ||
	    LXFW_GROW(nodes->stopped, nodes->stopped_size, (size_t)node->running + 1))
		return -1;
	for (int32_t i = node->first_running; i >= 0; i = nodes->jobs[i].next) {
		const struct lxfw_node_job *job = &nodes->jobs[i];

		nodes->victims[nodes->victim_count++] = (struct lxfw_node_victim){
			.priority = rules->wait * (job->since - job->submit - job->ran) -
				    rules->time * rest_of(nodes, job, now),
			.submit = job->submit, .job = i, .procs = job->procs,
			.memory = job->memory,
		};
	}
	qsort(nodes->victims, nodes->victim_count, sizeof(*nodes->victims), by_priority);
	return 0;
}

/* What is free beside a job's request; both are negative while it does not fit. */
struct room {
	int64_t procs, memory;
};

static void add(struct room *room, const struct lxfw_node_victim *victim)
{
	room->procs += victim->procs;
	room->memory += victim->memory;
}

static bool is_enough(const struct room *room)
{
	return room->procs >= 0 && room->memory >= 0;
}

/*
 * Of the CHOSEN jobs, all of which release enough with LAST, those that are preempted remain
 * not `spared`: none if LAST is enough, or the smallest that suffices with it, or what
 * is left of them when the largest that are not needed are spared.
 */
static void spare(struct lxfw_nodes *nodes, size_t count, struct room room,
		  const struct lxfw_node_victim *last)
{
	struct lxfw_node_victim *chosen = nodes->chosen;
	size_t only = count;

	qsort(chosen, count, sizeof(*chosen), by_size);
	add(&room, last);
	if (!is_enough(&room)) {
		for (only = 0; only < count; only++) {
			struct room with = room;

			add(&with, &chosen[only]);
			if (is_enough(&with))
				break;
		}
		if (only == count)
			only = SIZE_MAX;
	}
	for (size_t i = 0; i < count; i++) {
		chosen[i].spared = only != SIZE_MAX && i != only;
		add(&room, &chosen[i]);
	}
	for (size_t i = count; only == SIZE_MAX && i-- > 0;) {
		struct room without = { room.procs - chosen[i].procs,
					room.memory - chosen[i].memory };

		if (is_enough(&without)) {
			chosen[i].spared = true;
			room = without;
		}
	}
}

/* Chooses among the jobs of lower priority than PRIORITY. Returns the number of chosen jobs,
   the last of which is needed in any case, or 0. */
static size_t choose(struct lxfw_nodes *nodes, const struct lxfw_node *node,
		     const struct lxfw_node_job *job, int64_t priority)
{
	struct room free = {
		node->free_procs - job->procs,
		node->memory ? (int64_t)node->free_memory - job->memory : 0,
	};
	struct room room = free;

	for (size_t i = 0; i < nodes->victim_count; i++) {
		if (nodes->victims[i].priority >= priority)
			return 0;
		nodes->chosen[i] = nodes->victims[i];
		add(&room, &nodes->victims[i]);
		if (is_enough(&room)) {
			spare(nodes, i, free, &nodes->victims[i]);
			nodes->chosen[i].spared = false;
			return i + 1;
		}
	}
	return 0;
}

static void remove_victim(struct lxfw_nodes *nodes, int32_t job)
{
	size_t i = 0;

	while (nodes->victims[i].job != job)
		i++;
	for (nodes->victim_count--; i < nodes->victim_count; i++)
		nodes->victims[i] = nodes->victims[i + 1];
}

/* Preempts jobs for a waiting one. Returns whether it fits. */
static bool make_room(struct lxfw_nodes *nodes, const struct lxfw_node *node, int32_t index,
		      int64_t now)
{
	const struct lxfw_node_job *job = &nodes->jobs[index];
	size_t count = choose(nodes, node, job, job->rank + nodes->rules.wait * now);

	for (size_t i = 0; i < count; i++) {
		if (nodes->chosen[i].spared)
			continue;
		preempt(nodes, nodes->chosen[i].job, now);
		remove_victim(nodes, nodes->chosen[i].job);
		nodes->stopped[nodes->stopped_count++] = nodes->chosen[i].job;
	}
	return count > 0;
}

/* --- a pass -------------------------------------------------------------------------------- */

/* While WAIT < TIME, and nothing was done in a pass, a waiting job comes closer to a running
   one only when that one exceeds its estimate. The passes before are left out. */
static int64_t next_pass(const struct lxfw_nodes *nodes, const struct lxfw_node *node,
			 int64_t now, bool acted)
{
	const struct lxfw_node_rules *rules = &nodes->rules;
	int64_t change = LXFW_NEVER;

	if (node->waiting == 0 || rules->interval == 0 || !rules->preempts)
		return LXFW_NEVER;
	if (acted || rules->wait >= rules->time)
		return now + rules->interval;
	for (int32_t i = node->first_running; i >= 0 && rules->wait > 0;
	     i = nodes->jobs[i].next) {
		int64_t end = now + rest_of(nodes, &nodes->jobs[i], now);

		change = end < change ? end : change;
	}
	if (change == LXFW_NEVER)
		return change;
	change = change > now ? change : now + 1;
	return now + (change - now + rules->interval - 1) / rules->interval * rules->interval;
}

/* Whether neither this waiting job nor one after it can start. */
static bool is_over(const struct lxfw_nodes *nodes, const struct lxfw_node *node, int32_t job,
		    int64_t now)
{
	return node->free_procs == 0 &&
	       (nodes->victim_count == 0 ||
		nodes->jobs[job].rank + nodes->rules.wait * now <= nodes->victims[0].priority);
}

int lxfw_nodes_pass(struct lxfw_nodes *nodes, int32_t at, int64_t now)
{
	struct lxfw_node *node = &nodes->nodes[at];
	bool acted = false;
	int32_t next;

	if (collect(nodes, node, now))
		return -1;
	nodes->stopped_count = 0;
	for (int32_t job = node->first_waiting; job >= 0 && !is_over(nodes, node, job, now);
	     job = next) {
		next = nodes->jobs[job].next;
		if (!lxfw_node_has_room(node, &nodes->jobs[job]) &&
		    !make_room(nodes, node, job, now))
			continue;
		start(nodes, job, now);
		acted = true;
	}
	for (size_t i = 0; i < nodes->stopped_count; i++) {
		lxfw_nodes_enter(nodes, nodes->stopped[i], at, now);
		if (nodes->preempted)
			nodes->preempted(nodes->context, nodes->stopped[i]);
	}
	node->wake = next_pass(nodes, node, now, acted);
	return 0;
}
