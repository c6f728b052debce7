/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/quanta_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/journal/wire.h"
#include "common/model/event.h"
#include "common/util/grow.h"
#include "plugins/agent/whole_file.h"

#define HEADER "lxfw-quanta 1\n"

/* --- the records ----------------------------------------------------------------- */

struct lxfw_preempted *lxfw_preempted_enter(struct lxfw_quanta_books *books,
				  uint32_t job_id)
{
	struct lxfw_preempted *preempted;

	if (LXFW_GROW(books->preempted, books->preempted_size, books->preempted_count + 1))
		return NULL;
	preempted = books->preempted;
	books->dirty = true;
	preempted += books->preempted_count++;
	*preempted = (struct lxfw_preempted){ .job_id = job_id };
	return preempted;
}

struct lxfw_served *lxfw_served_enter(struct lxfw_quanta_books *books,
				      uint32_t job_id)
{
	struct lxfw_served *served;

	if (LXFW_GROW(books->served, books->served_size, books->served_count + 1))
		return NULL;
	served = books->served;
	books->dirty = true;
	served += books->served_count++;
	*served = (struct lxfw_served){ .job_id = job_id };
	return served;
}

struct lxfw_requeued *lxfw_requeued_enter(struct lxfw_quanta_books *books,
					  uint32_t job_id)
{
	struct lxfw_requeued *requeued;

	if (LXFW_GROW(books->requeued, books->requeued_size, books->requeued_count + 1))
		return NULL;
	requeued = books->requeued;
	books->dirty = true;
	requeued += books->requeued_count++;
	*requeued = (struct lxfw_requeued){ .job_id = job_id };
	return requeued;
}

struct lxfw_victim *lxfw_victim_enter(struct lxfw_quanta_books *books,
				      uint32_t job_id)
{
	struct lxfw_victim *victim;

	if (LXFW_GROW(books->victims, books->victim_size, books->victim_count + 1))
		return NULL;
	victim = books->victims;
	books->dirty = true;
	victim += books->victim_count++;
	*victim = (struct lxfw_victim){ .job_id = job_id };
	return victim;
}

void lxfw_preempted_remove(struct lxfw_quanta_books *books, size_t index)
{
	struct lxfw_preempted *preempted = &books->preempted[index];

	books->preempted_count--;
	books->dirty = true;
	memmove(preempted, preempted + 1, (books->preempted_count - index) * sizeof(*preempted));
}

void lxfw_served_remove(struct lxfw_quanta_books *books, size_t index)
{
	struct lxfw_served *served = &books->served[index];

	books->served_count--;
	books->dirty = true;
	memmove(served, served + 1,
		(books->served_count - index) * sizeof(*served));
}

void lxfw_requeued_remove(struct lxfw_quanta_books *books, size_t index)
{
	struct lxfw_requeued *requeued = &books->requeued[index];

	books->requeued_count--;
	books->dirty = true;
	memmove(requeued, requeued + 1,
		(books->requeued_count - index) * sizeof(*requeued));
}

void lxfw_victim_remove(struct lxfw_quanta_books *books, size_t index)
{
	struct lxfw_victim *victim = &books->victims[index];

	books->victim_count--;
	books->dirty = true;
	memmove(victim, victim + 1,
		(books->victim_count - index) * sizeof(*victim));
}

struct lxfw_preempted *lxfw_preempted_find(const struct lxfw_quanta_books *books,
				 uint32_t job_id)
{
	for (size_t i = 0; i < books->preempted_count; i++) {
		if (books->preempted[i].job_id == job_id)
			return &books->preempted[i];
	}
	return NULL;
}

struct lxfw_served *lxfw_served_find(const struct lxfw_quanta_books *books,
				     uint64_t id)
{
	for (size_t i = 0; i < books->served_count; i++) {
		if (books->served[i].id == id)
			return &books->served[i];
	}
	return NULL;
}

struct lxfw_requeued *lxfw_requeued_find(const struct lxfw_quanta_books *books,
					 uint32_t job_id)
{
	for (size_t i = 0; i < books->requeued_count; i++) {
		if (books->requeued[i].job_id == job_id)
			return &books->requeued[i];
	}
	return NULL;
}

