/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/yahyapour.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/experiment/runner.h"
#include "sim-frontend/trace/trace_calendar.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/workload/remade.h"

/* The simulations of all tables, and the workloads that they share. */
struct plan {
	struct lxfw_yahyapour *of;
	struct lxfw_trace traces[4 + 4 * LXFW_YAHYAPOUR_MONTHS];
	int trace_count;
	struct lxfw_cluster clusters[2];	/* of 128 and 256 processors */
	struct lxfw_run *runs;
	size_t count, size;
	/* What each run is for, parallel to the runs. */
	struct purpose {
		int table, row, column, month;
		bool both;
	} *purposes;
	size_t purposes_size;
};

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- workloads ------------------------------------------------------------------ */

/* Copies the jobs of a log in the order of submission: at most COUNT of at most PROCS
   processors, submitted from FROM to before UNTIL. */
static int copy_jobs(const struct lxfw_trace *log, int32_t procs, size_t count,
		     int64_t from, int64_t until, struct lxfw_trace *to)
{
	to->size = log->count + 1;
	to->jobs = malloc(to->size * sizeof(*to->jobs));
	if (!to->jobs)
		return -1;
	for (size_t i = 0; i < log->count && to->count < count; i++) {
		const struct lxfw_trace_job *job =
			&log->jobs[lxfw_trace_at(log, i)];

		if (job->procs <= procs && job->submit >= from &&
		    job->submit < until)
			to->jobs[to->count++] = *job;
	}
	return 0;
}

static struct lxfw_trace *next_trace(struct plan *plan)
{
	return &plan->traces[plan->trace_count++];
}

static int add_run(struct plan *plan, struct lxfw_trace *trace, int32_t procs,
		   const char *name, const char *params, struct purpose purpose,
		   struct lxfw_error *error)
{
	struct lxfw_run *run;

	if (LXFW_GROW(plan->runs, plan->size, plan->count + 1) ||
	    LXFW_GROW(plan->purposes, plan->purposes_size, plan->count + 1))
		return out_of_memory(error);
	run = &plan->runs[plan->count];
	*run = (struct lxfw_run) {
		.trace = trace,
		.cluster = &plan->clusters[procs == LXFW_YAHYAPOUR_PROCS],
		.options = { .overrun = plan->of->overrun },
	};
	snprintf(run->label, sizeof(run->label), "%s", name);
	if (purpose.table == LXFW_YAHYAPOUR_EXACT)
		run->options.estimates = LXFW_ESTIMATES_EXACT;
	plan->purposes[plan->count++] = purpose;
	return lxfw_params_parse(&run->options.params, params, NULL, NULL, error);
}

/* Adds the simulations of a table from 2.4 to 2.7. */
static int add_table(struct plan *plan, int table, struct lxfw_trace *trace,
		     struct lxfw_error *error)
{
	plan->of->counts[table] = trace->count;
	for (int i = 0; i < lxfw_yahyapour_policy_count; i++) {
		const struct lxfw_yahyapour_policy *policy =
			&lxfw_yahyapour_policies[i];
		const struct purpose purpose = {
			table, policy->row, policy->column, 0, policy->both,
		};

		if (add_run(plan, trace, LXFW_YAHYAPOUR_PROCS, policy->name,
			    policy->params, purpose, error))
			return -1;
	}
	return 0;
}

static int add_tables(struct plan *plan, struct lxfw_error *error)
{
	struct lxfw_yahyapour *of = plan->of;
	struct lxfw_trace *log = next_trace(plan), *made;
	size_t count = of->jobs ? of->jobs : LXFW_YAHYAPOUR_MADE;

	if (copy_jobs(of->log, LXFW_YAHYAPOUR_PROCS, of->jobs ? of->jobs : SIZE_MAX,
		      INT64_MIN, INT64_MAX, log))
		return out_of_memory(error);
	if (log->count < 2)
		return lxfw_error_format(error, "the log has %zu jobs of at most "
					 "%d processors, expected 2 or more",
					 log->count, LXFW_YAHYAPOUR_PROCS);
	for (int i = LXFW_YAHYAPOUR_EXACT; i <= LXFW_YAHYAPOUR_LOG; i++) {
		if (of->wanted[i] && add_table(plan, i, log, error))
			return -1;
	}
	made = next_trace(plan);
	if (lxfw_remade_binned(made, log, of->base, count, of->seed))
		return out_of_memory(error);
	if (of->wanted[LXFW_YAHYAPOUR_BINNED] &&
	    add_table(plan, LXFW_YAHYAPOUR_BINNED, made, error))
		return -1;
	made = next_trace(plan);
	if (lxfw_remade_uniform(made, LXFW_YAHYAPOUR_PROCS, count, of->seed))
		return out_of_memory(error);
	return of->wanted[LXFW_YAHYAPOUR_UNIFORM] ?
		       add_table(plan, LXFW_YAHYAPOUR_UNIFORM, made, error) : 0;
}

