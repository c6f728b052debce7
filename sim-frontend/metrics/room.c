/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/sched.h"
#include "common/util/grow.h"

struct lxfw_room {
	const struct lxfw_room_machine *machine;
	size_t next_event;
	int64_t time;
	struct lxfw_sched *now;		/* the machine as it is */
	struct lxfw_sched *whole;	/* with all hosts up and nothing reserved; NULL if
					   that is always so */
	bool blocks;			/* hosts may be reserved for a time */
	bool pool;
	struct set {
		int32_t *hosts;		/* ascending */
		int32_t count;
	} *sets;
	size_t set_count, sets_size;
	size_t defined;			/* sets that `now` has; those after the machine's are
					   the slots of lxfw_room_fits_beside() */
	size_t host_count;
	struct lxfw_share *shares;	/* of a start */
	size_t shares_size;
};

/* --- the machine ---------------------------------------------------------------- */

/* The scheduler answers only where a job fits. Its policy decides nothing. */
static struct lxfw_sched *new_sched(void)
{
	struct lxfw_params params;

	lxfw_params_default(&params);
	return lxfw_sched_create(&params);
}

static int apply_to(struct lxfw_sched *sched, const struct lxfw_event *event, int64_t time)
{
	struct lxfw_event timed = *event;
	struct lxfw_error error;

	timed.time = time;
	/* A simulation would report an event that does not fit the machine. */
	if (lxfw_sched_apply(sched, &timed, &error) && errno == ENOMEM)
		return -1;
	return 0;
}

/* The hosts of the machine with the most processors that each ever had. */
struct hosts {
	struct lxfw_event *list;
	size_t count, size;
	bool differ;
};

static int see_host(struct hosts *hosts, const struct lxfw_event *event)
{
	size_t index = (size_t)event->host.index;
	struct lxfw_event *known;

	if (index > hosts->count)
		return 0;
	if (index == hosts->count) {
		if (LXFW_GROW(hosts->list, hosts->size, hosts->count + 1))
			return -1;
		hosts->differ |= !event->host.up;
		hosts->list[hosts->count] = *event;
		hosts->list[hosts->count++].host.up = true;
		return 0;
	}
	known = &hosts->list[index];
	if (event->host.up &&
	    memcmp(&known->host.total, &event->host.total, sizeof(known->host.total)) == 0)
		return 0;
	hosts->differ = true;
	if (event->host.total.procs > known->host.total.procs)
		known->host.total = event->host.total;
	return 0;
}

static bool is_pool(const struct hosts *hosts)
{
	const struct lxfw_resources *total;

	if (hosts->count != 1)
		return hosts->count == 0;
	total = &hosts->list[0].host.total;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (total->extras[i] > 0)
			return false;
	}
	return total->memory_mb >= LXFW_MEMORY_UNLIMITED;
}

static int make_whole(struct lxfw_room *room, const struct hosts *hosts)
{
	room->whole = new_sched();
	if (!room->whole)
		return -1;
	for (size_t i = 0; i < hosts->count; i++) {
		if (apply_to(room->whole, &hosts->list[i], room->time))
			return -1;
	}
	return 0;
}

/* Keeps the members of a host set; later ones replace earlier ones. */
static int see_set(struct lxfw_room *room, const struct lxfw_event *event)
{
	size_t index = (size_t)event->host_set.id, size;
	int32_t *hosts;

	if (index > room->set_count ||
	    LXFW_GROW(room->sets, room->sets_size, index + 1))
		return index > room->set_count ? 0 : -1;
	size = (size_t)event->host_set.count * sizeof(*hosts);
	hosts = malloc(size + 1);
	if (!hosts)
		return -1;
	if (size > 0)
		memcpy(hosts, event->host_set.hosts, size);
	if (index == room->set_count)
		room->sets[room->set_count++] = (struct set) { NULL, 0 };
	free(room->sets[index].hosts);
	room->sets[index] = (struct set) { hosts, event->host_set.count };
	return 0;
}

