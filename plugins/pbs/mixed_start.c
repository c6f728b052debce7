/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mixed jobs (mixed.h) start: the library decides about all parts of a job at once, and the server
 * gets one request with the chunks of all parts. Each part is tested and laid out first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/mirror.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

void lxfw_pbs_starting_clear(struct lxfw_pbs_starting *starting)
{
	for (int32_t i = 0; starting->text && i < starting->count; i++)
		free(starting->text[i]);
	free(starting->text);
	memset(starting, 0, sizeof(*starting));
}

const struct lxfw_pbs_decided *lxfw_pbs_decided_of(struct lxfw_pbs *pbs,
						   const struct lxfw_pbs_job *job)
{
	return lxfw_pbs_decide(&pbs->decided, &pbs->site, &pbs->sets, job, pbs->agent.clock);
}

/* The parts of JOB, or NULL if they are others than the library knows. */
static const struct lxfw_pbs_mixed *mixed_of(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
					     const struct lxfw_known_job *first)
{
	const struct lxfw_pbs_decided *decided = lxfw_pbs_decided_of(pbs, job);
	int32_t count = first->request.group ? first->request.group_count : 1;

	return decided && decided->is_mixed && decided->count == count ? &decided->mixed : NULL;
}

/* Begins the start of the job unless another of its COUNT parts has. Returns false if memory ran
   out. */
static bool prepare(struct lxfw_pbs *pbs, const struct lxfw_known_job *first, int32_t count)
{
	struct lxfw_pbs_starting *starting = &pbs->starting;

	if (starting->id == first->id && starting->decision == pbs->agent.decisions &&
	    starting->count == count && !starting->begun)
		return true;
	lxfw_pbs_starting_clear(starting);
	starting->text = calloc((size_t)count, sizeof(*starting->text));
	if (!starting->text)
		return false;
	starting->count = count;
	starting->id = first->id;
	starting->decision = pbs->agent.decisions;
	return true;
}

/* The exec_vnode of a number of equal bundles, each on one of the hosts. */
static char *lay_bundles(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *part,
			 const struct lxfw_action *action, int64_t seconds)
{
	char *all = NULL;

	for (int32_t i = 0; i < part->bundles; i++) {
		struct lxfw_action one = *action;

		one.shares = &action->shares[i];
		one.count = 1;
		all = lxfw_pbs_add_chunks(all, lxfw_pbs_lay(pbs, part, &one, seconds));
		if (!all)
			return NULL;
	}
	return all;
}

/* The job of the library that stands for the whole. */
static struct lxfw_known_job *first_of(struct lxfw_pbs *pbs, struct lxfw_known_job *known)
{
	return known->request.group ?
		       lxfw_table_find(&pbs->agent.jobs, known->request.group) : known;
}

enum lxfw_answer lxfw_pbs_may_start(void *context, struct lxfw_known_job *known,
				    const struct lxfw_action *action)
{
	struct lxfw_pbs *pbs = context;
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, known->record);
	struct lxfw_known_job *first = first_of(pbs, known);
	int32_t index = lxfw_pbs_part_index(known->id);
	const struct lxfw_pbs_mixed *mixed;
	struct lxfw_pbs_job part;
	enum lxfw_answer answer;
	int64_t seconds;
	char *text;

	if (!job || job->state != 'Q' || !first)
		return LXFW_GONE;
	seconds = lxfw_pbs_run_time(known, job, action);
	answer = lxfw_pbs_may_begin(pbs, first, job, action, seconds);
	if (answer != LXFW_DONE)
		return answer;
	mixed = mixed_of(pbs, job, first);
	if (!mixed || index >= mixed->count)
		return LXFW_GONE;
	if (!prepare(pbs, first, mixed->count))
		return LXFW_REFUSED;
	part = lxfw_pbs_part_of(mixed, job, index);
	if (part.bundles && action->count < part.bundles)
		return LXFW_GONE;
	text = part.bundles ? lay_bundles(pbs, &part, action, seconds) :
			      lxfw_pbs_lay(pbs, &part, action, seconds);
	if (!text)
		return lxfw_pbs_not_laid(job);
	free(pbs->starting.text[index]);
	pbs->starting.text[index] = text;
	return LXFW_DONE;
}

/* Sets what the part has of the run of the job. Returns false if that is not known. */
static bool read_part(struct lxfw_pbs *pbs, const struct lxfw_known_job *known,
		      const struct lxfw_pbs_job *job, struct lxfw_run *run)
{
	int32_t index = lxfw_pbs_part_index(known->id);
	int32_t count = lxfw_pbs_shares(&pbs->site, pbs->starting.text[index],
					lxfw_pbs_exclusion(&pbs->site, job) != LXFW_PBS_SHARED,
					&pbs->shares, &pbs->shares_size);

	if (count > 0 && index == 0)
		count = lxfw_pbs_pools_share(&pbs->site, job, &pbs->shares, &pbs->shares_size,
					     count);
	if (count <= 0)
		return false;
	run->count = count;
	run->shares = pbs->shares;
	return true;
}

enum lxfw_answer lxfw_pbs_start_part(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
				     struct lxfw_pbs_job *job,
				     const struct lxfw_action *action, struct lxfw_run *run)
{
	struct lxfw_pbs_starting *starting = &pbs->starting;
	struct lxfw_known_job *first = first_of(pbs, known);
	int64_t seconds = lxfw_pbs_run_time(known, job, action);
	enum lxfw_answer answer = LXFW_DONE;

	if (known == first && !known->request.group)
		answer = lxfw_pbs_may_start(pbs, known, action);
	if (answer != LXFW_DONE)
		return answer;
	if (!first || starting->id != first->id ||
	    starting->decision != pbs->agent.decisions)
		return LXFW_GONE;
	if (!starting->begun) {
		const struct lxfw_pbs_mixed *mixed = mixed_of(pbs, job, first);
		char *vnodes;

		if (!mixed || mixed->count != starting->count || job->state != 'Q')
			return LXFW_GONE;
		vnodes = lxfw_pbs_mixed_join(&pbs->site, job, mixed, starting->text);
		if (!vnodes)
			return errno == ENOMEM ? LXFW_REFUSED : LXFW_GONE;
		answer = lxfw_pbs_launch(pbs, lxfw_pbs_own(first), job, action, vnodes, seconds);
		if (answer != LXFW_DONE)
			return answer;
		starting->begun = true;
	}
	lxfw_pbs_fit(lxfw_pbs_own(known));
	return lxfw_pbs_read_run(pbs, known, job, run) && run->count > 0 &&
	       read_part(pbs, known, job, run) ? LXFW_DONE : LXFW_GONE;
}

void lxfw_pbs_unite(struct lxfw_pbs *pbs, struct lxfw_known_job *known)
{
	uint64_t id = known->request.group;
	int32_t count = known->request.group_count;

	for (int32_t i = 0; i < count; i++) {
		struct lxfw_known_job *part = lxfw_table_find(&pbs->agent.jobs,
							      lxfw_pbs_part_id(id, i));

		if (part)
			lxfw_mirror_replaced(&pbs->agent, part);
	}
}
