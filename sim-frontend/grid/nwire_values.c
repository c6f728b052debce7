/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/nwire_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/formula_math.h"
#include "sim-frontend/util/text.h"

#define INLINED_MAX 50		/* values in values */
#define POWER_MAX 22		/* exponent of a number of a formula */

/* --- names ----------------------------------------------------------------------------------- */

static const struct lxfw_nwire_value *find_in(const struct lxfw_nwire *nwire, size_t first,
					      size_t count, const char *name)
{
	for (size_t i = first; i < first + count; i++) {
		if (lxfw_nwire_same(nwire->values[i].name, name))
			return &nwire->values[i];
	}
	return NULL;
}

static const struct lxfw_nwire_value *find_in_object(const struct lxfw_nwire *nwire,
						     const struct lxfw_nwire_object *object,
						     const char *name)
{
	const struct lxfw_nwire_value *found = NULL;

	for (size_t i = 0; object && i < object->key_count && !found; i++) {
		const struct lxfw_nwire_key *key = &nwire->keys[object->keys + i];

		found = find_in(nwire, key->values, key->value_count, name);
	}
	return found;
}

const struct lxfw_nwire_value *lxfw_nwire_find(const struct lxfw_nwire_scope *scope,
					       const char *name, bool resource_first)
{
	const struct lxfw_nwire *nwire = scope->nwire;
	const struct lxfw_nwire_value *found = NULL;

	if (resource_first)
		found = find_in_object(nwire, scope->resource, name);
	else if (scope->element)
		found = find_in(nwire, scope->element->values, scope->element->value_count,
				name);
	if (!found)
		found = find_in_object(nwire, scope->request, name);
	return found || resource_first ? found :
	       find_in_object(nwire, scope->resource, name);
}

/* The name of the market's value, if it is one of the first COUNT; NULL: none. */
static const char *value_of_market(const char *name, int count)
{
	for (int i = 0; i < count; i++) {
		if (lxfw_nwire_same(lxfw_market_values[i], name))
			return lxfw_market_values[i];
	}
	return NULL;
}

/* --- expressions ------------------------------------------------------------------------------ */

static int put_node(struct lxfw_nwire_scope *scope, int32_t index, int count, FILE *out);

static int put_name(struct lxfw_nwire_scope *scope, const struct lxfw_nwire_node *node,
		    int count, FILE *out)
{
	const char *own = value_of_market(node->name, count);
	const struct lxfw_nwire_value *value;
	int failed;

	if (own) {
		fputs(own, out);
		return 0;
	}
	value = lxfw_nwire_find(scope, node->name, false);
	if (!value && lxfw_nwire_same(node->name, "Speed")) {
		fprintf(out, "%.15g", scope->speed);
		return 0;
	}
	if (!value)
		return lxfw_nwire_error(scope->path, &node->place, scope->error, "'%s' is not "
					"defined, expected a value of the request or of the "
					"resource", node->name);
	if (value->text)
		return lxfw_nwire_error(scope->path, &node->place, scope->error, "'%s' is a "
					"text, expected a number", node->name);
	if (scope->depth == INLINED_MAX || ftell(out) > LXFW_FORMULA_LENGTH_MAX)
		return lxfw_nwire_error(scope->path, &node->place, scope->error, "'%s' is "
					"defined by itself or by too many others, expected a "
					"number in the end", node->name);
	scope->depth++;
	failed = put_node(scope, value->expression, count, out);
	scope->depth--;
	return failed;
}

/* Formulas have exponents up to 22: beyond, the number is written as a product. */
static void put_number(double number, FILE *out)
{
	char text[32];
	int power;

	snprintf(text, sizeof(text), "%.14e", number);
	power = atoi(strchr(text, 'e') + 1);
	if (number < 1e-300 || (power >= -8 && power <= POWER_MAX)) {
		fprintf(out, "%.15g", number < 1e-300 ? 0 : number);
		return;
	}
	*strchr(text, 'e') = '\0';
	fprintf(out, "(%s", text);
	for (int left = abs(power); left > 0; left -= POWER_MAX)
		fprintf(out, "%s1e%d", power > 0 ? "*" : "/", left < POWER_MAX ? left : POWER_MAX);
	putc(')', out);
}

