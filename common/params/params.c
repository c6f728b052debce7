/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/params/params.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define WEIGHT_MOST 1e6
#define RESERVATIONS_MOST 1000000

/* Below 10^15 a number is exact as a double, and so is every power of ten up to
   10^22: one division then rounds correctly, whatever the locale. */
#define WEIGHT_DIGITS 15

/* A key within this many edits of a known one is taken for a slip of it. */
#define NEAR_EDITS 2
#define KEY_LENGTH_MOST 32

/* What immediate service and EQspatial are by default: the first off until a
   quantum is given, with the values of sections 2.4 and 3; MinInterval as in
   section 4.4. */
#define QUANTUM \
	.quantum_mode = LXFW_QUANTUM_PREEMPT, \
	.quantum_end = LXFW_QUANTUM_REQUEUE, .quantum = 0, \
	.quantum_mem = 1024, .quantum_min_run = 600, \
	.victim_suspensions = 0, .victim_interval = 0, .victim_share = 0
#define PARTITION .eq_min_interval = 300, .eq_full_after = 0

/* What a policy is called, its preset, and which keys mean something to it. */
static const struct policy {
	const char *name;
	struct lxfw_params preset;
	bool weights, reservations, quantum, partition;
	const char *no_reservations;	/* why they mean nothing */
} policies[] = {
	{ "fcfs",
	  { .policy = LXFW_POLICY_FCFS, .reservations = 1, QUANTUM, PARTITION },
	  .quantum = true, .no_reservations = " lets nobody overtake" },
	{ "easy",
	  { .policy = LXFW_POLICY_EASY, .reservations = 1, QUANTUM, PARTITION },
	  .reservations = true, .quantum = true },
	{ "conservative",
	  { .policy = LXFW_POLICY_CONSERVATIVE,
	    .reservations = LXFW_RESERVATIONS_ALL, QUANTUM, PARTITION },
	  .quantum = true, .no_reservations = " reserves for every job" },
	{ "priority",
	  { .policy = LXFW_POLICY_PRIORITY, .reservations = 1,
	    .ww = 1, .wx = 5, .wp = 0.2, QUANTUM, PARTITION },
	  .weights = true, .reservations = true, .quantum = true },
	{ "lxfw",
	  { .policy = LXFW_POLICY_LXFW, .reservations = 1,
	    .ww = 0.0167, .wx = 1, QUANTUM, PARTITION },
	  .weights = true, .reservations = true, .quantum = true },
	{ "sjf",
	  { .policy = LXFW_POLICY_SJF, .reservations = 1, QUANTUM, PARTITION },
	  .reservations = true, .quantum = true },
	{ "eqspatial",
	  { .policy = LXFW_POLICY_EQSPATIAL, .reservations = 1,
	    .ww = 0.0167, .wx = 1, QUANTUM, PARTITION },
	  .weights = true, .reservations = true, .quantum = true,
	  .partition = true },
	{ "classes",
	  { .policy = LXFW_POLICY_CLASSES, .reservations = 1, QUANTUM,
	    PARTITION },
	  .no_reservations = " reserves after the wait that a class is given" },
};

#define POLICY_NAMES \
	"fcfs, easy, conservative, priority, lxfw, sjf, eqspatial, classes"
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A piece of the text that is read. */
struct piece {
	const char *at;
	int length;
};

struct key;
typedef bool read_value(const struct key *key, struct piece value,
			struct lxfw_params *params);

static read_value read_policy, read_weight, read_reservations, read_whole_field,
	read_mode, read_end, read_names, read_limit, read_multi_node, read_journal;

