/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/program.h"
#include "sim-frontend/util/text.h"

/* Output of sacct that is read, bytes: 80,000 jobs or so. */
#define OUTPUT_MAX (8 << 20)

/* How long sacct may take, seconds. */
#define PATIENCE "5"

/* Exit status of timeout(1). */
#define TIMED_OUT 124

/* The first columns: where the table begins, after what sacct may say before. */
#define COLUMNS "JobIDRaw|Submit|Start|End|State|"

const char *lxfw_now_history(void)
{
	const char *path = getenv("LXFW_HISTORY");

	return path && *path && access(path, R_OK) == 0 ? path : NULL;
}

/* Gets the jobs of this user alone that ended in the last days. Returns the exit status, or -1 with
   ERROR set. */
static int ask(int days, char *said, struct lxfw_error *error)
{
	char user[40], since[40];
	char *const arguments[] = {
		LXFW_SLURM_PLAINLY, "SLURM_TIME_FORMAT=%s", "timeout", "-k", "1", PATIENCE,
		"sacct", "--local", "--allocations", "--parsable2", since, "--endtime=now", user,
		/* Not a run that was requeued, or cancelled: it does not say how long the job needs. */
		"--state=COMPLETED,FAILED,TIMEOUT,OUT_OF_MEMORY,DEADLINE",
		"--format=JobIDRaw,Submit,Start,End,State,ElapsedRaw,AllocCPUS,ReqCPUS,"
		"TimelimitRaw,Partition,User,Group", NULL,
	};

	snprintf(since, sizeof(since), "--starttime=now-%ddays", days);
	snprintf(user, sizeof(user), "--user=%lu", (unsigned long)geteuid());
	return lxfw_program_run(arguments, said, OUTPUT_MAX, error);
}

/* The same for fewer days if the last jobs did not fit: sacct prints the first ones first. */
static int ask_for_all(char *said, struct lxfw_error *error)
{
	static const int days[] = { 30, 5, 1 };
	int status = -1;

	for (int i = 0; i < 3; i++) {
		status = ask(days[i], said, error);
		if (status != 0 || strlen(said) < OUTPUT_MAX - 1)
			break;
	}
	return status;
}

/* Writes the table to a file of its own for the reader, which takes paths. Returns a descriptor,
   or -1. */
static int file_of(const char *table)
{
	int file = memfd_create("sacct", MFD_CLOEXEC);

	if (file >= 0 && dprintf(file, "%s", table) < 0) {
		close(file);
		return -1;
	}
	return file;
}

/* The table of SAID without a last line that is cut, NULL if there is none. */
static char *table_of(char *said)
{
	char *table = strstr(said, COLUMNS), *end = table ? strrchr(table, '\n') : NULL;

	if (!end)
		return NULL;
	end[1] = '\0';
	return table;
}

static void note_unknown(const char *reason)
{
	lxfw_cmd_note("run times of your earlier jobs are not known: sacct: %s", reason);
}

/* Returns 0, or -1: memory ran out. */
static int add_table(struct lxfw_rans *rans, const char *table)
{
	struct lxfw_trace trace;
	struct lxfw_error error;
	size_t first = rans->count;
	int file = file_of(table), failed;
	char path[40];

	if (file < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	failed = lxfw_trace_read_owners(&trace, path, LXFW_MEMORY_NONE, &error);
	close(file);
	if (failed && errno == ENOMEM)
		return -1;
	failed = failed ? 0 : lxfw_rans_trace(rans, &trace);
	lxfw_trace_clear(&trace);
	if (rans->count == first && strchr(table, '\n')[1])
		note_unknown("none of them has ended with a time limit");
	for (size_t i = first; i < rans->count; i++)
		rans->jobs[i].own = true;
	return failed;
}

int lxfw_now_runs(struct lxfw_rans *rans)
{
	char *said = malloc(OUTPUT_MAX), quoted[160];
	struct lxfw_error error;
	int status, failed = said ? 0 : -1;
	char *table;

	errno = 0;
	status = said ? ask_for_all(said, &error) : 0;
	table = said && status == 0 ? table_of(said) : NULL;
	if (table) {
		failed = add_table(rans, table);
	} else if (said && status < 0) {
		note_unknown(errno == ENOENT ? "not found" : error.text);
	} else if (status == TIMED_OUT) {
		note_unknown("no answer within " PATIENCE " s");
	} else if (said) {
		said[strcspn(said, "\n")] = '\0';
		note_unknown(lxfw_text_quote(quoted, sizeof(quoted), said, strlen(said)));
	}
	free(said);
	if (failed)
		lxfw_cmd_note("out of memory");
	return failed ? LXFW_EXIT_BAD : 0;
}
