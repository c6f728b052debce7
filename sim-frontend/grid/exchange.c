/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/exchange.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/util/grow.h"
#include "common/util/heap.h"
#include "sim-frontend/grid/node_set.h"

/* What a node tries next. */
enum stage { PUSH, PULL, BALANCE_PUSH, BALANCE_PULL, STAGES };

struct message {
	enum lxfw_exchange_message type;
	enum stage stage;	/* of the request */
	uint32_t edge;		/* from the sender to the receiver */
	uint32_t round;		/* of the node that asked */
	int32_t job;		/* PUSH, ACCEPT, JOB */
	int64_t rank;		/* PUSH: of the job at the sender */
	int64_t load;		/* PUSH: of the sender */
	struct lxfw_node_view view;
	int32_t next_unused;
};

/* Events of the same time are in the order of their kinds, and of `number`. */
enum kind { KIND_END, KIND_WAKE, KIND_MESSAGE };

struct event {
	int64_t time;
	uint64_t number;
	int32_t what;		/* job, node or message */
	uint32_t run : 30, kind : 2;
};

static inline bool is_earlier(const void *of, const struct event *a, const struct event *b)
{
	(void)of;
	if (a->time != b->time)
		return a->time < b->time;
	return a->kind != b->kind ? a->kind < b->kind : a->number < b->number;
}

LXFW_HEAP(events, struct event, void, is_earlier)

/* Of a node that tries to exchange jobs. */
struct trial {
	uint32_t round;
	uint8_t stage;
	bool asking;		/* an answer is expected */
	int64_t deadline;	/* until then */
};

struct simulation {
	struct lxfw_exchange *exchange;
	struct lxfw_nodes nodes;
	struct lxfw_node_view *views;	/* by edge: of its end, as its beginning knows it */
	bool *asked;			/* by edge, in the present stage */
	struct trial *trials;		/* by node */
	uint64_t *changed, *active;	/* sets of nodes: to tell neighbours, to try */
	size_t words;
	int32_t *touched;		/* nodes that make a pass */
	bool *is_touched;
	size_t touched_count;
	struct event *events;
	size_t event_count, events_size;
	uint64_t number;
	struct message *messages;
	size_t message_count, messages_size;
	int32_t unused;			/* first unused message; -1: none */
	uint64_t sent;
	size_t next;			/* submissions so far */
	int64_t now, origin, next_exchange;
	bool failed;
};

static bool is_any(const struct simulation *simulation)
{
	for (size_t i = 0; i < simulation->words; i++) {
		if (simulation->changed[i] | simulation->active[i])
			return true;
	}
	return false;
}

/* --- events ---------------------------------------------------------------------------------- */

static void add_event(struct simulation *simulation, int64_t time, enum kind kind, int32_t what,
		      uint32_t run)
{
	const struct event event = {
		.time = time, .number = simulation->number++, .what = what, .run = run,
		.kind = kind,
	};

	if (LXFW_GROW(simulation->events, simulation->events_size,
		      simulation->event_count + 1)) {
		simulation->failed = true;
		return;
	}
	events_push(simulation->events, simulation->event_count++, event, NULL);
}

static struct event take_event(struct simulation *simulation)
{
	struct event first = simulation->events[0];

	simulation->events[0] = simulation->events[--simulation->event_count];
	if (simulation->event_count > 0)
		events_sift(simulation->events, simulation->event_count, 0, NULL);
	return first;
}

/* The node makes a pass before the next message. */
static void touch(struct simulation *simulation, int32_t node)
{
	if (simulation->is_touched[node])
		return;
	simulation->is_touched[node] = true;
	simulation->touched[simulation->touched_count++] = node;
}

static void started(void *context, int32_t job, int64_t seconds)
{
	struct simulation *simulation = context;
	struct lxfw_exchange_job *result = &simulation->exchange->results[job];

	lxfw_node_set(simulation->changed, simulation->exchange->jobs[job].node);
	result->run++;
	if (result->start == LXFW_NEVER)
		result->start = simulation->now;
	add_event(simulation, simulation->now + seconds, KIND_END, job, result->run);
}

