/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/pbs_site.h"

#include "tests/unit/unit.h"

struct lxfw_pbs_site site;
struct lxfw_pbs_sets sets;

void add_queue(void)
{
	struct lxfw_pbs_queue *queue = lxfw_pbs_site_queue(&site, "workq");

	lxfw_pbs_queue_set(&site, queue, "queue_type", NULL, "Execution");
	lxfw_pbs_queue_set(&site, queue, "started", NULL, "True");
}

int make_site(void **state)
{
	(void)state;
	assert_true(lxfw_pbs_kinds_init(&site.kinds));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "lic", "1", "16447"));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "space", "5", "16447"));
	lxfw_pbs_site_begin(&site);
	for (int i = 0; i < 4; i++) {
		const char name[] = { 'v', (char)('0' + i), '\0' };
		struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_vnode(&site, name);

		lxfw_pbs_vnode_set(&site, vnode, "resources_available", "ncpus", "4");
		lxfw_pbs_vnode_set(&site, vnode, "resources_available", "mem", "8gb");
		lxfw_pbs_vnode_set(&site, vnode, "state", NULL, "free");
	}
	add_queue();
	return 0;
}

int clear_site(void **state)
{
	(void)state;
	lxfw_pbs_sets_clear(&sets);
	lxfw_pbs_site_clear(&site);
	return 0;
}

struct lxfw_pbs_job *add_job(const char *id, char job_state, const char *select,
			     const char *place, const char *vnodes)
{
	struct lxfw_pbs_job *job = lxfw_pbs_site_job(&site, id);
	char text[2] = { job_state };

	lxfw_pbs_job_set(job, "job_state", NULL, text);
	lxfw_pbs_job_set(job, "queue", NULL, "workq");
	lxfw_pbs_job_set(job, "schedselect", NULL, select);
	lxfw_pbs_job_set(job, "Resource_List", "place", place);
	lxfw_pbs_job_set(job, "Resource_List", "walltime", "01:00:00");
	if (vnodes)
		lxfw_pbs_job_set(job, "exec_vnode", NULL, vnodes);
	return job;
}

struct lxfw_pbs_job *add_job_of(const char *id, char job_state, const char *user,
				const char *project)
{
	struct lxfw_pbs_job *job = add_job(id, job_state, "1:ncpus=1", "free",
					   job_state == 'Q' ? NULL : "(v0:ncpus=1)");

	lxfw_pbs_job_set(job, "euser", NULL, user);
	lxfw_pbs_job_set(job, "project", NULL, project);
	lxfw_pbs_job_set(job, "Resource_List", "ncpus", "1");
	return job;
}
