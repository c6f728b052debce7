/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/reach.h"

static int32_t made(const struct lxfw_reach *reach)
{
	return reach->wanted < reach->most ? reach->wanted : reach->most;
}

static void change(struct lxfw_reach *reach, int32_t most)
{
	reach->most = most;
	reach->fast = 0;
}

int32_t lxfw_reach_set(struct lxfw_reach *reach, int32_t wanted)
{
	reach->wanted = wanted;
	if (reach->most == 0)
		reach->most = LXFW_REACH_FIRST;
	return made(reach);
}

int32_t lxfw_reach_decided(struct lxfw_reach *reach, uint64_t us, size_t waiting, int64_t now)
{
	if (us > LXFW_REACH_SLOW_US && made(reach) > LXFW_REACH_FIRST) {
		int32_t half = made(reach) / 2;

		change(reach, half > LXFW_REACH_FIRST ? half : LXFW_REACH_FIRST);
		reach->not_before = now + LXFW_REACH_RETRY;
		return made(reach);
	}
	reach->fast = us < LXFW_REACH_FAST_US ? reach->fast + 1 : 0;
	if (reach->fast < LXFW_REACH_DECISIONS || now < reach->not_before ||
	    reach->wanted <= reach->most || reach->most >= LXFW_REACH_MOST ||
	    waiting <= (size_t)reach->most)
		return made(reach);
	change(reach, reach->most < LXFW_REACH_MOST / 2 ? 2 * reach->most : LXFW_REACH_MOST);
	return made(reach);
}
