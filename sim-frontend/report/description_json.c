/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/description.h"

#include <json-c/json.h>

#include "sim-frontend/report/report.h"
#include "sim-frontend/util/json_out.h"

/* `failed` is set when memory runs out; later additions are then ignored. */
struct builder {
	const struct lxfw_description *description;
	bool failed;
};

static void add(struct builder *builder, struct json_object *to,
		const char *key, struct json_object *value)
{
	lxfw_json_put(to, key, value, &builder->failed);
}

static void append(struct builder *builder, struct json_object *to,
		   struct json_object *value)
{
	lxfw_json_append(to, value, &builder->failed);
}

static struct json_object *number(double value)
{
	char text[32];

	return json_object_new_double_s(value, lxfw_format_double(value, text,
							sizeof(text)));
}

static void add_whole(struct builder *builder, struct json_object *to,
		      const char *key, int64_t value)
{
	add(builder, to, key, json_object_new_int64(value));
}

static void add_text(struct builder *builder, struct json_object *to,
		     const char *key, const char *value)
{
	add(builder, to, key, json_object_new_string(value));
}

static void add_number(struct builder *builder, struct json_object *to,
		       const char *key, double value)
{
	add(builder, to, key, number(value));
}

/* Adds a percentage; unknown ones are omitted. */
static void add_share(struct builder *builder, struct json_object *to,
		      const char *key, const struct lxfw_fraction *share)
{
	if (share->of > 0)
		add_number(builder, to, key, lxfw_fraction_percent(share));
}

static void add_group(struct builder *builder, struct json_object *object,
		      const struct lxfw_job_group *from, int64_t seconds)
{
	const struct lxfw_description *description = builder->description;
	double procs = lxfw_description_proc_demand(description, from, seconds);
	double memory = lxfw_description_memory_demand(description, from,
						       seconds);

	add_whole(builder, object, "jobs", (int64_t)from->jobs);
	if (procs >= 0)
		add_number(builder, object, "proc_demand", procs);
	if (memory >= 0)
		add_number(builder, object, "memory_demand", memory);
	add_share(builder, object, "under_minute", &from->under_minute);
	add_share(builder, object, "under_tenth_of_memory", &from->low_memory);
}

static struct json_object *group(struct builder *builder, const char *name,
				 const struct lxfw_job_group *from,
				 int64_t seconds)
{
	struct json_object *object = json_object_new_object();

	add_text(builder, object, "name", name);
	add_group(builder, object, from, seconds);
	return object;
}

static struct json_object *classes(struct builder *builder,
				   const struct lxfw_job_group *from,
				   int64_t seconds)
{
	const struct lxfw_description *description = builder->description;
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; from && i < description->character->class_count; i++)
		append(builder, array, group(builder,
		       description->classes->names[i], &from[i], seconds));
	return array;
}

static struct json_object *months(struct builder *builder)
{
	const struct lxfw_character *c = builder->description->character;
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < c->month_count; i++) {
		const struct lxfw_workload_month *month = &c->months[i];
		struct json_object *object;
		char name[32];

		if (month->all.jobs == 0)
			continue;
		lxfw_calendar_month_name(&c->calendar, month->month, name,
					 sizeof(name));
		object = group(builder, name, &month->all, month->seconds);
		add_whole(builder, object, "seconds", month->seconds);
		if (c->class_count > 0)
			add(builder, object, "classes",
			    classes(builder, month->classes, month->seconds));
		append(builder, array, object);
	}
	return array;
}

typedef const char *name_fn(int group, char *name, size_t size);

static struct json_object *groups(struct builder *builder, name_fn *name_of,
				  const struct lxfw_job_group *from, int count)
{
	const struct lxfw_character *c = builder->description->character;
	struct json_object *array = json_object_new_array();
	char name[48];

	for (int i = 0; i < count; i++) {
		if (from[i].jobs > 0)
			append(builder, array,
			       group(builder, name_of(i, name, sizeof(name)),
				     &from[i], c->end - c->begin));
	}
	return array;
}

static struct json_object *arrivals(struct builder *builder,
				    const struct lxfw_arrivals *from)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < 24; i++)
		append(builder, array, number(from->hours[i] ?
		       (double)from->jobs[i] / (double)from->hours[i] : 0));
	return array;
}

static void add_facts(struct builder *builder, struct json_object *to)
{
	const struct lxfw_character *c = builder->description->character;

	if (c->has_requests) {
		add_share(builder, to, "over_1h_under_minute", &c->over_hour);
		add_share(builder, to, "over_10h_under_minute",
			  &c->over_ten_hours);
		add_share(builder, to, "under_tenth_of_request", &c->tenth);
		add_number(builder, to, "median_request_s", c->median_request);
		add_number(builder, to, "median_run_of_request",
			   c->median_used_of_request);
	}
	add_number(builder, to, "median_run_s", c->median_run);
	add_share(builder, to, "serial", &c->serial);
	add_share(builder, to, "power_of_two", &c->power_of_two);
	if (c->with_memory > 0) {
		add_number(builder, to, "median_memory_mb",
			   c->median_memory_mb);
		add_number(builder, to, "median_serial_memory_mb",
			   c->median_serial_memory_mb);
		add_share(builder, to, "serial_over_512mb", &c->serial_large);
		add_number(builder, to, "memory_per_proc_and_procs",
			   c->memory_and_procs);
	}
	if (c->with_used > 0) {
		add_share(builder, to, "under_minute_under_1gb", &c->small);
		add_number(builder, to, "used_per_proc_and_run",
			   c->used_and_run);
	}
	add_number(builder, to, "run_and_procs", c->run_and_procs);
}

