/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols that Slurm requires of a SPANK plugin: the option --adaptive[=MIN] of the
 * commands, and in slurmstepd the start and end of the thread that follows the job's
 * share. The controller finds the option in a job's record as
 * _SLURM_SPANK_OPTION_lxfw_adaptive=MIN. MIN is "(null)" or empty if the user specified
 * none.
 *
 * <slurm/spank.h> describes which process calls which function with which privileges.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slurm/slurm.h"
#include "slurm/spank.h"

#include "plugins/slurm/compat/step.h"
#include "plugins/slurm/spank-lxfw/affinity.h"
#include "plugins/slurm/spank-lxfw/cpuset.h"
#include "plugins/slurm/spank-lxfw/follower.h"
#include "plugins/slurm/spank-lxfw/options.h"

SPANK_PLUGIN(lxfw, 1)

#define MOUNTS "/proc/self/mounts"

#define OPTION_VARIABLE "_SLURM_SPANK_OPTION_lxfw_adaptive"

/* Whether the user specified --adaptive; the same in every context. */
static bool adaptive;

/* The step, in slurmstepd. Never freed, because a detached follower may still use data
   of its source. */
static struct {
	struct lxfw_spank_options options;
	char node[256];
	uint32_t job;
	uint32_t step;
	uid_t user;
	bool follows;
	struct lxfw_node_share share;
	struct lxfw_share_dir dir;
	bool has_dir;
	struct lxfw_follower *follower;
} here;

static int take_option(int value, const char *text, int remote)
{
	struct lxfw_error error;
	unsigned min_procs;

	(void)value;
	if (lxfw_spank_adaptive(text, &min_procs, &error) < 0) {
		/* Invalid options have been reported before slurmstepd starts. */
		if (!remote)
			slurm_error("%s", error.text);
		return -1;
	}
	adaptive = true;
	return 0;
}

static struct spank_option adaptive_option = {
	.name = (char *)"adaptive",
	.arginfo = (char *)"[MIN]",
	.usage = (char *)"run the job on fewer processors than requested, at "
			 "least MIN (default 1), and change their number "
			 "while it runs",
	.has_arg = 2,
	.cb = take_option,
};

/* A job submitted from within an adaptive job does not become adaptive by that, and
   must not use that job's files. */
static void forget_outer_job(void)
{
	if (!getenv("SLURM_JOB_ID"))
		return;
	unsetenv(OPTION_VARIABLE);
	unsetenv("SLURM_SPANK_" OPTION_VARIABLE);
	unsetenv("LXFW_CPUS");
	unsetenv("LXFW_CPUS_FILE");
	unsetenv("LXFW_COUNT_FILE");
}

int slurm_spank_init(spank_t spank, int count, char **arguments)
{
	struct lxfw_error error;
	spank_context_t context = spank_context();

	if (context == S_CTX_SLURMD || context == S_CTX_JOB_SCRIPT)
		return ESPANK_SUCCESS;
	if (lxfw_spank_options_read(&here.options, count, arguments, &error) < 0)
		slurm_error("lxfw: %s", error.text);
	if (context == S_CTX_ALLOCATOR)
		forget_outer_job();
	return spank_option_register(spank, &adaptive_option);
}

/* Sources of the share. */

static int ask_controller(void *context, struct lxfw_job_share *jobs,
			  size_t count)
{
	(void)context;
	return lxfw_step_load_shares(here.node, jobs, count);
}

