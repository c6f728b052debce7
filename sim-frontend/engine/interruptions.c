/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/interruptions.h"

void lxfw_interruptions_start(struct lxfw_interruptions *of, int64_t now, int64_t length)
{
	of->since = now;
	of->ran = 0;
	of->suspended = 0;
	of->length = length;
	of->over = false;
}

bool lxfw_interruptions_suspend(struct lxfw_interruptions *of, int64_t now, int64_t *end)
{
	of->ran += now - of->since;
	if (!of->over && of->ran >= of->length) {
		of->over = true;
		*end = now - (of->ran - of->length);
	}
	of->uncounted += of->over;
	of->since = now;
	of->stopped = true;
	return !of->over;
}

void lxfw_interruptions_resume(struct lxfw_interruptions *of, int64_t now)
{
	of->suspended += of->over ? 0 : now - of->since;
	of->since = now;
	of->stopped = false;
}

uint32_t lxfw_interruptions_requeue(struct lxfw_interruptions *of, int64_t now)
{
	uint32_t uncounted = of->uncounted;

	of->lost += of->ran + (of->stopped ? 0 : now - of->since);
	of->uncounted = 0;
	of->stopped = of->over = false;
	return uncounted;
}
