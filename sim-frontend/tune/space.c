/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/space.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "sim-frontend/tune/priorities.h"
#include "sim-frontend/util/given.h"
#include "sim-frontend/util/random.h"
#include "sim-frontend/util/text.h"

/* For a range from 0: the fraction of zeros, and the ratio of the smallest other value
   to the upper end. */
#define ZEROS 0.33
#define ORDERS 1e-3

/* Fraction of the first of several policies. */
#define FIRST_POLICY 0.75

static const char policy_key[] = "lxfw_policy";
static const char mode_key[] = "lxfw_quantum_mode";

/* ---- lines --------------------------------------------------------------------- */

struct line {
	char text[LXFW_TUNE_LINE_SIZE];
	size_t length;
};

static void put(struct line *line, const char *item, size_t length)
{
	if (line->length + length + 2 > sizeof(line->text))
		return;		/* lxfw_tune_site_line() rejected it */
	if (line->length > 0)
		line->text[line->length++] = ',';
	memcpy(line->text + line->length, item, length);
	line->length += length;
	line->text[line->length] = '\0';
}

int lxfw_tune_read_line(const char *line, struct lxfw_params *params,
			struct lxfw_error *error)
{
	lxfw_params_default(params);
	return lxfw_params_parse(params, line, NULL, NULL, error);
}

static bool is_key(const char *item, size_t length, const char *key)
{
	size_t name = strcspn(item, "=, \t");

	return name <= length && strlen(key) == name &&
	       memcmp(item, key, name) == 0;
}

/* Returns whether ITEM is valid for the policy, and whether it changes a parameter. */
static bool means(const struct lxfw_tune_space *space, const char *policy,
		  const char *item, size_t length, bool *changes)
{
	struct line line = { .length = 0 };
	struct lxfw_params before, after;

	put(&line, policy, strlen(policy));
	if (lxfw_tune_read_line(line.text, &before, NULL))
		return false;
	put(&line, item, length);
	if (lxfw_tune_is_priority(item, length))
		return space->priorities && lxfw_params_site(&before) != 0 &&
		       lxfw_tune_priority_means(&space->priorities->params,
						line.text, changes);
	if (lxfw_tune_read_line(line.text, &after, NULL))
		return false;
	*changes = !lxfw_params_same(&before, &after);
	return true;
}

/* Appends the site's items that are not searched. */
static void put_site(const struct lxfw_tune_space *space, struct line *line,
		     const char *policy)
{
	const char *at = space->site;

	for (;;) {
		size_t length = strcspn(at += strspn(at, " \t"), ",");
		bool ours = is_key(at, length, policy_key), changes;

		for (int i = 0; i < space->count && !ours; i++)
			ours = is_key(at, length, space->keys[i].name);
		if (length > 0 && !ours && means(space, policy, at, length, &changes))
			put(line, at, length);
		if (at[length] == '\0')
			break;
		at += length + 1;
	}
}

/* ---- values -------------------------------------------------------------------- */

/* Formats three digits without an exponent, so that the text is read back as the same
   value. */
static void three_digits(double value, char *text, size_t size)
{
	int after = 2;
	double rest = value;

	for (; rest < 1 && rest > 0 && after < 12; rest *= 10)
		after++;
	for (; rest >= 10 && after > 0; rest /= 10)
		after--;
	snprintf(text, size, "%.*f", after, value);
	if (strchr(text, '.')) {
		size_t length = strlen(text);

		while (text[length - 1] == '0')
			length--;
		if (text[length - 1] == '.')
			length--;
		text[length] = '\0';
	}
}

static double least_of(const struct lxfw_tune_key *key)
{
	return key->low > 0 ? key->low : key->high * ORDERS;
}

static int value_at(const struct lxfw_tune_key *key, double gene)
{
	int index;

	if (strcmp(key->name, policy_key) == 0 && key->value_count > 1) {
		if (gene < FIRST_POLICY)
			return 0;
		gene = (gene - FIRST_POLICY) / (1 - FIRST_POLICY);
		index = 1 + (int)(gene * (key->value_count - 1));
	} else {
		index = (int)(gene * key->value_count);
	}
	return index < key->value_count ? index : key->value_count - 1;
}

/* Returns the centre of the genes of a value. */
static double gene_at(const struct lxfw_tune_key *key, int value)
{
	if (strcmp(key->name, policy_key) == 0 && key->value_count > 1) {
		if (value == 0)
			return FIRST_POLICY / 2;
		return FIRST_POLICY + (1 - FIRST_POLICY) * (value - 0.5) /
				      (key->value_count - 1);
	}
	return (value + 0.5) / key->value_count;
}

