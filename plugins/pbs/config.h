/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parameters of lxfw-pbsd: a file with one KEY=VALUE per line, and options -o. */
#ifndef LXFW_PBS_CONFIG_H
#define LXFW_PBS_CONFIG_H

#include <stdbool.h>

#include "common/util/error.h"
#include "plugins/pbs/wlm.h"

/* Returns the items of FILE, and then those of ITEMS, separated by commas; the caller frees
   the text. FILE or ITEMS may be NULL. Empty lines and lines that begin with # are ignored.
   Returns NULL with *WHY set: "FILE:LINE: ...". */
char *lxfw_pbs_config_read(const char *file, const char *items, struct lxfw_error *why);

/* Applies the parameters in TEXT. Returns false with *WHY set, and nothing changed, if they
   are invalid or this daemon cannot carry them out. */
bool lxfw_pbs_config_use(struct lxfw_pbs *pbs, const char *text, struct lxfw_error *why);

/* Adds the line of FILE to an error of lxfw_pbs_config_use() that begins with a key. */
void lxfw_pbs_config_locate(const char *file, struct lxfw_error *why);

#endif
