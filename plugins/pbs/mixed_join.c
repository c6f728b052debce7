/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exec_vnode of a mixed job, of those of its parts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/mixed.h"

char *lxfw_pbs_add_chunks(char *all, char *text)
{
	size_t length = all ? strlen(all) : 0;
	char *longer = text ? realloc(all, length + strlen(text) + 2) : NULL;

	if (!longer) {
		int error = errno;

		free(all);
		free(text);
		errno = error;
		return NULL;
	}
	if (length)
		longer[length++] = '+';
	strcpy(longer + length, text);
	free(text);
	return longer;
}

/* A chunk of an exec_vnode, "(...)". */
struct piece {
	const char *at;
	size_t length;
};

/* Sorts the chunks of the text of a part by their kinds. NEXT: by kind, the place of its next
   one. */
static void sort(const struct lxfw_pbs_part *part, const char *text, struct piece *pieces,
		 size_t *next)
{
	const struct lxfw_pbs_select *select = &part->parsed.select;
	size_t chunk = 0;
	int32_t done = 0;

	while (*text == '(') {
		size_t length = strcspn(text, ")") + 1;

		pieces[next[part->kind[chunk]]++] = (struct piece){ .at = text, .length = length };
		text += length;
		text += *text == '+';
		/* A bundle is followed by the next one. */
		if (++done == select->chunk[chunk].count) {
			done = 0;
			chunk = (chunk + 1) % select->count;
		}
	}
}

/* Sets the place of the first chunk of each kind. */
static void find_places(const struct lxfw_pbs_mixed *mixed, const struct lxfw_pbs_select *select,
			size_t *next)
{
	size_t before = 0;

	for (size_t i = 0; i < select->count; i++) {
		next[i] = before;
		for (size_t j = i; j < select->count && mixed->kind[i] == i; j++)
			before += mixed->kind[j] == i ? (size_t)select->chunk[j].count : 0;
	}
}

static char *join(const struct lxfw_pbs_mixed *mixed, const struct lxfw_pbs_select *select,
		  char *const *text)
{
	struct piece *pieces = calloc((size_t)select->total + 1, sizeof(*pieces));
	size_t *next = calloc(select->count + 1, sizeof(*next)), length = 1;
	char *all = NULL, *end;

	for (int32_t i = 0; i < mixed->count; i++)
		length += strlen(text[i]) + 1;
	if (pieces && next)
		all = end = malloc(length);
	if (all) {
		find_places(mixed, select, next);
		for (int32_t i = 0; i < mixed->count; i++)
			sort(&mixed->part[i], text[i], pieces, next);
		find_places(mixed, select, next);
		for (size_t i = 0; i < select->count; i++) {
			for (int32_t j = 0; j < select->chunk[i].count; j++) {
				const struct piece *piece = &pieces[next[mixed->kind[i]]++];

				if (end != all)
					*end++ = '+';
				end = mempcpy(end, piece->at, piece->length);
			}
		}
		*end = '\0';
	}
	free(pieces);
	free(next);
	return all;
}

char *lxfw_pbs_mixed_join(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			  const struct lxfw_pbs_mixed *mixed, char *const *text)
{
	struct lxfw_pbs_parsed own = { 0 };
	struct lxfw_error why;
	const struct lxfw_pbs_select *select;
	char *all;

	for (int32_t i = 0; i < mixed->count; i++) {
		if (!text[i]) {
			errno = EINVAL;
			return NULL;
		}
	}
	select = lxfw_pbs_select_of(job->parsed ? job->parsed : &own, job->select, &site->kinds,
				    &why);
	all = select ? join(mixed, select, text) : NULL;
	lxfw_pbs_parsed_clear(&own);
	return all;
}