static void make_item(const struct lxfw_tune_key *key, double gene, char *item,
		      size_t size)
{
	double zeros = key->low > 0 ? 0 : ZEROS, value = 0;
	char number[32];

	if (key->values) {
		snprintf(item, size, "%s=%s", key->name,
			 key->values[value_at(key, gene)]);
		return;
	}
	if (gene >= zeros && key->high > 0)
		value = least_of(key) *
			lxfw_random_power(key->high / least_of(key),
					  (gene - zeros) / (1 - zeros));
	if (lxfw_tune_is_priority_weight(key->name))
		value = round(value);
	three_digits(value, number, sizeof(number));
	snprintf(item, size, "%s=%s", key->name, number);
}

/* Keys that are stated even if they equal the preset. */
static bool always_told(const char *name)
{
	return strcmp(name, "lxfw_ww") == 0 || strcmp(name, "lxfw_wx") == 0 ||
	       strcmp(name, mode_key) == 0;
}

/* Determines from GENES whether the setting uses quanta and preemption, as far as
   these are searched. */
static void read_service(const struct lxfw_tune_space *space, const double *genes,
			 bool *serves, bool *preempts)
{
	*serves = *preempts = true;
	for (int i = 0; i < space->count; i++) {
		char item[128];

		make_item(&space->keys[i], genes[i], item, sizeof(item));
		if (strcmp(item, "lxfw_quantum=0") == 0)
			*serves = false;
		else if (strcmp(space->keys[i].name, mode_key) == 0)
			*preempts = strcmp(item, "lxfw_quantum_mode=preempt") == 0;
	}
}

static bool begins_with(const char *name, const char *beginning)
{
	return strncmp(name, beginning, strlen(beginning)) == 0;
}

static void put_genes(const struct lxfw_tune_space *space, struct line *line,
		      const char *policy, const double *genes)
{
	bool serves, preempts;

	read_service(space, genes, &serves, &preempts);
	for (int i = 0; i < space->count; i++) {
		const struct lxfw_tune_key *key = &space->keys[i];
		char item[128];
		bool changes;

		if (strcmp(key->name, policy_key) == 0)
			continue;
		make_item(key, genes[i], item, sizeof(item));
		if ((begins_with(key->name, "lxfw_quantum_") && !serves) ||
		    (begins_with(key->name, "lxfw_victim_") &&
		     !(serves && preempts)) ||
		    (space->priorities &&
		     !lxfw_tune_priority_counts(&space->priorities->params, line->text,
						key->name)) ||
		    !means(space, policy, item, strlen(item), &changes))
			continue;
		if (changes || always_told(key->name))
			put(line, item, strlen(item));
	}
}

char *lxfw_tune_space_line(const struct lxfw_tune_space *space,
			   const double *genes)
{
	struct line line = { .length = 0 };
	char policy[64] = "lxfw_policy=lxfw";

	for (int i = 0; i < space->count; i++) {
		if (strcmp(space->keys[i].name, policy_key) == 0)
			make_item(&space->keys[i], genes[i], policy,
				  sizeof(policy));
	}
	put_site(space, &line, policy);
	put(&line, policy, strlen(policy));
	put_genes(space, &line, policy, genes);
	return strdup(line.text);
}

/* Sets POLICY to the item of the preset with index NUMBER. Returns false if there is none. */
static bool preset_at(const struct lxfw_tune_space *space, int number, char *policy,
		      size_t size)
{
	static const char *const presets[] = {
		"easy", "lxfw", "priority", "sjf", "conservative",
	};
	const struct lxfw_tune_key *key = &space->keys[0];
	int of_list = space->own_policies ? key->value_count : 0;
	int all = of_list ? of_list : (int)(sizeof(presets) / sizeof(*presets));

	if (number >= all || number >= LXFW_TUNE_PRESETS_MAX)
		return false;
	snprintf(policy, size, "lxfw_policy=%s",
		 of_list ? key->values[number] : presets[number]);
	return true;
}

/* Appends the line of a preset, with ITEM unless it is empty, to COUNT lines. Returns the new
   number, or -1 with errno ENOMEM and all lines freed. */
