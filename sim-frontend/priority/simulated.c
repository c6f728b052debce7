/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/simulated.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/priority/multifactor.h"
#include "sim-frontend/trace/cluster_extras.h"

/* ---- what the engine calls ------------------------------------------------------- */

struct run {
	const struct lxfw_simulated *simulated;
	struct lxfw_multifactor *model;
};

static void *run_open(const void *context, int64_t start)
{
	const struct lxfw_simulated *simulated = context;
	struct run *run = malloc(sizeof(*run));

	if (!run)
		return NULL;
	run->simulated = simulated;
	run->model = lxfw_multifactor_new(&simulated->site, &simulated->site.params,
					  &simulated->calendar, start);
	if (!run->model) {
		free(run);
		errno = ENOMEM;
		return NULL;
	}
	return run;
}

static void run_close(void *context)
{
	struct run *run = context;

	lxfw_multifactor_free(run->model);
	free(run);
}

static void *run_copy(const void *context)
{
	const struct run *from = context;
	struct run *run = malloc(sizeof(*run));

	if (!run)
		return NULL;
	*run = *from;
	run->model = lxfw_multifactor_copy(from->model);
	if (run->model)
		return run;
	free(run);
	errno = ENOMEM;
	return NULL;
}

static int64_t run_due(const void *context)
{
	const struct run *run = context;

	return lxfw_multifactor_due(run->model);
}

static int run_step(void *context, int64_t now)
{
	struct run *run = context;

	return lxfw_multifactor_step(run->model, now);
}

static const uint64_t *run_changed(const void *context, size_t *count)
{
	const struct run *run = context;

	return lxfw_multifactor_changed(run->model, count);
}

static int64_t run_priority(const void *context, uint64_t job)
{
	const struct run *run = context;

	return lxfw_multifactor_highest(run->model, job);
}

/* EINVAL is of a job that was running when the record began: the model has none. */
static int unless_unknown(int result)
{
	return result && errno == EINVAL ? 0 : result;
}

static void take_partitions(const struct lxfw_simulated *simulated,
			    const struct lxfw_request *request,
			    struct lxfw_multifactor_job *job)
{
	job->partition_count = request->host_set_count;
	for (int i = 0; i < request->host_set_count; i++)
		job->partitions[i] = simulated->partition_of_set[request->host_sets[i]];
	if (job->partition_count == 0)
		job->partition_count = 1;	/* the site's first */
}

static void take_size(const struct lxfw_simulated *simulated,
		      const struct lxfw_request *request,
		      struct lxfw_multifactor_job *job)
{
	const struct lxfw_resources sum = lxfw_request_sum(request);
	int64_t minutes = request->estimate / 60 + (request->estimate % 60 > 0);
	int32_t nodes = request->shape == LXFW_SHAPE_HOSTS ? request->count :
			request->min_hosts > 0 ? request->min_hosts : 1;

	job->size = (struct lxfw_multifactor_size) {
		.procs = (uint32_t)sum.procs, .nodes = (uint32_t)nodes,
		.limit_minutes = minutes < UINT32_MAX ? (uint32_t)minutes : UINT32_MAX,
	};
	job->tres[LXFW_TRES_CPU] = (uint64_t)sum.procs;
	job->tres[LXFW_TRES_MEM] = (uint64_t)sum.memory_mb;
	job->tres[LXFW_TRES_NODE] = (uint64_t)nodes;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (simulated->tres_of_extra[i] >= 0)
			job->tres[simulated->tres_of_extra[i]] =
				(uint64_t)sum.extras[i];
	}
}

static bool is_unreserved(const void *context, uint64_t like)
{
	const struct lxfw_simulated *simulated = context;
	const struct lxfw_qos_list *list = &simulated->site.qos;
	int32_t qos;

	if (like == 0 || like > simulated->job_count)
		return false;
	qos = simulated->jobs[like - 1].qos;
	return qos >= 0 && (size_t)qos < list->count && list->items[qos].no_reserve;
}