struct lxfw_victim *lxfw_victim_find(const struct lxfw_quanta_books *books,
				     uint32_t job_id)
{
	for (size_t i = 0; i < books->victim_count; i++) {
		if (books->victims[i].job_id == job_id)
			return &books->victims[i];
	}
	return NULL;
}

bool lxfw_victim_ready(struct lxfw_quanta_books *books, uint32_t job_id)
{
	struct lxfw_victim *victims = books->victims;

	if (lxfw_victim_find(books, job_id))
		return true;
	victims = lxfw_grow(victims, &books->victim_size,
			    books->victim_count + 1, sizeof(*victims));
	if (victims)
		books->victims = victims;
	return victims;
}

void lxfw_victim_count(struct lxfw_quanta_books *books, struct lxfw_preempted *preempted)
{
	struct lxfw_victim *victim = lxfw_victim_find(books, preempted->job_id);

	if (!victim)
		victim = lxfw_victim_enter(books, preempted->job_id);
	if (!victim || victim->suspensions == LXFW_SUSPENSIONS_UNKNOWN)
		return;
	victim->suspensions++;
	preempted->counted = true;
	books->dirty = true;
}

void lxfw_victim_uncount(struct lxfw_quanta_books *books, struct lxfw_preempted *preempted)
{
	struct lxfw_victim *victim = lxfw_victim_find(books, preempted->job_id);

	if (!preempted->counted)
		return;
	preempted->counted = false;
	books->dirty = true;
	if (victim && --victim->suspensions == 0)
		lxfw_victim_remove(books, (size_t)(victim - books->victims));
}

void lxfw_quanta_clear(struct lxfw_quanta_books *books)
{
	free(books->preempted);
	free(books->served);
	free(books->requeued);
	free(books->victims);
	free(books->path);
	memset(books, 0, sizeof(*books));
}

/* --- the file -------------------------------------------------------------------- */

/* Returns the records as text, which the caller frees, or NULL. */
static char *text_of(const struct lxfw_quanta_books *books, size_t *length)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, length);

	if (!stream)
		return NULL;
	fputs(HEADER, stream);
	for (size_t i = 0; i < books->preempted_count; i++) {
		const struct lxfw_preempted *preempted = &books->preempted[i];

		fprintf(stream, "lent %"PRIu32" priority %"PRIu32" for %"PRIu64"\n",
			preempted->job_id, preempted->priority, preempted->served);
	}
	for (size_t i = 0; i < books->served_count; i++) {
		const struct lxfw_served *served = &books->served[i];

		fprintf(stream, "served %"PRIu32" id %"PRIu64" until %"PRId64" submit %"PRId64" accrue %"PRId64" cut %d\n",
			served->job_id, served->id, served->until,
			served->submit, served->accrue, served->cut);
	}
	for (size_t i = 0; i < books->requeued_count; i++)
		fprintf(stream, "requeued %"PRIu32" began %"PRId64"\n",
			books->requeued[i].job_id, books->requeued[i].began);
	for (size_t i = 0; i < books->victim_count; i++)
		fprintf(stream, "victim %"PRIu32" suspended %"PRId32"\n",
			books->victims[i].job_id, books->victims[i].suspensions);
	/* Omitting this line makes the next reader recount suspensions. */
	if (!books->uncounted)
		fprintf(stream, "victims %zu\n", books->victim_count);
	if (fflush(stream) == 0)
		fprintf(stream, "end %08"PRIx32"\n",
			lxfw_crc32((unsigned char *)text, *length));
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}

int lxfw_quanta_write(const struct lxfw_quanta_books *books)
{
	size_t length = 0;
	char *text = text_of(books, &length);
	int rc, saved;

	if (!text)
		return -1;
	rc = lxfw_whole_file_write(books->path, text, length);
	saved = errno;
	free(text);
	errno = saved;
	return rc;
}

