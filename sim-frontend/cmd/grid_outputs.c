/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/grid_outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

static int open_journal(struct lxfw_grid_outputs *outputs, size_t site, const char *name,
			const struct lxfw_trace *trace, const char *folder)
{
	size_t size = strlen(folder) + strlen(name) + sizeof("/.journal");
	char *path = malloc(size);
	struct lxfw_error error;

	if (!path)
		return out_of_memory();
	snprintf(path, size, "%s/%s.journal", folder, name);
	outputs->list[site] = lxfw_output_open(path, &error);
	free(path);
	if (!outputs->list[site])
		return lxfw_cmd_bad(&error);
	if (lxfw_journal_writer_begin(&outputs->writers[site], outputs->list[site]))
		return out_of_memory();
	lxfw_journal_writer_name(&outputs->writers[site], trace);
	return 0;
}

int lxfw_grid_outputs_begin(struct lxfw_grid_outputs *outputs, const struct lxfw_sites *sites,
			    const struct lxfw_trace *trace, const char *folder)
{
	size_t count = (size_t)sites->count;

	outputs->sites = count;
	outputs->list = calloc(count + LXFW_GRID_FILES, sizeof(struct lxfw_output *));
	if (!outputs->list)
		return out_of_memory();
	if (!folder)
		return 0;
	outputs->writers = calloc(count, sizeof(*outputs->writers));
	if (!outputs->writers)
		return out_of_memory();
	for (size_t i = 0; i < count; i++) {
		if (open_journal(outputs, i, sites->list[i].name, trace, folder))
			return LXFW_EXIT_BAD;
	}
	return 0;
}

struct lxfw_output *lxfw_grid_outputs_open(struct lxfw_grid_outputs *outputs,
					   enum lxfw_grid_file file, const char *path)
{
	struct lxfw_error error;
	struct lxfw_output *output = lxfw_output_open(path, &error);

	if (!output)
		lxfw_cmd_bad(&error);
	outputs->list[outputs->sites + (size_t)file] = output;
	return output;
}

int lxfw_grid_outputs_commit(struct lxfw_grid_outputs *outputs)
{
	struct lxfw_error error;
	int failed = lxfw_output_commit_all(outputs->list, outputs->sites + LXFW_GRID_FILES,
					    &error);

	free(outputs->list);
	outputs->list = NULL;
	return failed ? lxfw_cmd_bad(&error) : 0;
}

void lxfw_grid_outputs_clear(struct lxfw_grid_outputs *outputs)
{
	for (size_t i = 0; outputs->list && i < outputs->sites + LXFW_GRID_FILES; i++)
		lxfw_output_abort(outputs->list[i]);
	for (size_t i = 0; outputs->writers && i < outputs->sites; i++)
		lxfw_journal_writer_end(&outputs->writers[i]);
	free(outputs->list);
	free(outputs->writers);
	*outputs = (struct lxfw_grid_outputs){ 0 };
}
