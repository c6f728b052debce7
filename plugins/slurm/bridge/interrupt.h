/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations of wlm.h on running jobs, carried out by functions of slurmctld. */
#ifndef LXFW_BRIDGE_INTERRUPT_H
#define LXFW_BRIDGE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/bridge/bridge.h"

enum lxfw_phase lxfw_slurm_phase(void *context, uint32_t record);
int64_t lxfw_slurm_began(void *context, uint32_t record);
bool lxfw_slurm_read_run(void *context, struct lxfw_known_job *known,
		   struct lxfw_run *run);
enum lxfw_answer lxfw_slurm_suspend(void *context, struct lxfw_known_job *known,
			      struct lxfw_preempted *preempted, bool own_end,
			      struct lxfw_error *why);
enum lxfw_answer lxfw_slurm_resume(void *context, const struct lxfw_preempted *preempted,
			     struct lxfw_error *why);
enum lxfw_answer lxfw_slurm_requeue(void *context, uint32_t record,
			      struct lxfw_error *why);
void lxfw_slurm_remind(void *context, uint32_t record);
bool lxfw_slurm_heard_since(void *context, uint32_t record, int64_t since);
void lxfw_slurm_give_priority(void *context, const struct lxfw_preempted *preempted);
void lxfw_slurm_save_records(void *context);

#endif
