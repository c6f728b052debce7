/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of keys. A row describes a parameter completely: parsing, ranges, the text in
 * a journal, `lxfw params`, shell completion, the values that `lxfw tune` searches and
 * those that the plugin refuses are derived from it. lxfw-params(5) explains each key;
 * tests/unit/pages.sh compares the page with the table.
 */
#ifndef LXFW_PARAMS_KEYS_H
#define LXFW_PARAMS_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/params/params.h"

/* The type of a value, and of its field in struct lxfw_params. */
enum lxfw_key_kind {
	LXFW_KEY_POLICY,	/* name of a policy; enum lxfw_policy */
	LXFW_KEY_WEIGHT,	/* decimal number of at most 15 digits; double */
	LXFW_KEY_NUMBER,	/* integer from `min` to `max`; int64_t */
	LXFW_KEY_COUNT,		/* the same, or "all" for LXFW_RESERVATIONS_ALL;
				   int32_t */
	LXFW_KEY_CHOICE,	/* one of `words`, stored as its index; an enumeration */
	LXFW_KEY_NAMES,		/* names separated by colons; no field */
	LXFW_KEY_PATH,		/* path of a file; no field */
};

/* Groups of keys. A key applies to the policies that have all of its groups. */
enum {
	LXFW_KEYS_WEIGHTS = 1 << 0,
	LXFW_KEYS_RESERVATIONS = 1 << 1,
	LXFW_KEYS_QUANTUM = 1 << 2,
	LXFW_KEYS_PARTITION = 1 << 3,
	LXFW_KEYS_RESERVATION_MODE = 1 << 4,
	LXFW_KEYS_PLACING = 1 << 5,
	LXFW_KEYS_LIST = 1 << 6,
	LXFW_KEYS_GANG = 1 << 7,
	LXFW_KEYS_REMAINING = 1 << 8,
	LXFW_KEYS_MOLD = 1 << 9,
	LXFW_KEYS_TIERS = 1 << 10,
	LXFW_KEYS_CYCLES = 1 << 11,
	LXFW_KEYS_AGE = 1 << 12,
	/* policies with a number of reservations */
	LXFW_KEYS_BACKFILL = LXFW_KEYS_RESERVATIONS |
			     LXFW_KEYS_RESERVATION_MODE | LXFW_KEYS_QUANTUM |
			     LXFW_KEYS_PLACING,
};

/* When `lxfw tune` searches a key by default. */
enum lxfw_key_search {
	LXFW_SEARCH_NEVER,
	LXFW_SEARCH_ALWAYS,
	LXFW_SEARCH_MEMORY,	/* if memory is counted */
	LXFW_SEARCH_GPUS,	/* if hosts have GPUs */
	LXFW_SEARCH_QUANTUM,	/* if quanta are searched */
	LXFW_SEARCH_PRESETS,	/* with the presets only, after the search */
};

/* Values of lxfw_eq_multi_node, which has no field. */
enum lxfw_multi_node {
	LXFW_MULTI_NODE_RIGID,
	LXFW_MULTI_NODE_REFUSE,
};

/* `field` of a key that only adapters read, with lxfw_params_value() or
   lxfw_params_number(). */
#define LXFW_KEY_NO_FIELD SIZE_MAX

struct lxfw_key {
	const char *name;
	enum lxfw_key_kind kind;
	unsigned groups;	/* LXFW_KEYS_*; 0: the key applies to all policies */
	size_t field;		/* offset in struct lxfw_params */
	int64_t min, max;	/* of numbers and counts; the range of weights is 0 to
				   `max` */
	int64_t preset;		/* unless the policy has its own, see
				   lxfw_params_preset(); the index of a choice; below
				   `min`: none */
	int64_t live_min;	/* minimum on a live cluster, if larger than `min` */
	int64_t live_words;	/* number of choices that a live cluster accepts, the first
				   ones of `words`; 0: all */
	const char *unit;	/* of numbers; NULL: no unit */
	const char *words;	/* of choices: "off|soon|preempt" */
	const char *values;	/* that `lxfw tune` searches, in the form of --vary */
	enum lxfw_key_search search;
	const char *help;	/* one line, without a full stop */
};

/* The most keys that the table may have. */
#define LXFW_KEYS_MAX 64

extern const struct lxfw_key lxfw_keys[];
extern const int lxfw_key_count;

/* The key with this name, or NULL. */
const struct lxfw_key *lxfw_key_find(const char *name, size_t length);

/* Append the values that the key accepts, such as "whole seconds from 0 to 86400". */
void lxfw_key_expected(const struct lxfw_key *key, struct lxfw_error *error);

/* Whether the key applies to the policy. If it does not and WHY is not NULL, *WHY is set
   to the reason, which follows the policy's name in messages: " has no weights". */
bool lxfw_key_means(const struct lxfw_key *key, enum lxfw_policy policy,
		    const char **why);

/* Read and set the value of a key that has a field. Weights are read with
   lxfw_key_weight() only. */
int64_t lxfw_key_get(const struct lxfw_key *key, const struct lxfw_params *params);
double lxfw_key_weight(const struct lxfw_key *key, const struct lxfw_params *params);
void lxfw_key_set(const struct lxfw_key *key, struct lxfw_params *params,
		  int64_t value);

/* Whether the key changes what is decided. The others are about a live cluster's files and
   about whether the decisions are carried out. */
bool lxfw_key_simulated(const struct lxfw_key *key);

/* Whether the key has a value that a live cluster refuses. */
bool lxfw_key_not_live(const struct lxfw_key *key, const struct lxfw_params *params);

/* Append the values that a live cluster accepts of a key with `live_min` or `live_words`:
   "10 or more", or "procs"; nothing for other keys. */
void lxfw_key_live(const struct lxfw_key *key, struct lxfw_error *error);

/* Write the value of a key that has a field into TEXT of LXFW_KEY_VALUE_SIZE bytes, in
   the form that parsing accepts. Returns 0, or -1 with errno EINVAL if it is out of range
   or a weight of more than 15 digits. */
#define LXFW_KEY_VALUE_SIZE 80
int lxfw_key_print(const struct lxfw_key *key, const struct lxfw_params *params,
		   char *text);

/* Convert a value of LENGTH bytes of a number, count or choice. Returns false if the
   value is invalid for the key. */
bool lxfw_key_number(const struct lxfw_key *key, const char *value, int length,
		     int64_t *number);

/* Read a value of LENGTH bytes into *PARAMS if the key has a field. Returns false if the
   value is invalid for the key. lxfw_params_read() also applies the preset if the key is
   the policy. */
bool lxfw_key_read(const struct lxfw_key *key, const char *value, int length,
		   struct lxfw_params *params);
bool lxfw_params_read(struct lxfw_params *params, const struct lxfw_key *key,
		      const char *value, int length);

/* The values of a policy's preset that differ from the table, as items. NULL: none. */
const char *lxfw_policy_preset(enum lxfw_policy policy);

#endif
