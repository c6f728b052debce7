/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/publish/publication.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/util/grow.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/text.h"

void lxfw_publication_clear(struct lxfw_publication *publication)
{
	free(publication->jobs);
	free(publication->use);
	free(publication->waits);
	free(publication->notes);
	lxfw_starts_clear(&publication->starts);
	*publication = (struct lxfw_publication) { 0 };
}

struct lxfw_publication_job *lxfw_publication_add(struct lxfw_publication *publication)
{
	struct lxfw_publication_job *job;

	if (LXFW_GROW(publication->jobs, publication->size, publication->count + 1))
		return NULL;
	job = &publication->jobs[publication->count++];
	*job = (struct lxfw_publication_job) { .end = LXFW_NEVER, .latest = LXFW_NEVER };
	for (int i = 0; i < LXFW_TOLD_TIMES; i++)
		job->times[i] = LXFW_NEVER;
	return job;
}

int lxfw_publication_note(struct lxfw_publication *publication, const char *text)
{
	size_t size = publication->note_count;

	if (size == LXFW_PUBLICATION_NOTES)
		return 0;
	if (LXFW_GROW(publication->notes, size, size + 1))
		return -1;
	lxfw_text_quote(publication->notes[publication->note_count++].text,
			LXFW_PUBLICATION_NOTE, text, strlen(text));
	return 0;
}

size_t lxfw_publication_count(const struct lxfw_publication *publication,
			      enum lxfw_publication_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < publication->count; i++)
		count += publication->jobs[i].state == state;
	return count;
}

/* The number of a component: 16 for "15+1"; 0: the name is of none. */
static int64_t number_of(const char *name)
{
	size_t plus = strcspn(name, "+");
	int64_t first, more;

	if (!name[plus] || lxfw_text_integer(name, plus, 1, UINT32_MAX, &first) ||
	    lxfw_text_integer(name + plus + 1, strlen(name + plus + 1), 0, UINT32_MAX, &more))
		return 0;
	return first + more;
}

uint64_t lxfw_publication_id(const char *name)
{
	if (strchr(name, '+'))
		return (uint64_t)number_of(name);
	/* That of an array is in the name of each task. */
	return lxfw_squeue_id(strchr(name, '_') ? "1" : name, name);
}

/* Whether a component of the name is meant by its own number. */
static bool is_component(const char *name, const char *job)
{
	int64_t number;

	return lxfw_text_integer(job, strlen(job), 1, UINT32_MAX, &number) == 0 &&
	       number == number_of(name);
}

bool lxfw_publication_means(const char *name, const char *job)
{
	/* "17_[1-5]" is the array, as squeue prints it. There is one job 17, also for "17#2". */
	const char *tasks = strstr(job, "_[");
	size_t length = tasks ? (size_t)(tasks - job) : strcspn(job, "#");

	return is_component(name, job) ||
	       (strncmp(name, job, length) == 0 &&
		(!name[length] || strchr("_#+", name[length])));
}

static bool has(const struct lxfw_publication *publication, const char *name)
{
	for (size_t i = 0; i < publication->count; i++) {
		if (lxfw_publication_means(publication->jobs[i].name, name))
			return true;
	}
	return false;
}

static bool is_chosen(const struct lxfw_publication_job *job, char *const *names, int count)
{
	for (int i = 0; i < count; i++) {
		if (lxfw_publication_means(job->name, names[i]))
			return true;
	}
	return count == 0;
}

int lxfw_publication_lacks(const struct lxfw_publication *publication, char *const *names,
			   int count)
{
	int first = 0;

	while (first < count && has(publication, names[first]))
		first++;
	return first;
}

int lxfw_publication_choose(struct lxfw_publication *publication, char *const *names, int count,
			    const char *user)
{
	int first = lxfw_publication_lacks(publication, names, count);
	size_t kept = 0;

	for (size_t i = 0; i < publication->count; i++) {
		const struct lxfw_publication_job *job = &publication->jobs[i];

		if (is_chosen(job, names, count) && (!user || strcmp(user, job->user) == 0))
			publication->jobs[kept++] = *job;
	}
	publication->count = kept;
	return first;
}
