/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/multifactor.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/priority/fair.h"
#include "sim-frontend/priority/reset.h"

/* Age of a job that is not eligible. */
#define NOT_YET INT64_MIN

struct job {
	struct lxfw_multifactor_job told;
	bool running, calculated;
	int64_t accrue, start;		/* ACCRUE may be NOT_YET */
	int32_t partition;		/* the partition that represents all, or in
					   which it runs */
	double billable;		/* of a running job: billed TRES per second */
	uint64_t tres[LXFW_TRES_MAX];	/* requested or allocated */
	uint32_t priority;
	uint32_t of_partition[LXFW_MULTIFACTOR_PARTITIONS_MAX];
	struct lxfw_multifactor_factors factors;
	int32_t before, next;		/* by submission; NEXT also of free entries */
};

struct lxfw_multifactor {
	const struct lxfw_multifactor_site *site;
	struct lxfw_multifactor_params params;
	struct lxfw_calendar calendar;
	struct lxfw_fair fair;
	struct job *jobs;
	size_t job_count, job_size;
	int32_t first, last, unused;	/* -1: none */
	struct lxfw_id_map by_id;
	int64_t due, last_run;		/* LAST_RUN: INT64_MIN before the first step */
	int64_t last_reset, next_reset;
	double decay;			/* per second */
	uint64_t *changed;
	size_t changed_count, changed_size;
};

struct lxfw_multifactor *
lxfw_multifactor_new(const struct lxfw_multifactor_site *site,
		     const struct lxfw_multifactor_params *params,
		     const struct lxfw_calendar *calendar, int64_t start)
{
	struct lxfw_multifactor *model = calloc(1, sizeof(*model));

	if (!model)
		return NULL;
	*model = (struct lxfw_multifactor) {
		.site = site, .params = *params, .first = -1, .last = -1, .unused = -1,
		.calendar = calendar ? *calendar :
			    (struct lxfw_calendar) { .known = true, .zone = "UTC" },
		.due = params->slurmdbd ? start : INT64_MAX, .last_run = INT64_MIN,
		.last_reset = start, .decay = lxfw_fair_decay(params),
	};
	if (!params->slurmdbd)
		model->params.weight_age = model->params.weight_fairshare = 0;
	if (lxfw_fair_begin(&model->fair, &site->assocs, &model->params)) {
		free(model);
		return NULL;
	}
	model->next_reset = lxfw_multifactor_next_reset(params->reset, &model->calendar,
							start, start);
	return model;
}

void lxfw_multifactor_free(struct lxfw_multifactor *model)
{
	if (!model)
		return;
	lxfw_fair_clear(&model->fair);
	lxfw_id_map_clear(&model->by_id);
	free(model->jobs);
	free(model->changed);
	free(model);
}

struct lxfw_multifactor *lxfw_multifactor_copy(const struct lxfw_multifactor *from)
{
	struct lxfw_multifactor *model = malloc(sizeof(*model));
	int failed;

	if (!model)
		return NULL;
	*model = *from;
	model->changed = NULL;
	model->changed_count = model->changed_size = 0;
	model->by_id = (struct lxfw_id_map) { .size = 0 };
	model->job_size = from->job_count + 1;
	model->jobs = malloc(model->job_size * sizeof(*model->jobs));
	failed = lxfw_fair_copy(&model->fair, &from->fair, &model->params) || !model->jobs;
	if (!failed && from->job_count > 0)
		memcpy(model->jobs, from->jobs, from->job_count * sizeof(*model->jobs));
	for (int32_t i = model->first; i >= 0 && !failed; i = model->jobs[i].next)
		failed = lxfw_id_map_add(&model->by_id, model->jobs[i].told.id, i);
	if (!failed)
		return model;
	lxfw_multifactor_free(model);
	errno = ENOMEM;
	return NULL;
}

/* ---- jobs, in the order of their submission ---- */

static struct job *find(const struct lxfw_multifactor *model, uint64_t id)
{
	int32_t at = lxfw_id_map_get(&model->by_id, id);

	if (at >= 0)
		return &model->jobs[at];
	errno = EINVAL;
	return NULL;
}

static struct job *job_add(struct lxfw_multifactor *model, uint64_t id)
{
	int32_t at = model->unused;

