/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a request at a site, for request.c. */
#ifndef LXFW_GRID_NWIRE_VALUES_H
#define LXFW_GRID_NWIRE_VALUES_H

#include "common/grid/market.h"
#include "sim-frontend/grid/nwire.h"

/* Where names are looked up. */
struct lxfw_nwire_scope {
	const struct lxfw_nwire *nwire;
	const char *path;
	const struct lxfw_nwire_object *request, *resource;	/* NULL: none */
	const struct lxfw_nwire_element *element;		/* of the request; NULL */
	double procs;		/* NumberOfProcessors of an allocation */
	double speed;		/* of the site */
	int depth;		/* private */
	struct lxfw_error *error;
};

/* Returns the value with this name: of the element, the request or the resource, or with
   RESOURCE_FIRST of the resource or the request. NULL: it is not defined. */
const struct lxfw_nwire_value *lxfw_nwire_find(const struct lxfw_nwire_scope *scope,
					       const char *name, bool resource_first);

/* Computes a value that is known before there are offers. Sets *FOUND to whether it is defined.
   Returns 0, or -1 with errno and the error set. */
int lxfw_nwire_number(struct lxfw_nwire_scope *scope, const char *name, double *number,
		      bool *found);

/* Reads the value as a formula of the market, in which the names of lxfw_market_values keep their
   meaning and all others are replaced by what they are. Returns NULL with errno and the error
   set. */
struct lxfw_formula *lxfw_nwire_formula(struct lxfw_nwire_scope *scope,
					const struct lxfw_nwire_value *value,
					enum lxfw_market_value count);

/* Whether a condition (-1: none) holds: 1, 0, or -1 with errno and the error set. A comparison
   with a name that is not defined, or that is a text and not a number, does not hold. */
int lxfw_nwire_holds(struct lxfw_nwire_scope *scope, int32_t condition);

#endif
