/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts that were idle although jobs waited for them, in a log of which that is known: host 0 is
 * in use all the time, host 1 is idle from day 2 to day 5, and five jobs of two users wait for a
 * host from day 3 on. Each test changes one of the conditions.
 */
#include <string.h>

#include "sim-frontend/infer/idle_hosts.h"
#include "tests/unit/unit.h"

#define HOUR INT64_C(3600)
#define DAY INT64_C(86400)
#define STEP INT64_C(1800)
#define GRACE 60
#define JOBS 64
#define HOSTS 4

static struct lxfw_recorded recorded;
static struct lxfw_recorded_job jobs[JOBS];
static struct lxfw_recorded_event events[HOSTS + 1];
static struct lxfw_share shares[JOBS];
static struct lxfw_idle_list list;

static void add_host(int32_t procs, int64_t memory)
{
	struct lxfw_event *event = &events[recorded.event_count].event;

	*event = (struct lxfw_event) { .type = LXFW_EVENT_HOST };
	event->host.index = (int32_t)recorded.event_count++;
	event->host.up = true;
	event->host.total = (struct lxfw_resources) { .procs = procs, .memory_mb = memory };
}

static struct lxfw_recorded_job *add(int64_t seen, int64_t start, int64_t end, int32_t user)
{
	struct lxfw_recorded_job *job = &jobs[recorded.count++];

	assert_true(recorded.count <= JOBS);
	*job = (struct lxfw_recorded_job) {
		.request = { .id = recorded.count, .submit = seen, .estimate = HOUR, .count = 1,
			     .unit.procs = 4, .shape = LXFW_SHAPE_HOSTS },
		.seen = seen, .start = start, .end = end, .user = user,
	};
	return job;
}

/* A job that ran on PROCS processors of a host. */
static struct lxfw_recorded_job *ran(int32_t host, int64_t start, int64_t end, int32_t procs)
{
	struct lxfw_recorded_job *job = add(start, start, end, 8);

	job->first_share = recorded.share_count;
	job->share_count = 1;
	shares[recorded.share_count++] = (struct lxfw_share) {
		.host = host, .amount = { .procs = procs },
	};
	return job;
}

static void begin(void)
{
	recorded = (struct lxfw_recorded) { .jobs = jobs, .events = events, .shares = shares };
	add_host(4, 1000);
	add_host(4, 1000);
	ran(0, 0, 10 * DAY, 4);
	ran(1, 0, 2 * DAY, 1);
	ran(1, 5 * DAY, 6 * DAY, 4);
}

/* COUNT jobs of two users wait from SEEN until START. Returns the first of them. */
static struct lxfw_recorded_job *wait_for(int count, int64_t seen, int64_t start)
{
	struct lxfw_recorded_job *first = &jobs[recorded.count];

	for (int i = 0; i < count; i++)
		add(seen, start, start + HOUR, i % 2);
	return first;
}

static int by_seen(const void *left, const void *right)
{
	const struct lxfw_recorded_job *a = left, *b = right;

	if (a->seen != b->seen)
		return a->seen < b->seen ? -1 : 1;
	return (a->request.id > b->request.id) - (a->request.id < b->request.id);
}

static void find(void)
{
	qsort(jobs, recorded.count, sizeof(*jobs), by_seen);
	assert_int_equal(lxfw_idle_hosts_find(&list, &recorded, GRACE), 0);
}

/* The only group has one host. */
static void is_found(int32_t host, int64_t from, int64_t until)
{
	find();
	assert_int_equal(list.count, 1);
	assert_int_equal(list.groups[0].count, 1);
	assert_int_equal(list.groups[0].hosts[0], host);
	assert_int_equal(list.groups[0].begin, from);
	assert_int_equal(list.groups[0].end, until);
	lxfw_idle_hosts_clear(&list);
	assert_int_equal(list.count, 0);
	assert_null(list.groups);
}

static void is_not_found_at(int line)
{
	find();
	if (list.count != 0)
		fail_msg("line %d: found", line);
	lxfw_idle_hosts_clear(&list);
}

static void finds_a_host(void **state)
{
	(void)state;
	begin();
	wait_for(5, 3 * DAY, 5 * DAY);
	is_found(1, 2 * DAY, 5 * DAY);
}

