/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects that contradict themselves. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/grid/nwire.h"

struct check {
	const struct lxfw_nwire *nwire;
	const char *path;
	struct lxfw_error *error;
};

/* --- names ------------------------------------------------------------------------------------- */

static int check_names(const struct check *check, size_t first, size_t count)
{
	const struct lxfw_nwire_value *values = &check->nwire->values[first];

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (lxfw_nwire_same(values[i].name, values[j].name))
				return lxfw_nwire_error(check->path, &values[i].place,
							check->error, "the value '%s' is "
							"given in line %d too, expected once",
							values[i].name,
							(int)values[j].place.line);
		}
	}
	return 0;
}

/* --- conditions ---------------------------------------------------------------------------------- */

/* Conditions that must hold together. */
struct leaves {
	const struct lxfw_nwire_node *list[LXFW_NWIRE_NODES_MAX];
	size_t count;
};

/* Adds the leaves of a tree of ANDs, in the order of the file. */
static void add_leaves(const struct check *check, int32_t root, struct leaves *leaves)
{
	const struct lxfw_nwire_node *node = &check->nwire->nodes[root];

	if (node->is == LXFW_NWIRE_AND) {
		add_leaves(check, node->left, leaves);
		add_leaves(check, node->right, leaves);
	} else {
		leaves->list[leaves->count++] = node;
	}
}

static bool is_constant(const struct check *check, const struct lxfw_nwire_node *node,
			double *value)
{
	const struct lxfw_nwire_node *right =
		node->right < 0 ? NULL : &check->nwire->nodes[node->right];
	double sign = 1;

	if (node->is < LXFW_NWIRE_LESS || node->is > LXFW_NWIRE_UNEQUAL)
		return false;
	if (right->is == LXFW_NWIRE_NEGATE) {
		right = &check->nwire->nodes[right->left];
		sign = -1;
	}
	*value = sign * right->number;
	return right->is == LXFW_NWIRE_NUMBER;
}

static bool holds(enum lxfw_nwire_operator is, double left, double right)
{
	return is == LXFW_NWIRE_LESS ? left < right :
	       is == LXFW_NWIRE_GREATER ? left > right :
	       is == LXFW_NWIRE_AT_MOST ? left <= right :
	       is == LXFW_NWIRE_AT_LEAST ? left >= right :
	       is == LXFW_NWIRE_EQUAL ? !(left < right) && !(left > right) :
					left < right || left > right;
}

/* Whether both comparisons of the same name with numbers can hold: some number at or beside one
   of these is then between them. */
static bool numbers_agree(const struct lxfw_nwire_node *a, double x,
			  const struct lxfw_nwire_node *b, double y)
{
	const double tried[] = {
		x, y, nextafter(x, -INFINITY), nextafter(x, INFINITY),
		nextafter(y, -INFINITY), nextafter(y, INFINITY), x / 2 + y / 2,
	};

	for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++) {
		if (holds(a->is, tried[i], x) && holds(b->is, tried[i], y))
			return true;
	}
	return false;
}

static bool texts_agree(const struct lxfw_nwire_node *a, const struct lxfw_nwire_node *b)
{
	bool same = strcmp(a->text, b->text) == 0;

	if (a->is == LXFW_NWIRE_SAME && b->is == LXFW_NWIRE_SAME)
		return same;
	return (a->is == LXFW_NWIRE_OTHER && b->is == LXFW_NWIRE_OTHER) || !same;
}

static bool agree(const struct check *check, const struct lxfw_nwire_node *a,
		  const struct lxfw_nwire_node *b)
{
	double x, y;

	if (!a->name || !b->name || !lxfw_nwire_same(a->name, b->name))
		return true;
	if (a->is == LXFW_NWIRE_UNDEFINED || b->is == LXFW_NWIRE_UNDEFINED)
		return a->is == b->is;
	if (a->text && b->text)
		return texts_agree(a, b);
	if (!is_constant(check, a, &x) || !is_constant(check, b, &y))
		return true;
	return numbers_agree(a, x, b, y);
}

static int check_condition(const struct check *check, int32_t root);

/* What is below a leaf is checked by itself. */
static int check_leaf(const struct check *check, const struct lxfw_nwire_node *node)
{
	if (node->is == LXFW_NWIRE_NOT)
		return check_condition(check, node->left);
	if (node->is != LXFW_NWIRE_OR)
		return 0;
	return check_condition(check, node->left) ? -1 : check_condition(check, node->right);
}

static int check_leaves(const struct check *check, const struct leaves *leaves)
{
	for (size_t i = 0; i < leaves->count; i++) {
		const struct lxfw_nwire_node *node = leaves->list[i];

		for (size_t j = 0; j < i; j++) {
			const struct lxfw_nwire_node *other = leaves->list[j];

			if (!agree(check, other, node))
				return lxfw_nwire_error(check->path, &node->place,
							check->error, "the condition on '%s' "
							"contradicts that of line %d, column "
							"%d, expected conditions that can "
							"hold together", node->name,
							(int)other->place.line,
							(int)other->place.column);
		}
		if (check_leaf(check, node))
			return -1;
	}
	return 0;
}

static int check_condition(const struct check *check, int32_t root)
{
	struct leaves *leaves = calloc(1, sizeof(*leaves));
	int result;

	if (!leaves) {
		lxfw_error_set(check->error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	add_leaves(check, root, leaves);
	result = check_leaves(check, leaves);
	free(leaves);
	return result;
}

/* --- objects --------------------------------------------------------------------------------------- */

static int check_elements(const struct check *check, const struct lxfw_nwire_key *key)
{
	const struct lxfw_nwire_element *elements;

	if (key->element_count == 0)
		return 0;
	elements = &check->nwire->elements[key->elements];
	for (size_t i = 0; i < key->element_count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (elements[i].number == elements[j].number)
				return lxfw_nwire_error(check->path, &elements[i].place,
							check->error, "the element %lld is "
							"given in line %d too, expected "
							"another number",
							(long long)elements[i].number,
							(int)elements[j].place.line);
		}
		if (check_names(check, elements[i].values, elements[i].value_count) ||
		    (elements[i].condition >= 0 &&
		     check_condition(check, elements[i].condition)))
			return -1;
	}
	return 0;
}

static int check_keys(const struct check *check, const struct lxfw_nwire_object *object)
{
	const struct lxfw_nwire_key *keys = &check->nwire->keys[object->keys];

	for (size_t i = 0; i < object->key_count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (lxfw_nwire_same(keys[i].name, keys[j].name))
				return lxfw_nwire_error(check->path, &keys[i].place,
							check->error, "the key '%s' is given "
							"in line %d too, expected once",
							keys[i].name,
							(int)keys[j].place.line);
		}
		if (check_names(check, keys[i].values, keys[i].value_count) ||
		    check_elements(check, &keys[i]))
			return -1;
	}
	return 0;
}

int lxfw_nwire_check(const struct lxfw_nwire *nwire, const char *path,
		     struct lxfw_error *error)
{
	const struct check check = { nwire, path, error };

	for (size_t i = 0; i < nwire->object_count; i++) {
		const struct lxfw_nwire_object *object = &nwire->objects[i];

		for (size_t j = 0; j < i; j++) {
			if (nwire->objects[j].type == object->type &&
			    strcmp(nwire->objects[j].id, object->id) == 0)
				return lxfw_nwire_error(path, &object->place, error, "'%s' is "
							"given in line %d too, expected "
							"another id", object->id,
							(int)nwire->objects[j].place.line);
		}
		if (check_keys(&check, object))
			return -1;
	}
	return 0;
}