	if (at < 0) {
		if (model->job_count == INT32_MAX) {
			errno = ENOMEM;
			return NULL;
		}
		if (LXFW_GROW(model->jobs, model->job_size, model->job_count + 1))
			return NULL;
		at = (int32_t)model->job_count;
	}
	if (lxfw_id_map_add(&model->by_id, id, at))
		return NULL;
	if (at == model->unused)
		model->unused = model->jobs[at].next;
	else
		model->job_count++;
	model->jobs[at] = (struct job) { .before = model->last, .next = -1 };
	if (model->last >= 0)
		model->jobs[model->last].next = at;
	else
		model->first = at;
	model->last = at;
	return &model->jobs[at];
}

static void job_remove(struct lxfw_multifactor *model, struct job *job)
{
	lxfw_id_map_remove(&model->by_id, job->told.id);
	if (job->before >= 0)
		model->jobs[job->before].next = job->next;
	else
		model->first = job->next;
	if (job->next >= 0)
		model->jobs[job->next].before = job->before;
	else
		model->last = job->before;
	job->next = model->unused;
	model->unused = (int32_t)(job - model->jobs);
}

/* ---- the priority of a job ---- */

/* Returns the weighted TRES factor in a partition. */
static double tres_in(const struct lxfw_multifactor *model, const struct job *job,
		      int32_t partition)
{
	if (!model->params.any_tres)
		return 0;
	return lxfw_factor_tres(model->site, &model->site->partitions[partition],
				&model->params, job->tres);
}

static double partition_in(const struct lxfw_multifactor *model, int32_t partition)
{
	return lxfw_factor_partition(&model->site->partitions[partition],
				     &model->params) *
	       (double)model->params.weight_partition;
}

/* Factors with a weight of 0 are not computed. In particular, computing fair share
   could affect later results. */
static void compute_factors(struct lxfw_multifactor *model, struct job *job, int64_t now)
{
	const struct lxfw_multifactor_site *site = model->site;
	const struct lxfw_multifactor_params *params = &model->params;
	const struct lxfw_multifactor_job *told = &job->told;
	struct lxfw_multifactor_factors factors = { .nice = told->nice };

	if (params->weight_age && job->accrue != NOT_YET)
		factors.age = lxfw_factor_age(params, now - job->accrue);
	if (params->weight_fairshare && told->assoc >= 0)
		factors.fairshare = lxfw_fair_factor(&model->fair, told->assoc);
	if (params->weight_job_size)
		factors.size = lxfw_factor_size(site, params, &told->size);
	if (params->weight_assoc && told->assoc >= 0)
		factors.assoc = lxfw_factor_assoc(&site->assocs.items[told->assoc], params);
	if (params->weight_qos && told->qos >= 0)
		factors.qos = lxfw_factor_qos(&site->qos.items[told->qos], params);
	factors.age *= (double)params->weight_age;
	factors.assoc *= (double)params->weight_assoc;
	factors.fairshare *= (double)params->weight_fairshare;
	factors.size *= (double)params->weight_job_size;
	factors.partition = partition_in(model, job->partition);
	factors.qos *= (double)params->weight_qos;
	factors.tres = tres_in(model, job, job->partition);
	job->factors = factors;
	job->calculated = true;
}

/* Priority 0 is reserved for held jobs. */
static uint32_t whole(double priority)
{
	return priority < 1 ? 1 : priority >= UINT32_MAX ? UINT32_MAX : (uint32_t)priority;
}

/* The order of additions is that of Slurm, which may affect the last bit. */
static uint32_t sum(const struct lxfw_multifactor_factors *f)
{
	return whole(f->age + f->assoc + f->fairshare + f->size + f->partition + f->qos +
		     f->tres - (double)f->nice);
}

static uint32_t sum_in(const struct lxfw_multifactor *model, const struct job *job,
		       int32_t partition)
{
	const struct lxfw_multifactor_factors *f = &job->factors;
	double priority = partition_in(model, partition);

	priority += f->age + f->assoc + f->fairshare + f->size + f->qos +
		    tres_in(model, job, partition) - (double)f->nice;
	return whole(priority);
}

/* Returns the priority of the job without INCR_ONLY and sets those of its partitions. */
static uint32_t compute(struct lxfw_multifactor *model, struct job *job, int64_t now)
{
	bool rises = model->params.flags & LXFW_MULTIFACTOR_INCR_ONLY;

	if (job->told.priority)
		return job->told.priority;
	compute_factors(model, job, now);
	for (int i = 0; i < job->told.partition_count && job->told.partition_count > 1; i++) {
		uint32_t priority = sum_in(model, job, job->told.partitions[i]);

		if (!rises || job->of_partition[i] < priority)
			job->of_partition[i] = priority;
	}
	return sum(&job->factors);
}