static int ask_files(void *context, struct lxfw_job_share *jobs, size_t count)
{
	char path[4096];
	size_t i;

	(void)context;
	for (i = 0; i < count; i++) {
		if (snprintf(path, sizeof(path), "%s/%" PRIu32,
			     here.options.share_from,
			     jobs[i].job) >= (int)sizeof(path)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		jobs[i].answer = lxfw_share_read_file(-1, path, &jobs[i].share);
		if (jobs[i].answer == LXFW_SHARE_AWAY)
			return -1;
	}
	return 0;
}

/* The step's number of nodes may be smaller than the job's, and is unknown for a batch
   script. */
static bool spans_nodes(spank_t spank)
{
	char nodes[16];

	return spank_getenv(spank, "SLURM_JOB_NUM_NODES", nodes,
			    sizeof(nodes)) == ESPANK_SUCCESS &&
	       strcmp(nodes, "1") != 0;
}

/* Reads the ids of the step. Returns false if the plugin has nothing to do in this
   step. */
static bool learn_step(spank_t spank)
{
	const char *node = getenv("SLURMD_NODENAME");

	if (spank_get_item(spank, S_JOB_ID, &here.job) != ESPANK_SUCCESS ||
	    spank_get_item(spank, S_JOB_STEPID, &here.step) != ESPANK_SUCCESS ||
	    spank_get_item(spank, S_JOB_UID, &here.user) != ESPANK_SUCCESS)
		return false;
	if (!node || strlen(node) >= sizeof(here.node)) {
		slurm_error("lxfw: JobId=%" PRIu32 ": no SLURMD_NODENAME: the "
			    "job keeps its CPUs",
			    here.job);
		return false;
	}
	strcpy(here.node, node);
	/* srun within a batch job does not repeat the option. */
	if (!adaptive &&
	    !lxfw_share_dir_used(here.options.folder, here.node, here.job))
		return false;
	return !spans_nodes(spank);
}

static void machine_cpus(struct lxfw_cpus *cpus)
{
	struct lxfw_cpu_map map = { 0 };

	(void)lxfw_cpu_map_read(&map, LXFW_CPU_MAP_FOLDER);
	lxfw_cpu_map_machine(&map, &here.share.cores, cpus);
	lxfw_cpu_map_free(&map);
}

/* Reads the share at the start of the step from its credential, without a request. */
static bool first_share(spank_t spank)
{
	uint16_t processors = 0;
	char *cores = NULL;

	if (spank_get_item(spank, S_JOB_ALLOC_CORES, &cores) != ESPANK_SUCCESS ||
	    !cores || lxfw_cpus_parse(&here.share.cores, cores) < 0 ||
	    lxfw_cpus_count(&here.share.cores) == 0) {
		slurm_error("lxfw: JobId=%" PRIu32 ": its cores are not known: %s",
			    here.job, cores ? cores : "none");
		return false;
	}
	here.share.processors = (unsigned)lxfw_cpus_count(&here.share.cores);
	/* S_JOB_NCPUS is the job's number for a batch script, but the step's for a
	   step. If threads are allocated separately, the first step of a job on a node
	   uses the number of cores until the controller has answered; such jobs are not
	   adaptive. */
	if (here.step == SLURM_BATCH_SCRIPT &&
	    spank_get_item(spank, S_JOB_NCPUS, &processors) == ESPANK_SUCCESS &&
	    processors > 0)
		here.share.processors = processors;
	return true;
}

/* Updates the job's control groups. The job's share may have changed since its last
   step began, and that step's slurmstepd may not know yet. task/cgroup will create the
   groups of this step next, which fails in cgroup v1 if those of the job do not contain
   its CPUs. */
static void lay_groups(const struct lxfw_cpus *cpus)
{
	const struct lxfw_step step = {
		.node = here.node, .job = here.job, .user = here.user,
	};
	struct lxfw_given given = { .count = 0 };
	struct lxfw_cpuset cpuset;

	if (!lxfw_cpus_count(cpus) || !lxfw_cpuset_find(&cpuset, MOUNTS, &step))
		return;
	lxfw_given_add(&given, cpus);
	if (lxfw_cpuset_apply(&cpuset, &given) < 0)
		slurm_error("lxfw: JobId=%" PRIu32 ": cannot change %s: %s",
			    here.job, cpuset.folder, strerror(errno));
}

/* Another step has recorded the share that was last received on this node. The
   credential of a batch script dates from the job's start, so it is not newer, but it
   has the number of processors. The credential of a step is newer, but it has only
   cores; the number of processors per core is taken from the recorded share. */
static int join_dir(const struct lxfw_node_share *told)
{
	unsigned cores = (unsigned)lxfw_cpus_count(&here.share.cores);
	unsigned before = (unsigned)lxfw_cpus_count(&told->cores);
	struct lxfw_cpus cpus;

	if (here.step != SLURM_BATCH_SCRIPT && told->processors >= before)
		here.share.processors = cores * told->processors / before;
	else if (!lxfw_cpus_equal(&here.share.cores, &told->cores))
		here.share = *told;
	machine_cpus(&cpus);
	lay_groups(&cpus);
	return lxfw_share_dir_tell(&here.dir, here.job, &here.share);
}

static int begin_dir(void)
{
	struct lxfw_cpus cpus;

	machine_cpus(&cpus);
	return lxfw_share_dir_begin(&here.dir, &here.share, &cpus);
}

/* Opens the job's folder and reads or records the share. */
static void open_dir(void)
{
	struct lxfw_node_share told;
	int result;

	if (lxfw_share_dir_open(&here.dir, here.options.folder, here.node,
				here.job) < 0)
		goto failed;
	lxfw_share_dir_sweep(&here.dir);
	if (lxfw_share_dir_read(&here.dir, &told) == LXFW_SHARE_READ)
		result = join_dir(&told);
	else
		result = begin_dir();
	if (result < 0)
		goto failed;
	here.has_dir = true;
	return;
failed:
	slurm_error("lxfw: JobId=%" PRIu32 ": %s cannot be made: %s; the job "
					   "cannot read its processors",
		    here.job, here.dir.path, strerror(errno));
	lxfw_share_dir_close(&here.dir);
}

static void set_variable(spank_t spank, const char *name, const char *value)
{
	spank_err_t error = spank_setenv(spank, name, value, 1);

	if (error != ESPANK_SUCCESS)
		slurm_error("lxfw: JobId=%" PRIu32 ": %s cannot be set: %s",
			    here.job, name, spank_strerror(error));
}

static void set_environment(spank_t spank)
{
	char value[sizeof(here.dir.path) + 16];

	snprintf(value, sizeof(value), "%u", here.share.processors);
	set_variable(spank, "LXFW_CPUS", value);
	if (!here.has_dir)
		return;
	snprintf(value, sizeof(value), "%s/cpus", here.dir.path);
	set_variable(spank, "LXFW_CPUS_FILE", value);
	snprintf(value, sizeof(value), "%s/count", here.dir.path);
	set_variable(spank, "LXFW_COUNT_FILE", value);
}

/* Called as root before any process of the job exists. */
int slurm_spank_init_post_opt(spank_t spank, int count, char **arguments)
{
	(void)count;
	(void)arguments;
	if (spank_context() != S_CTX_REMOTE || !learn_step(spank) ||
	    !first_share(spank))
		return ESPANK_SUCCESS;
	here.follows = true;
	open_dir();
	set_environment(spank);
	return ESPANK_SUCCESS;
}

/* Called as root in the process that becomes the task. The affinity must be right when
   the program starts. */
int slurm_spank_task_init_privileged(spank_t spank, int count, char **arguments)
{
	struct lxfw_given given = { .count = 0 };
	struct lxfw_cpus has, cpus;

	(void)spank;
	(void)count;
	(void)arguments;
	if (!here.follows)
		return ESPANK_SUCCESS;
	machine_cpus(&cpus);
	if (lxfw_cpus_count(&cpus) == 0)
		return ESPANK_SUCCESS;
	lxfw_given_add(&given, &cpus);
	lxfw_cpus_clear(&has);
	/* If the kernel refuses, the follower tries again. */
	if (sched_getaffinity(0, sizeof(has), has.word) >= 0 &&
	    lxfw_given_follows(&given, &has))
		(void)sched_setaffinity(0, sizeof(cpus), cpus.word);
	return ESPANK_SUCCESS;
}

static void log_info(const char *text)
{
	slurm_info("%s", text);
}

static void log_error(const char *text)
{
	slurm_error("%s", text);
}

/* Prevents Slurm from unloading the code that a detached thread may still run. */
static int stay_loaded(void)
{
	Dl_info where;

	if (dladdr(&here, &where) &&
	    dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE))
		return 0;
	errno = ENOEXEC;
	return -1;
}

