/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of keys: everything that is known of a parameter stands in one row of it.
 * Parsing, ranges, the text in a journal, `lxfw params`, shell completion, what
 * `lxfw tune` searches and what the plugin refuses follow from the row.
 * lxfw-params(5) explains each key at length; tests/unit/pages.sh compares the two.
 */
#ifndef LXFW_PARAMS_KEYS_H
#define LXFW_PARAMS_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/params/params.h"

/* What the value of a key is, and the type of its field in struct lxfw_params. */
enum lxfw_key_kind {
	LXFW_KEY_POLICY,	/* name of a policy; enum lxfw_policy */
	LXFW_KEY_WEIGHT,	/* decimal number of at most 15 digits; double */
	LXFW_KEY_NUMBER,	/* whole number from `min` to `max`; int64_t */
	LXFW_KEY_COUNT,		/* the same, or "all", LXFW_RESERVATIONS_ALL; int32_t */
	LXFW_KEY_CHOICE,	/* one of `words`, by its index; an enumeration */
	LXFW_KEY_NAMES,		/* names with a colon between two; no field */
	LXFW_KEY_PATH,		/* a file; no field */
};

/* Which policies a key means something to: those with all of its groups. */
enum {
	LXFW_KEYS_WEIGHTS = 1 << 0,
	LXFW_KEYS_RESERVATIONS = 1 << 1,
	LXFW_KEYS_QUANTUM = 1 << 2,
	LXFW_KEYS_PARTITION = 1 << 3,
	LXFW_KEYS_RESERVATION_MODE = 1 << 4,
	/* of a policy that reserves for a number of jobs */
	LXFW_KEYS_BACKFILL = LXFW_KEYS_RESERVATIONS |
			     LXFW_KEYS_RESERVATION_MODE | LXFW_KEYS_QUANTUM,
};

/* When `lxfw tune` searches a key unless it is told otherwise. */
enum lxfw_key_search {
	LXFW_SEARCH_NEVER,
	LXFW_SEARCH_ALWAYS,
	LXFW_SEARCH_MEMORY,	/* where memory is counted */
	LXFW_SEARCH_QUANTUM,	/* where quanta are searched */
};

/* Of lxfw_eq_multi_node, which has no field. */
enum lxfw_multi_node {
	LXFW_MULTI_NODE_RIGID,
	LXFW_MULTI_NODE_REFUSE,
};

/* `field` of a key whose value only an adapter reads, with lxfw_params_value() or
   lxfw_params_number(). */
#define LXFW_KEY_NO_FIELD SIZE_MAX

struct lxfw_key {
	const char *name;
	enum lxfw_key_kind kind;
	unsigned groups;	/* LXFW_KEYS_*; 0: means something to all policies */
	size_t field;		/* offset in struct lxfw_params */
	int64_t min, max;	/* of numbers and counts; of weights, 0 to `max` */
	int64_t preset;		/* unless the policy has its own, see
				   lxfw_params_preset(); index of a choice; where it
				   is below `min`: none */
	int64_t live_min;	/* least value on a live cluster, where that is more
				   than `min` */
	const char *unit;	/* of numbers; NULL: a plain number */
	const char *words;	/* of choices, "off|soon|preempt" */
	const char *values;	/* that `lxfw tune` searches, as its --vary has them */
	enum lxfw_key_search search;
	const char *help;	/* one line, without a full stop */
};

/* Room for as many keys as the table may have. */
#define LXFW_KEYS_MAX 64

extern const struct lxfw_key lxfw_keys[];
extern const int lxfw_key_count;

/* The key of that name, or NULL. */
const struct lxfw_key *lxfw_key_find(const char *name, size_t length);

/* Add what values the key takes, such as "whole seconds from 0 to 86400". */
void lxfw_key_expected(const struct lxfw_key *key, struct lxfw_error *error);

/* Whether the key means something to the policy. If not and WHY is not NULL, it is
   pointed at the reason, which follows the policy's name: " has no weights". */
bool lxfw_key_means(const struct lxfw_key *key, enum lxfw_policy policy,
		    const char **why);

/* The value of a key that has a field; of a weight only with lxfw_key_weight(). */
int64_t lxfw_key_get(const struct lxfw_key *key, const struct lxfw_params *params);
double lxfw_key_weight(const struct lxfw_key *key, const struct lxfw_params *params);
void lxfw_key_set(const struct lxfw_key *key, struct lxfw_params *params,
		  int64_t value);

/* Whether the parameters have a value of the key that a live cluster cannot have. */
bool lxfw_key_too_small(const struct lxfw_key *key, const struct lxfw_params *params);

/* The value of a key that has a field, as parsing takes it, into TEXT of
   LXFW_KEY_VALUE_SIZE bytes. -1 with errno EINVAL if it cannot be written: a weight of
   more than 15 digits, or out of range. */
#define LXFW_KEY_VALUE_SIZE 80
int lxfw_key_print(const struct lxfw_key *key, const struct lxfw_params *params,
		   char *text);

/* The number that a value of LENGTH bytes of a number, count or choice stands for. False
   if the key does not take it. */
bool lxfw_key_number(const struct lxfw_key *key, const char *value, int length,
		     int64_t *number);

/* Read a value of LENGTH bytes, into *PARAMS where the key has a field. False if the key
   does not take it. With lxfw_params_read() a policy brings its preset. */
bool lxfw_key_read(const struct lxfw_key *key, const char *value, int length,
		   struct lxfw_params *params);
bool lxfw_params_read(struct lxfw_params *params, const struct lxfw_key *key,
		      const char *value, int length);

/* What of a policy's preset is not that of the table, as items; NULL: nothing. */
const char *lxfw_policy_preset(enum lxfw_policy policy);

#endif
