/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that follows a share, and the folder in which it publishes the share. */
#include "plugins/slurm/compat/step.h"
#include "plugins/slurm/spank-lxfw/follower.h"
#include "tests/unit/spank_children.h"

#include <fcntl.h>
#include <sys/resource.h>

static struct lxfw_cpus all, first, second;
static struct lxfw_follower_plan plan;
static struct lxfw_share_dir dir;
static int errors;

/* The share source of the tests. */
static struct {
	pthread_mutex_t lock;
	struct lxfw_node_share share;	/* for each job */
	enum lxfw_share_answer answer;
	unsigned asked;
	size_t jobs;		/* number of jobs in the last query */
	bool hangs;		/* simulates a controller that does not respond */
} source = { .lock = PTHREAD_MUTEX_INITIALIZER };

int lxfw_step_machine_cpus(const struct lxfw_cpus *cores, struct lxfw_cpus *cpus)
{
	/* A machine whose cores are the CPUs of this process. */
	*cpus = *cores;
	return 0;
}

static int answer(void *context, struct lxfw_job_share *jobs, size_t count)
{
	enum lxfw_share_answer said;
	size_t i;

	(void)context;
	pthread_mutex_lock(&source.lock);
	source.asked++;
	source.jobs = count;
	while (source.hangs) {
		pthread_mutex_unlock(&source.lock);
		usleep(5000);
		pthread_mutex_lock(&source.lock);
	}
	said = source.answer;
	for (i = 0; i < count; i++) {
		jobs[i].answer = said;
		jobs[i].share = source.share;
	}
	pthread_mutex_unlock(&source.lock);
	errno = ETIMEDOUT;
	return said == LXFW_SHARE_AWAY ? -1 : 0;
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

/* Counts of the follower's messages by content. */
static volatile int said_away, said_has;

static void counted(const char *text)
{
	quiet(text);
	said_away += strstr(text, "their shares are unknown") != NULL;
	said_has += strstr(text, " has ") != NULL;
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
	said_away = said_has = 0;
	return 0;
}

static void open_dir(void)
{
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), CHILD_NODE,
					     CHILD_JOB), 0);
}

/* Create the folder, as the plugin does before it starts the thread. */
static void begin_dir(struct lxfw_share_dir *begun)
{
	assert_int_equal(lxfw_share_dir_begin(begun, &plan.share,
					      &plan.share.cores), 0);
}

/* Processes, files and log follow the share; nothing is left at the end. */
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
	begin_dir(&dir);
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
	/* The job does not run, it spans nodes, or the controller does not respond: no
	 * change. */
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

/* The controller is away for a while: this is logged once, and nothing changes until it
   is back. Without a folder, as if it could not be created. */
static void test_away_for_a_while(void **state)
{
	struct lxfw_follower *follower;
	unsigned before;
	pid_t child;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	child = child_start("child", 2);
	plan.dir = NULL;
	plan.share.cores = first;
	plan.info = counted;
	set(LXFW_SHARE_AWAY, 2, &all);
	source.asked = 0;
	follower = lxfw_follower_start(&plan);
	assert_non_null(follower);
	tree_await(asked() > 1);
	assert_int_equal(source.jobs, 1);
	assert_true(child_has(child, 2, &first));
	assert_int_equal(said_away, 1);
	set(LXFW_SHARE_READ, 2, &all);
	tree_await(child_has(child, 2, &all));
	tree_await(said_has == 2);
	/* The job does not run here, or no longer: no change. */
	set(LXFW_SHARE_NONE, 1, &first);
	before = asked();
	tree_await(asked() > before + 1);
	assert_true(child_has(child, 2, &all));
	assert_int_equal(said_has, 2);
	/* It is logged again when the controller is away again, but not while the step
	 * ends. */
	set(LXFW_SHARE_AWAY, 2, &all);
	tree_await(said_away == 2);
	lxfw_follower_stop(follower);
	assert_int_equal(said_away, 2);
	assert_int_equal(errors, 0);
	child_end(child);
}