static int add_preset(const struct lxfw_tune_space *space, const char *policy,
		      const char *item, char **lines, int count)
{
	struct line line = { .length = 0 };

	put_site(space, &line, policy);
	put(&line, policy, strlen(policy));
	if (*item)
		put(&line, item, strlen(item));
	lines[count] = strdup(line.text);
	if (lines[count])
		return count + 1;
	while (count > 0)
		free(lines[--count]);
	return -1;
}

int lxfw_tune_space_presets(const struct lxfw_tune_space *space, char **lines)
{
	char policy[64];
	int count = 0;

	for (int i = 0; count >= 0 && preset_at(space, i, policy, sizeof(policy)); i++)
		count = add_preset(space, policy, "", lines, count);
	return count;
}

/* Adds the values of a key to the presets for which it has an effect. */
static int add_values(const struct lxfw_tune_space *space, const struct lxfw_key *key,
		      char **lines, int count)
{
	char policy[64], item[128];

	for (int i = 0; preset_at(space, i, policy, sizeof(policy)); i++) {
		const char *at = key->values;

		for (size_t length; *at && count >= 0 && count < LXFW_TUNE_AFTER_MAX;
		     at += length + (at[length] != '\0')) {
			bool changes = false;

			length = strcspn(at, "/");
			snprintf(item, sizeof(item), "%s=%.*s", key->name, (int)length, at);
			if (means(space, policy, item, strlen(item), &changes) && changes)
				count = add_preset(space, policy, item, lines, count);
		}
	}
	return count;
}

int lxfw_tune_space_after(const struct lxfw_tune_space *space, char **lines)
{
	int count = 0, length;

	for (int i = 0; i < lxfw_key_count && count >= 0; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];

		if (key->search == LXFW_SEARCH_PRESETS &&
		    !lxfw_tune_space_has(space, key->name) &&
		    !lxfw_params_value(space->site, key->name, &length))
			count = add_values(space, key, lines, count);
	}
	return count;
}

/* What a line sets: parameters, and priorities of the workload manager. */
struct set {
	struct lxfw_params params;
	struct lxfw_multifactor_params priorities;
};

static double weight_of(const struct set *set, const char *name)
{
	const struct lxfw_key *key = lxfw_key_find(name, strlen(name));
	const struct lxfw_params *params = &set->params;

	if (lxfw_tune_is_priority_weight(name))
		return lxfw_tune_priority_weight(&set->priorities, name);

	return key && key->kind == LXFW_KEY_WEIGHT ?
		       lxfw_key_weight(key, params) : 0;
}

/* Returns the index of the value that leaves SET unchanged, 0 if there is none. */
static int nearest_value(const struct lxfw_tune_key *key, const struct set *set)
{
	const struct lxfw_params *params = &set->params;

	for (int i = 0; i < key->value_count; i++) {
		struct lxfw_multifactor_params priorities = set->priorities;
		struct lxfw_params with = *params;
		char item[128];

		if (strcmp(key->name, policy_key) == 0) {
			if (strcmp(key->values[i],
				   lxfw_policy_name(params->policy)) == 0)
				return i;
			continue;
		}
		snprintf(item, sizeof(item), "%s=%s", key->name, key->values[i]);
		if (lxfw_params_parse(&with, item, NULL, NULL, NULL) == 0 &&
		    lxfw_tune_priority_read(item, &priorities, NULL) == 0 &&
		    lxfw_params_same(&with, params) &&
		    lxfw_tune_priority_same(&priorities, &set->priorities))
			return i;
	}
	return 0;
}

void lxfw_tune_space_genes(const struct lxfw_tune_space *space,
			   const char *line, double *genes)
{
	struct set set = { .priorities = lxfw_multifactor_defaults };

	lxfw_tune_read_line(line, &set.params, NULL);
	if (space->priorities)
		set.priorities = space->priorities->params;
	lxfw_tune_priority_read(line, &set.priorities, NULL);
	for (int i = 0; i < space->count; i++) {
		const struct lxfw_tune_key *key = &space->keys[i];
		double zeros = key->low > 0 ? 0 : ZEROS, value;

		if (key->values) {
			genes[i] = gene_at(key, nearest_value(key, &set));
			continue;
		}
		value = weight_of(&set, key->name);
		if (value < least_of(key)) {
			genes[i] = 0;
			continue;
		}
		genes[i] = zeros + (1 - zeros) *
			lxfw_random_log(value / least_of(key)) /
			lxfw_random_log(key->high / least_of(key));
		if (!(genes[i] < 1))
			genes[i] = 0.999999;
	}
}

