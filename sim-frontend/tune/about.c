/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the inputs on which the values of settings depend. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "sim-frontend/tune/state.h"

static const char *const names[LXFW_TUNE_ABOUT] = {
	"lxfw", "trace", "machine", "weeks", "goals",
};

const char *lxfw_tune_about_name(int i)
{
	return names[i];
}

static uint32_t add(uint32_t sum, int64_t value)
{
	unsigned char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)((uint64_t)value >> 8 * i);
	return (uint32_t)crc32(sum, bytes, sizeof(bytes));
}

/* Adds the further requirements of a job, if they are simulated. */
static uint32_t add_need(uint32_t sum, const struct lxfw_need *need)
{
	const int64_t numbers[] = {
		need->hosts, need->least_hosts, need->host_memory,
		need->exclusive, need->tier, need->max_hosts, need->set_count,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sum = add(sum, numbers[i]);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		sum = add(sum, need->extras[i]);
	for (int i = 0; i < need->set_count; i++)
		sum = add(sum, need->sets[i]);
	return need->caps > 0 ? add(sum, need->caps) : sum;
}

static uint32_t sum_trace(const struct lxfw_trials *trials)
{
	const struct lxfw_trace *trace = trials->trace;
	uint32_t sum = 0;

	for (size_t i = 0; i < trace->count; i++) {
		size_t position = lxfw_trace_at(trace, i);
		const struct lxfw_trace_job *job = &trace->jobs[position];

		sum = add(sum, job->submit);
		sum = add(sum, job->run);
		sum = add(sum, job->limit);
		sum = add(sum, job->memory_kb);
		sum = add(sum, job->used_memory_kb);
		sum = add(sum, job->procs);
		if (trace->need_of)
			sum = add_need(sum, lxfw_trace_need(trace, position));
	}
	return sum;
}

static uint32_t sum_machine(const struct lxfw_cluster *cluster)
{
	uint32_t sum = 0;

	for (int32_t i = 0; i < cluster->count; i++) {
		sum = add(sum, cluster->hosts[i].total.procs);
		sum = add(sum, cluster->hosts[i].total.memory_mb);
		for (int j = 0; j < cluster->extra_count; j++)
			sum = add(sum, cluster->hosts[i].total.extras[j]);
	}
	for (int32_t i = 0; i < cluster->set_count; i++) {
		for (int32_t j = 0; j < cluster->sets[i].count; j++)
			sum = add(sum, cluster->sets[i].hosts[j]);
		sum = add(sum, -1);
	}
	for (size_t i = 0; i < cluster->block_count; i++) {
		const struct lxfw_cluster_block *block = &cluster->blocks[i];

		sum = add(add(sum, block->start), block->end);
		for (int32_t j = 0; j < block->count; j++)
			sum = add(add(sum, block->shares[j].host),
				  block->shares[j].amount.procs);
	}
	for (size_t i = 0; i < cluster->change_count; i++) {
		const struct lxfw_cluster_change *change = &cluster->changes[i];

		sum = add(add(add(sum, change->time), change->host),
			  change->procs);
	}
	return sum;
}

/* The priorities of the site. */
static uint32_t sum_priorities(const struct lxfw_simulated *priorities)
{
	const struct lxfw_multifactor_params *params;
	const struct lxfw_multifactor_site *site;
	uint32_t sum = 0;

	if (!priorities)
		return 0;
	site = &priorities->site;
	params = &site->params;
	sum = add(add(add(sum, params->weight_age), params->weight_assoc),
		  params->weight_fairshare);
	sum = add(add(add(sum, params->weight_job_size), params->weight_partition),
		  params->weight_qos);
	sum = add(add(add(sum, params->max_age), params->half_life), params->calc_period);
	sum = add(add(add(sum, params->flags), params->favor_small), params->reset);
	for (size_t i = 0; i < site->assocs.count; i++)
		sum = add(add(sum, site->assocs.items[i].shares),
			  site->assocs.items[i].usage);
	for (size_t i = 0; i < site->qos.count; i++)
		sum = add(sum, site->qos.items[i].priority);
	for (size_t i = 0; i < site->partition_count; i++)
		sum = add(sum, site->partitions[i].job_factor);
	for (size_t i = 0; i < priorities->job_count; i++)
		sum = add(add(sum, priorities->jobs[i].assoc), priorities->jobs[i].qos);
	return sum;
}

static void put_goals(const struct lxfw_goals *goals, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "minimize");

	for (int i = 0; i < lxfw_goals_count(goals) && used < size; i++) {
		const struct lxfw_goal *goal = lxfw_goals_at(goals, i);
		bool limit = i >= goals->objective_count &&
			     !lxfw_goals_judged(goals, i);

		used += (size_t)snprintf(text + used, size - used, "%s %s",
			i == 0 ? "" : limit && i == goals->objective_count ?
			" limit" : i == goals->objective_count +
			goals->limit_count ? " keep" : ",", goal->name);
		if (limit && used < size)
			used += (size_t)snprintf(text + used, size - used,
						 "<=%.17g", goal->most);
	}
}

void lxfw_tune_about(const struct lxfw_trials *trials,
		     struct lxfw_tune_about *about)
{
	const struct lxfw_simulation_options *options = trials->options;
	const struct lxfw_cluster *cluster = trials->cluster;
	size_t size = sizeof(about->texts[0]), used;

	snprintf(about->texts[0], size, "%s", PACKAGE_VERSION);
	snprintf(about->texts[1], size, "%zu jobs, checksum %08x",
		 trials->trace->count, sum_trace(trials));
	snprintf(about->texts[2], size, "%lld processors on %d hosts, memory %s, "
		 "checksum %08x; shape %d, estimates %d:%g, overrun %d, pass %d, "
		 "overhead %lld:%lld", (long long)cluster->procs, cluster->count,
		 cluster->memory_bound ? "counted" : "not counted",
		 sum_machine(cluster), options->one_host, options->estimates,
		 options->factor, options->overrun, options->pass,
		 (long long)options->start_overhead,
		 (long long)options->end_overhead);
	if (trials->priorities) {
		used = strlen(about->texts[2]);
		snprintf(about->texts[2] + used, size - used, "; priorities %08x",
			 sum_priorities(trials->priorities));
	}
	snprintf(about->texts[3], size, "%d of %lld s from %lld on, %d folds",
		 trials->weeks.count, (long long)trials->weeks.length,
		 (long long)trials->weeks.begin, trials->weeks.folds);
	put_goals(trials->goals, about->texts[4], size);
	used = strlen(about->texts[4]);
	if (trials->bound > 0 && trials->bound != LXFW_SLOWDOWN_BOUND)
		snprintf(about->texts[4] + used, size - used,
			 ", slowdown threshold %lld s", (long long)trials->bound);
}