/* Control groups follow the share. A failure to change them is logged once. */
static void test_groups_follow(void **state)
{
	static const char group[] = "slurm/uid_%lu/job_4711/cpuset.cpus";
	struct lxfw_follower *follower;
	char mounts[256], name[128], list[32], before[32];

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	snprintf(mounts, sizeof(mounts), "cgroup %s cgroup rw,cpuset 0 0\n",
		 tree_folder);
	tree_file("mounts", mounts);
	snprintf(name, sizeof(name), group, (unsigned long)getuid());
	lxfw_cpus_format(&first, list, sizeof(list));
	lxfw_cpus_format(&all, before, sizeof(before));
	tree_file(name, before);
	*strrchr(name, '/') = '\0';
	snprintf(mounts, sizeof(mounts), "slurm/uid_%lu/cpuset.cpus",
		 (unsigned long)getuid());
	tree_file(mounts, before);
	strcat(name, "/cpuset.cpus");
	plan.mounts = tree_path("mounts");
	plan.share.cores = first;
	open_dir();
	assert_true(lxfw_share_dir_leads(&dir));
	set(LXFW_SHARE_NONE, 1, &first);
	follower = lxfw_follower_start(&plan);
	assert_non_null(follower);
	tree_await(strcmp(tree_read(name), list) == 0);
	lxfw_follower_stop(follower);
	lxfw_share_dir_close(&dir);
	assert_int_equal(errors, 0);
}

/* The controller is away when the step ends. This does not delay the end. */
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
	plan.info = counted;
	follower = lxfw_follower_start(&plan);
	assert_non_null(follower);
	tree_await(asked() > 0);
	clock_gettime(CLOCK_MONOTONIC, &before);
	lxfw_follower_stop(follower);
	clock_gettime(CLOCK_MONOTONIC, &after);
	/* The contract is one second. A query takes ten times as long. */
	assert_true(after.tv_sec - before.tv_sec < 10);
	lxfw_share_dir_close(&dir);
	assert_false(tree_has("base/testnode.4711"));
	/* The abandoned thread ends, and changes nothing. */
	open_dir();
	set(LXFW_SHARE_READ, 1, &first);
	pthread_mutex_lock(&source.lock);
	source.hangs = false;
	pthread_mutex_unlock(&source.lock);
	usleep(100000);
	assert_int_equal(said_away, 0);
	assert_false(tree_has("base/testnode.4711/share"));
	lxfw_share_dir_close(&dir);
}

/* Reading the processes takes as long as users make it, here until a pipe is closed.
   This does not delay the end of the step either. */
static void test_ends_while_it_looks(void **state)
{
	struct lxfw_follower *follower;
	int pipe = -1;

	(void)state;
	child_cpus(&all, &first, &second);
	assert_int_equal(mkdir(tree_path("1"), 0755), 0);
	assert_int_equal(mkfifo(tree_path("1/status"), 0600), 0);
	plan.step.proc = tree_folder;
	plan.info = loud;
	open_dir();
	plan.share.cores = all;
	begin_dir(&dir);
	/* If this hangs, the test must fail. */
	alarm(60);
	follower = lxfw_follower_start(&plan);
	assert_non_null(follower);
	tree_await(pipe >= 0 ||
		   (pipe = open(tree_path("1/status"),
				O_WRONLY | O_NONBLOCK)) >= 0);
	lxfw_follower_stop(follower);
	alarm(0);
	lxfw_share_dir_close(&dir);
	/* The abandoned thread ends, and changes nothing. */
	open_dir();
	close(pipe);
	usleep(100000);
	assert_false(tree_has("base/testnode.4711/cpus"));
	assert_int_equal(errors, 0);
	lxfw_share_dir_close(&dir);
}

/* Pauses: about the interval, longer without responses, with an upper limit. */
static void test_pauses(void **state)
{
	unsigned random = 1, failures;
	long longest = 0, shortest = 1000000;
	int i;

	(void)state;
	for (i = 0; i < 10000; i++) {
		long pause = lxfw_follower_pause(3000, 0, &random);

		longest = pause > longest ? pause : longest;
		shortest = pause < shortest ? pause : shortest;
	}
	assert_in_range(shortest, 2550, 2600);
	assert_in_range(longest, 3400, 3450);
	for (failures = 1; failures < 100; failures++)
		for (i = 0; i < 100; i++)
			assert_in_range(lxfw_follower_pause(3000, failures, &random),
					5100, 34500);
	assert_true(lxfw_follower_pause(3000, 4000000000u, &random) > 25000);
}