static int look_at_machine(struct lxfw_room *room)
{
	const struct lxfw_room_machine *machine = room->machine;
	struct hosts hosts = { 0 };
	int failed = 0;

	for (size_t i = 0; i < machine->count && !failed; i++) {
		const struct lxfw_event *event = machine->events[i];

		if (event->type == LXFW_EVENT_HOST)
			failed = see_host(&hosts, event);
		else if (event->type == LXFW_EVENT_HOST_SET)
			failed = see_set(room, event);
		room->blocks |= event->type == LXFW_EVENT_BLOCK;
	}
	room->pool = is_pool(&hosts) && !room->blocks;
	if (!failed && (hosts.differ || room->blocks))
		failed = make_whole(room, &hosts);
	free(hosts.list);
	room->host_count = hosts.count;
	return failed;
}

static int make_pool(struct lxfw_room *room)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_HOST,
		.host = {
			.up = true, .name = "pool",
			.total = {
				.procs = room->machine->procs > INT32_MAX ? INT32_MAX :
					 (int32_t)room->machine->procs,
				.memory_mb = LXFW_MEMORY_UNLIMITED,
			},
		},
	};

	return apply_to(room->now, &event, room->time);
}

struct lxfw_room *lxfw_room_create(const struct lxfw_room_machine *machine)
{
	struct lxfw_room *room = calloc(1, sizeof(*room));

	if (!room)
		return NULL;
	room->machine = machine;
	room->time = -LXFW_TIME_MAX;
	room->now = new_sched();
	if (room->now && look_at_machine(room) == 0 &&
	    (machine->count > 0 || make_pool(room) == 0))
		return room;
	lxfw_room_destroy(room);
	errno = ENOMEM;
	return NULL;
}

void lxfw_room_destroy(struct lxfw_room *room)
{
	if (!room)
		return;
	lxfw_sched_destroy(room->now);
	lxfw_sched_destroy(room->whole);
	for (size_t i = 0; i < room->set_count; i++)
		free(room->sets[i].hosts);
	free(room->sets);
	free(room->shares);
	free(room);
}

int lxfw_room_advance(struct lxfw_room *room, int64_t time, bool *changed)
{
	const struct lxfw_room_machine *machine = room->machine;

	room->time = time;
	*changed = room->blocks;
	while (room->next_event < machine->count &&
	       machine->events[room->next_event]->time <= time) {
		const struct lxfw_event *event = machine->events[room->next_event++];

		if (event->type == LXFW_EVENT_HOST_SET && room->whole &&
		    apply_to(room->whole, event, time))
			return -1;
		if (event->type != LXFW_EVENT_HOST && event->type != LXFW_EVENT_HOST_SET &&
		    event->type != LXFW_EVENT_BLOCK)
			continue;
		if (apply_to(room->now, event, time))
			return -1;
		if (event->type == LXFW_EVENT_HOST_SET &&
		    (size_t)event->host_set.id >= room->defined)
			room->defined = (size_t)event->host_set.id + 1;
		*changed = true;
	}
	lxfw_sched_advance(room->now, time);
	return 0;
}

/* --- what a job lacks ------------------------------------------------------------- */

static void drop_memory(struct lxfw_request *request)
{
	request->unit.memory_mb = request->per_host.memory_mb = 0;
}

static void drop_extras(struct lxfw_request *request)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		request->unit.extras[i] = request->per_host.extras[i] = 0;
	request->pool_count = 0;
}

static void drop_caps(const struct lxfw_room *room, struct lxfw_request *request)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (room->machine->caps >> i & 1)
			request->unit.extras[i] = 0;
	}
}

/* The same processors, spread in any way. */
static void drop_shape(struct lxfw_request *request)
{
	int64_t procs = (int64_t)request->unit.procs * request->count;

	drop_memory(request);
	drop_extras(request);
	request->shape = LXFW_SHAPE_ANYWHERE;
	request->unit.procs = 1;
	request->count = procs > INT32_MAX ? INT32_MAX : (int32_t)procs;
	request->min_hosts = request->max_hosts = 0;
	request->exclusive = false;
}