/* Called as root when all tasks exist; slurmstepd forks no further processes. */
int slurm_spank_task_post_fork(spank_t spank, int count, char **arguments)
{
	struct lxfw_follower_plan plan = {
		.step = {
			.proc = "/proc",
			.node = here.node,
			.job = here.job,
			.user = here.user,
			.daemon = getpid(),
		},
		.source = {
			.read = here.options.share_from ? ask_files :
							  ask_controller,
		},
		.share = here.share,
		.mounts = MOUNTS,
		.dir = here.has_dir ? &here.dir : NULL,
		.interval = here.options.interval,
		.info = log_info,
		.error = log_error,
	};

	(void)spank;
	(void)count;
	(void)arguments;
	if (!here.follows || here.follower)
		return ESPANK_SUCCESS;
	(void)lxfw_cpu_map_read(&plan.map, LXFW_CPU_MAP_FOLDER);
	if (stay_loaded() == 0)
		here.follower = lxfw_follower_start(&plan);
	if (!here.follower) {
		slurm_error("lxfw: JobId=%" PRIu32 ": its share is not "
			    "applied: %s",
			    here.job, strerror(errno));
		lxfw_cpu_map_free(&plan.map);
		here.follows = false;
	}
	return ESPANK_SUCCESS;
}

int slurm_spank_exit(spank_t spank, int count, char **arguments)
{
	(void)spank;
	(void)count;
	(void)arguments;
	if (here.follower)
		lxfw_follower_stop(here.follower);
	here.follower = NULL;
	if (here.has_dir)
		lxfw_share_dir_close(&here.dir);
	here.has_dir = false;
	return ESPANK_SUCCESS;
}