/* Calculates immediately. INCR_ONLY applies to steps only. */
static void calculate(struct lxfw_multifactor *model, struct job *job, int64_t now)
{
	job->priority = job->told.held ? 0 : compute(model, job, now);
}

static int note_change(struct lxfw_multifactor *model, uint64_t id)
{
	uint64_t *changed;

	if (LXFW_GROW(model->changed, model->changed_size,
		      model->changed_count + 1))
		return -1;
	changed = model->changed;
	changed[model->changed_count++] = id;
	return 0;
}

static int calculate_in_step(struct lxfw_multifactor *model, struct job *job, int64_t now)
{
	uint32_t before[LXFW_MULTIFACTOR_PARTITIONS_MAX], priority;
	bool changed = false;

	if (job->priority == 0 ||
	    (job->running && !(model->params.flags & LXFW_MULTIFACTOR_CALCULATE_RUNNING)))
		return 0;
	for (int i = 0; i < job->told.partition_count; i++)
		before[i] = job->of_partition[i];
	priority = compute(model, job, now);
	if (!(model->params.flags & LXFW_MULTIFACTOR_INCR_ONLY) ||
	    job->priority < priority) {
		changed = job->priority != priority;
		job->priority = priority;
	}
	for (int i = 0; i < job->told.partition_count; i++)
		changed |= before[i] != job->of_partition[i];
	return changed ? note_change(model, job->told.id) : 0;
}

/* ---- usage ---- */

/* Adds the usage of a running job since the last step. It is decayed as if it all
   occurred at the beginning of this time, as in Slurm. */
static void charge(struct lxfw_multifactor *model, const struct job *job, int64_t now)
{
	int64_t from = job->start > model->last_run ? job->start : model->last_run;
	double seconds = now > from ? (double)(now - from) : 0;
	double usage = seconds * pow(model->decay, seconds) * job->billable;

	if (job->told.qos >= 0)
		usage *= model->site->qos.items[job->told.qos].usage_factor;
	lxfw_fair_charge(&model->fair, job->told.assoc, usage);
}

static void charge_end(struct lxfw_multifactor *model, const struct job *job, int64_t now)
{
	if (job->running && model->params.enforce_limits && job->told.assoc >= 0)
		charge(model, job, now);
}

/* ---- events of jobs ---- */

static void bill(const struct lxfw_multifactor *model, struct job *job)
{
	const struct lxfw_multifactor_partition *partition =
		&model->site->partitions[job->partition];

	job->billable = lxfw_tres_bill(&model->site->tres, job->tres,
		partition->billed ? partition->billing : NULL,
		model->params.flags & LXFW_MULTIFACTOR_MAX_TRES);
	job->tres[LXFW_TRES_BILLING] = (uint64_t)job->billable;
}

static void begin_waiting(struct lxfw_multifactor *model, struct job *job, int64_t now)
{
	job->running = false;
	job->accrue = model->params.flags & LXFW_MULTIFACTOR_ACCRUE_ALWAYS ? now :
								      NOT_YET;
	job->partition = job->told.partitions[0];
	for (int i = 0; i < LXFW_TRES_MAX; i++)
		job->tres[i] = job->told.tres[i];
	bill(model, job);
	calculate(model, job, now);
}

static bool is_job(const struct lxfw_multifactor_site *site,
		   const struct lxfw_multifactor_job *job)
{
	bool fine = job->id != 0 && job->partition_count >= 1 &&
		    job->partition_count <= LXFW_MULTIFACTOR_PARTITIONS_MAX &&
		    job->assoc < (int32_t)site->assocs.count &&
		    job->qos < (int32_t)site->qos.count;

	for (int i = 0; fine && i < job->partition_count; i++)
		fine = job->partitions[i] >= 0 &&
		       job->partitions[i] < (int32_t)site->partition_count;
	return fine;
}