/* --- the keys --------------------------------------------------------------------- */

static void clear_key(struct lxfw_tune_key *key)
{
	for (int i = 0; i < key->value_count; i++)
		free(key->values[i]);
	free(key->values);
	key->values = NULL;
	key->value_count = 0;
}

/* Checks the value of a key alone with the policies that are searched. */
static int check_value(const struct lxfw_tune_space *space,
		       const struct lxfw_tune_key *key, const char *value,
		       struct lxfw_error *error)
{
	struct lxfw_multifactor_params priorities = lxfw_multifactor_defaults;
	struct lxfw_params params;
	char item[128];

	if (snprintf(item, sizeof(item), "%s=%s", key->name, value) >=
	    (int)sizeof(item))
		return lxfw_error_format(error, "%s: value too long",
					 key->name);
	if (space->priorities && lxfw_tune_is_priority(key->name, strlen(key->name)))
		return lxfw_tune_priority_read(item, &priorities, error);
	lxfw_params_default(&params);
	if (lxfw_given_parse(&params, item, error))
		return -1;
	if (params.shadow == LXFW_SHADOW_ON)
		return lxfw_error_format(error, "%s: it changes no decision", item);
	if (lxfw_policy_has(params.policy, LXFW_TRAIT_CLASSES))
		return lxfw_error_format(error, "%s: policy classes is not "
					 "supported, expected another policy",
					 item);
	return 0;
}

static int read_range(const struct lxfw_tune_space *space, struct lxfw_tune_key *key,
		      const char *text, const char *dots, struct lxfw_error *error)
{
	const struct lxfw_key *known = lxfw_key_find(key->name,
						     strlen(key->name));
	char low[64];

	snprintf(low, sizeof(low), "%.*s", (int)(dots - text), text);
	if (!known && check_value(space, key, low, error))
		return -1;
	if ((!known || known->kind != LXFW_KEY_WEIGHT) &&
	    !(space->priorities && lxfw_tune_is_priority_weight(key->name)))
		return lxfw_error_format(error, "%s: a range, expected values "
			"separated by '/': only weights have ranges",
			key->name);
	if (check_value(space, key, low, error) ||
	    check_value(space, key, dots + 2, error))
		return -1;
	key->low = strtod(low, NULL);
	key->high = strtod(dots + 2, NULL);
	if (!(key->low < key->high))
		return lxfw_error_format(error, "%s=%s: expected a range from "
					 "the lower to the higher number",
					 key->name, text);
	return 0;
}

