/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/licenses.h"

#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/compat/license.h"

#define HOST_PREFIX "license:"

/* --- the licenses of the cluster ------------------------------------------------- */

static const char *name_of(const struct lxfw_known_license *known)
{
	return known->host + strlen(HOST_PREFIX);
}

/* Sets KNOWN to LICENSE. Returns false when memory runs out. */
static bool enter(struct lxfw_known_license *known, const struct lxfw_license *license)
{
	if (!known->host || strcmp(name_of(known), license->name) != 0) {
		size_t size = strlen(HOST_PREFIX) + strlen(license->name) + 1;

		free(known->host);
		known->host = malloc(size);
		if (!known->host)
			return false;
		memcpy(known->host, HOST_PREFIX, strlen(HOST_PREFIX));
		memcpy(known->host + strlen(HOST_PREFIX), license->name,
		       strlen(license->name) + 1);
	}
	known->id = license->id;
	known->total = license->total;
	known->used = license->used;
	known->missing = license->missing;
	return true;
}

static void read_one(void *context, const struct lxfw_license *license)
{
	struct lxfw_licenses *licenses = context;
	size_t had = licenses->size;

	if (licenses->failed || license->layered)
		return;
	if (LXFW_GROW(licenses->license, licenses->size, (size_t)licenses->count + 1)) {
		licenses->failed = true;
		return;
	}
	if (licenses->size > had)
		memset(&licenses->license[had], 0,
		       (licenses->size - had) * sizeof(*licenses->license));
	if (enter(&licenses->license[licenses->count], license))
		licenses->count++;
	else
		licenses->failed = true;
}

bool lxfw_licenses_read(struct lxfw_licenses *licenses)
{
	licenses->count = 0;
	licenses->failed = false;
	lxfw_compat_licenses(read_one, licenses);
	return !licenses->failed;
}

void lxfw_licenses_clear(struct lxfw_licenses *licenses)
{
	for (size_t i = 0; i < licenses->size; i++)
		free(licenses->license[i].host);
	free(licenses->license);
	free(licenses->user);
	memset(licenses, 0, sizeof(*licenses));
}

int32_t lxfw_license_host(const struct lxfw_bridge *bridge, int32_t index)
{
	return bridge->hosts.count + index;
}

int32_t lxfw_license_amount(const struct lxfw_known_license *license)
{
	uint32_t amount = license->missing < license->total ?
				  license->total - license->missing : 0;

	return amount < INT32_MAX ? (int32_t)amount : INT32_MAX;
}

/* Returns the index of a license, or -1 if it is not counted. */
static int32_t find(const struct lxfw_licenses *licenses, const struct lxfw_license *license)
{
	for (int32_t i = 0; !license->layered && i < licenses->count; i++) {
		const struct lxfw_known_license *known = &licenses->license[i];

		if (lxfw_compat_license_is(license, name_of(known), known->id))
			return i;
	}
	return -1;
}

/* --- what jobs request ------------------------------------------------------------- */

/* Needs of a job, in the order of the licenses. */
struct needs {
	const struct lxfw_bridge *bridge;
	struct lxfw_pool_need need[LXFW_POOLS_MAX];
	int count;
	bool counted;		/* these are all */
};

static void add_need(void *context, const struct lxfw_license *license)
{
	struct needs *needs = context;
	int32_t index = find(&needs->bridge->licenses, license), pool;
	int at = needs->count;

	if (license->total == 0)
		return;
	if (index < 0 || license->choice || license->total > INT32_MAX ||
	    at == LXFW_POOLS_MAX) {
		needs->counted = false;
		return;
	}
	pool = lxfw_license_host(needs->bridge, index);
	while (at > 0 && needs->need[at - 1].pool >= pool) {
		/* Slurm sums up what a job requests of the same license. */
		if (needs->need[at - 1].pool == pool)
			needs->counted = false;
		needs->need[at] = needs->need[at - 1];
		at--;
	}
	needs->need[at] = (struct lxfw_pool_need){ pool, (int32_t)license->total };
	needs->count++;
}

static struct needs needs_of(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct needs needs = { .bridge = bridge, .counted = true };

	lxfw_compat_licenses_of(job->license_list, add_need, &needs);
	needs.counted &= needs.count > 0;
	return needs;
}

/* Returns true if another component of the heterogeneous job requests licenses: no two jobs
   of a group have a share of the same pool. */
static bool others_need(const job_record_t *job)
{
	const job_record_t *leader = find_job_record(job->het_job_id), *one;
	lxfw_slurm_iterator each;
	bool found = false;

	if (!leader || !leader->het_job_list)
		return true;
	each = list_iterator_create(leader->het_job_list);
	while (!found && (one = list_next(each)) != NULL)
		found = one != job && one->license_list;
	list_iterator_destroy(each);
	return found;
}

bool lxfw_licenses_counted(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	if (!job->license_list || bridge->licenses.count == 0 ||
	    !lxfw_policy_groups(bridge->agent.params.policy) ||
	    (job->het_job_id && others_need(job)))
		return false;
	return needs_of(bridge, job).counted;
}

void lxfw_licenses_request(const struct lxfw_bridge *bridge, const job_record_t *job,
			   struct lxfw_request *request)
{
	struct needs needs;

	if (!lxfw_licenses_counted(bridge, job))
		return;
	needs = needs_of(bridge, job);
	memcpy(request->pools, needs.need, sizeof(request->pools));
	request->pool_count = (uint8_t)needs.count;
	request->no_quantum = true;
}