/* Jobs, users and time: one less of each is no evidence. */
static void needs_evidence(void **state)
{
	(void)state;
	begin();
	wait_for(4, 3 * DAY, 5 * DAY);
	is_not_found_at(__LINE__);
	begin();
	wait_for(5, 3 * DAY, 5 * DAY);
	for (size_t i = 0; i < recorded.count; i++)
		jobs[i].user = 1;
	is_not_found_at(__LINE__);
	/* six hours after the first step, and up to the grace time */
	begin();
	wait_for(5, 3 * DAY, 3 * DAY + 6 * HOUR + GRACE + 1);
	is_found(1, 2 * DAY, 5 * DAY);
	begin();
	wait_for(5, 3 * DAY, 3 * DAY + 6 * HOUR + GRACE);
	is_not_found_at(__LINE__);
	/* jobs that left the queue without starting are none */
	begin();
	wait_for(5, 3 * DAY, 5 * DAY)->start = LXFW_UNKNOWN;
	is_not_found_at(__LINE__);
	/* nor is there any before all hosts are known to have run jobs */
	begin();
	recorded.share_count = 0;
	is_not_found_at(__LINE__);
}

/* A gap is a day long, or half as long again as most jobs request. */
static void needs_a_gap(void **state)
{
	(void)state;
	begin();
	jobs[1].end = 4 * DAY;
	wait_for(5, 3 * DAY, 5 * DAY);
	is_found(1, 4 * DAY, 5 * DAY);
	begin();
	jobs[1].end = 4 * DAY + 1;
	wait_for(5, 3 * DAY, 5 * DAY);
	is_not_found_at(__LINE__);
	begin();
	wait_for(5, 3 * DAY, 5 * DAY);
	for (size_t i = 0; i < recorded.count; i++)
		jobs[i].request.estimate = 2 * DAY;
	is_found(1, 2 * DAY, 5 * DAY);
	begin();
	wait_for(5, 3 * DAY, 5 * DAY);
	for (size_t i = 0; i < recorded.count; i++)
		jobs[i].request.estimate = 2 * DAY + 2;
	is_not_found_at(__LINE__);
	/* of 64 jobs, the requests of four do not count, those of five do */
	for (int few = 4; few <= 5; few++) {
		begin();
		wait_for(JOBS - (int)recorded.count, 3 * DAY, 5 * DAY);
		for (int i = 0; i < few; i++)
			jobs[JOBS - 1 - i].request.estimate = 9 * DAY;
		if (few == 4)
			is_found(1, 2 * DAY, 5 * DAY);
		else
			is_not_found_at(__LINE__);
	}
}

/* What fits on a host that is in use lacks something else. */
static void fits_elsewhere(void **state)
{
	(void)state;
	begin();
	shares[0].amount.procs = 3;
	wait_for(5, 3 * DAY, 5 * DAY);
	is_found(1, 2 * DAY, 5 * DAY);
	begin();
	shares[0].amount.procs = 3;
	for (struct lxfw_recorded_job *job = wait_for(5, 3 * DAY, 5 * DAY);
	     job < &jobs[recorded.count]; job++)
		job->request.unit.procs = 1;
	is_not_found_at(__LINE__);
	/* not if it takes whole hosts */
	begin();
	shares[0].amount.procs = 3;
	for (struct lxfw_recorded_job *job = wait_for(5, 3 * DAY, 5 * DAY);
	     job < &jobs[recorded.count]; job++) {
		job->request.unit.procs = 1;
		job->request.exclusive = true;
	}
	is_found(1, 2 * DAY, 5 * DAY);
	/* nor does what is too large for the host */
	begin();
	for (struct lxfw_recorded_job *job = wait_for(5, 3 * DAY, 5 * DAY);
	     job < &jobs[recorded.count]; job++)
		job->request.unit.memory_mb = 1001;
	is_not_found_at(__LINE__);
	begin();
	for (struct lxfw_recorded_job *job = wait_for(5, 3 * DAY, 5 * DAY);
	     job < &jobs[recorded.count]; job++) {
		job->request.shape = LXFW_SHAPE_ANYWHERE;
		job->request.count = 4;
		job->request.unit.procs = 1;
		job->request.per_host.memory_mb = 1000;
	}
	is_found(1, 2 * DAY, 5 * DAY);
	begin();
	for (struct lxfw_recorded_job *job = wait_for(5, 3 * DAY, 5 * DAY);
	     job < &jobs[recorded.count]; job++) {
		job->request.shape = LXFW_SHAPE_ANYWHERE;
		job->request.count = 5;
		job->request.unit.procs = 1;
	}
	is_not_found_at(__LINE__);
}

