/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement rules, which choose among the hosts on which a job fits. Each rule has an
 * entry with a line of help in the list below, and a file in this folder that defines
 * lxfw_placement_NAME. The option --placement, its help and its completion are made from
 * the list.
 *
 * The first rule is the paper's and the default. The others exist for comparison. They
 * are not parameters, and a journal does not record them.
 */
#ifndef LXFW_PLACE_RULE_H
#define LXFW_PLACE_RULE_H

#include <stdint.h>

struct lxfw_placing;

#define LXFW_PLACEMENTS(DEFAULT, RULE) \
	DEFAULT(paper, "the fullest host that fits (default)") \
	RULE(stock, "as Slurm's select/cons_tres") \
	RULE(worst, "the emptiest host that fits")

/* String constants: "paper|stock|...", and for --help one line for each rule. */
#define LXFW_PLACEMENT_FIRST(name, help) #name
#define LXFW_PLACEMENT_NAME(name, help) "|" #name
#define LXFW_PLACEMENT_LINE(name, help) \
	"                           " #name "  " help "\n"
#define LXFW_PLACEMENT_NAMES \
	LXFW_PLACEMENTS(LXFW_PLACEMENT_FIRST, LXFW_PLACEMENT_NAME)
#define LXFW_PLACEMENT_HELP \
	LXFW_PLACEMENTS(LXFW_PLACEMENT_LINE, LXFW_PLACEMENT_LINE)

struct lxfw_placement_rule {
	/* Choose hosts for placing->request with lxfw_placing_add(), each host once and
	   in any order. Returns the number of shares, which is placing->found, or 0 if
	   the request does not fit under this rule. */
	int32_t (*choose)(struct lxfw_placing *placing);
	/* The same for kinds of hosts (placing->by_kind), if the request has no fewest
	   number of hosts. The hosts chosen are the same. NULL: there is none. */
	int32_t (*choose_kinds)(struct lxfw_placing *placing);
};

/* All rules, in the order of the list. */
extern const struct lxfw_placement_rule *const lxfw_placement_rules[];

#define LXFW_PLACEMENT_DECLARE(name, help) \
	extern const struct lxfw_placement_rule lxfw_placement_##name;
LXFW_PLACEMENTS(LXFW_PLACEMENT_DECLARE, LXFW_PLACEMENT_DECLARE)
#undef LXFW_PLACEMENT_DECLARE

#endif
