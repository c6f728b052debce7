/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/sorted_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

/* Bytes that are written at once, and the least and most that are read at once of a run. */
#define WRITTEN 262144
#define READ_LEAST 4096
#define READ_MOST 1048576

/* After this number of runs, and each time again, runs become twice as large: a small memory would
   otherwise make millions of them, each of which needs a buffer when they are merged. */
#define RUNS_MANY 4096

/* What precedes an item in memory and in the file. */
struct head {
	uint64_t key;
	uint32_t text_length, data_length;
};

/* An item in memory. */
struct place {
	uint64_t key;
	size_t at;
};

/* The part of the file from `at` to `end`, which is read through a buffer. */
struct run {
	off_t begin, end;
	off_t at;			/* what is read next */
	unsigned char *bytes;
	size_t size, have, used;
	struct lxfw_sorted_item item;	/* the next one; in `bytes` */
};

struct lxfw_sorted_runs {
	size_t memory;
	unsigned char *items;
	size_t items_size, used;
	struct place *places;
	size_t places_size, count;
	size_t next;			/* without runs: position in `places` */
	bool sorted;			/* rewound: nothing can be added */
	char *path;			/* of the file, which has no name any more */
	int descriptor;			/* -1: no file */
	off_t length;
	struct run *runs;
	size_t run_count, runs_size;
	size_t *heap;			/* runs with items left, the first item on top */
	size_t heap_count;
	bool taken;			/* the item on top was returned */
};

static int failed(const struct lxfw_sorted_runs *runs, struct lxfw_error *error)
{
	return lxfw_error_system(error, runs->path ? runs->path : "sorting");
}

struct lxfw_sorted_runs *lxfw_sorted_runs_open(size_t memory)
{
	struct lxfw_sorted_runs *runs = calloc(1, sizeof(*runs));

	if (runs) {
		runs->memory = memory;
		runs->descriptor = -1;
	}
	return runs;
}

/* --- items in memory -------------------------------------------------------------- */

static struct lxfw_sorted_item item_at(const unsigned char *at)
{
	struct head head;

	memcpy(&head, at, sizeof(head));
	return (struct lxfw_sorted_item) {
		.key = head.key, .text = at + sizeof(head), .text_length = head.text_length,
		.data = at + sizeof(head) + head.text_length, .data_length = head.data_length,
	};
}

static int by_text(const struct lxfw_sorted_item *a, const struct lxfw_sorted_item *b)
{
	size_t least = a->text_length < b->text_length ? a->text_length : b->text_length;
	int order = least > 0 ? memcmp(a->text, b->text, least) : 0;

	return order ? order : (a->text_length > b->text_length) -
			       (a->text_length < b->text_length);
}

static int by_place(const void *left, const void *right, void *context)
{
	const struct lxfw_sorted_runs *runs = context;
	const struct place *a = left, *b = right;
	struct lxfw_sorted_item first, second;
	int order;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	first = item_at(runs->items + a->at);
	second = item_at(runs->items + b->at);
	order = by_text(&first, &second);
	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static void sort(struct lxfw_sorted_runs *runs)
{
	if (runs->count > 1)
		qsort_r(runs->places, runs->count, sizeof(*runs->places), by_place, runs);
}

/* Makes room for NEED bytes. Unlike lxfw_grow() it does not touch memory that is not used yet. */
static int grow_items(struct lxfw_sorted_runs *runs, size_t need)
{
	size_t size = runs->items_size > 0 ? runs->items_size : 4096;
	unsigned char *items;

	while (size < need)
		size *= 2;
	if (size == runs->items_size)
		return 0;
	items = realloc(runs->items, size);
	if (!items)
		return -1;
	runs->items = items;
	runs->items_size = size;
	return 0;
}

static int grow_places(struct lxfw_sorted_runs *runs)
{
	size_t size = runs->places_size > 0 ? 2 * runs->places_size : 64;
	struct place *places;

	if (runs->count < runs->places_size)
		return 0;
	places = realloc(runs->places, size * sizeof(*places));
	if (!places)
		return -1;
	runs->places = places;
	runs->places_size = size;
	return 0;
}

/* --- writing ---------------------------------------------------------------------- */

/* Creates the file and removes its name. */
static int create(struct lxfw_sorted_runs *runs)
{
	static const char name[] = "/lxfw-XXXXXX";
	const char *folder = getenv("TMPDIR");
	size_t length;

	if (!folder || !*folder)
		folder = "/var/tmp";
	length = strlen(folder);
	runs->path = malloc(length + sizeof(name));
	if (!runs->path)
		return -1;
	memcpy(runs->path, folder, length);
	memcpy(runs->path + length, name, sizeof(name));
	/* mkostemp() creates files with mode 0600 */
	runs->descriptor = mkostemp(runs->path, O_CLOEXEC);
	if (runs->descriptor < 0)
		return -1;
	return unlink(runs->path);
}

static int put(struct lxfw_sorted_runs *runs, const unsigned char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t done = write(runs->descriptor, bytes, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		bytes += done;
		length -= (size_t)done;
		runs->length += done;
	}
	return 0;
}

/* Writes the items in order through BUFFER of WRITTEN bytes. */
static int put_items(struct lxfw_sorted_runs *runs, unsigned char *buffer)
{
	size_t used = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const unsigned char *at = runs->items + runs->places[i].at;
		struct lxfw_sorted_item item = item_at(at);
		size_t length = sizeof(struct head) + item.text_length + item.data_length;

		if (used + length > WRITTEN) {
			if (put(runs, buffer, used))
				return -1;
			used = 0;
		}
		if (length > WRITTEN) {
			if (put(runs, at, length))
				return -1;
			continue;
		}
		memcpy(buffer + used, at, length);
		used += length;
	}
	return put(runs, buffer, used);
}

