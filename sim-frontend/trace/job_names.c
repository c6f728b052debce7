/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/job_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/model/request.h"
#include "common/util/grow.h"

void lxfw_job_names_clear(struct lxfw_job_names *names)
{
	lxfw_id_map_clear(&names->by_id);
	free(names->names);
	*names = (struct lxfw_job_names) { 0 };
}

int lxfw_job_names_take(struct lxfw_job_names *names,
			const struct lxfw_record *record)
{
	if (record->kind == LXFW_RECORD_MAGIC)
		lxfw_job_names_clear(names);
	if (record->kind != LXFW_RECORD_NAME)
		return 0;
	if (LXFW_GROW(names->names, names->size, names->count + 1))
		return -1;
	lxfw_id_map_remove(&names->by_id, record->job_name.job);
	if (lxfw_id_map_add(&names->by_id, record->job_name.job,
			    (int32_t)names->count))
		return -1;
	names->names[names->count++] = record->job_name;
	return 0;
}

static const struct lxfw_job_name *find(const struct lxfw_job_names *names,
					uint64_t id)
{
	int32_t index = lxfw_id_map_get(&names->by_id, id);

	return index < 0 ? NULL : &names->names[index];
}

int64_t lxfw_job_names_number(const struct lxfw_job_names *names, uint64_t id)
{
	const struct lxfw_job_name *name = find(names, id);

	return name ? name->number : (int64_t)id;
}

void lxfw_job_names_text(const struct lxfw_job_names *names, uint64_t id,
			 char *text, size_t size)
{
	const struct lxfw_job_name *name = find(names, id);

	*text = '\0';
	if (name && name->before > 0)
		snprintf(text, size, "%" PRId64 "#%" PRId64, name->number,
			 name->before + 1);
	else if (name)
		snprintf(text, size, "%" PRId64, name->number);
	else if (id >> 32)
		snprintf(text, size, "%" PRIu64 "_%" PRIu64, id & UINT32_MAX,
			 (id >> 32) - 1);
	else if (id)
		snprintf(text, size, "%" PRIu64, id);
}

void lxfw_job_names_request(const struct lxfw_job_names *names, const struct lxfw_request *request,
			    char *text, size_t size)
{
	uint64_t first = request->group & UINT32_MAX;

	/* Their numbers follow each other. */
	if (names->count == 0 && first > 0 && request->id >= first &&
	    request->id < first + LXFW_GROUP_MAX)
		snprintf(text, size, "%" PRIu64 "+%" PRIu64, first, request->id - first);
	else
		lxfw_job_names_text(names, request->id, text, size);
}

bool lxfw_job_names_match(const struct lxfw_job_names *names, uint64_t id,
			  uint64_t wanted, int64_t which)
{
	const struct lxfw_job_name *name = find(names, id);

	if (!name)
		return id == wanted && which <= 1;
	return name->number == (int64_t)wanted &&
	       (which == 0 || which == name->before + 1);
}
