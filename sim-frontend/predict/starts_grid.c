/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/starts_grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/books/books.h"
#include "common/util/grow.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/trace/hostlist.h"

#define DAY 86400

static const int64_t limits[] = {
	LXFW_STARTS_SHORTEST, 3600, 4 * 3600, 12 * 3600, DAY, 3 * DAY, 7 * DAY, 30 * DAY,
};

#define LIMITS (sizeof(limits) / sizeof(*limits))
#define SIZES 48	/* most sizes of a partition */
#define KINDS 2		/* of cells: processors and whole nodes */

void lxfw_known_hosts_clear(struct lxfw_known_hosts *hosts)
{
	lxfw_names_clear(&hosts->names);
	free(hosts->indices);
	*hosts = (struct lxfw_known_hosts) { 0 };
}

int lxfw_known_hosts_see(struct lxfw_known_hosts *hosts, const struct lxfw_event *event)
{
	int32_t name;

	if (event->type != LXFW_EVENT_HOST || !event->host.name)
		return 0;
	name = lxfw_names_add(&hosts->names, event->host.name, strlen(event->host.name));
	if (name < 0 || LXFW_GROW(hosts->indices, hosts->size, (size_t)name + 1))
		return -1;
	hosts->indices[name] = event->host.index;
	return 0;
}

/* --- the hosts of a partition ------------------------------------------------------ */

struct part {
	const struct lxfw_live *live;
	struct lxfw_sched *sched;
	const struct lxfw_known_hosts *known;
	const struct lxfw_slurm_partition *of;
	struct lxfw_starts_partition *to;
	int32_t *hosts;		/* ascending */
	size_t count, size;
	int32_t set;
	double budget;		/* for the cells of a kind, seconds */
	int64_t procs;		/* of all hosts that are up */
	int64_t full;		/* number of hosts with to->procs processors or more */
};

static int take_host(void *context, const char *name)
{
	struct part *part = context;
	int32_t found = lxfw_names_find(&part->known->names, name, strlen(name));

	/* A node that the plugin does not know has no jobs. */
	if (found < 0 || part->known->indices[found] >= part->sched->profile.host_count)
		return 0;
	if (LXFW_GROW(part->hosts, part->size, part->count + 1))
		return -1;
	part->hosts[part->count++] = part->known->indices[found];
	return 0;
}

static int ascending(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a > b) - (a < b);
}

/* The size of a whole node: that of most nodes. */
static void measure(struct part *part)
{
	const struct lxfw_host *hosts = part->sched->profile.hosts;
	int64_t most = 0;

	for (size_t i = 0; i < part->count; i++) {
		const struct lxfw_host *host = &hosts[part->hosts[i]];
		int64_t same = 0, full = 0;

		if (!host->up)
			continue;
		part->procs += host->total.procs;
		for (size_t j = 0; j < part->count && part->to->procs != host->total.procs; j++) {
			same += hosts[part->hosts[j]].total.procs == host->total.procs;
			full += hosts[part->hosts[j]].total.procs >= host->total.procs;
		}
		if (same <= most)
			continue;
		most = same;
		part->to->procs = host->total.procs;
		part->full = full;
	}
}

static int find_hosts(struct part *part, struct lxfw_error *error)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET, .time = part->live->now };
	size_t kept = 0;

	if (*part->of->nodes && lxfw_hostlist_expand(part->of->nodes, strlen(part->of->nodes),
						     take_host, part, error)) {
		if (errno == ENOMEM)
			lxfw_error_set(error, "out of memory");
		return -1;
	}
	if (part->count == 0)
		return 0;
	qsort(part->hosts, part->count, sizeof(*part->hosts), ascending);
	for (size_t i = 0; i < part->count; i++) {
		if (i == 0 || part->hosts[i] != part->hosts[i - 1])
			part->hosts[kept++] = part->hosts[i];
	}
	part->count = kept;
	part->set = (int32_t)part->sched->host_set_count;
	event.host_set.id = part->set;
	event.host_set.count = (int32_t)part->count;
	event.host_set.hosts = part->hosts;
	if (lxfw_sched_apply(part->sched, &event, NULL)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	measure(part);
	return 0;
}

/* --- cells ------------------------------------------------------------------------ */

static bool at_once(const struct lxfw_starts_cell *cell, const struct lxfw_live *live)
{
	return cell->size > 0 && cell->times[LXFW_TOLD_HIGH90] <= live->now;
}

/* Computes one cell; its size is 0 if the job does not fit. */
static int compute(const struct part *part, struct lxfw_starts_cell *cell,
		   struct lxfw_error *error)
{
	struct lxfw_request_text text = {
		.tasks = cell->nodes ? cell->size * part->to->procs : cell->size,
		.cpus = 1, .nodes = cell->nodes ? cell->size : 0, .limit = cell->limit,
		.memory_per_cpu = part->to->memory, .host_set = part->set,
		.exclusive = part->to->exclusive,
	};
	struct lxfw_expected job = { .alternative_to = -1 };
	const struct lxfw_share *shares;
	struct lxfw_told told;
	int64_t start;
	int32_t found;

	if (lxfw_request_make(&text, &job.request, error))
		return -1;
	job.request.submit = part->live->now;
	job.request.tier = (int32_t)(LXFW_PARAMETERS_TIERS * part->of->tier);
	found = lxfw_sched_forecast(part->sched, &job.request, &start, &shares);
	if (found < 0 && errno == ENOMEM) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	if (found <= 0) {
		cell->size = 0;
		return 0;
	}
	if (lxfw_live_request_start(part->live, &job, error))
		return -1;
	lxfw_told_make(&told, part->live, &job);
	memcpy(cell->times, told.times, sizeof(cell->times));
	return 0;
}