static void preempted(void *context, int32_t job)
{
	struct simulation *simulation = context;

	simulation->exchange->results[job].preemptions++;
	simulation->exchange->preemptions++;
}

static void pass(struct simulation *simulation, int32_t node)
{
	if (lxfw_nodes_pass(&simulation->nodes, node, simulation->now))
		simulation->failed = true;
	if (simulation->exchange->nodes[node].wake != LXFW_NEVER)
		add_event(simulation, simulation->exchange->nodes[node].wake, KIND_WAKE, node,
			  0);
}

static void pass_touched(struct simulation *simulation)
{
	for (size_t i = 0; i < simulation->touched_count; i++) {
		simulation->is_touched[simulation->touched[i]] = false;
		pass(simulation, simulation->touched[i]);
	}
	simulation->touched_count = 0;
}

static void enter(struct simulation *simulation, int32_t job, int32_t node)
{
	struct lxfw_exchange_job *result = &simulation->exchange->results[job];

	result->arrived = simulation->now;
	result->ran_elsewhere = simulation->exchange->jobs[job].ran;
	lxfw_nodes_enter(&simulation->nodes, job, node, simulation->now);
	lxfw_node_set(simulation->changed, node);
	touch(simulation, node);
}

/* A job that was preempted has other events. */
static void end(struct simulation *simulation, int32_t index, uint32_t run)
{
	struct lxfw_node_job *job = &simulation->exchange->jobs[index];
	struct lxfw_exchange_job *result = &simulation->exchange->results[index];

	if (job->state != LXFW_NODE_JOB_RUNNING || result->run != run)
		return;
	job->ran += simulation->now - job->since;
	result->end = simulation->now;
	lxfw_nodes_end(&simulation->nodes, index);
	lxfw_node_set(simulation->changed, job->node);
	touch(simulation, job->node);
}

/* --- messages -------------------------------------------------------------------------------- */

static bool is_lost(struct simulation *simulation)
{
	uint64_t bits = simulation->exchange->options.seed +
			++simulation->sent * UINT64_C(0x9e3779b97f4a7c15);

	if (simulation->exchange->options.loss == 0)
		return false;
	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	bits ^= bits >> 31;
	if (bits % 10000 >= (uint64_t)simulation->exchange->options.loss)
		return false;
	simulation->exchange->lost++;
	return true;
}

static void put_message(struct simulation *simulation, const struct message *message,
			int64_t time)
{
	int32_t at = simulation->unused;

	if (at >= 0) {
		simulation->unused = simulation->messages[at].next_unused;
	} else if (simulation->message_count == INT32_MAX ||
		   LXFW_GROW(simulation->messages, simulation->messages_size,
			     simulation->message_count + 1)) {
		simulation->failed = true;
		return;
	} else {
		at = (int32_t)simulation->message_count++;
	}
	simulation->messages[at] = *message;
	add_event(simulation, time, KIND_MESSAGE, at, 0);
}

/* The messages of NODE carry its view. */
static void send(struct simulation *simulation, int32_t node, struct message message)
{
	const struct lxfw_exchange_options *options = &simulation->exchange->options;
	int64_t time = simulation->now + options->delay;
	bool lost;

	for (;;) {
		simulation->exchange->messages[message.type]++;
		lost = is_lost(simulation);
		if (!lost || message.type != LXFW_MESSAGE_JOB)
			break;
		time += options->delay > 0 ? 2 * options->delay : 1;
	}
	if (lost)
		return;
	lxfw_node_view(&simulation->nodes, node, &message.view);
	put_message(simulation, &message, time);
}

/* --- a node tries ---------------------------------------------------------------------------- */

