/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that follows a share, and the folder where it tells of it. */
#include "plugins/slurm/compat/step.h"
#include "plugins/slurm/spank-lxfw/follower.h"
#include "tests/unit/spank_children.h"

static struct lxfw_cpus all, first, second;
static struct lxfw_follower_plan plan;
static struct lxfw_share_dir dir;
static int errors;

/* The source of the tests. */
static struct {
	pthread_mutex_t lock;
	struct lxfw_node_share share;
	enum lxfw_share_answer answer;
	unsigned asked;
	bool hangs;		/* like a controller that does not answer */
} source = { .lock = PTHREAD_MUTEX_INITIALIZER };

int lxfw_step_machine_cpus(const struct lxfw_cpus *cores, struct lxfw_cpus *cpus)
{
	/* A machine whose cores are the CPUs that we have. */
	*cpus = *cores;
	return 0;
}

static enum lxfw_share_answer answer(void *context, struct lxfw_node_share *share)
{
	enum lxfw_share_answer said;

	(void)context;
	pthread_mutex_lock(&source.lock);
	source.asked++;
	while (source.hangs) {
		pthread_mutex_unlock(&source.lock);
		usleep(5000);
		pthread_mutex_lock(&source.lock);
	}
	said = source.answer;
	*share = source.share;
	pthread_mutex_unlock(&source.lock);
	errno = ETIMEDOUT;
	return said;
}

static void set(enum lxfw_share_answer said, unsigned processors,
		const struct lxfw_cpus *cores)
{
	pthread_mutex_lock(&source.lock);
	source.answer = said;
	source.share.processors = processors;
	source.share.cores = *cores;
	pthread_mutex_unlock(&source.lock);
}

static unsigned asked(void)
{
	unsigned count;

	pthread_mutex_lock(&source.lock);
	count = source.asked;
	pthread_mutex_unlock(&source.lock);
	return count;
}

static void quiet(const char *text)
{
	print_message("# %s\n", text);
}

static void loud(const char *text)
{
	print_message("# error: %s\n", text);
	errors++;
}

static int begin(void **state)
{
	if (tree_begin(state) < 0)
		return -1;
	plan = (struct lxfw_follower_plan){
		.step = {
			.proc = "/proc", .node = CHILD_NODE, .job = CHILD_JOB,
			.user = getuid(), .daemon = getpid(),
		},
		.source = { .read = answer },
		.share = { .processors = 2 },
		.dir = &dir,
		.interval = 1,
		.mounts = "/nonexistent",
		.info = quiet,
		.error = loud,
	};
	errors = 0;
	return 0;
}

static void open_dir(void)
{
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), CHILD_NODE,
					     CHILD_JOB), 0);
}

/* Processes, files and log follow; at the end nothing is left. */
static void test_follows(void **state)
{
	struct lxfw_follower *follower;
	char line[64], list[32];
	pid_t child;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	child = child_start("child", 3);
	open_dir();
	plan.share.cores = all;
	set(LXFW_SHARE_READ, 1, &first);
	follower = lxfw_follower_start(&plan);
	assert_non_null(follower);
	tree_await(child_has(child, 3, &first));
	lxfw_cpus_format(&first, list, sizeof(list));
	snprintf(line, sizeof(line), "1 %s\n", list);
	tree_await(strcmp(tree_read("base/testnode.4711/cpus"), line) == 0);
	assert_string_equal(tree_read("base/testnode.4711/share"), line);
	assert_string_equal(tree_read("base/testnode.4711/count"), "1\n");
	set(LXFW_SHARE_READ, 64, &all);
	tree_await(child_has(child, 3, &all));
	tree_await(strcmp(tree_read("base/testnode.4711/count"), "64\n") == 0);
	/* It does not run, it spans nodes, nobody answers: nothing changes. */
	set(LXFW_SHARE_NONE, 1, &first);
	line[0] = (char)asked();
	tree_await(asked() > (unsigned char)line[0] + 1u);
	assert_true(child_has(child, 3, &all));
	set(LXFW_SHARE_READ, 1, &second);
	tree_await(child_has(child, 3, &second));
	lxfw_follower_stop(follower);
	lxfw_share_dir_close(&dir);
	assert_false(tree_has("base/testnode.4711"));
	assert_int_equal(errors, 0);
	child_end(child);
}