/* One of the steps of a job publishes the share. When it has ended, another one does. */
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
	assert_int_equal(lxfw_share_dir_begin(&dir, &share, &first), 0);
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

/* One of the steps of a node queries the controller for all jobs. It writes the shares
   of the jobs that have steps on the node, and of no other jobs. */
static void test_one_step_queries(void **state)
{
	struct lxfw_share_dir other, third, elsewhere;
	struct lxfw_node_share share = { .processors = 3 }, read;
	struct lxfw_job_share *jobs;
	size_t count;

	(void)state;
	child_cpus(&all, &first, &second);
	share.cores = first;
	plan.share.cores = all;
	open_dir();
	assert_int_equal(lxfw_share_dir_open(&other, tree_path("base"),
					     CHILD_NODE, 5), 0);
	assert_int_equal(lxfw_share_dir_open(&third, tree_path("base"),
					     CHILD_NODE, 6), 0);
	assert_int_equal(lxfw_share_dir_open(&elsewhere, tree_path("base"),
					     "testnode2", 5), 0);
	begin_dir(&dir);
	begin_dir(&other);
	begin_dir(&elsewhere);
	assert_true(lxfw_share_dir_asks(&dir));
	assert_true(lxfw_share_dir_asks(&dir));
	assert_false(lxfw_share_dir_asks(&other));
	assert_true(lxfw_share_dir_asks(&elsewhere));
	assert_int_equal(lxfw_share_dir_jobs(&dir, &jobs, &count), 0);
	assert_int_equal(count, 3);
	assert_int_equal(jobs[0].job + jobs[1].job + jobs[2].job, 5 + 6 + CHILD_JOB);
	free(jobs);
	assert_int_equal(lxfw_share_dir_tell(&dir, 5, &share), 0);
	assert_int_equal(lxfw_share_dir_read(&other, &read), LXFW_SHARE_READ);
	assert_int_equal(read.processors, 3);
	assert_int_equal(lxfw_share_dir_read(&dir, &read), LXFW_SHARE_READ);
	assert_int_equal(read.processors, 2);
	assert_int_equal(lxfw_share_dir_read(&elsewhere, &read), LXFW_SHARE_READ);
	assert_int_equal(read.processors, 2);
	/* A job that has just started, and one that does not exist. */
	assert_int_equal(lxfw_share_dir_tell(&dir, 6, &share), 0);
	assert_int_equal(lxfw_share_dir_read(&third, &read), LXFW_SHARE_NONE);
	assert_int_equal(lxfw_share_dir_tell(&dir, 7, &share), 0);
	assert_false(tree_has("base/testnode.7"));
	/* The last step of a job ended while its share was written: the folder is
	 * removed. */
	tree_file("base/testnode.8/users", "");
	tree_file("base/testnode.8/share", "1 0\n");
	assert_int_equal(lxfw_share_dir_tell(&dir, 8, &share), 0);
	assert_false(tree_has("base/testnode.8"));
	lxfw_share_dir_close(&dir);
	assert_true(lxfw_share_dir_asks(&other));
	assert_false(lxfw_share_dir_asks(&third));
	lxfw_share_dir_close(&other);
	lxfw_share_dir_close(&third);
	lxfw_share_dir_close(&elsewhere);
	assert_int_equal(rmdir(tree_path("base")), 0);
}

/* If the disk is full, the file keeps its content. */
static void test_no_room(void **state)
{
	struct lxfw_node_share share = { .processors = 3 }, read;
	struct rlimit before, little;
	int result, why;

	(void)state;
	child_cpus(&all, &first, &second);
	plan.share.cores = share.cores = first;
	open_dir();
	begin_dir(&dir);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = before;
	little.rlim_cur = 2;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	result = lxfw_share_dir_tell(&dir, CHILD_JOB, &share);
	why = errno;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(result, -1);
	assert_int_equal(why, EIO);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(lxfw_share_dir_read(&dir, &read), LXFW_SHARE_READ);
	assert_int_equal(read.processors, 2);
	lxfw_share_dir_close(&dir);
	assert_false(tree_has("base/testnode.4711"));
}

