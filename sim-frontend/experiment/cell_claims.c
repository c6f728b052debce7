/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/cell_claims.h"

#include <errno.h>
#include <math.h>

#include "sim-frontend/util/json_out.h"

#define SEEDS_MAX 100

/* What a condition is about. */
struct figure {
	double median;		/* over the seeds; NAN: not simulated */
	bool holds;		/* of the median */
	int seeds_held;
};

struct verdict {
	int of, held;		/* numbers of figures; of = 0: not simulated */
	bool holds;
};

static bool is_condition(const struct lxfw_cell_condition *condition)
{
	return condition->low != condition->high || condition->low != 0;
}

static bool is_within(const struct lxfw_cell_condition *condition, double value)
{
	return value >= condition->low && value <= condition->high;
}

static struct figure figure_of(const struct lxfw_cell_claims *claims,
			       const struct lxfw_cell_condition *condition)
{
	struct figure figure = { 0 };
	double values[SEEDS_MAX];

	for (int i = 0; i < claims->seeds; i++) {
		values[i] = claims->value(claims->results, &condition->cell, i);
		if (condition->reference.table >= 0)
			values[i] /= claims->value(claims->results,
						   &condition->reference, i);
		figure.seeds_held += is_within(condition, values[i]);
	}
	figure.median = lxfw_spread_of(values, claims->seeds).median;
	figure.holds = is_within(condition, figure.median);
	return figure;
}

static struct verdict test(const struct lxfw_cell_claims *claims,
			   const struct lxfw_cell_claim *claim)
{
	struct verdict verdict = { 0 };

	for (int i = 0; i < LXFW_CELL_CONDITIONS; i++) {
		struct figure figure;

		if (!is_condition(&claim->conditions[i]))
			break;
		figure = figure_of(claims, &claim->conditions[i]);
		if (isnan(figure.median))
			return (struct verdict) { 0 };
		verdict.of++;
		verdict.held += figure.holds;
	}
	verdict.holds = claim->most ? 2 * verdict.held > verdict.of :
				      verdict.held == verdict.of;
	return verdict;
}

/* --- text --------------------------------------------------------------------------- */

static void print_figure(const struct lxfw_cell_claims *claims,
			 const struct lxfw_cell_condition *condition, FILE *out)
{
	struct figure figure = figure_of(claims, condition);

	fprintf(out, "  %10.4g%c ", figure.median, figure.holds ? ' ' : '!');
	claims->print_cell(claims->results, &condition->cell, out);
	if (condition->reference.table >= 0) {
		fputs(" / ", out);
		claims->print_cell(claims->results, &condition->reference, out);
	}
	if (isinf(condition->high))
		fprintf(out, ": at least %g", condition->low);
	else if (condition->low == 0)
		fprintf(out, ": at most %g", condition->high);
	else
		fprintf(out, ": %g to %g", condition->low, condition->high);
	if (claims->seeds > 1)
		fprintf(out, "; with %d of %d seeds", figure.seeds_held, claims->seeds);
	putc('\n', out);
}

static void print_claim(const struct lxfw_cell_claims *claims,
			const struct lxfw_cell_claim *claim,
			const struct verdict *verdict, FILE *out)
{
	fprintf(out, "\n[%s] %s: ", claim->section, claim->text);
	if (claim->most)
		fprintf(out, "%s, in %d of %d figures\n",
			verdict->holds ? "holds" : "does not hold", verdict->held,
			verdict->of);
	else if (verdict->holds)
		fputs("holds\n", out);
	else if (verdict->held == 0)
		fputs("does not hold\n", out);
	else
		fprintf(out, "holds in %d of %d figures\n", verdict->held, verdict->of);
	for (int i = 0; i < verdict->of; i++)
		print_figure(claims, &claim->conditions[i], out);
}