/* The controller is away when the step ends: that does not hold it up. */
static void test_ends_without_controller(void **state)
{
	struct lxfw_follower *follower;
	struct timespec before, after;

	(void)state;
	child_cpus(&all, &first, &second);
	open_dir();
	plan.share.cores = all;
	set(LXFW_SHARE_AWAY, 1, &all);
	source.hangs = true;
	source.asked = 0;
	follower = lxfw_follower_start(&plan);
	assert_non_null(follower);
	tree_await(asked() > 0);
	clock_gettime(CLOCK_MONOTONIC, &before);
	lxfw_follower_stop(follower);
	clock_gettime(CLOCK_MONOTONIC, &after);
	/* A second by its contract; a question takes ten times as long. */
	assert_true(after.tv_sec - before.tv_sec < 10);
	lxfw_share_dir_close(&dir);
	assert_false(tree_has("base/testnode.4711"));
	/* What was left behind ends, and touches nothing. */
	open_dir();
	set(LXFW_SHARE_READ, 1, &first);
	pthread_mutex_lock(&source.lock);
	source.hangs = false;
	pthread_mutex_unlock(&source.lock);
	usleep(100000);
	assert_false(tree_has("base/testnode.4711/share"));
	lxfw_share_dir_close(&dir);
}

/* Pauses: about the interval, longer without answers, never too long. */
static void test_pauses(void **state)
{
	unsigned random = 1, failures;
	long longest = 0, shortest = 1000000;
	int i;

	(void)state;
	for (i = 0; i < 10000; i++) {
		long pause = lxfw_follower_pause(3, 0, &random);

		longest = pause > longest ? pause : longest;
		shortest = pause < shortest ? pause : shortest;
	}
	assert_in_range(shortest, 2550, 2600);
	assert_in_range(longest, 3400, 3450);
	for (failures = 1; failures < 100; failures++)
		for (i = 0; i < 100; i++)
			assert_in_range(lxfw_follower_pause(3, failures, &random),
					5100, 34500);
	assert_true(lxfw_follower_pause(3, 4000000000u, &random) > 25000);
}

/* One asks, the others read; another one asks when that has ended. */
static void test_one_leads(void **state)
{
	struct lxfw_share_dir other, third;
	struct lxfw_node_share share = { .processors = 3 }, read;

	(void)state;
	child_cpus(&all, &first, &second);
	share.cores = first;
	open_dir();
	assert_true(lxfw_share_dir_used(tree_path("base"), CHILD_NODE, CHILD_JOB));
	assert_false(lxfw_share_dir_used(tree_path("base"), CHILD_NODE, 1));
	assert_false(lxfw_share_dir_used(tree_path("base"), "other", CHILD_JOB));
	assert_int_equal(lxfw_share_dir_open(&other, tree_path("base"),
					     CHILD_NODE, CHILD_JOB), 0);
	assert_int_equal(lxfw_share_dir_read(&other, &read), LXFW_SHARE_NONE);
	assert_true(lxfw_share_dir_leads(&dir));
	assert_true(lxfw_share_dir_leads(&dir));
	assert_false(lxfw_share_dir_leads(&other));
	assert_int_equal(lxfw_share_dir_publish(&dir, &share, &first), 0);
	assert_int_equal(lxfw_share_dir_read(&other, &read), LXFW_SHARE_READ);
	assert_int_equal(read.processors, 3);
	lxfw_share_dir_close(&dir);
	lxfw_share_dir_close(&dir);
	assert_true(lxfw_share_dir_leads(&other));
	assert_int_equal(lxfw_share_dir_open(&third, tree_path("base"),
					     CHILD_NODE, 5), 0);
	lxfw_share_dir_close(&other);
	assert_false(tree_has("base/testnode.4711"));
	assert_true(tree_has("base/testnode.5"));
	lxfw_share_dir_close(&third);
	assert_false(lxfw_share_dir_used(tree_path("base"), CHILD_NODE, 5));
}