/* Two jobs, one query. When the querying step has ended, the other one queries. */
static void test_queries_for_other_jobs(void **state)
{
	struct lxfw_follower *followers[2];
	struct lxfw_share_dir other;
	unsigned before;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	open_dir();
	assert_int_equal(lxfw_share_dir_open(&other, tree_path("base"),
					     CHILD_NODE, 5), 0);
	plan.share.cores = all;
	begin_dir(&dir);
	begin_dir(&other);
	set(LXFW_SHARE_READ, 2, &all);
	source.asked = 0;
	followers[0] = lxfw_follower_start(&plan);
	assert_non_null(followers[0]);
	tree_await(asked() > 0);
	plan.dir = &other;
	plan.step.job = 5;
	plan.interval = 60;
	followers[1] = lxfw_follower_start(&plan);
	assert_non_null(followers[1]);
	set(LXFW_SHARE_READ, 1, &first);
	tree_await(strcmp(tree_read("base/testnode.5/count"), "1\n") == 0);
	tree_await(strcmp(tree_read("base/testnode.4711/count"), "1\n") == 0);
	assert_int_equal(source.jobs, 2);
	lxfw_follower_stop(followers[0]);
	before = asked();
	lxfw_share_dir_close(&dir);
	/* Not after a minute, but as soon as no step queries. */
	tree_await(asked() > before);
	tree_await(other.asker >= 0);
	assert_int_equal(source.jobs, 1);
	lxfw_follower_stop(followers[1]);
	lxfw_share_dir_close(&other);
	assert_int_equal(rmdir(tree_path("base")), 0);
	assert_int_equal(errors, 0);
}

/* Folders of killed steps are removed; other files in the folder stay. */
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
	tree_file("base/testnode.asker", "");
	assert_true(lxfw_share_dir_asks(&other));
	lxfw_share_dir_sweep(&dir);
	assert_true(tree_has("base/testnode.asker"));
	lxfw_share_dir_close(&other);
	assert_false(tree_has("base/testnode.asker"));
	tree_file("base/testnode.asker", "");
	assert_int_equal(lxfw_share_dir_open(&other, tree_path("base"),
					     CHILD_NODE, 8), 0);
	lxfw_share_dir_sweep(&dir);
	assert_false(tree_has("base/testnode.asker"));
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

/* No other user may be able to modify the folder into which root writes. */
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

/* A folder of another user, at each place where one is opened. */
static void test_folder_of_another_user(void **state)
{
	struct lxfw_node_share share = { .processors = 3 };

	(void)state;
	if (geteuid() != 0) {
		print_message("# not root: a folder of another user cannot be created\n");
		skip();
	}
	child_cpus(&all, &first, &second);
	share.cores = first;
	assert_int_equal(mkdir(tree_path("base"), 0755), 0);
	assert_int_equal(chown(tree_path("base"), 54321, 0), 0);
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), CHILD_NODE,
					     CHILD_JOB), -1);
	assert_int_equal(errno, EPERM);
	lxfw_share_dir_close(&dir);
	assert_int_equal(chown(tree_path("base"), 0, 0), 0);
	open_dir();
	tree_file("base/testnode.5/users", "");
	tree_file("base/testnode.5/share", "1 0\n");
	assert_int_equal(chown(tree_path("base/testnode.5"), 54321, 0), 0);
	assert_int_equal(lxfw_share_dir_tell(&dir, 5, &share), 0);
	assert_string_equal(tree_read("base/testnode.5/share"), "1 0\n");
	lxfw_share_dir_sweep(&dir);
	assert_true(tree_has("base/testnode.5/share"));
	lxfw_share_dir_close(&dir);
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), CHILD_NODE,
					     5), -1);
	assert_int_equal(errno, EPERM);
	lxfw_share_dir_close(&dir);
}

/* Steps that begin and end concurrently never lose their folder. */
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
		CASE(test_away_for_a_while),
		CASE(test_groups_follow),
		CASE(test_ends_without_controller),
		CASE(test_ends_while_it_looks),
		CASE(test_pauses),
		CASE(test_one_leads),
		CASE(test_one_step_queries),
		CASE(test_no_room),
		CASE(test_queries_for_other_jobs),
		CASE(test_sweep),
		CASE(test_foreign_folders),
		CASE(test_folder_of_another_user),
		CASE(test_come_and_go),
	};

	child_main(count, arguments);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
