/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/request_finder.h"

#include <errno.h>
#include <math.h>

const struct lxfw_nwire_value *lxfw_finder_value(const struct lxfw_finder *finder, const char *name)
{
	struct lxfw_nwire_scope scope = finder->scope;

	scope.resource = NULL;
	return lxfw_nwire_find(&scope, name, false);
}

const struct lxfw_nwire_place *lxfw_finder_place(const struct lxfw_finder *finder, const char *name)
{
	const struct lxfw_nwire_value *value = lxfw_finder_value(finder, name);

	return value ? &value->place : &finder->object->place;
}

int lxfw_finder_whole(struct lxfw_finder *finder, const char *name, double low, double high,
		      int64_t *to)
{
	double number;
	bool found;

	if (!lxfw_finder_value(finder, name))
		return 0;
	if (lxfw_nwire_number(&finder->scope, name, &number, &found))
		return -1;
	if (!(number >= low && number <= high) || number > floor(number))
		return lxfw_nwire_error(finder->request->path, lxfw_finder_place(finder, name),
					finder->error, "%s is %.15g, expected a whole number "
					"from %.15g to %.15g", name, number, low, high);
	*to = (int64_t)number;
	return 0;
}

static int take_budget(struct lxfw_finder *finder, const char *name, double *to)
{
	bool found;

	*to = INFINITY;
	if (lxfw_nwire_number(&finder->scope, name, to, &found))
		return -1;
	if (found && !(*to >= 0))
		return lxfw_nwire_error(finder->request->path, lxfw_finder_place(finder, name),
					finder->error, "%s is %.15g, expected 0 or more", name,
					*to);
	return 0;
}

int lxfw_finder_contradiction(const struct lxfw_finder *finder, const char *name, int64_t is,
			 const char *expected, int64_t limit)
{
	return lxfw_nwire_error(finder->request->path, lxfw_finder_place(finder, name), finder->error,
				"%s is %lld, expected %s %lld", name, (long long)is, expected,
				(long long)limit);
}

static int check_times(const struct lxfw_finder *finder)
{
	const struct lxfw_finder_asked *asked = &finder->asked;
	int64_t at = finder->request->at;

	if (asked->end <= at)
		return lxfw_finder_contradiction(finder, "EndTime", asked->end, "more than the time of the "
				     "request,", at);
	if (asked->end <= asked->start)
		return lxfw_finder_contradiction(finder, "EndTime", asked->end, "more than StartTime,",
				     asked->start);
	if (asked->search < at)
		return lxfw_finder_contradiction(finder, "SearchTime", asked->search, "at least the time of "
				     "the request,", at);
	if (asked->until < at)
		return lxfw_finder_contradiction(finder, "ReservationTime", asked->until, "at least the time "
				     "of the request,", at);
	return 0;
}

static int take_parts(struct lxfw_finder *finder)
{
	int64_t least = 0, most = 0;

	if (lxfw_finder_whole(finder, "MinMulti-Site", 0, INT32_MAX, &least) ||
	    lxfw_finder_whole(finder, "MaxMulti-Site", 1, INT32_MAX, &most))
		return -1;
	if (most > 0 && least > most)
		return lxfw_finder_contradiction(finder, "MinMulti-Site", least, "at most MaxMulti-Site,",
				     most);
	finder->market.rules.least_part = (int32_t)least;
	finder->market.rules.most_part = (int32_t)most;
	return 0;
}

static int take_time(struct lxfw_finder *finder, const char *name, int64_t *to)
{
	return lxfw_finder_whole(finder, name, -LXFW_FINDER_TIME_MOST, LXFW_FINDER_TIME_MOST,
				 to);
}

int lxfw_finder_numbers(struct lxfw_finder *finder)
{
	struct lxfw_finder_asked *asked = &finder->asked;
	int64_t same = 0;

	*asked = (struct lxfw_finder_asked){
		.start = finder->request->at, .end = LXFW_NEVER, .until = LXFW_NEVER,
		.search = LXFW_NEVER, .most_offers = -1, .hops = 1,
	};
	if (take_time(finder, "StartTime", &asked->start) ||
	    take_time(finder, "EndTime", &asked->end) ||
	    take_time(finder, "ReservationTime", &asked->until) ||
	    take_time(finder, "SearchTime", &asked->search) ||
	    lxfw_finder_whole(finder, "MaxOfferNumber", 0, INT32_MAX, &asked->most_offers) ||
	    lxfw_finder_whole(finder, "Hops", 0, INT32_MAX, &asked->hops) ||
	    lxfw_finder_whole(finder, "OperatingSystemEqual", 0, 1, &same) ||
	    take_budget(finder, "OfferBudget", &asked->offer_budget) ||
	    take_budget(finder, "JobBudget", &asked->job_budget) ||
	    take_budget(finder, "ReservationBudget", &asked->reservation_budget) ||
	    take_parts(finder))
		return -1;
	asked->same_system = same;
	if (asked->start < finder->request->at)
		asked->start = finder->request->at;
	return check_times(finder);
}
