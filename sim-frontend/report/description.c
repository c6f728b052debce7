/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/description.h"

#include <inttypes.h>
#include <string.h>

#include "sim-frontend/util/letters.h"

#define BAR 25
#define DAY 86400.0

double lxfw_description_proc_demand(const struct lxfw_description *description,
				    const struct lxfw_job_group *group,
				    int64_t seconds)
{
	if (description->procs == 0 || seconds == 0)
		return -1;
	return 100 * group->proc_seconds /
	       ((double)description->procs * (double)seconds);
}

double lxfw_description_memory_demand(const struct lxfw_description *description,
				      const struct lxfw_job_group *group,
				      int64_t seconds)
{
	if (description->memory_mb == 0 || seconds == 0)
		return -1;
	return 100 * group->mb_seconds /
	       ((double)description->memory_mb * (double)seconds);
}

double lxfw_description_demand(const struct lxfw_description *description, double amount,
			       int64_t capacity)
{
	int64_t seconds = description->character->end - description->character->begin;

	return capacity > 0 && seconds > 0 ? 100 * amount / ((double)capacity * (double)seconds) :
					     -1;
}

const char *lxfw_description_time(int group, char *name, size_t size)
{
	int64_t most = 1;

	for (int i = 0; i < group; i++)
		most *= 10;
	if (group == LXFW_TIME_GROUPS - 1)
		snprintf(name, size, "over %" PRId64 " s", most / 10);
	else
		snprintf(name, size, "up to %" PRId64 " s", most);
	return name;
}

const char *lxfw_description_size(int group, char *name, size_t size)
{
	int64_t most = INT64_C(1) << group;

	if (most / 2 + 1 >= most)
		snprintf(name, size, "%" PRId64, most);
	else
		snprintf(name, size, "%" PRId64 "-%" PRId64, most / 2 + 1, most);
	return name;
}

/* Prints a percentage in a column, or a dash. */
static void put_percent(double percent, int width, FILE *out)
{
	if (percent < 0)
		fprintf(out, "%*s", width, "-");
	else if (percent >= 1e6)
		fprintf(out, "%*.1e", width, percent);
	else
		fprintf(out, "%*.*f", width, percent < 9.995 ? 2 : 1, percent);
}

static void put_share(const struct lxfw_fraction *share, int width, FILE *out)
{
	put_percent(share->of ? lxfw_fraction_percent(share) : -1, width, out);
}

/* Prints a bar, PART of the full length, padded to WIDTH. */
static void put_bar(double part, int width, FILE *out)
{
	int length = (int)(part * BAR + 0.5);

	for (int i = 0; i < length || i < width; i++)
		putc(i < length ? '#' : ' ', out);
}

static void put_group(const struct lxfw_description *description,
		      const char *name, const struct lxfw_job_group *group,
		      FILE *out)
{
	const struct lxfw_character *c = description->character;
	int64_t seconds = c->end - c->begin;

	fprintf(out, "%-18s %8zu", name, group->jobs);
	put_percent(100.0 * (double)group->jobs / (double)c->all.jobs, 8, out);
	put_percent(lxfw_description_proc_demand(description, group, seconds),
		    11, out);
	put_percent(lxfw_description_memory_demand(description, group, seconds),
		    11, out);
	put_share(&group->under_minute, 12, out);
	put_share(&group->low_memory, 15, out);
	putc('\n', out);
}

static void put_group_head(const char *what, FILE *out)
{
	fprintf(out, "\n%-18s %8s%8s%11s%11s%12s%15s\n", what, "jobs", "%",
		"proc", "memory", "under a", "under 10 %");
	fprintf(out, "%-18s %8s%8s%11s%11s%12s%15s\n", "", "", "", "demand %",
		"demand %", "minute, %", "of memory, %");
}

static void print_head(const struct lxfw_description *description, FILE *out)
{
	const struct lxfw_character *c = description->character;
	struct lxfw_moment first, last;
	char from[32], until[32];

	lxfw_calendar_moment(&c->calendar, c->begin, &first);
	lxfw_calendar_moment(&c->calendar, c->end - 1, &last);
	lxfw_calendar_day_name(&c->calendar, first.day, from, sizeof(from));
	lxfw_calendar_day_name(&c->calendar, last.day, until, sizeof(until));
	fprintf(out, "%s: %zu jobs submitted in %.1f days, %s to %s\n",
		description->trace, c->all.jobs,
		(double)(c->end - c->begin) / DAY, from, until);
	if (description->procs > 0)
		fprintf(out, "%" PRId64 " processors", description->procs);
	else
		fprintf(out, "number of processors unknown");
	if (description->memory_mb > 0)
		fprintf(out, ", %" PRId64 " MB", description->memory_mb);
	else
		fprintf(out, ", memory unknown");
	if (c->calendar.known)
		fprintf(out, ", times of day in %s", c->calendar.zone);
	putc('\n', out);
}

