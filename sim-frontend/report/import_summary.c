/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/import_summary.h"

#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/json_out.h"

static int add(struct json_object *to, const char *key, struct json_object *value)
{
	if (value && json_object_object_add(to, key, value) == 0)
		return 0;
	json_object_put(value);
	return -1;
}

static int add_first_odd(struct json_object *to, const struct lxfw_odd *odd)
{
	return odd->count > 0 ? add(to, "first_odd_line", json_object_new_int64(odd->line)) : 0;
}

/* Adds the counts of a trace in SWF. */
static int add_swf_counts(struct json_object *to, const struct lxfw_log *log)
{
	const struct lxfw_odd *odd = &log->counts.odd;

	return add(to, "records", json_object_new_int64((int64_t)(log->count + odd->count))) ||
	       add(to, "odd_records", json_object_new_int64((int64_t)odd->count)) ||
	       add_first_odd(to, odd);
}

/* Adds the counts of accounting records. */
static int add_counts(struct json_object *to, const struct lxfw_log *log)
{
	const struct lxfw_account_counts *counts = &log->counts;
	const struct {
		const char *key;
		int64_t value;
	} pairs[] = {
		{ "records", (int64_t)counts->records },
		{ "job_records", (int64_t)counts->jobs },
		{ "step_records", (int64_t)counts->steps },
		{ "not_ended_records", (int64_t)counts->not_over },
		{ "duplicate_records", (int64_t)log->doubles },
		{ "other_records", (int64_t)counts->notes },
		{ "array_records", (int64_t)counts->parents },
		{ "odd_records", (int64_t)counts->odd.count },
		{ "other_cluster_records", (int64_t)log->elsewhere },
		{ "deleted_jobs", (int64_t)counts->deleted },
		{ "jobs_without_end", (int64_t)counts->open },
		{ "never_started_jobs", (int64_t)log->never_started },
		{ "planned_jobs", (int64_t)log->planned },
		{ "held_back_jobs", (int64_t)log->late },
		{ "disordered_jobs", (int64_t)log->disordered },
		{ "suspended_jobs", (int64_t)log->suspended },
		{ "jobs_without_limit", (int64_t)log->no_limit },
		{ "parts_of_jobs", (int64_t)counts->parts },
		{ "gpu_share_jobs", (int64_t)counts->gpu_parts },
		{ "unread_option_jobs", (int64_t)counts->unread_jobs },
		{ "rounded_jobs", (int64_t)log->rounded },
		{ "dependent_jobs", (int64_t)log->dependencies.dependent },
		{ "lost_dependent_jobs", (int64_t)log->dependencies.lost },
		{ "other_dependencies", (int64_t)log->dependencies.others },
		{ "cut_dependent_jobs", (int64_t)log->dependencies.cut },
		{ "limited_array_tasks", (int64_t)log->limited },
		{ "truncated_hosts", (int64_t)counts->hosts_cut },
		{ "local_time_records", log->zone ? 0 : (int64_t)counts->local },
		{ "skipped_time_records", (int64_t)counts->skipped },
		{ "repeated_time_records", (int64_t)counts->unclear },
		{ "most_procs", log->most_procs },
		{ "begin_unix_s", log->begin },
	};
	int failed = 0;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs) && !failed; i++)
		failed = add(to, pairs[i].key,
			     json_object_new_int64(pairs[i].value));
	if (!failed)
		failed = add_first_odd(to, &counts->odd);
	if (!failed && log->zone)
		failed = add(to, "time_zone", json_object_new_string(log->zone));
	return failed;
}

static int add_learned(struct json_object *to, const struct lxfw_import_learned *learned)
{
	return add(to, "machine", json_object_new_string(learned->machine)) ||
	       add(to, "machine_jobs", json_object_new_int64((int64_t)learned->jobs)) ||
	       add(to, "new_machine_jobs",
		   json_object_new_int64((int64_t)learned->new_jobs)) ||
	       add(to, "jobs_not_learned",
		   json_object_new_int64((int64_t)learned->no_limit));
}

int lxfw_import_summary_print(const struct lxfw_log *log,
			      const struct lxfw_import_learned *learned,
			      enum lxfw_format format, FILE *out)
{
	struct json_object *summary = json_object_new_object();
	bool accounting = log->logs > 0;
	int failed = !summary ||
		add(summary, "format", json_object_new_string(accounting ?
			log->format->name : lxfw_log_swf.name)) ||
		add(summary, "jobs", json_object_new_int64((int64_t)log->count)) ||
		(accounting ? add_counts(summary, log) : add_swf_counts(summary, log)) ||
		(learned && add_learned(summary, learned));

	if (failed) {
		json_object_put(summary);
		summary = NULL;
	}
	return lxfw_json_out(summary, format, out);
}