static struct lxfw_neighbours neighbours_of(const struct simulation *simulation, int32_t node)
{
	const struct lxfw_graph *graph = simulation->exchange->graph;
	uint32_t first = graph->first[node];

	return (struct lxfw_neighbours){
		.nodes = &graph->to[first], .views = &simulation->views[first],
		.asked = &simulation->asked[first],
		.count = (int32_t)(graph->first[node + 1] - first),
	};
}

static void enter_stage(struct simulation *simulation, int32_t node, int stage)
{
	const struct lxfw_graph *graph = simulation->exchange->graph;
	uint32_t first = graph->first[node];

	simulation->trials[node].stage = (uint8_t)stage;
	memset(&simulation->asked[first], 0, graph->first[node + 1] - first);
}

/* Returns the neighbour that the node asks in its present stage, or -1. */
static int32_t choose(const struct simulation *simulation, int32_t node, int32_t *job)
{
	const struct lxfw_exchange_options *options = &simulation->exchange->options;
	const struct lxfw_nodes *nodes = &simulation->nodes;
	struct lxfw_neighbours neighbours = neighbours_of(simulation, node);

	switch (simulation->trials[node].stage) {
	case PUSH:
		*job = nodes->nodes[node].first_waiting;
		return options->push ? lxfw_push_to(nodes, node, &neighbours) : -1;
	case PULL:
		return options->pull ? lxfw_pull_from(nodes, node, &neighbours) : -1;
	case BALANCE_PUSH:
		return options->balance && options->push ?
		       lxfw_balance_to(nodes, node, &neighbours, job) : -1;
	default:
		return options->balance && options->pull ?
		       lxfw_balance_from(nodes, node, &neighbours) : -1;
	}
}

static int64_t load_of(const struct simulation *simulation, int32_t node)
{
	struct lxfw_node_view view;

	lxfw_node_view(&simulation->nodes, node, &view);
	return lxfw_node_load(&simulation->exchange->nodes[node], &view, NULL, 0);
}

/* Asks the next neighbour, in a later stage if there is none in the present one. */
static void try_next(struct simulation *simulation, int32_t node)
{
	struct trial *trial = &simulation->trials[node];
	int32_t job = -1;

	for (; trial->stage < STAGES; enter_stage(simulation, node, trial->stage + 1)) {
		int32_t position = choose(simulation, node, &job);
		uint32_t edge = simulation->exchange->graph->first[node] + (uint32_t)position;
		bool pushes = trial->stage == PUSH || trial->stage == BALANCE_PUSH;

		if (position < 0)
			continue;
		simulation->asked[edge] = true;
		trial->asking = true;
		trial->deadline = simulation->now + 2 * simulation->exchange->options.delay + 1;
		send(simulation, node, (struct message){
			.type = pushes ? LXFW_MESSAGE_PUSH : LXFW_MESSAGE_PULL,
			.stage = trial->stage, .edge = edge, .round = trial->round, .job = job,
			.rank = pushes ? simulation->exchange->jobs[job].rank : 0,
			.load = load_of(simulation, node),
		});
		return;
	}
}

/* Whether the answer is to what the node asked last. */
static bool is_expected(struct simulation *simulation, int32_t node,
			const struct message *message)
{
	const struct trial *trial = &simulation->trials[node];

	return trial->asking && trial->round == message->round &&
	       trial->stage == (uint8_t)message->stage;
}

static void give(struct simulation *simulation, int32_t node, int32_t job,
		 const struct message *message, uint32_t edge)
{
	simulation->exchange->results[job].moves++;
	simulation->exchange->moves++;
	lxfw_nodes_leave(&simulation->nodes, job);
	lxfw_node_set(simulation->changed, node);
	send(simulation, node, (struct message){
		.type = LXFW_MESSAGE_JOB, .stage = message->stage, .edge = edge,
		.round = message->round, .job = job,
	});
}

/* --- a message arrives ----------------------------------------------------------------------- */