static void print_months(const struct lxfw_description *description, FILE *out)
{
	const struct lxfw_character *c = description->character;

	fprintf(out, "\n%-18s %8s%8s%11s%11s\n", "month", "jobs", "a day",
		"proc", "memory");
	fprintf(out, "%-18s %8s%8s%11s%11s\n", "", "", "", "demand %",
		"demand %");
	for (size_t i = 0; i < c->month_count; i++) {
		const struct lxfw_workload_month *month = &c->months[i];
		char name[32];

		if (month->all.jobs == 0)
			continue;
		fprintf(out, "%-18s %8zu",
			lxfw_calendar_month_name(&c->calendar, month->month,
						 name, sizeof(name)),
			month->all.jobs);
		fprintf(out, "%8.1f", (double)month->all.jobs * DAY /
			(double)month->seconds);
		put_percent(lxfw_description_proc_demand(description,
				&month->all, month->seconds), 11, out);
		put_percent(lxfw_description_memory_demand(description,
				&month->all, month->seconds), 11, out);
		putc('\n', out);
	}
}

/* The demand for the hosts of each partition by its own jobs. */
static void print_partitions(const struct lxfw_description *description, FILE *out)
{
	const struct lxfw_partition_demands *all = &description->partitions;

	if (all->count == 0)
		return;
	fprintf(out, "\n%-18s %8s%8s%11s%11s%11s%9s\n", "partition", "jobs", "hosts", "proc",
		"memory", "GPU", "procs");
	fprintf(out, "%-18s %8s%8s%11s%11s%11s\n", "", "", "", "demand %", "demand %", "demand %");
	for (size_t i = 0; i < all->count; i++) {
		const struct lxfw_partition_demand *one = &all->list[i];
		int bytes = lxfw_letters_fit(one->name, 18);

		fprintf(out, "%-*.*s %8zu%8d", lxfw_letters_width(one->name, bytes, 18), bytes,
			one->name, one->jobs, (int)one->hosts);
		put_percent(lxfw_description_demand(description, one->proc_seconds, one->procs),
			    11, out);
		put_percent(lxfw_description_demand(description, one->mb_seconds,
						    one->memory_mb), 11, out);
		put_percent(lxfw_description_demand(description, one->gpu_seconds, one->gpus), 11,
			    out);
		fprintf(out, "%9" PRId64 "\n", one->procs);
	}
}

static int class_width(const struct lxfw_description *description, size_t class)
{
	int width = (int)strlen(description->classes->names[class]);

	return width < 8 ? 9 : width + 1;
}

typedef double demand_fn(const struct lxfw_description *description,
			 const struct lxfw_job_group *group, int64_t seconds);

static void put_demands(const struct lxfw_description *description,
			const char *what, const struct lxfw_workload_month *month,
			demand_fn *demand, FILE *out)
{
	fprintf(out, "%-18s", what);
	put_percent(demand(description, &month->all, month->seconds), 9, out);
	for (size_t i = 0; i < description->classes->count; i++)
		put_percent(demand(description, &month->classes[i],
				   month->seconds),
			    class_width(description, i), out);
	putc('\n', out);
}

/* Table 4 of the paper: three lines per month, one column per class. */
static void print_month_classes(const struct lxfw_description *description,
				FILE *out)
{
	const struct lxfw_character *c = description->character;

	fprintf(out, "\n%-18s%9s", "month", "all");
	for (size_t i = 0; i < c->class_count; i++)
		fprintf(out, "%*s", class_width(description, i),
			description->classes->names[i]);
	putc('\n', out);
	for (size_t k = 0; k < c->month_count; k++) {
		const struct lxfw_workload_month *month = &c->months[k];
		char name[32];

		if (month->all.jobs == 0)
			continue;
		fprintf(out, "%-18s%9zu",
			lxfw_calendar_month_name(&c->calendar, month->month,
						 name, sizeof(name)),
			month->all.jobs);
		for (size_t i = 0; i < c->class_count; i++)
			fprintf(out, "%*zu", class_width(description, i),
				month->classes[i].jobs);
		putc('\n', out);
		put_demands(description, "  proc demand %", month,
			    lxfw_description_proc_demand, out);
		put_demands(description, "  memory demand %", month,
			    lxfw_description_memory_demand, out);
	}
}

