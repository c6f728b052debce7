/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the library is told when the workload manager did not do as it had decided. */
#ifndef LXFW_AGENT_REFUSE_H
#define LXFW_AGENT_REFUSE_H

#include <stdint.h>

#include "plugins/agent/agent.h"

/* Seconds to leave a job alone that was refused N times in a row: 1 to 30. */
int64_t lxfw_backoff(uint8_t refusals);

/* The library booked a start that did not come about. The job is left alone for a
   while. */
void lxfw_refuse(struct lxfw_agent *agent, struct lxfw_known_job *known);

/* Not to be started by this decision, but by the next one if it says so. */
void lxfw_defer(struct lxfw_agent *agent, const struct lxfw_known_job *known);

/* Not to be started before the next look. The decision holds the place for the job, so
   there is no other one to make before. */
void lxfw_put_off(struct lxfw_agent *agent, const struct lxfw_known_job *known);

/* Somebody holds what RUN says, which this decision counted on: what else it starts on
   these hosts is put off to the next one. */
void lxfw_disturb(struct lxfw_agent *agent, const struct lxfw_run *run);

/* The job is not what it was when the library was told of it. The next look tells
   anew. */
void lxfw_forget_job(struct lxfw_agent *agent, struct lxfw_known_job *known);

/* The library has requeued the job: it waits in its books, and keeps its place there
   while it is cleaned up after. */
void lxfw_known_requeued(struct lxfw_agent *agent, struct lxfw_known_job *known);

#endif