int lxfw_multifactor_submit(struct lxfw_multifactor *model,
			    const struct lxfw_multifactor_job *job, int64_t now)
{
	struct job *added;

	if (!is_job(model->site, job) || lxfw_id_map_get(&model->by_id, job->id) >= 0) {
		errno = EINVAL;
		return -1;
	}
	added = job_add(model, job->id);
	if (!added)
		return -1;
	added->told = *job;
	begin_waiting(model, added, now);
	return 0;
}

/* Returns a pending job, or NULL with errno EINVAL. */
static struct job *find_waiting(const struct lxfw_multifactor *model, uint64_t id)
{
	struct job *job = find(model, id);

	if (!job || !job->running)
		return job;
	errno = EINVAL;
	return NULL;
}

int lxfw_multifactor_eligible(struct lxfw_multifactor *model, uint64_t id, int64_t when)
{
	struct job *job = find_waiting(model, id);

	if (!job)
		return -1;
	if (job->accrue == NOT_YET && !job->told.held)
		job->accrue = when;
	return 0;
}

int lxfw_multifactor_hold(struct lxfw_multifactor *model, uint64_t id)
{
	struct job *job = find_waiting(model, id);

	if (!job)
		return -1;
	job->told.held = true;
	job->priority = 0;
	for (int i = 0; i < LXFW_MULTIFACTOR_PARTITIONS_MAX; i++)
		job->of_partition[i] = 0;
	if (model->params.enforce_limits &&
	    !(model->params.flags & LXFW_MULTIFACTOR_ACCRUE_ALWAYS))
		job->accrue = NOT_YET;
	return 0;
}

int lxfw_multifactor_release(struct lxfw_multifactor *model, uint64_t id, int64_t now)
{
	struct job *job = find_waiting(model, id);

	if (!job)
		return -1;
	job->told.held = false;
	calculate(model, job, now);
	return 0;
}

int lxfw_multifactor_renice(struct lxfw_multifactor *model, uint64_t id, int32_t nice,
			    int64_t now)
{
	struct job *job = find_waiting(model, id);

	if (!job)
		return -1;
	job->told.nice = nice;
	calculate(model, job, now);
	return 0;
}

int lxfw_multifactor_start(struct lxfw_multifactor *model, uint64_t id, int32_t partition,
			   uint32_t procs, const uint64_t *tres, int64_t now)
{
	struct job *job = find_waiting(model, id);

	if (!job)
		return -1;
	if (partition < 0 || partition >= (int32_t)model->site->partition_count) {
		errno = EINVAL;
		return -1;
	}
	job->running = true;
	job->start = now;
	job->partition = partition;
	for (int i = 0; tres && i < LXFW_TRES_MAX; i++)
		job->tres[i] = tres[i];
	job->tres[LXFW_TRES_CPU] = procs;
	bill(model, job);
	return 0;
}

int lxfw_multifactor_end(struct lxfw_multifactor *model, uint64_t id, int64_t now)
{
	struct job *job = find(model, id);

	if (!job)
		return -1;
	charge_end(model, job, now);
	job_remove(model, job);
	return 0;
}

int lxfw_multifactor_requeue(struct lxfw_multifactor *model, uint64_t id, int64_t now)
{
	struct job *job = find(model, id);

	if (!job)
		return -1;
	charge_end(model, job, now);
	begin_waiting(model, job, now);
	return 0;
}

/* ---- time ---- */

int64_t lxfw_multifactor_due(const struct lxfw_multifactor *model)
{
	return model->due;
}

/* PriorityUsageResetPeriod. */
static void reset_usage(struct lxfw_multifactor *model, int64_t now)
{
	enum lxfw_multifactor_reset period = model->params.reset;

	if (now < model->next_reset)
		return;
	lxfw_fair_reset(&model->fair);
	model->last_reset = period == LXFW_MULTIFACTOR_RESET_NOW ? now : model->next_reset;
	model->next_reset = lxfw_multifactor_next_reset(period, &model->calendar,
							model->last_reset, now);
	if (period == LXFW_MULTIFACTOR_RESET_NOW)
		model->next_reset = INT64_MAX;
}

static void apply_decay(struct lxfw_multifactor *model, int64_t now)
{
	double factor = pow(model->decay, (double)(now - model->last_run));

	lxfw_fair_apply_decay(&model->fair, factor < DBL_MIN ? DBL_MIN : factor);
}

