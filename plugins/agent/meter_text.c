/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/meter_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/agent/agent.h"

const int64_t lxfw_meter_bounds[LXFW_METER_BUCKETS - 1] = {
	60, 600, 3600, 21600, 86400
};

static const char *const labels[LXFW_START_LABELS] = {
	"at_once", "unreserved", "reserved", "quantum",
};

static const char *const ends[LXFW_PASS_ENDS] = {
	"complete", "rebuild", "unreadable", "rounds", "stopped",
};

static const char *const reasons[LXFW_LET_GO_REASONS] = { "stalled", "ended" };

/* Of the answers that are no starts. */
static const char *const refusals[LXFW_ANSWERS] = {
	[LXFW_DEFERRED] = "deferred", [LXFW_BUSY] = "cleaning_up",
	[LXFW_REFUSED] = "not_permitted", [LXFW_UNFIT] = "does_not_fit",
	[LXFW_GONE] = "changed",
};

/* Begins the metrics of a NAME. UNIT is its last word, or NULL. */
static void begin(FILE *out, const char *name, const char *type, const char *unit,
		  const char *help)
{
	fprintf(out, "# TYPE lxfw_%s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT lxfw_%s %s\n", name, unit);
	fprintf(out, "# HELP lxfw_%s %s\n", name, help);
}

static void counter(FILE *out, const char *name, uint64_t value, const char *help)
{
	begin(out, name, "counter", NULL, help);
	fprintf(out, "lxfw_%s_total %"PRIu64"\n", name, value);
}

static void gauge(FILE *out, const char *name, int64_t value, const char *help)
{
	begin(out, name, "gauge", NULL, help);
	fprintf(out, "lxfw_%s %"PRId64"\n", name, value);
}

static void print_parts(FILE *out, const char *name, uint64_t look, uint64_t decide,
			uint64_t act)
{
	fprintf(out, "lxfw_%s{part=\"look\"} %.6f\n", name, (double)look / 1e6);
	fprintf(out, "lxfw_%s{part=\"decide\"} %.6f\n", name, (double)decide / 1e6);
	fprintf(out, "lxfw_%s{part=\"act\"} %.6f\n", name, (double)act / 1e6);
}

static void print_passes(FILE *out, const struct lxfw_agent *agent)
{
	const struct lxfw_meter *meter = &agent->meter;
	const struct lxfw_pass_counts *last = &agent->counts;

	begin(out, "passes", "counter", NULL, "Passes, by the reason why they ended.");
	for (int i = 0; i < LXFW_PASS_ENDS; i++)
		fprintf(out, "lxfw_passes_total{end=\"%s\"} %"PRIu64"\n", ends[i],
			meter->passes[i]);
	begin(out, "pass_seconds", "counter", "seconds",
	      "Time of all passes. The controller's locks are held in the parts look and act.");
	print_parts(out, "pass_seconds_total", meter->look_us, meter->decide_us,
		    meter->act_us);
	begin(out, "pass_processor_seconds", "counter", "seconds",
	      "Processor time of all passes.");
	fprintf(out, "lxfw_pass_processor_seconds_total %.6f\n",
		(double)meter->cpu_us / 1e6);
	begin(out, "longest_lock_seconds", "gauge", "seconds",
	      "Longest time for which the controller's locks were held at a stretch.");
	fprintf(out, "lxfw_longest_lock_seconds %.6f\n",
		(double)agent->total.longest_lock_us / 1e6);
	begin(out, "last_pass_seconds", "gauge", "seconds", "Time of the last pass.");
	print_parts(out, "last_pass_seconds", last->sync_us, last->decide_us,
		    last->act_us);
	begin(out, "last_pass_end", "gauge", NULL,
	      "1 for the reason why the last pass ended.");
	for (int i = 0; i < LXFW_PASS_ENDS; i++)
		fprintf(out, "lxfw_last_pass_end{end=\"%s\"} %d\n", ends[i],
			meter->last_end == (enum lxfw_pass_end)i);
	begin(out, "last_pass_timestamp_seconds", "gauge", "seconds",
	      "Time of the last pass, in seconds since 1970.");
	fprintf(out, "lxfw_last_pass_timestamp_seconds %"PRId64"\n", agent->clock);
	counter(out, "events", meter->events, "Changes of hosts and jobs that were detected.");
	counter(out, "rebuilds", agent->total.rebuilds,
		"Number of times the model of hosts and jobs was made again.");
}

