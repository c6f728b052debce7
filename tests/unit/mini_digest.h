/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mini cluster run to its end, and a digest of every action and wake of it. */
#ifndef LXFW_TESTS_MINI_DIGEST_H
#define LXFW_TESTS_MINI_DIGEST_H

#include "common/sched.h"
#include "tests/unit/mini.h"

uint64_t mini_mix(uint64_t digest, uint64_t value);

/* MINI has just begun, its parameters are final. A pass after EACH event, or only when
   time has passed. Some jobs are rigid, some adaptive. The digest begins with DIGEST. */
uint64_t mini_digest(struct mini *mini, uint64_t digest, bool each);

#endif