/* Usage of all jobs first, then ranks, then priorities. */
static int step_fair_tree(struct lxfw_multifactor *model, int64_t now)
{
	for (int32_t i = model->first; i >= 0; i = model->jobs[i].next) {
		if (model->jobs[i].running && model->jobs[i].told.assoc >= 0)
			charge(model, &model->jobs[i], now);
	}
	lxfw_fair_tree_rank(&model->fair);
	for (int32_t i = model->first; i >= 0; i = model->jobs[i].next) {
		if (calculate_in_step(model, &model->jobs[i], now))
			return -1;
	}
	return 0;
}

/* Job by job: the usage of jobs submitted later is not included yet. */
static int step_classic(struct lxfw_multifactor *model, int64_t now)
{
	for (int32_t i = model->first; i >= 0; i = model->jobs[i].next) {
		struct job *job = &model->jobs[i];

		if (job->running && job->told.assoc >= 0)
			charge(model, job, now);
		if (calculate_in_step(model, job, now))
			return -1;
	}
	return 0;
}

int lxfw_multifactor_step(struct lxfw_multifactor *model, int64_t now)
{
	bool fair_tree = lxfw_multifactor_is_fair_tree(&model->params);
	bool later = model->last_run != INT64_MIN && now > model->last_run;
	int result = 0;

	model->changed_count = 0;
	reset_usage(model, now);
	if (!fair_tree)
		lxfw_fair_classic_period(&model->fair);
	if (later)
		apply_decay(model, now);
	if (fair_tree)
		result = step_fair_tree(model, now);
	else if (later)
		result = step_classic(model, now);
	model->last_run = now;
	if (model->due != INT64_MAX)
		model->due += model->params.calc_period;
	return result;
}

const uint64_t *lxfw_multifactor_changed(const struct lxfw_multifactor *model,
					 size_t *count)
{
	*count = model->changed_count;
	return model->changed;
}

/* ---- results ---- */

uint32_t lxfw_multifactor_priority(const struct lxfw_multifactor *model, uint64_t id,
				   int32_t partition)
{
	const struct job *job = find(model, id);

	if (!job)
		return 0;
	for (int i = 0; i < job->told.partition_count && job->priority != 0 &&
			job->told.partition_count > 1 && !job->told.priority; i++) {
		if (job->told.partitions[i] == partition)
			return job->of_partition[i];
	}
	return job->priority;
}

uint32_t lxfw_multifactor_highest(const struct lxfw_multifactor *model, uint64_t id)
{
	int count;
	const int32_t *partitions = lxfw_multifactor_partitions(model, id, &count);
	uint32_t highest = 0;

	for (int i = 0; i < count; i++) {
		uint32_t priority = lxfw_multifactor_priority(model, id, partitions[i]);

		if (priority > highest)
			highest = priority;
	}
	return highest;
}

const int32_t *lxfw_multifactor_partitions(const struct lxfw_multifactor *model,
					   uint64_t id, int *count)
{
	const struct job *job = find(model, id);

	*count = job ? job->told.partition_count : 0;
	return job ? job->told.partitions : NULL;
}

bool lxfw_multifactor_factors(const struct lxfw_multifactor *model, uint64_t id,
			      int32_t partition, struct lxfw_multifactor_factors *factors)
{
	const struct job *job = find(model, id);

	if (!job || !job->calculated)
		return false;
	*factors = job->factors;
	if (partition >= 0 && partition != job->partition) {
		factors->partition = partition_in(model, partition);
		factors->tres = tres_in(model, job, partition);
	}
	return true;
}

void lxfw_multifactor_share(struct lxfw_multifactor *model, int32_t assoc,
			    struct lxfw_multifactor_share *share)
{
	const struct lxfw_assoc *item = &model->site->assocs.items[assoc];
	const struct lxfw_fair_usage *usage = &model->fair.usage[assoc];
	bool fair_tree = lxfw_multifactor_is_fair_tree(&model->params);

	if (!fair_tree)
		lxfw_fair_classic_know(&model->fair, assoc);
	*share = (struct lxfw_multifactor_share) {
		.shares_norm = item->shares_norm, .usage_raw = usage->raw,
		.usage_norm = (double)usage->norm,
		.usage_effective = (double)usage->effective, .level = (double)usage->level,
		.fairshare = fair_tree ? usage->factor :
			     lxfw_fair_classic_factor(&model->fair, assoc),
	};
}

long double lxfw_multifactor_usage(const struct lxfw_multifactor *model, int32_t assoc)
{
	return model->fair.usage[assoc].raw;
}
