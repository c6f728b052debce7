/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data base of run times in the subcommands: --estimates history[:FILE], --history FILE,
   --machine NAME. */
#ifndef LXFW_CMD_HISTORY_H
#define LXFW_CMD_HISTORY_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/history/learned.h"

/* {0}: not given. */
struct lxfw_cmd_history {
	bool estimates;		/* run times are to be estimated */
	const char *path;	/* NULL: no data base */
	const char *machine;	/* NULL: the only one of the data base */
};

/* Parses --estimates. Returns 1 if TEXT is history or history:FILE, 0 if not, or -1 after a
   message. */
int lxfw_cmd_history_estimates(const struct lxfw_command *command, const char *text,
			       struct lxfw_cmd_history *history);

/* Checks the name of a machine. Returns 0, or -1 after a message. */
int lxfw_cmd_history_name(const struct lxfw_command *command, const char *name);

/* Reads the data base into RANS, which is empty. Returns 0, or -1 after a message, RANS
   empty. */
int lxfw_cmd_history_read(const struct lxfw_cmd_history *history, struct lxfw_rans *rans);

/* Returns the index of the machine that is meant, or -1 after a message. */
int32_t lxfw_cmd_history_machine(const struct lxfw_cmd_history *history,
				 const struct lxfw_rans *rans);

/* Reads what the estimates of a simulation of TRACE, which has owners, need. PATH is that of
   the trace, for notes. Returns 0, or -1 after a message, *LEARNED empty. */
int lxfw_cmd_history_learn(const struct lxfw_cmd_history *history,
			   const struct lxfw_trace *trace, const char *path,
			   struct lxfw_learned *learned);

/* Notes how many jobs were learned beforehand, and how many have no requested time. */
void lxfw_cmd_history_note(const struct lxfw_cmd_history *history, const char *path,
			   const struct lxfw_rans *rans, const struct lxfw_learned *learned);

#endif
