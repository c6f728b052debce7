/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/nwire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/util/grow.h"
#include "sim-frontend/grid/nwire_token.h"
#include "sim-frontend/trace/bytes.h"
#include "sim-frontend/util/text.h"

struct parser {
	struct lxfw_nwire_tokens tokens;
	struct lxfw_nwire *nwire;
	int depth;
	size_t first_node;	/* of the present expression or condition */
};

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

void lxfw_nwire_clear(struct lxfw_nwire *nwire)
{
	int saved = errno;

	for (size_t i = 0; i < nwire->object_count; i++)
		free(nwire->objects[i].id);
	for (size_t i = 0; i < nwire->key_count; i++)
		free(nwire->keys[i].name);
	for (size_t i = 0; i < nwire->value_count; i++) {
		free(nwire->values[i].name);
		free(nwire->values[i].text);
	}
	for (size_t i = 0; i < nwire->node_count; i++) {
		free(nwire->nodes[i].name);
		free(nwire->nodes[i].text);
	}
	free(nwire->objects);
	free(nwire->keys);
	free(nwire->elements);
	free(nwire->values);
	free(nwire->nodes);
	*nwire = (struct lxfw_nwire){ 0 };
	errno = saved;
}

/* --- tokens ---------------------------------------------------------------------------------- */

static int expected(const struct parser *parser, const char *what)
{
	return lxfw_nwire_expected(&parser->tokens, what);
}

static bool is(const struct parser *parser, const char *text)
{
	return lxfw_nwire_is(&parser->tokens, text);
}

static int next(struct parser *parser)
{
	return lxfw_nwire_next(&parser->tokens);
}

static int skip(struct parser *parser, const char *sign, const char *what)
{
	return is(parser, sign) ? next(parser) : expected(parser, what);
}

/* Copies the token, and goes to the next one. */
static int take_text(struct parser *parser, enum lxfw_nwire_kind kind, const char *what,
		     char **to)
{
	const struct lxfw_nwire_token *now = &parser->tokens.now;

	if (now->kind != kind)
		return expected(parser, what);
	*to = strndup(now->text, now->length);
	return *to ? next(parser) : out_of_memory(parser->tokens.error);
}

