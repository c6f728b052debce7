/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the simulated server lists. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/ifl.h"
#include "tests/unit/fake_pbs_world.h"

static void add(struct batch_status *object, const char *name, const char *resource,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

static void add(struct batch_status *object, const char *name, const char *resource,
		const char *format, ...)
{
	struct attrl *attribute = calloc(1, sizeof(*attribute));
	char value[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(value, sizeof(value), format, arguments);
	va_end(arguments);
	attribute->name = strdup(name);
	attribute->resource = resource ? strdup(resource) : NULL;
	attribute->value = strdup(value);
	attribute->next = object->attribs;
	object->attribs = attribute;
}

static struct batch_status *new_object(struct batch_status **list, const char *name)
{
	struct batch_status *object = calloc(1, sizeof(*object));

	object->name = strdup(name);
	object->next = *list;
	*list = object;
	return object;
}

static void free_attribute(struct attrl *attribute)
{
	free(attribute->name);
	free(attribute->resource);
	free(attribute->value);
	free(attribute);
}

void pbs_statfree(struct batch_status *list)
{
	while (list) {
		struct batch_status *next = list->next;

		while (list->attribs) {
			struct attrl *after = list->attribs->next;

			free_attribute(list->attribs);
			list->attribs = after;
		}
		free(list->name);
		free(list);
		list = next;
	}
}

static bool is_asked(const struct attrl *asked, const char *name)
{
	bool found = !asked;

	for (; asked; asked = asked->next)
		found |= strcmp(asked->name, name) == 0;
	return found;
}

/* As the server does, leaves out what was not asked for; ASKED may be NULL: everything. */
static struct batch_status *only(struct batch_status *list, const struct attrl *asked)
{
	for (struct batch_status *object = list; object; object = object->next) {
		for (struct attrl **at = &object->attribs; *at;) {
			struct attrl *attribute = *at;

			if (is_asked(asked, attribute->name)) {
				at = &attribute->next;
				continue;
			}
			*at = attribute->next;
			free_attribute(attribute);
		}
	}
	return list;
}

struct batch_status *pbs_statrsc(int c, const char *id, struct attrl *attributes,
				 const char *extend)
{
	struct batch_status *list = NULL, *object;

	(void)c, (void)id, (void)extend;
	if (fake_pbs_dead())
		return NULL;
	object = new_object(&list, "ngpus");
	add(object, "type", NULL, "1");
	add(object, "flag", NULL, "163903");
	object = new_object(&list, "lic");
	add(object, "type", NULL, "1");
	add(object, "flag", NULL, "16447");
	object = new_object(&list, "switch");
	add(object, "type", NULL, "3");
	add(object, "flag", NULL, "131135");
	object = new_object(&list, "fast");
	add(object, "type", NULL, "11");
	add(object, "flag", NULL, "131135");
	return only(list, attributes);
}

struct batch_status *pbs_statsched(int c, struct attrl *attributes, const char *extend)
{
	struct batch_status *list = NULL, *object;

	(void)c, (void)extend;
	if (fake_pbs_dead())
		return NULL;
	object = new_object(&list, "default");
	add(object, "scheduling", NULL, fake_pbs.scheduling ? "True" : "False");
	add(object, "partition", NULL, "pbs-default");
	add(object, "preempt_order", NULL, fake_pbs.method == 'Q' ? "R" : "SCR 80 S");
	if (fake_pbs.priv)
		add(object, "sched_priv", NULL, "%s", fake_pbs.priv);
	if (fake_pbs.formula)
		add(object, "job_sort_formula", NULL, "%s", fake_pbs.formula);
	if (fake_pbs.threshold)
		add(object, "job_sort_formula_threshold", NULL, "%d", fake_pbs.threshold);
	if (fake_pbs.do_not_span)
		add(object, "do_not_span_psets", NULL, "True");
	add(object, "preempt_prio", NULL, "express_queue, normal_jobs, server_softlimits");
	/* Another scheduler, which comes first in the list. */
	object = new_object(&list, "other");
	add(object, "scheduling", NULL, fake_pbs.scheduling ? "False" : "True");
	add(object, "partition", NULL, "other");
	add(object, "preempt_order", NULL, fake_pbs.method == 'Q' ? "S" : "R");
	add(object, "sched_priv", NULL, "/nonexistent");
	add(object, "job_sort_formula", NULL, "0 - ncpus");
	add(object, "preempt_prio", NULL, "normal_jobs");
	return only(list, attributes);
}

struct batch_status *pbs_statserver(int c, struct attrl *attributes, const char *extend)
{
	struct batch_status *list = NULL, *object;

	(void)c, (void)extend;
	if (fake_pbs_dead())
		return NULL;
	object = new_object(&list, "fake");
	add(object, "restrict_res_to_release_on_suspend", NULL,
	    fake_pbs.keeps ? "mem,ngpus" : "ncpus,ngpus");
	if (fake_pbs.most_of_user)
		add(object, "max_run", NULL, "[u:PBS_GENERIC=%d]", fake_pbs.most_of_user);
	if (fake_pbs.eligible_time)
		add(object, "eligible_time_enable", NULL, "True");
	if (fake_pbs.depth)
		add(object, "backfill_depth", NULL, "%d", fake_pbs.depth);
	if (fake_pbs.hides)
		add(object, "query_other_jobs", NULL, "False");
	add(object, "default_chunk", "ncpus", "1");
	if (fake_pbs.hook)
		add(object, "has_runjob_hook", NULL, "True");
	if (fake_pbs.server_formula)
		add(object, "job_sort_formula", NULL, "%s", fake_pbs.server_formula);
	if (fake_pbs.lic)
		add(object, "resources_available", "lic", "%d", fake_pbs.lic);
	if (fake_pbs.soft_of_user)
		add(object, "max_run_soft", NULL, "[u:PBS_GENERIC=%d]", fake_pbs.soft_of_user);
	return only(list, attributes);
}

struct batch_status *pbs_statque(int c, const char *id, struct attrl *attributes,
				 const char *extend)
{
	struct batch_status *list = NULL, *object;
	char name[32];

	(void)c, (void)id, (void)extend;
	if (fake_pbs_dead())
		return NULL;
	for (int i = 0; i < FAKE_QUEUES; i++) {
		object = new_object(&list, fake_pbs_queues[i]);
		add(object, "queue_type", NULL, "Execution");
		if (fake_pbs.priority[i])
			add(object, "Priority", NULL, "%d", fake_pbs.priority[i]);
		add(object, "started", NULL, fake_pbs.stopped[i] ? "False" : "True");
		if (fake_pbs.queue_lic && i == FAKE_WORKQ)
			add(object, "resources_available", "lic", "%d", fake_pbs.queue_lic);
		if (fake_pbs.most_ncpus && i == FAKE_WORKQ)
			add(object, "max_run_res", "ncpus", "[o:PBS_ALL=%d], [u:x=0]",
			    fake_pbs.most_ncpus);
	}
	if (fake_pbs.resv.state == 2 || fake_pbs.resv.state == FAKE_ALTERED) {
		snprintf(name, sizeof(name), "R%d", fake_pbs.resv.number);
		object = new_object(&list, name);
		add(object, "queue_type", NULL, "Execution");
		add(object, "started", NULL, "True");
	}
	return only(list, attributes);
}

struct batch_status *pbs_statresv(int c, const char *id, struct attrl *attributes,
				  const char *extend)
{
	struct batch_status *list = NULL, *object;
	const struct fake_pbs_resv *resv = &fake_pbs.resv;
	char name[64];

	(void)c, (void)id, (void)extend;
	if (fake_pbs_dead() || !resv->number || resv->state == 6)
		return NULL;
	snprintf(name, sizeof(name), "R%d.fake", resv->number);
	object = new_object(&list, name);
	add(object, "reserve_state", NULL, "%d", resv->state);
	add(object, "reserve_start", NULL, "%lld", (long long)resv->start);
	add(object, "reserve_end", NULL, "%lld", (long long)resv->end);
	add(object, "schedselect", NULL, "%d:ncpus=%d", resv->chunks, resv->ncpus);
	add(object, "Resource_List", "place", "scatter");
	if (resv->count > 1) {
		add(object, "reserve_rrule", NULL, "FREQ=MINUTELY;INTERVAL=%d;COUNT=%d",
		    (int)resv->period / 60, resv->count);
		add(object, "reserve_timezone", NULL, "Europe/Berlin");
		add(object, "reserve_count", NULL, "%d", resv->count);
		add(object, "reserve_index", NULL, "%d", resv->index);
	}
	if (resv->state == 2 || resv->state == FAKE_ALTERED) {
		add(object, "queue", NULL, "R%d", resv->number);
		add(object, "resv_nodes", NULL, "%s", resv->nodes[resv->index - 1]);
		add(object, "reserve_substate", NULL, resv->degraded ? "10" : "2");
		if (resv->degraded)
			add(object, "reserve_retry", NULL, "%lld", (long long)resv->retry);
		if (resv->count > 1)
			add(object, "reserve_execvnodes", NULL, "%s", resv->sequence);
	}
	return only(list, attributes);
}

static int ncpus_in_use(const char *vnode)
{
	int sum = 0;

	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *job = &fake_pbs.job[i];

		for (int j = 0; j < job->parts && (job->state == 'R' || job->state == 'E'); j++)
			sum += strcmp(fake_pbs.vnode[job->on[j]].name, vnode) == 0 ?
				       job->part[j].ncpus : 0;
	}
	return sum;
}

struct batch_status *pbs_statvnode(int c, const char *id, struct attrl *attributes,
				   const char *extend)
{
	struct batch_status *list = NULL;

	(void)c, (void)id, (void)extend;
	if (fake_pbs_dead())
		return NULL;
	for (int i = 0; i < FAKE_VNODES; i++) {
		const struct fake_vnode *vnode = &fake_pbs.vnode[i];
		struct batch_status *object = new_object(&list, vnode->name);

		add(object, "state", NULL, vnode->up ? "free" : "offline,job-busy");
		add(object, "sharing", NULL, "default_shared");
		add(object, "resources_available", "host", "%s", vnode->host);
		add(object, "resources_available", "switch", "s%d", vnode->on_switch);
		add(object, "resources_available", "fast", vnode->fast ? "True" : "False");
		add(object, "resources_available", "ncpus", "%d", vnode->has.ncpus);
		add(object, "resources_available", "mem", "%dkb", vnode->has.mem_mb * 1024);
		add(object, "resources_available", "ngpus", "%d", vnode->has.ngpus);
		add(object, "resources_assigned", "ncpus", "%d", ncpus_in_use(vnode->name));
	}
	return only(list, attributes);
}

static void add_request(struct batch_status *object, const struct fake_pbs_job *job)
{
	static const char *const arrangements[] = { "free", "pack", "scatter", "vscatter" };
	static const char *const wants[] = { "", ":fast=True", ":fast=False" };
	char select[512] = "";

	for (int i = 0; i < job->chunks; i++)
		snprintf(select + strlen(select), sizeof(select) - strlen(select),
			 "%s1:ncpus=%d:mem=%dmb:ngpus=%d%s", i ? "+" : "",
			 job->chunk[i].ncpus, job->chunk[i].mem_mb, job->chunk[i].ngpus,
			 wants[job->want[i]]);
	if (!fake_pbs.plain)
		add(object, "schedselect", NULL, "%s", select);
	add(object, "Resource_List", "select", "%s", select);
	add(object, "Resource_List", "place", "%s%s%s", arrangements[job->arrangement],
	    job->excl ? ":excl" : "", job->group ? ":group=switch" : "");
	add(object, "Resource_List", "ncpus", "%d", fake_pbs_ncpus(job));
	if (job->lic)
		add(object, "Resource_List", "lic", "%d", job->lic);
	if (!fake_pbs.plain)
		add(object, "euser", NULL, "u%d", job->user);
	add(object, "Job_Owner", NULL, "u%d@fake", job->user);
	if (job->priority)
		add(object, "Priority", NULL, "%d", job->priority);
	if (job->least && job->state == 'Q') {
		add(object, "Resource_List", "min_walltime", "%lld", (long long)job->least);
		add(object, "Resource_List", "max_walltime", "%lld", (long long)job->walltime);
	}
	add(object, "Resource_List", "walltime", "%02lld:%02lld:%02lld",
	    (long long)job->walltime / 3600, (long long)job->walltime / 60 % 60,
	    (long long)job->walltime % 60);
}

static void add_job(struct batch_status **list, const struct fake_pbs_job *job)
{
	struct batch_status *object;
	char name[64];

	fake_pbs_name(job, name, sizeof(name));
	object = new_object(list, name);
	add_request(object, job);
	add(object, "job_state", NULL, "%c", job->state);
	add(object, "substate", NULL, job->state == 'S' ? (job->by_sched ? "45" : "43") : "42");
	if (job->reserved)
		add(object, "queue", NULL, "R%d", fake_pbs.resv.number);
	else
		add(object, "queue", NULL, "%s", fake_pbs_queues[job->queue]);
	add(object, "etime", NULL, "%lld", (long long)job->submit);
	if (job->holds)
		add(object, "Hold_Types", NULL, "%s", job->holds);
	if (job->depends)
		add(object, "depend", NULL, "%s", job->depends);
	if (job->begin)
		add(object, "Execution_Time", NULL, "%lld", (long long)job->begin);
	if (job->rank && !fake_pbs.plain)
		add(object, "queue_rank", NULL, "%lld", (long long)job->rank);
	add(object, "Rerunable", NULL, job->rerunable ? "True" : "False");
	add(object, "run_count", NULL, "%d", job->runs);
	if (job->vnodes[0]) {
		add(object, "exec_vnode", NULL, "%s", job->vnodes);
		/* It has none while the job is sent to its nodes. */
		if (job->started != fake_pbs.now)
			add(object, "stime", NULL, "%lld", (long long)job->started);
		add(object, "resources_used", "walltime", "00:00:%lld", (long long)job->ran);
	}
	if (job->comment[0])
		add(object, "comment", NULL, "%s", job->comment);
	if (job->estimated)
		add(object, "estimated", "start_time", "%lld", (long long)job->estimated);
	if (fake_pbs.eligible_time)
		add(object, "accrue_type", NULL, "%d", job->accrue_type);
	add(object, "mtime", NULL, "%lld", (long long)job->mtime);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* What jobs have used is not saved. */
static uint64_t hash_job(const struct fake_pbs_job *job)
{
	struct batch_status *object = NULL;
	uint64_t hash;

	add_job(&object, job);
	hash = hash_text(UINT64_C(0xcbf29ce484222325), object->name);
	for (const struct attrl *at = object->attribs; at; at = at->next) {
		if (strcmp(at->name, "mtime") != 0 && strcmp(at->name, "resources_used") != 0)
			hash = hash_text(hash_text(hash, at->name), at->value);
	}
	pbs_statfree(object);
	return hash;
}

/* All that hash_job() depends on. Most jobs have not changed since the last hash. */
struct hashed {
	struct fake_pbs_job job;
	uint64_t hash;
	int resv;
	bool known, sent, plain, eligible_time;
};

/* Padding counts: a difference there only costs a hash. */
static uint64_t hash_again(const struct fake_pbs_job *job, struct hashed *last)
{
	struct hashed now;

	memset(&now, 0, sizeof(now));
	memcpy(&now.job, job, sizeof(*job));
	now.job.ran = now.job.mtime = 0;
	now.job.saved = 0;
	now.resv = fake_pbs.resv.number;
	now.sent = job->started != fake_pbs.now;
	now.plain = fake_pbs.plain;
	now.eligible_time = fake_pbs.eligible_time;
	now.known = true;
	now.hash = last->hash;
	if (memcmp(&now, last, sizeof(now)) != 0) {
		now.hash = hash_job(job);
		memcpy(last, &now, sizeof(now));
	}
	return now.hash;
}

void fake_pbs_save(void)
{
	static struct hashed last[FAKE_PBS_JOBS];

	for (int i = 0; i < fake_pbs.jobs; i++) {
		struct fake_pbs_job *job = &fake_pbs.job[i];
		uint64_t hash = hash_again(job, &last[i]);

		if (hash != job->saved)
			job->mtime = fake_pbs.now;
		job->saved = hash;
	}
}

static bool has_begun(int number)
{
	for (int i = 0; i < fake_pbs.jobs; i++) {
		if (fake_pbs.job[i].number == number && fake_pbs.job[i].state != 'Q')
			return true;
	}
	return false;
}

/* The array of waiting tasks that begin with job AT, which has its comment. */
static void add_array(struct batch_status **list, int at)
{
	const struct fake_pbs_job *job = &fake_pbs.job[at];
	struct batch_status *object;
	char name[64], remaining[256] = "";

	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *other = &fake_pbs.job[i];

		if (other->number != job->number || other->state != 'Q')
			continue;
		if (i < at)
			return;	/* it has been added */
		snprintf(remaining + strlen(remaining), sizeof(remaining) - strlen(remaining),
			 "%s%d", remaining[0] ? "," : "", other->task);
	}
	snprintf(name, sizeof(name), "%d[].fake", job->number);
	object = new_object(list, name);
	add_request(object, job);
	add(object, "job_state", NULL, "%c", has_begun(job->number) ? 'B' : 'Q');
	if (job->comment[0])
		add(object, "comment", NULL, "%s", job->comment);
	if (job->estimated)
		add(object, "estimated", "start_time", "%lld", (long long)job->estimated);
	add(object, "array", NULL, "True");
	add(object, "array_indices_remaining", NULL, "%s", remaining);
	add(object, "queue", NULL, "%s", fake_pbs_queues[job->queue]);
	add(object, "etime", NULL, "%lld", (long long)job->submit);
	add(object, "Rerunable", NULL, job->rerunable ? "True" : "False");
}

/* The mtime of an array says nothing: it is not saved when its tasks change. */
static bool is_selected(const struct attropl *criteria, const struct fake_pbs_job *job,
			bool array)
{
	for (; criteria; criteria = criteria->next) {
		if (strcmp(criteria->name, "job_state") == 0 ?
			    !strchr(criteria->value, array && has_begun(job->number) ? 'B' : job->state) :
		    strcmp(criteria->name, "mtime") == 0 ?
			    criteria->op != GE || (array ? job->submit : job->mtime) <
				    atoll(criteria->value) :
			    strcmp(criteria->name, "array") != 0 || !array)
			return false;
	}
	return true;
}

struct batch_status *pbs_selstat(int c, struct attropl *criteria, struct attrl *attributes,
				 const char *extend)
{
	struct batch_status *list = NULL;

	(void)c, (void)extend;
	if (fake_pbs_dead())
		return NULL;
	fake_pbs_save();
	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *job = &fake_pbs.job[i];
		bool array = job->task >= 0 && job->state == 'Q';

		if (!is_selected(criteria, job, array) || (fake_pbs.hides && job->user != 0))
			continue;
		if (array)
			add_array(&list, i);
		else
			add_job(&list, job);
	}
	return only(list, attributes);
}
