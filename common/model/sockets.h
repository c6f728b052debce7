/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GPUs by socket. A job of several GPUs runs faster if all are on one socket of a host. The
 * numbers of GPUs on the sockets of a host are packed into 32 bits: LXFW_SOCKET_BITS for each
 * socket, the lowest ones for socket 0. A host whose GPUs are on one socket, or of which this is
 * not known, has 0.
 */
#ifndef LXFW_MODEL_SOCKETS_H
#define LXFW_MODEL_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#define LXFW_SOCKET_BITS 4
#define LXFW_SOCKETS_MAX (32 / LXFW_SOCKET_BITS)
#define LXFW_SOCKET_GPUS_MAX ((1 << LXFW_SOCKET_BITS) - 1)

/* Number of GPUs on a socket, and COUNT GPUs on it. */
static inline int32_t lxfw_sockets_at(uint32_t sockets, int socket)
{
	return (int32_t)(sockets >> LXFW_SOCKET_BITS * socket & LXFW_SOCKET_GPUS_MAX);
}

static inline uint32_t lxfw_sockets_of(int32_t count, int socket)
{
	return (uint32_t)count << LXFW_SOCKET_BITS * socket;
}

/* Number of GPUs on all sockets. */
int32_t lxfw_sockets_sum(uint32_t sockets);

/* The GPUs of TOTAL that are not among those in use. */
uint32_t lxfw_sockets_free(uint32_t total, uint32_t used);

/* As many of MORE as can be added to SOCKETS. */
uint32_t lxfw_sockets_room(uint32_t sockets, uint32_t more);

/* The same GPUs, the sockets with the most first: of hosts that differ in the order of their
   sockets only, it is the same. */
uint32_t lxfw_sockets_sorted(uint32_t sockets);

/*
 * The sockets of a job of COUNT GPUs, among those that are free: the one with the fewest free
 * GPUs that has enough, so that others keep theirs. If none has enough, the job gets all of
 * those with the most, and the rest of one that is chosen in the same way. Returns fewer than
 * COUNT if no more are free.
 */
uint32_t lxfw_sockets_choose(uint32_t free, int32_t count);

/* Number of sockets with a GPU. */
int32_t lxfw_sockets_count(uint32_t sockets);

/* Number of sockets of such a job, at least 1. *LEFT is set to the number of GPUs that it leaves
   free on them. */
int32_t lxfw_sockets_needed(uint32_t free, int32_t count, int32_t *left);

#endif
