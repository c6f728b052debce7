/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/snapshot_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOWER UINT64_C(0xffffffff)

void lxfw_snapshot_file_clear(struct lxfw_snapshot_file *file)
{
	for (size_t i = 0; i < file->state.host_count && file->host_names; i++)
		free(file->host_names[i]);
	for (size_t i = 0; i < file->state.job_count && file->job_names; i++)
		free(file->job_names[i]);
	free(file->host_names);
	free(file->job_names);
	free(file->ran);
	free(file->submitted);
	lxfw_snapshot_clear(&file->state);
	*file = (struct lxfw_snapshot_file) { 0 };
}

/* --- names ---------------------------------------------------------------------------- */

static int ascending(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

/* Numbers of jobs, arrays and heterogeneous jobs in ascending order, some of them twice.
   Returns NULL with errno ENOMEM. */
static uint64_t *numbers_of(const struct lxfw_snapshot *state, size_t *count)
{
	uint64_t *numbers = calloc(2 * state->job_count + 1, sizeof(*numbers));

	*count = 0;
	for (size_t i = 0; i < state->job_count && numbers; i++) {
		numbers[(*count)++] = state->jobs[i].request.id & LOWER;
		if (state->jobs[i].request.group != 0)
			numbers[(*count)++] = state->jobs[i].request.group & LOWER;
	}
	if (numbers)
		qsort(numbers, *count, sizeof(*numbers), ascending);
	return numbers;
}

/* Keeps one of equal numbers. */
static size_t unique(uint64_t *numbers, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || numbers[kept - 1] != numbers[i])
			numbers[kept++] = numbers[i];
	}
	return kept;
}

/* The tasks of an array keep their numbers. 0 is no job. */
static uint64_t replaced(const uint64_t *numbers, size_t count, uint64_t id)
{
	uint64_t number = id & LOWER;
	const uint64_t *found = bsearch(&number, numbers, count, sizeof(*numbers), ascending);

	return id == 0 ? 0 : (id & ~LOWER) | (uint64_t)(found - numbers + 1);
}

static int rename_hosts(struct lxfw_snapshot_file *file)
{
	char name[32];

	for (size_t i = 0; i < file->state.host_count && file->host_names; i++) {
		free(file->host_names[i]);
		snprintf(name, sizeof(name), "n%zu", i + 1);
		file->host_names[i] = strdup(name);
		if (!file->host_names[i])
			return -1;
	}
	return 0;
}

/* The ids of passing blocks have a meaning and name nothing. */
static void rename_blocks(struct lxfw_snapshot *state)
{
	for (size_t i = 0; i < state->block_count; i++) {
		if (state->blocks[i].id > LXFW_BLOCK_PASSING_MAX)
			state->blocks[i].id = LXFW_BLOCK_PASSING_MAX + 1 + i;
	}
}

int lxfw_snapshot_anonymize(struct lxfw_snapshot_file *file)
{
	struct lxfw_snapshot *state = &file->state;
	size_t count;
	uint64_t *numbers = numbers_of(state, &count);

	file->anonymous = true;
	if (!numbers || rename_hosts(file)) {
		free(numbers);
		errno = ENOMEM;
		return -1;
	}
	count = unique(numbers, count);
	for (size_t i = 0; i < state->job_count; i++) {
		struct lxfw_request *request = &state->jobs[i].request;

		request->id = replaced(numbers, count, request->id);
		request->group = replaced(numbers, count, request->group);
		if (file->job_names) {
			free(file->job_names[i]);
			file->job_names[i] = NULL;
		}
	}
	for (size_t i = 0; i < state->reservation_count; i++)
		state->reservations[i].job = replaced(numbers, count,
						      state->reservations[i].job);
	rename_blocks(state);
	free(numbers);
	return 0;
}

/* --- run times ------------------------------------------------------------------------- */

int lxfw_snapshot_experience(const struct lxfw_snapshot_file *file,
			     struct lxfw_experience *experience)
{
	for (size_t i = 0; i < file->ran_count; i++) {
		const struct lxfw_snapshot_ran *ran = &file->ran[i];
		const struct lxfw_traits traits = {
			.user = -1, .account = -1, .partition = ran->partition,
			.limit = ran->limit, .procs = (int32_t)ran->procs,
		};

		if (lxfw_experience_learn(experience, &traits, ran->seconds))
			return -1;
	}
	return 0;
}
