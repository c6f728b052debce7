/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has no effect: mostly names that are misspelled. */
#include <stdio.h>
#include <string.h>

#include "common/util/nearest.h"
#include "sim-frontend/grid/nwire.h"

struct search {
	const struct lxfw_nwire *nwire;
	const char *path;
	void (*report)(const char *text);
	struct lxfw_error *error;
};

/* The attributes of lxfw-grid-request(5). The last three of a request and the last one of a
   resource are in the thesis, and identify it; they have no effect. */
static const char *const of_requests[] = {
	"NumberOfProcessors", "RunTime", "StartTime", "EndTime", "UtilityValue", "JobBudget",
	"OfferBudget", "ReservationBudget", "Memory", "OperatingSystem", "Hops", "SearchTime",
	"ReservationTime", "MaxOfferNumber", "MinMulti-Site", "MaxMulti-Site",
	"OperatingSystemEqual", "RequestID", "UserName", NULL,
};
static const char *const of_resources[] = {
	"NumberOfProcessors", "Memory", "OperatingSystem", "StartTime", "EndTime", "Objective",
	"OfferCost", "ReservationCost", "ResourceID", NULL,
};

static void report(const struct search *search, const struct lxfw_nwire_place *place,
		   const char *what, const char *name, const char *expected)
{
	struct lxfw_error text;

	lxfw_nwire_error(search->path, place, &text, "%s '%.100s'%s", what, name, expected);
	search->report(text.text);
}

static bool is_in(const char *const *names, const char *name)
{
	while (*names && !lxfw_nwire_same(*names, name))
		names++;
	return *names;
}

/* Whether an expression or a condition has the name. */
static bool is_used(const struct search *search, const char *name)
{
	const struct lxfw_nwire *nwire = search->nwire;

	for (size_t i = 0; i < nwire->node_count; i++) {
		if (nwire->nodes[i].name && lxfw_nwire_same(nwire->nodes[i].name, name))
			return true;
	}
	return false;
}

static int check_values(const struct search *search, const char *const *attributes,
			size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++) {
		const struct lxfw_nwire_value *value = &search->nwire->values[i];
		const char *meant;

		if (is_in(attributes, value->name) || is_used(search, value->name))
			continue;
		meant = lxfw_nearest(value->name, strlen(value->name), attributes);
		if (meant)
			return lxfw_nwire_error(search->path, &value->place, search->error,
						"the value '%.100s' is unknown, expected %s?",
						value->name, meant);
		report(search, &value->place, "the value", value->name, " has no effect, "
			       "expected an attribute of lxfw-grid-request(5), or a name that an "
			       "expression or a condition has");
	}
	return 0;
}

static int check_object(const struct search *search, const struct lxfw_nwire_object *object)
{
	const struct lxfw_nwire *nwire = search->nwire;
	const char *const *attributes = object->type == LXFW_NWIRE_REQUEST ? of_requests :
									   of_resources;

	for (size_t i = 0; i < object->key_count; i++) {
		const struct lxfw_nwire_key *key = &nwire->keys[object->keys + i];

		if (check_values(search, attributes, key->values, key->value_count))
			return -1;
		for (size_t j = 0; j < key->element_count; j++) {
			const struct lxfw_nwire_element *element =
				&nwire->elements[key->elements + j];

			if (check_values(search, attributes, element->values,
					 element->value_count))
				return -1;
		}
	}
	return 0;
}

static bool is_defined(const struct lxfw_nwire *nwire, const char *name)
{
	for (size_t i = 0; i < nwire->value_count; i++) {
		if (lxfw_nwire_same(nwire->values[i].name, name))
			return true;
	}
	return lxfw_nwire_same(name, "NumberOfProcessors") || lxfw_nwire_same(name, "Speed");
}

int lxfw_nwire_unused(const struct lxfw_nwire *nwire, const char *path,
		      void (*take)(const char *text), struct lxfw_error *error)
{
	const struct search search = { nwire, path, take, error };

	for (size_t i = 0; i < nwire->object_count; i++) {
		if (nwire->objects[i].type != LXFW_NWIRE_OFFER &&
		    check_object(&search, &nwire->objects[i]))
			return -1;
	}
	for (size_t i = 0; i < nwire->node_count; i++) {
		const struct lxfw_nwire_node *node = &nwire->nodes[i];

		if (node->is >= LXFW_NWIRE_LESS && node->is <= LXFW_NWIRE_OTHER &&
		    !is_defined(nwire, node->name))
			report(&search, &node->place, "the comparison with", node->name, " never "
			       "holds, expected a name that a request or a resource of the file "
			       "gives a value");
	}
	return 0;
}
