/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places at which a cluster answers: HOST:PORT, [IPV6]:PORT or a socket /PATH. */
#ifndef LXFW_ROUTE_ADDRESS_H
#define LXFW_ROUTE_ADDRESS_H

#include <stdbool.h>

#include "common/util/error.h"

/*
 * Opens a socket at AT that listens, or is connected; the latter does not block, and is
 * connected when it can be written. A host name may take the time of a look-up. Returns a
 * descriptor, or -1 with errno and ERROR set.
 */
int lxfw_route_open(const char *at, bool listens, struct lxfw_error *error);

#endif
