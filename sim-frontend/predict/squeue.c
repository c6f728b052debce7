/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/squeue.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/program.h"
#include "sim-frontend/util/text.h"

/* Output of squeue that is read, bytes. */
#define LISTED_MAX (64 << 20)

#define ARRAY UINT64_C(0xffffffff)	/* "task" of the record of an array */

/* Exit status of timeout(1). */
#define TIMED_OUT 124

char *lxfw_squeue_field(char **at)
{
	char *begin = *at, *end = strchr(begin, '|');

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return begin;
}

uint64_t lxfw_squeue_id(const char *number, const char *name)
{
	const char *under = strchr(name, '_');
	int64_t job, task = -1;

	/* The name becomes an argument of scontrol. */
	if (*name < '1' || *name > '9' || name[strspn(name, "0123456789_+[],:%-")] ||
	    lxfw_text_integer(number, strlen(number), 1, UINT32_MAX, &job))
		return 0;
	if (!under)
		return (uint64_t)job;
	if (lxfw_text_integer(name, (size_t)(under - name), 1, UINT32_MAX, &job))
		return 0;
	if (under[1] == '[')
		return (uint64_t)job | ARRAY << 32;
	if (lxfw_text_integer(under + 1, strlen(under + 1), 0, UINT32_MAX - 2, &task))
		return 0;
	return (uint64_t)job | (uint64_t)(task + 1) << 32;
}

int32_t lxfw_squeue_find(const struct lxfw_id_map *by_id, uint64_t id)
{
	int32_t index = lxfw_id_map_get(by_id, id);

	return index >= 0 ? index : lxfw_id_map_get(by_id, (id & UINT32_MAX) | ARRAY << 32);
}

int lxfw_squeue_failed(struct lxfw_error *error, const char *program, int status, char *said)
{
	bool late = status == TIMED_OUT;
	char quoted[160];

	said[strcspn(said, "\n")] = '\0';
	lxfw_text_quote(quoted, sizeof(quoted), said, strlen(said));
	lxfw_error_format(error, "%s: %s%s%s", program, late ?
			  "no answer within " LXFW_SQUEUE_PATIENCE " s" : "failed",
			  late && !*said ? "" : ": ", late && !*said ? "" : quoted);
	errno = late ? ETIMEDOUT : EIO;
	return -1;
}

int lxfw_squeue_ask(const char *program, char *const *arguments, char *output, size_t size,
		    struct lxfw_error *error)
{
	int status = lxfw_program_read(arguments, output, size, error);

	/* timeout(1) ends itself with a program that ignores SIGTERM. */
	if (status < 0 && errno == EIO)
		status = TIMED_OUT;
	if (status < 0 && errno == ENOENT)
		lxfw_error_format(error, "%s: not found", program);
	return status > 0 ? lxfw_squeue_failed(error, program, status, output) : status;
}

char *lxfw_squeue_run(const char *states, const char *format, struct lxfw_error *error)
{
	char state_option[80], format_option[160];
	/* Without SLURM_BITSTR_LEN=0, squeue shortens long lists of tasks. */
	char *arguments[] = {
		LXFW_SLURM_PLAINLY, "SLURM_BITSTR_LEN=0", "SLURM_TIME_FORMAT=%s",
		LXFW_SQUEUE_PATIENTLY, "squeue", "--noheader", "--all", "--local",
		state_option, format_option, NULL,
	};
	char *output = malloc(LISTED_MAX);

	if (!output) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	snprintf(state_option, sizeof(state_option), "--states=%s", states);
	snprintf(format_option, sizeof(format_option), "--Format=%s", format);
	if (lxfw_squeue_ask("squeue", arguments, output, LISTED_MAX, error) == 0)
		return output;
	free(output);
	return NULL;
}
