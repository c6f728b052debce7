/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/check.h"

#include <errno.h>

#include "common/books/books.h"

int lxfw_invalid(struct lxfw_error *error, int code, const char *text,
		 uint64_t id)
{
	lxfw_error_set(error, text);
	lxfw_error_add_number(error, (int64_t)id);
	errno = code;
	return -1;
}

bool lxfw_is_time(int64_t time)
{
	return time >= -LXFW_TIME_MAX && time <= LXFW_TIME_MAX;
}

int lxfw_shares_check(const struct lxfw_sched *sched,
		      const struct lxfw_share *shares, int32_t count,
		      struct lxfw_error *error)
{
	if (count < 0)
		return lxfw_invalid(error, EINVAL, "negative number of shares",
				    0);
	for (int32_t i = 0; i < count; i++) {
		if (shares[i].host < 0 ||
		    shares[i].host >= sched->profile.host_count ||
		    (i > 0 && shares[i].host <= shares[i - 1].host))
			return lxfw_invalid(error, EINVAL,
					    "shares not ascending or of unknown host ",
					    (uint64_t)shares[i].host);
		if (shares[i].amount.procs < 0 || shares[i].amount.memory_mb < 0)
			return lxfw_invalid(error, EINVAL,
					    "negative share of host ",
					    (uint64_t)shares[i].host);
	}
	return 0;
}

int lxfw_request_check(const struct lxfw_sched *sched,
		       const struct lxfw_request *request,
		       struct lxfw_error *error)
{
	bool good = lxfw_request_is_valid(request);

	for (int i = 0; good && i < request->host_set_count; i++)
		good = request->host_sets[i] >= 0 &&
		       (size_t)request->host_sets[i] < sched->host_set_count;
	if (good && request->more_sets)
		good = (size_t)request->host_sets[request->host_set_count - 1] +
			       (size_t)request->more_sets < sched->host_set_count;
	for (int i = 0; good && i < request->pool_count; i++)
		good = request->pools[i].pool < sched->profile.host_count;
	if (!good)
		return lxfw_invalid(error, EINVAL, "malformed request of job ",
				    request->id);
	if ((request->group != 0 || request->pool_count) &&
	    !lxfw_policy_type_groups(sched->policy))
		return lxfw_invalid(error, EINVAL, request->group ?
				    "the policy cannot start a group: job " :
				    "the policy cannot start a job with pools: job ",
				    request->id);
	return 0;
}
