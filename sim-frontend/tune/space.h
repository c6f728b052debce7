/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is searched: keys of SchedulerParameters, each over a range or a list of
 * values. A setting is a point of the unit cube, a gene a key; its text is the line
 * that slurm.conf would have, and nothing but that text is ever simulated.
 */
#ifndef LXFW_TUNE_SPACE_H
#define LXFW_TUNE_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/params/policy.h"

#define LXFW_GENES_MAX 16

/* The most policies whose presets a search begins with. */
#define LXFW_TUNE_PRESETS_MAX 16

struct lxfw_tune_key {
	char name[32];		/* "lxfw_ww" */
	double low, high;	/* of a range: numbers of three digits, as many in
				   each order of magnitude; from 0, a third are 0
				   and the others within three orders below HIGH */
	char **values;		/* else one of these, alike often; of policies the
				   first most often */
	int value_count;
	bool given;		/* by the admin, not by the table of keys */
};

struct lxfw_tune_space {
	struct lxfw_tune_key keys[LXFW_GENES_MAX];
	int count;
	char *site;		/* the site's own line; what it has beyond the keys
				   searched stays */
	bool own_policies;	/* the admin named the policies */
};

/* Begin {0} with the keys that are searched unless told otherwise: policies, weights
   (those of memory where it is counted), reservations. SITE is a line without
   mistakes. 0, or -1 with errno ENOMEM. */
int lxfw_tune_space_begin(struct lxfw_tune_space *space, const char *site,
			  bool memory);

/*
 * "lxfw_ww=0.01..1,lxfw_quantum=0/60,lxfw_wp=0": search these keys over these
 * ranges (of weights) or lists. 0, or -1 with errno and ERROR set: unknown keys and
 * values that lxfw_params_parse() refuses are named, and what is given twice, by this
 * text or an earlier one.
 */
int lxfw_tune_space_vary(struct lxfw_tune_space *space, const char *text,
			 struct lxfw_error *error);

/* Search quanta of immediate service, too: how long they are, whether jobs are suspended
   for them and how often; what a site has that gives quanta is among the values. Before
   lxfw_tune_space_vary(). 0, or -1 with errno ENOMEM. */
int lxfw_tune_space_quantum(struct lxfw_tune_space *space);

/* Whether the key of that name is searched. */
bool lxfw_tune_space_has(const struct lxfw_tune_space *space, const char *name);

/* The line of the setting GENES, each 0 .. below 1; to be freed. NULL with errno
   ENOMEM. Genes without a meaning beside others leave no trace in it. */
char *lxfw_tune_space_line(const struct lxfw_tune_space *space,
			   const double *genes);

/* Lines of the presets, beside what the site has: sets LINES, to be freed one by
   one, and returns their number, at most LXFW_TUNE_PRESETS_MAX; -1 with errno ENOMEM. */
int lxfw_tune_space_presets(const struct lxfw_tune_space *space, char **lines);

/* The genes that come nearest to a line without mistakes. */
void lxfw_tune_space_genes(const struct lxfw_tune_space *space,
			   const char *line, double *genes);

void lxfw_tune_space_clear(struct lxfw_tune_space *space);

/*
 * As the plugin reads a line: the preset lxfw where it names no policy; but easy,
 * which is near to Slurm's own backfill, where it has none of our keys at all. *LINE
 * is set to it with the policy spelled out, to be freed. 0, or -1 with errno and
 * ERROR set.
 */
int lxfw_tune_site_line(const char *text, char **line, struct lxfw_error *error);

/* Read a line of lxfw_tune_space_line() or lxfw_tune_site_line(). 0, or -1 with errno
   and ERROR set. */
int lxfw_tune_read_line(const char *line, struct lxfw_params *params,
			struct lxfw_error *error);

#endif
