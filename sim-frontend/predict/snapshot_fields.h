/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a snapshot: the keys of each kind of line, and the members of the structs
 * that they set. The writer and the reader use the same tables.
 */
#ifndef LXFW_PREDICT_SNAPSHOT_FIELDS_H
#define LXFW_PREDICT_SNAPSHOT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

enum lxfw_snapshot_kind {
	LXFW_SNAPSHOT_FLAG,		/* bool: 0 or 1 */
	LXFW_SNAPSHOT_BYTE,		/* uint8_t */
	LXFW_SNAPSHOT_INT,		/* int32_t */
	LXFW_SNAPSHOT_LONG,		/* int64_t; "never" is LXFW_NEVER, "none" INT64_MIN */
	LXFW_SNAPSHOT_ID,		/* uint64_t */
	LXFW_SNAPSHOT_AMOUNT,		/* struct lxfw_resources: PROCS:MEMORY[:EXTRA]... */
	LXFW_SNAPSHOT_SOCKETS,		/* uint32_t: GPUs by socket, 4+4 */
	LXFW_SNAPSHOT_SHARES,		/* struct lxfw_share *: HOSTS@AMOUNT[/SOCKETS],... */
	LXFW_SNAPSHOT_HOSTS,		/* int32_t *: 0-3,5 */
	LXFW_SNAPSHOT_SETS,		/* int32_t[LXFW_HOST_SETS_MAX], each of uint8_t */
	LXFW_SNAPSHOT_POOLS,		/* struct lxfw_pool_need[LXFW_POOLS_MAX], each of
					   uint8_t: POOL:AMOUNT,... */
	LXFW_SNAPSHOT_STATE,		/* enum lxfw_snapshot_state */
};

struct lxfw_snapshot_field {
	const char *key;	/* NULL: the table ends */
	enum lxfw_snapshot_kind kind;
	size_t offset;		/* of the member */
	size_t count;		/* SHARES, HOSTS, SETS: of the number of items */
	int64_t least, most;	/* INT, LONG */
	int64_t absent;		/* the value of a key that is not written */
};

extern const struct lxfw_snapshot_field lxfw_snapshot_state_fields[];
extern const struct lxfw_snapshot_field lxfw_snapshot_host_fields[];
extern const struct lxfw_snapshot_field lxfw_snapshot_set_fields[];
extern const struct lxfw_snapshot_field lxfw_snapshot_block_fields[];
extern const struct lxfw_snapshot_field lxfw_snapshot_job_fields[];
extern const struct lxfw_snapshot_field lxfw_snapshot_reservation_fields[];
extern const struct lxfw_snapshot_field lxfw_snapshot_ran_fields[];
extern const struct lxfw_snapshot_field lxfw_snapshot_submitted_fields[];

/* By enum lxfw_snapshot_state; NULL at the end. */
extern const char *const lxfw_snapshot_states[];

#endif