void lxfw_cell_claims_print(const struct lxfw_cell_claims *claims, FILE *out)
{
	int tested = 0, hold = 0, partly = 0;

	fputs("\nClaims; '!' marks values out of bounds.\n", out);
	for (int i = 0; i < claims->count; i++) {
		const struct lxfw_cell_claim *claim = &claims->claims[i];
		struct verdict verdict = test(claims, claim);

		if (verdict.of == 0)
			continue;
		print_claim(claims, claim, &verdict, out);
		tested++;
		hold += verdict.holds;
		partly += !verdict.holds && !claim->most && verdict.held > 0;
	}
	fprintf(out, "\n%d claims: %d hold, %d hold in some figures only, %d do "
		"not\n", tested, hold, partly, tested - hold - partly);
}

/* --- JSON --------------------------------------------------------------------------- */

void lxfw_cell_put_number(struct json_object *to, const char *key, double value,
			  bool *failed)
{
	if (isfinite(value))
		lxfw_json_put(to, key, json_object_new_double(value), failed);
}

static struct json_object *figures_json(const struct lxfw_cell_claims *claims,
					const struct lxfw_cell_claim *claim, int count,
					bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < count; i++) {
		const struct lxfw_cell_condition *condition = &claim->conditions[i];
		struct figure figure = figure_of(claims, condition);
		struct json_object *object = json_object_new_object();

		lxfw_cell_put_number(object, "figure", figure.median, failed);
		lxfw_cell_put_number(object, "at_least", condition->low, failed);
		lxfw_cell_put_number(object, "at_most", condition->high, failed);
		lxfw_json_put(object, "seeds_held",
			      json_object_new_int(figure.seeds_held), failed);
		lxfw_json_append(list, object, failed);
	}
	return list;
}

static struct json_object *claim_json(const struct lxfw_cell_claims *claims,
				      const struct lxfw_cell_claim *claim,
				      const struct verdict *verdict, bool *failed)
{
	struct json_object *object = json_object_new_object();

	lxfw_json_put(object, "claim", json_object_new_string(claim->key), failed);
	lxfw_json_put(object, "section", json_object_new_string(claim->section),
		      failed);
	lxfw_json_put(object, "text", json_object_new_string(claim->text), failed);
	lxfw_json_put(object, "holds", json_object_new_boolean(verdict->holds), failed);
	lxfw_json_put(object, "figures_held", json_object_new_int(verdict->held),
		      failed);
	lxfw_json_put(object, "figures", json_object_new_int(verdict->of), failed);
	lxfw_json_put(object, "conditions",
		      figures_json(claims, claim, verdict->of, failed), failed);
	return object;
}

struct json_object *lxfw_cell_claims_json(const struct lxfw_cell_claims *claims,
					  bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < claims->count; i++) {
		struct verdict verdict = test(claims, &claims->claims[i]);

		if (verdict.of > 0)
			lxfw_json_append(list, claim_json(claims, &claims->claims[i],
							  &verdict, failed), failed);
	}
	return list;
}

struct lxfw_spread lxfw_cell_spread(const struct lxfw_cell_claims *claims, int table, int row,
				    int column)
{
	const struct lxfw_cell cell = { table, row, column };
	double values[SEEDS_MAX];

	for (int i = 0; i < claims->seeds; i++)
		values[i] = claims->value(claims->results, &cell, i);
	return lxfw_spread_of(values, claims->seeds);
}

static int report_json(const struct lxfw_cell_report *report, enum lxfw_format format, FILE *out)
{
	struct json_object *all = json_object_new_object();
	bool failed = false;

	lxfw_json_put(all, "jobs", json_object_new_int64((int64_t)report->jobs), &failed);
	lxfw_json_put(all, "seeds", json_object_new_int(report->claims.seeds), &failed);
	lxfw_json_put(all, "first_seed", json_object_new_int64(report->first_seed), &failed);
	report->put_tables(report->claims.results, all, &failed);
	lxfw_json_put(all, "claims", lxfw_cell_claims_json(&report->claims, &failed), &failed);
	if (failed) {
		json_object_put(all);
		errno = ENOMEM;
		return -1;
	}
	return lxfw_json_out(all, format, out);
}

int lxfw_cell_report_print(const struct lxfw_cell_report *report, enum lxfw_format format,
			   FILE *out)
{
	if (format != LXFW_FORMAT_TABLE)
		return report_json(report, format, out);
	report->print_tables(report->claims.results, out);
	lxfw_cell_claims_print(&report->claims, out);
	return 0;
}
