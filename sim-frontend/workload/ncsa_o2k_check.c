/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/ncsa_o2k_check.h"

#include <string.h>

/* No limit in this direction. */
#define ANY 1e9

int lxfw_ncsa_o2k_month_of(const struct lxfw_trace *trace)
{
	const char *generator = lxfw_trace_header(trace, "Generator");
	const char *month = lxfw_trace_header(trace, "Month");

	if (!generator || !month || strcmp(generator, "lxfw ncsa-o2k") != 0)
		return -1;
	return lxfw_ncsa_o2k_month_by_name(month);
}

static int class_of(const void *context, const struct lxfw_trace_job *job)
{
	(void)context;
	return lxfw_ncsa_o2k_class_of(job);
}

const struct lxfw_class_scheme lxfw_ncsa_o2k_classes = {
	.count = LXFW_NCSA_O2K_CLASSES,
	.names = lxfw_ncsa_o2k_class_names,
	.class_of = class_of,
};

void lxfw_ncsa_o2k_character_options(struct lxfw_character_options *options,
				     int month)
{
	*options = (struct lxfw_character_options) {
		.begin = LXFW_NCSA_O2K_LEAD,
		.end = LXFW_NCSA_O2K_LEAD + lxfw_ncsa_o2k_month_seconds(month),
		.classes = lxfw_ncsa_o2k_classes,
	};
}

static struct lxfw_ncsa_o2k_reached reach(const struct lxfw_job_group *group,
					  int month, int jobs, int proc_demand,
					  int memory_demand)
{
	double seconds = (double)lxfw_ncsa_o2k_month_seconds(month);
	struct lxfw_ncsa_o2k_reached reached = {
		.jobs = group->jobs,
		.proc_demand = 100 * group->proc_seconds /
			       (LXFW_NCSA_O2K_PROCS * seconds),
		.memory_demand = 100 * group->mb_seconds /
				 (LXFW_NCSA_O2K_MEMORY_MB * seconds),
	};

	reached.met = reached.jobs == (size_t)jobs &&
		lxfw_ncsa_o2k_demand_met(proc_demand, reached.proc_demand) &&
		lxfw_ncsa_o2k_demand_met(memory_demand, reached.memory_demand);
	return reached;
}

/* Counts the jobs of the month that request the longest times and would have fitted a
   short request. */
static struct lxfw_fraction count_fitting(const struct lxfw_character *character,
				       const struct lxfw_trace *trace)
{
	struct lxfw_fraction fitting = { 0 };

	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];
		int class = lxfw_ncsa_o2k_class_of(job);

		if (class < 0 || class % 4 != 3 ||
		    job->submit < character->begin ||
		    job->submit >= character->end)
			continue;
		fitting.of++;
		fitting.count += job->run <= lxfw_ncsa_o2k_time_limit(1);
	}
	return fitting;
}

/* Sets the minimum and maximum over the classes. */
static void spread(struct lxfw_ncsa_o2k_fact *fact,
		   const struct lxfw_character *character, bool memory)
{
	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++) {
		const struct lxfw_job_group *class = &character->classes[i];
		double share = lxfw_fraction_percent(memory ? &class->low_memory :
							   &class->under_minute);

		fact->least = i == 0 || share < fact->least ? share :
							      fact->least;
		fact->most = i == 0 || share > fact->most ? share : fact->most;
	}
}

/* Returns the frequency of the least frequent order of magnitude of run times from 10
   to 10^5 s. */
static double rarest_magnitude(const struct lxfw_character *character)
{
	double rarest = 100;

	for (int i = 2; i <= 5; i++) {
		double share = 100.0 * (double)character->runs[i].jobs /
			       (double)(character->all.jobs +
					!character->all.jobs);

		rarest = share < rarest ? share : rarest;
	}
	return rarest;
}

static void check_facts(struct lxfw_ncsa_o2k_fact *facts,
			const struct lxfw_character *c,
			const struct lxfw_trace *trace)
{
	struct lxfw_fraction fitting = count_fitting(c, trace);
	const struct lxfw_ncsa_o2k_fact all[LXFW_NCSA_O2K_FACTS] = {
		{ "each class: run under a minute", "15-20", "%", 15, 20, 0, 0,
		  false },
		{ "each class: used under a tenth of the memory", "25-35", "%",
		  25, 35, 0, 0, false },
#define FACT(what, paper, unit, low, high, value) \
		{ what, paper, unit, low, high, value, value, false }
		FACT("requests over 1 h: under a minute", "12-33", "%", 12, 33,
		     lxfw_fraction_percent(&c->over_hour)),
		FACT("requests over 10 h: under a minute", "11-42", "%", 11, 42,
		     lxfw_fraction_percent(&c->over_ten_hours)),
		FACT("lt jobs that fit an st request", "over 50", "%", 50, 100,
		     lxfw_fraction_percent(&fitting)),
		FACT("under a minute: used under 1 GB", "nearly all", "%", 95,
		     100, lxfw_fraction_percent(&c->small)),
		FACT("serial jobs that request over 512 MB", "50", "%", 45, 55,
		     lxfw_fraction_percent(&c->serial_large)),
		FACT("serial jobs", "a large fraction", "%", 25, 100,
		     lxfw_fraction_percent(&c->serial)),
		FACT("parallel jobs of a power of two", "many", "%", 50, 100,
		     lxfw_fraction_percent(&c->power_of_two)),
		FACT("rarest magnitude of run times, 10 s to 100000 s",
		     "significant", "%", 5, 100, rarest_magnitude(c)),
		FACT("run time with processors", "positive", "", 0.01, ANY,
		     c->run_and_procs),
		FACT("requested memory per processor with processors",
		     "negative", "", -ANY, -0.01, c->memory_and_procs),
		FACT("used memory per processor with run time", "positive", "",
		     0.01, ANY, c->used_and_run),
#undef FACT
	};

	memcpy(facts, all, sizeof(all));
	spread(&facts[0], c, false);
	spread(&facts[1], c, true);
	for (int i = 0; i < LXFW_NCSA_O2K_FACTS; i++)
		facts[i].met = facts[i].least >= facts[i].low &&
			       facts[i].most <= facts[i].high;
}

void lxfw_ncsa_o2k_check_month(struct lxfw_ncsa_o2k_check *check, int month,
			       const struct lxfw_character *character,
			       const struct lxfw_trace *trace)
{
	const struct lxfw_ncsa_o2k_month *paper = lxfw_ncsa_o2k_month(month);

	*check = (struct lxfw_ncsa_o2k_check) { .month = month };
	check->all = reach(&character->all, month, paper->jobs,
			   paper->proc_demand, paper->memory_demand);
	check->met = check->all.met;
	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++) {
		const struct lxfw_ncsa_o2k_figures *figures =
			&paper->classes[i];

		check->classes[i] = reach(&character->classes[i], month,
					  figures->jobs, figures->proc_demand,
					  figures->memory_demand);
		check->met &= check->classes[i].met;
	}
	check_facts(check->facts, character, trace);
	for (int i = 0; i < LXFW_NCSA_O2K_FACTS; i++)
		check->met &= check->facts[i].met;
}