static struct json_object *reached(struct builder *builder, const char *name,
				   int jobs, int proc_demand, int memory_demand,
				   const struct lxfw_ncsa_o2k_reached *from)
{
	struct json_object *object = json_object_new_object();

	add_text(builder, object, "name", name);
	add_whole(builder, object, "jobs_target", jobs);
	add_whole(builder, object, "jobs", (int64_t)from->jobs);
	add_whole(builder, object, "proc_demand_target", proc_demand);
	add_number(builder, object, "proc_demand", from->proc_demand);
	add_whole(builder, object, "memory_demand_target", memory_demand);
	add_number(builder, object, "memory_demand", from->memory_demand);
	add(builder, object, "met", json_object_new_boolean(from->met));
	return object;
}

static struct json_object *check(struct builder *builder,
				 const struct lxfw_ncsa_o2k_check *from)
{
	const struct lxfw_ncsa_o2k_month *month =
		lxfw_ncsa_o2k_month(from->month);
	struct json_object *object = json_object_new_object();
	struct json_object *array = json_object_new_array();

	add_text(builder, object, "month", month->name);
	add(builder, object, "met", json_object_new_boolean(from->met));
	append(builder, array, reached(builder, "all", month->jobs,
	       month->proc_demand, month->memory_demand, &from->all));
	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++)
		append(builder, array,
		       reached(builder, lxfw_ncsa_o2k_class_name(i),
			       month->classes[i].jobs,
			       month->classes[i].proc_demand,
			       month->classes[i].memory_demand,
			       &from->classes[i]));
	add(builder, object, "classes", array);
	array = json_object_new_array();
	for (int i = 0; i < LXFW_NCSA_O2K_FACTS; i++) {
		const struct lxfw_ncsa_o2k_fact *fact = &from->facts[i];
		struct json_object *one = json_object_new_object();

		add_text(builder, one, "what", fact->what);
		add_text(builder, one, "paper", fact->paper);
		add_number(builder, one, "least", fact->least);
		add_number(builder, one, "most", fact->most);
		add(builder, one, "met", json_object_new_boolean(fact->met));
		append(builder, array, one);
	}
	add(builder, object, "facts", array);
	return object;
}

static void add_demand(struct builder *builder, struct json_object *to, const char *key,
		       double amount, int64_t capacity)
{
	double demand = lxfw_description_demand(builder->description, amount, capacity);

	if (demand >= 0)
		add_number(builder, to, key, demand);
}

static struct json_object *partitions(struct builder *builder)
{
	const struct lxfw_partition_demands *all = &builder->description->partitions;
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < all->count; i++) {
		const struct lxfw_partition_demand *one = &all->list[i];
		struct json_object *object = json_object_new_object();

		add_text(builder, object, "name", one->name);
		add_whole(builder, object, "jobs", (int64_t)one->jobs);
		add_whole(builder, object, "hosts", one->hosts);
		add_whole(builder, object, "procs", one->procs);
		add_whole(builder, object, "memory_mb", one->memory_mb);
		add_whole(builder, object, "gpus", one->gpus);
		add_demand(builder, object, "proc_demand", one->proc_seconds, one->procs);
		add_demand(builder, object, "memory_demand", one->mb_seconds, one->memory_mb);
		add_demand(builder, object, "gpu_demand", one->gpu_seconds, one->gpus);
		append(builder, array, object);
	}
	return array;
}

static struct json_object *describe(struct builder *builder)
{
	const struct lxfw_description *description = builder->description;
	const struct lxfw_character *c = description->character;
	int64_t seconds = c->end - c->begin;
	struct json_object *object = json_object_new_object();

	add_text(builder, object, "trace", description->trace);
	add_whole(builder, object, "begin_s", c->begin);
	add_whole(builder, object, "end_s", c->end);
	add_whole(builder, object, "procs", description->procs);
	add_whole(builder, object, "memory_mb", description->memory_mb);
	if (c->calendar.known)
		add_text(builder, object, "time_zone", c->calendar.zone);
	add_group(builder, object, &c->all, seconds);
	add_facts(builder, object);
	if (c->class_count > 0) {
		add_whole(builder, object, "in_no_class",
			  (int64_t)c->no_class);
		add(builder, object, "classes",
		    classes(builder, c->classes, seconds));
	}
	add(builder, object, "requested_times",
	    groups(builder, lxfw_description_time, c->requests,
		   LXFW_TIME_GROUPS));
	add(builder, object, "processors",
	    groups(builder, lxfw_description_size, c->sizes,
		   LXFW_SIZE_GROUPS));
	add(builder, object, "run_times",
	    groups(builder, lxfw_description_time, c->runs, LXFW_TIME_GROUPS));
	add(builder, object, "arrivals_per_hour_weekdays",
	    arrivals(builder, &c->arrivals[0]));
	add(builder, object, "arrivals_per_hour_weekend",
	    arrivals(builder, &c->arrivals[1]));
	add(builder, object, "months", months(builder));
	if (description->partitions.count > 0)
		add(builder, object, "partitions", partitions(builder));
	if (description->check)
		add(builder, object, "ncsa_o2k",
		    check(builder, description->check));
	return object;
}

int lxfw_description_print_json(const struct lxfw_description *description,
				enum lxfw_format format, FILE *out)
{
	struct builder builder = { .description = description };
	struct json_object *object = describe(&builder);

	if (builder.failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, format, out);
}
