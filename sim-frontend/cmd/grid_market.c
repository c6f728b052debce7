/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/grid_market.h"

#include <getopt.h>
#include <string.h>

#define SECONDS_MOST 1000000000

static const char *name_of(int option)
{
	static const struct option options[] = { LXFW_CMD_MARKET_OPTIONS };

	return options[option - LXFW_CMD_MARKET_FIRST].name;
}

/* Where an option is kept that is a text; NULL: it is none. */
static const char **text_of(int option, struct lxfw_grid_market_options *options)
{
	return option == LXFW_CMD_MARKET_MACHINE ? &options->machine :
	       option == LXFW_CMD_MARKET_UTILITY ? &options->utility :
	       option == LXFW_CMD_MARKET_BUDGET ? &options->budget :
	       option == LXFW_CMD_MARKET_ASK ? &options->ask : NULL;
}

static int take_number(const struct lxfw_command *command, int option,
		       struct lxfw_grid_market_options *options)
{
	int64_t *to = option == LXFW_CMD_MARKET_HOPS ? &options->hops :
		      option == LXFW_CMD_MARKET_LIVE ? &options->live :
		      option == LXFW_CMD_MARKET_RESERVE ? &options->reserved :
		      option == LXFW_CMD_MARKET_OFFERS ? &options->offers :
		      option == LXFW_CMD_MARKET_COMBINATIONS ? &options->combinations :
							       &options->starts;
	bool limit = option >= LXFW_CMD_MARKET_OFFERS;

	return lxfw_cmd_integer(command, name_of(option), optarg, limit ? 1 : 0,
				limit || option == LXFW_CMD_MARKET_HOPS ? 1000000 :
				SECONDS_MOST, to);
}

int lxfw_cmd_market_option(const struct lxfw_command *command, int option,
			   struct lxfw_cmd_market *to)
{
	const char **text = text_of(option, &to->options);
	int choice;

	to->given = name_of(option);
	if (text) {
		*text = optarg;
		return 0;
	}
	if (option == LXFW_CMD_MARKET_RESCHEDULE) {
		to->options.reschedules = true;
		return 0;
	}
	if (option != LXFW_CMD_MARKET_SEVERAL)
		return take_number(command, option, &to->options);
	choice = lxfw_cmd_choice(command, "several", optarg, "never|wide|always");
	to->options.split = choice == 0 ? LXFW_MARKET_SPLIT_NEVER :
			    choice == 1 ? LXFW_MARKET_SPLIT_WIDE : LXFW_MARKET_SPLIT_ALWAYS;
	return choice < 0 ? -1 : 0;
}

void lxfw_cmd_market_note(const struct lxfw_market_counts *counts, const char *path)
{
	lxfw_cmd_note("%s: market: %zu requests, %zu messages (%zu refused), %zu offers (%zu "
		      "expired), %zu requests repeated, %zu allocations moved, %zu late; mean "
		      "price %.1f", path, counts->requests, counts->messages,
		      counts->refused, counts->offers, counts->expired, counts->repeated,
		      counts->moved, counts->late,
		      counts->requests ? counts->price / (double)counts->requests : 0);
}
