/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The placement rules, which choose among the hosts on which a job fits: the values of
 * lxfw_placement, each with a line of help. place/rule.h has the functions. A plugin accepts
 * the first LXFW_PLACEMENTS_LIVE of them; the others exist for comparison.
 */
#ifndef LXFW_PARAMS_PLACEMENT_H
#define LXFW_PARAMS_PLACEMENT_H

#define LXFW_PLACEMENTS(FIRST, RULE) \
	FIRST(paper, "the fullest host that fits") \
	RULE(gpus, "the fewest free GPUs; for jobs without GPUs, hosts\n" \
		   "                           without GPUs first; then paper (default)") \
	RULE(stock, "as Slurm's select/cons_tres") \
	RULE(worst, "the emptiest host that fits")
#define LXFW_PLACEMENTS_LIVE 2

/* In the order of the list. */
enum lxfw_placement {
	LXFW_PLACEMENT_PAPER,
	LXFW_PLACEMENT_GPUS,
	LXFW_PLACEMENT_STOCK,
	LXFW_PLACEMENT_WORST,
};

/* String constants: "paper|gpus|...", and for --help one line for each rule. */
#define LXFW_PLACEMENT_FIRST(name, help) #name
#define LXFW_PLACEMENT_NAME(name, help) "|" #name
#define LXFW_PLACEMENT_LINE(name, help) \
	"                           " #name "  " help "\n"
#define LXFW_PLACEMENT_NAMES \
	LXFW_PLACEMENTS(LXFW_PLACEMENT_FIRST, LXFW_PLACEMENT_NAME)
#define LXFW_PLACEMENT_HELP \
	LXFW_PLACEMENTS(LXFW_PLACEMENT_LINE, LXFW_PLACEMENT_LINE)

#endif