static int enter(struct parser *parser)
{
	if (++parser->depth > LXFW_NWIRE_DEPTH_MAX)
		return expected(parser, "at most 200 levels of parentheses and operators");
	return 0;
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* Adds a node at the present token. Returns its index, or -1. */
static int32_t add_node(struct parser *parser, enum lxfw_nwire_operator operator,
			int32_t left, int32_t right)
{
	struct lxfw_nwire *nwire = parser->nwire;

	if (nwire->node_count - parser->first_node == LXFW_NWIRE_NODES_MAX)
		return expected(parser, "at most 1000 numbers, names and operators");
	if (LXFW_GROW(nwire->nodes, nwire->nodes_size, nwire->node_count + 1))
		return out_of_memory(parser->tokens.error);
	nwire->nodes[nwire->node_count] = (struct lxfw_nwire_node){
		.is = operator, .left = left, .right = right,
		.place = parser->tokens.now.place,
	};
	return (int32_t)nwire->node_count++;
}

/* The functions below return the index of a node, or -1 with the error set. */

static int32_t sum(struct parser *parser);

static int32_t function(struct parser *parser, enum lxfw_nwire_operator operator)
{
	int32_t node = add_node(parser, operator, -1, -1), argument;

	if (node < 0 || next(parser) || skip(parser, "(", "'(' after the function"))
		return -1;
	argument = sum(parser);
	if (argument < 0 || skip(parser, ")", "an operator or ')'"))
		return -1;
	parser->nwire->nodes[node].left = argument;
	return node;
}

static int32_t operand(struct parser *parser)
{
	const struct lxfw_nwire_token *now = &parser->tokens.now;
	int32_t node;

	if (is(parser, "SQRT"))
		return function(parser, LXFW_NWIRE_SQRT);
	if (is(parser, "EXP"))
		return function(parser, LXFW_NWIRE_EXP);
	if (is(parser, "LOG"))
		return function(parser, LXFW_NWIRE_LOG);
	if (is(parser, "(")) {
		if (next(parser))
			return -1;
		node = sum(parser);
		return node < 0 || skip(parser, ")", "an operator or ')'") ? -1 : node;
	}
	if (now->kind == LXFW_TOKEN_NUMBER) {
		node = add_node(parser, LXFW_NWIRE_NUMBER, -1, -1);
		if (node < 0)
			return -1;
		parser->nwire->nodes[node].number = now->number;
		return next(parser) ? -1 : node;
	}
	if (now->kind != LXFW_TOKEN_WORD)
		return expected(parser, "a number, a name, SQRT, EXP, LOG, '-' or '('");
	node = add_node(parser, LXFW_NWIRE_NAME, -1, -1);
	if (node < 0)
		return -1;
	return take_text(parser, LXFW_TOKEN_WORD, "a name",
			 &parser->nwire->nodes[node].name) ? -1 : node;
}

static int32_t negation(struct parser *parser)
{
	int32_t node, of;

	if (enter(parser))
		return -1;
	if (is(parser, "-")) {
		node = add_node(parser, LXFW_NWIRE_NEGATE, -1, -1);
		of = node < 0 || next(parser) ? -1 : negation(parser);
		if (of < 0)
			return -1;
		parser->nwire->nodes[node].left = of;
	} else {
		node = operand(parser);
	}
	parser->depth--;
	return node;
}

static int32_t product(struct parser *parser)
{
	int32_t left = negation(parser);

	while (left >= 0 && (is(parser, "*") || is(parser, "/") || is(parser, "%"))) {
		int32_t node = add_node(parser, is(parser, "*") ? LXFW_NWIRE_MULTIPLY :
					is(parser, "/") ? LXFW_NWIRE_DIVIDE :
							  LXFW_NWIRE_MODULO, left, -1);
		int32_t right = node < 0 || next(parser) ? -1 : negation(parser);

		if (right < 0)
			return -1;
		parser->nwire->nodes[node].right = right;
		left = node;
	}
	return left;
}

static int32_t sum(struct parser *parser)
{
	int32_t left = product(parser);

	while (left >= 0 && (is(parser, "+") || is(parser, "-"))) {
		int32_t node = add_node(parser, is(parser, "+") ? LXFW_NWIRE_ADD :
					LXFW_NWIRE_SUBTRACT, left, -1);
		int32_t right = node < 0 || next(parser) ? -1 : product(parser);

		if (right < 0)
			return -1;
		parser->nwire->nodes[node].right = right;
		left = node;
	}
	return left;
}

/* --- conditions -------------------------------------------------------------------------------- */

static int32_t alternatives(struct parser *parser);

/* Returns the comparison at the present token, or -1 with the error set. */
static int comparison_of(const struct parser *parser)
{
	static const struct { const char *sign; enum lxfw_nwire_operator is; } signs[] = {
		{ "<", LXFW_NWIRE_LESS }, { ">", LXFW_NWIRE_GREATER },
		{ "<=", LXFW_NWIRE_AT_MOST }, { ">=", LXFW_NWIRE_AT_LEAST },
		{ "==", LXFW_NWIRE_EQUAL }, { "!=", LXFW_NWIRE_UNEQUAL },
		{ "EQ", LXFW_NWIRE_SAME }, { "NE", LXFW_NWIRE_OTHER },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (is(parser, signs[i].sign))
			return (int)signs[i].is;
	}
	return expected(parser, "one of <, >, <=, >=, ==, !=, EQ and NE");
}

/* NAME < EXPRESSION, or NAME EQ "TEXT" */
static int32_t comparison(struct parser *parser)
{
	struct lxfw_nwire *nwire = parser->nwire;
	int32_t node = add_node(parser, LXFW_NWIRE_LESS, -1, -1), right;
	int comparison;

	if (node < 0 || take_text(parser, LXFW_TOKEN_WORD, "a name, NOT, ISDEF, ISNDEF or '('",
				  &nwire->nodes[node].name))
		return -1;
	comparison = comparison_of(parser);
	if (comparison < 0 || next(parser))
		return -1;
	nwire->nodes[node].is = (enum lxfw_nwire_operator)comparison;
	if (comparison == LXFW_NWIRE_SAME || comparison == LXFW_NWIRE_OTHER)
		return take_text(parser, LXFW_TOKEN_STRING, "a string in quotes",
				 &nwire->nodes[node].text) ? -1 : node;
	right = sum(parser);
	if (right < 0)
		return -1;
	nwire->nodes[node].right = right;
	return node;
}

/* ISDEF NAME */
static int32_t definition(struct parser *parser, enum lxfw_nwire_operator operator)
{
	int32_t node = add_node(parser, operator, -1, -1);

	if (node < 0 || next(parser))
		return -1;
	return take_text(parser, LXFW_TOKEN_WORD, "a name",
			 &parser->nwire->nodes[node].name) ? -1 : node;
}

/* What is in the parentheses of a condition. */
static int32_t inside(struct parser *parser);

/* ( ... ) */
static int32_t condition(struct parser *parser)
{
	int32_t node;

	if (enter(parser) || skip(parser, "(", "'(' of a condition"))
		return -1;
	node = inside(parser);
	parser->depth--;
	return node < 0 || skip(parser, ")", "')'") ? -1 : node;
}

static int32_t inside(struct parser *parser)
{
	int32_t node, of;

	if (is(parser, "("))
		return alternatives(parser);
	if (is(parser, "ISDEF"))
		return definition(parser, LXFW_NWIRE_DEFINED);
	if (is(parser, "ISNDEF"))
		return definition(parser, LXFW_NWIRE_UNDEFINED);
	if (!is(parser, "NOT"))
		return comparison(parser);
	node = add_node(parser, LXFW_NWIRE_NOT, -1, -1);
	of = node < 0 || next(parser) ? -1 : condition(parser);
	if (of < 0)
		return -1;
	parser->nwire->nodes[node].left = of;
	return node;
}

/* Conditions with a sign between them, each of which is read by PART. */
static int32_t joined(struct parser *parser, const char *sign,
		      enum lxfw_nwire_operator operator, int32_t (*part)(struct parser *))
{
	int32_t left = part(parser);

	while (left >= 0 && is(parser, sign)) {
		int32_t node = add_node(parser, operator, left, -1);
		int32_t right = node < 0 || next(parser) ? -1 : part(parser);

		if (right < 0)
			return -1;
		parser->nwire->nodes[node].right = right;
		left = node;
	}
	return left;
}

static int32_t conjunction(struct parser *parser)
{
	return joined(parser, "&&", LXFW_NWIRE_AND, condition);
}

static int32_t alternatives(struct parser *parser)
{
	return joined(parser, "||", LXFW_NWIRE_OR, conjunction);
}

/* --- objects ----------------------------------------------------------------------------------- */

/* VALUE "name" { expression } */
static int take_value(struct parser *parser)
{
	struct lxfw_nwire *nwire = parser->nwire;
	struct lxfw_nwire_value *value;

	if (LXFW_GROW(nwire->values, nwire->values_size, nwire->value_count + 1))
		return out_of_memory(parser->tokens.error);
	value = &nwire->values[nwire->value_count++];
	*value = (struct lxfw_nwire_value){
		.expression = -1, .place = parser->tokens.now.place,
	};
	if (next(parser) || take_text(parser, LXFW_TOKEN_STRING, "the name of the value in "
				      "quotes", &value->name) ||
	    skip(parser, "{", "'{' and the value"))
		return -1;
	if (parser->tokens.now.kind == LXFW_TOKEN_STRING) {
		if (take_text(parser, LXFW_TOKEN_STRING, "a string", &value->text))
			return -1;
	} else {
		parser->first_node = nwire->node_count;
		value->expression = sum(parser);
		if (value->expression < 0)
			return -1;
	}
	return skip(parser, "}", "an operator or '}'");
}

static int take_values(struct parser *parser, size_t *first, size_t *count)
{
	*first = parser->nwire->value_count;
	while (is(parser, "VALUE")) {
		if (take_value(parser))
			return -1;
	}
	*count = parser->nwire->value_count - *first;
	return 0;
}

/* ELEMENT 1 { [CONDITION { ... }] VALUE ... } */
static int take_element(struct parser *parser)
{
	struct lxfw_nwire *nwire = parser->nwire;
	const struct lxfw_nwire_token *now = &parser->tokens.now;
	struct lxfw_nwire_element *element;

	if (LXFW_GROW(nwire->elements, nwire->elements_size, nwire->element_count + 1))
		return out_of_memory(parser->tokens.error);
	element = &nwire->elements[nwire->element_count++];
	*element = (struct lxfw_nwire_element){ .condition = -1, .place = now->place };
	if (next(parser))
		return -1;
	if (now->kind != LXFW_TOKEN_NUMBER || !(now->number >= 0 && now->number <= INT32_MAX) ||
	    now->number != (double)(int64_t)now->number)
		return expected(parser, "the number of the element, 0 to 2147483647");
	element->number = (int64_t)now->number;
	if (next(parser) || skip(parser, "{", "'{'"))
		return -1;
	if (is(parser, "CONDITION")) {
		if (next(parser) || skip(parser, "{", "'{' and a condition"))
			return -1;
		parser->first_node = nwire->node_count;
		element->condition = alternatives(parser);
		if (element->condition < 0 || skip(parser, "}", "'&&', '||' or '}'"))
			return -1;
	}
	if (take_values(parser, &element->values, &element->value_count))
		return -1;
	if (element->value_count == 0)
		return expected(parser, "VALUE");
	return skip(parser, "}", "VALUE or '}'");
}

/* KEY "name" { elements or values } */
static int take_key(struct parser *parser)
{
	struct lxfw_nwire *nwire = parser->nwire;
	struct lxfw_nwire_key *key;

	if (LXFW_GROW(nwire->keys, nwire->keys_size, nwire->key_count + 1))
		return out_of_memory(parser->tokens.error);
	key = &nwire->keys[nwire->key_count++];
	*key = (struct lxfw_nwire_key){ .place = parser->tokens.now.place };
	if (next(parser) || take_text(parser, LXFW_TOKEN_STRING, "the name of the key in "
				      "quotes", &key->name) || skip(parser, "{", "'{'"))
		return -1;
	key->elements = nwire->element_count;
	while (is(parser, "ELEMENT")) {
		if (take_element(parser))
			return -1;
	}
	key->element_count = nwire->element_count - key->elements;
	if (key->element_count > 0)
		return skip(parser, "}", "ELEMENT or '}'");
	if (take_values(parser, &key->values, &key->value_count))
		return -1;
	if (key->value_count == 0)
		return expected(parser, "ELEMENT or VALUE");
	return skip(parser, "}", "VALUE or '}'");
}

/* REQUEST "id" { keys } */
static int take_object(struct parser *parser)
{
	struct lxfw_nwire *nwire = parser->nwire;
	struct lxfw_nwire_object *object;

	if (LXFW_GROW(nwire->objects, nwire->objects_size, nwire->object_count + 1))
		return out_of_memory(parser->tokens.error);
	object = &nwire->objects[nwire->object_count++];
	*object = (struct lxfw_nwire_object){ .place = parser->tokens.now.place };
	if (is(parser, "REQUEST"))
		object->type = LXFW_NWIRE_REQUEST;
	else if (is(parser, "MASCHINE") || is(parser, "MACHINE"))
		object->type = LXFW_NWIRE_RESOURCE;
	else if (is(parser, "OFFER"))
		object->type = LXFW_NWIRE_OFFER;
	else
		return expected(parser, "REQUEST, MASCHINE or OFFER");
	if (next(parser) || take_text(parser, LXFW_TOKEN_STRING, "an id in quotes",
				      &object->id) || skip(parser, "{", "'{'"))
		return -1;
	object->keys = nwire->key_count;
	while (is(parser, "KEY")) {
		if (take_key(parser))
			return -1;
	}
	object->key_count = nwire->key_count - object->keys;
	if (object->key_count == 0)
		return expected(parser, "KEY");
	return skip(parser, "}", "KEY or '}'");
}

int lxfw_nwire_parse(struct lxfw_nwire *nwire, const char *text, size_t length,
		     const char *path, struct lxfw_error *error)
{
	struct parser parser = {
		.tokens = { .path = path, .error = error }, .nwire = nwire,
	};
	int result;

	*nwire = (struct lxfw_nwire){ 0 };
	if (length > LXFW_NWIRE_SIZE_MAX)
		return lxfw_error_format(error, "%s: more than %d bytes, expected a shorter file",
					 path, LXFW_NWIRE_SIZE_MAX);
	result = lxfw_nwire_tokens_begin(&parser.tokens, text, length);
	do {
		result = result ? result : take_object(&parser);
	} while (result == 0 && parser.tokens.now.kind != LXFW_TOKEN_END);
	if (result == 0)
		result = lxfw_nwire_check(nwire, path, error);
	if (result)
		lxfw_nwire_clear(nwire);
	return result;
}

/* Whether reading may wait forever. What the shell has opened, /dev/stdin or /dev/fd/63, may be a
   pipe. */
static bool is_strange(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) &&
	       !(S_ISFIFO(status.st_mode) && strncmp(path, "/dev/", 5) == 0);
}

int lxfw_nwire_read(struct lxfw_nwire *nwire, const char *path, struct lxfw_error *error)
{
	struct lxfw_bytes bytes;
	int result;

	*nwire = (struct lxfw_nwire){ 0 };
	if (is_strange(path))
		return lxfw_error_format(error, "%s: no regular file, expected a request", path);
	if (lxfw_bytes_read_first(&bytes, path, LXFW_NWIRE_SIZE_MAX + 1, error))
		return -1;
	result = lxfw_nwire_parse(nwire, (const char *)bytes.bytes, bytes.length, path, error);
	free(bytes.bytes);
	return result;
}
