/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of the checks of a slurm.conf or of a site of OpenPBS. */
#ifndef LXFW_CONF_FINDINGS_H
#define LXFW_CONF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/params/params.h"
#include "sim-frontend/conf/conf.h"

/* In the order in which findings are printed. */
enum lxfw_finding_level {
	LXFW_FINDING_BROKEN,		/* does not work */
	LXFW_FINDING_UNEXPECTED,	/* works, with effects that are not intended */
	LXFW_FINDING_NOTE,		/* works; what differs from sched/backfill */
};

struct lxfw_finding {
	const char *name;	/* "main-scheduler" */
	size_t number;		/* position in the order of the checks */
	enum lxfw_finding_level level;
	char *path;		/* the file and line of the setting */
	long line;		/* 0: the setting is absent */
	char *text;		/* the consequence */
	char *mend;		/* a corrected line of slurm.conf, or of the file that
				   `text` names; NULL for a note */
};

struct lxfw_findings {
	struct lxfw_finding *items;
	size_t count, size;
	bool failed;		/* memory ran out for a finding; lxfw_check() reports
				   it */
};

/* Returns the number of findings that are not notes. */
size_t lxfw_findings_faults(const struct lxfw_findings *findings);

/* Sorts by level, then file and line. */
void lxfw_findings_sort(struct lxfw_findings *findings);

void lxfw_findings_clear(struct lxfw_findings *findings);

struct lxfw_check_options {
	const char *path;	/* of slurm.conf */
	bool no_files;		/* ignore other files of this machine */
	const char *plugin_dir;	/* searched before PluginDir; NULL: none */
};

/* --- for the checks ------------------------------------------------------------- */

struct lxfw_checking {
	const struct lxfw_conf *conf;
	const struct lxfw_check_options *options;
	struct lxfw_findings *findings;
	const struct lxfw_params *params;	/* the plugin's parameters */
};

/* Adds a finding about SETTING, which is NULL if the setting is absent. */
struct lxfw_finding *lxfw_found(struct lxfw_checking *check, const char *name,
				bool broken,
				const struct lxfw_conf_setting *setting);

/* Adds a note about SETTING, with its text. */
void lxfw_noted(struct lxfw_checking *check, const char *name,
		const struct lxfw_conf_setting *setting, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Format `text` and `mend`. Does nothing if FINDING is NULL. */
void lxfw_found_text(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lxfw_found_mend(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
