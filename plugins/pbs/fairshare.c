/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/fairshare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/text.h"

#define ROOT 0
#define UNKNOWN 1
#define USAGE_LEAST 1
#define SHARES_MOST (INT64_C(1) << 31)

/* The file of usage: a header, the time of the last decay, and entries. It is made of structs in
   the order of bytes of the machine. */
#define MAGIC "PBS_MAG!"
#define FILE_VERSION 2

struct header {
	char tag[9];
	double version;
};

struct entry {
	char name[LXFW_PBS_ENTITY_SIZE];
	double usage;
};

/* --- the tree ----------------------------------------------------------------------------- */

static struct lxfw_pbs_entity *add(struct lxfw_pbs_fairshare *tree, const char *name,
				   int32_t parent, int64_t shares)
{
	struct lxfw_pbs_entity *entity;
	char *copy = strdup(name);

	if (!copy || LXFW_GROW(tree->entity, tree->size, tree->count + 1)) {
		free(copy);
		return NULL;
	}
	entity = &tree->entity[tree->count++];
	*entity = (struct lxfw_pbs_entity){
		.name = copy, .parent = parent, .shares = shares, .usage = USAGE_LEAST,
	};
	if (parent >= 0)
		tree->entity[parent].group = true;
	return entity;
}

bool lxfw_pbs_fairshare_begin(struct lxfw_pbs_fairshare *tree, int64_t unknown_shares)
{
	lxfw_pbs_fairshare_clear(tree);
	if (!add(tree, "TREEROOT", -1, 1) || !add(tree, "unknown", ROOT, unknown_shares))
		return false;
	tree->entity[UNKNOWN].group = true;
	return true;
}

void lxfw_pbs_fairshare_clear(struct lxfw_pbs_fairshare *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->entity[i].name);
	free(tree->entity);
	memset(tree, 0, sizeof(*tree));
}

static int32_t index_of(const struct lxfw_pbs_fairshare *tree, const char *name)
{
	for (size_t i = 0; i < tree->count; i++) {
		if (strcmp(tree->entity[i].name, name) == 0)
			return (int32_t)i;
	}
	return -1;
}

static int wrong(struct lxfw_error *why, const char *text, const char *name)
{
	lxfw_error_set(why, text);
	lxfw_error_add(why, name);
	return -1;
}

int lxfw_pbs_fairshare_line(struct lxfw_pbs_fairshare *tree, const char *line,
			    struct lxfw_error *why)
{
	char name[256], number[32], group[256], shares[32];
	int64_t value;
	int32_t parent;
	int items;

	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#')
		return 0;
	items = sscanf(line, "%255s %31s %255s %31s", name, number, group, shares);
	if (items != 4)
		return wrong(why, "expected NAME NUMBER PARENT SHARES", "");
	if (!lxfw_pbs_number(shares, &value) || value > SHARES_MOST)
		return wrong(why, "shares that cannot be read: ", shares);
	if (index_of(tree, name) >= 0)
		return wrong(why, "a second line for ", name);
	parent = strcmp(group, "root") == 0 ? ROOT : index_of(tree, group);
	if (parent < 0)
		return wrong(why, "an unknown parent: ", group);
	return add(tree, name, parent, value) ? 0 : wrong(why, "out of memory", "");
}

struct lxfw_pbs_entity *lxfw_pbs_fairshare_find(struct lxfw_pbs_fairshare *tree,
						const char *name)
{
	int32_t index = index_of(tree, name);

	return index >= 0 ? &tree->entity[index] : add(tree, name, UNKNOWN, 1);
}

/* --- usage -------------------------------------------------------------------------------- */

bool lxfw_pbs_fairshare_add(struct lxfw_pbs_fairshare *tree, const char *name, double usage)
{
	struct lxfw_pbs_entity *entity = lxfw_pbs_fairshare_find(tree, name);

	if (!entity)
		return false;
	for (int32_t i = (int32_t)(entity - tree->entity); i >= 0; i = tree->entity[i].parent)
		tree->entity[i].usage += usage;
	return true;
}

void lxfw_pbs_fairshare_decay(struct lxfw_pbs_fairshare *tree, double factor)
{
	for (size_t i = 0; i < tree->count; i++) {
		tree->entity[i].usage *= factor;
		if (!(tree->entity[i].usage >= USAGE_LEAST))
			tree->entity[i].usage = USAGE_LEAST;
	}
}

