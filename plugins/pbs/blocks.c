/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times in which jobs may not use hosts, as blocks of the library: reservations, dedicated time,
 * changes of prime time; and running jobs that are not in the model.
 */
#include "common/util/grow.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/pbs/hash.h"
#include "plugins/pbs/plain.h"
#include "plugins/pbs/wlm.h"

/* Occurrences of a standing reservation that the library knows. */
#define SHOWN_MAX 500

/* Dedicated times that it knows. */
#define DEDICATED_MAX 10

/* Id of a passing block: what jobs of others use that the server does not show. */
#define HIDDEN 1

/* An id of a block that is not one of the passing ones. */
static uint64_t block_id(const char *name)
{
	return lxfw_pbs_hash_text(LXFW_PBS_HASH, name) | UINT64_C(1) << 63;
}

/* Removes what the job uses from the shares. */
static void remove_job(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, int32_t count)
{
	int32_t used = lxfw_pbs_shares(&pbs->site, job->vnodes, false, &pbs->others,
				       &pbs->others_size);

	for (int32_t i = 0; i < used; i++) {
		for (int32_t j = 0; j < count; j++) {
			if (pbs->shares[j].host == pbs->others[i].host)
				lxfw_resources_subtract(&pbs->shares[j].amount,
							&pbs->others[i].amount);
		}
	}
}

/* A negative amount would add to the host. */
static void raise_to_nothing(struct lxfw_resources *amount)
{
	amount->procs = amount->procs < 0 ? 0 : amount->procs;
	amount->memory_mb = amount->memory_mb < 0 ? 0 : amount->memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		amount->extras[i] = amount->extras[i] < 0 ? 0 : amount->extras[i];
}

/* A reservation has its vnodes, except for those that its own jobs use. Occurrence INDEX is
   shown; the first one is the present one, with jobs. */
static void show_occurrence(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv,
			    int32_t index)
{
	const struct lxfw_pbs_occurrence *occurrence = &resv->occurrence[index];
	const struct lxfw_resources none = { 0 };
	uint64_t number = (uint64_t)(resv->index + index);
	int64_t end = occurrence->end < LXFW_TIME_MAX ? occurrence->end : LXFW_TIME_MAX;
	int32_t kept = 0, count = lxfw_pbs_shares(&pbs->site, lxfw_pbs_held(occurrence), false,
						  &pbs->shares, &pbs->shares_size);

	for (size_t i = 0; index == 0 && i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (lxfw_pbs_holds(job) && lxfw_pbs_is_in(job, resv))
			remove_job(pbs, job, count);
	}
	for (int32_t i = 0; i < count; i++) {
		if (lxfw_resources_fit(&pbs->shares[i].amount, &none))
			continue;
		pbs->shares[kept] = pbs->shares[i];
		raise_to_nothing(&pbs->shares[kept++].amount);
	}
	lxfw_mirror_block(&pbs->agent, block_id(resv->name) ^ number << 40, occurrence->start,
			  end, pbs->shares, kept);
}

static void show_resv(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	int32_t first = lxfw_pbs_resv_first(resv);

	if (resv->unknown)
		lxfw_log_debug("the times of reservation %s cannot be computed", resv->name);
	for (int32_t i = first; i < resv->occurrences && i - first < SHOWN_MAX; i++) {
		if (lxfw_pbs_held(&resv->occurrence[i]) &&
		    resv->occurrence[i].end > pbs->agent.clock)
			show_occurrence(pbs, resv, i);
	}
}

static void show_outside(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	int32_t count = lxfw_pbs_shares(&pbs->site, job->vnodes,
					lxfw_pbs_exclusion(&pbs->site, job) !=
					LXFW_PBS_SHARED,
					&pbs->shares, &pbs->shares_size);

	lxfw_mirror_passing_block(&pbs->agent, block_id(job->id), 3600, pbs->shares, count);
}

/* Jobs that run and are not in the model: those without a number, and those that the library has
   rejected. Their hosts would be chosen for other jobs. */