static void print_groups(const struct lxfw_description *description, FILE *out)
{
	const struct lxfw_character *c = description->character;
	char name[48];

	if (c->class_count > 0) {
		put_group_head("class", out);
		put_group(description, "all", &c->all, out);
		for (size_t i = 0; i < c->class_count; i++)
			put_group(description, description->classes->names[i],
				  &c->classes[i], out);
		if (c->no_class > 0)
			fprintf(out, "%-18s %8zu\n", "without class",
				c->no_class);
	}
	put_group_head(c->has_requests ? "requested time" :
		       "time (no requests)", out);
	for (int i = 0; i < LXFW_TIME_GROUPS; i++) {
		if (c->requests[i].jobs > 0)
			put_group(description, lxfw_description_time(i, name,
				  sizeof(name)), &c->requests[i], out);
	}
	put_group_head("processors", out);
	for (int i = 0; i < LXFW_SIZE_GROUPS; i++) {
		if (c->sizes[i].jobs > 0)
			put_group(description, lxfw_description_size(i, name,
				  sizeof(name)), &c->sizes[i], out);
	}
}

static void print_runs(const struct lxfw_character *c, FILE *out)
{
	size_t most = 1;
	char name[48];

	for (int i = 0; i < LXFW_TIME_GROUPS; i++)
		most = c->runs[i].jobs > most ? c->runs[i].jobs : most;
	fprintf(out, "\n%-18s %8s%8s\n", "run time", "jobs", "%");
	for (int i = 0; i < LXFW_TIME_GROUPS; i++) {
		if (c->runs[i].jobs == 0)
			continue;
		fprintf(out, "%-18s %8zu", lxfw_description_time(i, name,
			sizeof(name)), c->runs[i].jobs);
		put_percent(100.0 * (double)c->runs[i].jobs /
			    (double)c->all.jobs, 8, out);
		fputs("  ", out);
		put_bar((double)c->runs[i].jobs / (double)most, 0, out);
		putc('\n', out);
	}
}

static double rate(const struct lxfw_arrivals *arrivals, int hour)
{
	return arrivals->hours[hour] ? (double)arrivals->jobs[hour] /
				       (double)arrivals->hours[hour] : 0;
}

/* Prints weekdays and weekends side by side on one scale, or all days together if
   weekdays are unknown. */
static void print_arrivals(const struct lxfw_character *c, FILE *out)
{
	int columns = c->calendar.known ? 2 : 1;
	double most = 0;

	for (int i = 0; i < 48; i++) {
		double jobs = rate(&c->arrivals[i / 24], i % 24);

		most = jobs > most ? jobs : most;
	}
	if (columns == 2)
		fprintf(out, "\n%-9s%-37s%s\n", "jobs an", "Monday to Friday",
			"Saturday and Sunday");
	else
		fprintf(out, "\n%-9s%s\n", "jobs an", "hours from second 0");
	fprintf(out, "hour\n");
	for (int hour = 0; hour < 24; hour++) {
		fprintf(out, "%02d-%02d", hour, hour + 1);
		for (int i = 0; i < columns; i++) {
			double jobs = rate(&c->arrivals[i], hour);

			fprintf(out, "%8.2f  ", jobs);
			put_bar(most > 0 ? jobs / most : 0,
				i + 1 < columns ? BAR + 2 : 0, out);
		}
		putc('\n', out);
	}
}

static void put_fact(const char *what, const struct lxfw_fraction *share,
		     FILE *out)
{
	if (share->of == 0)
		return;
	fprintf(out, "%-52s", what);
	put_percent(lxfw_fraction_percent(share), 10, out);
	fprintf(out, " %%  of %zu\n", share->of);
}

static void put_number(const char *what, double number, const char *unit,
		       FILE *out)
{
	fprintf(out, "%-52s%10.*f %s\n", what,
		*unit == '\0' ? 3 : number < 10 ? 2 : 0, number, unit);
}