void lxfw_pbs_fairshare_compute(struct lxfw_pbs_fairshare *tree)
{
	int64_t *sums = calloc(tree->count + 1, sizeof(*sums));	/* shares of children */

	if (!sums || !tree->count) {
		free(sums);
		return;
	}
	for (size_t i = 1; i < tree->count; i++)
		sums[tree->entity[i].parent] += tree->entity[i].shares;
	tree->entity[ROOT].share = tree->entity[ROOT].of_group = 1;
	/* Parents come before their children. */
	for (size_t i = 1; i < tree->count; i++) {
		struct lxfw_pbs_entity *entity = &tree->entity[i];
		const struct lxfw_pbs_entity *parent = &tree->entity[entity->parent];
		double usage = entity->usage / tree->entity[ROOT].usage;

		entity->of_group = sums[entity->parent] && parent->share > 0 ?
			(double)entity->shares / (double)sums[entity->parent] : 0;
		entity->share = entity->of_group * parent->share;
		entity->factor = entity->parent == ROOT ? usage :
			usage + (parent->factor - usage) * entity->of_group;
	}
	free(sums);
}

double lxfw_pbs_fairshare_factor(const struct lxfw_pbs_entity *entity)
{
	return entity->share > 0 ? exp2(-entity->factor / entity->share) : 0;
}

bool lxfw_pbs_fairshare_over(const struct lxfw_pbs_fairshare *tree,
			     const struct lxfw_pbs_entity *entity)
{
	return tree->entity[ROOT].usage * entity->share < entity->usage;
}

/* --- the file of usage -------------------------------------------------------------------- */

static int read_entry(struct lxfw_pbs_fairshare *tree, const struct entry *entry,
		      struct lxfw_error *why)
{
	struct lxfw_pbs_entity *entity;

	if (!memchr(entry->name, '\0', sizeof(entry->name)) || !entry->name[0] ||
	    !(entry->usage >= 0) || !isfinite(entry->usage))
		return wrong(why, "an entry that is damaged", "");
	entity = lxfw_pbs_fairshare_find(tree, entry->name);
	if (!entity)
		return wrong(why, "out of memory", "");
	if (entity->group)	/* its usage is that of its entities */
		return 0;
	entity->usage = entry->usage;
	for (int32_t i = entity->parent; i >= 0; i = tree->entity[i].parent)
		tree->entity[i].usage += entry->usage;
	return 0;
}

int lxfw_pbs_usage_read(struct lxfw_pbs_fairshare *tree, const void *bytes, size_t length,
			struct lxfw_error *why)
{
	const char *at = bytes;
	struct header header;
	struct entry entry;

	if (length < sizeof(header) + sizeof(int64_t))
		return wrong(why, "no usage of fair share", "");
	memcpy(&header, at, sizeof(header));
	if (memcmp(header.tag, MAGIC, sizeof(header.tag)) != 0 || header.version != FILE_VERSION)
		return wrong(why, "no usage of fair share of version 2", "");
	memcpy(&tree->last_decay, at + sizeof(header), sizeof(int64_t));
	if (tree->last_decay < 0)
		tree->last_decay = 0;
	at += sizeof(header) + sizeof(int64_t);
	length -= sizeof(header) + sizeof(int64_t);
	for (; length >= sizeof(entry); at += sizeof(entry), length -= sizeof(entry)) {
		memcpy(&entry, at, sizeof(entry));
		if (read_entry(tree, &entry, why) < 0)
			return -1;
	}
	return length ? wrong(why, "an entry that is truncated", "") : 0;
}

char *lxfw_pbs_usage_write(const struct lxfw_pbs_fairshare *tree, size_t *length)
{
	struct header header;
	char *bytes = NULL;
	FILE *stream = open_memstream(&bytes, length);

	if (!stream)
		return NULL;
	memset(&header, 0, sizeof(header));
	memcpy(header.tag, MAGIC, sizeof(header.tag));
	header.version = FILE_VERSION;
	fwrite(&header, sizeof(header), 1, stream);
	fwrite(&tree->last_decay, sizeof(int64_t), 1, stream);
	for (size_t i = 0; i < tree->count; i++) {
		const struct lxfw_pbs_entity *entity = &tree->entity[i];
		struct entry entry;

		if (entity->group || entity->usage == USAGE_LEAST ||
		    strlen(entity->name) >= sizeof(entry.name))
			continue;
		memset(&entry, 0, sizeof(entry));
		memcpy(entry.name, entity->name, strlen(entity->name));
		entry.usage = entity->usage;
		fwrite(&entry, sizeof(entry), 1, stream);
	}
	if (fclose(stream) == 0)
		return bytes;
	free(bytes);
	return NULL;
}
