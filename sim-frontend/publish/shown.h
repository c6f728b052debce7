/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs as squeue(1) shows them to this user: one question to the controller, for what a site does not
 * publish.
 */
#ifndef LXFW_PUBLISH_SHOWN_H
#define LXFW_PUBLISH_SHOWN_H

#include "common/util/error.h"
#include "sim-frontend/publish/publication.h"

struct lxfw_shown_job {
	char name[LXFW_PUBLICATION_NAME];	/* "17", "17_3", "17_[4-9]", "15+1" */
	char user[LXFW_PUBLICATION_NAME], partition[LXFW_PUBLICATION_NAME];
	char state[24];			/* "PENDING" */
	char reason[LXFW_PUBLICATION_SAID];
	int64_t submit, start;		/* seconds since 1970, of a job that waits the planned start; 0: none */
	int64_t procs;
};

/* {0} is empty. */
struct lxfw_shown {
	struct lxfw_shown_job *list;
	size_t count, size;
};

void lxfw_shown_clear(struct lxfw_shown *shown);

/* Requests jobs by name, as users write them, in all states that squeue shows. Names without a job are left out.
   Returns 0, or -1 with ERROR set: squeue does not answer. */
int lxfw_shown_names(struct lxfw_shown *to, char *const *names, int count, struct lxfw_error *error);

/* The same for the jobs of a user. */
int lxfw_shown_user(struct lxfw_shown *to, const char *user, struct lxfw_error *error);

/* Takes the output of squeue, which is changed. Lines that are none of a job are left out. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_shown_take(struct lxfw_shown *to, char *output);

#endif
