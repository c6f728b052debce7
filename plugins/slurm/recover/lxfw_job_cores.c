/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw-job-cores prints the information that lxfw-recover needs, one line for each job
 * of the controller:
 *
 *	ID NAME STATE PRIORITY [NODE CORES]...
 *
 * NAME denotes this job alone in scontrol(1): for a task of an array it is
 * ARRAY_TASK, since the plain ID may denote the whole array. STATE is Slurm's job
 * state, or COMPLETING while a job ends. CORES are Slurm's core numbers as in 0-3,7-7.
 *
 * scontrol(1) shows the same information, but mixed with text that users choose, such
 * as the job's name, which may contain line breaks. The output of this program contains
 * no such text.
 *
 * libslurm is loaded at run time from where Slurm's own commands find it, so that the
 * program has the same build requirements as the plugins.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"

/* Functions of libslurm. The type of a list of hosts depends on the release. */
static struct {
	void (*init)(const char *conf);
	int (*load_jobs)(time_t since, job_info_msg_t **jobs, uint16_t flags);
	int (*bit_test)(bitstr_t *bits, bitoff_t bit);
	bitoff_t (*bit_size)(bitstr_t *bits);
	void *(*list_create)(const char *names);
	char *(*list_shift)(void *list);
	void (*list_destroy)(void *list);
} libslurm;

static void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void die(const char *format, ...)
{
	va_list arguments;

	fputs("lxfw-job-cores: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

static void *symbol(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		die("%s", dlerror());
	return found;
}

static void find_libslurm(void)
{
	void *library = dlopen(LXFW_SLURM_PLUGINDIR "/libslurmfull.so",
			       RTLD_NOW | RTLD_GLOBAL);

	if (!library)
		die("%s", dlerror());
	*(void **)&libslurm.init = symbol(library, "slurm_init");
	*(void **)&libslurm.load_jobs = symbol(library, "slurm_load_jobs");
	*(void **)&libslurm.bit_test = symbol(library, "slurm_bit_test");
	*(void **)&libslurm.bit_size = symbol(library, "slurm_bit_size");
	*(void **)&libslurm.list_create =
		symbol(library, "slurm_hostlist_create");
	*(void **)&libslurm.list_shift =
		symbol(library, "slurm_hostlist_shift");
	*(void **)&libslurm.list_destroy =
		symbol(library, "slurm_hostlist_destroy");
}

static const char *state_of(const slurm_job_info_t *job)
{
	if (job->job_state & JOB_COMPLETING)
		return "COMPLETING";
	switch (job->job_state & JOB_STATE_BASE) {
	case JOB_PENDING:
		return "PENDING";
	case JOB_RUNNING:
		return "RUNNING";
	case JOB_SUSPENDED:
		return "SUSPENDED";
	}
	return "ENDED";
}

/* Prints COUNT cores of a node, whose first core has this BIT. */
static void print_node(const job_resources_t *has, const char *node,
		       bitoff_t bit, bitoff_t count)
{
	const char *before = " ";
	bitoff_t core, last;

	if (bit + count > libslurm.bit_size(has->core_bitmap))
		die("the cores of a job are not known");
	for (core = 0; core < count; core = last + 1) {
		last = core;
		if (!libslurm.bit_test(has->core_bitmap, bit + core))
			continue;
		while (last + 1 < count &&
		       libslurm.bit_test(has->core_bitmap, bit + last + 1))
			last++;
		if (*before == ' ')
			printf(" %s", node);
		printf("%s%ld-%ld", before, (long)core, (long)last);
		before = ",";
	}
}

/* Consecutive nodes of the same kind are described once. */
static void print_cores(const job_resources_t *has)
{
	void *nodes = libslurm.list_create(has->nodes);
	uint32_t i, kind = 0, alike = 0;
	bitoff_t bit = 0, count;
	char *node;

	for (i = 0; i < has->nhosts; i++) {
		if (alike++ == has->sock_core_rep_count[kind]) {
			kind++;
			alike = 1;
		}
		count = (bitoff_t)has->sockets_per_node[kind] *
			has->cores_per_socket[kind];
		node = nodes ? libslurm.list_shift(nodes) : NULL;
		if (!node)
			die("the nodes of a job are not known");
		print_node(has, node, bit, count);
		bit += count;
		free(node);
	}
	if (nodes)
		libslurm.list_destroy(nodes);
}

/* A job without a task number may be the record of an array's pending tasks. */
static void print_job(const slurm_job_info_t *job)
{
	bool task = job->array_job_id && job->array_task_id != NO_VAL;

	printf("%" PRIu32 " ", job->job_id);
	if (task)
		printf("%" PRIu32 "_%" PRIu32, job->array_job_id,
		       job->array_task_id);
	else
		printf("%" PRIu32, job->job_id);
	printf(" %s %" PRIu32, state_of(job), job->priority);
	if (job->job_resrcs && job->job_resrcs->nodes &&
	    job->job_resrcs->core_bitmap &&
	    job->job_resrcs->sock_core_rep_count &&
	    job->job_resrcs->sockets_per_node &&
	    job->job_resrcs->cores_per_socket)
		print_cores(job->job_resrcs);
	putchar('\n');
}

int main(void)
{
	job_info_msg_t *jobs;
	uint32_t i;

	find_libslurm();
	libslurm.init(NULL);
	if (libslurm.load_jobs(0, &jobs,
			       SHOW_DETAIL | SHOW_ALL | SHOW_LOCAL) < 0)
		die("the controller does not respond");
	for (i = 0; i < jobs->record_count; i++)
		print_job(&jobs->job_array[i]);
	if (fflush(stdout) != 0 || ferror(stdout))
		die("cannot write");
	return 0;
}
