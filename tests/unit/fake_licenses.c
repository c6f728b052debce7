/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fake_ctld.h"

#include <stdio.h>
#include <stdlib.h>

bool fake_licenses_busy;
uint32_t fake_licenses_missing;

static licenses_t *add(lxfw_slurm_list *list, const char *name, uint32_t total)
{
	licenses_t *license = xmalloc(sizeof(*license));

	if (!*list)
		*list = list_create(NULL);
	license->name = xstrdup(name);
	license->total = total;
	list_append(*list, license);
	return license;
}

static licenses_t *find(lxfw_slurm_list list, const char *name)
{
	lxfw_slurm_iterator each;
	licenses_t *one, *found = NULL;

	if (!list)
		return NULL;
	each = list_iterator_create(list);
	while (!found && (one = list_next(each)) != NULL) {
		if (xstrcmp(one->name, name) == 0)
			found = one;
	}
	list_iterator_destroy(each);
	return found;
}

licenses_t *fake_license(const char *name, uint32_t total)
{
	lxfw_slurm_list *all = fake_cluster_licenses();
	licenses_t *license = find(*all, name);

	if (!license)
		license = add(all, name, total);
	license->total = total;
	fake_license_number(license, (uint16_t)list_count(*all));
	last_license_update = time(NULL);
	return license;
}

void fake_need(job_record_t *job, const char *name, uint32_t total)
{
	licenses_t *license = add(&job->license_list, name, total);

	fake_license_same(license, find(*fake_cluster_licenses(), name));
	xstrfmtcat(job->licenses, "%s%s:%u", job->licenses ? "," : "", name, total);
}

void fake_reserve_license(slurmctld_resv_t *resv, const char *name, uint32_t total)
{
	licenses_t *license = add(&resv->license_list, name, total);

	fake_license_same(license, find(*fake_cluster_licenses(), name));
}

void fake_licenses_stop(void)
{
	FREE_NULL_LIST(*fake_cluster_licenses());
	fake_licenses_busy = false;
	fake_licenses_missing = 0;
}

static void count_job(const job_record_t *job)
{
	lxfw_slurm_iterator each;
	const licenses_t *one;

	if (!job->license_list || !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) ||
				    IS_JOB_COMPLETING(job)))
		return;
	each = list_iterator_create(job->license_list);
	while ((one = list_next(each)) != NULL) {
		licenses_t *license = find(*fake_cluster_licenses(), one->name);

		if (license)
			license->used += one->total;
	}
	list_iterator_destroy(each);
}

void fake_licenses_count(void)
{
	lxfw_slurm_iterator each;
	const job_record_t *job;
	licenses_t *license;

	if (!*fake_cluster_licenses())
		return;
	each = list_iterator_create(*fake_cluster_licenses());
	while ((license = list_next(each)) != NULL)
		license->used = 0;
	list_iterator_destroy(each);
	each = list_iterator_create(job_list);
	while ((job = list_next(each)) != NULL)
		count_job(job);
	list_iterator_destroy(each);
	last_license_update = time(NULL);
}

/* What reservations keep from the job, as job_test_lic_resv() of Slurm. */
static uint32_t kept(const job_record_t *job, const char *name)
{
	time_t now = time(NULL), end = now + (time_t)job->time_limit * 60;
	lxfw_slurm_iterator each = list_iterator_create(resv_list);
	const slurmctld_resv_t *resv;
	uint32_t sum = 0;

	while ((resv = list_next(each)) != NULL) {
		const licenses_t *license = find(resv->license_list, name);

		if (license && resv->start_time < end + resv->boot_time &&
		    resv->end_time > now)
			sum += license->total;
	}
	list_iterator_destroy(each);
	return sum;
}

bool fake_licenses_free(const job_record_t *job)
{
	lxfw_slurm_iterator each;
	const licenses_t *one;
	bool enough = !fake_licenses_busy;

	if (fake_licenses_busy || !job->license_list)
		return enough;
	each = list_iterator_create(job->license_list);
	while ((one = list_next(each)) != NULL) {
		const licenses_t *license = find(*fake_cluster_licenses(), one->name);

		if (license)
			enough &= license->used + fake_licenses_missing + one->total +
				  kept(job, one->name) <= license->total;
		else
			enough &= !fake_limits.licenses ||
				  one->total <= fake_limits.licenses;
	}
	list_iterator_destroy(each);
	return enough;
}
