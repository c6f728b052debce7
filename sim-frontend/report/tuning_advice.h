/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an administrator does to use the recommended setting, and how to go back. */
#ifndef LXFW_REPORT_TUNING_ADVICE_H
#define LXFW_REPORT_TUNING_ADVICE_H

#include <stdbool.h>
#include <stdio.h>

#include "sim-frontend/util/output.h"

enum lxfw_advice_site {
	LXFW_ADVICE_SLURM,	/* no slurm.conf is known: Slurm, with any scheduler */
	LXFW_ADVICE_CONF,	/* of the slurm.conf PATH */
	LXFW_ADVICE_PBS,
};

/* All texts are freed by lxfw_tuning_advice_clear(). */
struct lxfw_tuning_advice {
	enum lxfw_advice_site site;
	const char *path;
	char *lines;	/* SLURM: of slurm.conf; PBS: of lxfw-pbsd's file */
	char *diff;	/* CONF: the changed lines as a unified diff, "" if none changes */
	char *restarts;	/* CONF: the first key that needs a restart of slurmctld, or NULL:
			   'scontrol reconfigure' is sufficient */
	bool selects;	/* CONF: SelectType changes, and jobs that run may be lost */
	bool runs;	/* CONF: its scheduler is sched/lxfw */
	bool shadow;	/* the setting has lxfw_shadow=on: it starts no jobs */
	bool impossible;	/* CONF: check-conf would change the setting itself */
};

void lxfw_tuning_advice_clear(struct lxfw_tuning_advice *advice);

void lxfw_tuning_advice_print(const struct lxfw_tuning_advice *advice, FILE *out);
void lxfw_tuning_advice_page(const struct lxfw_tuning_advice *advice,
			     struct lxfw_output *output);

#endif
