/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/book.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/clock.h"
#include "plugins/pbs/hash.h"
#include "plugins/pbs/site.h"
#include "plugins/pbs/text.h"

static uint64_t hash(const char *id)
{
	return lxfw_pbs_hash_text(LXFW_PBS_HASH, id);
}

static struct lxfw_pbs_entry *find(const struct lxfw_pbs_book *book, const char *id)
{
	int32_t index = lxfw_id_map_get(&book->by_hash, hash(id));

	return index >= 0 && strcmp(book->entry[index].id, id) == 0 ? &book->entry[index] : NULL;
}

static void clear_entry(struct lxfw_pbs_entry *entry)
{
	free(entry->id);
	free(entry->text);
	lxfw_pbs_parsed_clear(&entry->parsed);
}

void lxfw_pbs_book_clear(struct lxfw_pbs_book *book)
{
	for (size_t i = 0; i < book->count; i++)
		clear_entry(&book->entry[i]);
	free(book->entry);
	lxfw_id_map_clear(&book->by_hash);
	memset(book, 0, sizeof(*book));
}

/* --- looks -------------------------------------------------------------------------- */

bool lxfw_pbs_book_begin(struct lxfw_pbs_book *book)
{
	uint64_t now_us = lxfw_now_us();
	bool valid = book->valid &&
		     now_us - book->read_us < LXFW_PBS_BOOK_SECONDS * UINT64_C(1000000);

	if (!valid) {
		lxfw_pbs_book_clear(book);
		book->read_us = now_us;
	}
	book->before = book->latest;
	book->valid = false;	/* until the look has ended */
	for (size_t i = 0; i < book->count; i++)
		book->entry[i].seen = false;
	return valid;
}

void lxfw_pbs_book_end(struct lxfw_pbs_book *book)
{
	book->valid = true;
}

static void note_time(struct lxfw_pbs_book *book, int64_t mtime)
{
	if (mtime > book->latest)
		book->latest = mtime;
}

bool lxfw_pbs_book_seen(struct lxfw_pbs_book *book, const char *id, char state, int substate,
			int64_t mtime)
{
	struct lxfw_pbs_entry *entry = find(book, id);

	note_time(book, mtime);
	if (!entry)
		return false;
	entry->seen = true;
	return !entry->array && mtime > 0 && mtime < book->before && entry->mtime == mtime &&
	       entry->state == state && entry->substate == substate;
}

void lxfw_pbs_book_sweep(struct lxfw_pbs_book *book)
{
	size_t kept = 0;

	for (size_t i = 0; i < book->count; i++) {
		struct lxfw_pbs_entry *entry = &book->entry[i];

		if (!entry->seen) {
			lxfw_id_map_remove(&book->by_hash, hash(entry->id));
			clear_entry(entry);
			continue;
		}
		if (kept != i) {
			lxfw_id_map_set(&book->by_hash, hash(entry->id), (int32_t)kept);
			book->entry[kept] = *entry;
		}
		kept++;
	}
	book->count = kept;
}

/* --- entries ------------------------------------------------------------------------ */

static struct lxfw_pbs_entry *new_entry(struct lxfw_pbs_book *book, const char *id)
{
	struct lxfw_pbs_entry *entry;

	if (book->count >= INT32_MAX || lxfw_id_map_get(&book->by_hash, hash(id)) >= 0 ||
	    LXFW_GROW(book->entry, book->size, book->count + 1))
		return NULL;
	entry = &book->entry[book->count];
	*entry = (struct lxfw_pbs_entry){ .id = strdup(id) };
	if (!entry->id ||
	    lxfw_id_map_add(&book->by_hash, hash(id), (int32_t)book->count)) {
		free(entry->id);
		return NULL;
	}
	book->count++;
	return entry;
}

struct lxfw_pbs_entry *lxfw_pbs_book_put(struct lxfw_pbs_book *book, const char *id)
{
	struct lxfw_pbs_entry *entry = find(book, id);

	if (!entry)
		entry = new_entry(book, id);
	if (!entry)
		return NULL;
	entry->length = 0;
	lxfw_pbs_parsed_clear(&entry->parsed);
	entry->mtime = 0;
	entry->read_us = lxfw_now_us();
	entry->state = '\0';
	entry->substate = 0;
	entry->array = strstr(id, "[]") != NULL;
	entry->seen = true;
	return entry;
}

static bool append(struct lxfw_pbs_entry *entry, const char *text)
{
	size_t length = strlen(text) + 1;

	if (LXFW_GROW(entry->text, entry->size, entry->length + length))
		return false;
	memcpy(entry->text + entry->length, text, length);
	entry->length += length;
	return true;
}

bool lxfw_pbs_book_set(struct lxfw_pbs_book *book, struct lxfw_pbs_entry *entry,
		       const char *name, const char *resource, const char *value)
{
	int64_t number;

	if (strcmp(name, "mtime") == 0) {
		if (lxfw_pbs_number(value, &entry->mtime) && !entry->array)
			note_time(book, entry->mtime);
		return true;
	}
	if (strcmp(name, "job_state") == 0)
		entry->state = *value;
	else if (strcmp(name, "substate") == 0 && lxfw_pbs_number(value, &number))
		entry->substate = (int)number;
	return append(entry, name) && append(entry, resource ? resource : "") &&
	       append(entry, value);
}

void lxfw_pbs_book_forget_selects(struct lxfw_pbs_book *book)
{
	for (size_t i = 0; i < book->count; i++)
		lxfw_pbs_parsed_clear(&book->entry[i].parsed);
}

static void show(struct lxfw_pbs_entry *entry, struct lxfw_pbs_job *job)
{
	const char *at = entry->text, *end = entry->text + entry->length;

	job->parsed = &entry->parsed;
	while (at < end) {
		const char *resource = at + strlen(at) + 1;
		const char *value = resource + strlen(resource) + 1;

		lxfw_pbs_job_set(job, at, *resource ? resource : NULL, value);
		at = value + strlen(value) + 1;
	}
	if (job->accrue_type == LXFW_PBS_ACCRUES_ELIGIBLE && job->eligible_time >= 0)
		job->eligible_time += (int64_t)((lxfw_now_us() - entry->read_us) / 1000000);
}

void lxfw_pbs_book_show(const struct lxfw_pbs_book *book, struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < book->count && !site->failed; i++) {
		struct lxfw_pbs_job *job = lxfw_pbs_site_job(site, book->entry[i].id);

		if (job)
			show(&book->entry[i], job);
	}
}
