/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/resv.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/recur.h"
#include "plugins/pbs/text.h"

static void copy(struct lxfw_pbs_resv *resv, char **to, const char *value)
{
	free(*to);
	*to = strdup(value);
	resv->failed |= !*to;
}

/* What the later occurrences have, while the present one is altered. */
static void set_later(struct lxfw_pbs_resv *resv, const char *resource, const char *value)
{
	if (strcmp(resource, "start_time") == 0)
		(void)lxfw_pbs_number(value, &resv->later_start);
	else if (strcmp(resource, "walltime") == 0)
		(void)lxfw_pbs_duration(value, &resv->later_duration);
	else if (strcmp(resource, "select") == 0)
		copy(resv, &resv->later_select, value);
}

void lxfw_pbs_resv_set(struct lxfw_pbs_resv *resv, const char *name, const char *resource,
		       const char *value)
{
	const struct {
		const char *name;
		char **text;
		int64_t *number;
	} fields[] = {
		{ "queue", &resv->queue, NULL },
		{ "resv_nodes", &resv->nodes, NULL },
		{ "partition", &resv->partition, NULL },
		{ "schedselect", &resv->select, NULL },
		{ "schedselect_orig", &resv->select_before, NULL },
		{ "reserve_rrule", &resv->rule, NULL },
		{ "reserve_timezone", &resv->zone, NULL },
		{ "reserve_execvnodes", &resv->sequence, NULL },
		{ "reserve_start", NULL, &resv->start },
		{ "reserve_end", NULL, &resv->end },
		{ "reserve_state", NULL, &resv->state },
		{ "reserve_substate", NULL, &resv->substate },
		{ "reserve_count", NULL, &resv->count },
		{ "reserve_index", NULL, &resv->index },
		{ "reserve_retry", NULL, &resv->retry },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(name, fields[i].name) != 0)
			continue;
		if (fields[i].number)
			(void)lxfw_pbs_number(value, fields[i].number);
		else if (*value)
			copy(resv, fields[i].text, value);
		return;
	}
	if (strcmp(name, "reserve_standing_revert") == 0 && resource)
		set_later(resv, resource, value);
	else if (strcmp(name, "Resource_List") == 0 && resource &&
		 strcmp(resource, "place") == 0)
		copy(resv, &resv->place, value);
}

void lxfw_pbs_occurrences_clear(struct lxfw_pbs_resv *resv)
{
	for (int32_t i = 0; i < resv->occurrences; i++) {
		free(resv->occurrence[i].nodes);
		free(resv->occurrence[i].held);
	}
	free(resv->occurrence);
	resv->occurrence = NULL;
	resv->occurrences = 0;
	resv->placing = false;
}

void lxfw_pbs_resv_clear(struct lxfw_pbs_resv *resv)
{
	lxfw_pbs_occurrences_clear(resv);
	free(resv->name);
	free(resv->queue);
	free(resv->nodes);
	free(resv->partition);
	free(resv->select);
	free(resv->place);
	free(resv->rule);
	free(resv->zone);
	free(resv->select_before);
	free(resv->later_select);
	free(resv->sequence);
	memset(resv, 0, sizeof(*resv));
}

/* --- sequences ------------------------------------------------------------------------ */

void lxfw_pbs_sequence_free(char **nodes, int32_t count)
{
	for (int32_t i = 0; nodes && i < count; i++)
		free(nodes[i]);
	free(nodes);
}

/* Reads a number below COUNT, or -1. */
static int32_t index_at(const char **at, int32_t count)
{
	int64_t number = 0;

	while (**at == ' ')
		(*at)++;
	if (!isdigit((unsigned char)**at))
		return -1;
	while (isdigit((unsigned char)**at) && number < count)
		number = number * 10 + (*(*at)++ - '0');
	return number < count ? (int32_t)number : -1;
}

/* Reads "0-1, 4}" and sets these of the COUNT texts to the LENGTH bytes of TEXT. Returns 0 or
   an error. */