static void answer_push(struct simulation *simulation, int32_t node,
			const struct message *message, uint32_t back)
{
	struct lxfw_node_job job = simulation->exchange->jobs[message->job];
	bool accepts;

	job.rank = message->rank;
	accepts = message->stage == PUSH ?
		  lxfw_push_accepts(&simulation->nodes, node, &job) :
		  lxfw_balance_accepts(&simulation->nodes, node, &job, message->load);
	send(simulation, node, (struct message){
		.type = accepts ? LXFW_MESSAGE_ACCEPT : LXFW_MESSAGE_REJECT,
		.stage = message->stage, .edge = back, .round = message->round,
		.job = message->job,
	});
}

static void answer_pull(struct simulation *simulation, int32_t node,
			const struct message *message, uint32_t back)
{
	int32_t to = simulation->exchange->graph->to[back];
	int32_t job = message->stage == PULL ?
		      lxfw_pull_gives(&simulation->nodes, node, to, &message->view) :
		      lxfw_balance_gives(&simulation->nodes, node, to, &message->view);

	if (job >= 0)
		give(simulation, node, job, message, back);
	else
		send(simulation, node, (struct message){
			.type = LXFW_MESSAGE_REJECT, .stage = message->stage, .edge = back,
			.round = message->round,
		});
}

/* The job may have started since it was offered. */
static void take_accept(struct simulation *simulation, int32_t node,
			const struct message *message, uint32_t back)
{
	const struct lxfw_node_job *job = &simulation->exchange->jobs[message->job];

	if (!is_expected(simulation, node, message))
		return;
	simulation->trials[node].asking = false;
	if (job->state == LXFW_NODE_JOB_WAITING && job->node == node)
		give(simulation, node, message->job, message, back);
	enter_stage(simulation, node, message->stage + 1);
	try_next(simulation, node);
}

static void take_reject(struct simulation *simulation, int32_t node,
			const struct message *message)
{
	if (!is_expected(simulation, node, message))
		return;
	simulation->trials[node].asking = false;
	try_next(simulation, node);
}

static void take_job(struct simulation *simulation, int32_t node, const struct message *message)
{
	enter(simulation, message->job, node);
	pass_touched(simulation);
	if ((message->stage != PULL && message->stage != BALANCE_PULL) ||
	    !is_expected(simulation, node, message))
		return;
	simulation->trials[node].asking = false;
	enter_stage(simulation, node, message->stage + 1);
	try_next(simulation, node);
}

static void receive(struct simulation *simulation, const struct message *message)
{
	const struct lxfw_graph *graph = simulation->exchange->graph;
	int32_t node = graph->to[message->edge];
	uint32_t back = graph->back[message->edge];

	if (message->type != LXFW_MESSAGE_JOB)
		simulation->views[back] = message->view;
	switch (message->type) {
	case LXFW_MESSAGE_VIEW:
		lxfw_node_set(simulation->active, node);
		break;
	case LXFW_MESSAGE_PUSH:
		answer_push(simulation, node, message, back);
		break;
	case LXFW_MESSAGE_PULL:
		answer_pull(simulation, node, message, back);
		break;
	case LXFW_MESSAGE_ACCEPT:
		take_accept(simulation, node, message, back);
		break;
	case LXFW_MESSAGE_REJECT:
		take_reject(simulation, node, message);
		break;
	default:
		take_job(simulation, node, message);
	}
}

/* --- the clock ------------------------------------------------------------------------------- */

static const struct lxfw_node_job *next_job(const struct simulation *simulation)
{
	const struct lxfw_exchange *exchange = simulation->exchange;

	if (simulation->next == exchange->job_count)
		return NULL;
	return &exchange->jobs[exchange->order ? exchange->order[simulation->next] :
						 simulation->next];
}