static const char *sign_of(enum lxfw_nwire_operator is)
{
	return is == LXFW_NWIRE_ADD ? "+" : is == LXFW_NWIRE_SUBTRACT ? "-" :
	       is == LXFW_NWIRE_MULTIPLY ? "*" : is == LXFW_NWIRE_DIVIDE ? "/" : "%";
}

/* Writes an expression as a formula. */
static int put_node(struct lxfw_nwire_scope *scope, int32_t index, int count, FILE *out)
{
	const struct lxfw_nwire_node *node = &scope->nwire->nodes[index];

	if (node->is == LXFW_NWIRE_NAME)
		return put_name(scope, node, count, out);
	if (node->is == LXFW_NWIRE_NUMBER) {
		put_number(node->number, out);
		return 0;
	}
	fputs(node->is == LXFW_NWIRE_SQRT ? "sqrt(" : node->is == LXFW_NWIRE_EXP ? "exp(" :
	      node->is == LXFW_NWIRE_LOG ? "log(" : node->is == LXFW_NWIRE_NEGATE ? "(-" : "(",
	      out);
	if (put_node(scope, node->left, count, out))
		return -1;
	if (node->right >= 0) {
		fputs(sign_of(node->is), out);
		if (put_node(scope, node->right, count, out))
			return -1;
	}
	putc(')', out);
	return 0;
}

