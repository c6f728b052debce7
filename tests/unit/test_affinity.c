/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares applied to real processes and their threads. */
#include "plugins/slurm/spank-lxfw/affinity.h"
#include "tests/unit/spank_children.h"

static struct lxfw_step step;
static struct lxfw_cpus all, first, second;

static int begin(void **state)
{
	step = (struct lxfw_step){
		.proc = "/proc", .node = CHILD_NODE, .job = CHILD_JOB,
		.user = getuid(), .daemon = getpid(),
	};
	return tree_begin(state);
}

static void give(struct lxfw_given *given, const struct lxfw_cpus *cpus)
{
	lxfw_given_add(given, cpus);
	assert_true(lxfw_affinity_apply(given, &step) >= 0);
}

/* Children and orphans get the share, with all their threads; other processes do not. */
static void test_tree(void **state)
{
	struct lxfw_given given = { .count = 0 };
	pid_t child, orphan, stranger;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	child = child_start("child", 5);
	orphan = child_start_orphan("orphan", 3, CHILD_JOB);
	stranger = child_start_orphan("stranger", 2, CHILD_JOB + 1);
	give(&given, &first);
	assert_true(child_has(child, 5, &first));
	assert_true(child_has(orphan, 3, &first));
	assert_true(child_has(stranger, 2, &all));
	assert_int_equal(lxfw_affinity_apply(&given, &step), 0);
	give(&given, &all);
	assert_true(child_has(child, 5, &all));
	assert_true(child_has(orphan, 3, &all));
	give(&given, &second);
	assert_true(child_has(child, 5, &second));
	assert_true(child_has(orphan, 3, &second));
	assert_true(child_has(stranger, 2, &all));
	child_end(child);
	child_end(orphan);
	child_end(stranger);
}

/* An affinity that a process has set itself is kept while it is within the share. */
static void test_own_binding(void **state)
{
	struct lxfw_given given = { .count = 0 };
	pid_t child;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	child = child_start("child", 1);
	give(&given, &all);
	assert_int_equal(sched_setaffinity(child, sizeof(first), first.word), 0);
	assert_int_equal(lxfw_affinity_apply(&given, &step), 0);
	assert_true(child_has(child, 1, &first));
	/* Outside of the share it is replaced, and the new affinity is not the
	 * process's own. */
	give(&given, &second);
	assert_true(child_has(child, 1, &second));
	give(&given, &all);
	assert_true(child_has(child, 1, &all));
	child_end(child);
}

/* CPUs that the machine does not have cause no further change. */
static void test_more_than_there_is(void **state)
{
	struct lxfw_given given = { .count = 0 };
	struct lxfw_cpus beyond;
	pid_t child;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	beyond = first;
	lxfw_cpus_add(&beyond, LXFW_CPU_LIMIT - 1);
	child = child_start("child", 2);
	give(&given, &beyond);
	assert_true(child_has(child, 2, &first));
	assert_int_equal(lxfw_affinity_apply(&given, &step), 0);
	/* The process had all CPUs that it could get, so it gets the new share. */
	give(&given, &all);
	assert_true(child_has(child, 2, &all));
	/* No CPU of the share exists: no change. */
	lxfw_cpus_clear(&beyond);
	lxfw_cpus_add(&beyond, LXFW_CPU_LIMIT - 1);
	give(&given, &beyond);
	assert_true(child_has(child, 2, &all));
	child_end(child);
}

