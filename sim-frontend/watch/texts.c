/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/watch/texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/watch/job_line.h"

/* Output of a program that is read, bytes. */
#define OUTPUT_MAX (256 << 20)

/* Jobs in the states of lxfw_watched_read(). */
#define UNFINISHED "--states=PENDING,RUNNING,SUSPENDED,COMPLETING,CONFIGURING,RESIZING," \
		   "SIGNALING,STAGE_OUT,STOPPED,REQUEUED,REQUEUE_HOLD,SPECIAL_EXIT"

/* Tasks of an array that Slurm keeps apart, since one is held or was changed, have lines of their own.
   Releases from 23.02 on do not know this variable. */
#define APART "SQUEUE_ARRAY_UNIQUE=1"

/* Returns the output, without the memory that it does not need; NULL with errno and ERROR. If CUT
   is not NULL, output that is too long is cut after a line, and *CUT is set. */
static char *ask(const char *name, char *const *arguments, bool *cut, struct lxfw_error *error)
{
	char *output = malloc(OUTPUT_MAX), *smaller, *end;
	int status;

	if (!output) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	status = lxfw_squeue_ask(name, arguments, output, OUTPUT_MAX, error);
	if (status < 0 && errno == EOVERFLOW && cut && (end = strrchr(output, '\n'))) {
		end[1] = '\0';
		*cut = true;
		status = 0;
	}
	if (status) {
		free(output);
		return NULL;
	}
	smaller = realloc(output, strlen(output) + 1);
	return smaller ? smaller : output;
}

static char *show(const char *table, struct lxfw_error *error)
{
	char *const arguments[] = { LXFW_SLURM_PLAINLY, "SLURM_TIME_FORMAT=standard",
				    LXFW_SQUEUE_PATIENTLY, "scontrol", "--all", "--oneliner", "show",
				    (char *)table, NULL };

	return ask("scontrol", arguments, NULL, error);
}

/* Whether the configuration hides this table. */
static bool is_private(const char *config, const char *table)
{
	for (const char *line = config; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, "PrivateData", strlen("PrivateData")) == 0) {
			const char *at = strstr(line, table);

			return at && at < line + strcspn(line, "\n");
		}
	}
	return false;
}

/* The same of a table without which nothing is known of the machine. */
static char *show_machine(const char *config, const char *table, struct lxfw_error *error)
{
	char *text = show(table, error);
	int kept = errno;

	if (!text && is_private(config, table))
		lxfw_error_format(error, "Slurm does not show %ss to this user (PrivateData): only a "
				  "service of the site can predict here ('lxfw predict --publish' as "
				  "an operator)", table);
	errno = kept;
	return text;
}

static char *show_config(struct lxfw_error *error)
{
	char *const arguments[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
				    "scontrol", "show", "config", NULL };

	return ask("scontrol", arguments, NULL, error);
}

static char *list_jobs(bool *cut, struct lxfw_error *error)
{
	char format[600];
	/* All jobs, times in seconds since 1970, and lists of tasks whole. A line for each task
	   would be as long as its user makes it, many thousand times. */
	char *const arguments[] = { LXFW_SLURM_PLAINLY, "SLURM_TIME_FORMAT=%s",
				    "SLURM_BITSTR_LEN=0", APART,
				    LXFW_SQUEUE_PATIENTLY, "squeue", "--noheader", "--all", "--local",
				    UNFINISHED, format, NULL };

	snprintf(format, sizeof(format), "--Format=%s", lxfw_watched_format);
	return ask("squeue", arguments, cut, error);
}

static char *list_excluded(bool *cut, struct lxfw_error *error)
{
	char format[40];
	char *const arguments[] = { LXFW_SLURM_PLAINLY, APART, LXFW_SQUEUE_PATIENTLY, "squeue",
				    "--noheader", "--all", "--local", UNFINISHED, format, NULL };

	snprintf(format, sizeof(format), "--format=%s", lxfw_watched_excluded);
	return ask("squeue", arguments, cut, error);
}

int lxfw_watch_ask(struct lxfw_watch_texts *texts, struct lxfw_error *error)
{
	*texts = (struct lxfw_watch_texts) { .cut = false };
	/* The jobs last: nodes that they are on are known. */
	if ((texts->config = show_config(error)) &&
	    (texts->nodes = show_machine(texts->config, "node", error)) &&
	    (texts->partitions = show_machine(texts->config, "partition", error)) &&
	    (texts->reservations = show("reservation", error)) &&
	    (texts->licenses = show("license", error)) &&
	    (texts->jobs = list_jobs(&texts->cut, error)) &&
	    (texts->excluded = list_excluded(&texts->cut, error)))
		return 0;
	lxfw_watch_texts_clear(texts);
	return -1;
}

void lxfw_watch_texts_clear(struct lxfw_watch_texts *texts)
{
	int kept = errno;

	free(texts->config);
	free(texts->nodes);
	free(texts->partitions);
	free(texts->reservations);
	free(texts->licenses);
	free(texts->jobs);
	free(texts->excluded);
	*texts = (struct lxfw_watch_texts) { .cut = false };
	errno = kept;
}
