/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the Slurm bridge that do not need Slurm: its table of jobs, its events. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/agent/events.h"
#include "plugins/agent/table.h"

#define IDS 3000

static uint64_t id_of(int i)
{
	/* Ids of plain jobs and of array tasks, many of which have the same low bits. */
	return i % 3 ? (uint64_t)i + 1 : lxfw_job_id(7, 100, (uint32_t)i);
}

static void check_table(const struct lxfw_job_table *table, const bool *in)
{
	size_t count = 0;

	for (int i = 0; i < IDS; i++) {
		const struct lxfw_known_job *job =
			lxfw_table_find(table, id_of(i));

		assert_int_equal(job != NULL, in[i]);
		if (job)
			assert_true(job->id == id_of(i));
		count += in[i];
	}
	assert_int_equal(table->count, count);
}

static void a_table_holds_what_was_entered(void **state)
{
	struct lxfw_job_table table = { 0 };
	bool in[IDS] = { 0 };
	unsigned int random = 12345;

	(void)state;
	for (int step = 0; step < 20000; step++) {
		int i;

		random = random * 1103515245 + 12345;
		i = (int)(random >> 8) % IDS;
		if (random & 0x10000000 || table.count == 0) {
			assert_non_null(lxfw_table_enter(&table, id_of(i)));
			in[i] = true;
		} else {
			size_t index = (size_t)i % table.count;
			uint64_t id = table.jobs[index]->id;

			for (int j = 0; j < IDS; j++) {
				if (id_of(j) == id)
					in[j] = false;
			}
			lxfw_table_remove(&table, index);
		}
		if (step % 1000 == 0)
			check_table(&table, in);
	}
	check_table(&table, in);
	lxfw_table_destroy(&table);
}

static void ids_of_tasks_differ_from_those_of_jobs(void **state)
{
	(void)state;
	assert_true(lxfw_job_id(5, 0, 0) == 5);
	/* the record of an array, without a task number */
	assert_true(lxfw_job_id(5, 5, 0xfffffffe) == 5);
	assert_true(lxfw_job_id(5, 5, 0) != 5);
	/* a task keeps its id when its record is split off the array's */
	assert_true(lxfw_job_id(5, 5, 3) == lxfw_job_id(9, 5, 3));
}

static void events_are_copies_in_order(void **state)
{
	struct lxfw_event_queue queue = { 0 };
	const struct lxfw_run_past past = { .since = 7 };
	struct lxfw_share shares[3] = { 0 };

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 50000; i++) {
			shares[0].host = i;
			lxfw_events_run(&queue, (uint64_t)i + 1, i, shares, 3,
					&past);
		}
		shares[0].host = -1;
		assert_false(queue.failed);
		assert_int_equal(queue.count, 50000);
		for (int i = 0; i < 50000; i++) {
			const struct lxfw_event *event = &queue.events[i];

			assert_int_equal(event->type, LXFW_EVENT_JOB_RUN);
			assert_int_equal(event->run.id, i + 1);
			assert_int_equal(event->run.shares[0].host, i);
			assert_int_equal(event->run.past.since, 7);
		}
		lxfw_events_clear(&queue);
		assert_int_equal(queue.count, 0);
	}
	lxfw_events_block(&queue, 1, 0, 1, NULL, 0);
	assert_null(queue.events[0].block.shares);
	lxfw_events_destroy(&queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_holds_what_was_entered),
		cmocka_unit_test(ids_of_tasks_differ_from_those_of_jobs),
		cmocka_unit_test(events_are_copies_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
