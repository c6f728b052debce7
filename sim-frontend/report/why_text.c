/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "sim-frontend/report/slurm_reasons.h"
#include "sim-frontend/report/why.h"
#include "sim-frontend/report/why_words.h"

/* --- words ----------------------------------------------------------------------- */

/* WORD is "Job" or "job". */
static void put_job(const struct lxfw_why *why, const char *word, uint64_t job, FILE *out)
{
	char name[48];

	if (why->nameless && job != why->job) {
		fputs("another job", out);
		return;
	}
	if (job == why->job && why->has_request)
		lxfw_job_names_request(why->names, &why->request, name, sizeof(name));
	else
		lxfw_job_names_text(why->names, job, name, sizeof(name));
	fprintf(out, "%s %s", word, name);
}

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* --- parts ----------------------------------------------------------------------- */

static const struct lxfw_why_entry *last_of(const struct lxfw_why *why,
					    enum lxfw_why_kind kind)
{
	for (size_t i = why->count; i > 0; i--) {
		if (why->entries[i - 1].kind == kind)
			return &why->entries[i - 1];
	}
	return NULL;
}

/* The time from which it has waited. */
static int64_t waits_since(const struct lxfw_why *why)
{
	if (why->submit && (!why->has_request || why->submit < why->request.submit))
		return why->submit;
	return why->has_request ? why->request.submit : LXFW_NEVER;
}

static void put_label(const struct lxfw_why *why, const struct lxfw_why_entry *entry, FILE *out)
{
	switch (entry->label) {
	case LXFW_WHY_AT_ONCE:
		fputs(why->returned ? "as soon as it was eligible" : "at once", out);
		break;
	case LXFW_WHY_IN_ORDER:
		fputs("in the order of priority", out);
		break;
	case LXFW_WHY_RESERVATION:
		fputs("with its reservation", out);
		break;
	case LXFW_WHY_BACKFILLED:
		fprintf(out, "by backfill, before %" PRId64 " job%s of higher priority",
			entry->count, plural(entry->count));
		break;
	case LXFW_WHY_SERVED:
		fputs("for a quantum of immediate service", out);
		break;
	case LXFW_WHY_LEFT_START:
		fputs("by a decision of the workload manager, which was left to start it", out);
		break;
	default:
		fputs("without a decision of the scheduler", out);
	}
}

static void put_state(const struct lxfw_why *why, FILE *out)
{
	const struct lxfw_why_entry *start = last_of(why, LXFW_WHY_STARTED);

	int64_t since = waits_since(why);

	put_job(why, "Job", why->job, out);
	if (why->state == LXFW_WHY_WAITING || why->state == LXFW_WHY_NOT_ELIGIBLE ||
	    why->state == LXFW_WHY_LEFT) {
		fputs(" has waited", out);
		if (why->now > since) {
			fputs(" for ", out);
			lxfw_why_put_span(why->now - since, out);
		}
	} else if (start) {
		fputs(" started ", out);
		/* One look has not seen how. */
		if (why->watched) {
			fputs("at ", out);
			lxfw_why_put_time(why, start->time, out);
		} else {
			put_label(why, start, out);
		}
		if (start->time > since) {
			fputs(", ", out);
			lxfw_why_put_span(start->time - since, out);
			fputs(" after its submission", out);
		}
		if (why->state == LXFW_WHY_IS_SUSPENDED)
			fputs(why->watched ? ", and is suspended: its time limit stands still" :
					     ", and is suspended", out);
	} else if (why->state == LXFW_WHY_GONE && why->unstated) {
		fputs(" left the scheduler without a start: it was cancelled, or it is not "
		      "eligible.\nThe records do not state which: they are of a release that "
		      "recorded no reasons", out);
	} else {
		fputs(why->state == LXFW_WHY_GONE ? " left the queue without a start" :
						    " runs", out);
	}
	fputs(".\n", out);
}