static int read_range(const char **at, const char *text, size_t length, char **nodes,
		      int32_t count)
{
	do {
		int32_t first = index_at(at, count), last = first;

		if (**at == '-') {
			(*at)++;
			last = index_at(at, count);
		}
		if (first < 0 || last < first)
			return EINVAL;
		for (int32_t i = first; i <= last; i++) {
			if (nodes[i])
				return EINVAL;
			nodes[i] = strndup(text, length);
			if (!nodes[i])
				return ENOMEM;
		}
	} while (*(*at)++ == ',');
	return (*at)[-1] == '}' ? 0 : EINVAL;
}

int32_t lxfw_pbs_sequence_read(const char *text, char ***nodes)
{
	const char *at = text;
	int32_t count = index_at(&at, LXFW_PBS_OCCURRENCES_MAX + 1);
	char **made;
	int error = 0;

	if (count <= 0 || *at++ != '#') {
		errno = EINVAL;
		return -1;
	}
	made = calloc((size_t)count, sizeof(*made));
	if (!made)
		return -1;
	while (!error && *at) {
		size_t length = strcspn(at, "{");
		const char *begin = at;

		at += length;
		error = *at++ == '{' ? read_range(&at, begin, length, made, count) : EINVAL;
	}
	for (int32_t i = 0; i < count && !error; i++)
		error = made[i] ? 0 : EINVAL;
	if (!error) {
		*nodes = made;
		return count;
	}
	lxfw_pbs_sequence_free(made, count);
	errno = error;
	return -1;
}

char *lxfw_pbs_sequence_write(char *const *nodes, int32_t count)
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	if (!file)
		return NULL;
	fprintf(file, "%" PRId32 "#", count);
	for (int32_t first = 0, last; first < count; first = last + 1) {
		last = first;
		while (last + 1 < count && strcmp(nodes[last + 1], nodes[first]) == 0)
			last++;
		fprintf(file, "%s{%" PRId32, nodes[first], first);
		if (last > first)
			fprintf(file, "-%" PRId32, last);
		fputc('}', file);
	}
	if (fclose(file) == 0)
		return text;
	free(text);
	return NULL;
}

/* --- occurrences ---------------------------------------------------------------------- */

static bool add(struct lxfw_pbs_resv *resv, int64_t start, int64_t end, const char *nodes)
{
	struct lxfw_pbs_occurrence *occurrence = &resv->occurrence[resv->occurrences];

	*occurrence = (struct lxfw_pbs_occurrence){
		.start = start, .end = end, .nodes = nodes ? strdup(nodes) : NULL,
	};
	resv->occurrences++;
	return !nodes || occurrence->nodes;
}

int32_t lxfw_pbs_resv_times(const struct lxfw_pbs_resv *resv, int64_t *times, int32_t count)
{
	int64_t from = resv->later_start ? resv->later_start : resv->start;
	int32_t found = lxfw_pbs_recur(resv->rule, resv->zone, from, times, count);

	if (found > 0 && resv->later_start)
		times[0] = resv->start;
	return found;
}

/* Adds the later ones. The sequence is of the last occurrences, up to the final one. */
static bool add_later(struct lxfw_pbs_resv *resv, char **nodes, int32_t known)
{
	int32_t remaining = (int32_t)lxfw_pbs_resv_remaining(resv);
	int64_t duration = resv->later_duration ? resv->later_duration :
						  resv->end - resv->start;
	int64_t *times = calloc((size_t)remaining, sizeof(*times));
	int32_t found;
	bool good = times != NULL;

	found = good ? lxfw_pbs_resv_times(resv, times, remaining) : 0;
	resv->unknown = found < 0;
	for (int32_t i = 1; i < found && good; i++) {
		int32_t at = known - remaining + i;

		good = add(resv, times[i], times[i] + duration,
			   at >= 0 && at < known ? nodes[at] : NULL);
	}
	free(times);
	return good;
}

