/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/starts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/grow.h"

void lxfw_starts_clear(struct lxfw_starts *starts)
{
	for (size_t i = 0; i < starts->count; i++) {
		free(starts->list[i].name);
		free(starts->list[i].cells);
	}
	free(starts->list);
	*starts = (struct lxfw_starts) { 0 };
}

struct lxfw_starts_partition *lxfw_starts_add(struct lxfw_starts *starts, const char *name)
{
	struct lxfw_starts_partition *partition;

	if (LXFW_GROW(starts->list, starts->size, starts->count + 1))
		return NULL;
	partition = &starts->list[starts->count];
	*partition = (struct lxfw_starts_partition) { .name = strdup(name) };
	if (!partition->name)
		return NULL;
	starts->count++;
	return partition;
}

int lxfw_starts_add_cell(struct lxfw_starts_partition *partition,
			 const struct lxfw_starts_cell *cell)
{
	if (LXFW_GROW(partition->cells, partition->size, partition->count + 1))
		return -1;
	partition->cells[partition->count++] = *cell;
	return 0;
}

/* --- a request -------------------------------------------------------------------- */

static const struct lxfw_starts_partition *find_partition(const struct lxfw_starts *starts,
							   const char *name)
{
	for (size_t i = 0; i < starts->count; i++) {
		const struct lxfw_starts_partition *partition = &starts->list[i];

		if (*name ? strcmp(partition->name, name) == 0 : partition->is_default)
			return partition;
	}
	return NULL;
}

/* Whether the jobs of the table request as much memory. */
static bool has_memory(const struct lxfw_starts_partition *partition,
		       const struct lxfw_request_text *request, int64_t procs)
{
	int64_t per_node = request->nodes > 0 ? procs / request->nodes : procs;

	if (partition->memory == 0)
		return true;
	if (request->memory == 0 && request->memory_per_cpu == 0)
		return partition->memory_given;
	/* Memory of a node is not shared out among processors that may be anywhere. */
	if (request->memory > 0 && request->nodes == 0 && procs > 1)
		return false;
	return request->memory_per_cpu <= partition->memory &&
	       request->memory <= per_node * partition->memory;
}

/* Whether the jobs of the table are as the request in all but their size: tasks of one processor
   that may be on any nodes, or nodes of which they have all processors. */
static bool is_alike(const struct lxfw_starts_partition *partition,
		     const struct lxfw_request_text *request, int64_t procs)
{
	if (request->gres_count > 0 || *request->features || *request->licenses ||
	    *request->qos || *request->required || *request->excluded || request->all_memory ||
	    request->place || request->begin > 0 || request->after_count > 0)
		return false;
	if (request->nodes == 0)
		return request->cpus == 1 && (partition->exclusive || !request->exclusive);
	if (request->tasks % request->nodes != 0)
		return false;
	return partition->exclusive ? procs <= request->nodes * partition->procs :
	       !request->exclusive && procs == request->nodes * partition->procs;
}

static const struct lxfw_starts_cell *find_cell(const struct lxfw_starts_partition *partition,
						 bool nodes, int64_t size, int64_t limit)
{
	const struct lxfw_starts_cell *best = NULL;

	for (size_t i = 0; i < partition->count; i++) {
		const struct lxfw_starts_cell *cell = &partition->cells[i];

		if (cell->nodes != nodes || cell->size < size || cell->limit < limit)
			continue;
		if (!best || cell->size < best->size ||
		    (cell->size == best->size && cell->limit < best->limit))
			best = cell;
	}
	return best;
}

/* Whether a cell is the next one of a table that has all sizes and limits (starts_grid.h). One with fewer would
   tell of a job of minutes what is true of one of days. */
static bool is_near(const struct lxfw_starts_cell *cell, int64_t size, int64_t limit)
{
	return cell->size / 2 < size &&
	       (cell->limit <= LXFW_STARTS_SHORTEST || cell->limit / LXFW_STARTS_STEP <= limit);
}

/* "14:10", or with the date if it is another day. */
static const char *put_time(int64_t time, int64_t now, char text[32])
{
	time_t seconds = (time_t)time, today = (time_t)now;
	struct tm tm, day;

	if (time == LXFW_NEVER || !localtime_r(&seconds, &tm) || !localtime_r(&today, &day))
		return "later";
	if (time <= now)
		return "now";
	strftime(text, 32, tm.tm_year == day.tm_year && tm.tm_yday == day.tm_yday ?
		 "%H:%M" : "%Y-%m-%dT%H:%M", &tm);
	return text;
}

static void put_text(const struct lxfw_starts *starts, const struct lxfw_starts_cell *cell,
		     int64_t now, char *text, size_t size)
{
	char times[LXFW_TOLD_TIMES][32];
	const char *shown[LXFW_TOLD_TIMES];

	/* The table is some minutes old. A start at its time is one at once. */
	if (cell->times[LXFW_TOLD_HIGH90] <= starts->time) {
		snprintf(text, size, "lxfw: expected start at once");
		return;
	}
	for (int i = 0; i < LXFW_TOLD_TIMES; i++)
		shown[i] = put_time(cell->times[i], now, times[i]);
	snprintf(text, size, "lxfw: expected start %s (%s50 %%: %s to %s, 90 %%: %s to %s)",
		 shown[LXFW_TOLD_START], starts->corrected ? "" : "uncorrected ",
		 shown[LXFW_TOLD_LOW50], shown[LXFW_TOLD_HIGH50], shown[LXFW_TOLD_LOW90],
		 shown[LXFW_TOLD_HIGH90]);
}

bool lxfw_starts_find(const struct lxfw_starts *starts, const char *partition,
		      const struct lxfw_request_text *request, int64_t now, char *text,
		      size_t size)
{
	const struct lxfw_starts_partition *in = find_partition(starts, partition);
	const struct lxfw_starts_cell *cell;
	int64_t procs = request->tasks * request->cpus, limit = request->limit, count;
	bool nodes;

	/* A clock may differ from that of the writer by a minute. */
	if (!in || now > starts->until || now < starts->time - 60)
		return false;
	if (limit == 0)
		limit = in->limit;
	if (limit == 0 || in->procs == 0 || !is_alike(in, request, procs) ||
	    !has_memory(in, request, procs))
		return false;
	nodes = in->exclusive || request->nodes > 0;
	count = !nodes ? procs : request->nodes > 0 ? request->nodes :
		(procs + in->procs - 1) / in->procs;
	cell = find_cell(in, nodes, count, limit);
	if (!cell || !is_near(cell, count, limit))
		return false;
	put_text(starts, cell, now, text, size);
	return true;
}
