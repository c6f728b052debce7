/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/text.h"

#define ITEM_MAX 512

/* --- items -------------------------------------------------------------------------- */

int lxfw_pbs_item(const char **at, char *name, char *value, size_t size)
{
	const char *text = *at;
	size_t length = strcspn(text, "=:+()");
	char end[] = { 0, 0 };

	if (!*text)
		return 0;
	if (text[length] != '=' || length == 0 || length >= size)
		return -1;
	memcpy(name, text, length);
	name[length] = '\0';
	text += length + 1;
	if (*text == '"' || *text == '\'') {
		end[0] = *text++;
		length = strcspn(text, end);
		if (text[length] != end[0])
			return -1;
	} else {
		length = strcspn(text, ":+()");
	}
	if (length >= size)
		return -1;
	memcpy(value, text, length);
	value[length] = '\0';
	text += length + (end[0] != 0);
	if (*text == ':' && text[1])
		text++;
	else if (*text && !strchr("+)", *text))
		return -1;
	*at = text;
	return 1;
}

/* --- select ------------------------------------------------------------------------- */

static int invalid(struct lxfw_error *why, const char *what, const char *name)
{
	lxfw_error_set(why, what);
	lxfw_error_add(why, name);
	errno = EINVAL;
	return -1;
}

static int above(struct lxfw_error *why, const struct lxfw_pbs_kind *kind, const char *value)
{
	lxfw_error_set(why, "it requests more than a chunk can have, ");
	lxfw_error_add_number(why, lxfw_pbs_bound(kind));
	lxfw_error_add(why, lxfw_pbs_unit(kind));
	lxfw_error_add(why, ": ");
	lxfw_error_add(why, kind->name);
	lxfw_error_add(why, "=");
	lxfw_error_add(why, value);
	errno = EINVAL;
	return -1;
}

/* Appends "NAME=VALUE" to chunk->wanted. */
static int want(struct lxfw_pbs_chunk *chunk, const char *name, const char *value)
{
	size_t before = strlen(chunk->wanted), length = strlen(name);
	size_t need = before + length + strlen(value) + 3;
	char *longer = realloc(chunk->wanted, need);

	if (!longer)
		return -1;
	chunk->wanted = longer;
	longer += before;
	if (before)
		*longer++ = ':';
	memcpy(longer, name, length);
	longer[length] = '=';
	strcpy(longer + length + 1, value);
	return 0;
}

static int read_item(struct lxfw_pbs_chunk *chunk, const char *name, const char *value,
		     const struct lxfw_pbs_kinds *kinds, struct lxfw_error *why)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(kinds, name);

	if (!kind || kind->place == LXFW_PBS_UNKNOWN || kind->place == LXFW_PBS_POOLED)
		return invalid(why, "it requests a resource that is not modelled: ", name);
	if (kind->place == LXFW_PBS_IGNORED)
		return 0;
	if (kind->place == LXFW_PBS_UNCOUNTED) {
		if (strpbrk(value, ":+=\"'"))
			return invalid(why, "it requests a value with a special character: ",
				       name);
		return want(chunk, name, value);
	}
	if (kind->place == LXFW_PBS_MEMORY && !lxfw_pbs_size(value, &chunk->memory_kb))
		return invalid(why, "its amount cannot be read: ", name);
	if (lxfw_pbs_is_above(kind, value, true))
		return above(why, kind, value);
	if (!lxfw_pbs_count(kind, value, true, &chunk->need))
		return invalid(why, "its amount cannot be read or is too large: ", name);
	return 0;
}

/* Reads the number before a chunk, if there is one. */
static bool read_count(const char **at, int32_t *count)
{
	char *end;
	long number;

	*count = 1;
	if (**at < '0' || **at > '9')
		return true;
	errno = 0;
	number = strtol(*at, &end, 10);
	if (errno || number < 1 || number > LXFW_PBS_CHUNKS_MAX)
		return false;
	*count = (int32_t)number;
	if (*end == ':' && end[1])
		end++;
	else if (*end && *end != '+')
		return false;
	*at = end;
	return true;
}

static bool are_equal(const struct lxfw_pbs_chunk *one, const struct lxfw_pbs_chunk *other)
{
	return lxfw_resources_fit(&one->need, &other->need) &&
	       lxfw_resources_fit(&other->need, &one->need) &&
	       one->memory_kb == other->memory_kb && strcmp(one->wanted, other->wanted) == 0;
}

