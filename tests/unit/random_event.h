/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random events and decisions that a journal can represent. They need not be meaningful
 * to a scheduler.
 */
#ifndef LXFW_TESTS_RANDOM_EVENT_H
#define LXFW_TESTS_RANDOM_EVENT_H

#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"

#define RANDOM_MOST 40

/* An event or a decision with the storage for its pointers. */
struct random_event {
	struct lxfw_event event;
	struct lxfw_request request;
	struct lxfw_params params;
	struct lxfw_share shares[RANDOM_MOST];
	struct lxfw_job_classes job_classes;
	struct lxfw_host_rules rules[RANDOM_MOST];
	int32_t hosts[RANDOM_MOST];
	char name[300];
};

struct random_decision {
	struct lxfw_decision decision;
	struct lxfw_action actions[RANDOM_MOST];
	struct lxfw_share shares[RANDOM_MOST][RANDOM_MOST];
};

/* Generate an event of TYPE; 0 = any type. */
void random_event(uint64_t *random, int type, struct random_event *into);
void random_decision(uint64_t *random, struct random_decision *into);

#endif
