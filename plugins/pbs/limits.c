/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/limits.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/site.h"
#include "plugins/pbs/text.h"

#define GENERIC "PBS_GENERIC"
#define NAME_SIZE 256

/* Larger amounts mean the same, so that sums do not overflow. */
#define AMOUNT_MAX (INT64_C(1) << 40)

/* --- reading -------------------------------------------------------------------------- */

/* An amount of a resource or a number of jobs. */
static bool amount_of(const char *text, int64_t *amount)
{
	size_t length = strlen(text);
	int64_t value = 0;
	bool good;

	/* A size ends with b or w; a plain number is one. */
	if (length && (text[length - 1] == 'b' || text[length - 1] == 'w'))
		good = lxfw_pbs_size(text, &value);
	else
		good = lxfw_pbs_number(text, &value);
	if (good && value > AMOUNT_MAX)
		value = AMOUNT_MAX;
	if (good)
		*amount = value;
	return good;
}

static bool add(struct lxfw_pbs_limits *limits, char kind, const char *name,
		const char *resource, bool soft, int64_t most)
{
	struct lxfw_pbs_limit *limit;

	if (LXFW_GROW(limits->limit, limits->size, limits->count + 1))
		return false;
	limit = &limits->limit[limits->count];
	*limit = (struct lxfw_pbs_limit){
		.kind = kind, .name = strdup(name), .most = most, .soft = soft,
		.resource = resource ? strdup(resource) : NULL,
	};
	limits->count++;
	return limit->name && (!resource || limit->resource);
}

/* The text without quotes around it. */
static char *unquoted(char *text)
{
	text += strspn(text, " \"");
	text[strcspn(text, "\"")] = '\0';
	return text;
}

/* Reads "[u:anna=20]" at *AT, which moves behind it and the comma. Returns false if memory
   ran out. */
static bool read_entry(struct lxfw_pbs_limits *limits, const char **at, const char *resource,
		       bool soft)
{
	char text[NAME_SIZE], *value;
	size_t length;
	int64_t most;

	*at += strspn(*at, " ,[");
	length = strcspn(*at, "]");
	if (length > 0 && length < sizeof(text)) {
		memcpy(text, *at, length);
		text[length] = '\0';
		value = strrchr(text, '=');
		if (value && text[1] == ':' && strchr("ougp", text[0])) {
			*value++ = '\0';
			value = unquoted(value);
			value[strcspn(value, " ")] = '\0';
			if (amount_of(value, &most) &&
			    !add(limits, text[0], unquoted(text + 2), resource, soft, most))
				return false;
		}
	}
	*at += length;
	if (**at)
		++*at;
	return true;
}

bool lxfw_pbs_limits_set(struct lxfw_pbs_limits *limits, const char *name,
			 const char *resource, const char *value)
{
	static const struct {
		const char *name;
		char kind;
	} old[] = {
		{ "max_running", 'o' }, { "max_user_run", 'u' }, { "max_group_run", 'g' },
		{ "max_user_res", 'u' }, { "max_group_res", 'g' },
	};
	size_t length = strlen(name), tail = strlen("_soft");
	bool soft = length > tail && strcmp(name + length - tail, "_soft") == 0;
	char hard[32] = "";
	int64_t most;

	length -= soft ? tail : 0;
	if (length >= sizeof(hard))
		return true;
	memcpy(hard, name, length);
	if (strcmp(hard, "max_run") == 0 || (strcmp(hard, "max_run_res") == 0 && resource)) {
		while (*value) {
			if (!read_entry(limits, &value, resource, soft))
				return false;
		}
		return true;
	}
	for (size_t i = 0; i < sizeof(old) / sizeof(old[0]); i++) {
		if (strcmp(hard, old[i].name) == 0 && amount_of(value, &most))
			return add(limits, old[i].kind,
				   old[i].kind == 'o' ? "PBS_ALL" : GENERIC, resource, soft,
				   most);
	}
	return true;
}

void lxfw_pbs_limits_clear(struct lxfw_pbs_limits *limits)
{
	for (size_t i = 0; i < limits->count; i++) {
		free(limits->limit[i].name);
		free(limits->limit[i].resource);
	}
	free(limits->limit);
	memset(limits, 0, sizeof(*limits));
}

void lxfw_pbs_sums_clear(struct lxfw_pbs_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++) {
		free(sums->sum[i].name);
		free(sums->sum[i].resource);
	}
	free(sums->sum);
	memset(sums, 0, sizeof(*sums));
}

/* --- sums ----------------------------------------------------------------------------- */

