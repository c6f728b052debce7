/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The placement rules: which of the hosts that fit a job gets. Each has a line in the
 * list below, with its line of help, and defines lxfw_placement_NAME in a file of this
 * folder. The option --placement with its help and completion follow from the list.
 *
 * The first is the paper's, which is in force unless another is asked for. The others
 * are there to be compared with it: they are no parameters, and no journal names them.
 */
#ifndef LXFW_PLACE_RULE_H
#define LXFW_PLACE_RULE_H

#include <stdint.h>

struct lxfw_placing;

#define LXFW_PLACEMENTS(DEFAULT, RULE) \
	DEFAULT(paper, "the fullest host that fits (default)") \
	RULE(stock, "as Slurm's select/cons_tres") \
	RULE(worst, "the emptiest host that fits")

/* String constants: "paper|stock|..." and, for --help, a line for each. */
#define LXFW_PLACEMENT_FIRST(name, help) #name
#define LXFW_PLACEMENT_NAME(name, help) "|" #name
#define LXFW_PLACEMENT_LINE(name, help) \
	"                           " #name "  " help "\n"
#define LXFW_PLACEMENT_NAMES \
	LXFW_PLACEMENTS(LXFW_PLACEMENT_FIRST, LXFW_PLACEMENT_NAME)
#define LXFW_PLACEMENT_HELP \
	LXFW_PLACEMENTS(LXFW_PLACEMENT_LINE, LXFW_PLACEMENT_LINE)

struct lxfw_placement_rule {
	/* Choose hosts for placing->request with lxfw_placing_add(), each once and in any
	   order. Returns the number of shares, which is placing->found, or 0 where the
	   request does not fit by this rule. */
	int32_t (*choose)(struct lxfw_placing *placing);
};

/* In the order of the list. */
extern const struct lxfw_placement_rule *const lxfw_placement_rules[];

#define LXFW_PLACEMENT_DECLARE(name, help) \
	extern const struct lxfw_placement_rule lxfw_placement_##name;
LXFW_PLACEMENTS(LXFW_PLACEMENT_DECLARE, LXFW_PLACEMENT_DECLARE)
#undef LXFW_PLACEMENT_DECLARE

#endif
