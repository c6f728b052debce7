/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads formulas: a parser by recursive descent that writes the steps of the machine of
 * formula_run.c. The precedences are those of Python's reference, section 6.17.
 */
#include "common/util/formula.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/formula_code.h"
#include "common/util/grow.h"

/* Integers below 10^15 and powers of ten up to 10^22 are exact as doubles. A single
   multiplication or division therefore rounds correctly. */
#define DIGITS_MAX 15
#define POWER_MAX 22

/* Names of a message. */
#define LISTED_MAX 24

struct parser {
	const char *text, *at;
	const struct lxfw_formula_names *names;
	struct lxfw_formula *formula;
	struct lxfw_error *error;
	int depth;
	int height;		/* of the stack, or more */
};

static int parse_choice(struct parser *parser);

/* --- errors ----------------------------------------------------------------------- */

static int fail_at(struct parser *parser, const char *at, const char *what)
{
	lxfw_error_set(parser->error, "column ");
	lxfw_error_add_number(parser->error, at - parser->text + 1);
	lxfw_error_add(parser->error, ": ");
	lxfw_error_add(parser->error, what);
	errno = EINVAL;
	return -1;
}

/* The bytes of a word, or one other byte. */
static int token_length(const char *at)
{
	int length = 0;

	while ((at[length] >= 'a' && at[length] <= 'z') || at[length] == '_' ||
	       (at[length] >= 'A' && at[length] <= 'Z') ||
	       (at[length] >= '0' && at[length] <= '9'))
		length++;
	return length ? length : *at != '\0';
}

static int fail_token(struct parser *parser, const char *at, const char *expected)
{
	if (*at == '\0') {
		fail_at(parser, at, "the formula ends");
	} else {
		fail_at(parser, at, "unexpected '");
		lxfw_error_add_bytes(parser->error, at, token_length(at));
		lxfw_error_add(parser->error, "'");
	}
	lxfw_error_add(parser->error, ", expected ");
	lxfw_error_add(parser->error, expected);
	return -1;
}

static int fail_name(struct parser *parser, const char *at, int length)
{
	fail_at(parser, at, "unknown name '");
	lxfw_error_add_bytes(parser->error, at, length);
	lxfw_error_add(parser->error, "'");
	for (size_t i = 0; i < parser->names->value_count && i < LISTED_MAX; i++) {
		lxfw_error_add(parser->error, i == 0 ? ", expected " : ", ");
		lxfw_error_add(parser->error, parser->names->values[i]);
	}
	if (parser->names->value_count > LISTED_MAX)
		lxfw_error_add(parser->error, ", ...");
	return -1;
}

/* --- steps ------------------------------------------------------------------------ */

/* How many more values are on the stack after a step that does not jump. */
static int growth(uint8_t op)
{
	switch (op) {
	case FORMULA_NUMBER:
	case FORMULA_VALUE:
		return 1;
	case FORMULA_NEGATE:
	case FORMULA_NOT:
	case FORMULA_ONE:
		return 0;
	default:
		return -1;	/* a jump leaves a value of which another branch puts one */
	}
}

/* Appends a step, which *STEP points to until the next one. */
static int emit(struct parser *parser, uint8_t op, const char *at,
		struct formula_step **step)
{
	struct lxfw_formula *formula = parser->formula;

	if (LXFW_GROW(formula->steps, formula->size, formula->count + 1))
		return -1;
	parser->height += growth(op);
	if (parser->height > FORMULA_STACK_MAX)
		return fail_at(parser, at, "too many operators within each other, "
			       "expected fewer");
	*step = &formula->steps[formula->count++];
	**step = (struct formula_step) {
		.op = op, .column = (uint32_t)(at - parser->text + 1),
	};
	return 0;
}

static int emit_operator(struct parser *parser, uint8_t op, const char *at)
{
	struct formula_step *step;

	return emit(parser, op, at, &step);
}

/* Lets the step with index FROM jump to the end. */
static void land(struct parser *parser, size_t from)
{
	parser->formula->steps[from].jump = parser->formula->count - from - 1;
}

static void reverse(struct formula_step *steps, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct formula_step step = steps[i];

		steps[i] = steps[count - 1 - i];
		steps[count - 1 - i] = step;
	}
}

/* Exchanges the steps from FIRST with those from SECOND to the end. Jumps are relative and
   lead nowhere else. */
static void exchange(struct parser *parser, size_t first, size_t second)
{
	struct formula_step *steps = parser->formula->steps + first;
	size_t count = parser->formula->count - first, before = second - first;

	reverse(steps, before);
	reverse(steps + before, count - before);
	reverse(steps, count);
}

/* --- tokens ----------------------------------------------------------------------- */