/* What keeps the job now. */
static void put_reason(const struct lxfw_why *why, FILE *out)
{
	const struct lxfw_why_entry *entry = &why->reason;

	if (why->of_array)
		fputs("\nThis is known of its array; the task has no records of its own.", out);
	fputs(why->state == LXFW_WHY_LEFT ?
	      "\nThe scheduler leaves it to the workload manager to start it: " :
	      "\nIt is not eligible: ", out);
	lxfw_why_put_reason(entry->reason, entry->limited, out);
	fputs(".\n", out);
	lxfw_why_put_said(why, out);
	if (entry->second != LXFW_NEVER) {
		fputs("This ends ", out);
		lxfw_why_put_distance(why, entry->second, out);
		fputs(".\n", out);
	} else if (lxfw_why_end(entry->reason) && !(why->said && lxfw_slurm_reason_help(why->said))) {
		fprintf(out, "The scheduler considers it when %s.\n",
			lxfw_why_end(entry->reason));
	}
	if (why->state == LXFW_WHY_LEFT)
		fputs("The scheduler's order, reservations and expected starts do not "
		      "contain it.\n", out);
}

/* How long reasons have kept the job. The present one, if it is the only one, is clear. */
static void put_kept(const struct lxfw_why *why, FILE *out)
{
	bool now = why->state == LXFW_WHY_NOT_ELIGIBLE || why->state == LXFW_WHY_LEFT;

	if (why->kept_count == 0 || (now && why->kept_count == 1 &&
				     why->kept[0].reason == why->reason.reason))
		return;
	fputs(why->state == LXFW_WHY_WAITING ? "\nBefore, it was kept from the queue:\n" :
	      now ? "\nSince its submission, it was kept from the queue:\n" :
	      last_of(why, LXFW_WHY_STARTED) ?
		    "\nBefore its start, it was kept from the queue:\n" :
		    "\nBefore it left, it was kept from the queue:\n", out);
	for (int i = 0; i < why->kept_count; i++) {
		fputs("  for ", out);
		lxfw_why_put_span(why->kept[i].seconds, out);
		fputs(lxfw_reason_part((int)why->kept[i].reason) == LXFW_REASONS_LEFT ?
		      " it was left to the workload manager: " : " it was not eligible: ", out);
		lxfw_why_put_reason(why->kept[i].reason, why->kept[i].limited, out);
		putc('\n', out);
	}
}

static void put_request(const struct lxfw_why *why, FILE *out)
{
	const struct lxfw_request *request = &why->request;
	struct lxfw_resources sum;
	int32_t hosts;

	/* A look has the requests of jobs that wait. */
	if (!why->has_request && why->watched)
		return;
	if (!why->has_request && why->submit) {
		fputs("\nIts request is not recorded: the scheduler has not had the job.\n", out);
		return;
	}
	if (!why->has_request) {
		fputs("\nIts request is not known: the job was running when it was first "
		      "recorded.\n", out);
		return;
	}
	sum = lxfw_request_sum(request);
	hosts = request->shape == LXFW_SHAPE_HOSTS ? request->count : request->min_hosts;
	fputs("\nIt requests ", out);
	if (request->exclusive && hosts > 0)
		fprintf(out, "%" PRId32 " host%s whole, with ", hosts, plural(hosts));
	fprintf(out, "%" PRId32 " processor%s", sum.procs, plural(sum.procs));
	if (request->exclusive && hosts > 0)
		fputs(" or more", out);
	else if (request->shape == LXFW_SHAPE_HOSTS || hosts > 1)
		fprintf(out, " on %" PRId32 " host%s%s", hosts, plural(hosts),
			request->shape == LXFW_SHAPE_HOSTS ? "" : " or more");
	if (sum.memory_mb > 0)
		fprintf(out, ", %" PRId64 " MB", sum.memory_mb);
	lxfw_why_put_extras(&sum, why->extras, out);
	for (int i = 0; i < request->pool_count; i++) {
		const struct lxfw_pool_name *pool = lxfw_why_pool(why, i);

		fprintf(out, ", %" PRId32 " of %s", request->pools[i].amount,
			pool ? pool->text : "an unknown pool");
	}
	if (request->exclusive && hosts == 0)
		fputs(", on whole hosts", out);
	fputs(" for ", out);
	lxfw_why_put_span(request->estimate, out);
	fputs(".\n", out);
}

