/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The callbacks of the SPANK plugin, with a simulated slurmstepd. Since slurmstepd
 * serves one step only, the plugin's state is kept from test to test: before
 * test_option no job is adaptive.
 */
#include "slurm/slurm.h"
#include "slurm/spank.h"

#include "plugins/slurm/compat/step.h"
#include "plugins/slurm/spank-lxfw/share_dir.h"
#include "tests/unit/spank_children.h"

#include <dlfcn.h>

#define BATCH SLURM_BATCH_SCRIPT

/* Data that slurmstepd provides. */
static struct {
	spank_context_t context;
	uint32_t step;
	char *cores;		/* from the credential; NULL: unknown */
	uint16_t processors;	/* 0: unknown */
	const char *nodes;	/* SLURM_JOB_NUM_NODES */
} stepd;

static struct spank_option *option;
static char told[3][512];	/* LXFW_CPUS, LXFW_CPUS_FILE, LXFW_COUNT_FILE */
static char logged[1024];	/* the last error */
static int errors;

spank_context_t spank_context(void)
{
	return stepd.context;
}

spank_err_t spank_option_register(spank_t spank, struct spank_option *registered)
{
	(void)spank;
	option = registered;
	return ESPANK_SUCCESS;
}

spank_err_t spank_get_item(spank_t spank, spank_item_t item, ...)
{
	spank_err_t result = ESPANK_SUCCESS;
	va_list to;

	(void)spank;
	va_start(to, item);
	if (item == S_JOB_ID)
		*va_arg(to, uint32_t *) = CHILD_JOB;
	else if (item == S_JOB_STEPID)
		*va_arg(to, uint32_t *) = stepd.step;
	else if (item == S_JOB_UID)
		*va_arg(to, uid_t *) = getuid();
	else if (item == S_JOB_ALLOC_CORES && stepd.cores)
		*va_arg(to, char **) = stepd.cores;
	else if (item == S_JOB_NCPUS && stepd.processors)
		*va_arg(to, uint16_t *) = stepd.processors;
	else
		result = ESPANK_NOT_AVAIL;
	va_end(to);
	return result;
}

spank_err_t spank_getenv(spank_t spank, const char *name, char *value, int size)
{
	(void)spank;
	if (strcmp(name, "SLURM_JOB_NUM_NODES") != 0 || !stepd.nodes)
		return ESPANK_ENV_NOEXIST;
	snprintf(value, (size_t)size, "%s", stepd.nodes);
	return ESPANK_SUCCESS;
}

spank_err_t spank_setenv(spank_t spank, const char *name, const char *value,
			 int overwrite)
{
	static const char *const names[] = { "LXFW_CPUS", "LXFW_CPUS_FILE",
					     "LXFW_COUNT_FILE" };

	(void)spank;
	assert_int_equal(overwrite, 1);
	for (int i = 0; i < 3; i++)
		if (strcmp(name, names[i]) == 0)
			snprintf(told[i], sizeof(told[i]), "%s", value);
	return ESPANK_SUCCESS;
}

const char *spank_strerror(spank_err_t code)
{
	(void)code;
	return "an error";
}

void slurm_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(logged, sizeof(logged), format, arguments);
	va_end(arguments);
	errors++;
}

void slurm_info(const char *format, ...)
{
	(void)format;
}

int lxfw_step_load_shares(const char *node, struct lxfw_job_share *jobs, size_t count)
{
	(void)node;
	(void)jobs;
	(void)count;
	errno = EHOSTUNREACH;
	return -1;
}

int lxfw_step_machine_cpus(const struct lxfw_cpus *cores, struct lxfw_cpus *cpus)
{
	*cpus = *cores;
	return 0;
}

/* Makes the test look like a plugin that could be unloaded. */
static bool is_library;

int unit_dladdr(const void *address, Dl_info *info)
{
	(void)address;
	*info = (Dl_info){ .dli_fname = "spank_lxfw.so" };
	return 1;
}

