/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log_clusters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

int lxfw_log_clusters_add(struct lxfw_log_clusters *clusters, struct lxfw_slice name,
			  int32_t *cluster)
{
	*cluster = -1;
	if (name.length == 0)
		return 0;
	*cluster = lxfw_names_add(&clusters->names, name.at, name.length);
	return *cluster < 0 ? -1 : 0;
}

int lxfw_log_clusters_count(struct lxfw_log_clusters *clusters, int32_t cluster)
{
	if (cluster < 0)
		return 0;
	if (LXFW_GROW(clusters->jobs, clusters->size, (size_t)cluster + 1))
		return -1;
	clusters->jobs[cluster]++;
	return 0;
}

static size_t jobs_of(const struct lxfw_log_clusters *clusters, size_t i)
{
	return i < clusters->size ? clusters->jobs[i] : 0;
}

/* Lists "alps (12 jobs), jura (3 jobs)", as far as they fit. */
static void list(const struct lxfw_log_clusters *clusters, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < clusters->names.count; i++) {
		const char *name = clusters->names.names[i];
		char quoted[60];

		if (jobs_of(clusters, i) == 0)
			continue;
		if (size - used < 120) {
			snprintf(text + used, size - used, ", ...");
			return;
		}
		used += (size_t)snprintf(text + used, size - used, "%s%s (%zu job%s)",
					 used ? ", " : "",
					 lxfw_text_quote(quoted, sizeof(quoted), name,
							 strlen(name)),
					 jobs_of(clusters, i), jobs_of(clusters, i) == 1 ? "" : "s");
	}
}

static int refuse(const char *path, const char *text, struct lxfw_error *error)
{
	return path ? lxfw_error_at(error, path, 0, "%s", text) :
		      lxfw_error_format(error, "%s", text);
}

int lxfw_log_clusters_judge(const struct lxfw_log_clusters *clusters, const char *wanted,
			    const char *path, struct lxfw_error *error)
{
	char text[1000], named[500], quoted[60];
	size_t count = 0;

	list(clusters, named, sizeof(named));
	for (size_t i = 0; i < clusters->names.count; i++) {
		if (wanted && strcmp(clusters->names.names[i], wanted) == 0)
			return 0;
		count += jobs_of(clusters, i) > 0;
	}
	if (wanted) {
		snprintf(text, sizeof(text), "no record is of cluster %s, expected %s",
			 lxfw_text_quote(quoted, sizeof(quoted), wanted, strlen(wanted)),
			 *named ? named : "records that name it, as those of sacct with "
					  "the column Cluster");
		return refuse(path, text, error);
	}
	if (count < 2)
		return 0;
	snprintf(text, sizeof(text), "jobs of %zu clusters, %s; expected those of one machine: "
		 "select them with lxfw import --slurm-cluster NAME", count, named);
	return refuse(path, text, error);
}

void lxfw_log_clusters_clear(struct lxfw_log_clusters *clusters)
{
	lxfw_names_clear(&clusters->names);
	free(clusters->jobs);
	*clusters = (struct lxfw_log_clusters) { .jobs = NULL };
}