static int out_of_memory(const struct lxfw_nwire_scope *scope)
{
	lxfw_error_set(scope->error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* The reason without its column, which is one of a text that the user has not written. */
static const char *without_column(const struct lxfw_error *reason)
{
	const char *end = strncmp(reason->text, "column ", 7) == 0 ?
			  strstr(reason->text, ": ") : NULL;

	return end ? end + 2 : reason->text;
}

/* Reads an expression; PLACE is for messages. */
static struct lxfw_formula *read_node(struct lxfw_nwire_scope *scope, int32_t node,
				      const struct lxfw_nwire_place *place, int count)
{
	const struct lxfw_formula_names names = {
		.values = lxfw_market_values, .value_count = (size_t)count,
		.functions = lxfw_formula_math, .function_count = LXFW_FORMULA_MATH_COUNT,
	};
	struct lxfw_formula *formula = NULL;
	struct lxfw_error reason = { "" };
	size_t length = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);
	int failed;

	if (!out) {
		out_of_memory(scope);
		return NULL;
	}
	failed = put_node(scope, node, count, out);
	if (fclose(out) && !failed)
		failed = out_of_memory(scope);
	if (!failed) {
		formula = lxfw_formula_read(text, &names, &reason);
		if (!formula && errno == ENOMEM)
			out_of_memory(scope);
		else if (!formula)
			lxfw_nwire_error(scope->path, place, scope->error, "the value, %.60s%s, "
					 "is no formula: %s", text,
					 length > 60 ? "..." : "", without_column(&reason));
	}
	free(text);
	return formula;
}

struct lxfw_formula *lxfw_nwire_formula(struct lxfw_nwire_scope *scope,
					const struct lxfw_nwire_value *value,
					enum lxfw_market_value count)
{
	if (!value->text)
		return read_node(scope, value->expression, &value->place, (int)count);
	lxfw_nwire_error(scope->path, &value->place, scope->error, "'%s' is a text, expected an "
			 "expression", value->name);
	return NULL;
}

/* Computes an expression that contains no value of an offer but the first COUNT. */
static int compute_with(struct lxfw_nwire_scope *scope, int32_t node,
			const struct lxfw_nwire_place *place, int count, double *number)
{
	struct lxfw_formula *formula = read_node(scope, node, place, count);
	struct lxfw_error reason = { "" };
	int failed;

	if (!formula)
		return -1;
	failed = lxfw_formula_evaluate(formula, &scope->procs, number, &reason);
	lxfw_formula_free(formula);
	return failed ? lxfw_nwire_error(scope->path, place, scope->error, "the value has no "
					 "result, expected a number: %s",
					 without_column(&reason)) : 0;
}

/* With the processors of the allocation. */
static int compute(struct lxfw_nwire_scope *scope, int32_t node,
		   const struct lxfw_nwire_place *place, double *number)
{
	return compute_with(scope, node, place, LXFW_MARKET_PROCS + 1, number);
}

int lxfw_nwire_number(struct lxfw_nwire_scope *scope, const char *name, double *number,
		      bool *found)
{
	const struct lxfw_nwire_value *value = lxfw_nwire_find(scope, name, false);

	*found = value;
	if (!value)
		return 0;
	if (value->text)
		return lxfw_nwire_error(scope->path, &value->place, scope->error, "'%s' is a "
					"text, expected a number", value->name);
	/* The processors are not known before they are computed. */
	return compute_with(scope, value->expression, &value->place,
			    lxfw_nwire_same(name, "NumberOfProcessors") ?
			    LXFW_MARKET_PROCS : LXFW_MARKET_PROCS + 1, number);
}

/* --- conditions ---------------------------------------------------------------------------------- */

static int compare(enum lxfw_nwire_operator is, double left, double right)
{
	switch (is) {
	case LXFW_NWIRE_LESS:
		return left < right;
	case LXFW_NWIRE_GREATER:
		return left > right;
	case LXFW_NWIRE_AT_MOST:
		return left <= right;
	case LXFW_NWIRE_AT_LEAST:
		return left >= right;
	case LXFW_NWIRE_EQUAL:
		return left <= right && left >= right;
	default:
		return left < right || left > right;
	}
}

/* NumberOfProcessors and Speed are those of the offer and of the site. */
static int comparison_holds(struct lxfw_nwire_scope *scope, const struct lxfw_nwire_node *node)
{
	const struct lxfw_nwire_value *value = lxfw_nwire_find(scope, node->name, true);
	bool procs = lxfw_nwire_same(node->name, "NumberOfProcessors");
	bool speed = !value && lxfw_nwire_same(node->name, "Speed");
	double left, right;

	if (node->text) {
		if (procs || !value || !value->text)
			return 0;
		return (strcmp(value->text, node->text) == 0) == (node->is == LXFW_NWIRE_SAME);
	}
	if (!procs && !speed && (!value || value->text))
		return 0;
	left = procs ? scope->procs : scope->speed;
	if (!procs && !speed && compute(scope, value->expression, &value->place, &left))
		return -1;
	if (compute(scope, node->right, &node->place, &right))
		return -1;
	return compare(node->is, left, right);
}

int lxfw_nwire_holds(struct lxfw_nwire_scope *scope, int32_t condition)
{
	const struct lxfw_nwire_node *node;
	bool defined;
	int left;

	if (condition < 0)
		return 1;
	node = &scope->nwire->nodes[condition];
	switch (node->is) {
	case LXFW_NWIRE_AND:
	case LXFW_NWIRE_OR:
		left = lxfw_nwire_holds(scope, node->left);
		if (left < 0 || left == (node->is == LXFW_NWIRE_OR))
			return left;
		return lxfw_nwire_holds(scope, node->right);
	case LXFW_NWIRE_NOT:
		left = lxfw_nwire_holds(scope, node->left);
		return left < 0 ? left : !left;
	case LXFW_NWIRE_DEFINED:
	case LXFW_NWIRE_UNDEFINED:
		defined = lxfw_nwire_find(scope, node->name, true) ||
			  lxfw_nwire_same(node->name, "NumberOfProcessors") ||
			  lxfw_nwire_same(node->name, "Speed");
		return defined == (node->is == LXFW_NWIRE_DEFINED);
	default:
		return comparison_holds(scope, node);
	}
}
