/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/opening.h"

void lxfw_openings_add(struct lxfw_openings *openings, int64_t from, int64_t until,
		       const struct lxfw_resources *amount)
{
	struct lxfw_opening *last = &openings->list[LXFW_OPENINGS_MAX - 1];

	if (from >= until)
		return;
	if (openings->count < LXFW_OPENINGS_MAX) {
		openings->list[openings->count++] = (struct lxfw_opening){
			.from = from, .until = until, .amount = *amount,
		};
		return;
	}
	/* The last one includes all that follow. No claim is large enough to close it. */
	if (last->from > from)
		last->from = from;
	if (last->until < until)
		last->until = until;
	last->amount.procs = INT32_MAX;
}

void lxfw_openings_close(struct lxfw_openings *openings, int64_t from, int64_t until,
			 const struct lxfw_resources *amount)
{
	struct lxfw_opening *last;

	if (openings->count == 0)
		return;
	last = &openings->list[openings->count - 1];
	if (!lxfw_resources_fit(&last->amount, amount))
		return;
	if (from <= last->from && until > last->from)
		last->from = until;
	else if (from < last->until && until >= last->until)
		last->until = from;
	if (last->from >= last->until)
		openings->count--;
}