/* Writes all items in memory as a run. */
static int write_run(struct lxfw_sorted_runs *runs)
{
	unsigned char *buffer;
	off_t begin = runs->length;
	int result;

	if (runs->descriptor < 0 && create(runs))
		return -1;
	if (LXFW_GROW(runs->runs, runs->runs_size, runs->run_count + 1))
		return -1;
	buffer = malloc(WRITTEN);
	if (!buffer)
		return -1;
	sort(runs);
	result = put_items(runs, buffer);
	free(buffer);
	if (result)
		return -1;
	runs->runs[runs->run_count++] = (struct run) { .begin = begin, .end = runs->length };
	runs->used = runs->count = 0;
	if (runs->run_count % RUNS_MANY == 0 && runs->memory <= SIZE_MAX / 2)
		runs->memory *= 2;
	return 0;
}

int lxfw_sorted_runs_add(struct lxfw_sorted_runs *runs, const struct lxfw_sorted_item *item,
			 struct lxfw_error *error)
{
	const struct head head = { item->key, item->text_length, item->data_length };
	size_t length = sizeof(head) + item->text_length + item->data_length;
	/* qsort() copies the places */
	size_t after = runs->used + length + 2 * (runs->count + 1) * sizeof(*runs->places);
	unsigned char *at;

	if (after > runs->memory && runs->count > 0 && write_run(runs))
		return failed(runs, error);
	if (grow_items(runs, runs->used + length) || grow_places(runs))
		return failed(runs, error);
	at = runs->items + runs->used;
	runs->places[runs->count++] = (struct place) { item->key, runs->used };
	memcpy(at, &head, sizeof(head));
	if (item->text_length > 0)
		memcpy(at + sizeof(head), item->text, item->text_length);
	if (item->data_length > 0)
		memcpy(at + sizeof(head) + item->text_length, item->data, item->data_length);
	runs->used += length;
	return 0;
}

/* --- reading ---------------------------------------------------------------------- */

/* Reads until NEED bytes after `used` are in the buffer. */
static int fill(struct lxfw_sorted_runs *runs, struct run *run, size_t need)
{
	if (run->have - run->used >= need)
		return 0;
	memmove(run->bytes, run->bytes + run->used, run->have - run->used);
	run->have -= run->used;
	run->used = 0;
	if (need > run->size) {
		unsigned char *bytes = realloc(run->bytes, need);

		if (!bytes)
			return -1;
		run->bytes = bytes;
		run->size = need;
	}
	while (run->have < need) {
		off_t left = run->end - run->at;
		size_t room = run->size - run->have;
		ssize_t got = pread(runs->descriptor, run->bytes + run->have,
				    left < (off_t)room ? (size_t)left : room, run->at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got < 0 ? errno : EIO;
			return -1;
		}
		run->have += (size_t)got;
		run->at += got;
	}
	return 0;
}

/* Reads the next item of RUN. Returns 1, 0 at the end, or -1. */
static int next_of(struct lxfw_sorted_runs *runs, struct run *run)
{
	struct head head;
	size_t length;

	if (run->at == run->end && run->used == run->have)
		return 0;
	if (fill(runs, run, sizeof(head)))
		return -1;
	memcpy(&head, run->bytes + run->used, sizeof(head));
	length = sizeof(head) + head.text_length + head.data_length;
	if (fill(runs, run, length))
		return -1;
	run->item = item_at(run->bytes + run->used);
	run->used += length;
	return 1;
}