/* The limits of the partition, ascending. Returns their number. */
static size_t limits_of(const struct lxfw_slurm_partition *partition, int64_t to[LIMITS])
{
	size_t count = 0;

	for (size_t i = 0; i < LIMITS; i++) {
		if (partition->max_time > 0 && limits[i] >= partition->max_time) {
			to[count++] = partition->max_time;
			break;
		}
		to[count++] = limits[i];
	}
	return count;
}

/* Powers of two up to MOST, and MOST. Returns their number. */
static size_t sizes_of(int64_t most, int64_t to[SIZES])
{
	size_t count = 0;

	for (int64_t size = 1; size < most && count < SIZES - 1; size *= 2)
		to[count++] = size;
	if (most > 0)
		to[count++] = most;
	return count;
}

/* Processor time of the process, seconds. */
static double used(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The cells of one kind. */
struct grid {
	struct lxfw_starts_cell cells[SIZES][LIMITS];
	int64_t sizes[SIZES], limits[LIMITS];
	size_t size_count, limit_count;
};

/* Every which size and limit are computed, if a cell takes EACH seconds: 1 if all are. Those
   between are as the next larger one. */
static size_t step_of(const struct grid *grid, double each, double budget)
{
	size_t step = 1;

	while (step < grid->size_count + grid->limit_count &&
	       each * (double)(((grid->size_count - 1) / step + 1) *
			       ((grid->limit_count - 1) / step + 1)) > budget)
		step++;
	return step;
}

/* Computes the cell of a size and a limit. Jobs that are larger, or longer, may start at once. */
static int compute_cell(struct part *part, struct grid *grid, bool nodes, size_t i, size_t j,
			size_t step, struct lxfw_error *error)
{
	struct lxfw_starts_cell *cell = &grid->cells[i][j];
	bool known = (i + step < grid->size_count &&
		      at_once(&grid->cells[i + step][j], part->live)) ||
		     (j + step < grid->limit_count &&
		      at_once(&grid->cells[i][j + step], part->live));

	*cell = (struct lxfw_starts_cell) {
		.nodes = nodes, .size = grid->sizes[i], .limit = grid->limits[j],
	};
	for (int k = 0; k < LXFW_TOLD_TIMES; k++)
		cell->times[k] = part->live->now;
	if (!known && compute(part, cell, error))
		return -1;
	if (cell->size == 0 || lxfw_starts_add_cell(part->to, cell) == 0)
		return 0;
	lxfw_error_set(error, "out of memory");
	return -1;
}

/* Computes the cells of one kind, from the largest to the smallest. The first one shows how long
   it takes. */
static int compute_kind(struct part *part, bool nodes, struct lxfw_error *error)
{
	struct grid grid;
	size_t step = 0;
	double begin = used();

	grid.size_count = sizes_of(nodes ? part->full : part->procs, grid.sizes);
	grid.limit_count = limits_of(part->of, grid.limits);
	for (size_t i = grid.size_count; i-- > 0;) {
		if (step > 0 && (grid.size_count - 1 - i) % step != 0)
			continue;
		for (size_t j = grid.limit_count; j-- > 0;) {
			if (step > 0 && (grid.limit_count - 1 - j) % step != 0)
				continue;
			if (compute_cell(part, &grid, nodes, i, j, step > 0 ? step : 1, error))
				return -1;
			if (step == 0)
				step = step_of(&grid, used() - begin, part->budget);
		}
	}
	return 0;
}

/* Memory per processor that the jobs of the table request. */
static void set_memory(struct part *part, bool consumable)
{
	const struct lxfw_host *hosts = part->sched->profile.hosts;
	int64_t least = 0;

	part->to->memory_given = true;
	if (!consumable)
		return;
	part->to->memory = part->of->memory;
	if (part->to->memory > 0)
		return;
	/* Without a default, a job gets all memory of its nodes: those of the table, which
	   are for jobs that request some, use their part of it. */
	part->to->memory_given = false;
	for (size_t i = 0; i < part->count; i++) {
		const struct lxfw_resources *total = &hosts[part->hosts[i]].total;
		int64_t memory = total->procs > 0 ? total->memory_mb / total->procs : 0;

		if (least == 0 || (memory > 0 && memory < least))
			least = memory;
	}
	part->to->memory = least;
}

static int compute_partition(struct part *part, bool consumable, struct lxfw_error *error)
{
	part->to->is_default = part->of->is_default;
	part->to->exclusive = part->of->exclusive;
	part->to->limit = part->of->default_time > 0 ? part->of->default_time :
						       part->of->max_time;
	if (find_hosts(part, error))
		return -1;
	/* That of a job depends on more than its size there. */
	if (part->procs == 0 || part->of->limited)
		return 0;
	set_memory(part, consumable);
	if (!part->to->exclusive && compute_kind(part, false, error))
		return -1;
	return compute_kind(part, true, error);
}

int lxfw_starts_compute(struct lxfw_starts *starts, const struct lxfw_live *live,
			struct lxfw_sched *sched, const struct lxfw_known_hosts *hosts,
			const struct lxfw_slurm_partitions *partitions, double budget,
			struct lxfw_error *error)
{
	int result = 0;

	starts->time = live->now;
	starts->corrected = live->remaining != NULL;
	for (size_t i = 0; i < partitions->count && result == 0; i++) {
		struct part part = {
			.live = live, .sched = sched, .known = hosts,
			.of = &partitions->list[i],
			.budget = budget / KINDS / (double)partitions->count,
			.to = lxfw_starts_add(starts, partitions->list[i].name),
		};

		if (part.to)
			result = compute_partition(&part, partitions->memory, error);
		else {
			lxfw_error_set(error, "out of memory");
			result = -1;
		}
		free(part.hosts);
	}
	return result;
}