/* Parses "requeued JOB began START". A job may occur only once. */
static bool read_requeued(struct lxfw_quanta_books *books, const char *line)
{
	struct lxfw_requeued requeued = { 0 }, *entry;
	int end = 0;

	if (sscanf(line, "requeued %"SCNu32" began %"SCNd64"%n",
		   &requeued.job_id, &requeued.began, &end) != 2 ||
	    line[end] != '\n' || requeued.began < 0 ||
	    lxfw_requeued_find(books, requeued.job_id))
		return false;
	entry = lxfw_requeued_enter(books, requeued.job_id);
	if (entry)
		*entry = requeued;
	return entry;
}

/* Parses "victim JOB suspended TIMES". A job may occur only once. */
static bool read_victim(struct lxfw_quanta_books *books, const char *line)
{
	struct lxfw_victim victim = { 0 }, *entry;
	int end = 0;

	if (sscanf(line, "victim %"SCNu32" suspended %"SCNd32"%n",
		   &victim.job_id, &victim.suspensions, &end) != 2 ||
	    line[end] != '\n' || victim.suspensions < 1 ||
	    lxfw_victim_find(books, victim.job_id))
		return false;
	entry = lxfw_victim_enter(books, victim.job_id);
	if (entry)
		*entry = victim;
	return entry;
}

/* Parses one line and adds its entry. Returns false if the line is invalid, or with errno
   ENOMEM if memory runs out. */
static bool read_line(struct lxfw_quanta_books *books, const char *line)
{
	struct lxfw_preempted preempted = { 0 };
	struct lxfw_served served = { 0 };
	int cut, end = 0;

	if (sscanf(line, "lent %"SCNu32" priority %"SCNu32" for %"SCNu64"%n",
		   &preempted.job_id, &preempted.priority, &preempted.served, &end) == 3 &&
	    line[end] == '\n') {
		struct lxfw_preempted *entry = lxfw_preempted_enter(books, preempted.job_id);

		if (entry)
			*entry = preempted;
		return entry;
	}
	if (sscanf(line, "served %"SCNu32" id %"SCNu64" until %"SCNd64" submit %"SCNd64" accrue %"SCNd64" cut %d%n",
		   &served.job_id, &served.id, &served.until, &served.submit,
		   &served.accrue, &cut, &end) == 6 && line[end] == '\n') {
		struct lxfw_served *entry =
			lxfw_served_enter(books, served.job_id);

		served.cut = cut != 0;
		if (entry)
			*entry = served;
		return entry;
	}
	if (strncmp(line, "requeued ", 9) == 0)
		return read_requeued(books, line);
	return read_victim(books, line);
}

static char *read_text(const char *path, size_t *length)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	ssize_t got;
	int why;

	if (!file)
		return NULL;
	got = getdelim(&text, &size, '\0', file);
	/* Without memory it is neither at the end nor in error. */
	if (got < 0 && feof(file))
		got = 0;
	why = errno;
	fclose(file);
	*length = (size_t)got;
	if (got < 0) {
		free(text);
		text = NULL;
	}
	errno = why;
	return text;
}

int lxfw_quanta_read(struct lxfw_quanta_books *books)
{
	size_t length = 0;
	char *text, *line, *next;
	bool good = false, lost = false, no_memory = false;
	size_t victims;

	books->uncounted = true;
	errno = 0;
	text = read_text(books->path, &length);
	if (!text)
		return errno == ENOENT ? 0 : -1;
	line = text;
	if (length >= strlen(HEADER) &&
	    memcmp(text, HEADER, strlen(HEADER)) == 0)
		line += strlen(HEADER);
	for (; (next = memchr(line, '\n', length - (size_t)(line - text))) != NULL && !no_memory;
	     line = next + 1) {
		uint32_t sum;

		errno = 0;
		if (sscanf(line, "end %"SCNx32, &sum) == 1)
			good = line > text && next + 1 == text + length &&
			       sum == lxfw_crc32((unsigned char *)text,
						 (size_t)(line - text));
		else if (sscanf(line, "victims %zu", &victims) == 1)
			books->uncounted = victims != books->victim_count;
		else if (!read_line(books, line))
			lost = true;
		no_memory = lost && errno == ENOMEM;
	}
	free(text);
	books->dirty = false;
	if (good && !lost)
		return 0;
	books->uncounted = true;
	errno = no_memory ? ENOMEM : EBADMSG;
	return -1;
}