static void test_memory_of_shares(void **state)
{
	struct lxfw_given given = { .count = 0 };
	struct lxfw_cpus one, none;
	unsigned i;

	(void)state;
	lxfw_cpus_clear(&none);
	assert_false(lxfw_given_follows(&given, &none));
	for (i = 0; i < 20; i++) {
		lxfw_cpus_clear(&one);
		lxfw_cpus_add(&one, i);
		lxfw_given_add(&given, &one);
		lxfw_given_add(&given, &one);
		assert_int_equal(given.count, i < 8 ? i + 1 : 8);
		assert_false(lxfw_given_follows(&given, &one));
	}
	for (i = 0; i < 20; i++)
		lxfw_cpus_add(&one, i);
	lxfw_given_add(&given, &one);
	/* The most recent sets are recognized as shares, older ones are not. */
	lxfw_cpus_clear(&one);
	lxfw_cpus_add(&one, 19);
	assert_true(lxfw_given_follows(&given, &one));
	lxfw_cpus_clear(&one);
	lxfw_cpus_add(&one, 2);
	assert_false(lxfw_given_follows(&given, &one));
	lxfw_cpus_add(&one, 21);
	assert_true(lxfw_given_follows(&given, &one));
}

/* A process id of a job may be reused by a process of another user. Signals are checked
   with the rights of the job's user, so that process is not changed. */
static void test_process_of_another_user(void **state)
{
	struct lxfw_given given = { .count = 0 };
	char name[64], text[256];
	pid_t child;

	(void)state;
	if (geteuid() != 0) {
		print_message("# not root: a process of another user cannot be created\n");
		skip();
	}
	if (!child_cpus(&all, &first, &second))
		skip();
	child = child_start("child", 1);
	step.proc = tree_folder;
	step.user = 54321;
	step.daemon = 1;
	snprintf(name, sizeof(name), "%ld/status", (long)child);
	tree_file(name, "Name:\tx\nPPid:\t1\nUid:\t54321\t0\t0\t0\n");
	snprintf(name, sizeof(name), "%ld/stat", (long)child);
	snprintf(text, sizeof(text),
		 "%ld (x) S 1 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n",
		 (long)child);
	tree_file(name, text);
	snprintf(name, sizeof(name), "%ld/task/%ld/x", (long)child, (long)child);
	tree_file(name, "");
	lxfw_given_add(&given, &first);
	assert_int_equal(lxfw_affinity_apply(&given, &step), 0);
	assert_true(child_has(child, 1, &all));
	assert_int_equal(geteuid(), 0);
	/* If it belongs to the user, the share is applied. */
	step.user = 0;
	snprintf(name, sizeof(name), "%ld/status", (long)child);
	tree_file(name, "Name:\tx\nPPid:\t1\nUid:\t0\t0\t0\t0\n");
	assert_int_equal(lxfw_affinity_apply(&given, &step), 1);
	assert_true(child_has(child, 1, &first));
	child_end(child);
}

/* Processes of the user are changed, including those with the rights of another user. */
static void test_of_a_user(void **state)
{
	struct lxfw_given given = { .count = 0 };
	pid_t child[2];
	int i;

	(void)state;
	if (geteuid() != 0) {
		print_message("# not root: a process of another user cannot be created\n");
		skip();
	}
	if (!child_cpus(&all, &first, &second))
		skip();
	step.user = 54321;
	assert_int_equal(chmod(tree_folder, 0777), 0);
	for (i = 0; i < 2; i++) {
		child[i] = fork();
		assert_true(child[i] >= 0);
		if (child[i] == 0) {
			if (setresuid(54321, i ? 0 : 54321, i ? 0 : 54321) < 0)
				_exit(1);
			alarm(120);
			fclose(fopen(tree_path(i ? "1" : "0"), "w"));
			child_thread(NULL);
		}
		tree_await(tree_has(i ? "1" : "0"));
	}
	lxfw_given_add(&given, &first);
	assert_int_equal(lxfw_affinity_apply(&given, &step), 2);
	assert_true(child_has(child[0], 1, &first));
	assert_true(child_has(child[1], 1, &first));
	assert_int_equal(geteuid(), 0);
	child_end(child[0]);
	child_end(child[1]);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, tree_end)

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		CASE(test_tree),
		CASE(test_own_binding),
		CASE(test_more_than_there_is),
		CASE(test_process_of_another_user),
		CASE(test_of_a_user),
		CASE(test_memory_of_shares),
	};

	child_main(count, arguments);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
