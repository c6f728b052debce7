/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of the processors of one host on which the jobs of a schedule ran. The scheduler
   does not number them: a job gets the lowest ones that are free when it starts. */
#ifndef LXFW_REPORT_PROCESSORS_H
#define LXFW_REPORT_PROCESSORS_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/simulation.h"

struct lxfw_processors {
	struct lxfw_processor_range {
		int32_t first, last;
	} *ranges;
	size_t *at;	/* per job: its first range; those of the next job follow. A job has
			   none if it shared processors with others */
	size_t count, size;
};

/* Assigns processors from the start to the end of each job. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_processors_assign(struct lxfw_processors *processors,
			   const struct lxfw_simulation *simulation);
void lxfw_processors_clear(struct lxfw_processors *processors);

#endif
