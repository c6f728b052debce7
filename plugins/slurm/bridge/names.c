/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/names.h"

#include <string.h>

#include "common/params/params.h"

bool lxfw_names_copy(const char *text, const char *key, char **copy)
{
	int length;
	const char *value = lxfw_params_value(text, key, &length);

	*copy = value ? strndup(value, (size_t)length) : NULL;
	return *copy || !value;
}

bool lxfw_names_has(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list && *list) {
		size_t next = strcspn(list, ":");

		if (next == length && strncmp(list, name, length) == 0)
			return true;
		list += next;
		list += *list == ':';
	}
	return false;
}

bool lxfw_names_partitions(const char *list, const job_record_t *job, bool all)
{
	lxfw_slurm_iterator each;
	part_record_t *part;
	bool found = all;

	if (!job->part_ptr_list)
		return job->part_ptr &&
		       lxfw_names_has(list, job->part_ptr->name);
	each = list_iterator_create(job->part_ptr_list);
	while (found == all && (part = list_next(each)) != NULL)
		found = lxfw_names_has(list, part->name);
	list_iterator_destroy(each);
	return found;
}