static void skip_space(struct parser *parser)
{
	while (*parser->at == ' ' || *parser->at == '\t')
		parser->at++;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Whether the next token is the operator or word. It is skipped then. */
static bool take(struct parser *parser, const char *token)
{
	size_t length = strlen(token);

	skip_space(parser);
	if (strncmp(parser->at, token, length) != 0 ||
	    (token_length(token) == (int)length && token_length(parser->at) != (int)length))
		return false;
	parser->at += length;
	return true;
}

/* Reads digits into *MANTISSA. Returns how many there are. */
static int read_digits(struct parser *parser, double *mantissa, int *significant)
{
	int count = 0;

	for (; is_digit(*parser->at); parser->at++, count++) {
		if (*significant > 0 || *parser->at != '0')
			(*significant)++;
		if (*significant <= DIGITS_MAX)
			*mantissa = *mantissa * 10 + (*parser->at - '0');
	}
	return count;
}

static double power_of_ten(int exponent)
{
	double power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

/* Reads "e-12" if it is next. Returns -1 on an error. */
static int read_exponent(struct parser *parser, int *exponent)
{
	const char *from = parser->at;
	int value = 0;
	bool negative;

	if (*from != 'e' && *from != 'E')
		return 0;
	parser->at++;
	negative = *parser->at == '-';
	if (negative || *parser->at == '+')
		parser->at++;
	if (!is_digit(*parser->at))
		return fail_token(parser, parser->at, "digits of an exponent");
	for (; is_digit(*parser->at); parser->at++)
		value = value > 1000 ? value : value * 10 + (*parser->at - '0');
	*exponent += negative ? -value : value;
	return 0;
}

static int parse_number(struct parser *parser)
{
	const char *from = parser->at;
	int significant = 0, whole, places = 0, exponent = 0;
	double mantissa = 0;
	bool is_integer;
	struct formula_step *step;

	whole = read_digits(parser, &mantissa, &significant);
	is_integer = *parser->at != '.';
	if (!is_integer) {
		parser->at++;
		places = read_digits(parser, &mantissa, &significant);
	}
	if (whole + places == 0)
		return fail_token(parser, from, "a number or a name");
	exponent = -places;
	is_integer = is_integer && *parser->at != 'e' && *parser->at != 'E';
	if (read_exponent(parser, &exponent))
		return -1;
	if (is_integer && *from == '0' && mantissa != 0)
		return fail_at(parser, from, "an integer begins with 0, expected none "
			       "that does");
	if (significant > DIGITS_MAX || exponent > POWER_MAX || exponent < -POWER_MAX)
		return fail_at(parser, from, "number with too many places, expected at most "
			       "15 digits and an exponent from -22 to 22");
	if (emit(parser, FORMULA_NUMBER, from, &step))
		return -1;
	step->number = exponent < 0 ? mantissa / power_of_ten(-exponent) :
				      mantissa * power_of_ten(exponent);
	return 0;
}

/* --- functions -------------------------------------------------------------------- */

static bool folds(const struct lxfw_formula_function *function)
{
	return function->two == formula_max || function->two == formula_min;
}

static int emit_call(struct parser *parser, const struct lxfw_formula_function *function,
		     bool two, const char *at)
{
	struct formula_step *step;

	if (emit(parser, two ? FORMULA_TWO : FORMULA_ONE, at, &step))
		return -1;
	if (two)
		step->two = function->two;
	else
		step->one = function->one;
	return 0;
}

static int fail_arguments(struct parser *parser,
			  const struct lxfw_formula_function *function, const char *at)
{
	fail_at(parser, at, function->name);
	lxfw_error_add(parser->error, "() with a wrong number of arguments, expected ");
	lxfw_error_add(parser->error, folds(function) ? "2 or more" :
		       !function->two ? "1" : !function->one ? "2" : "1 or 2");
	return -1;
}

/* The arguments of a function, after the parenthesis. min() and max() of several are calls
   with two arguments each. */
static int parse_arguments(struct parser *parser,
			   const struct lxfw_formula_function *function, const char *at)
{
	int count = 0;

	do {
		skip_space(parser);
		if (count == 0 && *parser->at == ')')
			break;
		if (parse_choice(parser))
			return -1;
		count++;
		if (folds(function) && count > 1 && emit_call(parser, function, true, at))
			return -1;
	} while (take(parser, ","));
	if (!take(parser, ")"))
		return fail_token(parser, parser->at, "',' or ')'");
	if (folds(function))
		return count > 1 ? 0 : fail_arguments(parser, function, at);
	if (count < 1 || count > 2 || (count == 1 ? !function->one : !function->two))
		return fail_arguments(parser, function, at);
	return emit_call(parser, function, count == 2, at);
}

/* --- names ------------------------------------------------------------------------ */

static const char *const reserved[] = {
	"and", "else", "for", "if", "in", "is", "lambda", "not", "or", "None",
};

static bool same(const char *name, const char *at, int length)
{
	return strncmp(name, at, (size_t)length) == 0 && name[length] == '\0';
}

static int parse_constant(struct parser *parser, const char *at, int length)
{
	struct formula_step *step;
	double value;

	if (!formula_constant(at, length, &value))
		return 0;
	if (emit(parser, FORMULA_NUMBER, at, &step))
		return -1;
	step->number = value;
	return 1;
}

static int parse_value(struct parser *parser, const char *at, int length)
{
	struct formula_step *step;

	for (size_t i = 0; i < parser->names->value_count; i++) {
		if (!same(parser->names->values[i], at, length))
			continue;
		if (emit(parser, FORMULA_VALUE, at, &step))
			return -1;
		step->index = i;
		return 0;
	}
	return fail_name(parser, at, length);
}

static int parse_name(struct parser *parser)
{
	const char *at = parser->at;
	int length = token_length(at), constant;
	const struct lxfw_formula_function *function;

	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
		if (same(reserved[i], at, length))
			return fail_token(parser, at, "a number or a name");
	}
	parser->at += length;
	if (take(parser, "(")) {
		function = formula_function(parser->names, at, length);
		if (function)
			return parse_arguments(parser, function, at);
		fail_at(parser, at, "unknown function '");
		lxfw_error_add_bytes(parser->error, at, length);
		lxfw_error_add(parser->error, "', expected one such as min, max, abs or sqrt");
		return -1;
	}
	constant = parse_constant(parser, at, length);
	if (constant)
		return constant < 0 ? -1 : 0;
	return parse_value(parser, at, length);
}

/* --- expressions, from the strongest to the weakest operator ------------------------ */

static int parse_atom(struct parser *parser)
{
	skip_space(parser);
	if (take(parser, "(")) {
		if (parse_choice(parser))
			return -1;
		return take(parser, ")") ? 0 :
		       fail_token(parser, parser->at, "an operator or ')'");
	}
	if (is_digit(*parser->at) || *parser->at == '.')
		return parse_number(parser);
	if (token_length(parser->at) > 0 && (*parser->at == '_' ||
	    (*parser->at >= 'a' && *parser->at <= 'z') ||
	    (*parser->at >= 'A' && *parser->at <= 'Z')))
		return parse_name(parser);
	return fail_token(parser, parser->at, "a number or a name");
}

static int deeper(struct parser *parser)
{
	if (++parser->depth > LXFW_FORMULA_DEPTH_MAX)
		return fail_at(parser, parser->at, "too many operators within each other, "
			       "expected fewer");
	return 0;
}

/* Signs, and ** that is stronger than a sign on its left, but not on its right. */
static int parse_sign(struct parser *parser)
{
	const struct lxfw_formula_function *power;
	const char *at;

	if (deeper(parser))
		return -1;
	skip_space(parser);
	at = parser->at;
	if (take(parser, "-") || take(parser, "+")) {
		if (parse_sign(parser) ||
		    (*at == '-' && emit_operator(parser, FORMULA_NEGATE, at)))
			return -1;
	} else {
		if (parse_atom(parser))
			return -1;
		skip_space(parser);
		at = parser->at;
		if (take(parser, "**")) {
			power = formula_function(parser->names, "pow", 3);
			if (!power || !power->two)
				return fail_token(parser, at, "another operator");
			if (parse_sign(parser) || emit_call(parser, power, true, at))
				return -1;
		}
	}
	parser->depth--;
	return 0;
}

static int parse_product(struct parser *parser)
{
	if (parse_sign(parser))
		return -1;
	for (;;) {
		const char *at;
		uint8_t op;

		skip_space(parser);
		at = parser->at;
		if (take(parser, "//"))
			op = FORMULA_FLOOR_DIVIDE;
		else if (take(parser, "/"))
			op = FORMULA_DIVIDE;
		else if (take(parser, "*"))
			op = FORMULA_MULTIPLY;
		else if (take(parser, "%"))
			op = FORMULA_REMAINDER;
		else
			return 0;
		if (parse_sign(parser) || emit_operator(parser, op, at))
			return -1;
	}
}

static int parse_sum(struct parser *parser)
{
	if (parse_product(parser))
		return -1;
	for (;;) {
		const char *at;
		uint8_t op;

		skip_space(parser);
		at = parser->at;
		if (take(parser, "+"))
			op = FORMULA_ADD;
		else if (take(parser, "-"))
			op = FORMULA_SUBTRACT;
		else
			return 0;
		if (parse_product(parser) || emit_operator(parser, op, at))
			return -1;
	}
}

static enum formula_comparison take_comparison(struct parser *parser)
{
	static const struct { const char *token; enum formula_comparison how; } all[] = {
		{ "<=", FORMULA_LESS_EQUAL }, { ">=", FORMULA_MORE_EQUAL },
		{ "==", FORMULA_EQUAL }, { "!=", FORMULA_NOT_EQUAL },
		{ "<", FORMULA_LESS }, { ">", FORMULA_MORE },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (take(parser, all[i].token))
			return all[i].how;
	}
	return FORMULA_NO_COMPARISON;
}

/* a < b < c is a < b and b < c. The jumps of all but the last comparison lead to the
   end. */
static int parse_comparison(struct parser *parser)
{
	size_t first, last;
	enum formula_comparison how;
	struct formula_step *step;

	if (parse_sum(parser))
		return -1;
	first = parser->formula->count;
	last = first;
	for (;;) {
		const char *at;

		skip_space(parser);
		at = parser->at;
		how = take_comparison(parser);
		if (how == FORMULA_NO_COMPARISON)
			break;
		if (parse_sum(parser) || emit(parser, FORMULA_CHAIN, at, &step))
			return -1;
		step->how = (uint8_t)how;
		/* until the end is known, a comparison has the index of the one before */
		step->jump = last;
		last = parser->formula->count;
	}
	if (last == first)
		return 0;
	parser->formula->steps[last - 1].op = FORMULA_COMPARE;
	last = parser->formula->steps[last - 1].jump;
	while (last != first) {
		size_t before = parser->formula->steps[last - 1].jump;

		land(parser, last - 1);
		last = before;
	}
	return 0;
}

static int parse_not(struct parser *parser)
{
	const char *at;

	skip_space(parser);
	at = parser->at;
	if (!take(parser, "not"))
		return parse_comparison(parser);
	if (deeper(parser) || parse_not(parser))
		return -1;
	parser->depth--;
	return emit_operator(parser, FORMULA_NOT, at);
}

static int parse_and(struct parser *parser)
{
	if (parse_not(parser))
		return -1;
	for (;;) {
		size_t jump = parser->formula->count;
		const char *at;

		skip_space(parser);
		at = parser->at;
		if (!take(parser, "and"))
			return 0;
		if (emit_operator(parser, FORMULA_AND, at) || parse_not(parser))
			return -1;
		land(parser, jump);
	}
}

static int parse_or(struct parser *parser)
{
	if (parse_and(parser))
		return -1;
	for (;;) {
		size_t jump = parser->formula->count;
		const char *at;

		skip_space(parser);
		at = parser->at;
		if (!take(parser, "or"))
			return 0;
		if (emit_operator(parser, FORMULA_OR, at) || parse_and(parser))
			return -1;
		land(parser, jump);
	}
}

/* X if CONDITION else Y: the steps of the condition come first. */
static int parse_choice(struct parser *parser)
{
	size_t first = parser->formula->count, second, unless, jump;
	const char *at;

	if (deeper(parser) || parse_or(parser))
		return -1;
	skip_space(parser);
	at = parser->at;
	if (take(parser, "if")) {
		second = parser->formula->count;
		if (parse_or(parser) ||
		    emit_operator(parser, FORMULA_UNLESS, at))
			return -1;
		exchange(parser, first, second);
		unless = first + parser->formula->count - second - 1;
		jump = parser->formula->count;
		if (emit_operator(parser, FORMULA_JUMP, at))
			return -1;
		land(parser, unless);
		if (!take(parser, "else"))
			return fail_token(parser, parser->at, "an operator or 'else'");
		if (parse_choice(parser))
			return -1;
		land(parser, jump);
	}
	parser->depth--;
	return 0;
}

struct lxfw_formula *lxfw_formula_read(const char *text,
				       const struct lxfw_formula_names *names,
				       struct lxfw_error *error)
{
	struct parser parser = { .text = text, .at = text, .names = names, .error = error };
	int failed;

	if (strlen(text) > LXFW_FORMULA_LENGTH_MAX) {
		lxfw_error_set(error, "a formula of more than 65536 bytes, expected fewer");
		errno = EINVAL;
		return NULL;
	}
	parser.formula = calloc(1, sizeof(*parser.formula));
	if (!parser.formula)
		return NULL;
	failed = parse_choice(&parser);
	skip_space(&parser);
	if (!failed && *parser.at != '\0')
		failed = fail_token(&parser, parser.at, "an operator or the end");
	if (failed) {
		int saved = errno;

		lxfw_formula_free(parser.formula);
		if (saved == ENOMEM)
			lxfw_error_set(error, "out of memory");
		errno = saved;
		return NULL;
	}
	return parser.formula;
}

void lxfw_formula_free(struct lxfw_formula *formula)
{
	if (!formula)
		return;
	free(formula->steps);
	free(formula);
}