static void print_starts(FILE *out, const struct lxfw_agent *agent)
{
	const struct lxfw_meter *meter = &agent->meter;

	begin(out, "starts", "counter", NULL,
	      "Jobs started, by how. Those of the label other were left to the workload manager.");
	for (int i = 0; i < LXFW_START_LABELS; i++)
		fprintf(out, "lxfw_starts_total{label=\"%s\"} %"PRIu64"\n", labels[i],
			meter->starts[i]);
	fprintf(out, "lxfw_starts_total{label=\"other\"} %"PRIu64"\n",
		agent->total.offers);
	begin(out, "refusals", "counter", NULL,
	      "Starts that the workload manager did not carry out, by reason.");
	for (int i = 0; i < LXFW_ANSWERS; i++) {
		if (refusals[i])
			fprintf(out, "lxfw_refusals_total{reason=\"%s\"} %"PRIu64"\n",
				refusals[i], meter->answers[i]);
	}
	counter(out, "reservations_kept", meter->kept,
		"Jobs with a reservation that started by its time.");
	counter(out, "reservations_late", meter->late,
		"Jobs with a reservation that started more than 30 s after its time.");
	counter(out, "reservations_postponed", meter->postponed,
		"Changes of a reservation to a later time.");
	counter(out, "suspensions", meter->suspensions, "Jobs suspended.");
	counter(out, "resumptions", meter->resumptions, "Jobs resumed.");
	counter(out, "requeues", meter->requeues, "Jobs requeued.");
	begin(out, "lost_processor_seconds", "counter", "seconds",
	      "Requested processors times seconds from start to requeue.");
	fprintf(out, "lxfw_lost_processor_seconds_total %"PRIu64"\n", meter->lost);
}

static void print_errors(FILE *out, const struct lxfw_meter *meter)
{
	uint64_t sum = 0;

	begin(out, "forecast_error_seconds", "histogram", "seconds",
	      "Difference between the start of a job and the start that was first expected.");
	for (int i = 0; i < LXFW_METER_BUCKETS - 1; i++) {
		sum += meter->errors[i];
		fprintf(out, "lxfw_forecast_error_seconds_bucket{le=\"%"PRId64".0\"} %"PRIu64"\n",
			lxfw_meter_bounds[i], sum);
	}
	sum += meter->errors[LXFW_METER_BUCKETS - 1];
	fprintf(out, "lxfw_forecast_error_seconds_bucket{le=\"+Inf\"} %"PRIu64"\n", sum);
	fprintf(out, "lxfw_forecast_error_seconds_count %"PRIu64"\n", sum);
	fprintf(out, "lxfw_forecast_error_seconds_sum %"PRIu64"\n", meter->error_sum);
}

/* The queue, by what each job waits for. */
enum { RESERVED, EXPECTED, REFUSED, UNKNOWN, OUTSIDE, STATES };

static int state_of(const struct lxfw_agent *agent, const struct lxfw_known_job *known)
{
	if (known->state == LXFW_KNOWN_NOT)
		return OUTSIDE;
	if (known->refused_until > agent->clock)
		return REFUSED;
	if (known->reserved_start)
		return RESERVED;
	return known->estimated_start ? EXPECTED : UNKNOWN;
}

static void print_queue(FILE *out, const struct lxfw_agent *agent)
{
	static const char *const states[STATES] = {
		"reserved", "expected", "refused", "unknown", "outside",
	};
	static const int64_t ages[] = { 0, 3600, 86400, 604800 };
	uint64_t by_state[STATES] = { 0 }, by_age[4] = { 0 };

	for (size_t i = 0; i < agent->jobs.count; i++) {
		const struct lxfw_known_job *known = agent->jobs.jobs[i];
		int64_t age = known->submit ? agent->clock - known->submit : 0;

		if (known->state == LXFW_KNOWN_RUNNING)
			continue;
		by_state[state_of(agent, known)]++;
		for (int j = 0; known->state == LXFW_KNOWN_WAITING && j < 4; j++)
			by_age[j] += age >= ages[j];
	}
	gauge(out, "running_jobs", (int64_t)agent->decision.running,
	      "Jobs that run, in the model.");
	begin(out, "waiting_jobs", "gauge", NULL,
	      "Jobs that wait: with a reservation, an expected start, after a refusal, without an expected start, or not in the model.");
	for (int i = 0; i < STATES; i++)
		fprintf(out, "lxfw_waiting_jobs{state=\"%s\"} %"PRIu64"\n", states[i],
			by_state[i]);
	begin(out, "waiting_jobs_by_age", "gauge", NULL,
	      "Jobs of the model that have waited for this number of seconds or longer.");
	for (int i = 0; i < 4; i++)
		fprintf(out, "lxfw_waiting_jobs_by_age{seconds=\"%"PRId64"\"} %"PRIu64"\n",
			ages[i], by_age[i]);
}