static bool is_outside(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_known_job *known;

	if (!job->record)
		return true;
	known = lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));
	return known && known->excluded && known->state == LXFW_KNOWN_RUNNING;
}

/* What jobs of others use that the server does not show, for an unknown time. */
static void show_hidden(struct lxfw_pbs *pbs)
{
	const struct lxfw_pbs_site *site = &pbs->site;
	int32_t count = 0;

	if (LXFW_GROW(pbs->shares, pbs->shares_size, (size_t)site->host_count + 1)) {
		pbs->agent.events.failed = true;
		return;
	}
	for (int32_t i = 0; i < site->host_count; i++) {
		struct lxfw_share share = { .host = i };
		bool used = false;

		for (int32_t j = 0; j < site->host[i].count; j++) {
			struct lxfw_resources amount;
			int32_t vnode = site->by_host[site->host[i].first + j];

			if (!lxfw_pbs_hidden_use(&site->vnode[vnode], &amount))
				continue;
			lxfw_resources_add(&share.amount, &amount);
			used = true;
		}
		if (used)
			pbs->shares[count++] = share;
	}
	if (count > 0)
		lxfw_mirror_passing_block(&pbs->agent, HIDDEN,
					  site->hides_jobs ? LXFW_MIRROR_UNKNOWN : 3600,
					  pbs->shares, count);
}

/* Blocks all hosts. */
static void show_all(struct lxfw_pbs *pbs, const char *name, int64_t start, int64_t end)
{
	int32_t count = pbs->site.host_count;

	if (LXFW_GROW(pbs->shares, pbs->shares_size, (size_t)count + 1)) {
		pbs->agent.events.failed = true;
		return;
	}
	for (int32_t i = 0; i < count; i++)
		pbs->shares[i] = (struct lxfw_share){
			.host = i, .amount = pbs->site.host[i].total,
		};
	lxfw_mirror_block(&pbs->agent, block_id(name) ^ (uint64_t)start << 8, start, end,
			  pbs->shares, count);
}

/* Jobs end before a dedicated time. In it, only those of its queues are in the model. */
static void show_dedicated(struct lxfw_pbs *pbs)
{
	const struct lxfw_pbs_calendar *calendar = &pbs->calendar;
	int shown = 0;

	for (size_t i = 0; i < calendar->gap_count && shown < DEDICATED_MAX; i++) {
		const struct lxfw_pbs_gap *gap = &calendar->gap[i];

		if (gap->to <= pbs->agent.clock)
			continue;
		shown++;
		if (gap->from > pbs->agent.clock)
			show_all(pbs, "dedicated time", gap->from, gap->to);
		lxfw_agent_look_again(&pbs->agent, gap->from > pbs->agent.clock ? gap->from :
										  gap->to);
	}
}

/* A block of a second: no job runs across it. */
static void show_prime(struct lxfw_pbs *pbs)
{
	int64_t next = lxfw_pbs_prime_change(&pbs->calendar, pbs->agent.clock);

	if (next != LXFW_NEVER)
		lxfw_agent_look_again(&pbs->agent, next);
	for (int i = 0; i < pbs->calendar.changes && !pbs->calendar.exempt; i++) {
		int64_t limit = lxfw_pbs_prime_limit(&pbs->calendar, i);

		if (limit != LXFW_NEVER)
			show_all(pbs, "prime time", limit, limit + 1);
	}
}

void lxfw_pbs_look_at_blocks(void *context)
{
	struct lxfw_pbs *pbs = context;

	for (size_t i = 0; i < pbs->site.resv_count; i++)
		show_resv(pbs, &pbs->site.resv[i]);
	show_dedicated(pbs);
	show_prime(pbs);
	if (pbs->site.hides_jobs)
		show_hidden(pbs);
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		if (lxfw_pbs_holds(&pbs->site.job[i]) && is_outside(pbs, &pbs->site.job[i]))
			show_outside(pbs, &pbs->site.job[i]);
	}
}