/* The user, group or project of the job; "" for all jobs. */
static const char *entity_of(const struct lxfw_pbs_job *job, char kind)
{
	const char *name = kind == 'u' ? job->user : kind == 'g' ? job->group :
			   kind == 'p' ? job->project : "";

	return name ? name : "";
}

/* What the job requests of the resource in all; 1 if it is the number of jobs. */
static int64_t amount_in(const struct lxfw_pbs_job *job, const char *resource)
{
	int64_t amount = 0;

	if (!resource)
		return 1;
	for (size_t i = 0; i < job->wide_count; i++) {
		if (strcmp(job->wide[i].name, resource) == 0)
			(void)amount_of(job->wide[i].value, &amount);
	}
	return amount;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* What running jobs of the entity use, in the queue or the whole server that has these
   limits. Not kept if memory runs out. */
static int64_t sum_of(struct lxfw_pbs_site *site, const struct lxfw_pbs_limits *of,
		      const char *queue, char kind, const char *name, const char *resource)
{
	struct lxfw_pbs_sums *sums = &site->sums;
	struct lxfw_pbs_sum sum = { .of = of, .kind = kind };

	for (size_t i = 0; i < sums->count; i++) {
		const struct lxfw_pbs_sum *known = &sums->sum[i];

		if (known->of == of && known->kind == kind && same(known->name, name) &&
		    same(known->resource, resource))
			return known->used;
	}
	for (size_t i = 0; i < site->job_count; i++) {
		const struct lxfw_pbs_job *job = &site->job[i];

		if (lxfw_pbs_holds(job) && (!queue || same(job->queue, queue)) &&
		    strcmp(entity_of(job, kind), name) == 0)
			sum.used += amount_in(job, resource);
	}
	if (LXFW_GROW(sums->sum, sums->size, sums->count + 1) == 0) {
		sum.name = strdup(name);
		sum.resource = resource ? strdup(resource) : NULL;
		if (sum.name && (!resource || sum.resource)) {
			sums->sum[sums->count++] = sum;
		} else {
			free(sum.name);
			free(sum.resource);
		}
	}
	return sum.used;
}

/* Returns true if the entity has a limit of its own, so that the generic one does not
   apply. */
static bool has_own(const struct lxfw_pbs_limits *limits, const struct lxfw_pbs_limit *generic,
		    const char *name)
{
	for (size_t i = 0; i < limits->count; i++) {
		const struct lxfw_pbs_limit *limit = &limits->limit[i];

		if (limit->kind == generic->kind && limit->soft == generic->soft &&
		    same(limit->resource, generic->resource) &&
		    strcmp(limit->name, name) == 0)
			return true;
	}
	return false;
}

/* Whether the limit is one of the job: of NAME, its user, group or project. */
static bool applies(const struct lxfw_pbs_limits *limits, const struct lxfw_pbs_limit *limit,
		    const char *name)
{
	if (limit->kind == 'o')
		return true;
	return strcmp(limit->name, GENERIC) == 0 ? !has_own(limits, limit, name) :
						   strcmp(limit->name, name) == 0;
}

/* The first limit that would be exceeded by the job that starts; or, if SOFT, the first soft one
   that is exceeded. */
static const struct lxfw_pbs_limit *exceeded(struct lxfw_pbs_site *site,
					     const struct lxfw_pbs_limits *limits,
					     const char *queue,
					     const struct lxfw_pbs_job *job, bool soft)
{
	for (size_t i = 0; i < limits->count; i++) {
		const struct lxfw_pbs_limit *limit = &limits->limit[i];
		const char *name = entity_of(job, limit->kind);
		int64_t needs;

		if (limit->soft != soft || !applies(limits, limit, name))
			continue;
		needs = amount_in(job, limit->resource);
		if (needs > 0 && sum_of(site, limits, queue, limit->kind, name,
					limit->resource) > limit->most - (soft ? 0 : needs))
			return limit;
	}
	return NULL;
}

const struct lxfw_pbs_limit *lxfw_pbs_limited(struct lxfw_pbs_site *site,
					      const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	const struct lxfw_pbs_limit *limit = exceeded(site, &site->limits, NULL, job, false);

	if (!limit && queue)
		limit = exceeded(site, &queue->limits, queue->name, job, false);
	return limit;
}

unsigned lxfw_pbs_over_soft(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	unsigned conditions = 0;

	if (exceeded(site, &site->limits, NULL, job, true))
		conditions |= LXFW_PBS_OVER_SERVER;
	if (queue && exceeded(site, &queue->limits, queue->name, job, true))
		conditions |= LXFW_PBS_OVER_QUEUE;
	return conditions;
}
