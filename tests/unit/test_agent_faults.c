/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent over the simulated workload manager of fake_wlm.h while its machine is in trouble:
 * the clock jumps by hours, the process is stopped for minutes, memory is exhausted, and files
 * cannot be written, synchronized or renamed. No job is lost or started twice, the journal can
 * be read, and its decisions are the same when they are repeated. LXFW_SEED=N repeats the seed
 * that was printed; LXFW_CASES=N sets the number of seeds.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/books/books.h"
#include "common/sched.h"
#include "plugins/agent/log.h"
#include "plugins/agent/pass.h"
#include "plugins/agent/quanta.h"
#include "tests/unit/fake_truth.h"

#define STEPS 60
#define IDLE_SECONDS 600

static char folder[] = "/dev/shm/lxfw-faults-XXXXXX";	/* fsync() is fast in /dev/shm */
static struct fake fake;

/* --- failing calls ----------------------------------------------------------------- */

/* The next allocation, or call for a file, that fails: 1 is the next one, 0 none. */
static long memory_left, calls_left;
static int call_error;
static unsigned long memory_failures, call_failures;

static bool no_memory(void)
{
	if (memory_left == 0 || --memory_left > 0)
		return false;
	memory_failures++;
	errno = ENOMEM;
	return true;
}

static bool call_fails(void)
{
	if (calls_left == 0 || --calls_left > 0)
		return false;
	call_failures++;
	errno = call_error;
	return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
FILE *__real_open_memstream(char **text, size_t *length);
ssize_t __real_getdelim(char **text, size_t *size, int end, FILE *file);
ssize_t __real_write(int file, const void *bytes, size_t length);
int __real_fsync(int file);
int __real_rename(const char *from, const char *to);
int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);
int __wrap_asprintf(char **text, const char *format, ...);
FILE *__wrap_open_memstream(char **text, size_t *length);
ssize_t __wrap_getdelim(char **text, size_t *size, int end, FILE *file);
ssize_t __wrap_write(int file, const void *bytes, size_t length);
int __wrap_fsync(int file);
int __wrap_rename(const char *from, const char *to);
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to);

void *__wrap_malloc(size_t size)
{
	return no_memory() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t items, size_t size)
{
	return no_memory() ? NULL : __real_calloc(items, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return no_memory() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
	return no_memory() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
	return no_memory() ? NULL : __real_strndup(text, length);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list arguments;
	int length = -1;

	if (no_memory())
		return -1;
	va_start(arguments, format);
	length = vasprintf(text, format, arguments);
	va_end(arguments);
	return length;
}

FILE *__wrap_open_memstream(char **text, size_t *length)
{
	return no_memory() ? NULL : __real_open_memstream(text, length);
}

/* The C library has room for the first bytes, and not for the others. */
ssize_t __wrap_getdelim(char **text, size_t *size, int end, FILE *file)
{
	if (!no_memory())
		return __real_getdelim(text, size, end, file);
	*size = 120;
	*text = __real_calloc(1, *size);
	return -1;
}

ssize_t __wrap_write(int file, const void *bytes, size_t length)
{
	if (!call_fails())
		return __real_write(file, bytes, length);
	/* A part is written before the error. */
	if (call_error == ENOSPC && length > 1 && __real_write(file, bytes, length / 2) >= 0)
		errno = ENOSPC;
	return -1;
}

int __wrap_fsync(int file)
{
	return call_fails() ? -1 : __real_fsync(file);
}

int __wrap_rename(const char *from, const char *to)
{
	return call_fails() ? -1 : __real_rename(from, to);
}

int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	return call_fails() ? -1 : __real_renameat(from_folder, from, to_folder, to);
}

/* --- the file of quanta -------------------------------------------------------------- */

/* A file that cannot be read for want of memory is not taken for a damaged one, whose other
   entries are lost when it is written again. */
