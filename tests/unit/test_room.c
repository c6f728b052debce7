/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job lacks on a machine of two hosts, for each reason that there may be, and when it no
   longer does. */
#include "sim-frontend/metrics/room.h"
#include "tests/unit/unit.h"

#define EVENTS 8

static struct lxfw_event events[EVENTS];
static const struct lxfw_event *list[EVENTS];
static struct lxfw_room_machine machine;
static struct lxfw_share reserved;
static struct lxfw_room *room;

static struct lxfw_event *add(enum lxfw_event_type type, int64_t time)
{
	struct lxfw_event *event = &events[machine.count];

	*event = (struct lxfw_event) { .type = type, .time = time };
	list[machine.count++] = event;
	return event;
}

static void host(int32_t index, int64_t time, bool up)
{
	struct lxfw_event *event = add(LXFW_EVENT_HOST, time);

	event->host.index = index;
	event->host.up = up;
	event->host.total = (struct lxfw_resources) {
		.procs = 4, .memory_mb = 1000, .extras = { 2 } };
}

static void begin(void)
{
	machine = (struct lxfw_room_machine) { .events = list, .procs = 8 };
	host(0, 0, true);
	host(1, 0, true);
}

static struct lxfw_request request_of(int32_t hosts, int32_t procs)
{
	return (struct lxfw_request) {
		.id = 1, .estimate = 1000, .count = hosts, .unit.procs = procs,
		.shape = LXFW_SHAPE_HOSTS,
	};
}

static void open_room(void)
{
	room = lxfw_room_create(&machine);
	assert_non_null(room);
}

/* Returns whether the machine has changed. */
static bool advance(int64_t time)
{
	bool changed;

	assert_int_equal(lxfw_room_advance(room, time, &changed), 0);
	return changed;
}

static void lacks(const struct lxfw_request *request, enum lxfw_lack expected)
{
	enum lxfw_lack lack;

	assert_int_equal(lxfw_room_lack(room, request, &lack), 0);
	assert_int_equal(lack, expected);
}

static void start(uint64_t id, const struct lxfw_request *request)
{
	assert_int_equal(lxfw_room_start(room, id, request, NULL, 0), 0);
}

static void end_of(uint64_t id)
{
	assert_int_equal(lxfw_room_end(room, id), 0);
}

static void hosts_are_down(void **state)
{
	const struct lxfw_request wide = request_of(2, 4), narrow = request_of(1, 4);

	(void)state;
	begin();
	host(1, 10, false);
	host(1, 20, true);
	open_room();
	assert_true(advance(0));
	lacks(&wide, LXFW_LACK_NOTHING);
	assert_false(advance(9));
	lacks(&wide, LXFW_LACK_NOTHING);
	assert_true(advance(10));
	lacks(&wide, LXFW_LACK_AWAY);
	lacks(&narrow, LXFW_LACK_NOTHING);
	/* with a job there, processors would be missing if the other one were up: one is enough */
	start(2, &narrow);
	lacks(&narrow, LXFW_LACK_AWAY);
	lacks(&wide, LXFW_LACK_PROCS);
	end_of(2);
	assert_true(advance(20));
	lacks(&wide, LXFW_LACK_NOTHING);
	lxfw_room_destroy(room);
}

static void hosts_are_reserved(void **state)
{
	const struct lxfw_request wide = request_of(2, 4), narrow = request_of(1, 4);
	struct lxfw_event *event;

	(void)state;
	begin();
	reserved = (struct lxfw_share) { .host = 1, .amount = { .procs = 4, .memory_mb = 1000 } };
	event = add(LXFW_EVENT_BLOCK, 5);
	event->block.id = 1;
	event->block.start = 10;
	event->block.end = 20;
	event->block.count = 1;
	event->block.shares = &reserved;
	open_room();
	advance(5);
	advance(10);
	lacks(&wide, LXFW_LACK_AWAY);
	lacks(&narrow, LXFW_LACK_NOTHING);
	advance(20);
	lacks(&wide, LXFW_LACK_NOTHING);
	assert_true(lxfw_room_reserves(room));
	lxfw_room_destroy(room);
}

static void resources_are_used(void **state)
{
	struct lxfw_request request = request_of(1, 2), wanted = request_of(1, 2);

	(void)state;
	begin();
	open_room();
	advance(0);
	assert_false(lxfw_room_is_pool(room));
	/* all memory of both hosts */
	request.unit.memory_mb = 1000;
	start(2, &request);
	start(3, &request);
	assert_int_equal(lxfw_room_free(room), 4);
	lacks(&wanted, LXFW_LACK_NOTHING);
	wanted.unit.memory_mb = 1;
	lacks(&wanted, LXFW_LACK_MEMORY);
	end_of(3);
	lacks(&wanted, LXFW_LACK_NOTHING);
	start(3, &request);
	/* all GPUs */
	wanted.unit.memory_mb = 0;
	wanted.unit.extras[0] = 2;
	lacks(&wanted, LXFW_LACK_NOTHING);
	end_of(2);
	end_of(3);
	request.unit.memory_mb = 0;
	request.unit.extras[0] = 1;
	for (int32_t i = 0; i < 2; i++) {
		const struct lxfw_share share = { .host = i, .amount = request.unit };

		assert_int_equal(lxfw_room_start(room, 2 + (uint64_t)i, &request, &share, 1), 0);
	}
	lacks(&wanted, LXFW_LACK_EXTRAS);
	/* four processors, two on each host */
	wanted = request_of(1, 4);
	lacks(&wanted, LXFW_LACK_HOST);
	wanted = request_of(2, 2);
	lacks(&wanted, LXFW_LACK_NOTHING);
	wanted = request_of(2, 3);
	lacks(&wanted, LXFW_LACK_PROCS);
	lxfw_room_destroy(room);
}

/* Without events, processors are all that jobs use. */
static void a_pool(void **state)
{
	const struct lxfw_request request = request_of(1, 3);

	(void)state;
	machine = (struct lxfw_room_machine) { .procs = 6 };
	open_room();
	advance(0);
	assert_true(lxfw_room_is_pool(room));
	assert_false(lxfw_room_reserves(room));
	assert_int_equal(lxfw_room_free(room), 6);
	start(2, &request);
	lacks(&request, LXFW_LACK_NOTHING);
	start(3, &request);
	lacks(&request, LXFW_LACK_PROCS);
	/* what does not fit runs nevertheless */
	start(4, &request);
	end_of(2);
	lacks(&request, LXFW_LACK_PROCS);
	end_of(4);
	lacks(&request, LXFW_LACK_NOTHING);
	lxfw_room_destroy(room);
	lxfw_room_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_are_down),
		cmocka_unit_test(hosts_are_reserved),
		cmocka_unit_test(resources_are_used),
		cmocka_unit_test(a_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
