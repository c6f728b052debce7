/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The items of SchedulerParameters of slurm.conf(5) that are not lxfw_* keys, and the effect
 * of each under sched/lxfw. The table has all items of Slurm 22.05 to 26.05. The
 * plugin's messages and `lxfw check-conf` use it, and sched_lxfw(8) contains it
 * (tests/unit/test_parameters.c compares the two). This folder does not depend on Slurm.
 */
#ifndef LXFW_SLURM_PARAMETERS_H
#define LXFW_SLURM_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tiers of the library for each PriorityTier of a partition. A job without a priority of its
   own that is set by hand is in the first of them. */
#define LXFW_PARAMETERS_TIERS 3

enum lxfw_parameter_use {
	LXFW_PARAMETER_SLURM,	/* read by Slurm itself; effective under any scheduler */
	LXFW_PARAMETER_READ,	/* read by the plugin, with the same meaning */
	LXFW_PARAMETER_ALWAYS,	/* the plugin always works as with this item */
	LXFW_PARAMETER_NONE,	/* no effect */
};

struct lxfw_parameter {
	const char *name;
	enum lxfw_parameter_use use;
	const char *key;	/* READ: the lxfw_* key that it sets, or NULL: the bridge
				   reads it. NONE: the lxfw_* key with which a similar
				   effect is achieved, or NULL. Otherwise NULL */
	int64_t unit;		/* READ: factor from its value to that of `key`; 0: it has
				   no value */
	const char *why;	/* NONE: the reason. READ and ALWAYS: details, or NULL */
};

extern const struct lxfw_parameter lxfw_parameters[];
extern const size_t lxfw_parameter_count;

/* The row of a name of LENGTH bytes, in upper or lower case, or NULL. */
const struct lxfw_parameter *lxfw_parameter_find(const char *name, size_t length);

/* An item that Slurm reads, in upper or lower case, but from KEY of slurm.conf. */
struct lxfw_parameter_moved {
	const char *name, *key;
};

extern const struct lxfw_parameter_moved lxfw_parameters_moved[];
extern const size_t lxfw_parameters_moved_count;

/* The key of slurm.conf from which Slurm reads a name of LENGTH bytes, or NULL. */
const char *lxfw_parameter_elsewhere(const char *name, size_t length);

/* The item of Slurm's or the lxfw_* key that an unknown name of LENGTH bytes probably means,
   or NULL. */
const char *lxfw_parameter_nearest(const char *name, size_t length);

/* An item of SchedulerParameters without the spaces around it. */
struct lxfw_parameter_item {
	const char *at;
	size_t length;
	size_t name;		/* length up to '=' */
};

/* Takes the next item from *TEXT. Returns false at the end. */
bool lxfw_parameters_next(const char **text, struct lxfw_parameter_item *item);

/* Whether TEXT has the item NAME, in upper or lower case; and the value of the first such
   item, or OTHERWISE if there is none or it is not a whole number of at most 18 digits. */
bool lxfw_parameters_has(const char *text, const char *name);
int64_t lxfw_parameters_number(const char *text, const char *name, int64_t otherwise);

/*
 * Returns TEXT with lxfw_* keys for the items that set one, for lxfw_params_parse(). A key
 * that TEXT has, that does not apply to its policy, or that does not permit the value, is
 * not added. The caller frees it. Returns NULL if memory runs out.
 */
char *lxfw_parameters_translate(const char *text);

/* Why ITEM of TEXT, of the table's ROW, has no effect: "lxfw_interval is similar", "not a
   number"; NULL if it has. */
const char *lxfw_parameter_idle(const char *text, const struct lxfw_parameter_item *item,
				const struct lxfw_parameter *row);

/* Returns the items of TEXT without effect and the reasons, "bf_interval=30 (use
   lxfw_interval), ...", or "" if there are none. The caller frees it. Returns NULL if
   memory runs out. */
char *lxfw_parameters_idle(const char *text);

/* Returns the items of TEXT that neither Slurm nor sched/lxfw has, with what they probably
   mean, "ww=300 (did you mean lxfw_ww?), ...", or "" if there are none. An item that begins
   with "lxfw" is not among them: lxfw_params_parse() rejects it if it is unknown. The caller
   frees the text. Returns NULL if memory runs out. */
char *lxfw_parameters_unknown(const char *text);

#endif