/* What is in use of the pools that have too little left. */
static void put_pools(const struct lxfw_why *why, FILE *out)
{
	for (int i = 0; why->has_request && i < why->request.pool_count; i++) {
		const struct lxfw_pool_name *pool = lxfw_why_pool(why, i);

		if (pool && pool->total - why->pool_used[i] < why->request.pools[i].amount)
			fprintf(out, "\nIt waits for %s: %" PRId64 " of %" PRId32
				" are in use.\n", pool->text, why->pool_used[i], pool->total);
	}
}

static void put_entry(const struct lxfw_why *why, const struct lxfw_why_entry *entry,
		      FILE *out)
{
	fputs("  ", out);
	lxfw_why_put_time(why, entry->time, out);
	if (entry->kind == LXFW_WHY_KEPT) {
		fputs(lxfw_reason_part((int)entry->reason) == LXFW_REASONS_LEFT ?
		      "  left to the workload manager: " : "  not eligible: ", out);
		lxfw_why_put_reason(entry->reason, entry->limited, out);
		putc('\n', out);
		return;
	}
	fprintf(out, "  %s", lxfw_why_kind_name(entry->kind));
	switch (entry->kind) {
	case LXFW_WHY_RESERVED:
		fputs(": it starts at ", out);
		lxfw_why_put_time(why, entry->second, out);
		fputs(" at the latest", out);
		break;
	case LXFW_WHY_REFUSED:
		fputs(" by the workload manager", out);
		if (entry->reason)
			fputs(": ", out);
		if (entry->reason)
			lxfw_why_put_reason(entry->reason, entry->limited, out);
		if (entry->second > entry->time) {
			fputs(entry->reason ? "; not tried again before " :
					      ", not tried again before ", out);
			lxfw_why_put_time(why, entry->second, out);
		}
		break;
	case LXFW_WHY_STARTED:
		putc(' ', out);
		put_label(why, entry, out);
		break;
	case LXFW_WHY_ENDED:
		if (!last_of(why, LXFW_WHY_STARTED) || last_of(why, LXFW_WHY_STARTED) > entry)
			fputs(" without a start", out);
		break;
	case LXFW_WHY_WITHDRAWN:
		fputs(": it was to start, and left the scheduler in the same second", out);
		break;
	case LXFW_WHY_SUSPENDED:
		if (entry->other) {
			fputs(" for ", out);
			put_job(why, "job", entry->other, out);
		}
		break;
	case LXFW_WHY_RESIZED:
		fprintf(out, " to %" PRId64 " processors", entry->count);
		break;
	default:
		break;
	}
	putc('\n', out);
}

/* A reservation that moved often is printed at its first, second and last time. */
static void put_history(const struct lxfw_why *why, FILE *out)
{
	size_t moves = 0;

	fputs("\nHistory:\n", out);
	for (size_t i = 0; i < why->count; i++) {
		const struct lxfw_why_entry *entry = &why->entries[i];
		bool again = entry->kind == LXFW_WHY_RESERVED;
		bool more = i + 1 < why->count &&
			    why->entries[i + 1].kind == LXFW_WHY_RESERVED;

		if (why->watched && entry->kind == LXFW_WHY_REFUSED)
			continue;

		moves = again ? moves + 1 : 0;
		if (moves > 1 && more)
			continue;
		if (moves > 2)
			fprintf(out, "  (the reservation moved %zu times more)\n",
				moves - 2);
		put_entry(why, entry, out);
	}
}

static void put_passers(const struct lxfw_why *why, FILE *out)
{
	size_t shown = why->passed < LXFW_WHY_PASSERS ? why->passed : LXFW_WHY_PASSERS;

	if (why->passed == 0) {
		fputs("\nNo job of lower priority started while it waited.\n", out);
		return;
	}
	fprintf(out, "\n%zu job%s of lower priority started while it waited",
		why->passed, plural((int64_t)why->passed));
	fprintf(out, shown < why->passed ? "; the last %zu:\n" : ":\n", shown);
	for (size_t i = why->passed - shown; i < why->passed; i++) {
		const struct lxfw_why_passer *passer =
			&why->passers[i % LXFW_WHY_PASSERS];

		fputs("  ", out);
		lxfw_why_put_time(why, passer->time, out);
		fputs("  ", out);
		put_job(why, "job", passer->job, out);
		if (passer->reserved == LXFW_NEVER)
			fputs(": it fit, and this job had no reservation", out);
		else if (passer->end <= passer->reserved)
			fputs(": it ends before the reservation of this job", out);
		else
			fputs(": it uses what the reservation of this job leaves free",
			      out);
		putc('\n', out);
	}
}