static void file_of_quanta_is_read_later(void **state)
{
	char path[sizeof(folder) + 32];
	struct lxfw_quanta_books books = { .path = path };
	int rc;

	(void)state;
	snprintf(path, sizeof(path), "%s/lxfw_quanta", folder);
	for (uint32_t job = 1; job <= 9; job++) {
		struct lxfw_preempted *preempted = lxfw_preempted_enter(&books, job);

		assert_non_null(preempted);
		lxfw_victim_ready(&books, job);
		lxfw_victim_count(&books, preempted);
		assert_non_null(lxfw_served_enter(&books, 100 + job));
		assert_non_null(lxfw_requeued_enter(&books, 200 + job));
	}
	assert_int_equal(lxfw_quanta_write(&books), 0);
	for (long nth = 1;; nth++) {
		books.path = NULL;
		lxfw_quanta_clear(&books);
		books.path = path;
		memory_left = nth;
		rc = lxfw_quanta_read(&books);
		if (memory_left)
			break;
		assert_int_equal(rc, -1);
		assert_int_equal(errno, ENOMEM);
	}
	memory_left = 0;
	assert_int_equal(rc, 0);
	assert_int_equal(books.preempted_count, 9);
	books.path = NULL;
	lxfw_quanta_clear(&books);
	assert_int_equal(unlink(path), 0);
}

static size_t requeues_in_file(void)
{
	struct lxfw_quanta_books books = { .path = fake.agent.quanta.path };
	size_t count;

	assert_int_equal(lxfw_quanta_read(&books), 0);
	count = books.requeued_count;
	books.path = NULL;
	lxfw_quanta_clear(&books);
	return count;
}

/* When the model is rebuilt, the next look requeues the jobs of quanta. The file has them
   before, in case the workload manager dies before it has saved that, and has those no more
   that were not requeued. */
static void requeues_of_a_rebuild_are_recorded(void **state)
{
	struct lxfw_served *served;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.random = 1;
	fake.quiet = true;
	strcpy(fake.folder, folder);
	fake_begin(&fake);
	lxfw_quanta_load(&fake.agent);
	for (uint32_t job = 1; job <= 3; job++) {
		served = lxfw_served_enter(&fake.agent.quanta, job);
		assert_non_null(served);
		served->until = job < 3 ? fake.now + 40 : 0;
	}
	lxfw_quanta_end_all(&fake.agent);
	assert_int_equal(requeues_in_file(), 2);
	lxfw_quanta_requeued(&fake.agent, 1, fake.now);
	lxfw_quanta_done(&fake.agent);
	lxfw_quanta_save(&fake.agent);
	assert_int_equal(requeues_in_file(), 1);
	fake_end(&fake);
}

/* The model has the number of suspensions of the only job. */
static int32_t suspensions_in_model(void)
{
	const struct lxfw_sched *sched = fake.agent.sched;
	int32_t index = lxfw_id_map_get(&sched->job_by_id, 1);

	assert_true(index >= 0);
	return sched->jobs[index].suspensions;
}

/* A file of quanta that cannot be read at first is read by the next pass. The model, which has the
   jobs already, gets their numbers of suspensions then. */
static void counts_of_a_late_file_are_in_the_model(void **state)
{
	char path[sizeof(folder) + 32];
	struct lxfw_quanta_books books = { .path = path };
	struct lxfw_victim *victim;

	(void)state;
	snprintf(path, sizeof(path), "%s/lxfw_quanta", folder);
	victim = lxfw_victim_enter(&books, 1);
	assert_non_null(victim);
	victim->suspensions = 2;
	assert_int_equal(lxfw_quanta_write(&books), 0);
	books.path = NULL;
	lxfw_quanta_clear(&books);
	memset(&fake, 0, sizeof(fake));
	fake.quiet = fake.faulty = true;
	strcpy(fake.folder, folder);
	fake_begin(&fake);
	fake.jobs = 1;
	fake.job[0].request.id = 1;
	fake.job[0].request.estimate = 100;
	fake.job[0].record = (struct fake_record){
		.phase = LXFW_PHASE_RUNNING, .count = 1, .shares[0].amount.procs = 1,
	};
	memory_left = 1;
	assert_true(lxfw_agent_pass(&fake.agent));
	assert_int_equal(memory_left, 0);
	assert_null(fake.agent.quanta.path);
	assert_int_equal(suspensions_in_model(), 0);
	assert_true(lxfw_agent_pass(&fake.agent));
	assert_non_null(fake.agent.quanta.path);
	assert_int_equal(suspensions_in_model(), 2);
	fake_end(&fake);
}