/* Joins the last chunks with those before if these are equal. */
static void join_last(struct lxfw_pbs_select *select)
{
	struct lxfw_pbs_chunk *last = &select->chunk[select->count - 1];

	if (select->count < 2 || !are_equal(last, last - 1))
		return;
	(last - 1)->count += last->count;
	free(last->wanted);
	select->count--;
}

static int read_chunk(struct lxfw_pbs_select *select, const char **at,
		      const struct lxfw_pbs_kinds *kinds, struct lxfw_error *why)
{
	char name[ITEM_MAX], value[ITEM_MAX];
	struct lxfw_pbs_chunk *chunk;

	if (select->count == LXFW_PBS_CHUNK_KINDS_MAX)
		return invalid(why, "it requests too many different chunks", "");
	if (LXFW_GROW(select->chunk, select->size, select->count + 1))
		return -1;
	chunk = &select->chunk[select->count];
	memset(chunk, 0, sizeof(*chunk));
	chunk->memory_kb = -1;
	chunk->wanted = strdup("");
	if (!chunk->wanted)
		return -1;
	select->count++;
	if (!read_count(at, &chunk->count) ||
	    chunk->count > LXFW_PBS_CHUNKS_MAX - select->total)
		return invalid(why, "its number of chunks cannot be read or is too large", "");
	select->total += chunk->count;
	while (**at && **at != '+') {
		if (lxfw_pbs_item(at, name, value, sizeof(name)) != 1)
			return invalid(why, "its select cannot be read", "");
		if (read_item(chunk, name, value, kinds, why) < 0)
			return -1;
	}
	join_last(select);
	return 0;
}

/* Only the first chunk has the resources of first chunks: it is taken off from others that
   were requested with it, "3:ncpus=1:first=1". */
static int split_first(struct lxfw_pbs_select *select, const struct lxfw_pbs_kinds *kinds)
{
	struct lxfw_resources before;
	struct lxfw_pbs_chunk chunk;

	for (size_t i = 1; i < select->count; i++)
		lxfw_pbs_without_first(kinds, &select->chunk[i].need);
	chunk = select->chunk[0];
	before = chunk.need;
	lxfw_pbs_without_first(kinds, &chunk.need);
	if (chunk.count == 1 || lxfw_resources_fit(&before, &chunk.need))
		return 0;
	if (LXFW_GROW(select->chunk, select->size, select->count + 1))
		return -1;
	chunk.wanted = strdup(chunk.wanted);
	if (!chunk.wanted)
		return -1;
	memmove(&select->chunk[2], &select->chunk[1],
		(select->count - 1) * sizeof(*select->chunk));
	select->count++;
	chunk.count--;
	select->chunk[0].count = 1;
	select->chunk[1] = chunk;
	return 0;
}

int lxfw_pbs_select_read(struct lxfw_pbs_select *select, const char *text,
			 const struct lxfw_pbs_kinds *kinds, struct lxfw_error *why)
{
	if (!text || !*text)
		return invalid(why, "it has no select", "");
	for (;;) {
		if (read_chunk(select, &text, kinds, why) < 0)
			return -1;
		if (!*text)
			return split_first(select, kinds);
		if (!*++text)
			return invalid(why, "its select cannot be read", "");
	}
}

void lxfw_pbs_select_clear(struct lxfw_pbs_select *select)
{
	for (size_t i = 0; i < select->count; i++)
		free(select->chunk[i].wanted);
	free(select->chunk);
	memset(select, 0, sizeof(*select));
}

const struct lxfw_pbs_select *lxfw_pbs_select_of(struct lxfw_pbs_parsed *parsed,
						 const char *text,
						 const struct lxfw_pbs_kinds *kinds,
						 struct lxfw_error *why)
{
	if (!parsed->known) {
		if (lxfw_pbs_select_read(&parsed->select, text, kinds, why) < 0) {
			bool no_memory = errno == ENOMEM;

			lxfw_pbs_select_clear(&parsed->select);
			if (!no_memory)
				parsed->why = strdup(why->text);
			if (!parsed->why) {
				errno = ENOMEM;
				return NULL;
			}
		}
		parsed->known = true;
	}
	if (!parsed->why)
		return &parsed->select;
	lxfw_error_set(why, parsed->why);
	errno = EINVAL;
	return NULL;
}

void lxfw_pbs_parsed_clear(struct lxfw_pbs_parsed *parsed)
{
	lxfw_pbs_select_clear(&parsed->select);
	free(parsed->why);
	memset(parsed, 0, sizeof(*parsed));
}

