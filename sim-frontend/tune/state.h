/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has been tried, in an SQLite file, so that a search that was interrupted goes on
 * where it was: each setting's line with the values of the goals. The search itself is
 * not in it: it asks for the same settings again and finds their values here.
 *
 * A file is of one trace, machine, set of weeks and goals: what it is of is in it, in
 * words, and another is refused.
 */
#ifndef LXFW_TUNE_STATE_H
#define LXFW_TUNE_STATE_H

#include "sim-frontend/tune/trial.h"

struct lxfw_tune_state;

/* What the values depend on, in so many words; by position. */
#define LXFW_TUNE_ABOUT 5
struct lxfw_tune_about {
	char texts[LXFW_TUNE_ABOUT][1024];
};

void lxfw_tune_about(const struct lxfw_trials *trials,
		     struct lxfw_tune_about *about);
/* "trace", "machine", ... */
const char *lxfw_tune_about_name(int i);

/*
 * Open the state PATH, which is made where there is none, of settings with so many
 * values each. NULL with errno and ERROR
 * set: EINVAL where it is of something else, damaged or no such file at all, EBUSY
 * where another process has it, ENOTSUP where the command was built without SQLite.
 */
struct lxfw_tune_state *lxfw_tune_state_open(const char *path,
					     const struct lxfw_tune_about *about,
					     size_t numbers,
					     struct lxfw_error *error);

/* Values of a setting tried before: whether there are any. */
bool lxfw_tune_state_find(const struct lxfw_tune_state *state, const char *line,
			  double *values);

/* Note a setting; written to the disk a second later at most if calls go on, or by
   _flush. 0, or -1 with errno and ERROR set. */
int lxfw_tune_state_keep(struct lxfw_tune_state *state, const char *line,
			 const double *values, struct lxfw_error *error);
int lxfw_tune_state_flush(struct lxfw_tune_state *state,
			  struct lxfw_error *error);

/* STATE may be NULL. What was not flushed is gone. */
void lxfw_tune_state_close(struct lxfw_tune_state *state);

#endif
