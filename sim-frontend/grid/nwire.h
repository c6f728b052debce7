/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The description language of NWIRE (Yahyapour 2002, section 7.3.2 and appendix A): requests,
 * resources and offers as keys and values. lxfw-grid-request(5) has the grammar.
 *
 * The parser is written by hand, as that of formulas is: the language is read
 * with one token ahead, every error says what was expected there, and nothing is generated.
 */
#ifndef LXFW_GRID_NWIRE_H
#define LXFW_GRID_NWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

#define LXFW_NWIRE_DEPTH_MAX 200	/* of parentheses and operators in others */
#define LXFW_NWIRE_NODES_MAX 1000	/* numbers, names and operators of an expression or a
					   condition */
#define LXFW_NWIRE_SIZE_MAX 65536	/* bytes of a file */

/* A place in the file, from 1 on. */
struct lxfw_nwire_place {
	int32_t line, column;
};

enum lxfw_nwire_operator {
	/* Expressions. */
	LXFW_NWIRE_NUMBER, LXFW_NWIRE_NAME, LXFW_NWIRE_NEGATE, LXFW_NWIRE_ADD,
	LXFW_NWIRE_SUBTRACT, LXFW_NWIRE_MULTIPLY, LXFW_NWIRE_DIVIDE, LXFW_NWIRE_MODULO,
	LXFW_NWIRE_SQRT, LXFW_NWIRE_EXP, LXFW_NWIRE_LOG,
	/* Conditions: a name against an expression, a name against a text, others. */
	LXFW_NWIRE_LESS, LXFW_NWIRE_GREATER, LXFW_NWIRE_AT_MOST, LXFW_NWIRE_AT_LEAST,
	LXFW_NWIRE_EQUAL, LXFW_NWIRE_UNEQUAL, LXFW_NWIRE_SAME, LXFW_NWIRE_OTHER,
	LXFW_NWIRE_AND, LXFW_NWIRE_OR, LXFW_NWIRE_NOT, LXFW_NWIRE_DEFINED,
	LXFW_NWIRE_UNDEFINED,
};

/* A part of an expression or a condition. */
struct lxfw_nwire_node {
	enum lxfw_nwire_operator is;
	int32_t left, right;	/* other nodes; -1: none. The expression of a comparison is
				   `right`. */
	double number;
	char *name, *text;
	struct lxfw_nwire_place place;
};

struct lxfw_nwire_value {
	char *name;
	char *text;		/* NULL: it has an expression */
	int32_t expression;	/* node */
	struct lxfw_nwire_place place;
};

/* An alternative with values of its own. */
struct lxfw_nwire_element {
	int64_t number;
	int32_t condition;	/* node; -1: none */
	size_t values, value_count;	/* first one, and their number */
	struct lxfw_nwire_place place;
};

/* Has values or elements. */
struct lxfw_nwire_key {
	char *name;
	size_t values, value_count, elements, element_count;
	struct lxfw_nwire_place place;
};

enum lxfw_nwire_type { LXFW_NWIRE_REQUEST, LXFW_NWIRE_RESOURCE, LXFW_NWIRE_OFFER };

struct lxfw_nwire_object {
	enum lxfw_nwire_type type;
	char *id;
	size_t keys, key_count;
	struct lxfw_nwire_place place;
};

/* A file. {0} is empty. */
struct lxfw_nwire {
	struct lxfw_nwire_object *objects;
	size_t object_count, objects_size;
	struct lxfw_nwire_key *keys;
	size_t key_count, keys_size;
	struct lxfw_nwire_element *elements;
	size_t element_count, elements_size;
	struct lxfw_nwire_value *values;
	size_t value_count, values_size;
	struct lxfw_nwire_node *nodes;
	size_t node_count, nodes_size;
};

/* Reads LENGTH bytes of TEXT. PATH is for messages, "path:line:column: what is wrong, expected
   what". Returns 0, or -1 with errno EINVAL or ENOMEM and ERROR set, and *NWIRE empty. */
int lxfw_nwire_parse(struct lxfw_nwire *nwire, const char *text, size_t length,
		     const char *path, struct lxfw_error *error);

/* The same for a file. */
int lxfw_nwire_read(struct lxfw_nwire *nwire, const char *path, struct lxfw_error *error);

void lxfw_nwire_clear(struct lxfw_nwire *nwire);

/* Sets "path:line:column: ..." and returns -1 with errno EINVAL. */
int lxfw_nwire_error(const char *path, const struct lxfw_nwire_place *place,
		     struct lxfw_error *error, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Whether names are the same: upper and lower case are, and OperationSystem and
   OperationSystemEqual of the thesis are OperatingSystem and OperatingSystemEqual. */
bool lxfw_nwire_same(const char *one, const char *other);

/* Checks that no object contradicts itself: no name twice, no element twice, and no condition
   that cannot hold. Returns 0, or -1 as above. */
int lxfw_nwire_check(const struct lxfw_nwire *nwire, const char *path,
		     struct lxfw_error *error);

/* Calls REPORT with "path:line:column: ..." for each value that has no effect, as its name is no
   attribute of its object and in no expression and no condition; then for each comparison that
   cannot hold, as nothing defines its name. The thesis allows both, see section 7.3.2. A value
   whose name is nearly that of an attribute is a mistake: returns -1 with ERROR set. */
int lxfw_nwire_unused(const struct lxfw_nwire *nwire, const char *path,
		      void (*report)(const char *text), struct lxfw_error *error);

#endif
