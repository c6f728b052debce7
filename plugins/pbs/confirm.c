/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confirms requested reservations, and refuses those for which there are no vnodes
 * (resv_place.c). Also gives other vnodes to a reservation whose vnodes cannot be used (degraded),
 * and answers changes of reservations.
 */
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"
#include "plugins/pbs/wlm.h"

/* --- answers -------------------------------------------------------------------------- */

/* Later reservations of this pass are planned beside it. */
static void enter(struct lxfw_pbs_resv *resv, char *vnodes)
{
	bool all = lxfw_pbs_resv_is_standing(resv) && resv->state != LXFW_PBS_RESV_ALTERED;
	char **nodes;
	int32_t count;

	resv->state = resv->state == LXFW_PBS_RESV_UNCONFIRMED ? LXFW_PBS_RESV_CONFIRMED :
								 resv->state;
	if (!lxfw_pbs_resv_is_standing(resv)) {
		free(resv->nodes);
		resv->nodes = vnodes;
	} else {
		count = lxfw_pbs_sequence_read(vnodes, &nodes);
		if (count > 0) {
			free(resv->nodes);
			resv->nodes = strdup(nodes[0]);
			lxfw_pbs_sequence_free(nodes, count);
		}
		if (all) {
			free(resv->sequence);
			resv->sequence = vnodes;
		} else {
			free(vnodes);
		}
	}
	(void)lxfw_pbs_resv_unroll(resv);
}

/* Answers the server: VNODES are the reservation's, NULL: there are none. Returns false if the server
   does not take the answer. */
static bool answer(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv, char *vnodes)
{
	struct lxfw_error why;
	int rc = lxfw_pbs_confirm_resv(&pbs->link, resv->name, vnodes, vnodes ? resv->start : 0,
				       pbs->site.sched.partition, &why);

	if (rc) {
		if (rc < 0)
			lxfw_log_error("reservation %s: %s", resv->name, why.text);
		else
			lxfw_log_debug("reservation %s has been deleted", resv->name);
		free(vnodes);
		(void)lxfw_pbs_resv_unroll(resv);	/* as the server has it */
		return false;
	}
	pbs->changed = true;
	if (!vnodes)
		return true;
	lxfw_log_info("reservation %s is confirmed on %s", resv->name, vnodes);
	enter(resv, vnodes);
	return true;
}

static bool is_mine(const struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	const char *mine = pbs->site.sched.partition ? pbs->site.sched.partition :
						       LXFW_PBS_DEFAULT_PARTITION;

	return !resv->partition || strcmp(resv->partition, mine) == 0;
}

/* True if the server waits until it tries again to replace vnodes of the reservation. */
static bool is_degraded(const struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	return (resv->substate == LXFW_PBS_RESV_DEGRADED ||
		resv->substate == LXFW_PBS_RESV_IN_CONFLICT) &&
	       resv->retry > 0 && resv->retry <= pbs->agent.clock;
}

/* Returns true if the reservation waits for an answer. */
static bool waits(const struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	return !pbs->shadow && is_mine(pbs, resv) &&
	       (resv->state == LXFW_PBS_RESV_ALTERED ||
		resv->state == LXFW_PBS_RESV_UNCONFIRMED || is_degraded(pbs, resv));
}

/* Returns false if another pass answers it, or the server does not take the answer. */
static bool confirm(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv, uint64_t deadline_us)
{
	struct lxfw_error why;
	bool later = false;
	char *vnodes = lxfw_pbs_place_resv(pbs, resv, deadline_us, &later, &why);

	if (later) {
		pbs->changed = true;	/* another pass follows */
		return false;
	}
	if (!vnodes)
		lxfw_log_info(resv->state == LXFW_PBS_RESV_ALTERED ?
			      "the change of reservation %s is refused: %s" :
			      resv->state == LXFW_PBS_RESV_UNCONFIRMED ?
			      "reservation %s is refused: %s" :
			      "reservation %s gets no other vnodes yet: %s", resv->name, why.text);
	return answer(pbs, resv, vnodes);
}

/* The first request gets what there is, also where the next passes answer the others. One whose
   answer the server refuses, or for which a pass is not enough, does not keep others from theirs:
   the next pass begins behind it. */
void lxfw_pbs_confirm(struct lxfw_pbs *pbs)
{
	size_t count = pbs->site.resv_count, first = pbs->next_resv;
	uint64_t deadline_us = lxfw_now_us() + pbs->confirm_us;

	pbs->next_resv = 0;

	for (size_t i = 0, done = 0; i < count && !pbs->link.lost; i++) {
		size_t at = (first + i) % count;

		if (!waits(pbs, &pbs->site.resv[at]))
			continue;
		if (done++ && lxfw_now_us() >= deadline_us) {
			pbs->changed = true;	/* another pass follows */
			break;
		}
		if (!confirm(pbs, &pbs->site.resv[at], deadline_us))
			pbs->next_resv = at + 1;
	}
}