static int submit_due(struct simulation *simulation)
{
	struct lxfw_exchange *exchange = simulation->exchange;
	const struct lxfw_node_job *job;

	while ((job = next_job(simulation)) && job->submit == simulation->now) {
		int32_t index = (int32_t)(job - exchange->jobs);
		int32_t home = exchange->homes[index];

		if (!lxfw_node_can_run(&exchange->nodes[home], job)) {
			errno = EDEADLK;
			return -1;
		}
		enter(simulation, index, home);
		simulation->next++;
		if (exchange->progress && simulation->next % 1024 == 0)
			exchange->progress(simulation->next, exchange->job_count);
	}
	return 0;
}

static void happen(struct simulation *simulation)
{
	struct event event = take_event(simulation);
	struct message message;

	switch (event.kind) {
	case KIND_END:
		end(simulation, event.what, event.run);
		break;
	case KIND_WAKE:
		if (simulation->exchange->nodes[event.what].wake == simulation->now)
			touch(simulation, event.what);
		break;
	default:
		message = simulation->messages[event.what];
		simulation->messages[event.what].next_unused = simulation->unused;
		simulation->unused = event.what;
		receive(simulation, &message);
	}
}

static bool is_due(const struct simulation *simulation, bool messages)
{
	return simulation->event_count > 0 && !simulation->failed &&
	       simulation->events[0].time == simulation->now &&
	       (simulation->events[0].kind == KIND_MESSAGE) == messages;
}

/* All that happens now: ends and submissions, then passes, then a message, until there are
   no more. */
static int settle(struct simulation *simulation)
{
	do {
		while (is_due(simulation, false))
			happen(simulation);
		if (submit_due(simulation))
			return -1;
		pass_touched(simulation);
		if (is_due(simulation, true))
			happen(simulation);
	} while (is_due(simulation, true) || is_due(simulation, false) ||
		 simulation->touched_count > 0);
	return 0;
}

/* Without delay the views arrive at once, which saves most events. */
static void tell(struct simulation *simulation, int32_t node)
{
	const struct lxfw_graph *graph = simulation->exchange->graph;
	struct lxfw_node_view view;

	lxfw_node_set(simulation->active, node);
	lxfw_node_view(&simulation->nodes, node, &view);
	for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
		if (simulation->exchange->options.delay > 0) {
			send(simulation, node, (struct message){
				.type = LXFW_MESSAGE_VIEW, .edge = i,
			});
			continue;
		}
		simulation->exchange->messages[LXFW_MESSAGE_VIEW]++;
		if (is_lost(simulation))
			continue;
		simulation->views[graph->back[i]] = view;
		lxfw_node_set(simulation->active, graph->to[i]);
	}
}

/* Each node completes its trial before the next one begins if messages have no delay. A node
   that expects an answer tries again later. */
static int exchange_now(struct simulation *simulation)
{
	int32_t node = -1;

	while ((node = lxfw_node_set_take(simulation->changed, simulation->words, node + 1)) >= 0)
		tell(simulation, node);
	if (settle(simulation))
		return -1;
	node = -1;
	while ((node = lxfw_node_set_take(simulation->active, simulation->words, node + 1)) >= 0) {
		struct trial *trial = &simulation->trials[node];

		if (!trial->asking || simulation->now >= trial->deadline) {
			trial->asking = false;
			trial->round++;
			enter_stage(simulation, node, PUSH);
			try_next(simulation, node);
			if (settle(simulation))
				return -1;
		}
		if (trial->asking)
			lxfw_node_set(simulation->active, node);
	}
	return 0;
}

static int64_t next_time(struct simulation *simulation)
{
	const struct lxfw_exchange_options *options = &simulation->exchange->options;
	const struct lxfw_node_job *job = next_job(simulation);
	int64_t next = job ? job->submit : LXFW_NEVER;

	if (simulation->event_count > 0 && simulation->events[0].time < next)
		next = simulation->events[0].time;
	if (!options->push && !options->pull)
		return next;
	if (simulation->next_exchange <= simulation->now)
		simulation->next_exchange = simulation->now + options->interval -
			(simulation->now - simulation->origin) % options->interval;
	if (simulation->next_exchange < next && is_any(simulation))
		next = simulation->next_exchange;
	return next;
}

