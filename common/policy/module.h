/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A policy in a shared object, for `lxfw simulate --policy-file FILE.so`. The object
 * defines lxfw_policy_module:
 *
 *	#include "common/policy/module.h"
 *
 *	LXFW_POLICY_MODULE(
 *		.name = "mine",
 *		.order = { .name = "width", .line = widest },
 *	);
 *
 * Its functions read the books (books/books.h) and call the inline functions of the
 * headers; other functions of the library are not exported. An object works with the
 * release that it was compiled for: the books change from one to the next.
 *
 * `code`, `keys` and `traits` stay 0: the keys are those of reservations and of quanta,
 * and a policy from a file neither interrupts jobs nor places them itself. A function
 * that fails points sched->problem at a text that stays, and returns -1.
 */
#ifndef LXFW_POLICY_MODULE_H
#define LXFW_POLICY_MODULE_H

#include <stdint.h>

#include "common/books/books.h"
#include "common/params/policy.h"

/* One more where a struct below or one of the books means something else. */
#define LXFW_POLICY_MODULE_ABI 2

struct lxfw_policy_module {
	uint32_t abi;		/* LXFW_POLICY_MODULE_ABI */
	uint32_t policy_size;	/* of struct lxfw_policy_type */
	uint32_t sched_size, job_size, class_size;	/* of the books */
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
