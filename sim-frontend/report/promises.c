/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/promises.h"

#include <math.h>

#include "common/model/time.h"
#include "sim-frontend/util/json_out.h"

static const struct {
	const char *text, *key;
} kinds[LXFW_KEPT_KINDS] = {
	[LXFW_KEPT_EXPECTED] = { "expected wait", "by_expected_wait" },
	[LXFW_KEPT_AGE] = { "waited so far", "by_time_waited" },
	[LXFW_KEPT_LIMIT] = { "requested time", "by_requested_time" },
};

/* The end of a class, seconds; negative: it has none. */
static int64_t end_of(int kind, int number)
{
	return number + 1 < LXFW_KEPT_CLASSES ? lxfw_kept_class(kind, number + 1) : -1;
}

/* --- text ------------------------------------------------------------------------- */

static void share_text(const char *name, const struct lxfw_kept_share *share, FILE *out)
{
	char half[32], most[32];

	fprintf(out, "  %-28s %8zu %7.1f %% %9.1f %% %9s %7.1f %% %9.1f %% %9s\n", name,
		share->jobs, 100 * share->inside[LXFW_HALF], 100 * share->by_moment[LXFW_HALF],
		lxfw_format_span(share->width[LXFW_HALF], half, sizeof(half)),
		100 * share->inside[LXFW_MOST], 100 * share->by_moment[LXFW_MOST],
		lxfw_format_span(share->width[LXFW_MOST], most, sizeof(most)));
}

static void class_text(const struct lxfw_kept *kept, int kind, int number, FILE *out)
{
	int64_t begin = lxfw_kept_class(kind, number), end = end_of(kind, number);
	char from[32], to[32], name[80];

	if (begin < 0 || kept->classes[kind][number].jobs == 0)
		return;
	/* Requested times up to 4 h are below 4 h and a second. */
	lxfw_format_span((double)(begin - begin % 60), from, sizeof(from));
	lxfw_format_span((double)(end - end % 60), to, sizeof(to));
	if (number == 0)
		snprintf(name, sizeof(name), "%s to %s", kinds[kind].text, to);
	else if (end < 0)
		snprintf(name, sizeof(name), "  above %s", from);
	else
		snprintf(name, sizeof(name), "  to %s", to);
	share_text(name, &kept->classes[kind][number], out);
}

void lxfw_promises_text(const struct lxfw_moments *moments, const struct lxfw_kept *kept,
			FILE *out)
{
	fprintf(out, "%zu predictions at %zu moments, %d futures each, seed %llu\n",
		kept->predictions, kept->moments, moments->futures,
		(unsigned long long)moments->seed);
	fprintf(out, "not judged: %zu for which too little was known, %zu without a start, %zu "
		"whose start is the same in all futures\n\n", kept->too_few, kept->unknown,
		kept->sure);
	fprintf(out, "%-30s %8s %9s %11s %9s %9s %11s %9s\n", "intervals of remaining waits",
		"jobs", "50 %", "by moment", "width", "90 %", "by moment", "width");
	share_text("corrected", &kept->corrected, out);
	share_text("not corrected", &kept->raw, out);
	share_text("ratio to the expected wait", &kept->ratio, out);
	fprintf(out, "\ncorrected, by what is known\n");
	for (int i = 0; i < LXFW_KEPT_KINDS; i++) {
		for (int j = 0; j < LXFW_KEPT_CLASSES; j++)
			class_text(kept, i, j, out);
	}
}

/* --- JSON ------------------------------------------------------------------------- */

static struct json_object *number(double value)
{
	char text[32];

	return json_object_new_double_s(value, lxfw_format_double(value, text,
								   sizeof(text)));
}

static struct json_object *share_json(const struct lxfw_kept_share *share, bool *failed)
{
	struct json_object *one = json_object_new_object();

