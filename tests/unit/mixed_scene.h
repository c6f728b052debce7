/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with different chunks (plugins/pbs/mixed.h) in scenes of pbs_scene.h. The site has four hosts,
   h0 to h3, of two vnodes each with 4 processors and 2000 MB; h0 and h2 are fast. */
#ifndef LXFW_TESTS_MIXED_SCENE_H
#define LXFW_TESTS_MIXED_SCENE_H

#include "common/books/books.h"
#include "plugins/pbs/mixed.h"
#include "tests/unit/pbs_scene.h"

/* A waiting job of CHUNKS chunks of one processor each. */
struct fake_pbs_job *mixed(int chunks);
/* One of which the first chunk needs a whole host, and that has more chunks than there are hosts. */
struct fake_pbs_job *one_large(void);
/* What the agent knows of a part of the job, or NULL; and the number of its parts that wait. */
const struct lxfw_known_job *part(const struct fake_pbs_job *job, int index);
int parts_of(const struct fake_pbs_job *job);
void run_for(int passes);

#endif
