/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/text.h"

/* Bounds of what a vnode or a chunk can have, so that sums do not overflow. Sizes among the extras
   are in MiB: 256 TiB. */
#define MOST_MB (INT64_C(1) << 40)
#define MOST_PROCS (1 << 20)
#define MOST_EXTRA (1 << 28)

/* Bound of the extras of a host. */
#define MOST_OF_HOST (1 << 30)

static struct lxfw_pbs_kind *enter(struct lxfw_pbs_kinds *kinds, const char *name,
				   enum lxfw_pbs_type type, int place)
{
	struct lxfw_pbs_kind *kind;

	if (LXFW_GROW(kinds->kind, kinds->size, kinds->count + 1))
		return NULL;
	kind = &kinds->kind[kinds->count];
	kind->name = strdup(name);
	if (!kind->name)
		return NULL;
	kind->type = type;
	kind->place = place;
	kind->first = false;
	kinds->count++;
	return kind;
}

bool lxfw_pbs_kinds_init(struct lxfw_pbs_kinds *kinds)
{
	static const struct {
		const char *name;
		enum lxfw_pbs_type type;
		int place;
	} own[] = {
		{ "ncpus", LXFW_PBS_LONG, LXFW_PBS_PROCS },
		{ "mem", LXFW_PBS_SIZE, LXFW_PBS_MEMORY },
		{ "ngpus", LXFW_PBS_LONG, 0 },
		{ "arch", LXFW_PBS_STRING, LXFW_PBS_UNCOUNTED },
		{ "host", LXFW_PBS_STRING, LXFW_PBS_UNCOUNTED },
		{ "vnode", LXFW_PBS_STRING, LXFW_PBS_UNCOUNTED },
		{ "mpiprocs", LXFW_PBS_LONG, LXFW_PBS_IGNORED },
		{ "ompthreads", LXFW_PBS_LONG, LXFW_PBS_IGNORED },
		{ "vmem", LXFW_PBS_SIZE, LXFW_PBS_IGNORED },
		{ "pmem", LXFW_PBS_SIZE, LXFW_PBS_IGNORED },
		{ "pvmem", LXFW_PBS_SIZE, LXFW_PBS_IGNORED },
		{ "hbmem", LXFW_PBS_OTHER, LXFW_PBS_UNKNOWN },
		{ "nchunk", LXFW_PBS_LONG, LXFW_PBS_IGNORED },
		{ "nodect", LXFW_PBS_LONG, LXFW_PBS_IGNORED },
		{ "aoe", LXFW_PBS_OTHER, LXFW_PBS_UNKNOWN },
		{ "eoe", LXFW_PBS_OTHER, LXFW_PBS_UNKNOWN },
		{ "naccelerators", LXFW_PBS_OTHER, LXFW_PBS_UNKNOWN },
		{ "accelerator", LXFW_PBS_BOOLEAN, LXFW_PBS_UNCOUNTED },
		{ "accelerator_model", LXFW_PBS_STRING, LXFW_PBS_UNCOUNTED },
		{ "accelerator_memory", LXFW_PBS_OTHER, LXFW_PBS_UNKNOWN },
	};

	kinds->extras = 1;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (!enter(kinds, own[i].name, own[i].type, own[i].place))
			return false;
	}
	return true;
}

void lxfw_pbs_kinds_clear(struct lxfw_pbs_kinds *kinds)
{
	for (size_t i = 0; i < kinds->count; i++)
		free(kinds->kind[i].name);
	free(kinds->kind);
	memset(kinds, 0, sizeof(*kinds));
}

/* The types by the numbers that the server reports. */
static enum lxfw_pbs_type type_of(const char *type)
{
	static const struct {
		const char *number;
		enum lxfw_pbs_type type;
	} types[] = {
		{ "1", LXFW_PBS_LONG }, { "3", LXFW_PBS_STRING },
		{ "4", LXFW_PBS_STRINGS }, { "5", LXFW_PBS_SIZE },
		{ "11", LXFW_PBS_BOOLEAN }, { "14", LXFW_PBS_FLOAT },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(type, types[i].number) == 0)
			return types[i].type;
	}
	return LXFW_PBS_OTHER;
}

/* Bits of the flags that the server reports. */
enum {
	COUNTED_ANYWHERE = 0x4000,	/* q */
	COUNTED_ON_HOSTS = 0x8000,	/* n */
	COUNTED_ON_FIRST = 0x10000,	/* f */
	OF_HOSTS = 0x20000,	/* h */
};

