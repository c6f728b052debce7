/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mixed jobs: those with different chunks that can never start if each chunk is modelled as the
 * largest one (request.h), and some with vscatter. While such a job waits, the library has several
 * jobs instead of it, its *parts*. They are a group: they start at the same time, and no two of them
 * have a share of the same host. The parts are
 *
 *   kinds     equal chunks are a part, which is placed as the job is;
 *   bundles   if the kinds find no hosts so: the chunks are laid out on the hosts of the queue as if
 *             no job ran, and equal contents of hosts are a part, each on a host. If all are
 *             equal, the part is a job without a group.
 *
 * The library places parts one after the other, and an early one may take a host that a later one
 * needs. If that may happen even on free hosts, bundles may have only the hosts on which they were
 * laid out.
 *
 * Whatever fits on the hosts of the queue can thus start. If the hosts have placement sets, all parts
 * use the first one that holds them. The first part has the id of the job, and its pools. As soon as
 * the job runs, it is one job of the library.
 */
#ifndef LXFW_PBS_MIXED_H
#define LXFW_PBS_MIXED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "common/util/error.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/sets.h"
#include "plugins/pbs/site.h"

struct lxfw_pbs_part {
	struct lxfw_pbs_parsed parsed;	/* its chunks; of a bundle, those of one */
	size_t *kind;		/* of each chunk of parsed.select: as of the mixed job */
	int32_t bundles;	/* number of bundles; 0: it is a kind */
	char *hosts;		/* the only ones that it may have, numbers separated by commas; NULL:
				   any */
};

struct lxfw_pbs_mixed {
	struct lxfw_pbs_part *part;
	int32_t count, size;
	size_t *kind;		/* of each chunk of the select: the index of the first that is
				   equal */
	char *within;		/* the placement set; NULL: none */
};

/* Returns a measure of the work of the functions below, or 0 if the chunks of the job show that it is
   not mixed. */
int64_t lxfw_pbs_mixed_work(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job);

/* Returns true if the chunks of the job are not all equal, may be on different hosts, and can never
   start as one request; or if they must be on different vnodes, more than a host may have of them by
   the sum of its vnodes. Sets are made as by lxfw_pbs_request(). */
bool lxfw_pbs_is_mixed(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		       const struct lxfw_pbs_job *job);

/*
 * Finds the parts of a mixed JOB, whatever other jobs use and its barred hosts are (decided.h keeps
 * them). Returns their number, of which 1 is of bundles; 0 with *WHY set if the
 * library cannot represent the job; or -1 if memory ran out. MIXED must be cleared in any case.
 */
int lxfw_pbs_mixed(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		   const struct lxfw_pbs_job *job, struct lxfw_pbs_mixed *mixed,
		   struct lxfw_error *why);
void lxfw_pbs_mixed_clear(struct lxfw_pbs_mixed *mixed);

/* Returns part INDEX as a job, for the functions of request.h. It refers to MIXED and JOB. */
struct lxfw_pbs_job lxfw_pbs_part_of(const struct lxfw_pbs_mixed *mixed,
				     const struct lxfw_pbs_job *job, int32_t index);

/* The library's id of part INDEX of the job with ID; 0 if the task has too large a number. The first
   part has that of the job. */
uint64_t lxfw_pbs_part_id(uint64_t id, int32_t index);
/* The index of the part with the id. */
int32_t lxfw_pbs_part_index(uint64_t id);

/* Joins the exec_vnodes of all parts, TEXT by part, to that of JOB: its chunks in their order. The
   caller frees it. Returns NULL with errno set if memory ran out, or EINVAL if a text is NULL. */
char *lxfw_pbs_mixed_join(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			  const struct lxfw_pbs_mixed *mixed, char *const *text);

/* Appends chunks to ALL, which may be NULL. Both are owned; returns the whole, or NULL with errno set
   or, if TEXT is NULL, unchanged. */
char *lxfw_pbs_add_chunks(char *all, char *text);

#endif
