/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/model/sockets.h"

int32_t lxfw_sockets_sum(uint32_t sockets)
{
	int32_t sum = 0;

	for (int i = 0; i < LXFW_SOCKETS_MAX; i++)
		sum += lxfw_sockets_at(sockets, i);
	return sum;
}

uint32_t lxfw_sockets_free(uint32_t total, uint32_t used)
{
	uint32_t free = 0;

	for (int i = 0; i < LXFW_SOCKETS_MAX; i++) {
		int32_t left = lxfw_sockets_at(total, i) - lxfw_sockets_at(used, i);

		free |= lxfw_sockets_of(left > 0 ? left : 0, i);
	}
	return free;
}

uint32_t lxfw_sockets_room(uint32_t sockets, uint32_t more)
{
	uint32_t added = 0;

	for (int i = 0; i < LXFW_SOCKETS_MAX; i++) {
		int32_t count = lxfw_sockets_at(more, i);
		int32_t most = LXFW_SOCKET_GPUS_MAX - lxfw_sockets_at(sockets, i);

		added |= lxfw_sockets_of(count < most ? count : most, i);
	}
	return added;
}

/* The socket with the most GPUs, the first one of several. */
static int fullest(uint32_t sockets)
{
	int best = 0;

	for (int i = 1; i < LXFW_SOCKETS_MAX; i++) {
		if (lxfw_sockets_at(sockets, i) > lxfw_sockets_at(sockets, best))
			best = i;
	}
	return best;
}

uint32_t lxfw_sockets_sorted(uint32_t sockets)
{
	uint32_t sorted = 0;

	for (int i = 0; i < LXFW_SOCKETS_MAX && sockets; i++) {
		int socket = fullest(sockets);
		int32_t count = lxfw_sockets_at(sockets, socket);

		sorted |= lxfw_sockets_of(count, i);
		sockets -= lxfw_sockets_of(count, socket);
	}
	return sorted;
}

/* The socket with the fewest GPUs that has COUNT, the first one of several, or -1. */
static int tightest(uint32_t sockets, int32_t count)
{
	int best = -1;

	for (int i = 0; i < LXFW_SOCKETS_MAX; i++) {
		int32_t has = lxfw_sockets_at(sockets, i);

		if (has >= count && (best < 0 || has < lxfw_sockets_at(sockets, best)))
			best = i;
	}
	return best;
}

uint32_t lxfw_sockets_choose(uint32_t free, int32_t count)
{
	uint32_t chosen = 0;

	while (count > 0 && free) {
		int socket = tightest(free, count);
		int32_t has;

		if (socket >= 0)
			return chosen | lxfw_sockets_of(count, socket);
		socket = fullest(free);
		has = lxfw_sockets_at(free, socket);
		chosen |= lxfw_sockets_of(has, socket);
		free -= lxfw_sockets_of(has, socket);
		count -= has;
	}
	return chosen;
}

int32_t lxfw_sockets_count(uint32_t sockets)
{
	int32_t count = 0;

	for (int i = 0; i < LXFW_SOCKETS_MAX; i++)
		count += lxfw_sockets_at(sockets, i) > 0;
	return count;
}

/* It is called for each host. A job mostly is on one socket. */
int32_t lxfw_sockets_needed(uint32_t free, int32_t count, int32_t *left)
{
	int32_t best = LXFW_SOCKET_GPUS_MAX + 1;
	uint32_t chosen;

	for (uint32_t rest = free; rest; rest >>= LXFW_SOCKET_BITS) {
		int32_t has = (int32_t)(rest & LXFW_SOCKET_GPUS_MAX);

		if (has >= count && has < best)
			best = has;
	}
	*left = best - count;
	if (best <= LXFW_SOCKET_GPUS_MAX)
		return 1;
	*left = 0;
	chosen = lxfw_sockets_choose(free, count);
	for (int i = 0; i < LXFW_SOCKETS_MAX; i++) {
		if (lxfw_sockets_at(chosen, i) > 0)
			*left += lxfw_sockets_at(free, i) - lxfw_sockets_at(chosen, i);
	}
	return chosen ? lxfw_sockets_count(chosen) : 1;
}
