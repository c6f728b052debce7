/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log_job.h"

#include "sim-frontend/trace/needs.h"

static int64_t fact(bool is, enum lxfw_log_fact fact)
{
	return is ? fact : 0;
}

int64_t lxfw_log_job_facts(const struct lxfw_account *account)
{
	bool started = lxfw_account_started(account);

	return fact(account->over, LXFW_FACT_OVER) |
	       fact(account->deleted, LXFW_FACT_DELETED) |
	       fact(account->part, LXFW_FACT_PART) |
	       fact(!started && !account->planned, LXFW_FACT_NEVER_STARTED) |
	       fact(account->planned, LXFW_FACT_PLANNED) |
	       fact(account->eligible > account->submit, LXFW_FACT_LATE) |
	       fact(started && account->suspended > 0, LXFW_FACT_SUSPENDED) |
	       fact(started && (account->start < account->submit ||
				(account->end >= 0 && account->end < account->start)),
		    LXFW_FACT_DISORDERED) |
	       fact(account->limit <= 0, LXFW_FACT_NO_LIMIT) |
	       fact(account->rounded, LXFW_FACT_ROUNDED) |
	       fact(account->limited, LXFW_FACT_LIMITED);
}

static int64_t name_number(struct lxfw_names *names, struct lxfw_slice name, int *failed)
{
	int32_t position;

	if (name.length == 0)
		return -1;
	position = lxfw_names_add(names, name.at, name.length);
	*failed |= position < 0;
	return position;
}

static int make_record(struct lxfw_log *log, const struct lxfw_account *account,
		       struct lxfw_swf_record *record)
{
	bool started = lxfw_account_started(account), ran = started || account->planned;
	int64_t seen = lxfw_account_seen(account);
	int64_t stop = started ? account->start : account->end;
	char text[LXFW_NEEDS_TEXT];
	struct lxfw_slice needs = { text, lxfw_needs_text(account, text) };
	int failed = 0;

	*record = (struct lxfw_swf_record) {
		.number = account->number,
		.submit = seen,
		.wait = stop >= seen ? stop - seen : -1,
		.run = !ran ? -1 : account->run > 0 ? account->run : 0,
		.used_procs = account->procs > 0 && !account->planned ? account->procs : -1,
		.cpu_time = -1,
		.used_memory = -1,
		.requested_procs = account->procs > 0 ? account->procs : -1,
		.requested_time = account->limit > 0 ? account->limit : -1,
		.requested_memory = account->memory_kb > 0 && account->procs > 0 ?
				    account->memory_kb / account->procs : -1,
		.status = account->planned ? -1 : (int64_t)account->status,
		.user = name_number(&log->users, account->user, &failed),
		.group = name_number(&log->groups, account->group, &failed),
		.executable = name_number(&log->requests, needs, &failed),
		.queue = name_number(&log->queues, account->queue, &failed),
		.partition = -1,
		.preceding_job = -1,
		.think_time = -1,
	};
	if (account->used_memory_kb >= 0 && account->procs > 0)
		record->used_memory = account->used_memory_kb / account->procs;
	return failed ? -1 : 0;
}

int lxfw_log_job_make(struct lxfw_log *log, const struct lxfw_account *account,
		      struct lxfw_log_job *job)
{
	*job = (struct lxfw_log_job) { .facts = lxfw_log_job_facts(account) };
	if (lxfw_log_clusters_add(&log->clusters, account->cluster, &job->cluster))
		return -1;
	return account->over ? make_record(log, account, &job->record) : 0;
}

void lxfw_log_job_step(struct lxfw_swf_record *record, const struct lxfw_account *step)
{
	int64_t used = step->used_memory_kb;

	if (used < 0 || record->number != step->number || record->used_procs <= 0)
		return;
	used /= record->used_procs;
	if (used > record->used_memory)
		record->used_memory = used;
}

int lxfw_log_job_count(struct lxfw_log *log, const struct lxfw_log_job *job)
{
	int64_t facts = job->facts;

	log->planned += (facts & LXFW_FACT_PLANNED) != 0;
	log->never_started += (facts & LXFW_FACT_NEVER_STARTED) != 0;
	log->late += (facts & LXFW_FACT_LATE) != 0;
	log->suspended += (facts & LXFW_FACT_SUSPENDED) != 0;
	log->disordered += (facts & LXFW_FACT_DISORDERED) != 0;
	log->no_limit += (facts & LXFW_FACT_NO_LIMIT) != 0;
	log->rounded += (facts & LXFW_FACT_ROUNDED) != 0;
	log->limited += (facts & LXFW_FACT_LIMITED) != 0;
	return lxfw_log_clusters_count(&log->clusters, job->cluster);
}

void lxfw_log_job_discount(struct lxfw_log *log, int64_t facts)
{
	struct lxfw_account_counts *counts = &log->counts;

	*(facts & LXFW_FACT_DELETED ? &counts->deleted :
	  facts & LXFW_FACT_OVER ? &counts->jobs : &counts->not_over) -= 1;
	counts->parts -= (facts & LXFW_FACT_PART) && (facts & LXFW_FACT_OVER);
}

bool lxfw_log_job_is_double(struct lxfw_log *log, int sight, int64_t facts)
{
	if (sight == LXFW_SIGHT_DOUBLE)
		lxfw_log_job_discount(log, facts);
	else if (sight == LXFW_SIGHT_LATER)	/* the earlier record was of an
						   unfinished job */
		log->counts.not_over--;
	if (sight != LXFW_SIGHT_NEW && !(facts & LXFW_FACT_DELETED))
		log->doubles++;
	return sight == LXFW_SIGHT_DOUBLE;
}