/* Whether the next item of run A is before that of run B. */
static bool is_before(const struct lxfw_sorted_runs *runs, size_t a, size_t b)
{
	const struct lxfw_sorted_item *first = &runs->runs[a].item;
	const struct lxfw_sorted_item *second = &runs->runs[b].item;
	int order;

	if (first->key != second->key)
		return first->key < second->key;
	order = by_text(first, second);
	return order ? order < 0 : a < b;
}

/* Moves the run at AT of the heap down to its place. */
static void sink(struct lxfw_sorted_runs *runs, size_t at)
{
	size_t *heap = runs->heap;

	for (;;) {
		size_t child = 2 * at + 1, run = heap[at];

		if (child >= runs->heap_count)
			return;
		if (child + 1 < runs->heap_count && is_before(runs, heap[child + 1], heap[child]))
			child++;
		if (!is_before(runs, heap[child], run))
			return;
		heap[at] = heap[child];
		heap[child] = run;
		at = child;
	}
}

/* Gives each run a buffer, and frees the memory of the items. */
static int make_buffers(struct lxfw_sorted_runs *runs)
{
	size_t size = runs->memory / runs->run_count;

	free(runs->items);
	free(runs->places);
	runs->items = NULL;
	runs->places = NULL;
	size = size < READ_LEAST ? READ_LEAST : size > READ_MOST ? READ_MOST : size;
	runs->heap = calloc(runs->run_count, sizeof(*runs->heap));
	if (!runs->heap)
		return -1;
	for (size_t i = 0; i < runs->run_count; i++) {
		runs->runs[i].bytes = malloc(size);
		if (!runs->runs[i].bytes)
			return -1;
		runs->runs[i].size = size;
	}
	return 0;
}

static int begin_merge(struct lxfw_sorted_runs *runs)
{
	runs->taken = false;
	runs->heap_count = 0;
	for (size_t i = 0; i < runs->run_count; i++) {
		struct run *run = &runs->runs[i];

		run->at = run->begin;
		run->have = run->used = 0;
		if (next_of(runs, run) < 0)
			return -1;
		runs->heap[runs->heap_count++] = i;
	}
	for (size_t i = runs->heap_count; i-- > 0;)
		sink(runs, i);
	return 0;
}

int lxfw_sorted_runs_rewind(struct lxfw_sorted_runs *runs, struct lxfw_error *error)
{
	bool first = !runs->sorted;

	runs->sorted = true;
	runs->next = 0;
	if (first && runs->run_count == 0)
		sort(runs);
	if (runs->run_count == 0)
		return 0;
	if (first && ((runs->count > 0 && write_run(runs)) || make_buffers(runs)))
		return failed(runs, error);
	return begin_merge(runs) ? failed(runs, error) : 0;
}

/* Replaces the item on top, which was returned, by the next one of its run. */
static int advance(struct lxfw_sorted_runs *runs)
{
	int got = next_of(runs, &runs->runs[runs->heap[0]]);

	if (got < 0)
		return -1;
	if (got == 0)
		runs->heap[0] = runs->heap[--runs->heap_count];
	sink(runs, 0);
	return 0;
}

int lxfw_sorted_runs_next(struct lxfw_sorted_runs *runs, struct lxfw_sorted_item *item,
			  struct lxfw_error *error)
{
	if (runs->run_count == 0) {
		if (runs->next == runs->count)
			return 0;
		*item = item_at(runs->items + runs->places[runs->next++].at);
		return 1;
	}
	if (runs->taken && runs->heap_count > 0 && advance(runs))
		return failed(runs, error);
	runs->taken = true;
	if (runs->heap_count == 0)
		return 0;
	*item = runs->runs[runs->heap[0]].item;
	return 1;
}

void lxfw_sorted_runs_close(struct lxfw_sorted_runs *runs)
{
	int saved = errno;

	if (!runs)
		return;
	for (size_t i = 0; i < runs->run_count; i++)
		free(runs->runs[i].bytes);
	if (runs->descriptor >= 0)
		close(runs->descriptor);
	free(runs->runs);
	free(runs->heap);
	free(runs->items);
	free(runs->places);
	free(runs->path);
	free(runs);
	errno = saved;
}