	lxfw_json_put(one, "jobs", json_object_new_int64((int64_t)share->jobs), failed);
	for (int i = 0; i < LXFW_STATED; i++) {
		lxfw_json_put(one, i ? "inside_90" : "inside_50", number(share->inside[i]),
			      failed);
		lxfw_json_put(one, i ? "by_moment_90" : "by_moment_50",
			      number(share->by_moment[i]), failed);
		lxfw_json_put(one, i ? "median_width_90" : "median_width_50",
			      number(share->width[i]), failed);
	}
	return one;
}

static struct json_object *classes_json(const struct lxfw_kept *kept, int kind, bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_KEPT_CLASSES && lxfw_kept_class(kind, i) >= 0; i++) {
		struct json_object *one = share_json(&kept->classes[kind][i], failed);

		lxfw_json_put(one, "from", json_object_new_int64(lxfw_kept_class(kind, i)),
			      failed);
		if (end_of(kind, i) >= 0)
			lxfw_json_put(one, "below", json_object_new_int64(end_of(kind, i)),
				      failed);
		lxfw_json_append(list, one, failed);
	}
	return list;
}

static void put_size(struct json_object *to, const char *key, size_t size, bool *failed)
{
	lxfw_json_put(to, key, json_object_new_int64((int64_t)size), failed);
}

int lxfw_promises_json(const struct lxfw_moments *moments, const struct lxfw_kept *kept,
		       enum lxfw_format format, FILE *out)
{
	struct json_object *top = json_object_new_object();
	bool failed = false;

	lxfw_json_put(top, "futures", json_object_new_int(moments->futures), &failed);
	lxfw_json_put(top, "seed", json_object_new_int64((int64_t)moments->seed), &failed);
	put_size(top, "predictions", kept->predictions, &failed);
	put_size(top, "moments", kept->moments, &failed);
	put_size(top, "judged_moments", kept->judged_moments, &failed);
	put_size(top, "too_little_known", kept->too_few, &failed);
	put_size(top, "without_start", kept->unknown, &failed);
	put_size(top, "same_in_all_futures", kept->sure, &failed);
	lxfw_json_put(top, "corrected", share_json(&kept->corrected, &failed), &failed);
	lxfw_json_put(top, "not_corrected", share_json(&kept->raw, &failed), &failed);
	lxfw_json_put(top, "ratio", share_json(&kept->ratio, &failed), &failed);
	for (int i = 0; i < LXFW_KEPT_KINDS; i++)
		lxfw_json_put(top, kinds[i].key, classes_json(kept, i, &failed), &failed);
	if (failed) {
		json_object_put(top);
		top = NULL;
	}
	return lxfw_json_out(top, format, out);
}

/* --- cases ------------------------------------------------------------------------ */

static void put_bounds(const struct lxfw_bounds *bounds, struct lxfw_output *out)
{
	for (int i = 0; i < LXFW_STATED; i++)
		lxfw_output_format(out, ",%.0f,%.0f", floor(bounds->of[i].low),
				   ceil(bounds->of[i].high));
}

void lxfw_promises_cases(const struct lxfw_promises *promises, const struct lxfw_kept *kept,
			 const struct lxfw_job_names *names, struct lxfw_output *out)
{
	lxfw_output_text(out, "job,time,age,limit,wait,futures,low50,high50,low90,high90,"
			 "corrected_low50,corrected_high50,corrected_low90,corrected_high90,"
			 "judged\n");
	for (size_t i = 0; i < promises->count; i++) {
		const struct lxfw_promise *at = &promises->list[i];
		char name[64];

		lxfw_job_names_text(names, at->job, name, sizeof(name));
		lxfw_output_format(out, "%s,%lld,%lld,%lld,", name, (long long)at->time,
				   (long long)at->said.standing.age, (long long)at->said.standing.limit);
		if (at->start != LXFW_NEVER)
			lxfw_output_format(out, "%lld", (long long)(at->start - at->time));
		lxfw_output_format(out, ",%lld", (long long)at->said.standing.expected);
		put_bounds(&at->said.raw, out);
		put_bounds(&kept->bounds[i], out);
		lxfw_output_format(out, ",%d\n", kept->judged[i]);
	}
}
