/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/choice.h"

#include <stddef.h>
#include <string.h>

/* Work of the waiting jobs per processor. */
static int64_t queue_of(const struct lxfw_route_offer *offer)
{
	return offer->procs > 0 ? offer->work / offer->procs : INT64_MAX;
}

static bool better_to_wait(const struct lxfw_route_offer *a, const struct lxfw_route_offer *b)
{
	return queue_of(a) != queue_of(b) ? queue_of(a) < queue_of(b) : a->wait < b->wait;
}

static bool earliest(const struct lxfw_route_offer *a, const struct lxfw_route_offer *b)
{
	return a->wait != b->wait ? a->wait < b->wait : queue_of(a) < queue_of(b);
}

static int64_t end_of(const struct lxfw_route_offer *offer)
{
	return offer->wait > INT64_MAX - offer->run ? INT64_MAX : offer->wait + offer->run;
}

static bool earliest_end(const struct lxfw_route_offer *a, const struct lxfw_route_offer *b)
{
	return end_of(a) != end_of(b) ? end_of(a) < end_of(b) : earliest(a, b);
}

static bool best_fit(const struct lxfw_route_offer *a, const struct lxfw_route_offer *b)
{
	if ((a->wait <= 0) != (b->wait <= 0))
		return a->wait <= 0;
	return a->wait <= 0 ? a->free < b->free : better_to_wait(a, b);
}

static bool most_free(const struct lxfw_route_offer *a, const struct lxfw_route_offer *b)
{
	if ((a->wait <= 0) != (b->wait <= 0))
		return a->wait <= 0;
	return a->wait <= 0 ? a->free > b->free : better_to_wait(a, b);
}

/* The first one is the default. */
static const struct lxfw_route_rule rules[] = {
	{ "earliest_end", earliest_end },
	{ "earliest", earliest },
	{ "best_fit", best_fit },
	{ "most_free", most_free },
	{ "least_work", better_to_wait },
};

#define RULES (sizeof(rules) / sizeof(*rules))

const struct lxfw_route_rule *lxfw_route_rule_find(const char *name)
{
	for (size_t i = 0; i < RULES; i++) {
		if (strcmp(rules[i].name, name) == 0)
			return &rules[i];
	}
	return NULL;
}

const char *lxfw_route_rule_name(int number)
{
	return number >= 0 && (size_t)number < RULES ? rules[number].name : NULL;
}

int lxfw_route_best(const struct lxfw_route_rule *rule, const struct lxfw_route_offer *offers,
		    int count)
{
	int best = -1;

	for (int i = 0; i < count; i++) {
		if (offers[i].usable && (best < 0 || rule->better(&offers[i], &offers[best])))
			best = i;
	}
	return best;
}

int64_t lxfw_route_gain(const struct lxfw_route_offer *here,
			const struct lxfw_route_offer *offer)
{
	return end_of(here) - end_of(offer);
}
