/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an OpenPBS server reports, line by line: "v NAME", "q NAME", "r NAME", "j ID" and "s NAME"
 * begin a vnode, a queue, a reservation, a job and the scheduler, and other lines set an
 * attribute of it, or of the server before the first of these: "NAME RESOURCE VALUE" with - for
 * no resource. Requests and layouts are made of all waiting jobs: a layout names only vnodes of
 * the site, and uses no more than they have. The vnodes of reservations are read again as they
 * are written. Lines of "c", "d" and "h" are of sched_config, dedicated_time and holidays.
 */
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>

#include "plugins/pbs/calendar.h"
#include "plugins/pbs/formula.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/usage.h"

const char fuzz_name[] = "pbs_site";

struct reading {
	struct lxfw_pbs_site site;
	char kind;
	struct lxfw_pbs_vnode *vnode;
	struct lxfw_pbs_queue *queue;
	struct lxfw_pbs_resv *resv;
	struct lxfw_pbs_job *job;
	struct lxfw_pbs_calendar calendar;
	struct lxfw_pbs_formula formula;
};

static void begin_object(struct reading *reading, const char *line)
{
	reading->kind = line[0];
	switch (line[0]) {
	case 's':
		break;
	case 'v':
		reading->vnode = lxfw_pbs_site_vnode(&reading->site, line + 2);
		break;
	case 'q':
		reading->queue = lxfw_pbs_site_queue(&reading->site, line + 2);
		break;
	case 'r':
		reading->resv = lxfw_pbs_site_resv(&reading->site, line + 2);
		break;
	default:
		reading->job = lxfw_pbs_site_job(&reading->site, line + 2);
		break;
	}
}

static void set_attribute(struct reading *reading, char *line)
{
	char *rest = line, *name = strsep(&rest, " "), *resource = strsep(&rest, " ");

	if (!resource || !rest)
		return;
	if (strcmp(resource, "-") == 0)
		resource = NULL;
	switch (reading->kind) {
	case 'v':
		lxfw_pbs_vnode_set(&reading->site, reading->vnode, name, resource, rest);
		break;
	case 'q':
		lxfw_pbs_queue_set(&reading->site, reading->queue, name, resource, rest);
		break;
	case 'r':
		lxfw_pbs_resv_set(reading->resv, name, resource, rest);
		break;
	case 'j':
		lxfw_pbs_job_set(reading->job, name, resource, rest);
		break;
	case 's':
		lxfw_pbs_sched_set(&reading->site.sched, name, rest);
		break;
	default:
		lxfw_pbs_server_set(&reading->site, name, resource, rest);
		break;
	}
}

static void read_line(struct reading *reading, char *line)
{
	if (line[0] && strchr("cdh", line[0]) && line[1] == ' ')
		(void)lxfw_pbs_calendar_line(&reading->calendar, line[0] == 'c' ? 0 :
					     line[0] == 'd' ? 1 : 2, line + 2);
	else if (line[0] && strchr("vqrjs", line[0]) && line[1] == ' ')
		begin_object(reading, line);
	else
		set_attribute(reading, line);
}

/* A vnode of the layout is of the site and is up. */
static bool check_vnode(void *context, const char *name, const struct lxfw_resources *amount)
{
	const struct lxfw_pbs_site *site = context;
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(site, name);

	FUZZ_CHECK(vnode && vnode->up && vnode->in >= 0);
	FUZZ_CHECK(amount->procs >= 0 && amount->memory_mb >= 0);
	return true;
}