static int run_submitted(void *context, const struct lxfw_request *request, uint64_t like,
			 int64_t now)
{
	struct run *run = context;
	const struct lxfw_simulated *simulated = run->simulated;
	struct lxfw_multifactor_job job = { .id = request->id, .assoc = -1, .qos = -1 };

	if (like > 0 && like <= simulated->job_count) {
		job.assoc = simulated->jobs[like - 1].assoc;
		job.qos = simulated->jobs[like - 1].qos;
	}
	take_partitions(simulated, request, &job);
	take_size(simulated, request, &job);
	return lxfw_multifactor_submit(run->model, &job, now) ||
	       lxfw_multifactor_eligible(run->model, request->id, now) ? -1 : 0;
}

static bool has_host(const struct lxfw_cluster_set *set, int32_t host)
{
	for (int32_t i = 0; i < set->count; i++) {
		if (set->hosts[i] == host)
			return true;
	}
	return false;
}

/* The partition in which a job starts on HOST: the first of its own that has the host. */
static int32_t partition_on(const struct run *run, uint64_t job, int32_t host)
{
	const struct lxfw_simulated *simulated = run->simulated;
	int count;
	const int32_t *own = lxfw_multifactor_partitions(run->model, job, &count);

	for (int i = 0; i < count && count > 1; i++) {
		for (int32_t set = 0; set < simulated->cluster->set_count; set++) {
			if (simulated->partition_of_set[set] == own[i] &&
			    has_host(&simulated->cluster->sets[set], host))
				return own[i];
		}
	}
	return count > 0 ? own[0] : 0;
}

static int run_started(void *context, const struct lxfw_action *action)
{
	struct run *run = context;
	int32_t host = action->count > 0 ? action->shares[0].host : 0;
	uint32_t procs = 0;

	for (int32_t i = 0; i < action->count; i++)
		procs += (uint32_t)action->shares[i].amount.procs;
	return unless_unknown(lxfw_multifactor_start(run->model, action->job,
			partition_on(run, action->job, host), procs, NULL,
			action->start));
}

static int run_requeued(void *context, uint64_t job, int64_t now)
{
	struct run *run = context;

	return unless_unknown(lxfw_multifactor_requeue(run->model, job, now) ||
			      lxfw_multifactor_eligible(run->model, job, now) ? -1 : 0);
}

static int run_ended(void *context, uint64_t job, int64_t now)
{
	struct run *run = context;

	return unless_unknown(lxfw_multifactor_end(run->model, job, now));
}

/* ---- the site -------------------------------------------------------------------- */

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* A site without partitions has one, of which nothing is said. */
static int match_partitions(struct lxfw_simulated *simulated)
{
	const struct lxfw_cluster *cluster = simulated->cluster;
	struct lxfw_multifactor_site *site = &simulated->site;
	const struct lxfw_slice none = { "", 0 };

	if (site->partition_count == 0 && lxfw_multifactor_partition_add(site, none) < 0)
		return -1;
	simulated->partition_of_set = calloc((size_t)cluster->set_count + 1,
					     sizeof(*simulated->partition_of_set));
	if (!simulated->partition_of_set)
		return -1;
	for (int32_t i = 0; i < cluster->set_count; i++) {
		int32_t partition = lxfw_cluster_partition_of(cluster, i);
		const char *name = partition < 0 ? "" : cluster->sets[partition].name;
		const struct lxfw_slice slice = { name, strlen(name) };
		int32_t found = lxfw_multifactor_partition_find(site, slice);

		simulated->partition_of_set[i] = found >= 0 ? found : 0;
	}
	return 0;
}

/* The extra "gpu" is the TRES "gres/gpu". */
static void match_extras(struct lxfw_simulated *simulated)
{
	const struct lxfw_tres_list *list = &simulated->site.tres;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		simulated->tres_of_extra[i] = -1;
		for (int j = LXFW_TRES_FIXED; j < list->count &&
				i < simulated->cluster->extra_count; j++) {
			if (strncasecmp(list->names[j], "gres/", 5) == 0 &&
			    strcasecmp(list->names[j] + 5,
				       simulated->cluster->extras[i]) == 0)
				simulated->tres_of_extra[i] = j;
		}
	}
}