static void print_facts(const struct lxfw_character *c, FILE *out)
{
	putc('\n', out);
	put_fact("run under a minute", &c->all.under_minute, out);
	if (c->has_requests) {
		put_fact("  of requests over 1 h", &c->over_hour, out);
		put_fact("  of requests over 10 h", &c->over_ten_hours, out);
		put_fact("run under a tenth of the request", &c->tenth, out);
		put_number("median requested time", c->median_request, "s",
			   out);
		put_number("median of run time over request",
			   100 * c->median_used_of_request, "%", out);
	}
	put_number("median run time", c->median_run, "s", out);
	put_fact("serial jobs", &c->serial, out);
	put_fact("powers of two among parallel jobs", &c->power_of_two, out);
	if (c->with_memory > 0) {
		put_number("median requested memory", c->median_memory_mb, "MB",
			   out);
		if (c->serial_large.of > 0)
			put_number("  of serial jobs",
				   c->median_serial_memory_mb, "MB", out);
		put_fact("serial jobs that request over 512 MB",
			 &c->serial_large, out);
	}
	put_fact("used under a tenth of the memory requested",
		 &c->all.low_memory, out);
	put_fact("run under a minute: used under 1 GB", &c->small, out);
	fprintf(out, "rank correlations\n");
	put_number("  run time with processors", c->run_and_procs, "", out);
	if (c->with_memory > 0)
		put_number("  requested memory per processor with processors",
			   c->memory_and_procs, "", out);
	if (c->with_used > 0)
		put_number("  used memory per processor with run time",
			   c->used_and_run, "", out);
}

static void put_reached(const char *name, int jobs, int proc_demand,
			int memory_demand,
			const struct lxfw_ncsa_o2k_reached *reached, FILE *out)
{
	fprintf(out, "%-10s %8d %8zu %10d %8.2f %10d %8.2f   %s\n", name, jobs,
		reached->jobs, proc_demand, reached->proc_demand, memory_demand,
		reached->memory_demand, reached->met ? "met" : "missed");
}

static void print_check(const struct lxfw_ncsa_o2k_check *check, FILE *out)
{
	const struct lxfw_ncsa_o2k_month *month =
		lxfw_ncsa_o2k_month(check->month);

	fprintf(out, "\nComparison of this synthetic %s of the NCSA Origin "
		"2000 with table 4 and section 3\nof Chiang and Vernon "
		"2001:\n\n", month->name);
	fprintf(out, "%-10s %8s %8s %10s %8s %10s %8s\n", "", "jobs", "",
		"proc dem.", "%", "mem. dem.", "%");
	fprintf(out, "%-10s %8s %8s %10s %8s %10s %8s\n", "class", "paper",
		"here", "paper", "here", "paper", "here");
	put_reached("all", month->jobs, month->proc_demand,
		    month->memory_demand, &check->all, out);
	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++)
		put_reached(lxfw_ncsa_o2k_class_name(i),
			    month->classes[i].jobs,
			    month->classes[i].proc_demand,
			    month->classes[i].memory_demand, &check->classes[i],
			    out);
	fprintf(out, "\n%-52s%17s %14s\n", "", "paper", "here");
	for (int i = 0; i < LXFW_NCSA_O2K_FACTS; i++) {
		const struct lxfw_ncsa_o2k_fact *fact = &check->facts[i];
		char here[32];

		if (fact->least < fact->most)
			snprintf(here, sizeof(here), "%.1f-%.1f", fact->least,
				 fact->most);
		else
			snprintf(here, sizeof(here), "%.*f",
				 *fact->unit ? 1 : 3, fact->least);
		fprintf(out, "%-52s%17s %12s %1s   %s\n", fact->what,
			fact->paper, here, fact->unit,
			fact->met ? "met" : "missed");
	}
}

void lxfw_description_print(const struct lxfw_description *description,
			    FILE *out)
{
	const struct lxfw_character *c = description->character;

	print_head(description, out);
	if (description->check)
		print_check(description->check, out);
	if (c->class_count > 0 && c->month_count > 1)
		print_month_classes(description, out);
	else
		print_months(description, out);
	print_partitions(description, out);
	print_groups(description, out);
	print_runs(c, out);
	print_arrivals(c, out);
	print_facts(c, out);
}