/* --- the journal -------------------------------------------------------------------- */

static unsigned char *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "re");
	struct stat status;
	unsigned char *bytes;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	bytes = malloc((size_t)status.st_size + 1);
	assert_non_null(bytes);
	*length = fread(bytes, 1, (size_t)status.st_size, file);
	assert_int_equal(*length, status.st_size);
	fclose(file);
	return bytes;
}

struct replay {
	const unsigned char *bytes;
	size_t length, offset;
	struct lxfw_sched *sched;
	int64_t now;		/* of the decision or event before, in this segment */
	size_t decisions, segments;
};

/* Repeats a decision. Its records begin at BEGIN. */
static void repeat(struct replay *replay, size_t begin, int64_t now)
{
	struct lxfw_decision decision;
	struct lxfw_buffer again = { 0 };

	assert_true(now >= replay->now);
	replay->now = now;
	assert_int_equal(lxfw_sched_decide(replay->sched, now, &decision), 0);
	assert_true(decision.wake > now);
	for (size_t i = 0; i < decision.count; i++) {
		const struct lxfw_action *action = &decision.actions[i];

		if (action->type == LXFW_ACTION_START || action->type == LXFW_ACTION_RESERVE)
			assert_true(action->start >= now && action->until > action->start);
	}
	assert_int_equal(lxfw_journal_put_decision(&again, now, &decision), 0);
	assert_true(again.length <= replay->length - begin);
	assert_memory_equal(again.bytes, replay->bytes + begin, again.length);
	free(again.bytes);
	replay->decisions++;
}

static void begin_segment(struct replay *replay)
{
	struct lxfw_params params;

	lxfw_sched_destroy(replay->sched);
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	replay->sched = lxfw_sched_create(&params);
	assert_non_null(replay->sched);
	replay->now = INT64_MIN;
	replay->segments++;
}

static void replay_record(struct replay *replay, const struct lxfw_record *record, size_t begin)
{
	struct lxfw_error why;

	switch (record->kind) {
	case LXFW_RECORD_MAGIC:
		begin_segment(replay);
		break;
	case LXFW_RECORD_EVENT:
		assert_true(record->event.time >= replay->now);
		replay->now = record->event.time;
		if (lxfw_sched_apply(replay->sched, &record->event, &why) < 0)
			fail_msg("%s", why.text);
		break;
	case LXFW_RECORD_DECIDE:
		repeat(replay, begin, record->now);
		break;
	default:
		break;
	}
}

/* Reads the journal of a run, and repeats its decisions. Returns their number. */
static size_t replay_journal(const char *path)
{
	struct replay replay = { 0 };
	struct lxfw_record record = { 0 };
	unsigned char *bytes = read_file(path, &replay.length);
	size_t begin = 0;

	replay.bytes = bytes;
	for (;;) {
		int rc = lxfw_journal_get(bytes, replay.length, &replay.offset, &record);

		/* A process that dies may leave an incomplete record. */
		if (rc < 0 && !lxfw_journal_seek(bytes, replay.length, &replay.offset))
			fail_msg("the journal cannot be read at %zu: %s", replay.offset,
				 strerror(errno));
		if (rc == 0)
			break;
		if (rc > 0)
			replay_record(&replay, &record, begin);
		begin = replay.offset;
	}
	assert_int_equal(replay.offset, replay.length);
	lxfw_record_clear(&record);
	lxfw_sched_destroy(replay.sched);
	free(bytes);
	return replay.decisions;
}

/* --- a run -------------------------------------------------------------------------- */

/* What happens before a step of the simulation. */
typedef void before_step(uint64_t *random);

/* With no job left, passes are rare, whatever happened before. */
static void assert_idle(void)
{
	uint64_t passes = fake.agent.total.passes;

	for (int i = 0; i < IDLE_SECONDS; i++)
		fake_idle(&fake);
	assert_true(fake.agent.total.passes - passes <= IDLE_SECONDS / 30 + 5);
}