static int read_list(const struct lxfw_tune_space *space, struct lxfw_tune_key *key,
		     const char *text, struct lxfw_error *error)
{
	for (;;) {
		size_t length = strcspn(text, "/");
		char **values = realloc(key->values, sizeof(*values) *
					((size_t)key->value_count + 1));
		char *value = lxfw_text_trimmed(text, length);

		if (values)
			key->values = values;
		if (!values || !value) {
			free(value);
			errno = ENOMEM;
			lxfw_error_set(error, "out of memory");
			return -1;
		}
		for (int i = 0; i < key->value_count; i++) {
			if (strcmp(key->values[i], value) == 0) {
				lxfw_error_format(error, "%s=%s: given twice",
						  key->name, value);
				free(value);
				return -1;
			}
		}
		key->values[key->value_count++] = value;
		if (check_value(space, key, value, error))
			return -1;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

/* Returns the key NAME, which is added if it is new. */
static struct lxfw_tune_key *key_of(struct lxfw_tune_space *space,
				    const char *name)
{
	struct lxfw_tune_key *key;

	for (int i = 0; i < space->count; i++) {
		if (strcmp(space->keys[i].name, name) == 0)
			return &space->keys[i];
	}
	if (space->count == LXFW_GENES_MAX)
		return NULL;
	key = &space->keys[space->count++];
	*key = (struct lxfw_tune_key) { .low = 0 };
	strcpy(key->name, name);
	return key;
}

/* Parses "KEY=VALUES", in place. */
static int vary_one(struct lxfw_tune_space *space, char *item, bool given,
		    struct lxfw_error *error)
{
	char *values = strchr(item, '='), quoted[60];
	struct lxfw_tune_key wanted = { .low = 0 }, *key;
	const char *dots;

	if (!values || (size_t)(values - item) >= sizeof(wanted.name))
		return lxfw_error_format(error, "'%s', expected KEY=VALUES "
			"such as lxfw_ww=0.01..1 or lxfw_quantum=0/60",
			lxfw_text_quote(quoted, sizeof(quoted), item,
					strlen(item)));
	*values = '\0';
	for (char *end = values++; end > item && (end[-1] == ' ' || end[-1] == '\t');)
		*--end = '\0';
	strcpy(wanted.name, item);
	dots = strstr(values, "..");
	if (dots ? read_range(space, &wanted, values, dots, error) :
		   read_list(space, &wanted, values, error)) {
		clear_key(&wanted);
		return -1;
	}
	key = key_of(space, item);
	if (!key) {
		clear_key(&wanted);
		return lxfw_error_format(error, "more than %d keys",
					 LXFW_GENES_MAX);
	}
	if (key->given) {
		clear_key(&wanted);
		return lxfw_error_format(error, "%s: given twice", item);
	}
	clear_key(key);
	*key = wanted;
	key->given = given;
	return 0;
}

/* GIVEN: by the user, who may not name a key twice. */
static int vary(struct lxfw_tune_space *space, const char *text, bool given,
		struct lxfw_error *error)
{
	for (;;) {
		size_t length = strcspn(text, ",");
		char *item = lxfw_text_trimmed(text, length);
		int failed;

		if (!item) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
		failed = vary_one(space, item, given, error);
		space->own_policies |= !failed && strcmp(item, policy_key) == 0;
		free(item);
		if (failed)
			return -1;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

int lxfw_tune_space_vary(struct lxfw_tune_space *space, const char *text,
			 struct lxfw_error *error)
{
	return vary(space, text, true, error);
}

/* Returns whether VALUE is one of VALUES, "0/60/300". */
static bool has_value(const char *values, const char *value)
{
	size_t length = strlen(value);

	for (;;) {
		if (strcspn(values, "/") == length &&
		    memcmp(values, value, length) == 0)
			return true;
		values += strcspn(values, "/");
		if (*values == '\0')
			return false;
		values++;
	}
}

/* Searches the values of the table of keys, and MORE, "" or "/600". */
static int search(struct lxfw_tune_space *space, const struct lxfw_key *key,
		  const char *more)
{
	char text[128];

	snprintf(text, sizeof(text), "%s=%s%s", key->name, key->values, more);
	return vary(space, text, false, NULL);
}

int lxfw_tune_space_begin(struct lxfw_tune_space *space, const char *site,
			  bool memory, bool gpus)
{
	space->site = strdup(site);
	if (!space->site)
		return -1;
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];

		if ((key->search == LXFW_SEARCH_ALWAYS ||
		     (key->search == LXFW_SEARCH_MEMORY && memory) ||
		     (key->search == LXFW_SEARCH_GPUS && gpus)) &&
		    search(space, key, ""))
			return -1;
	}
	space->own_policies = false;
	return 0;
}

int lxfw_tune_space_quantum(struct lxfw_tune_space *space)
{
	struct lxfw_params site;

	if (lxfw_tune_read_line(space->site, &site, NULL))
		return -1;
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];
		char own[LXFW_KEY_VALUE_SIZE + 1] = "/";

		if (key->search != LXFW_SEARCH_QUANTUM)
			continue;
		if (key->kind != LXFW_KEY_NUMBER || !lxfw_params_serve(&site) ||
		    lxfw_key_print(key, &site, own + 1) ||
		    has_value(key->values, own + 1))
			own[0] = '\0';
		if (search(space, key, own))
			return -1;
	}
	return 0;
}

int lxfw_tune_space_priorities(struct lxfw_tune_space *space,
			       const struct lxfw_multifactor_site *priorities)
{
	const char *values;

	space->priorities = priorities;
	for (int i = 0; (values = lxfw_tune_priority_search(priorities, i)); i++) {
		if (vary(space, values, false, NULL))
			return -1;
	}
	if (vary(space, "lxfw_policy=site/lxfw/easy", false, NULL))
		return -1;
	space->own_policies = false;
	return 0;
}

bool lxfw_tune_space_has(const struct lxfw_tune_space *space, const char *name)
{
	for (int i = 0; i < space->count; i++) {
		if (strcmp(space->keys[i].name, name) == 0)
			return true;
	}
	return false;
}

void lxfw_tune_space_clear(struct lxfw_tune_space *space)
{
	for (int i = 0; i < space->count; i++)
		clear_key(&space->keys[i]);
	free(space->site);
	*space = (struct lxfw_tune_space) { .count = 0 };
}
