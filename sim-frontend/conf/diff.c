/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shortest sequence of removed and added lines, by the greedy algorithm of Myers ("An
 * O(ND) difference algorithm and its variations", 1986). If it is longer than DISTANCE_MAX,
 * all lines between the first and the last difference are replaced.
 */
#include "sim-frontend/conf/diff.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT 3
#define DISTANCE_MAX 2000

struct line {
	const char *at;
	size_t length;
	bool changed;		/* removed or added */
};

struct lines {
	struct line *items;
	long count;
};

static int split(struct lines *lines, const struct lxfw_slurm_text *text)
{
	size_t at = 0, count = 1;

	for (size_t i = 0; i < text->length; i++)
		count += text->at[i] == '\n';
	lines->items = calloc(count, sizeof(*lines->items));
	lines->count = 0;
	if (!lines->items)
		return -1;
	while (at < text->length) {
		const char *end = memchr(text->at + at, '\n', text->length - at);
		size_t length = end ? (size_t)(end - text->at) - at : text->length - at;

		lines->items[lines->count++] = (struct line) { text->at + at, length, false };
		at += length + 1;
	}
	return 0;
}

static bool same(const struct line *a, const struct line *b)
{
	return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static void mark(struct lines *lines, long from, long to)
{
	for (long i = from; i < to; i++)
		lines->items[i].changed = true;
}

/*
 * Returns the furthest line of A that D changes reach on the diagonal K before equal lines,
 * from those that D - 1 changes reach: by adding a line of B (*ADDED) or by removing one of A.
 * -1: none.
 */
static long step(const struct lines *a, const struct lines *b, const long *before, long d,
		 long k, bool *added)
{
	long above = k + 1 < d ? before[k + 1] : -1, left = k - 1 > -d ? before[k - 1] : -1;
	bool can_add = above >= 0 && above - k <= b->count;
	bool can_remove = left >= 0 && left < a->count;

	*added = can_add && (!can_remove || left < above);
	return *added ? above : can_remove ? left + 1 : -1;
}

/* Returns the number of changes; -1: more than MOST. TRACE[d * WIDTH + d + k] becomes the
   furthest line of A that d changes reach on the diagonal k. */
static long find_path(const struct lines *a, const struct lines *b, long *trace, long width,
		      long most)
{
	bool added;

	for (long d = 0; d <= most; d++) {
		long *now = trace + d * width + d;

		for (long k = -d; k <= d; k++) {
			long x = d == 0 ? 0 : (k + d) % 2 != 0 ? -1 :
				 step(a, b, now - width - 1, d, k, &added);

			while (x >= 0 && x < a->count && x - k < b->count &&
			       same(&a->items[x], &b->items[x - k]))
				x++;
			now[k] = x;
			if (x == a->count && x - k == b->count)
				return d;
		}
	}
	return -1;
}

/* Marks the changes on the way back from the ends of both texts. */
static void mark_path(struct lines *a, struct lines *b, const long *trace, long width,
		      long distance)
{
	long k = a->count - b->count;
	bool added;

	for (long d = distance; d > 0; d--) {
		long x = step(a, b, trace + (d - 1) * width + (d - 1), d, k, &added);

		if (added)
			mark(b, x - k - 1, x - k);
		else
			mark(a, x - 1, x);
		k += added ? 1 : -1;
	}
}

/* Marks the lines that differ. */
static int compare(struct lines *a, struct lines *b)
{
	struct lines inner_a = *a, inner_b = *b;
	long all, most, width, distance;
	long *trace;

	while (inner_a.count > 0 && inner_b.count > 0 &&
	       same(inner_a.items, inner_b.items)) {
		inner_a.items++, inner_a.count--;
		inner_b.items++, inner_b.count--;
	}
	while (inner_a.count > 0 && inner_b.count > 0 &&
	       same(&inner_a.items[inner_a.count - 1], &inner_b.items[inner_b.count - 1]))
		inner_a.count--, inner_b.count--;
	all = inner_a.count + inner_b.count;
	most = all < DISTANCE_MAX ? all : DISTANCE_MAX;
	width = 2 * most + 1;
	trace = malloc((size_t)(most + 1) * (size_t)width * sizeof(*trace));
	if (!trace)
		return -1;
	distance = find_path(&inner_a, &inner_b, trace, width, most);
	if (distance < 0) {
		mark(&inner_a, 0, inner_a.count);
		mark(&inner_b, 0, inner_b.count);
	} else {
		mark_path(&inner_a, &inner_b, trace, width, distance);
	}
	free(trace);
	return 0;
}

/* --- printing ----------------------------------------------------------------------- */

static void print_line(char sign, const struct line *line, const char *end, FILE *out)
{
	putc(sign, out);
	fwrite(line->at, 1, line->length, out);
	fputs(end, out);
}

/* The end of a hunk that has a change at X or Y: a run of more equal lines than twice the
   context ends it. */
static void hunk_end(const struct lines *a, const struct lines *b, long *x, long *y)
{
	long equal = 0;

	while ((*x < a->count || *y < b->count) && equal <= 2 * CONTEXT) {
		if (*x < a->count && a->items[*x].changed) {
			equal = 0;
			++*x;
		} else if (*y < b->count && b->items[*y].changed) {
			equal = 0;
			++*y;
		} else {
			equal++;
			++*x, ++*y;
		}
	}
	if (equal > CONTEXT) {
		*x -= equal - CONTEXT;
		*y -= equal - CONTEXT;
	}
}

/* The number of the first line of a hunk; an empty range is that after the line before. */
static long first_number(long from, long count)
{
	return count > 0 ? from + 1 : from;
}

static void print_hunk(const struct lines *a, const struct lines *b, long x, long y, long x_end,
		       long y_end, const char *end, FILE *out)
{
	fprintf(out, "@@ -%ld,%ld +%ld,%ld @@\n", first_number(x, x_end - x), x_end - x,
		first_number(y, y_end - y), y_end - y);
	while (x < x_end || y < y_end) {
		if (x < x_end && a->items[x].changed) {
			print_line('-', &a->items[x++], end, out);
		} else if (y < y_end && b->items[y].changed) {
			print_line('+', &b->items[y++], end, out);
		} else {
			print_line(' ', &a->items[x++], end, out);
			y++;
		}
	}
}

static void print(const char *path, const struct lines *a, const struct lines *b,
		  const char *end, FILE *out)
{
	long x = 0, y = 0;
	bool begun = false;

	while (x < a->count || y < b->count) {
		long before, from_x, from_y;

		if ((x >= a->count || !a->items[x].changed) &&
		    (y >= b->count || !b->items[y].changed)) {
			x++, y++;
			continue;
		}
		if (!begun)
			fprintf(out, "--- %s\n+++ %s\n", path, path);
		begun = true;
		before = x < CONTEXT ? x : CONTEXT;
		before = y < before ? y : before;
		from_x = x - before, from_y = y - before;
		hunk_end(a, b, &x, &y);
		print_hunk(a, b, from_x, from_y, x, y, end, out);
	}
}

int lxfw_diff(const char *path, const struct lxfw_slurm_text *was,
	      const struct lxfw_slurm_text *now, bool returns, FILE *out)
{
	struct lines a = { 0 }, b = { 0 };
	int result = -1;

	if (split(&a, was) == 0 && split(&b, now) == 0 && compare(&a, &b) == 0) {
		print(path, &a, &b, returns ? "\r\n" : "\n", out);
		result = 0;
	}
	free(a.items);
	free(b.items);
	return result;
}
