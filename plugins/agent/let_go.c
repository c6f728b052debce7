/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/let_go.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plugins/agent/whole_file.h"

void lxfw_let_go_note(struct lxfw_let_go *state, const struct lxfw_agent *agent)
{
	state->last = agent->clock;
	state->counts = agent->counts;
	state->total = agent->total;
	state->jobs = agent->jobs.count;
	state->waiting = agent->decision.waiting;
	state->running = agent->decision.running;
	state->hosts = agent->hosts.count;
}

const char *lxfw_let_go_why(const struct lxfw_let_go *state)
{
	return state->reason == LXFW_LET_GO_ENDED ? "the scheduler's thread has ended" :
						    "the scheduler's thread stalls";
}

static void print_time(FILE *out, int64_t second)
{
	time_t time = (time_t)second;
	char date[32] = "?";
	struct tm tm;

	if (gmtime_r(&time, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fputs(date, out);
}

static void print_last_pass(FILE *out, const struct lxfw_let_go *state)
{
	const struct lxfw_pass_counts *counts = &state->counts;

	fputs("last pass    ", out);
	print_time(out, state->last);
	fprintf(out, "\n  parts      look %.1f ms, decide %.1f ms, act %.1f ms; processor time %.1f ms\n",
		(double)counts->sync_us / 1e3, (double)counts->decide_us / 1e3,
		(double)counts->act_us / 1e3, (double)counts->cpu_us / 1e3);
	fprintf(out, "  actions    %"PRIu32" events, %"PRIu32" decisions, %"PRIu32" started, %"PRIu32" reserved, %"PRIu32" refused, %"PRIu32" deferred\n",
		counts->events, counts->rounds, counts->started, counts->reserved,
		counts->refused, counts->deferred);
	fprintf(out, "model        %"PRId32" hosts, %zu jobs, %zu waiting and %zu running in the last decision\n",
		state->hosts, state->jobs, state->waiting, state->running);
	fprintf(out, "all passes   %"PRIu64" passes, %"PRIu64" starts, %"PRIu64" refusals, %"PRIu64" models made; %.1f ms under locks at most\n",
		state->total.passes, state->total.starts, state->total.refusals,
		state->total.rebuilds, (double)state->total.longest_lock_us / 1e3);
}

static void print(FILE *out, const struct lxfw_let_go *state, int64_t now)
{
	fputs("time         ", out);
	print_time(out, now);
	fprintf(out, "\nreason       %s\n", lxfw_let_go_why(state));
	if (state->reason == LXFW_LET_GO_STALLED)
		fprintf(out, "stalled      %u s, step: %s\n", state->seconds,
			state->step ? state->step : "unknown");
	if (state->last)
		print_last_pass(out, state);
	else
		fputs("last pass    none\n", out);
}

int lxfw_let_go_write(const struct lxfw_let_go *state, int64_t now, const char *path)
{
	size_t length;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);
	int rc = -1;
	bool good;

	if (!out)
		return -1;
	print(out, state, now);
	good = !ferror(out);
	good = fclose(out) == 0 && good;
	if (good)
		rc = lxfw_whole_file_write(path, text, length);
	else
		errno = ENOMEM;
	free(text);
	return rc;
}
