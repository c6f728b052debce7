/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A policy in a shared object, for `lxfw simulate --policy-file FILE.so`. The object
 * defines lxfw_policy_module:
 *
 * 	#include "common/policy/module.h"
 *
 * 	LXFW_POLICY_MODULE(
 * 		.name = "mine",
 * 		.order = { .name = "width", .line = widest },
 * 	);
 *
 * Its functions read the state of the scheduler (books/books.h) and call the inline
 * functions of the headers. Other functions of the library are not exported. An object
 * works only with the release for which it was compiled, since the state changes between
 * releases.
 *
 * `code`, `keys` and `traits` stay 0. The keys are those of reservations and quanta. A
 * policy from a file neither interrupts jobs nor places them itself. A function that
 * fails sets sched->problem to a text that remains valid, and returns -1.
 */
#ifndef LXFW_POLICY_MODULE_H
#define LXFW_POLICY_MODULE_H

#include <stdint.h>

#include "common/books/books.h"
#include "common/params/policy.h"

/* Incremented when a structure below or in books/ changes its meaning. */
#define LXFW_POLICY_MODULE_ABI 2

struct lxfw_policy_module {
	uint32_t abi;		/* LXFW_POLICY_MODULE_ABI */
	uint32_t policy_size;	/* of struct lxfw_policy_type */
	uint32_t sched_size, job_size, class_size;	/* sizes of the structures in
							   books/ */
	struct lxfw_policy_type policy;
};

#define LXFW_POLICY_MODULE(...) \
	__attribute__((visibility("default"))) \
	const struct lxfw_policy_module lxfw_policy_module = { \
		.abi = LXFW_POLICY_MODULE_ABI, \
		.policy_size = sizeof(struct lxfw_policy_type), \
		.sched_size = sizeof(struct lxfw_sched), \
		.job_size = sizeof(struct lxfw_job), \
		.class_size = sizeof(struct lxfw_class), \
		.policy = { __VA_ARGS__ }, \
	}

extern const struct lxfw_policy_module lxfw_policy_module;

#endif
