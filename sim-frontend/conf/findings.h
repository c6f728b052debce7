/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the checks of a slurm.conf find, and how they say it. */
#ifndef LXFW_CONF_FINDINGS_H
#define LXFW_CONF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/params/params.h"
#include "sim-frontend/conf/conf.h"

struct lxfw_finding {
	const char *name;	/* "main-scheduler" */
	size_t number;		/* in the order of the checks */
	bool broken;		/* does not work, else surprises */
	char *path;		/* the line that it is about; */
	long line;		/* 0 = a line that is not there */
	char *text;		/* what happens */
	char *mend;		/* a line of slurm.conf, or of what `text` names */
};

struct lxfw_findings {
	struct lxfw_finding *items;
	size_t count, size;
	bool failed;		/* no memory for one: lxfw_check() tells */
};

void lxfw_findings_clear(struct lxfw_findings *findings);

struct lxfw_check_options {
	const char *path;	/* of the slurm.conf */
	bool no_files;		/* do not look at this machine's other files */
	const char *plugin_dir;	/* in front of PluginDir; NULL = none */
};

/* --- for the checks ------------------------------------------------------------- */

struct lxfw_checking {
	const struct lxfw_conf *conf;
	const struct lxfw_check_options *options;
	struct lxfw_findings *findings;
	const struct lxfw_params *params;	/* as the plugin would have them */
};

/* A finding about SETTING, NULL for one that is not there. */
struct lxfw_finding *lxfw_found(struct lxfw_checking *check, const char *name,
				bool broken,
				const struct lxfw_conf_setting *setting);

/* Fill `text` and `mend`, either NULL to leave it. */
void lxfw_found_text(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lxfw_found_mend(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