/* Of each vnode that the layout uses, at most all is in use then. */
static void place(struct lxfw_pbs_site *site, struct lxfw_pbs_job *job,
		  const struct lxfw_pbs_set *set)
{
	struct lxfw_share *shares = calloc((size_t)set->count + 1, sizeof(*shares));
	struct lxfw_resources *before = calloc(site->vnode_count + 1, sizeof(*before));
	char *vnodes;

	FUZZ_CHECK(shares && before);
	for (int32_t i = 0; i < set->count; i++) {
		shares[i].host = set->hosts[i];
		shares[i].amount = site->host[set->hosts[i]].total;
	}
	for (size_t i = 0; i < site->vnode_count; i++)
		before[i] = site->vnode[i].used;
	vnodes = lxfw_pbs_layout(site, job, shares, set->count);
	free(shares);
	if (vnodes) {
		FUZZ_CHECK(lxfw_pbs_vnodes_read(vnodes, &site->kinds, check_vnode, site));
		free(job->vnodes);
		job->vnodes = vnodes;
		lxfw_pbs_use(site, job, 1, true);
	}
	for (size_t i = 0; i < site->vnode_count; i++) {
		const struct lxfw_pbs_vnode *vnode = &site->vnode[i];

		FUZZ_CHECK(vnode->used.procs <= before[i].procs ||
			   vnode->used.procs <= vnode->total.procs);
		FUZZ_CHECK(vnode->used.memory_mb <= before[i].memory_mb ||
			   vnode->used.memory_mb <= vnode->total.memory_mb);
	}
	free(before);
}

/* A name that would end at another place. */
static bool has_odd_names(const struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->vnode_count; i++) {
		const char *name = site->vnode[i].name;

		if (!*name || strpbrk(name, ":+()=") || strlen(name) > 500)
			return true;
		for (size_t j = 0; j < i; j++) {
			if (strcmp(name, site->vnode[j].name) == 0)
				return true;
		}
	}
	return false;
}

static void use_site(struct reading *reading)
{
	struct lxfw_pbs_site *site = &reading->site;
	struct lxfw_pbs_sets sets = { 0 };
	struct lxfw_share *shares = NULL;
	size_t size = 0;
	bool odd = has_odd_names(site), changed;
	struct lxfw_error unread;

	FUZZ_CHECK(lxfw_pbs_site_end(site));
	(void)lxfw_pbs_formula_use(&reading->formula, site->sched.formula, &site->kinds, &changed,
				   &unread);
	for (size_t i = 0; i < site->job_count; i++) {
		struct lxfw_pbs_job *job = &site->job[i];
		struct lxfw_request request;
		struct lxfw_error why;

		(void)lxfw_pbs_limited(site, job);
		(void)lxfw_pbs_tier(site, job, 0);
		if (reading->formula.formula)
			(void)lxfw_pbs_formula_priority(
				lxfw_pbs_formula_value(&reading->formula, site, job, NULL));
		(void)lxfw_pbs_shares(site, job->vnodes, lxfw_pbs_exclusion(site, job) != LXFW_PBS_SHARED,
				      &shares, &size);
		if (lxfw_pbs_request(site, &sets, job, &request, &why) != 1)
			continue;
		request.id = 1;
		FUZZ_CHECK(lxfw_request_is_valid(&request));
		if (!odd && job->state == 'Q')
			place(site, job, &sets.set[request.host_sets[0]]);
	}
	FUZZ_CHECK(lxfw_pbs_sets_update(&sets, site));
	lxfw_pbs_sets_clear(&sets);
	free(shares);
}

static void use_resv(const struct lxfw_pbs_resv *resv)
{
	char **nodes, **again, *text;
	int32_t count;

	FUZZ_CHECK(lxfw_pbs_resv_first(resv) <= resv->occurrences || resv->occurrences == 0);
	count = resv->sequence ? lxfw_pbs_sequence_read(resv->sequence, &nodes) : -1;
	if (count < 0)
		return;
	text = lxfw_pbs_sequence_write(nodes, count);
	FUZZ_CHECK(text && lxfw_pbs_sequence_read(text, &again) == count);
	for (int32_t i = 0; i < count; i++)
		FUZZ_CHECK(strcmp(nodes[i], again[i]) == 0);
	lxfw_pbs_sequence_free(nodes, count);
	lxfw_pbs_sequence_free(again, count);
	free(text);
}