/* Returns the number of shares, 0 if the request does not fit, or -1 with errno ENOMEM. */
static int32_t place(struct lxfw_sched *sched, const struct lxfw_request *request,
		     const struct lxfw_share **shares)
{
	int32_t count = lxfw_sched_place(sched, request, shares);

	return count < 0 && errno != ENOMEM ? 0 : count;
}

struct question {
	struct lxfw_room *room;
	bool failed;
};

static bool fits(struct question *question, struct lxfw_sched *sched,
		 const struct lxfw_request *request)
{
	const struct lxfw_share *shares;
	int32_t count = question->failed ? 0 : place(sched, request, &shares);

	question->failed |= count < 0;
	return count > 0;
}

static enum lxfw_lack find_lack(struct question *question,
				const struct lxfw_request *request)
{
	struct lxfw_room *room = question->room;
	struct lxfw_request less = *request, neither;

	if (fits(question, room->now, request))
		return LXFW_LACK_NOTHING;
	if (room->whole && fits(question, room->whole, request))
		return LXFW_LACK_AWAY;
	if (room->pool)
		return LXFW_LACK_PROCS;
	drop_caps(room, &less);
	if (room->machine->caps && fits(question, room->now, &less))
		return LXFW_LACK_PROCS;
	less = *request;
	drop_memory(&less);
	if (fits(question, room->now, &less))
		return LXFW_LACK_MEMORY;
	less = *request;
	drop_extras(&less);
	neither = less;
	drop_memory(&neither);
	if (fits(question, room->now, &less) || fits(question, room->now, &neither))
		return LXFW_LACK_EXTRAS;
	drop_shape(&less);
	return fits(question, room->now, &less) ? LXFW_LACK_HOST : LXFW_LACK_PROCS;
}

int lxfw_room_lack(struct lxfw_room *room, const struct lxfw_request *request,
		   enum lxfw_lack *lack)
{
	struct question question = { .room = room };

	*lack = find_lack(&question, request);
	return question.failed ? -1 : 0;
}

/* --- beside other jobs ------------------------------------------------------------ */

/* Adds the members of a host set, or all hosts without one, to MARKS. */
static void mark(const struct lxfw_room *room, const struct lxfw_request *request, char value,
		 char *marks)
{
	size_t id = request->host_set_count > 0 ? (size_t)request->host_sets[0] : SIZE_MAX;

	if (request->host_set_count == 0)
		memset(marks, value, room->host_count);
	for (int32_t i = 0; id < room->set_count && i < room->sets[id].count; i++) {
		if ((size_t)room->sets[id].hosts[i] < room->host_count)
			marks[room->sets[id].hosts[i]] = value;
	}
}

static int define(struct lxfw_room *room, size_t id, const int32_t *hosts, int32_t count)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_HOST_SET,
		.host_set = { .id = (int32_t)id, .count = count, .hosts = hosts },
	};

	if (apply_to(room->now, &event, room->time))
		return -1;
	if (id >= room->defined)
		room->defined = id + 1;
	return 0;
}

/* Makes the host set ID of the hosts of REQUEST without those of the others. Sets of the machine
   that are not defined yet are empty until they are. */
static int define_rest(struct lxfw_room *room, const struct lxfw_request *request,
		       const struct lxfw_request *const *others, size_t count, size_t id)
{
	char *marks = calloc(room->host_count + 1, 1);
	int32_t *hosts = malloc((room->host_count + 1) * sizeof(*hosts)), left = 0;
	int failed = !marks || !hosts ? -1 : 0;

	if (!failed) {
		mark(room, request, 1, marks);
		for (size_t i = 0; i < count; i++)
			mark(room, others[i], 0, marks);
		for (size_t i = 0; i < room->host_count; i++) {
			if (marks[i])
				hosts[left++] = (int32_t)i;
		}
	}
	while (!failed && room->defined < id)
		failed = define(room, room->defined, NULL, 0);
	if (!failed)
		failed = define(room, id, hosts, left);
	free(marks);
	free(hosts);
	return failed;
}

