/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of the checks of a slurm.conf or of a site of OpenPBS. */
#ifndef LXFW_CONF_FINDINGS_H
#define LXFW_CONF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/params/params.h"
#include "sim-frontend/conf/conf.h"
#include "sim-frontend/trace/cluster.h"

/* In the order in which findings are printed. */
enum lxfw_finding_level {
	LXFW_FINDING_STOPS,		/* the controller does not start, or runs no jobs */
	LXFW_FINDING_BROKEN,		/* does not work */
	LXFW_FINDING_UNEXPECTED,	/* works, with effects that are not intended */
	LXFW_FINDING_NOTE,		/* works; what differs from sched/backfill */
};

/* A change of a slurm.conf, see trace/slurm_files.h. */
struct lxfw_edit {
	char *path;
	long line;		/* 0: KEY=VALUE is added to the slurm.conf */
	char *key;
	char *value;		/* NULL: KEY is removed */
	bool all;		/* each KEY of the line is removed, not the first */
	bool whole;		/* the line is made a comment */
	bool mark;		/* the mark at the beginning of the file is removed */
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
	struct lxfw_edit *edits;	/* changes that correct it, together; none: it is
					   not corrected in the file */
	size_t edit_count, edit_size;
};

struct lxfw_findings {
	struct lxfw_finding *items;
	size_t count, size;
	bool failed;		/* memory ran out for a finding; lxfw_check() reports
				   it */
	int rounds;		/* of corrections, by lxfw_conf_correct() */
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
	bool try;		/* start slurmctld, see trial.h */
	uint32_t release;	/* SLURM_VERSION_NUMBER; 0: that of the installed Slurm */
};

/* --- for the checks ------------------------------------------------------------- */

struct lxfw_checking {
	struct lxfw_conf *conf;
	const struct lxfw_check_options *options;
	struct lxfw_findings *findings;
	const struct lxfw_params *params;	/* the plugin's parameters */
	const struct lxfw_cluster *cluster;	/* the nodes; none if they cannot be read */
	uint32_t release;			/* SLURM_VERSION_NUMBER; 0: not known */
};

/* The level of a finding by which the plugins work or do not. */
static inline enum lxfw_finding_level lxfw_finding_broken(bool broken)
{
	return broken ? LXFW_FINDING_BROKEN : LXFW_FINDING_UNEXPECTED;
}

/* Adds a finding about SETTING, which is NULL if the setting is absent. */
struct lxfw_finding *lxfw_found_level(struct lxfw_checking *check, const char *name,
				      enum lxfw_finding_level level,
				      const struct lxfw_conf_setting *setting);
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


/* Add a change to FINDING, which may be NULL, and set `mend` if it is not set. SETTING is the
   one whose value becomes VALUE or which is removed; NULL: KEY=VALUE is added. */
void lxfw_found_set(struct lxfw_checking *check, struct lxfw_finding *finding,
		    const struct lxfw_conf_setting *setting, const char *key,
		    const char *value);
void lxfw_found_drop(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const struct lxfw_conf_setting *setting);
/* Removes each of its key on its line, outside of records. */
void lxfw_found_drop_all(struct lxfw_checking *check, struct lxfw_finding *finding,
			 const struct lxfw_conf_setting *setting);
/* The same for KEY on the line of a node or partition. VALUE NULL: each is
   removed. */
void lxfw_found_record(struct lxfw_checking *check, struct lxfw_finding *finding,
		       size_t record, const char *key, const char *value);

/* Makes the whole line of SETTING a comment. */
void lxfw_found_comment(struct lxfw_checking *check, struct lxfw_finding *finding,
			const struct lxfw_conf_setting *setting);
/* Removes the mark at the beginning of the file of SETTING. */
void lxfw_found_unmark(struct lxfw_checking *check, struct lxfw_finding *finding,
		       const struct lxfw_conf_setting *setting);

/* Moves the finding AT of FROM to the end of TO. Returns 0, or -1 with errno ENOMEM. */
int lxfw_findings_move(struct lxfw_findings *to, struct lxfw_findings *from, size_t at);

#endif