static void put_bill(const struct lxfw_why *why, FILE *out)
{
	if (why->suspensions == 0 && why->requeues == 0)
		return;
	putc('\n', out);
	if (why->suspensions > 0) {
		fprintf(out, "It was suspended %" PRId64 " time%s, for ",
			why->suspensions, plural(why->suspensions));
		lxfw_why_put_span(why->suspended, out);
		fputs(" in all.\n", out);
	}
	if (why->requeues > 0) {
		fprintf(out, "It was requeued %" PRId64 " time%s, and repeats ",
			why->requeues, plural(why->requeues));
		lxfw_why_put_span(why->lost, out);
		fputs(" of its run.\n", out);
	}
}

static void put_terms(const struct lxfw_why *why, const struct lxfw_queued *queued,
		      FILE *out)
{
	const struct lxfw_terms *terms = &queued->terms;
	const struct { const char *name; double value; } list[] = {
		{ "wait", terms->wait }, { "expansion factor", terms->expansion },
		{ "processors", terms->procs }, { "memory", terms->memory },
		{ "processors or memory", terms->larger },
		{ "bypassed", terms->bypassed },
		{ "site priority", terms->site }, { "policy", terms->other },
	};
	bool first = true;

	fprintf(out, "priority %.4g", queued->priority);
	if (queued->tier != 0)
		fprintf(out, " in tier %" PRId32, queued->tier);
	if (queued->aged)
		fputs(", first because it has waited longer than lxfw_age_first", out);
	if (!why->weighted)
		return;
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		if (list[i].value == 0)
			continue;
		fprintf(out, "%s%.4g %s", first ? " = " : " + ", list[i].value,
			list[i].name);
		first = false;
	}
}

static void put_queue(const struct lxfw_why *why, FILE *out)
{
	int32_t shown = why->ahead < LXFW_WHY_AHEAD ? why->ahead : LXFW_WHY_AHEAD;

	if (why->ahead < 0)
		return;
	fprintf(out, "\nIt is number %" PRId32 " of %" PRId32 " in the queue%s (policy %s): ",
		why->ahead + 1, why->waiting, why->hidden ? ", of jobs that are shown" : "", why->policy);
	put_terms(why, &why->own, out);
	fputs(".\n", out);
	if (shown > 0)
		fputs(shown < why->ahead ? "The first ones before it:\n" :
					   "Before it:\n", out);
	for (int32_t i = 0; i < shown; i++) {
		fputs("  ", out);
		put_job(why, "job", why->before[i].job, out);
		fputs(": ", out);
		put_terms(why, &why->before[i], out);
		if (why->before[i].reserved != LXFW_NEVER) {
			fputs(", has a reservation at ", out);
			lxfw_why_put_time(why, why->before[i].reserved, out);
		}
		putc('\n', out);
	}
}

/* What a running job has of the hosts and of the pools. */
static void put_held(const struct lxfw_why *why, const struct lxfw_why_blocker *blocker,
		     FILE *out)
{
	const struct lxfw_pool_name *pool =
		blocker->pool < 0 ? NULL : lxfw_why_pool(why, blocker->pool);

	if (blocker->procs > 0)
		fprintf(out, ", %" PRId32 " processor%s", blocker->procs,
			plural(blocker->procs));
	if (blocker->pool >= 0)
		fprintf(out, ", %" PRId32 " of %s", blocker->amount,
			pool ? pool->text : "an unknown pool");
}