int lxfw_room_fits_beside(struct lxfw_room *room, const struct lxfw_request *request,
			  const struct lxfw_request *const *others, size_t count, size_t slot,
			  bool changed, bool *fits_beside)
{
	struct question question = { .room = room };
	struct lxfw_request beside = *request;
	size_t id = room->set_count + slot;

	if (changed && define_rest(room, request, others, count, id))
		return -1;
	beside.host_set_count = 1;
	beside.host_sets[0] = (int32_t)id;
	*fits_beside = fits(&question, room->now, &beside);
	return question.failed ? -1 : 0;
}

/* --- jobs that run ---------------------------------------------------------------- */

/* A job ran, although it does not fit by its request: the request is reduced until it
   does. If it never does, it runs on the first host. */
static int32_t place_somehow(struct lxfw_room *room, const struct lxfw_request *request,
			     const struct lxfw_share **shares, struct lxfw_share *first)
{
	struct lxfw_request less = *request;
	int32_t count;

	if ((count = place(room->now, &less, shares)) != 0)
		return count;
	drop_memory(&less);
	drop_extras(&less);
	if ((count = place(room->now, &less, shares)) != 0)
		return count;
	drop_shape(&less);
	if ((count = place(room->now, &less, shares)) != 0)
		return count;
	less.host_set_count = 0;
	less.more_sets = 0;
	if ((count = place(room->now, &less, shares)) != 0)
		return count;
	*first = (struct lxfw_share) { .amount.procs = less.count };
	*shares = first;
	return 1;
}

int lxfw_room_start(struct lxfw_room *room, uint64_t id,
		    const struct lxfw_request *request,
		    const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { .id = id, .expected_end = LXFW_NEVER },
	};
	struct lxfw_share first;

	if (count == 0)
		count = place_somehow(room, request, &shares, &first);
	if (count < 0 || LXFW_GROW(room->shares, room->shares_size, (size_t)count))
		return -1;
	/* The scheduler's own list is valid until the next call. */
	memcpy(room->shares, shares, (size_t)count * sizeof(*shares));
	event.run.shares = room->shares;
	event.run.count = count;
	if (apply_to(room->now, &event, room->time))
		return -1;
	return room->whole ? apply_to(room->whole, &event, room->time) : 0;
}

int lxfw_room_end(struct lxfw_room *room, uint64_t id)
{
	const struct lxfw_event event = { .type = LXFW_EVENT_JOB_END, .end = { .id = id } };

	if (apply_to(room->now, &event, room->time))
		return -1;
	return room->whole ? apply_to(room->whole, &event, room->time) : 0;
}

int64_t lxfw_room_free(const struct lxfw_room *room)
{
	struct lxfw_sched_state state;

	lxfw_sched_state(room->now, &state);
	return state.free;
}

bool lxfw_room_is_pool(const struct lxfw_room *room)
{
	return room->pool;
}

bool lxfw_room_reserves(const struct lxfw_room *room)
{
	return room->blocks;
}

/* Returns whether two ascending lists have a common host. */
static bool sets_meet(const struct set *a, const struct set *b)
{
	int32_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		if (a->hosts[i] == b->hosts[k])
			return true;
		if (a->hosts[i] < b->hosts[k])
			i++;
		else
			k++;
	}
	return false;
}

bool lxfw_room_meet(const struct lxfw_room *room, const struct lxfw_request *a,
		    const struct lxfw_request *b)
{
	/* Further sets, and those that the machine does not have, may be anywhere. */
	if (a->host_set_count == 0 || b->host_set_count == 0 || a->more_sets > 0 ||
	    b->more_sets > 0)
		return true;
	for (int i = 0; i < a->host_set_count; i++) {
		for (int k = 0; k < b->host_set_count; k++) {
			size_t one = (size_t)a->host_sets[i], two = (size_t)b->host_sets[k];

			if (one == two || one >= room->set_count || two >= room->set_count ||
			    sets_meet(&room->sets[one], &room->sets[two]))
				return true;
		}
	}
	return false;
}