static int run(struct simulation *simulation)
{
	struct lxfw_exchange *exchange = simulation->exchange;
	const struct lxfw_node_job *first = next_job(simulation);

	simulation->origin = simulation->now = first ? first->submit : 0;
	simulation->next_exchange = simulation->origin;
	while ((simulation->now = next_time(simulation)) != LXFW_NEVER) {
		if (settle(simulation))
			return -1;
		if ((exchange->options.push || exchange->options.pull) &&
		    (simulation->now - simulation->origin) % exchange->options.interval == 0 &&
		    exchange_now(simulation))
			return -1;
		if (simulation->failed) {
			errno = ENOMEM;
			return -1;
		}
		if (exchange->stepped)
			exchange->stepped(exchange->context, &simulation->nodes,
					  simulation->now);
	}
	return 0;
}

static bool allocate(struct simulation *simulation)
{
	struct lxfw_exchange *exchange = simulation->exchange;
	size_t nodes = (size_t)exchange->graph->nodes + 1, edges = exchange->graph->count + 1;

	simulation->words = nodes / 64 + 1;
	exchange->results = calloc(exchange->job_count + 1, sizeof(*exchange->results));
	simulation->views = calloc(edges, sizeof(*simulation->views));
	simulation->asked = calloc(edges, sizeof(*simulation->asked));
	simulation->trials = calloc(nodes, sizeof(*simulation->trials));
	simulation->changed = calloc(simulation->words, sizeof(*simulation->changed));
	simulation->active = calloc(simulation->words, sizeof(*simulation->active));
	simulation->touched = calloc(nodes, sizeof(*simulation->touched));
	simulation->is_touched = calloc(nodes, sizeof(*simulation->is_touched));
	return exchange->results && simulation->views && simulation->asked &&
	       simulation->trials && simulation->changed && simulation->active &&
	       simulation->touched && simulation->is_touched;
}

static void begin(struct simulation *simulation)
{
	struct lxfw_exchange *exchange = simulation->exchange;
	const struct lxfw_graph *graph = exchange->graph;

	lxfw_nodes_begin(&simulation->nodes, (int32_t)exchange->job_count);
	for (uint32_t i = 0; i < graph->count; i++)
		lxfw_node_view(&simulation->nodes, graph->to[i], &simulation->views[i]);
	for (size_t i = 0; i < exchange->job_count; i++)
		exchange->results[i].start = exchange->results[i].end = LXFW_NEVER;
}

static void clear(struct simulation *simulation)
{
	int saved = errno;

	lxfw_nodes_clear(&simulation->nodes);
	free(simulation->views);
	free(simulation->asked);
	free(simulation->trials);
	free(simulation->changed);
	free(simulation->active);
	free(simulation->touched);
	free(simulation->is_touched);
	free(simulation->events);
	free(simulation->messages);
	errno = saved;
}

int lxfw_exchange_run(struct lxfw_exchange *exchange)
{
	struct simulation simulation = {
		.exchange = exchange, .unused = -1,
		.nodes = {
			.rules = exchange->rules, .nodes = exchange->nodes,
			.jobs = exchange->jobs, .node_count = exchange->graph->nodes,
			.started = started, .preempted = preempted,
		},
	};
	int result = -1;

	simulation.nodes.context = &simulation;
	memset(exchange->messages, 0, sizeof(exchange->messages));
	exchange->lost = exchange->moves = exchange->preemptions = 0;
	if (allocate(&simulation)) {
		begin(&simulation);
		result = run(&simulation);
	} else {
		errno = ENOMEM;
	}
	clear(&simulation);
	return result;
}

void lxfw_exchange_clear(struct lxfw_exchange *exchange)
{
	free(exchange->results);
	exchange->results = NULL;
}
