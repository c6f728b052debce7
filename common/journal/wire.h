/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The encoding of records, shared by encoder and decoder; journal.h describes the format
 * as a whole. Every record has exactly one encoding, except those of parameters: numbers
 * have the shortest form, and nothing follows the last field.
 *
 * Fields, in order (u: unsigned LEB128, s: zigzag LEB128, b: one byte):
 *   resources  u procs, u memory_mb, b mask of the extras that are not 0,
 *              u each of those; of a host or a share with GPUs by socket, 32 is
 *              added to the mask, and u sockets follows
 *   shares     u count; each: s host - (previous host + 1), resources; the host
 *              before the first is -1
 *   EVENT      b type, s time, then
 *     HOST        b up + 2 * mask of the extras that are GPUs, u index, resources,
 *                 u length and bytes of the name; s weight, unless it and boot
 *                 are 0; u boot, unless it is 0
 *     HOST_SET    u id, u count, each: u host - (previous host + 1)
 *     JOB_SUBMIT, JOB_CHANGE
 *                 u id, s submit, u estimate, resources, u count, u max_hosts,
 *                 s tier, b shape + 4 exclusive + 8 host_set_count
 *                 + 64 no_quantum + 128 if rigid or min_procs is not 0, u each
 *                 set; b rigid, u min_procs, unless both are 0; u min_hosts,
 *                 resources per_host, unless both are 0 (the shape then is 3
 *                 instead of LXFW_SHAPE_ANYWHERE). The rest ends before its
 *                 last members that are 0: u min_estimate; u group,
 *                 u group_count; u pools, each: u pool - (previous pool + 1),
 *                 u amount; u more_sets; u no_reservation
 *     JOB_RUN     u id, s expected_end, shares; s since, u ran, s submit, unless
 *                 the past is unknown; u suspensions, u suspended,
 *                 unless both are 0
 *     JOB_END     u id
 *     JOB_REFUSED u id, s until; b reason, unless it is 0; since format 4
 *     BLOCK       u id, s start, s end, shares
 *     PARAMS      u length and bytes of the canonical text; in format 2
 *                 b policy, doubles ww wx wp wm wpe wbypass, u reservations,
 *                 u interval, b quantum_mode, b quantum_end, u quantum,
 *                 u quantum_mem, u quantum_min_run, u eq_min_interval,
 *                 u eq_full_after; u victim_suspensions, u victim_interval,
 *                 u victim_share, unless all are 0
 *     JOB_CLASSES u time classes, u size classes; each time class: u length and
 *                 bytes of its name, u cpu_per_proc, u run_time, u reserve_wait,
 *                 u running_most; each size class: name, u procs, u memory_mb;
 *                 u rules; each: u running_most of each size class, u length of
 *                 the order, b each of it, b rank + 1 of each time class;
 *                 u hosts, u rules + 1 of each
 *     JOB_PRIORITY
 *                 u id, s priority, s delay
 *     JOB_ASIDE   u id, b reason, u submit; u until, unless it and limited are 0;
 *                 b limited, unless it is 0; since format 4
 *     EXTRA       b index, u length and bytes of the name; since format 4
 *   DECIDE     s now
 *   ACTION     b type, u job, s start, u until - start (START only; 0: no until),
 *              u host_set, shares; u limit, unless it is 0
 *   DECIDED    s wake
 *   NAME       u job, s number, u before
 */
#ifndef LXFW_JOURNAL_WIRE_H
#define LXFW_JOURNAL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/journal/journal.h"

/* Longest payload. A longer one is invalid. The length has at most 4 bytes. */
#define LXFW_JOURNAL_PAYLOAD_MOST ((size_t)1 << 26)
#define LXFW_JOURNAL_CRC_SIZE 4

/* Fewest bytes of a share: host, processors, memory, mask. */
#define LXFW_JOURNAL_SHARE_LEAST 4

#define LXFW_JOURNAL_NAME_MOST 255

#define LXFW_JOURNAL_FLAG_SOCKETS (1 << LXFW_EXTRAS_MAX)

#define LXFW_JOURNAL_FLAG_EXCLUSIVE 4
#define LXFW_JOURNAL_SHAPE_MASK 3
#define LXFW_JOURNAL_SHAPE_PER_HOST 3
#define LXFW_JOURNAL_SETS_SHIFT 3
#define LXFW_JOURNAL_SETS_MASK 7
#define LXFW_JOURNAL_FLAG_NO_QUANTUM 64
#define LXFW_JOURNAL_FLAG_SHARED 128
#define LXFW_JOURNAL_FLAGS_MOST 255

/* CRC-32 as in zlib, gzip and IEEE 802.3. */
uint32_t lxfw_crc32(const unsigned char *bytes, size_t length);

/* Whether every field is in the range that its header states. Whether hosts and jobs
   exist is checked by lxfw_sched_apply(). */
bool lxfw_journal_event_valid(const struct lxfw_event *event);
bool lxfw_journal_action_valid(const struct lxfw_action *action);

/* Names are printed without quoting, so control characters are not allowed. */
static inline bool lxfw_journal_name_byte(unsigned char byte)
{
	return byte >= 0x20 && byte != 0x7f;
}

static inline uint64_t lxfw_zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t lxfw_unzigzag(uint64_t value)
{
	uint64_t magnitude = value >> 1;

	return value & 1 ? -(int64_t)magnitude - 1 : (int64_t)magnitude;
}

#endif
