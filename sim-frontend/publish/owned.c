/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/publish/owned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/guarded.h"
#include "sim-frontend/util/letters.h"
#include "sim-frontend/util/output.h"

#define HEAD "lxfw-owners 1 %" PRId64 "\n"
#define FILE_MAX (32 << 20)

/* A user that is not known, or whose name is not one word. */
static const char *user_of(const struct lxfw_listed *listed,
			   const struct lxfw_publication_job *job)
{
	const struct lxfw_listed_job *found = lxfw_listed_find(listed, job->id);

	return found && *found->user && !strpbrk(found->user, " \t\r\n") ? found->user : "-";
}

int lxfw_owned_write(const struct lxfw_publication *publication, const struct lxfw_listed *listed,
		     const char *path, struct lxfw_error *error)
{
	struct lxfw_output *output = lxfw_output_replace(path, error);

	if (!output)
		return -1;
	lxfw_output_format(output, HEAD, publication->time);
	for (size_t i = 0; i < publication->count; i++)
		lxfw_output_format(output, "%s %s\n", publication->jobs[i].name,
				   user_of(listed, &publication->jobs[i]));
	lxfw_output_mode(output, 0644);	/* users read the file */
	return lxfw_output_commit(output, error);
}

/* Takes the line of a job. Returns the next one, or NULL if it is not that of the job. */
static const char *take_line(const char *line, struct lxfw_publication_job *job)
{
	size_t width = strlen(job->name), length;

	if (strncmp(line, job->name, width) != 0 || line[width] != ' ')
		return NULL;
	line += width + 1;
	length = strcspn(line, "\n");
	if (line[length] != '\n' || length == 0 || length >= sizeof(job->user) ||
	    !lxfw_letters_only(line, length))
		return NULL;
	memcpy(job->user, line, length);
	job->user[length] = '\0';
	if (strcmp(job->user, "-") == 0)
		job->user[0] = '\0';
	return line + length + 1;
}

int lxfw_owned_take(struct lxfw_publication *publication, const char *text)
{
	char head[64];
	size_t done = 0;

	snprintf(head, sizeof(head), HEAD, publication->time);
	if (strncmp(text, head, strlen(head)) != 0)
		return -1;
	text += strlen(head);
	while (text && done < publication->count)
		text = take_line(text, &publication->jobs[done++]);
	if (text && !*text)
		return 0;
	for (size_t i = 0; i < publication->count; i++)
		publication->jobs[i].user[0] = '\0';
	return -1;
}

int lxfw_owned_read(struct lxfw_publication *publication, const char *path)
{
	struct lxfw_error error;
	size_t length;
	char *text = lxfw_guarded_read(path, FILE_MAX, &length, &error);
	int failed = text ? lxfw_owned_take(publication, text) : -1;

	free(text);
	return failed;
}
