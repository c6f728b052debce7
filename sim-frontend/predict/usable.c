/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/usable.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/books/books.h"
#include "common/place/place.h"

/* Hosts on which a piece of a request fits, and the pieces that fit. */
struct counted {
	int32_t hosts;
	int64_t pieces;
};

static bool is_enough(const struct lxfw_request *request, const struct counted *counted)
{
	int32_t least = request->shape == LXFW_SHAPE_HOSTS ? request->count : request->min_hosts;

	return counted->hosts >= least && counted->pieces >= request->count;
}

static bool is_allowed(const struct lxfw_sched *sched, const struct lxfw_request *request,
		       int32_t host)
{
	int32_t alternatives = request->host_set_count + request->more_sets;

	for (int32_t i = 0; i < alternatives; i++) {
		if (lxfw_host_allowed(sched, request, i, host))
			return true;
	}
	return alternatives == 0;
}

bool lxfw_usable_is_short(const struct lxfw_sched *sched, const struct lxfw_request *request,
			  char text[LXFW_USABLE_TEXT])
{
	struct counted all = { 0 }, up = { 0 };

	text[0] = '\0';
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		const struct lxfw_host *host = &sched->profile.hosts[i];
		struct lxfw_resources need = lxfw_request_on(request, host);
		int32_t pieces;

		if (!lxfw_resources_fit(&need, &host->total) || !is_allowed(sched, request, i))
			continue;
		pieces = request->shape == LXFW_SHAPE_HOSTS ? 1 :
			 lxfw_request_pieces(request, &host->total, request->count);
		all.hosts++;
		all.pieces += pieces;
		up.hosts += host->up;
		up.pieces += host->up ? pieces : 0;
	}
	if (is_enough(request, &up) || !is_enough(request, &all))
		return false;
	if (up.hosts == 0 && all.hosts == 1)
		snprintf(text, LXFW_USABLE_TEXT, "the only host that it could use is not up");
	else if (up.hosts == 0)
		snprintf(text, LXFW_USABLE_TEXT, "none of the %" PRId32 " hosts that it could use is "
			 "up", all.hosts);
	else
		snprintf(text, LXFW_USABLE_TEXT, "only %" PRId32 " of the %" PRId32 " hosts that fit it "
			 "are up", up.hosts, all.hosts);
	return true;
}