static void put_reservation(const struct lxfw_why *why, FILE *out)
{
	size_t shown = why->blocker_count < LXFW_WHY_BLOCKERS ? why->blocker_count :
								LXFW_WHY_BLOCKERS;

	if (why->ahead < 0)
		return;
	if (why->own.reserved == LXFW_NEVER) {
		fputs("\nIt has no reservation.\n", out);
		return;
	}
	fputs(why->watched ? "\nIn the plan of the scheduler, as it is modelled, it starts " :
			     "\nIt has a reservation: it starts ", out);
	if (why->limitless > 0) {
		fputs("when jobs without a time limit end.\n", out);
	} else {
		lxfw_why_put_distance(why, why->own.reserved, out);
		fputs(", at the latest.\n", out);
	}
	if (shown > 0)
		fputs(why->request.pool_count > 0 ?
		      "On its hosts, or with what it needs, run and end for it at the latest:\n" :
		      "On its hosts run, and end for it at the latest:\n", out);
	for (size_t i = 0; i < shown; i++) {
		fputs("  ", out);
		put_job(why, "job", why->blockers[i].job, out);
		put_held(why, &why->blockers[i], out);
		if (why->blockers[i].limitless) {
			fputs(", without a time limit\n", out);
			continue;
		}
		fputs(", until ", out);
		lxfw_why_put_time(why, why->blockers[i].end, out);
		putc('\n', out);
	}
	if (shown < why->blocker_count)
		fprintf(out, "  and %zu more\n", why->blocker_count - shown);
}

static void put_refusal(const struct lxfw_why *why, FILE *out)
{
	if (why->refused_until == LXFW_NEVER)
		return;
	if (why->refusal) {
		fputs("\nThe workload manager did not carry out its start: ", out);
		lxfw_why_put_reason(why->refusal, LXFW_LIMITED_UNKNOWN, out);
		fputs(";\nit is not tried again before ", out);
	} else {
		fputs("\nThe workload manager refused to start it, for a limit, a license, a "
		      "feature or the state of nodes;\nit is not tried again before ", out);
	}
	lxfw_why_put_time(why, why->refused_until, out);
	fputs(".\n", out);
}

static void put_outlook(const struct lxfw_why *why, FILE *out)
{
	if (!why->possible && *why->obstacle) {
		fprintf(out, "\nIt can start at no time: %s.\n", why->obstacle);
		return;
	}
	if (!why->possible) {
		fputs("\nIt can start at no time: it does not fit on the hosts that are up, "
		      "even if they are empty, or they are blocked.\n", out);
		return;
	}
	put_refusal(why, out);
	if (why->expected == LXFW_NEVER) {
		fputs(why->limitless > 0 ?
		      "\nWhen it starts is not known: Slurm does not know when these jobs end.\n" :
		      "\nNo start is expected.\n", out);
		return;
	}
	if (lxfw_why_is_passed_over(why)) {
		fputs("\nWhen it starts is not known.\n", out);
		return;
	}
	fputs("\nIf all jobs run to their limits and none is submitted, it starts ", out);
	lxfw_why_put_distance(why, lxfw_why_is_planned_later(why) ? why->planned : why->expected,
			      out);
	fputs(".\n", out);
	for (int i = 0; i < why->change_count; i++) {
		const struct lxfw_why_change *change = &why->changes[i];

		fprintf(out, "  with %s: ", change->what);
		if (change->start >= why->expected) {
			fputs("no earlier", out);
		} else {
			lxfw_why_put_distance(why, change->start, out);
			fputs(", ", out);
			lxfw_why_put_span(why->expected - change->start, out);
			fputs(" earlier", out);
		}
		putc('\n', out);
	}
}

void lxfw_why_text(const struct lxfw_why *why, FILE *out)
{
	put_state(why, out);
	if (why->state == LXFW_WHY_WAITING)
		lxfw_why_summary(why, out);
	if (why->state == LXFW_WHY_NOT_ELIGIBLE || why->state == LXFW_WHY_LEFT)
		put_reason(why, out);
	put_request(why, out);
	put_kept(why, out);
	if (why->state == LXFW_WHY_WAITING) {
		put_pools(why, out);
		put_queue(why, out);
		put_reservation(why, out);
		put_outlook(why, out);
	}
	/* Jobs that start meanwhile do not pass one that is not in the queue. */
	if (why->state != LXFW_WHY_NOT_ELIGIBLE && why->state != LXFW_WHY_LEFT &&
	    (why->has_request || !why->submit))
		/* One look has not seen what started before. */
		if (!why->watched)
			put_passers(why, out);
	if (!why->watched)
		put_bill(why, out);
	if (!why->watched)
		put_history(why, out);
}
