/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The OpenPBS that runs, for `lxfw watch`, and for commands without a journal (now.h).
 * lxfw-pbsd(8) asks it, with --watch: a program of its own, since libpbs has another license and is
 * not on every machine.
 */
#ifndef LXFW_CMD_NOW_PBS_H
#define LXFW_CMD_NOW_PBS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/cmd/now.h"

/* Whether to ask PBS: OF says that, or there is a pbs.conf (PBS_CONF_FILE, or /etc/pbs.conf) and
   no scontrol in PATH. */
bool lxfw_now_is_pbs(enum lxfw_now_of of);

/* Looks once, and writes the journal PATH. Prints what lxfw-pbsd says. Returns 0, or -1 with errno
   and ERROR set. */
int lxfw_now_pbs_look(const char *path, struct lxfw_error *error);

struct lxfw_now_pbs_watch {
	const char *journal, *params;	/* params NULL: the usual ones */
	int64_t interval;		/* seconds */
	bool once;
};

/* This process becomes lxfw-pbsd. Returns, with errno and ERROR set, only if that fails. */
void lxfw_now_pbs_watch(const struct lxfw_now_pbs_watch *watch, struct lxfw_error *error);

#endif
