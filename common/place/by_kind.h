/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paper's placement rule for kinds of hosts. */
#ifndef LXFW_PLACE_BY_KIND_H
#define LXFW_PLACE_BY_KIND_H

#include <stdint.h>

struct lxfw_placing;

/* `choose_kinds` of the rule (rule.h). */
int32_t lxfw_choose_by_kind(struct lxfw_placing *placing);

#endif
