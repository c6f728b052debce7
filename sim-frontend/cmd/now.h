/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of the Slurm or PBS that runs, for commands without one: that of the plugin, if its
 * configuration names one, otherwise one of a look at the controller (lxfw-watch(1)), in a
 * temporary folder that is removed when the process ends. If the user may not read that of the
 * plugin there is none: a look does not know the order of its policy. PBS: now_pbs.h.
 */
#ifndef LXFW_CMD_NOW_H
#define LXFW_CMD_NOW_H

#include "common/util/error.h"
#include "sim-frontend/predict/owners.h"
#include "sim-frontend/predict/skipped.h"
#include "sim-frontend/publish/listed.h"
#include "sim-frontend/watch/watch.h"

/* What to ask. */
enum lxfw_now_of {
	LXFW_NOW_ANY,	/* what runs on this machine */
	LXFW_NOW_SLURM,
	LXFW_NOW_PBS,
};

/* Before the look: jobs might be submitted to such hosts (lxfw_watch_want()). */
void lxfw_now_want(const struct lxfw_watch_wanted *hosts);

/* Their index in the partitions of the look, or -1. */
int lxfw_now_wanted(const struct lxfw_watch_wanted *hosts);

/* Returns the path, which is valid until the process ends; NULL with ERROR set. At most once. */
const char *lxfw_now_journal(enum lxfw_now_of of, struct lxfw_error *error);

/*
 * The same from the last look of the service that publishes (now_site.h), with a note of its age. NAMES are
 * jobs that its queue must show, unless the queue is older than the look since no watch runs. OUTDATED:
 * whatever its age is, and without regard to NAMES. Returns NULL if there is none.
 */
const char *lxfw_now_published(char *const *names, int count, bool outdated);

/* "Slurm" or "PBS" after such a look; NULL if there was none. */
const char *lxfw_now_name(void);

/* The partitions of that look, valid until the process ends; none if there was no look. */
const struct lxfw_watch_partition *lxfw_now_partitions(size_t *count);

/* The kinds of GRES of that look, likewise. */
const struct lxfw_watch_gres *lxfw_now_gres(size_t *count);

/* Why a job waits, as Slurm says it in a look of this process, valid until it ends; NULL: not known. */
const char *lxfw_now_said(uint64_t job);

/* The start that Slurm plans for a job in a look of this process, in seconds; 0: none; -1: not known. */
int64_t lxfw_now_planned(uint64_t job);

/* Whether Slurm does not show the jobs of others to who has looked. */
bool lxfw_now_hides_jobs(void);

/* The owners of the jobs of that look, valid until the process ends; NULL if there was none. */
const struct lxfw_owners *lxfw_now_owners(void);

/* The same also if the look is that of the site: the users of its jobs may be "". */
const struct lxfw_owners *lxfw_now_shown_owners(void);

/* The same jobs with partitions and users, as the site publishes them; NULL if the look is not that of the site. */
const struct lxfw_listed *lxfw_now_listed(void);

/* What the configuration of Slurm says of that, in this process or in what the site publishes. */
const struct lxfw_scheduling *lxfw_now_scheduling(void);

/* Asks it, without a look. Returns 0, or -1 with ERROR. */
int lxfw_now_ask_scheduling(struct lxfw_error *error);

#endif
