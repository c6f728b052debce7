/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/unit.h"
#include "tests/unit/mixed_scene.h"

struct fake_pbs_job *mixed(int chunks)
{
	struct fake_pbs_job *job = pbs_scene_submit(1);

	job->chunks = chunks;
	for (int i = 1; i < chunks; i++)
		job->chunk[i].ncpus = 1;
	return job;
}

/* The first chunk needs a whole host, and there are more chunks than hosts. */
struct fake_pbs_job *one_large(void)
{
	struct fake_pbs_job *job = mixed(6);

	job->chunk[0].ncpus = 8;
	return job;
}

const struct lxfw_known_job *part(const struct fake_pbs_job *job, int index)
{
	uint64_t id = lxfw_pbs_id((uint64_t)job->number, job->task);

	return lxfw_table_find(&pbs.agent.jobs, lxfw_pbs_part_id(id, index));
}

int parts_of(const struct fake_pbs_job *job)
{
	int count = 0;

	for (int i = 0; i < LXFW_GROUP_MAX; i++)
		count += part(job, i) && part(job, i)->state == LXFW_KNOWN_WAITING;
	return count;
}

void run_for(int passes)
{
	while (passes-- > 0)
		pbs_scene_pass();
}