/* --- months --------------------------------------------------------------------- */

/* Adds the simulations of a month on one of the two machines. */
static int add_month(struct plan *plan, int table, int64_t from, int64_t until,
		     struct lxfw_error *error)
{
	int32_t procs = table == LXFW_YAHYAPOUR_128 ? LXFW_YAHYAPOUR_PROCS / 2 :
						      LXFW_YAHYAPOUR_PROCS;
	struct lxfw_trace *trace = next_trace(plan), *uniform = next_trace(plan);

	if (copy_jobs(plan->of->log, procs, SIZE_MAX, from, until, trace) ||
	    copy_jobs(plan->of->log, procs, SIZE_MAX, from, until, uniform))
		return out_of_memory(error);
	for (size_t i = 0; i < uniform->count; i++)
		uniform->jobs[i].limit = LXFW_YAHYAPOUR_LIMIT;
	plan->of->counts[table] += trace->count;
	for (int i = 0; i < LXFW_P_ROWS && trace->count > 0; i++) {
		const struct lxfw_yahyapour_setting *setting =
			&lxfw_yahyapour_settings[i];
		const struct purpose purpose = {
			table, i, 0, plan->of->months, false,
		};

		if (add_run(plan, setting->times == LXFW_P_UNIFORM ? uniform : trace,
			    procs, setting->name, setting->params, purpose, error))
			return -1;
		if (setting->times == LXFW_P_EXACT)
			plan->runs[plan->count - 1].options.estimates =
				LXFW_ESTIMATES_EXACT;
	}
	return 0;
}

/* Adds the calendar months of the log. The first one is left out if it began before the
   log and another one follows. */
static int add_months(struct plan *plan, struct lxfw_error *error)
{
	struct lxfw_yahyapour *of = plan->of;
	const struct lxfw_trace *log = of->log;
	struct lxfw_calendar calendar;
	struct lxfw_moment moment, first;
	int64_t from, until = 0;
	size_t i = 0;

	lxfw_trace_calendar(log, &calendar);
	lxfw_calendar_moment(&calendar, log->jobs[lxfw_trace_at(log, 0)].submit,
			     &first);
	while (i < log->count && of->months < LXFW_YAHYAPOUR_MONTHS) {
		int64_t month;
		size_t begin = i;

		from = log->jobs[lxfw_trace_at(log, i)].submit;
		lxfw_calendar_moment(&calendar, from, &moment);
		month = moment.month;
		while (i < log->count && moment.month == month) {
			until = log->jobs[lxfw_trace_at(log, i)].submit + 1;
			if (++i < log->count)
				lxfw_calendar_moment(&calendar, log->jobs[
					lxfw_trace_at(log, i)].submit, &moment);
		}
		if (begin == 0 && i < log->count &&
		    first.day > lxfw_calendar_first_day(&calendar, month))
			continue;
		lxfw_calendar_month_name(&calendar, month,
					 of->month_names[of->months],
					 sizeof(of->month_names[0]));
		for (int j = LXFW_YAHYAPOUR_128; j <= LXFW_YAHYAPOUR_256; j++) {
			if (of->wanted[j] &&
			    add_month(plan, j, from, until, error))
				return -1;
		}
		of->months++;
	}
	return 0;
}

/* --- results --------------------------------------------------------------------- */

static void take_schedule(struct lxfw_yahyapour *of, const struct lxfw_run *run,
			  const struct purpose *purpose)
{
	double plain = 0, weighted = 0, count = (double)run->trace->count;
	int row = purpose->row % LXFW_Y_WEIGHTED;

	for (size_t i = 0; i < run->trace->count; i++) {
		const struct lxfw_trace_job *job = &run->trace->jobs[i];
		double ran = (double)lxfw_simulation_run_time(&run->options, job);
		double response = (double)lxfw_run_response(run, i);

		plain += response;
		weighted += response * ran * job->procs;
	}
	if (purpose->both || purpose->row < LXFW_Y_WEIGHTED)
		of->values[purpose->table][row][purpose->column] = plain / count;
	if (purpose->both || purpose->row >= LXFW_Y_WEIGHTED)
		of->values[purpose->table][row + LXFW_Y_WEIGHTED]
			  [purpose->column] = weighted / count;
}

