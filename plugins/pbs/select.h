/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job requests (select, place) and where it runs (exec_vnode).
 *
 *   select      2:ncpus=4:mem=8gb+1:ncpus=1:bigmem=True
 *   place       scatter:excl
 *   exec_vnode  (a:ncpus=4:mem=8388608kb)+(a:ncpus=2+b:ncpus=2)
 */
#ifndef LXFW_PBS_SELECT_H
#define LXFW_PBS_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "common/util/error.h"
#include "plugins/pbs/kinds.h"

/* Bound of the chunks of a job. */
#define LXFW_PBS_CHUNKS_MAX (1 << 20)

/* Bound of their kinds, where equal ones beside each other are one. Users choose them, and every
   look reads them again. */
#define LXFW_PBS_CHUNK_KINDS_MAX 1000

/* COUNT chunks that are equal. */
struct lxfw_pbs_chunk {
	int32_t count;
	struct lxfw_resources need;	/* of one; memory is rounded up. `procs` may be 0 */
	int64_t memory_kb;	/* of one, as requested; -1: none was */
	char *wanted;		/* what its hosts must have, "arch=linux:bigmem=True" in
				   the order of the request; "": nothing */
};

struct lxfw_pbs_select {
	struct lxfw_pbs_chunk *chunk;
	size_t count, size;
	int32_t total;		/* number of chunks */
};

/* Reads TEXT into SELECT, which must be zeroed. Only the first chunk has resources that only
   the first one uses. Returns 0, or -1 with errno set: EINVAL
   with *WHY set if the library cannot represent it, ENOMEM. SELECT must be cleared in any
   case. */
int lxfw_pbs_select_read(struct lxfw_pbs_select *select, const char *text,
			 const struct lxfw_pbs_kinds *kinds, struct lxfw_error *why);
void lxfw_pbs_select_clear(struct lxfw_pbs_select *select);

/* A select that was read, kept for as long as its text and the resources of the site are the same.
   Zeroed, it has not been read. */
struct lxfw_pbs_parsed {
	bool known;
	char *why;		/* why it cannot be represented; NULL: it can */
	struct lxfw_pbs_select select;
};

/* Returns the select, which PARSED owns and which is read if it is not known; or NULL as
   lxfw_pbs_select_read() fails. */
const struct lxfw_pbs_select *lxfw_pbs_select_of(struct lxfw_pbs_parsed *parsed,
						 const char *text,
						 const struct lxfw_pbs_kinds *kinds,
						 struct lxfw_error *why);
void lxfw_pbs_parsed_clear(struct lxfw_pbs_parsed *parsed);

enum lxfw_pbs_arrangement {
	LXFW_PBS_FREE,
	LXFW_PBS_PACK,		/* all chunks on one host */
	LXFW_PBS_SCATTER,	/* each on another host */
	LXFW_PBS_VSCATTER,	/* each on another vnode */
};

#define LXFW_PBS_GROUP_SIZE 128

struct lxfw_pbs_place {
	enum lxfw_pbs_arrangement arrangement;
	bool exclusive;		/* excl or exclhost */
	bool whole_hosts;	/* exclhost */
	bool shared;		/* shared: vnodes that are exclusive by default are not */
	char group[LXFW_PBS_GROUP_SIZE];	/* the resource of group=RESOURCE; "": none */
};

/* Reads TEXT; NULL means "free". Returns false with *WHY set if it is invalid. */
bool lxfw_pbs_place_read(struct lxfw_pbs_place *place, const char *text,
			 struct lxfw_error *why);

/* Calls EACH for each vnode of an exec_vnode, repeatedly if it has several chunks, with the
   amount of one chunk on it; memory is rounded up, and chunks after the first have nothing of
   resources that only the first one uses. EACH returns false to stop. Returns false
   if EACH did, or if TEXT is invalid. */
bool lxfw_pbs_vnodes_read(const char *text, const struct lxfw_pbs_kinds *kinds,
			  bool (*each)(void *context, const char *vnode,
				       const struct lxfw_resources *amount),
			  void *context);

/* Calls EACH for each amount of an exec_vnode that is above its bound. */
void lxfw_pbs_vnodes_above(const char *text, const struct lxfw_pbs_kinds *kinds,
			   void (*each)(void *context, const struct lxfw_pbs_kind *kind,
					const char *value),
			   void *context);

/* Finds the next item of "NAME=VALUE:NAME=VALUE" in *AT, which moves behind it. The name
   and the value, without quotes, are copied to the buffers, which have SIZE bytes. Returns 1,
   0 at the end, or -1 if it is invalid or too long. */
int lxfw_pbs_item(const char **at, char *name, char *value, size_t size);

#endif
