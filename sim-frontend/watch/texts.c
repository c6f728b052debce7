/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/watch/texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/program.h"
#include "sim-frontend/watch/job_line.h"

/* Output of a program that is read, bytes. */
#define OUTPUT_MAX (256 << 20)

#define PATIENTLY "timeout", "-k", "1", LXFW_SQUEUE_PATIENCE

/* Returns the output, without the memory that it does not need; NULL with errno and ERROR. */
static char *ask(const char *name, char *const *arguments, struct lxfw_error *error)
{
	char *output = malloc(OUTPUT_MAX), *smaller;
	int status;

	if (!output) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	status = lxfw_program_read(arguments, output, OUTPUT_MAX, error);
	if (status > 0)
		status = lxfw_squeue_failed(error, name, status, output);
	if (status) {
		free(output);
		return NULL;
	}
	smaller = realloc(output, strlen(output) + 1);
	return smaller ? smaller : output;
}

static char *show(const char *table, struct lxfw_error *error)
{
	char *const arguments[] = { "env", "SLURM_TIME_FORMAT=standard", PATIENTLY, "scontrol",
				    "--all", "--oneliner", "show", (char *)table, NULL };

	return ask("scontrol", arguments, error);
}

static char *list_jobs(struct lxfw_error *error)
{
	char format[400];
	/* All jobs, times in seconds since 1970, and lists of tasks whole. */
	char *const arguments[] = { "env", "-u", "SQUEUE_ACCOUNT", "-u", "SQUEUE_LICENSES", "-u",
				    "SQUEUE_NAMES", "-u", "SQUEUE_PARTITION", "-u",
				    "SQUEUE_QOS", "-u", "SQUEUE_USERS", "-u", "SQUEUE_CLUSTERS",
				    "SLURM_TIME_FORMAT=%s", "SLURM_BITSTR_LEN=0",
				    PATIENTLY, "squeue", "--noheader", "--all", "--local",
				    "--array", "--states=PENDING,RUNNING,SUSPENDED,COMPLETING,"
				    "CONFIGURING,RESIZING,SIGNALING,STAGE_OUT,STOPPED,"
				    "REQUEUED,REQUEUE_HOLD,SPECIAL_EXIT", format, NULL };

	snprintf(format, sizeof(format), "--Format=%s", lxfw_watched_format);
	return ask("squeue", arguments, error);
}

int lxfw_watch_ask(struct lxfw_watch_texts *texts, struct lxfw_error *error)
{
	*texts = (struct lxfw_watch_texts) { NULL };
	/* The jobs last: nodes that they are on are known. */
	if ((texts->nodes = show("node", error)) &&
	    (texts->partitions = show("partition", error)) &&
	    (texts->reservations = show("reservation", error)) &&
	    (texts->jobs = list_jobs(error)))
		return 0;
	lxfw_watch_texts_clear(texts);
	return -1;
}

void lxfw_watch_texts_clear(struct lxfw_watch_texts *texts)
{
	int kept = errno;

	free(texts->nodes);
	free(texts->partitions);
	free(texts->reservations);
	free(texts->jobs);
	*texts = (struct lxfw_watch_texts) { NULL };
	errno = kept;
}
