/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What squeue(1) shows of the jobs and a journal does not contain: users and partitions by name,
   and the starts that Slurm expects. */
#ifndef LXFW_PUBLISH_LISTED_H
#define LXFW_PUBLISH_LISTED_H

#include <stdbool.h>

#include "common/util/error.h"
#include "common/util/id_map.h"
#include "sim-frontend/publish/publication.h"

struct lxfw_listed_job {
	char user[LXFW_PUBLICATION_NAME], partition[LXFW_PUBLICATION_NAME];
	char component[LXFW_PUBLICATION_NAME];	/* "15+1": of a heterogeneous job; otherwise "" */
	int64_t start;		/* expected or real; 0: not known */
};

/* {0} is empty. */
struct lxfw_listed {
	struct lxfw_listed_job *list;
	size_t count, size;
	struct lxfw_id_map by_id;	/* see squeue.h */
};

void lxfw_listed_clear(struct lxfw_listed *listed);

/* Takes the output of squeue. Lines that are none of it are left out. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_listed_take(struct lxfw_listed *listed, char *output);

/* Takes the jobs of a publication; their starts are not known. Returns 0, or -1 with errno ENOMEM. */
int lxfw_listed_published(struct lxfw_listed *listed, const struct lxfw_publication *from);

/* Runs squeue. Returns 0, or -1 with errno and ERROR set. */
int lxfw_listed_read(struct lxfw_listed *listed, struct lxfw_error *error);

/* Whether the jobs are those of more than one user. */
bool lxfw_listed_of_several(const struct lxfw_listed *listed);

/* What the rounds of a service have told of what it sees. {0} is before the first one. */
struct lxfw_sight {
	bool shown;	/* the jobs of others were not hidden */
	bool all;	/* they were hidden, and seen all the same */
};

/* A round, in which Slurm HIDES the jobs of others from users, and shows those of SEVERAL. Returns whether
   the service sees all of them: it is an operator. What it saw before they were hidden does not count, nor in the
   round in which that changes. */
bool lxfw_sight_take(struct lxfw_sight *sight, bool hides, bool several);

/* Returns what is shown of a job, or of the array of a task that waits, or NULL. */
const struct lxfw_listed_job *lxfw_listed_find(const struct lxfw_listed *listed, uint64_t id);

/* The same of a job by its name, "17_3". */
const struct lxfw_listed_job *lxfw_listed_named(const struct lxfw_listed *listed,
						const char *name);

#endif