void *unit_dlopen(const char *name, int flags)
{
	assert_string_equal(name, "spank_lxfw.so");
	assert_int_equal(flags, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
	return is_library ? &stepd : NULL;
}

static void begin_plugin(const char *folder)
{
	static char arguments[3][300];
	char *all[] = { arguments[0], arguments[1], arguments[2] };

	snprintf(arguments[0], sizeof(arguments[0]), "folder=%s", folder);
	strcpy(arguments[1], "interval=1");
	snprintf(arguments[2], sizeof(arguments[2]), "share_from=%s/from",
		 tree_folder);
	option = NULL;
	assert_int_equal(slurm_spank_init(NULL, 3, all), ESPANK_SUCCESS);
}

static int begin(void **state)
{
	stepd.context = S_CTX_REMOTE;
	stepd.step = 0;
	stepd.cores = (char *)"0-1";
	stepd.processors = 0;
	stepd.nodes = "1";
	is_library = true;
	errors = 0;
	memset(told, 0, sizeof(told));
	setenv("SLURMD_NODENAME", CHILD_NODE, 1);
	if (tree_begin(state) < 0)
		return -1;
	begin_plugin(tree_path("base"));
	return 0;
}

static int end(void **state)
{
	if (slurm_spank_exit(NULL, 0, NULL) != ESPANK_SUCCESS)
		return -1;
	return tree_end(state);
}

static void begin_step(void)
{
	assert_int_equal(slurm_spank_init_post_opt(NULL, 0, NULL), ESPANK_SUCCESS);
}

/* The step is left unchanged, and its environment too. */
static void expect_left_alone(int complaints)
{
	begin_step();
	assert_int_equal(slurm_spank_task_init_privileged(NULL, 0, NULL),
			 ESPANK_SUCCESS);
	assert_int_equal(slurm_spank_task_post_fork(NULL, 0, NULL), ESPANK_SUCCESS);
	assert_string_equal(told[0], "");
	assert_false(tree_has("base"));
	assert_int_equal(errors, complaints);
}

static void test_not_adaptive(void **state)
{
	(void)state;
	expect_left_alone(0);
	assert_int_equal(slurm_spank_exit(NULL, 0, NULL), ESPANK_SUCCESS);
}

static void test_contexts(void **state)
{
	static const char *const names[] = {
		"_SLURM_SPANK_OPTION_lxfw_adaptive",
		"SLURM_SPANK__SLURM_SPANK_OPTION_lxfw_adaptive",
		"LXFW_CPUS", "LXFW_CPUS_FILE", "LXFW_COUNT_FILE",
	};

	(void)state;
	stepd.context = S_CTX_SLURMD;
	begin_plugin("base");
	assert_null(option);
	stepd.context = S_CTX_JOB_SCRIPT;
	begin_plugin("base");
	assert_null(option);
	assert_int_equal(errors, 0);
	/* An allocation from within a job, and one from outside. */
	for (int inside = 0; inside < 4; inside++) {
		for (int i = 0; i < 5; i++)
			setenv(names[i], "7", 1);
		unsetenv("SLURM_JOB_ID");
		if (inside & 1)
			setenv("SLURM_JOB_ID", "1", 1);
		stepd.context = inside & 2 ? S_CTX_ALLOCATOR : S_CTX_LOCAL;
		begin_plugin(tree_folder);
		assert_non_null(option);
		for (int i = 0; i < 5; i++)
			assert_int_equal(getenv(names[i]) == NULL, inside == 3);
	}
	unsetenv("SLURM_JOB_ID");
	stepd.context = S_CTX_LOCAL;
	begin_plugin("base");
	assert_int_equal(errors, 1);
	assert_non_null(strstr(logged, "folder=base"));
}

static void test_option(void **state)
{
	(void)state;
	assert_string_equal(option->name, "adaptive");
	assert_int_equal(option->has_arg, 2);
	assert_int_equal(option->cb(0, "none", 1), -1);
	assert_int_equal(errors, 0);
	assert_int_equal(option->cb(0, "none", 0), -1);
	assert_int_equal(errors, 1);
	expect_left_alone(1);
	assert_int_equal(option->cb(0, "(null)", 1), 0);
	assert_int_equal(errors, 1);
}

/* The job spans nodes, or the node or its cores are unknown. */
static void test_left_alone(void **state)
{
	char *const cores[] = { NULL, (char *)"", (char *)"all" };

	(void)state;
	stepd.nodes = "2";
	expect_left_alone(0);
	stepd.nodes = NULL;
	unsetenv("SLURMD_NODENAME");
	expect_left_alone(1);
	assert_non_null(strstr(logged, "SLURMD_NODENAME"));
	setenv("SLURMD_NODENAME", CHILD_NODE, 1);
	for (int i = 0; i < 3; i++) {
		stepd.cores = cores[i];
		expect_left_alone(2 + i);
		assert_non_null(strstr(logged, "cores are not known"));
	}
	stepd.context = S_CTX_LOCAL;
	expect_left_alone(4);
}

static void expect_told(const char *processors)
{
	assert_string_equal(told[0], processors);
	assert_string_equal(told[1], tree_path("base/testnode.4711/cpus"));
	assert_string_equal(told[2], tree_path("base/testnode.4711/count"));
	assert_int_equal(errors, 0);
}

static void test_begins(void **state)
{
	(void)state;
	begin_step();
	expect_told("2");
	assert_string_equal(tree_read("base/testnode.4711/share"), "2 0-1\n");
	slurm_spank_exit(NULL, 0, NULL);
	assert_false(tree_has("base/testnode.4711"));
	/* For a batch script, the job's number of processors; for a step its own. */
	stepd.processors = 4;
	begin_step();
	expect_told("2");
	slurm_spank_exit(NULL, 0, NULL);
	stepd.step = BATCH;
	begin_step();
	expect_told("4");
	assert_string_equal(tree_read("base/testnode.4711/share"), "4 0-1\n");
}

/* A step of a job with other steps uses the last published share, unless its own data
 * is newer. */
static void test_joins(void **state)
{
	struct lxfw_node_share share = { .processors = 4 };
	struct lxfw_share_dir other;

	(void)state;
	assert_int_equal(lxfw_cpus_parse(&share.cores, "0-1"), 0);
	assert_int_equal(lxfw_share_dir_open(&other, tree_path("base"), CHILD_NODE,
					     CHILD_JOB), 0);
	assert_int_equal(lxfw_share_dir_begin(&other, &share, &share.cores), 0);
	stepd.cores = (char *)"0-2";
	begin_step();
	expect_told("6");
	assert_string_equal(tree_read("base/testnode.4711/share"), "6 0-2\n");
	slurm_spank_exit(NULL, 0, NULL);
	/* The script's credential is older, and so is its data. */
	stepd.step = BATCH;
	stepd.cores = (char *)"0-3";
	stepd.processors = 8;
	begin_step();
	expect_told("6");
	assert_string_equal(tree_read("base/testnode.4711/share"), "6 0-2\n");
	slurm_spank_exit(NULL, 0, NULL);
	/* The same cores: their number of processors is known. */
	stepd.cores = (char *)"0-2";
	stepd.processors = 3;
	begin_step();
	expect_told("3");
	slurm_spank_exit(NULL, 0, NULL);
	assert_true(tree_has("base/testnode.4711"));
	lxfw_share_dir_close(&other);
	assert_false(tree_has("base/testnode.4711"));
}

/* Without a folder the environment names no files, and the share is followed
 * nevertheless. */
static void test_no_folder(void **state)
{
	(void)state;
	begin_plugin("/nonexistent/folder");
	begin_step();
	assert_int_equal(errors, 1);
	assert_non_null(strstr(logged, "cannot be made"));
	assert_string_equal(told[0], "2");
	assert_string_equal(told[1], "");
	assert_string_equal(told[2], "");
}

/* From the first share to the end, with a source that provides another share. */
static void test_follows(void **state)
{
	struct lxfw_cpus all, first, second;
	char line[64], list[32], said[32];
	pid_t child;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	lxfw_cpus_format(&all, list, sizeof(list));
	lxfw_cpus_format(&first, said, sizeof(said));
	stepd.cores = list;
	snprintf(line, sizeof(line), "1 %s\n", said);
	tree_file("from/4711", line);
	begin_step();
	expect_told("2");
	child = child_start("child", 2);
	assert_int_equal(slurm_spank_task_post_fork(NULL, 0, NULL), ESPANK_SUCCESS);
	assert_int_equal(slurm_spank_task_post_fork(NULL, 0, NULL), ESPANK_SUCCESS);
	tree_await(strcmp(tree_read("base/testnode.4711/cpus"), line) == 0);
	tree_await(child_has(child, 2, &first));
	slurm_spank_exit(NULL, 0, NULL);
	slurm_spank_exit(NULL, 0, NULL);
	assert_false(tree_has("base/testnode.4711"));
	assert_int_equal(errors, 0);
	child_end(child);
}

/* The task has its CPUs before its program starts. */
static void test_task(void **state)
{
	struct lxfw_cpus all, first, second, has;
	char list[32];

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	lxfw_cpus_format(&second, list, sizeof(list));
	stepd.cores = list;
	begin_step();
	assert_int_equal(slurm_spank_task_init_privileged(NULL, 0, NULL),
			 ESPANK_SUCCESS);
	lxfw_cpus_clear(&has);
	assert_true(sched_getaffinity(0, sizeof(has), has.word) >= 0);
	assert_int_equal(sched_setaffinity(0, sizeof(all), all.word), 0);
	assert_true(lxfw_cpus_equal(&has, &second));
	assert_int_equal(errors, 0);
}

/* A plugin that may be unloaded while a thread runs starts no thread. */
static void test_unloadable_plugin(void **state)
{
	(void)state;
	is_library = false;
	begin_step();
	assert_int_equal(slurm_spank_task_post_fork(NULL, 0, NULL), ESPANK_SUCCESS);
	assert_int_equal(errors, 1);
	assert_non_null(strstr(logged, "not applied"));
	assert_true(tree_has("base/testnode.4711/cpus"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		CASE(test_not_adaptive),
		CASE(test_contexts),
		CASE(test_option),
		CASE(test_left_alone),
		CASE(test_begins),
		CASE(test_joins),
		CASE(test_no_folder),
		CASE(test_follows),
		CASE(test_task),
		CASE(test_unloadable_plugin),
	};

	child_main(count, arguments);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