static void take_month(struct lxfw_yahyapour *of, const struct lxfw_run *run,
		       const struct purpose *purpose)
{
	double *criteria = of->criteria[purpose->table - LXFW_YAHYAPOUR_128]
				       [purpose->row][purpose->month];
	int64_t begin = run->trace->jobs[0].submit;

	for (size_t i = 0; i < run->trace->count; i++) {
		const struct lxfw_trace_job *job = &run->trace->jobs[i];
		double ran = (double)lxfw_simulation_run_time(&run->options, job);
		double flow = (double)lxfw_run_response(run, i);
		double end = (double)(job->submit - begin) + flow;
		double weight = ran * job->procs;

		if (end > criteria[LXFW_P_MAKESPAN])
			criteria[LXFW_P_MAKESPAN] = end;
		criteria[LXFW_P_COMPLETION] += weight * end;
		criteria[LXFW_P_FLOW] += weight * flow;
		criteria[LXFW_P_PLAIN_FLOW] += flow;
	}
}

/* The share of the months of the thesis in which the change is near its figure. */
static double near_thesis(const struct lxfw_yahyapour *of, int machine, int row,
			  int criterion)
{
	/* The columns of PFCFS2 and PFCFS3 are exchanged. */
	int column = row == LXFW_P_1 ? 0 : row == LXFW_P_2 ? 2 : 1;
	double near = 0, months = 0;

	for (int i = 0; i < of->months; i++) {
		int month = lxfw_yahyapour_thesis_month(of->month_names[i]);
		double change;

		if (month < 0)
			continue;
		change = 100 * (of->criteria[machine][row][i][criterion] /
				of->criteria[machine][LXFW_P_FCFS][i][criterion] - 1);
		months++;
		near += fabs(change - lxfw_yahyapour_changes[criterion][month]
							     [column]) <= 7;
	}
	return months > 0 ? near / months : (double)NAN;
}

static double month_value(const struct lxfw_yahyapour *of,
			  const struct lxfw_cell *cell)
{
	int machine = cell->table - LXFW_YAHYAPOUR_128;
	int criterion = cell->column % LXFW_P_COLUMNS;
	double sum = 0, fcfs = 0, better = 0;

	if (cell->column >= LXFW_P_NEAR)
		return near_thesis(of, machine, cell->row, criterion);
	for (int i = 0; i < of->months; i++) {
		double own = of->criteria[machine][cell->row][i][criterion];
		double other = of->criteria[machine][LXFW_P_FCFS][i][criterion];

		sum += own;
		fcfs += other;
		better += own <= other;
	}
	return fcfs == 0 ? (double)NAN :
	       cell->column >= LXFW_P_SHARE ? better / of->months : sum / fcfs;
}

double lxfw_yahyapour_value(const struct lxfw_yahyapour *experiment,
			    const struct lxfw_cell *cell)
{
	if (!experiment->wanted[cell->table])
		return (double)NAN;
	return cell->table < LXFW_YAHYAPOUR_128 ?
		       experiment->values[cell->table][cell->row][cell->column] :
		       month_value(experiment, cell);
}

/* --- the run ---------------------------------------------------------------------- */

static int make_plan(struct plan *plan, struct lxfw_error *error)
{
	const bool *wanted = plan->of->wanted;

	if (lxfw_cluster_procs(&plan->clusters[0], LXFW_YAHYAPOUR_PROCS / 2,
			       error) ||
	    lxfw_cluster_procs(&plan->clusters[1], LXFW_YAHYAPOUR_PROCS, error) ||
	    add_tables(plan, error))
		return -1;
	if (wanted[LXFW_YAHYAPOUR_128] || wanted[LXFW_YAHYAPOUR_256])
		return add_months(plan, error);
	return 0;
}

int lxfw_yahyapour_run(struct lxfw_yahyapour *experiment, int threads,
		       void (*progress)(size_t done, size_t all),
		       struct lxfw_error *error)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	int result;

	if (!plan)
		return out_of_memory(error);
	plan->of = experiment;
	result = make_plan(plan, error);
	if (result == 0)
		result = lxfw_runs_carry_out(plan->runs, plan->count, threads,
					     progress, error);
	for (size_t i = 0; i < plan->count && result == 0; i++) {
		const struct purpose *purpose = &plan->purposes[i];

		if (purpose->table < LXFW_YAHYAPOUR_128)
			take_schedule(experiment, &plan->runs[i], purpose);
		else
			take_month(experiment, &plan->runs[i], purpose);
	}
	lxfw_runs_clear(plan->runs, plan->count);
	free(plan->runs);
	free(plan->purposes);
	for (int i = 0; i < plan->trace_count; i++)
		lxfw_trace_clear(&plan->traces[i]);
	lxfw_cluster_clear(&plan->clusters[0]);
	lxfw_cluster_clear(&plan->clusters[1]);
	free(plan);
	return result;
}