static size_t run_one(uint64_t seed, before_step *before)
{
	uint64_t random = seed;
	bool finished;
	size_t decisions = 0;

	memset(&fake, 0, sizeof(fake));
	fake.random = seed;
	fake.faulty = true;
	strcpy(fake.folder, folder);
	snprintf(fake.journal, sizeof(fake.journal), "%s/journal", folder);
	fake_begin(&fake);
	for (int i = 0; i < STEPS && !fake.wrong[0]; i++) {
		before(&random);
		fake_step(&fake);
		memory_left = calls_left = 0;
	}
	finished = fake_finish(&fake);
	if (fake.wrong[0] || !finished)
		fail_msg("LXFW_SEED=%llu LXFW_CASES=1: %s", (unsigned long long)seed, fake.wrong);
	assert_idle();
	fake_end(&fake);
	decisions = replay_journal(fake.journal);
	(void)unlink(fake.journal);
	return decisions;
}

/* *FAILURES are counted by the calls that fail, if any do. */
static void run_all(const char *what, before_step *before, uint64_t few,
		    const unsigned long *failures)
{
	uint64_t seed = unit_seed(what), cases = unit_cases(few, 10 * few);
	size_t decisions = 0;

	for (uint64_t i = 0; i < cases; i++)
		decisions += run_one(seed + i, before);
	printf("# %zu decisions repeated\n", decisions);
	if (failures)
		printf("# %lu calls failed\n", *failures);
	assert_true(cases < few || (decisions > 0 && (!failures || *failures > 0)));
}

/* --- tests -------------------------------------------------------------------------- */

/* The clock jumps by up to a day, or no pass is made for up to ten minutes. */
static void move_the_clock(uint64_t *random)
{
	switch (unit_between(random, 0, 9)) {
	case 0:
		fake_jump(&fake, unit_between(random, -86400, 86400));
		break;
	case 1:
		fake_jump(&fake, unit_between(random, -3600, 3600));
		break;
	case 2:
		for (int64_t i = unit_between(random, 30, 600); i > 0; i--)
			fake_pass_second(&fake);
		break;
	default:
		break;
	}
}

static void clock_jumps(void **state)
{
	(void)state;
	run_all("clock", move_the_clock, 300, NULL);
}

/* A job is requeued, and the workload manager dies twice before it has saved that. */
static void two_deaths_lose_no_requeue(void **state)
{
	(void)state;
	run_one(5546, move_the_clock);
}

static void exhaust_memory(uint64_t *random)
{
	if (unit_between(random, 0, 2) == 0)
		memory_left = (long)unit_between(random, 1, 80);
}

static void memory_is_exhausted(void **state)
{
	(void)state;
	run_all("memory", exhaust_memory, 300, &memory_failures);
}

/* After a death, there is no memory to read the file of quanta once. */
static void late_file_bounds_suspensions(void **state)
{
	(void)state;
	run_one(30909, exhaust_memory);
}

static void spoil_files(uint64_t *random)
{
	static const int errors[] = { EIO, ENOSPC, ESTALE, EXDEV, EDQUOT, EROFS };

	call_error = errors[unit_between(random, 0, 5)];
	if (unit_between(random, 0, 2) == 0)
		calls_left = (long)unit_between(random, 1, 12);
}

static void files_cannot_be_written(void **state)
{
	(void)state;
	run_all("files", spoil_files, 300, &call_failures);
}

static void spoil_all(uint64_t *random)
{
	move_the_clock(random);
	exhaust_memory(random);
	spoil_files(random);
}

static void all_at_once(void **state)
{
	(void)state;
	run_all("all at once", spoil_all, 300, &call_failures);
}

static int make_folder(void **state)
{
	(void)state;
	if (access("/dev/shm", W_OK) < 0)
		strcpy(folder, "/tmp/lxfw-faults-XXXXXX");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_of_quanta_is_read_later),
		cmocka_unit_test(requeues_of_a_rebuild_are_recorded),
		cmocka_unit_test(counts_of_a_late_file_are_in_the_model),
		cmocka_unit_test(clock_jumps),
		cmocka_unit_test(two_deaths_lose_no_requeue),
		cmocka_unit_test(memory_is_exhausted),
		cmocka_unit_test(late_file_bounds_suspensions),
		cmocka_unit_test(files_cannot_be_written),
		cmocka_unit_test(all_at_once),
	};

	if (getenv("LXFW_FAKE_LOG"))
		lxfw_log_to(say);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