bool lxfw_licenses_suffice(const struct lxfw_bridge *bridge,
			   const struct lxfw_request *request)
{
	for (int i = 0; i < request->pool_count; i++) {
		int32_t index = request->pools[i].pool - bridge->hosts.count;

		if (index < 0 || index >= bridge->licenses.count ||
		    lxfw_license_amount(&bridge->licenses.license[index]) <
			    request->pools[i].amount)
			return false;
	}
	return true;
}

/* --- what jobs have ------------------------------------------------------------------ */

/* Shares of licenses, after those of nodes. */
struct shares {
	struct lxfw_bridge *bridge;
	int32_t nodes;		/* number of the shares of nodes */
	int32_t count;		/* of all; -1: memory ran out */
};

static void add_share(void *context, const struct lxfw_license *license)
{
	struct shares *shares = context;
	struct lxfw_bridge *bridge = shares->bridge;
	int32_t index = find(&bridge->licenses, license), host, at = shares->count;

	if (index < 0 || license->total == 0 || shares->count < 0)
		return;
	if (LXFW_GROW(bridge->shares, bridge->shares_size, (size_t)shares->count + 1)) {
		bridge->agent.events.failed = true;
		shares->count = -1;
		return;
	}
	host = lxfw_license_host(bridge, index);
	while (at > shares->nodes && bridge->shares[at - 1].host > host)
		at--;
	if (at > shares->nodes && bridge->shares[at - 1].host == host) {
		/* of several jobs */
		lxfw_extras_add(&bridge->shares[at - 1].amount, 0, license->total);
		return;
	}
	memmove(&bridge->shares[at + 1], &bridge->shares[at],
		(size_t)(shares->count - at) * sizeof(*bridge->shares));
	bridge->shares[at] = (struct lxfw_share){ .host = host };
	lxfw_extras_add(&bridge->shares[at].amount, 0, license->total);
	shares->count++;
}

int32_t lxfw_licenses_share(struct lxfw_bridge *bridge, lxfw_slurm_list list, int32_t count)
{
	struct shares shares = { bridge, count, count };

	if (count >= 0 && bridge->licenses.count > 0)
		lxfw_compat_licenses_of(list, add_share, &shares);
	return shares.count;
}

int32_t lxfw_licenses_completing(struct lxfw_bridge *bridge, int32_t count)
{
	const struct lxfw_licenses *licenses = &bridge->licenses;
	struct shares shares = { bridge, count, count };

	for (size_t i = 0; count >= 0 && i < licenses->user_count; i++) {
		const job_record_t *job = find_job_record(licenses->user[i]);

		if (job && job->magic == JOB_MAGIC && IS_JOB_COMPLETING(job))
			lxfw_compat_licenses_of(job->license_list, add_share, &shares);
	}
	return shares.count;
}

static void add_mark(void *context, const struct lxfw_license *license)
{
	uint32_t *mark = context, hash = 2166136261;

	for (const char *c = license->name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619;
	*mark += (hash ^ license->id) * (2 * license->total + 1);
}

uint32_t lxfw_licenses_mark(const job_record_t *job)
{
	uint32_t mark = 0;

	lxfw_compat_licenses_of(job->license_list, add_mark, &mark);
	return mark;
}

void lxfw_licenses_user(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_licenses *licenses = &bridge->licenses;

	if (!job->license_list)
		return;
	if (LXFW_GROW(licenses->user, licenses->user_size, licenses->user_count + 1))
		bridge->agent.events.failed = true;
	else
		licenses->user[licenses->user_count++] = job->job_id;
}

/* --- jobs that start without the library ------------------------------------------- */

/* Whether a start leaves what reservations need. */
struct spare {
	const struct lxfw_bridge *bridge;
	const job_record_t *job;
	int64_t end;		/* of the job */
	bool enough;
};

/* Returns the number of licenses of POOL in reservations that begin before the job's end. */
static int64_t reserved(const struct spare *spare, int32_t pool)
{
	const struct lxfw_job_table *jobs = &spare->bridge->agent.jobs;
	int64_t sum = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct lxfw_known_job *known = jobs->jobs[i];

		if (!known->reserved_start || known->reserved_start >= spare->end ||
		    known->record == spare->job->job_id)
			continue;
		for (int at = 0; at < known->request.pool_count; at++) {
			if (known->request.pools[at].pool == pool)
				sum += known->request.pools[at].amount;
		}
	}
	return sum;
}

/* Updates what other jobs have taken since the look. */
static void count_again(void *context, const struct lxfw_license *license)
{
	struct lxfw_licenses *licenses = context;
	int32_t index = find(licenses, license);

	if (index >= 0)
		licenses->license[index].used = license->used;
}

/* Of several alternatives, Slurm may take any. */
static void test_spare(void *context, const struct lxfw_license *license)
{
	struct spare *spare = context;
	int32_t index = find(&spare->bridge->licenses, license);
	const struct lxfw_known_license *known;
	int64_t held;

	if (index < 0)
		return;
	known = &spare->bridge->licenses.license[index];
	held = reserved(spare, lxfw_license_host(spare->bridge, index));
	if (held && lxfw_license_amount(known) - (int64_t)known->used - license->total < held)
		spare->enough = false;
}

bool lxfw_licenses_spare(struct lxfw_bridge *bridge, const job_record_t *job, int64_t seconds)
{
	struct spare spare = {
		.bridge = bridge, .job = job, .end = bridge->agent.clock + seconds,
		.enough = true,
	};

	if (!job->license_list || bridge->licenses.count == 0)
		return true;
	lxfw_compat_licenses(count_again, &bridge->licenses);
	lxfw_compat_licenses_of(job->license_list, test_spare, &spare);
	return spare.enough;
}