/* A change of prime time is one; a job that may start now ends in time. */
static void use_calendar(struct lxfw_pbs_calendar *calendar)
{
	static const char *const queues[] = { "workq", "ded_q", "p_q", "np_q" };
	int64_t at = 1790000000;

	/* Each search for a change asks the C library for the local times of many days. */
	for (int i = 0; i < 6; i++, at += 25925923) {
		int64_t change = lxfw_pbs_prime_change(calendar, at);
		bool prime = lxfw_pbs_is_prime(calendar, at);

		FUZZ_CHECK(change > at);
		FUZZ_CHECK(change == LXFW_NEVER ||
			   lxfw_pbs_is_prime(calendar, change) != prime);
		for (size_t j = 0; j < sizeof(queues) / sizeof(queues[0]); j++) {
			if (!lxfw_pbs_closed(calendar, queues[j], at, 3600))
				FUZZ_CHECK(lxfw_pbs_must_end(calendar, queues[j], at) >=
					   at + 3600);
		}
		(void)lxfw_pbs_meets_dedicated(calendar, at, at + 3600);
	}
	lxfw_pbs_calendar_clear(calendar);
}

/* As the files of fair share. */
static void use_shares(const uint8_t *data, size_t size, const char *text)
{
	struct lxfw_pbs_usage usage = { 0 };
	struct lxfw_error why;
	char *copy = strdup(text), *rest = copy, *line;

	FUZZ_CHECK(copy && lxfw_pbs_fairshare_begin(&usage.tree, 1));
	while ((line = strsep(&rest, "\n")) != NULL) {
		(void)lxfw_pbs_fairshare_line(&usage.tree, line, &why);
		lxfw_pbs_usage_config(&usage, line);
	}
	(void)lxfw_pbs_usage_read(&usage.tree, data, size, &why);
	lxfw_pbs_fairshare_compute(&usage.tree);
	for (size_t i = 0; i < usage.tree.count; i++) {
		const struct lxfw_pbs_entity *entity = &usage.tree.entity[i];
		double factor = lxfw_pbs_fairshare_factor(entity);

		FUZZ_CHECK(factor >= 0 && factor <= 1 && entity->share <= 1.0000001);
	}
	lxfw_pbs_usage_clear(&usage);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A zone in the form of a rule: the C library looks for no files, as it does otherwise
	   for each local time. */
	static bool zoned;
	static struct reading reading;
	char *text = malloc(size + 1), *rest = text, *line;

	FUZZ_CHECK(text);
	if (!zoned) {
		FUZZ_CHECK(setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1) == 0);
		zoned = true;
	}
	memcpy(text, data, size);
	text[size] = '\0';
	/* The files of fair share have little in common with the rest. */
	if (size % 3 == 0)
		use_shares(data, size, text);
	memset(&reading, 0, sizeof(reading));
	FUZZ_CHECK(lxfw_pbs_kinds_init(&reading.site.kinds));
	FUZZ_CHECK(lxfw_pbs_kinds_add(&reading.site.kinds, "color", "4", "131135"));
	FUZZ_CHECK(lxfw_pbs_kinds_add(&reading.site.kinds, "scratch", "5", "163903"));
	FUZZ_CHECK(lxfw_pbs_kinds_add(&reading.site.kinds, "lic", "1", "16447"));
	FUZZ_CHECK(lxfw_pbs_kinds_add(&reading.site.kinds, "tape", "1", "196671"));
	lxfw_pbs_sched_begin(&reading.site.sched);
	lxfw_pbs_site_begin(&reading.site);
	while ((line = strsep(&rest, "\n")) != NULL)
		read_line(&reading, line);
	use_site(&reading);
	for (size_t i = 0; i < reading.site.resv_count; i++)
		use_resv(&reading.site.resv[i]);
	use_calendar(&reading.calendar);
	lxfw_pbs_formula_clear(&reading.formula);
	lxfw_pbs_site_clear(&reading.site);
	free(text);
	return 0;
}