int32_t lxfw_pbs_resv_first(const struct lxfw_pbs_resv *resv)
{
	if (resv->state == LXFW_PBS_RESV_DELETING_JOBS)
		return 1;
	return resv->state >= LXFW_PBS_RESV_FINISHED && resv->state < LXFW_PBS_RESV_DELETING_JOBS ?
		       resv->occurrences : 0;
}

bool lxfw_pbs_resv_unroll(struct lxfw_pbs_resv *resv)
{
	int64_t remaining = lxfw_pbs_resv_remaining(resv);
	char **nodes = NULL;
	int32_t known = 0;
	bool good;

	lxfw_pbs_occurrences_clear(resv);
	if (resv->failed)
		return false;
	if (resv->state == LXFW_PBS_RESV_UNCONFIRMED || remaining < 1 ||
	    remaining > LXFW_PBS_OCCURRENCES_MAX)
		remaining = 1;
	resv->occurrence = calloc((size_t)remaining, sizeof(*resv->occurrence));
	if (!resv->occurrence)
		return false;
	good = add(resv, resv->start, resv->end, resv->nodes);
	if (!good || remaining == 1)
		return good;
	if (resv->sequence)
		known = lxfw_pbs_sequence_read(resv->sequence, &nodes);
	if (known < 0 && errno == ENOMEM)
		return false;
	good = add_later(resv, nodes, known < 0 ? 0 : known);
	lxfw_pbs_sequence_free(nodes, known < 0 ? 0 : known);
	return good;
}

bool lxfw_pbs_resv_begin(struct lxfw_pbs_resv *resv)
{
	int32_t count = (int32_t)lxfw_pbs_resv_remaining(resv);
	int64_t duration = resv->later_duration ? resv->later_duration :
						  resv->end - resv->start;
	int64_t *times = count > 0 ? calloc((size_t)count, sizeof(*times)) : NULL;
	struct lxfw_pbs_occurrence *all = count > 0 ? calloc((size_t)count, sizeof(*all)) : NULL;

	if (!times || !all || lxfw_pbs_resv_times(resv, times, count) != count) {
		free(times);
		free(all);
		return false;
	}
	for (int32_t i = 0; i < count; i++) {
		all[i].start = times[i];
		all[i].end = times[i] + (i > 0 ? duration : resv->end - resv->start);
		if (i < resv->occurrences) {
			all[i].nodes = resv->occurrence[i].nodes;
			resv->occurrence[i].nodes = NULL;
		}
	}
	free(times);
	lxfw_pbs_occurrences_clear(resv);
	resv->occurrence = all;
	resv->occurrences = count;
	resv->placing = true;
	return true;
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

bool lxfw_pbs_resv_take(struct lxfw_pbs_resv *resv, struct lxfw_pbs_resv *old)
{
	bool waits = resv->state == LXFW_PBS_RESV_UNCONFIRMED;

	if (resv->failed || !old->occurrences || waits != (old->state == LXFW_PBS_RESV_UNCONFIRMED) ||
	    resv->start != old->start || resv->end != old->end || resv->count != old->count ||
	    resv->index != old->index || resv->later_start != old->later_start ||
	    resv->later_duration != old->later_duration || !same_text(resv->name, old->name) ||
	    !same_text(resv->nodes, old->nodes) || !same_text(resv->rule, old->rule) ||
	    !same_text(resv->zone, old->zone) || !same_text(resv->sequence, old->sequence))
		return false;
	if ((old->placing || old->tried) &&
	    (resv->state != old->state || resv->substate != old->substate ||
	     !same_text(resv->select, old->select) || !same_text(resv->place, old->place) ||
	     !same_text(resv->later_select, old->later_select)))
		return false;
	lxfw_pbs_occurrences_clear(resv);
	resv->placing = old->placing;
	resv->tried = old->tried;
	resv->occurrence = old->occurrence;
	resv->occurrences = old->occurrences;
	resv->unknown = old->unknown;
	old->occurrence = NULL;
	old->occurrences = 0;
	return true;
}
