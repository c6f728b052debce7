/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_silent.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/publish/owned.h"

/* Returns whether FOLDER has a publication. Its `shown` is whether it has the users. */
static bool read_last(const char *folder, struct lxfw_publication *last)
{
	char path[PATH_MAX];
	struct lxfw_error error;

	*last = (struct lxfw_publication) { 0 };
	if (snprintf(path, sizeof(path), "%s/" LXFW_PUBLICATION_JSON, folder) >= (int)sizeof(path) ||
	    lxfw_publication_read(last, path, &error))
		return false;
	if (snprintf(path, sizeof(path), "%s/" LXFW_PUBLICATION_OWNERS, folder) < (int)sizeof(path))
		last->shown = lxfw_owned_read(last, path) == 0;
	return true;
}

void lxfw_predict_silent_list(const char *folder, struct lxfw_listed *listed)
{
	struct lxfw_publication last;

	if (!read_last(folder, &last) || lxfw_listed_published(listed, &last))
		lxfw_listed_clear(listed);
	lxfw_publication_clear(&last);
}

/* Both are in the order of the queue, in which few jobs have moved since. */
static const struct lxfw_publication_job *find(const struct lxfw_publication *last, const char *name,
					       size_t *at)
{
	for (size_t i = 0; i < last->count; i++) {
		const struct lxfw_publication_job *job = &last->jobs[(*at + i) % last->count];

		if (strcmp(job->name, name) == 0) {
			*at = (*at + i + 1) % last->count;
			return job;
		}
	}
	return NULL;
}

int lxfw_predict_silent_keep(const char *folder, struct lxfw_publication *to)
{
	struct lxfw_publication last;
	int failed = 0;
	size_t at = 0;

	if (read_last(folder, &last)) {
		memcpy(to->cluster, last.cluster, sizeof(to->cluster));
		to->hidden = last.hidden;
		to->shown = last.shown;
	}
	for (size_t i = 0; i < last.note_count && !failed; i++)
		failed = lxfw_publication_note(to, last.notes[i].text);
	for (size_t i = 0; i < to->count; i++) {
		const struct lxfw_publication_job *old = find(&last, to->jobs[i].name, &at);

		if (old && to->jobs[i].state != LXFW_PUBLISHED_RUNNING) {
			memcpy(to->jobs[i].said, old->said, sizeof(old->said));
			to->jobs[i].planned = old->planned;
		}
	}
	lxfw_publication_clear(&last);
	return failed;
}