/* A job of a partition waits for the hosts of it. */
static void looks_at_partitions(void **state)
{
	static const int32_t hosts[] = { 1 };

	(void)state;
	for (int id = 0; id < 2; id++) {
		begin();
		shares[0].amount.procs = 0;
		events[recorded.event_count].event = (struct lxfw_event) {
			.type = LXFW_EVENT_HOST_SET };
		events[recorded.event_count].event.host_set.count = 1;
		events[recorded.event_count++].event.host_set.hosts = hosts;
		for (struct lxfw_recorded_job *job = wait_for(5, 3 * DAY, 5 * DAY);
		     job < &jobs[recorded.count]; job++) {
			job->request.host_set_count = 1;
			job->request.host_sets[0] = id;
		}
		if (id == 0)
			is_found(1, 2 * DAY, 5 * DAY);
		else	/* a partition that is not known */
			is_not_found_at(__LINE__);
	}
}

/* Two hosts are one group if they have four fifths of the time of each in common. */
static void groups_hosts(void **state)
{
	(void)state;
	for (int apart = 0; apart < 2; apart++) {
		/* gaps from day 0 to day 5, and from day 1 to day 5 */
		int64_t second = DAY + apart;

		begin();
		add_host(4, 1000);
		jobs[1].end = HOUR;
		jobs[2].start = jobs[2].seen = HOUR + 5 * DAY;
		ran(2, 0, HOUR + second, 4);
		ran(2, HOUR + 5 * DAY, 6 * DAY, 4);
		wait_for(5, 2 * DAY, 5 * DAY);
		find();
		assert_int_equal(list.count, 1 + apart);
		assert_int_equal(list.groups[0].count, 2 - apart);
		assert_int_equal(list.groups[0].hosts[0], 1);
		assert_int_equal(list.groups[0].begin, apart ? HOUR : HOUR + DAY);
		assert_int_equal(list.groups[0].end, HOUR + 5 * DAY);
		if (apart) {
			assert_int_equal(list.groups[1].hosts[0], 2);
			assert_int_equal(list.groups[1].begin, HOUR + second);
		} else {
			assert_int_equal(list.groups[0].hosts[1], 2);
		}
		lxfw_idle_hosts_clear(&list);
	}
}

/* Two gaps of one host, with evidence for the second one. */
static void finds_the_second(void **state)
{
	(void)state;
	begin();
	ran(1, 8 * DAY, 9 * DAY, 4);
	wait_for(5, 6 * DAY + 2 * HOUR, 8 * DAY);
	is_found(1, 6 * DAY, 8 * DAY);
	begin();
	ran(1, 8 * DAY, 9 * DAY, 4);
	wait_for(5, 3 * DAY, 5 * DAY);
	wait_for(5, 6 * DAY + 2 * HOUR, 8 * DAY);
	find();
	assert_int_equal(list.count, 2);
	assert_int_equal(list.groups[0].begin, 2 * DAY);
	assert_int_equal(list.groups[1].begin, 6 * DAY);
	assert_int_equal(list.groups[1].end, 8 * DAY);
	lxfw_idle_hosts_clear(&list);
}

/* Groups are in order of time, whatever the numbers of the hosts. */
static void orders_groups(void **state)
{
	(void)state;
	begin();
	add_host(4, 1000);
	ran(2, 0, DAY, 4);
	ran(2, 3 * DAY, 6 * DAY, 4);
	wait_for(5, DAY, 5 * DAY);
	find();
	assert_int_equal(list.count, 2);
	assert_int_equal(list.groups[0].hosts[0], 2);
	assert_int_equal(list.groups[0].begin, DAY);
	assert_int_equal(list.groups[1].hosts[0], 1);
	assert_int_equal(list.groups[1].begin, 2 * DAY);
	lxfw_idle_hosts_clear(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_a_host),
		cmocka_unit_test(needs_evidence),
		cmocka_unit_test(needs_a_gap),
		cmocka_unit_test(fits_elsewhere),
		cmocka_unit_test(looks_at_partitions),
		cmocka_unit_test(groups_hosts),
		cmocka_unit_test(finds_the_second),
		cmocka_unit_test(orders_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