/* --- place -------------------------------------------------------------------------- */

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncmp(text, word, length) == 0;
}

bool lxfw_pbs_place_read(struct lxfw_pbs_place *place, const char *text,
			 struct lxfw_error *why)
{
	*place = (struct lxfw_pbs_place){ .arrangement = LXFW_PBS_FREE };
	while (text && *text) {
		size_t length = strcspn(text, ":");

		if (is_word(text, length, "pack"))
			place->arrangement = LXFW_PBS_PACK;
		else if (is_word(text, length, "scatter"))
			place->arrangement = LXFW_PBS_SCATTER;
		else if (is_word(text, length, "vscatter"))
			place->arrangement = LXFW_PBS_VSCATTER;
		else if (is_word(text, length, "excl"))
			place->exclusive = true;
		else if (is_word(text, length, "exclhost"))
			place->exclusive = place->whole_hosts = true;
		else if (length > 6 && length < 6 + LXFW_PBS_GROUP_SIZE &&
			 strncmp(text, "group=", 6) == 0)
			snprintf(place->group, sizeof(place->group), "%.*s", (int)length - 6,
				 text + 6);
		else if (is_word(text, length, "shared"))
			place->shared = true;
		else if (!is_word(text, length, "free")) {
			lxfw_error_set(why, "its place cannot be read");
			return false;
		}
		text += length;
		if (*text)
			text++;
	}
	return true;
}

/* --- exec_vnode --------------------------------------------------------------------- */

/* Reads one vnode and its amounts at *AT. */
static bool read_vnode(const char **at, char *vnode, const struct lxfw_pbs_kinds *kinds,
		       struct lxfw_resources *amount)
{
	char name[ITEM_MAX], value[ITEM_MAX];
	size_t length = strcspn(*at, ":+()");

	if (length == 0 || length >= ITEM_MAX)
		return false;
	memcpy(vnode, *at, length);
	vnode[length] = '\0';
	*at += length;
	memset(amount, 0, sizeof(*amount));
	if (**at == ':')
		++*at;
	while (**at && **at != '+' && **at != ')') {
		const struct lxfw_pbs_kind *kind;

		if (lxfw_pbs_item(at, name, value, sizeof(name)) != 1)
			return false;
		kind = lxfw_pbs_kind(kinds, name);
		if (!kind || (kind->place < 0 && kind->place != LXFW_PBS_PROCS &&
			      kind->place != LXFW_PBS_MEMORY))
			continue;
		/* A job that another scheduler started may have more than the bound. */
		if (!lxfw_pbs_count(kind, value, true, amount) &&
		    !lxfw_pbs_count(kind, value, false, amount))
			return false;
	}
	return true;
}

void lxfw_pbs_vnodes_above(const char *text, const struct lxfw_pbs_kinds *kinds,
			   void (*each)(void *context, const struct lxfw_pbs_kind *kind,
					const char *value),
			   void *context)
{
	char name[ITEM_MAX], value[ITEM_MAX];

	while (*text) {
		const struct lxfw_pbs_kind *kind;
		size_t length = strcspn(text, ":+()=");

		/* Names of vnodes, and what separates them. */
		if (text[length] != '=') {
			text += length + (text[length] != '\0');
			continue;
		}
		if (lxfw_pbs_item(&text, name, value, sizeof(name)) != 1)
			return;
		kind = lxfw_pbs_kind(kinds, name);
		if (kind && lxfw_pbs_is_above(kind, value, true))
			each(context, kind, value);
	}
}

bool lxfw_pbs_vnodes_read(const char *text, const struct lxfw_pbs_kinds *kinds,
			  bool (*each)(void *context, const char *vnode,
				       const struct lxfw_resources *amount),
			  void *context)
{
	struct lxfw_resources amount;
	char vnode[ITEM_MAX];
	bool within = false, first = true;

	while (*text) {
		if (*text == '(' && !within) {
			within = true;
			text++;
		}
		if (!read_vnode(&text, vnode, kinds, &amount))
			return false;
		if (!first)
			lxfw_pbs_without_first(kinds, &amount);
		if (!each(context, vnode, &amount))
			return false;
		if (*text == ')' && within) {
			within = false;
			text++;
		}
		first &= within;
		if (*text == '+' && text[1])
			text++;
		else if (*text)
			return false;
	}
	return !within;
}
