/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the broker `market` of lxfw grid. */
#ifndef LXFW_CMD_GRID_MARKET_H
#define LXFW_CMD_GRID_MARKET_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/grid/market.h"

struct lxfw_cmd_market {
	struct lxfw_grid_market_options options;
	const char *given;	/* one of the options; NULL: none */
};

#define LXFW_CMD_MARKET_USUAL { .options = LXFW_GRID_MARKET_USUAL }

enum {
	LXFW_CMD_MARKET_FIRST = LXFW_OPTION_FIRST + 100,
	LXFW_CMD_MARKET_MACHINE = LXFW_CMD_MARKET_FIRST, LXFW_CMD_MARKET_UTILITY,
	LXFW_CMD_MARKET_BUDGET, LXFW_CMD_MARKET_ASK, LXFW_CMD_MARKET_HOPS,
	LXFW_CMD_MARKET_LIVE, LXFW_CMD_MARKET_RESERVE, LXFW_CMD_MARKET_SEVERAL,
	LXFW_CMD_MARKET_RESCHEDULE, LXFW_CMD_MARKET_OFFERS, LXFW_CMD_MARKET_COMBINATIONS,
	LXFW_CMD_MARKET_STARTS,
};

/* Rows of a table of options. */
#define LXFW_CMD_MARKET_OPTIONS \
	{ "machine", required_argument, NULL, LXFW_CMD_MARKET_MACHINE }, \
	{ "utility", required_argument, NULL, LXFW_CMD_MARKET_UTILITY }, \
	{ "budget", required_argument, NULL, LXFW_CMD_MARKET_BUDGET }, \
	{ "ask", required_argument, NULL, LXFW_CMD_MARKET_ASK }, \
	{ "hops", required_argument, NULL, LXFW_CMD_MARKET_HOPS }, \
	{ "live", required_argument, NULL, LXFW_CMD_MARKET_LIVE }, \
	{ "reserve", required_argument, NULL, LXFW_CMD_MARKET_RESERVE }, \
	{ "several", required_argument, NULL, LXFW_CMD_MARKET_SEVERAL }, \
	{ "reschedule", no_argument, NULL, LXFW_CMD_MARKET_RESCHEDULE }, \
	{ "offers", required_argument, NULL, LXFW_CMD_MARKET_OFFERS }, \
	{ "combinations", required_argument, NULL, LXFW_CMD_MARKET_COMBINATIONS }, \
	{ "starts", required_argument, NULL, LXFW_CMD_MARKET_STARTS }

/* Takes one of these options. Returns 0, or -1 after a message. */
int lxfw_cmd_market_option(const struct lxfw_command *command, int option,
			   struct lxfw_cmd_market *to);

/* Prints what the market has done to stderr. PATH is that of the log. */
void lxfw_cmd_market_note(const struct lxfw_market_counts *counts, const char *path);

#endif
