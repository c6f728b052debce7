/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of nodes, as bits in words. */
#ifndef LXFW_GRID_NODE_SET_H
#define LXFW_GRID_NODE_SET_H

#include <stddef.h>
#include <stdint.h>

/* Adds a node. */
static inline void lxfw_node_set(uint64_t *words, int32_t node)
{
	words[node / 64] |= UINT64_C(1) << (node % 64);
}

/* Removes the first node that is not before AT and returns it, or -1. */
static inline int32_t lxfw_node_set_take(uint64_t *words, size_t count, int32_t at)
{
	for (size_t i = (size_t)at / 64; i < count; i++) {
		uint64_t word = words[i];

		if (i == (size_t)at / 64)
			word &= ~UINT64_C(0) << (at % 64);
		if (word == 0)
			continue;
		at = (int32_t)(i * 64) + __builtin_ctzll(word);
		words[i] &= ~(UINT64_C(1) << (at % 64));
		return at;
	}
	return -1;
}

#endif
