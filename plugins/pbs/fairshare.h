/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair share as pbs_sched has it: a tree of groups with shares, whose leaves are entities, such
 * as users, with usage. Lines of the file resource_group add groups and entities:
 *
 *   NAME NUMBER PARENT SHARES	(PARENT "root" is the root; the number is not used)
 *
 * An entity without a line is in the group "unknown". The usage of a group is that of its
 * entities. It begins with 1, and decays from time to time.
 */
#ifndef LXFW_PBS_FAIRSHARE_H
#define LXFW_PBS_FAIRSHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

/* Longest name in the file of usage, with its end. */
#define LXFW_PBS_ENTITY_SIZE 50

struct lxfw_pbs_entity {
	char *name;
	int32_t parent;		/* a lower index; -1: the root, which is the first */
	bool group;		/* it has entities */
	int64_t shares;
	double of_group;	/* share of its parent */
	double share;		/* of everything: fairshare_perc */
	double usage;
	double factor;		/* usage and that of its parents: fairshare_tree_usage */
};

struct lxfw_pbs_fairshare {
	struct lxfw_pbs_entity *entity;
	size_t count, size;
	int64_t last_decay;	/* 0: unknown */
};

/* Begins a tree with the root and the group of unknown entities. Returns false if memory ran
   out. */
bool lxfw_pbs_fairshare_begin(struct lxfw_pbs_fairshare *tree, int64_t unknown_shares);
void lxfw_pbs_fairshare_clear(struct lxfw_pbs_fairshare *tree);

/* Adds a line of resource_group. Returns 0; or -1 with *WHY set, and the line ignored. */
int lxfw_pbs_fairshare_line(struct lxfw_pbs_fairshare *tree, const char *line,
			    struct lxfw_error *why);

/* Returns the entity NAME, which is added if necessary; NULL if memory ran out. It is valid until
   the next one is added. */
struct lxfw_pbs_entity *lxfw_pbs_fairshare_find(struct lxfw_pbs_fairshare *tree,
						const char *name);

/* Adds usage to the entity NAME and its groups. Returns false if memory ran out. */
bool lxfw_pbs_fairshare_add(struct lxfw_pbs_fairshare *tree, const char *name, double usage);
/* Multiplies all usage by FACTOR; it stays 1 at least. */
void lxfw_pbs_fairshare_decay(struct lxfw_pbs_fairshare *tree, double factor);
/* Computes shares and factors. Must follow other changes. */
void lxfw_pbs_fairshare_compute(struct lxfw_pbs_fairshare *tree);

/* 2 to the power of minus factor by share, 0 to 1: fairshare_factor. 0 without shares. */
double lxfw_pbs_fairshare_factor(const struct lxfw_pbs_entity *entity);
/* Whether the entity has used more than its share. */
bool lxfw_pbs_fairshare_over(const struct lxfw_pbs_fairshare *tree,
			     const struct lxfw_pbs_entity *entity);

/* Reads the file of usage of pbs_sched, LENGTH bytes, into a tree without usage. Returns 0, or -1
   with *WHY set: what was valid before the error has been read. */
int lxfw_pbs_usage_read(struct lxfw_pbs_fairshare *tree, const void *bytes, size_t length,
			struct lxfw_error *why);
/* Makes such a file. Returns the bytes, which the caller frees, or NULL if memory ran out. */
char *lxfw_pbs_usage_write(const struct lxfw_pbs_fairshare *tree, size_t *length);

#endif
