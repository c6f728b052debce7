/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/select.h"
#include "plugins/pbs/text.h"

#define ITEM_MAX 512

/* --- the select ------------------------------------------------------------------------- */

struct defaults {
	const struct lxfw_pbs_site *site;
	const struct lxfw_pbs_queue *queue;
};

/* The default_chunk of the queue and, after them, those of the server: item INDEX, or NULL. */
static const struct lxfw_pbs_property *item(const struct defaults *defaults, size_t index)
{
	const struct lxfw_pbs_queue *queue = defaults->queue;
	size_t of_queue = queue ? queue->chunk_count : 0;

	if (index < of_queue)
		return &queue->chunk[index];
	index -= of_queue;
	return index < defaults->site->chunk_count ? &defaults->site->chunk[index] : NULL;
}

static bool is_count(const struct lxfw_pbs_property *item)
{
	return strcmp(item->name, "nchunk") == 0;
}

static const char *usual_count(const struct defaults *defaults)
{
	const struct lxfw_pbs_property *each;

	for (size_t i = 0; (each = item(defaults, i)) != NULL; i++) {
		if (is_count(each))
			return each->value;
	}
	return "1";
}

/* The server writes truths of one kind, by which vnodes are compared. */
static void put(FILE *to, const struct lxfw_pbs_site *site, const char *name, const char *value)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(&site->kinds, name);
	const char *quote = strpbrk(value, "\"'+:=()") ? strchr(value, '"') ? "'" : "\"" : "";
	bool truth;

	if (kind && kind->type == LXFW_PBS_BOOLEAN && lxfw_pbs_truth(value, &truth))
		value = truth ? "True" : "False";
	fprintf(to, ":%s=%s%s%s", name, quote, value, quote);
}

/* Whether the chunk from AT on requests the resource. */
static bool requests(const char *at, const char *wanted)
{
	char name[ITEM_MAX], value[ITEM_MAX];

	while (lxfw_pbs_item(&at, name, value, sizeof(name)) == 1) {
		if (strcasecmp(name, wanted) == 0)
			return true;
		if (*at == '+')
			return false;
	}
	return false;
}

/* Whether an item of the defaults before INDEX is of the same resource. */
static bool is_later(const struct defaults *defaults, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (strcasecmp(item(defaults, i)->name, item(defaults, index)->name) == 0)
			return true;
	}
	return false;
}

/* Returns false if the chunk cannot be read. */
static bool put_chunk(FILE *to, const struct defaults *defaults, const char **at)
{
	char name[ITEM_MAX], value[ITEM_MAX];
	size_t digits = strspn(*at, "0123456789");
	const struct lxfw_pbs_property *each;
	const char *items;

	if (digits)
		fprintf(to, "%.*s", (int)digits, *at);
	else
		fputs(usual_count(defaults), to);
	*at += digits;
	*at += digits && **at == ':';
	items = *at;
	while (**at && **at != '+') {
		if (lxfw_pbs_item(at, name, value, sizeof(name)) != 1)
			return false;
		put(to, defaults->site, name, value);
	}
	for (size_t i = 0; (each = item(defaults, i)) != NULL; i++) {
		if (!is_count(each) && !requests(items, each->name) && !is_later(defaults, i))
			put(to, defaults->site, each->name, each->value);
	}
	return true;
}

char *lxfw_pbs_whole_select(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue,
			    const char *select)
{
	const struct defaults defaults = { site, queue };
	const char *at = select;
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	bool good = to != NULL;

	if (!to)
		return NULL;
	while (good && *at) {
		good = put_chunk(to, &defaults, &at);
		if (good && *at == '+')
			fputc(*at++, to);
	}
	if (fclose(to) != 0) {
		free(text);
		return NULL;
	}
	if (good)
		return text;
	free(text);
	return strdup(select);
}

/* --- jobs ------------------------------------------------------------------------------- */

static const char *requested(const struct lxfw_pbs_job *job, const char *name)
{
	for (size_t i = 0; i < job->wide_count; i++) {
		if (strcmp(job->wide[i].name, name) == 0)
			return job->wide[i].value;
	}
	return NULL;
}

bool lxfw_pbs_complete_jobs(struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->job_count; i++) {
		struct lxfw_pbs_job *job = &site->job[i];
		const char *select = job->select ? NULL : requested(job, "select");

		if (select) {
			job->select = lxfw_pbs_whole_select(
				site, lxfw_pbs_site_find_queue(site, job->queue), select);
			if (!job->select)
				return false;
		}
		if (!job->user && job->owner) {
			job->user = strndup(job->owner, strcspn(job->owner, "@"));
			if (!job->user)
				return false;
		}
	}
	return true;
}

/* --- vnodes ----------------------------------------------------------------------------- */

bool lxfw_pbs_hidden_use(const struct lxfw_pbs_vnode *vnode, struct lxfw_resources *amount)
{
	const struct lxfw_resources none = { 0 };

	*amount = vnode->assigned;
	/* A job that has it alone may have requested less. */
	if (vnode->state && lxfw_pbs_listed(vnode->state, "job-exclusive") && vnode->users == 0)
		amount->procs = vnode->total.procs;
	lxfw_resources_subtract(amount, &vnode->used);
	amount->procs = amount->procs < 0 ? 0 : amount->procs;
	amount->memory_mb = amount->memory_mb < 0 ? 0 : amount->memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		amount->extras[i] = amount->extras[i] < 0 ? 0 : amount->extras[i];
	return !lxfw_resources_fit(amount, &none);
}