/* Every key: its name, who reads its value, what it expects. */
static const struct key {
	const char *name;
	read_value *read;
	size_t field;		/* of a number, in struct lxfw_params */
	const char *expected;
	int64_t least, most;	/* of a whole number */
	bool quantum, partition;	/* has to do with one of these */
} keys[] = {
#define WEIGHT(key) \
	{ .name = "lxfw_" #key, .read = read_weight, \
	  .field = offsetof(struct lxfw_params, key), \
	  .expected = "a number from 0 to 1000000 with at most 15 digits" }
#define WHOLE(key, least_, most_, unit) \
	.name = "lxfw_" #key, .read = read_whole_field, \
	.field = offsetof(struct lxfw_params, key), \
	.least = least_, .most = most_, \
	.expected = "whole " unit " from " #least_ " to " #most_
	{ .name = "lxfw_policy", .read = read_policy,
	  .expected = "one of " POLICY_NAMES },
	WEIGHT(ww),
	WEIGHT(wx),
	WEIGHT(wp),
	WEIGHT(wm),
	WEIGHT(wpe),
	WEIGHT(wbypass),
	{ .name = "lxfw_reservations", .read = read_reservations,
	  .expected = "1 to 1000000, or all" },
	{ WHOLE(interval, 0, 86400, "seconds") },
	{ WHOLE(quantum, 0, 86400, "seconds"), .quantum = true },
	{ WHOLE(quantum_mem, 1, 1000000000, "MB"), .quantum = true },
	{ WHOLE(quantum_min_run, 0, 31536000, "seconds"), .quantum = true },
	{ WHOLE(victim_suspensions, 0, 1000000, "suspensions"), .quantum = true },
	{ WHOLE(victim_interval, 0, 31536000, "seconds"), .quantum = true },
	{ WHOLE(victim_share, 0, 100, "per cent"), .quantum = true },
	{ .name = "lxfw_quantum_mode", .read = read_mode,
	  .expected = "preempt, soon or off", .quantum = true },
	{ .name = "lxfw_quantum_end", .read = read_end,
	  .expected = "requeue or suspend", .quantum = true },
	{ .name = "lxfw_quantum_not_partition", .read = read_names,
	  .expected = "names with a colon between two", .quantum = true },
	{ .name = "lxfw_quantum_not_qos", .read = read_names,
	  .expected = "names with a colon between two", .quantum = true },
	{ .name = "lxfw_quantum_most_procs", .read = read_limit,
	  .least = 1, .most = 1000000000,
	  .expected = "whole processors from 1 to 1000000000",
	  .quantum = true },
	{ WHOLE(eq_min_interval, 0, 31536000, "seconds"), .partition = true },
	{ WHOLE(eq_full_after, 0, 31536000, "seconds"), .partition = true },
	{ .name = "lxfw_eq_partition", .read = read_names,
	  .expected = "names with a colon between two", .partition = true },
	{ .name = "lxfw_eq_qos", .read = read_names,
	  .expected = "names with a colon between two", .partition = true },
	{ .name = "lxfw_eq_multi_node", .read = read_multi_node,
	  .expected = "rigid or refuse", .partition = true },
	{ .name = "lxfw_eq_max_stretch", .read = read_limit,
	  .least = 1, .most = 1000, .expected = "a whole number from 1 to 1000",
	  .partition = true },
	{ .name = "lxfw_journal", .read = read_journal,
	  .expected = "the path of a file" },
	{ .name = "lxfw_journal_size", .read = read_limit,
	  .least = 0, .most = 1000000,
	  .expected = "whole MB from 0 to 1000000" },
	{ .name = "lxfw_journal_keep", .read = read_limit,
	  .least = 0, .most = 1000,
	  .expected = "a whole number from 0 to 1000" },
#undef WHOLE
#undef WEIGHT
};

static const struct policy *policy_of(enum lxfw_policy policy)
{
	for (int i = 0; i < COUNT(policies); i++) {
		if (policies[i].preset.policy == policy)
			return &policies[i];
	}
	return NULL;
}

void lxfw_params_preset(struct lxfw_params *params, enum lxfw_policy policy)
{
	const struct policy *found = policy_of(policy);

	*params = (found ? found : &policies[0])->preset;
}