int lxfw_simulated_begin(struct lxfw_simulated *simulated, const char *conf,
			 const struct lxfw_cluster *cluster, const char *assocs,
			 const char *qos, struct lxfw_error *error)
{
	*simulated = (struct lxfw_simulated) {
		.cluster = cluster, .equal_shares = !assocs,
	};
	if (lxfw_multifactor_site_begin(&simulated->site))
		return out_of_memory(error);
	if (lxfw_multifactor_site_read(&simulated->site, conf, cluster, error))
		return -1;
	if (assocs &&
	    lxfw_assocs_read(&simulated->site.assocs, assocs, NULL, error))
		return -1;
	if (qos && lxfw_qos_read(&simulated->site.qos, qos, error))
		return -1;
	if (match_partitions(simulated))
		return out_of_memory(error);
	match_extras(simulated);
	return 0;
}

/* A user with one share of an account with one share; where no account is known, of the
   root. */
static int32_t add_equal(struct lxfw_assocs *assocs, struct lxfw_slice account,
			 struct lxfw_slice user)
{
	const struct lxfw_slice none = { "", 0 };
	const struct lxfw_slice root = { "root", 4 };
	int32_t parent = 0;

	if (account.length == 0)
		account = root;
	else
		parent = lxfw_assocs_find(assocs, account, none, none);
	if (parent < 0)
		parent = lxfw_assocs_add(assocs, 0, account, none, none);
	return parent < 0 ? -1 : lxfw_assocs_add(assocs, parent, account, user, none);
}

int lxfw_simulated_find(struct lxfw_simulated *simulated, struct lxfw_slice account,
			struct lxfw_slice user, struct lxfw_slice qos, int32_t set,
			struct lxfw_simulated_job *job)
{
	struct lxfw_assocs *assocs = &simulated->site.assocs;
	struct lxfw_slice partition = { "", 0 };

	*job = (struct lxfw_simulated_job) { -1, -1 };
	set = lxfw_cluster_partition_of(simulated->cluster, set);
	if (set >= 0)
		partition = (struct lxfw_slice) {
			simulated->cluster->sets[set].name,
			strlen(simulated->cluster->sets[set].name),
		};
	if (qos.length > 0)
		job->qos = lxfw_qos_find(&simulated->site.qos, qos);
	if (user.length == 0)
		return 0;
	if (simulated->equal_shares) {
		job->assoc = add_equal(assocs, account, user);
		return job->assoc < 0 ? -1 : 0;
	}
	errno = 0;
	job->assoc = lxfw_assocs_of_job(assocs, account, user, partition);
	return errno == ENOMEM ? -1 : 0;
}

int lxfw_simulated_add(struct lxfw_simulated *simulated, uint64_t id,
		       const struct lxfw_simulated_job *job)
{
	size_t before = simulated->job_count;

	if (LXFW_GROW(simulated->jobs, simulated->job_size, (size_t)id))
		return -1;
	for (size_t i = before; i < id; i++)
		simulated->jobs[i] = (struct lxfw_simulated_job) { -1, -1 };
	if (simulated->job_count < id)
		simulated->job_count = (size_t)id;
	simulated->jobs[id - 1] = *job;
	simulated->jobs_without_assoc += job->assoc < 0;
	return 0;
}

void lxfw_simulated_finish(struct lxfw_simulated *simulated)
{
	lxfw_multifactor_site_finish(&simulated->site);
	simulated->priorities = (struct lxfw_priorities) {
		.context = simulated, .open = run_open, .close = run_close,
		.copy = run_copy, .due = run_due, .step = run_step, .changed = run_changed,
		.unreserved = is_unreserved,
		.priority = run_priority, .submitted = run_submitted,
		.started = run_started, .requeued = run_requeued, .ended = run_ended,
	};
}

void lxfw_simulated_clear(struct lxfw_simulated *simulated)
{
	int saved = errno;

	lxfw_multifactor_site_clear(&simulated->site);
	free(simulated->jobs);
	free(simulated->partition_of_set);
	*simulated = (struct lxfw_simulated) { 0 };
	errno = saved;
}
