/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a slurm.conf keeps lxfw's plugins from working, or makes them surprising,
 * each with the line that mends it. sched_lxfw(8) tells why.
 */
#ifndef LXFW_CONF_CHECK_H
#define LXFW_CONF_CHECK_H

#include <stdbool.h>
#include <stddef.h>

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

struct lxfw_check_options {
	const char *path;	/* of the slurm.conf */
	bool no_files;		/* do not look at this machine's other files */
	const char *plugin_dir;	/* in front of PluginDir; NULL = none */
};

/* 0, or -1 with errno ENOMEM. *FINDINGS is to be cleared in any case. */
int lxfw_check(const struct lxfw_conf *conf,
	       const struct lxfw_check_options *options,
	       struct lxfw_findings *findings);

void lxfw_findings_clear(struct lxfw_findings *findings);

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

/* SchedulerParameters; fills *PARAMS as the plugin would have them. */
struct lxfw_params;
void lxfw_check_parameters(struct lxfw_checking *check,
			   struct lxfw_params *params);
void lxfw_check_resources(struct lxfw_checking *check);
void lxfw_check_partitions(struct lxfw_checking *check);
void lxfw_check_files(struct lxfw_checking *check);

#endif