static bool same(struct piece piece, const char *word)
{
	size_t length = strlen(word);

	return (size_t)piece.length == length &&
	       memcmp(piece.at, word, length) == 0;
}

enum lxfw_policy lxfw_policy_by_name(const char *name, int length)
{
	for (int i = 0; i < COUNT(policies); i++) {
		if (same((struct piece){ name, length }, policies[i].name))
			return policies[i].preset.policy;
	}
	return 0;
}

const char *lxfw_policy_name(enum lxfw_policy policy)
{
	const struct policy *found = policy_of(policy);

	return found ? found->name : "unknown";
}

const char *lxfw_policy_names(void)
{
	return POLICY_NAMES;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Digits only, LEAST to MOST. */
static bool read_whole(struct piece value, int64_t least, int64_t most,
		       int64_t *number)
{
	*number = 0;
	for (int i = 0; i < value.length; i++) {
		if (!is_digit(value.at[i]))
			return false;
		*number = *number * 10 + (value.at[i] - '0');
		if (*number > most)
			return false;
	}
	return value.length > 0 && *number >= least;
}

/* Digits, or digits, a point and digits; exactly what is written, rounded once. */
static bool read_decimal(struct piece value, double *number)
{
	int64_t mantissa = 0, scale = 1;
	int at = 0, end = value.length, point = -1, digits = 0;

	for (int i = 0; i < end; i++) {
		if (value.at[i] == '.' && point < 0)
			point = i;
		else if (!is_digit(value.at[i]))
			return false;
	}
	if (end == 0 || point == 0 || point == end - 1)
		return false;
	/* Zeros that say nothing do not count as digits. */
	while (at < end && value.at[at] == '0')
		at++;
	while (point >= 0 && value.at[end - 1] == '0')
		end--;
	for (; at < end; at++) {
		if (at == point)
			continue;
		if (++digits > WEIGHT_DIGITS)
			return false;
		mantissa = mantissa * 10 + (value.at[at] - '0');
		if (point >= 0 && at > point)
			scale *= 10;
	}
	*number = (double)mantissa / (double)scale;
	return true;
}

static bool read_policy(const struct key *key, struct piece value,
			struct lxfw_params *params)
{
	enum lxfw_policy policy = lxfw_policy_by_name(value.at, value.length);

	(void)key;
	if (!policy)
		return false;
	lxfw_params_preset(params, policy);
	return true;
}

static bool read_weight(const struct key *key, struct piece value,
			struct lxfw_params *params)
{
	double number;

	if (!read_decimal(value, &number) || number > WEIGHT_MOST)
		return false;
	memcpy((char *)params + key->field, &number, sizeof(number));
	return true;
}

static bool read_reservations(const struct key *key, struct piece value,
			      struct lxfw_params *params)
{
	int64_t number = LXFW_RESERVATIONS_ALL;

	(void)key;
	if (!same(value, "all") &&
	    !read_whole(value, 1, RESERVATIONS_MOST, &number))
		return false;
	params->reservations = (int32_t)number;
	return true;
}

static bool read_whole_field(const struct key *key, struct piece value,
			     struct lxfw_params *params)
{
	int64_t number;

	if (!read_whole(value, key->least, key->most, &number))
		return false;
	memcpy((char *)params + key->field, &number, sizeof(number));
	return true;
}

static bool read_mode(const struct key *key, struct piece value,
		      struct lxfw_params *params)
{
	(void)key;
	if (same(value, "preempt"))
		params->quantum_mode = LXFW_QUANTUM_PREEMPT;
	else if (same(value, "soon"))
		params->quantum_mode = LXFW_QUANTUM_SOON;
	else if (same(value, "off"))
		params->quantum_mode = LXFW_QUANTUM_OFF;
	else
		return false;
	return true;
}

static bool read_end(const struct key *key, struct piece value,
		     struct lxfw_params *params)
{
	(void)key;
	if (same(value, "requeue"))
		params->quantum_end = LXFW_QUANTUM_REQUEUE;
	else if (same(value, "suspend"))
		params->quantum_end = LXFW_QUANTUM_SUSPEND;
	else
		return false;
	return true;
}

/* Names mean something to the plugin alone, which asks for them. */
static bool read_names(const struct key *key, struct piece value,
		       struct lxfw_params *params)
{
	(void)key;
	(void)params;
	for (int i = 0; i < value.length; i++) {
		if (value.at[i] == ' ' || value.at[i] == '\t' ||
		    (value.at[i] == ':' && (i == 0 || value.at[i - 1] == ':')))
			return false;
	}
	return value.length > 0 && value.at[value.length - 1] != ':';
}

static bool read_limit(const struct key *key, struct piece value,
		       struct lxfw_params *params)
{
	int64_t number;

	(void)params;
	return read_whole(value, key->least, key->most, &number);
}

static bool read_multi_node(const struct key *key, struct piece value,
			    struct lxfw_params *params)
{
	(void)key;
	(void)params;
	return same(value, "rigid") || same(value, "refuse");
}

static bool read_journal(const struct key *key, struct piece value,
			 struct lxfw_params *params)
{
	(void)key;
	(void)params;
	return value.length > 0;
}

static struct piece trim(struct piece piece)
{
	while (piece.length > 0 && (*piece.at == ' ' || *piece.at == '\t')) {
		piece.at++;
		piece.length--;
	}
	while (piece.length > 0 && (piece.at[piece.length - 1] == ' ' ||
				    piece.at[piece.length - 1] == '\t'))
		piece.length--;
	return piece;
}

/*
 * Take the next comma-separated item of *TEXT apart: its key, and its value,
 * whose `at` is NULL where there is no '='. False at the end.
 */
static bool next_item(const char **text, struct piece *key, struct piece *value)
{
	int length, equals;

	if (!*text || !**text)
		return false;
	length = (int)strcspn(*text, ",");
	equals = (int)strcspn(*text, ",=");
	*key = trim((struct piece){ *text, equals });
	*value = (struct piece){ NULL, 0 };
	if (equals < length)
		*value = trim((struct piece){ *text + equals + 1,
					      length - equals - 1 });
	*text += length;
	if (**text == ',')
		++*text;
	return true;
}

/* Items of others are passed over; but a slip such as LXFW_wx or lxfwwx is ours
   and must not be silently without effect. */
static bool is_ours(struct piece key)
{
	static const char prefix[] = "lxfw";

	if (key.length < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		if ((key.at[i] | 0x20) != prefix[i])
			return false;
	}
	return true;
}

static const struct key *find_key(struct piece name)
{
	for (int i = 0; i < COUNT(keys); i++) {
		if (same(name, keys[i].name))
			return &keys[i];
	}
	return NULL;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Letters to put in, leave out or change, case aside, between NAME and KNOWN. */
static int edits(struct piece name, const char *known)
{
	int row[KEY_LENGTH_MOST + 1], known_length = (int)strlen(known);

	if (name.length > KEY_LENGTH_MOST || known_length > KEY_LENGTH_MOST)
		return KEY_LENGTH_MOST;
	for (int j = 0; j <= known_length; j++)
		row[j] = j;
	for (int i = 1; i <= name.length; i++) {
		int diagonal = row[0];
		char letter = name.at[i - 1];

		if (letter >= 'A' && letter <= 'Z')
			letter |= 0x20;
		row[0] = i;
		for (int j = 1; j <= known_length; j++) {
			int change = diagonal + (letter != known[j - 1]);

			diagonal = row[j];
			row[j] = least(change, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[known_length];
}

static int fail(struct lxfw_error *error, struct piece key, const char *what)
{
	lxfw_error_set(error, "");
	lxfw_error_add_bytes(error, key.at, least(key.length, 40));
	lxfw_error_add(error, what);
	errno = EINVAL;
	return -1;
}

static int fail_unknown(struct lxfw_error *error, struct piece name)
{
	int nearest = -1, distance = NEAR_EDITS + 1;

	for (int i = 0; i < COUNT(keys); i++) {
		int here = edits(name, keys[i].name);

		if (here < distance) {
			distance = here;
			nearest = i;
		}
	}
	fail(error, name, ": unknown key, expected ");
	if (nearest >= 0) {
		lxfw_error_add(error, keys[nearest].name);
		lxfw_error_add(error, "?");
		return -1;
	}
	for (int i = 0; i < COUNT(keys); i++) {
		lxfw_error_add(error, i == 0 ? "one of " : ", ");
		lxfw_error_add(error, keys[i].name);
	}
	return -1;
}

static int fail_value(struct lxfw_error *error, const struct key *key,
		      struct piece value)
{
	lxfw_error_set(error, key->name);
	if (value.at) {
		lxfw_error_add(error, "=");
		lxfw_error_add_bytes(error, value.at, least(value.length, 40));
	} else {
		lxfw_error_add(error, " without a value");
	}
	lxfw_error_add(error, ": expected ");
	lxfw_error_add(error, key->expected);
	errno = EINVAL;
	return -1;
}

/* A key that the policy takes no notice of is an error, not a surprise. */
static int check_meaning(const struct key *key, const struct policy *policy,
			 struct lxfw_error *error)
{
	const char *lacks = NULL;

	if (!policy)
		return 0;
	if (key->read == read_weight && !policy->weights)
		lacks = " has no weights";
	else if (key->read == read_reservations && !policy->reservations)
		lacks = policy->no_reservations;
	else if (key->quantum && !policy->quantum)
		lacks = " has no quantum of immediate service";
	else if (key->partition && !policy->partition)
		lacks = " repartitions nothing";
	if (!lacks)
		return 0;
	lxfw_error_set(error, key->name);
	lxfw_error_add(error, ": no meaning here, policy ");
	lxfw_error_add(error, policy->name);
	lxfw_error_add(error, lacks);
	errno = EINVAL;
	return -1;
}

/* What the text gives for each key; `at` NULL where it gives nothing. */
static int collect(const char *text, struct piece *values,
		   struct lxfw_error *error)
{
	struct piece name, value;

	while (next_item(&text, &name, &value)) {
		const struct key *key;

		if (!is_ours(name))
			continue;
		key = find_key(name);
		if (!key)
			return fail_unknown(error, name);
		if (values[key - keys].at)
			return fail(error, name, ": given twice");
		if (!value.at)
			return fail_value(error, key, value);
		values[key - keys] = value;
	}
	return 0;
}

int lxfw_params_parse(struct lxfw_params *params, const char *text,
		      const char **journal, int *journal_length,
		      struct lxfw_error *error)
{
	struct piece values[COUNT(keys)] = { { NULL, 0 } };
	struct lxfw_params wanted = *params;
	struct piece path = { NULL, 0 };

	if (collect(text, values, error) < 0)
		return -1;
	/* The policy is the first key, so that the others override its preset. */
	for (int i = 0; i < COUNT(keys); i++) {
		if (!values[i].at)
			continue;
		if (check_meaning(&keys[i], policy_of(wanted.policy), error) < 0)
			return -1;
		if (!keys[i].read(&keys[i], values[i], &wanted))
			return fail_value(error, &keys[i], values[i]);
		if (keys[i].read == read_journal)
			path = values[i];
	}
	*params = wanted;
	if (journal) {
		*journal = path.at;
		*journal_length = path.length;
	}
	return 0;
}

const char *lxfw_params_value(const char *text, const char *key, int *length)
{
	struct piece name, value;

	while (next_item(&text, &name, &value)) {
		if (same(name, key) && value.at) {
			*length = value.length;
			return value.at;
		}
	}
	*length = 0;
	return NULL;
}
