/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The resources of a site: which of them are counted, and where the library counts them.
 * ncpus are processors, mem is memory; ngpus and the first consumable resources that the
 * site has defined are extras.
 */
#ifndef LXFW_PBS_KINDS_H
#define LXFW_PBS_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

enum lxfw_pbs_type {
	LXFW_PBS_BOOLEAN,
	LXFW_PBS_LONG,
	LXFW_PBS_SIZE,
	LXFW_PBS_STRING,
	LXFW_PBS_STRINGS,	/* several strings, separated by commas */
	LXFW_PBS_FLOAT,		/* a decimal number; amounts are thousandths */
	LXFW_PBS_OTHER,		/* cannot be represented */
};

/* The mask of the extras that are GPUs: ngpus is the first one. */
#define LXFW_PBS_GPUS 1

/* Values of `place` other than the index of an extra. */
enum {
	LXFW_PBS_PROCS = -1,
	LXFW_PBS_MEMORY = -2,
	LXFW_PBS_UNCOUNTED = -3,	/* a property of hosts */
	LXFW_PBS_IGNORED = -4,		/* does not concern the choice of hosts */
	LXFW_PBS_UNKNOWN = -5,		/* counted, but the library has no room for it */
	LXFW_PBS_POOLED = -6,		/* counted for all hosts together (pools.h) */
};

struct lxfw_pbs_kind {
	char *name;
	enum lxfw_pbs_type type;
	int place;
	bool first;		/* only the first chunk of a job uses it */
};

struct lxfw_pbs_kinds {
	struct lxfw_pbs_kind *kind;
	size_t count, size;
	int extras;		/* number of those in use */
};

/* Sets the resources that every server has. Returns false if memory runs out. */
bool lxfw_pbs_kinds_init(struct lxfw_pbs_kinds *kinds);
void lxfw_pbs_kinds_clear(struct lxfw_pbs_kinds *kinds);

/* Adds a resource of the server. TYPE and FLAGS are the numbers that it reports. A known
   name is not changed. Returns false if memory runs out. */
bool lxfw_pbs_kinds_add(struct lxfw_pbs_kinds *kinds, const char *name, const char *type,
			const char *flags);

/* Returns the resource, or NULL. */
const struct lxfw_pbs_kind *lxfw_pbs_kind(const struct lxfw_pbs_kinds *kinds,
					  const char *name);

/* Removes what only the first chunk of a job uses. */
void lxfw_pbs_without_first(const struct lxfw_pbs_kinds *kinds, struct lxfw_resources *amount);

/* Reads an amount of such a resource: sizes in MiB, decimal numbers in thousandths, rounded up if
   UP, else down. Returns false if the value is invalid. */
bool lxfw_pbs_amount(enum lxfw_pbs_type type, const char *value, bool up, int64_t *amount);

/* Returns true if resources of the type can be counted. */
static inline bool lxfw_pbs_is_countable(enum lxfw_pbs_type type)
{
	return type == LXFW_PBS_LONG || type == LXFW_PBS_SIZE || type == LXFW_PBS_FLOAT;
}

/* Adds an amount of a counted resource, VALUE, to *AMOUNT, read as by lxfw_pbs_amount(). Processors
   have a bound of 2^20, extras of 2^28 (256 TiB of a size, 268435 of a decimal number) and memory
   of 2^40 MiB: if UP, an amount that is too large returns false; else it is the bound. Returns
   false if the value is invalid. */
bool lxfw_pbs_count(const struct lxfw_pbs_kind *kind, const char *value, bool up,
		    struct lxfw_resources *amount);

/* The bound of a counted resource, in its unit: MiB of a size, thousandths of a decimal number. */
int64_t lxfw_pbs_bound(const struct lxfw_pbs_kind *kind);
/* Its unit as text: "mb", " thousandths" or "". */
const char *lxfw_pbs_unit(const struct lxfw_pbs_kind *kind);
/* Returns true if VALUE can be read and is above the bound, or above the range of numbers. */
bool lxfw_pbs_is_above(const struct lxfw_pbs_kind *kind, const char *value, bool up);

/* Adds what a vnode has to what its host has, which is bounded as well. */
void lxfw_pbs_add_vnode(struct lxfw_resources *sum, const struct lxfw_resources *amount);

#endif
