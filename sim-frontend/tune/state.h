/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of settings in an SQLite file, so that an interrupted search can be continued:
 * the line of each setting with the values of the goals. The state of the search is not
 * stored. The search generates the same settings again and finds their values here.
 *
 * A file belongs to one trace, machine, set of blocks and goals. It states them as text,
 * and a file with different ones is rejected.
 */
#ifndef LXFW_TUNE_STATE_H
#define LXFW_TUNE_STATE_H

#include "sim-frontend/tune/trial.h"

struct lxfw_tune_state;

/* Texts of the inputs on which the values depend, by position. */
#define LXFW_TUNE_ABOUT 5
struct lxfw_tune_about {
	char texts[LXFW_TUNE_ABOUT][1024];
};

void lxfw_tune_about(const struct lxfw_trials *trials,
		     struct lxfw_tune_about *about);
/* Returns "trace", "machine", ... */
const char *lxfw_tune_about_name(int i);

/*
 * Opens the state PATH, which is created if it does not exist, with NUMBERS values per
 * setting. Returns NULL with errno and ERROR set on failure: EINVAL if the file has
 * different inputs, is damaged or is not a state file, EBUSY if another process uses it,
 * ENOTSUP if the command was built without SQLite.
 */
struct lxfw_tune_state *lxfw_tune_state_open(const char *path,
					     const struct lxfw_tune_about *about,
					     size_t numbers,
					     struct lxfw_error *error);

/* Reads the values of a setting. Returns whether they exist. */
bool lxfw_tune_state_find(const struct lxfw_tune_state *state, const char *line,
			  double *values);

/* Stores a setting. It is written to disk by lxfw_tune_state_flush(), or by a later
   call after one second. Returns 0, or -1 with errno and ERROR set. */
int lxfw_tune_state_keep(struct lxfw_tune_state *state, const char *line,
			 const double *values, struct lxfw_error *error);
int lxfw_tune_state_flush(struct lxfw_tune_state *state,
			  struct lxfw_error *error);

/* STATE may be NULL. Discards settings that were not flushed. */
void lxfw_tune_state_close(struct lxfw_tune_state *state);

#endif