static void print_reasons(FILE *out, const struct lxfw_agent *agent, const char *name,
			  enum lxfw_reason_part part)
{
	for (int i = 0; i < lxfw_reason_count(part); i++) {
		enum lxfw_reason reason = lxfw_reason_at(part, i);

		fprintf(out, "lxfw_%s{reason=\"%s\"} %zu\n", name,
			lxfw_reason_name((int)reason), lxfw_aside_count(agent, reason));
	}
}

/* Jobs that wait without the library. */
static void print_asides(FILE *out, const struct lxfw_agent *agent)
{
	begin(out, "not_eligible_jobs", "gauge", NULL, "Jobs that are not eligible, by reason.");
	print_reasons(out, agent, "not_eligible_jobs", LXFW_REASONS_INELIGIBLE);
	begin(out, "left_jobs", "gauge", NULL,
	      "Jobs that the workload manager is left to start, by reason.");
	print_reasons(out, agent, "left_jobs", LXFW_REASONS_LEFT);
}

/* REASON: of the sample whose value is 1, LXFW_LET_GO_REASONS: of none. */
static void print_let_go(FILE *out, enum lxfw_let_go_reason reason)
{
	begin(out, "let_go", "gauge", NULL,
	      "1 if the workload manager schedules by itself, for the reason.");
	for (int i = 0; i < LXFW_LET_GO_REASONS; i++) {
		char *line = lxfw_meter_let_go_line((enum lxfw_let_go_reason)i,
						    (enum lxfw_let_go_reason)i == reason);

		if (line)
			fputs(line, out);
		free(line);
	}
}

char *lxfw_meter_let_go_line(enum lxfw_let_go_reason reason, int value)
{
	char *line;

	if (asprintf(&line, "lxfw_let_go{reason=\"%s\"} %d\n", reasons[reason], value) >= 0)
		return line;
	errno = ENOMEM;
	return NULL;
}

/* Ends the file that is written to *TEXT. Returns it, or NULL with errno ENOMEM. */
static char *finish(FILE *out, char **text)
{
	bool good;

	fputs("# EOF\n", out);
	good = !ferror(out);
	good = fclose(out) == 0 && good;
	if (good)
		return *text;
	free(*text);
	errno = ENOMEM;
	return NULL;
}

char *lxfw_meter_let_go_text(enum lxfw_let_go_reason reason)
{
	size_t length;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	print_let_go(out, reason);
	gauge(out, "last_pass_timestamp_seconds", 0, "Time of the last pass; 0: there was none.");
	return finish(out, &text);
}

char *lxfw_meter_text(const struct lxfw_agent *agent, size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (!out)
		return NULL;
	begin(out, "policy", "info", NULL, "The policy.");
	fprintf(out, "lxfw_policy_info{name=\"%s\"} 1\n",
		lxfw_policy_name(agent->params.policy));
	print_let_go(out, LXFW_LET_GO_REASONS);
	gauge(out, "shadow", lxfw_agent_shadows(agent),
	      "1 if the workload manager schedules, and decisions are only recorded.");
	print_passes(out, agent);
	print_starts(out, agent);
	print_errors(out, &agent->meter);
	print_queue(out, agent);
	print_asides(out, agent);
	gauge(out, "journal_bytes", agent->journal.descriptor < 0 ? 0 :
	      (int64_t)agent->journal.length, "Size of the journal; 0: none is written.");
	return finish(out, &text);
}