/* What killed steps have left goes, whatever else is in the folder stays. */
static void test_sweep(void **state)
{
	struct lxfw_share_dir other;

	(void)state;
	open_dir();
	assert_int_equal(lxfw_share_dir_open(&other, tree_path("base"),
					     CHILD_NODE, 8), 0);
	tree_file("base/testnode.6/users", "");
	tree_file("base/testnode.6/cpus", "1 0\n");
	tree_file("base/testnode.6/cpus.1234", "");
	tree_file("base/testnode.7/users", "");
	tree_file("base/testnode.7/diary", "");
	tree_file("base/testnode2.6/users", "");
	tree_file("base/testnode.x6/users", "");
	assert_int_equal(mkdir(tree_path("base/testnode.9"), 0755), 0);
	lxfw_share_dir_sweep(&dir);
	assert_false(tree_has("base/testnode.6"));
	assert_false(tree_has("base/testnode.9"));
	assert_true(tree_has("base/testnode.7/diary"));
	assert_true(tree_has("base/testnode.8/users"));
	assert_true(tree_has("base/testnode2.6/users"));
	assert_true(tree_has("base/testnode.x6/users"));
	assert_true(tree_has("base/testnode.4711/users"));
	lxfw_share_dir_close(&other);
	lxfw_share_dir_close(&dir);
}

/* Nobody else may have a hand in where root writes. */
static void test_foreign_folders(void **state)
{
	(void)state;
	assert_int_equal(mkdir(tree_path("base"), 0755), 0);
	assert_int_equal(chmod(tree_path("base"), 0777), 0);
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), CHILD_NODE,
					     CHILD_JOB), -1);
	assert_int_equal(errno, EPERM);
	lxfw_share_dir_close(&dir);
	assert_int_equal(chmod(tree_path("base"), 0755), 0);
	assert_int_equal(symlink("/tmp", tree_path("base/testnode.4711")), 0);
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), CHILD_NODE,
					     CHILD_JOB), -1);
	lxfw_share_dir_close(&dir);
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), "../x",
					     CHILD_JOB), -1);
	lxfw_share_dir_close(&dir);
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("no/base"),
					     CHILD_NODE, CHILD_JOB), -1);
	lxfw_share_dir_close(&dir);
}

/* Steps that come and go at once never lose their folder. */
static void *come_and_go(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 300; i++) {
		struct lxfw_share_dir mine;
		char path[sizeof(mine.path) + 8];

		if (lxfw_share_dir_open(&mine, tree_folder, CHILD_NODE, 3) < 0)
			return (void *)1;
		snprintf(path, sizeof(path), "%s/users", mine.path);
		if (access(path, F_OK) < 0)
			return (void *)2;
		lxfw_share_dir_close(&mine);
	}
	return NULL;
}

static void test_come_and_go(void **state)
{
	pthread_t threads[4];
	void *result;
	int i;

	(void)state;
	assert_int_equal(chmod(tree_folder, 0755), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, come_and_go,
						NULL), 0);
	for (i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_null(result);
	}
	assert_false(tree_has("testnode.3"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, tree_end)

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		CASE(test_follows),
		CASE(test_ends_without_controller),
		CASE(test_pauses),
		CASE(test_one_leads),
		CASE(test_sweep),
		CASE(test_foreign_folders),
		CASE(test_come_and_go),
	};

	child_main(count, arguments);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
