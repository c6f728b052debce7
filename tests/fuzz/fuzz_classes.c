/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of job classes, with the hosts of a built-in cluster. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "sim-frontend/trace/job_classes_text.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "classes";

/* Check that the scheduler accepts the classes and that every host has its rules. */
static void check_classes(const struct lxfw_job_classes *classes,
			  const struct lxfw_cluster *cluster)
{
	FUZZ_CHECK(lxfw_job_classes_valid(classes));
	FUZZ_CHECK(classes->host_count == cluster->count);
	for (int32_t i = 0; i < cluster->count; i++) {
		const struct lxfw_host_rules *rules =
			lxfw_job_classes_rules(classes, i);

		FUZZ_CHECK(rules && rules->order_count > 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_job_classes *classes;
	struct lxfw_cluster cluster;
	struct lxfw_error error = { "" };

	if (!path)
		return 0;
	FUZZ_CHECK(lxfw_cluster_read(&cluster, "ncsa-o2k", &error) == 0);
	classes = lxfw_job_classes_read(path, &cluster, &error);
	if (classes)
		check_classes(classes, &cluster);
	else
		FUZZ_CHECK(error.text[0] != '\0');
	free(classes);
	lxfw_cluster_clear(&cluster);
	return 0;
}