static int place_of(struct lxfw_pbs_kinds *kinds, enum lxfw_pbs_type type, int64_t flags)
{
	if (!(flags & OF_HOSTS)) {
		if (!(flags & (COUNTED_ANYWHERE | COUNTED_ON_HOSTS)))
			return LXFW_PBS_IGNORED;
		return lxfw_pbs_is_countable(type) ? LXFW_PBS_POOLED : LXFW_PBS_UNKNOWN;
	}
	if (!(flags & (COUNTED_ON_HOSTS | COUNTED_ON_FIRST)))
		return type == LXFW_PBS_OTHER || type == LXFW_PBS_FLOAT ? LXFW_PBS_UNKNOWN :
									  LXFW_PBS_UNCOUNTED;
	if (!lxfw_pbs_is_countable(type) || kinds->extras == LXFW_EXTRAS_MAX)
		return LXFW_PBS_UNKNOWN;
	return kinds->extras++;
}

bool lxfw_pbs_kinds_add(struct lxfw_pbs_kinds *kinds, const char *name, const char *type,
			const char *flags)
{
	enum lxfw_pbs_type kind = type_of(type);
	int64_t bits = 0;
	int place;

	if (lxfw_pbs_kind(kinds, name))
		return true;
	(void)lxfw_pbs_number(flags, &bits);
	place = place_of(kinds, kind, bits);
	if (!enter(kinds, name, kind, place))
		return false;
	kinds->kind[kinds->count - 1].first = place >= 0 && (bits & COUNTED_ON_FIRST);
	return true;
}

void lxfw_pbs_without_first(const struct lxfw_pbs_kinds *kinds, struct lxfw_resources *amount)
{
	for (size_t i = 0; i < kinds->count; i++) {
		if (kinds->kind[i].first)
			amount->extras[kinds->kind[i].place] = 0;
	}
}

const struct lxfw_pbs_kind *lxfw_pbs_kind(const struct lxfw_pbs_kinds *kinds,
					  const char *name)
{
	for (size_t i = 0; i < kinds->count; i++) {
		if (strcmp(kinds->kind[i].name, name) == 0)
			return &kinds->kind[i];
	}
	return NULL;
}

void lxfw_pbs_add_vnode(struct lxfw_resources *sum, const struct lxfw_resources *amount)
{
	lxfw_resources_add(sum, amount);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (sum->extras[i] > MOST_OF_HOST)
			sum->extras[i] = MOST_OF_HOST;
	}
}

bool lxfw_pbs_amount(enum lxfw_pbs_type type, const char *value, bool up, int64_t *amount)
{
	int64_t kb;

	if (type == LXFW_PBS_FLOAT)
		return lxfw_pbs_thousandths(value, up, amount);
	if (type != LXFW_PBS_SIZE)
		return lxfw_pbs_number(value, amount);
	if (!lxfw_pbs_size(value, &kb))
		return false;
	*amount = kb / 1024 + (up && kb % 1024 != 0);
	return true;
}

/* Returns what NUMBER may add to HAS, which must not exceed MOST: all of it, or the rest if it is
   an amount of a vnode, or -1. */
static int64_t bounded(int64_t number, int64_t has, int64_t most, bool up)
{
	if (number <= most - has)
		return number;
	return up ? -1 : most - has;
}

int64_t lxfw_pbs_bound(const struct lxfw_pbs_kind *kind)
{
	return kind->place == LXFW_PBS_MEMORY ? MOST_MB :
	       kind->place == LXFW_PBS_PROCS  ? MOST_PROCS : MOST_EXTRA;
}

const char *lxfw_pbs_unit(const struct lxfw_pbs_kind *kind)
{
	return kind->type == LXFW_PBS_SIZE ? "mb" :
	       kind->type == LXFW_PBS_FLOAT ? " thousandths" : "";
}

bool lxfw_pbs_is_above(const struct lxfw_pbs_kind *kind, const char *value, bool up)
{
	int64_t number;

	return (kind->place >= 0 || kind->place == LXFW_PBS_PROCS ||
		kind->place == LXFW_PBS_MEMORY) &&
	       lxfw_pbs_amount(kind->type, value, up, &number) && number > lxfw_pbs_bound(kind);
}

bool lxfw_pbs_count(const struct lxfw_pbs_kind *kind, const char *value, bool up,
		    struct lxfw_resources *amount)
{
	int32_t *counter = kind->place == LXFW_PBS_PROCS ? &amount->procs :
			   kind->place >= 0 ? &amount->extras[kind->place] : NULL;
	int64_t number;

	if (!lxfw_pbs_amount(kind->type, value, up, &number))
		return false;
	if (kind->place == LXFW_PBS_MEMORY) {
		number = bounded(number, amount->memory_mb, lxfw_pbs_bound(kind), up);
		amount->memory_mb += number < 0 ? 0 : number;
		return number >= 0;
	}
	if (!counter)
		return false;
	number = bounded(number, *counter, lxfw_pbs_bound(kind), up);
	*counter += number < 0 ? 0 : (int32_t)number;
	return number >= 0;
}
