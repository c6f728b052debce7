/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent with a workload manager that refuses, delays, lies and dies: thousands of
 * seeds, each a small site. LXFW_SEED=N repeats the seed that was printed; LXFW_CASES=N
 * sets the number of seeds.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "tests/unit/fake_wlm.h"

#define CASES 2000
#define STEPS 60

static char folder[] = "/dev/shm/lxfw-agent-XXXXXX";	/* fsync() is fast in /dev/shm */

static int make_folder(void **state)
{
	(void)state;
	if (access("/dev/shm", W_OK) < 0)
		strcpy(folder, "/tmp/lxfw-agent-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static void say(enum lxfw_log_level level, const char *text)
{
	printf("# %d %s\n", level, text);
}

/* --- no memory for counting victims ------------------------------------- */

void *__real_lxfw_grow(void *array, size_t *size, size_t need, size_t item_size);
void *__wrap_lxfw_grow(void *array, size_t *size, size_t need, size_t item_size);

static struct fake fake;
static bool no_memory;
static bool may_shadow;
static struct fake_shadow_counts shadowed;

void *__wrap_lxfw_grow(void *array, size_t *size, size_t need, size_t item_size)
{
	if (no_memory && size == &fake.agent.quanta.victim_size) {
		errno = ENOMEM;
		return NULL;
	}
	return __real_lxfw_grow(array, size, need, item_size);
}

/* --- a seed ------------------------------------------------------------- */

static void sum_up(struct fake_counts *sum, const struct fake_counts *counts)
{
	uint32_t *to = (uint32_t *)sum;
	const uint32_t *from = (const uint32_t *)counts;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += from[i];
}

/* Check that errors of each kind occurred. */
static void assert_all_met(const struct fake_counts *sum)
{
	const uint32_t *count = (const uint32_t *)sum;

	printf("# %u starts, %u late, %u elsewhere, %u refusals, %u suspensions (%u of victims), %u resumptions, %u requeues, %u reminders, %u deaths, %u records and %u messages lost, %u jumps, %u vanished, %u resumptions put off, %u suspensions omitted, %u policies\n",
	       sum->starts, sum->late, sum->elsewhere, sum->refusals,
	       sum->suspensions, sum->victims, sum->resumptions, sum->requeues,
	       sum->reminders,
	       sum->crashes, sum->lost_records, sum->lost_messages, sum->jumps,
	       sum->vanished, sum->deferred, sum->omitted, sum->switches);
	for (size_t i = 0; i < sizeof(*sum) / sizeof(*count); i++)
		assert_true(count[i] > 0);
}

static void run_one(uint64_t seed, struct fake_counts *sum)
{
	bool finished;

	memset(&fake, 0, sizeof(fake));
	fake.random = seed;
	fake.may_shadow = may_shadow;
	strcpy(fake.folder, folder);
	snprintf(fake.journal, sizeof(fake.journal), "%s/journal", folder);
	fake_begin(&fake);
	for (int i = 0; i < STEPS && !fake.wrong[0]; i++)
		fake_step(&fake);
	if (no_memory)
		assert_true(fake.counts.victims == 0);
	finished = fake_finish(&fake);
	sum_up(sum, &fake.counts);
	shadowed.begun += fake.shadow.begun;
	shadowed.starts += fake.shadow.starts;
	shadowed.resumptions += fake.shadow.resumptions;
	fake_end(&fake);
	(void)unlink(fake.journal);
	if (fake.wrong[0] || !finished)
		fail_msg("LXFW_SEED=%llu LXFW_CASES=1: %s",
			 (unsigned long long)seed, fake.wrong);
}

static void nothing_is_lost(void **state)
{
	uint64_t seed = unit_seed("agent");
	const char *given = getenv("LXFW_CASES");
	long cases = given ? strtol(given, NULL, 10) : CASES;
	struct fake_counts sum = { 0 };

	(void)state;
	for (long i = 0; i < cases; i++)
		run_one(seed + (uint64_t)i, &sum);
	if (cases >= CASES)
		assert_all_met(&sum);
}

/* A reservation for which suspended jobs keep the memory is made again at once: these jobs
   are requeued, although resources that became free do not suffice for it. All hosts were
   idle until its time before. */
static void reservation_without_memory_is_made_again(void **state)
{
	struct fake_counts sum = { 0 };

	(void)state;
	run_one(2644, &sum);
}

/* Nodes do not respond when a job resumes, respond, and die again when they receive the
   resume message that follows. */
static void lost_twice_resumes(void **state)
{
	struct fake_counts sum = { 0 };

	(void)state;
	run_one(721451, &sum);
}

/* A requeue was planned, and carried out, when the workload manager died before it had saved it.
   It is refused once after the restart. */
static void refused_requeue_is_made_again(void **state)
{
	struct fake_counts sum = { 0 };

	(void)state;
	run_one(104704, &sum);
}

/* The agent requeues a job after its quantum, and the workload manager, by itself in shadow mode,
   starts it again before a look finds it pending. That run is not in a quantum. */
static void next_run_is_in_no_quantum(void **state)
{
	struct fake_job *job = &fake.job[0];
	struct lxfw_served *served;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.quiet = true;
	strcpy(fake.folder, folder);
	fake_begin(&fake);
	lxfw_quanta_load(&fake.agent);
	fake.jobs = 1;
	job->request.id = 1;
	job->record.phase = LXFW_PHASE_RUNNING;
	job->record.began = 20;
	served = lxfw_served_enter(&fake.agent.quanta, 1);
	assert_non_null(served);
	served->until = fake.now + 40;
	lxfw_quanta_requeued(&fake.agent, 1, 10);
	lxfw_quanta_end_all(&fake.agent);
	lxfw_quanta_look(&fake.agent);
	assert_int_equal(fake.counts.requeues, 0);
	assert_int_equal(fake.agent.quanta.served_count, 1);
	assert_int_equal(fake.agent.quanta.served[0].until, 0);
	assert_string_equal(fake.wrong, "");
	fake_end(&fake);
}

/* The same where a look failed: the agent ended the quantum as planned, or because the model
   was rebuilt. */
static void next_run_after_a_failed_look(void **state)
{
	struct fake_counts sum = { 0 };

	(void)state;
	may_shadow = true;
	run_one(7003938, &sum);
	run_one(300620, &sum);
	may_shadow = false;
}

/* A job is not suspended if its suspensions cannot be counted. */
static void uncounted_job_is_not_suspended(void **state)
{
	uint64_t seed = unit_seed("agent, no memory");
	struct fake_counts sum = { 0 };

	(void)state;
	no_memory = true;
	for (uint64_t i = 0; i < 100; i++)
		run_one(seed + i, &sum);
	no_memory = false;
	assert_true(sum.starts > 0);
}

/* In shadow mode nothing is started or suspended, and jobs that were suspended before
   resume. Policies that suspend jobs, which the adapters refuse in this mode, are not
   excluded. */
static void shadow_mode_only_records(void **state)
{
	uint64_t seed = unit_seed("agent, shadow mode");
	struct fake_counts sum = { 0 };

	(void)state;
	may_shadow = true;
	for (uint64_t i = 0; i < CASES / 4; i++)
		run_one(seed + i, &sum);
	may_shadow = false;
	printf("# %u times, %u starts and %u resumptions\n", shadowed.begun,
	       shadowed.starts, shadowed.resumptions);
	assert_true(shadowed.begun > 0 && shadowed.starts > 0 && shadowed.resumptions > 0);
}

/* A block is reported again if its start, its end or its shares changed, and only then. */
static void changed_blocks_are_reported(void **state)
{
	static struct lxfw_agent agent;
	struct lxfw_share share = { .host = 0, .amount.procs = 4 };

	(void)state;
	lxfw_mirror_block(&agent, 7, 100, 200, &share, 1);
	assert_int_equal(agent.events.count, 1);
	lxfw_mirror_block(&agent, 7, 100, 200, &share, 1);
	assert_int_equal(agent.events.count, 1);
	lxfw_mirror_block(&agent, 7, 100, 300, &share, 1);
	assert_int_equal(agent.events.count, 2);
	assert_int_equal(agent.events.events[1].block.end, 300);
	lxfw_mirror_block(&agent, 7, 50, 300, &share, 1);
	assert_int_equal(agent.events.count, 3);
	share.amount.procs = 2;
	lxfw_mirror_block(&agent, 7, 50, 300, &share, 1);
	assert_int_equal(agent.events.count, 4);
	lxfw_events_destroy(&agent.events);
	lxfw_mirror_destroy(&agent);
}

/* A job that was requeued and runs again, without having been seen to wait. */
static void run_ends_a_requeue(void **state)
{
	static struct lxfw_agent agent;
	struct lxfw_share share = { .host = 0, .amount.procs = 4 };
	const struct lxfw_run run = {
		.id = 7, .record = 7, .end = 100, .count = 1, .shares = &share,
	};
	struct lxfw_known_job *known = lxfw_mirror_running(&agent, 7, 7);

	(void)state;
	assert_non_null(known);
	known->requeued = 50;
	assert_true(lxfw_known_ask(known, 60, &share, 1));
	assert_true(known->asked == 60 && known->asked_count == 1);
	assert_memory_equal(known->asked_shares, &share, sizeof(share));
	lxfw_mirror_run(&agent, known, &run);
	assert_int_equal(known->state, LXFW_KNOWN_RUNNING);
	assert_int_equal(known->requeued, 0);
	assert_true(known->asked == 0 && !known->asked_shares);
	lxfw_events_destroy(&agent.events);
	lxfw_mirror_destroy(&agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_blocks_are_reported),
		cmocka_unit_test(run_ends_a_requeue),
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(reservation_without_memory_is_made_again),
		cmocka_unit_test(lost_twice_resumes),
		cmocka_unit_test(refused_requeue_is_made_again),
		cmocka_unit_test(next_run_is_in_no_quantum),
		cmocka_unit_test(next_run_after_a_failed_look),
		cmocka_unit_test(uncounted_job_is_not_suspended),
		cmocka_unit_test(shadow_mode_only_records),
	};

	if (getenv("LXFW_FAKE_LOG"))
		lxfw_log_to(say);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
