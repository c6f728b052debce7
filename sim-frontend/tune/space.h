/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search space: keys of SchedulerParameters, and of priority/multifactor in slurm.conf
 * (tune/priorities.h), each with a range or a list of values. A
 * setting is a point of the unit cube with one gene per key. Its text is the line for
 * slurm.conf, and only that text is simulated.
 */
#ifndef LXFW_TUNE_SPACE_H
#define LXFW_TUNE_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/params/policy.h"
#include "sim-frontend/priority/site.h"

#define LXFW_GENES_MAX 24

/* Size of the text of a line; that of a site has at most half of it. */
#define LXFW_TUNE_LINE_SIZE 4096

/* Maximum number of policies whose presets begin a search. */
#define LXFW_TUNE_PRESETS_MAX 16

/* Maximum number of settings that are tried after a search. */
#define LXFW_TUNE_AFTER_MAX (4 * LXFW_TUNE_PRESETS_MAX)

struct lxfw_tune_key {
	char name[32];		/* "lxfw_ww" */
	double low, high;	/* of a range: numbers of three digits, distributed
				   evenly over orders of magnitude; in a range from 0,
				   a third are 0 and the others are within three orders
				   of magnitude below HIGH */
	char **values;		/* or one of these with equal probability; of policies,
				   the first is the most frequent */
	int value_count;
	bool given;		/* by the user, not by the table of keys */
};

struct lxfw_tune_space {
	struct lxfw_tune_key keys[LXFW_GENES_MAX];
	int count;
	char *site;		/* the current line of the site; its keys that are not
				   searched are kept */
	bool own_policies;	/* the user listed the policies */
	const struct lxfw_multifactor_site *priorities;	/* the site's; NULL: keys of
						   priority/multifactor are not searched */
};

/* Initializes SPACE with the default keys: policies, weights (those of memory if
   MEMORY), reservations, and if GPUS, the placement rule. SITE must be a valid line. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_tune_space_begin(struct lxfw_tune_space *space, const char *site,
			  bool memory, bool gpus);

/*
 * Parses "lxfw_ww=0.01..1,lxfw_quantum=0/60,lxfw_wp=0": search these keys in these ranges
 * (of weights) or lists. Returns 0, or -1 with errno and ERROR set for unknown keys,
 * values that lxfw_params_parse() rejects, and duplicates in this text or an earlier one.
 */
int lxfw_tune_space_vary(struct lxfw_tune_space *space, const char *text,
			 struct lxfw_error *error);

/* Adds the quanta of immediate service to the search: their length, whether jobs are
   suspended for them, and how often. The site's values are included if it uses quanta.
   Call before lxfw_tune_space_vary(). Returns 0, or -1 with errno ENOMEM. */
int lxfw_tune_space_quantum(struct lxfw_tune_space *space);

/* Adds policy site and the keys of priority/multifactor that have an effect at this site,
   which must live as long as SPACE. Call before lxfw_tune_space_vary(). Returns 0, or -1
   with errno ENOMEM. */
int lxfw_tune_space_priorities(struct lxfw_tune_space *space,
			       const struct lxfw_multifactor_site *priorities);

/* Returns whether the key NAME is searched. */
bool lxfw_tune_space_has(const struct lxfw_tune_space *space, const char *name);

/* Returns the line of the setting GENES, each from 0 to below 1, which the caller
   frees, or NULL with errno ENOMEM. Genes that have no effect together with others are
   omitted. */
char *lxfw_tune_space_line(const struct lxfw_tune_space *space,
			   const double *genes);

/* Returns the lines of the presets in LINES, each freed by the caller, and their
   number, at most LXFW_TUNE_PRESETS_MAX, or -1 with errno ENOMEM. The site's line is
   not included. */
int lxfw_tune_space_presets(const struct lxfw_tune_space *space, char **lines);

/* The same for the lines that are tried after the search: each preset with each value of a key
   that is only tried so (LXFW_SEARCH_PRESETS), unless the user varies the key, or the site has
   set it. */
int lxfw_tune_space_after(const struct lxfw_tune_space *space, char **lines);

/* Computes the genes closest to a valid line. */
void lxfw_tune_space_genes(const struct lxfw_tune_space *space,
			   const char *line, double *genes);

void lxfw_tune_space_clear(struct lxfw_tune_space *space);

/*
 * Interprets a line as the plugin does: the default policy is lxfw. However, a line
 * without any lxfw_* keys gets the policy OTHERWISE: easy or site. *LINE is the line with
 * the policy stated, freed by the caller. Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_tune_site_line(const char *text, const char *otherwise, char **line,
			struct lxfw_error *error);

/* Parses a line of lxfw_tune_space_line() or lxfw_tune_site_line(). Returns 0, or -1
   with errno and ERROR set. */
int lxfw_tune_read_line(const char *line, struct lxfw_params *params,
			struct lxfw_error *error);

#endif
