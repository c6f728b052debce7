/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `scontrol --oneliner show job` shows of a job on one cluster and of its copy on another. */
#ifndef LXFW_ROUTE_SHOWN_H
#define LXFW_ROUTE_SHOWN_H

/* Compares the requests in both texts. Returns the first field that differs, as scontrol
   names it, with "=": the old job was changed after its submission. NULL: they are the same. */
const char *lxfw_route_shown_difference(const char *old, const char *copy);

#endif
