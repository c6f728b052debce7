/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributes chunks over vnodes. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/request.h"

struct layout {
	const struct lxfw_pbs_site *site;
	const struct lxfw_pbs_queue *queue;
	struct lxfw_pbs_select select;
	struct lxfw_pbs_place place;
	size_t chunk;		/* kind of the next chunk */
	int32_t done;		/* chunks of this kind that have been placed */
	int32_t left;		/* chunks that have not */
	struct lxfw_resources *taken;	/* by vnode: by this job so far */
	bool *has_chunk;	/* by vnode: of this job */
	FILE *text;
	bool any;
};

static const struct lxfw_pbs_vnode *vnode_of(const struct layout *layout,
					     const struct lxfw_pbs_host *host, int32_t i)
{
	return &layout->site->vnode[layout->site->by_host[host->first + i]];
}

/* Returns false if the next chunk of the job may not be on the vnode now. */
static bool is_open(const struct layout *layout, const struct lxfw_pbs_vnode *vnode)
{
	if (layout->place.arrangement == LXFW_PBS_VSCATTER &&
	    layout->has_chunk[vnode - layout->site->vnode])
		return false;
	return vnode->up &&
	       lxfw_pbs_serves(layout->site, vnode, layout->queue,
			       layout->select.chunk[layout->chunk].wanted) &&
	       lxfw_pbs_is_open(layout->site, vnode,
				lxfw_pbs_requested_exclusion(&layout->place));
}

/* What the vnode has for the job. */
static struct lxfw_resources free_on(const struct layout *layout,
				     const struct lxfw_pbs_vnode *vnode)
{
	struct lxfw_resources left = { 0 };

	if (!is_open(layout, vnode))
		return left;
	left = vnode->total;
	lxfw_resources_subtract(&left, &vnode->used);
	lxfw_resources_subtract(&left, &layout->taken[vnode - layout->site->vnode]);
	return left;
}

static void print_amount(const struct layout *layout, const char *vnode,
			 const struct lxfw_resources *amount, int64_t memory_kb,
			 bool always_procs)
{
	fprintf(layout->text, "%s", vnode);
	if (amount->procs || always_procs)
		fprintf(layout->text, ":ncpus=%" PRId32, amount->procs);
	if (memory_kb > 0)
		fprintf(layout->text, ":mem=%" PRId64 "kb", memory_kb);
	for (size_t i = 0; i < layout->site->kinds.count; i++) {
		const struct lxfw_pbs_kind *kind = &layout->site->kinds.kind[i];

		if (kind->place >= 0 && amount->extras[kind->place])
			fprintf(layout->text, ":%s=%" PRId32 "%s", kind->name,
				amount->extras[kind->place],
				kind->type == LXFW_PBS_SIZE ? "mb" : "");
	}
}

static void begin_chunk(struct layout *layout)
{
	fputs(layout->any ? "+(" : "(", layout->text);
	layout->any = true;
}

static void take(struct layout *layout, const struct lxfw_pbs_vnode *vnode,
		 const struct lxfw_resources *amount)
{
	lxfw_resources_add(&layout->taken[vnode - layout->site->vnode], amount);
	layout->has_chunk[vnode - layout->site->vnode] = true;
}

/* Places the chunk on the vnode of the host that has the fewest free processors and holds
   it. */
static bool on_one(struct layout *layout, const struct lxfw_pbs_host *host,
		   const struct lxfw_pbs_chunk *chunk)
{
	const struct lxfw_pbs_vnode *best = NULL;
	int32_t least = 0;

	for (int32_t i = 0; i < host->count; i++) {
		const struct lxfw_pbs_vnode *vnode = vnode_of(layout, host, i);
		struct lxfw_resources left = free_on(layout, vnode);

		if (!is_open(layout, vnode) || !lxfw_resources_fit(&chunk->need, &left))
			continue;
		if (!best || left.procs < least) {
			best = vnode;
			least = left.procs;
		}
	}
	if (!best)
		return false;
	take(layout, best, &chunk->need);
	begin_chunk(layout);
	print_amount(layout, best->name, &chunk->need, chunk->memory_kb, true);
	fputc(')', layout->text);
	return true;
}

/* The part of NEED that LEFT has. */
static struct lxfw_resources part(const struct lxfw_resources *need,
				  const struct lxfw_resources *left)
{
	const struct lxfw_resources nothing = { 0 };
	struct lxfw_resources most = *left, part = *need;

	if (most.procs < 0)
		most.procs = 0;
	if (most.memory_mb < 0)
		most.memory_mb = 0;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (most.extras[i] < 0)
			most.extras[i] = nothing.extras[i];
	}
	lxfw_resources_lower(&part, &most);
	return part;
}

static bool is_nothing(const struct lxfw_resources *amount)
{
	const struct lxfw_resources nothing = { 0 };

	return lxfw_resources_fit(amount, &nothing);
}

/* Returns true if the host has room for the chunk on all its vnodes together. */
static bool has_room(const struct layout *layout, const struct lxfw_pbs_host *host,
		     const struct lxfw_pbs_chunk *chunk)
{
	struct lxfw_resources need = chunk->need;

	for (int32_t i = 0; i < host->count; i++) {
		struct lxfw_resources left = free_on(layout, vnode_of(layout, host, i));
		struct lxfw_resources some = part(&need, &left);

		lxfw_resources_subtract(&need, &some);
	}
	return is_nothing(&need);
}

/* Distributes the chunk over vnodes of the host. */
static bool on_several(struct layout *layout, const struct lxfw_pbs_host *host,
		       const struct lxfw_pbs_chunk *chunk)
{
	struct lxfw_resources need = chunk->need;
	bool first = true;

	if (layout->place.arrangement == LXFW_PBS_VSCATTER || is_nothing(&need) ||
	    !has_room(layout, host, chunk))
		return false;
	for (int32_t i = 0; i < host->count && !is_nothing(&need); i++) {
		const struct lxfw_pbs_vnode *vnode = vnode_of(layout, host, i);
		struct lxfw_resources left = free_on(layout, vnode);
		struct lxfw_resources some = part(&need, &left);

		if (is_nothing(&some))
			continue;
		if (first)
			begin_chunk(layout);
		else
			fputc('+', layout->text);
		first = false;
		print_amount(layout, vnode->name, &some, some.memory_mb * 1024, false);
		take(layout, vnode, &some);
		lxfw_resources_subtract(&need, &some);
	}
	fputc(')', layout->text);
	return true;
}

/* Places chunks on the host of the share, at most MOST and those that the share has room
   for. */
static void place_on(struct layout *layout, const struct lxfw_share *share, int32_t most)
{
	const struct lxfw_pbs_host *host = &layout->site->host[share->host];
	struct lxfw_resources rest = share->amount;

	while (most-- > 0 && layout->left > 0) {
		const struct lxfw_pbs_chunk *chunk = &layout->select.chunk[layout->chunk];

		if (!lxfw_resources_fit(&chunk->need, &rest) ||
		    (!on_one(layout, host, chunk) && !on_several(layout, host, chunk)))
			return;
		lxfw_resources_subtract(&rest, &chunk->need);
		layout->left--;
		if (++layout->done == chunk->count) {
			layout->chunk++;
			layout->done = 0;
		}
	}
}

/* Several chunks may be on a host, unless they are scattered. */
static bool place_all(struct layout *layout, const struct lxfw_share *shares, int32_t count)
{
	bool scatter = layout->place.arrangement == LXFW_PBS_SCATTER;

	for (int32_t i = 0; i < count; i++) {
		if (shares[i].host < 0 || shares[i].host >= layout->site->host_count)
			return false;
		place_on(layout, &shares[i], scatter ? 1 : INT32_MAX);
	}
	return layout->left == 0;
}

char *lxfw_pbs_layout(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      const struct lxfw_share *shares, int32_t count)
{
	static const struct lxfw_pbs_queue none = { .name = (char *)"" };
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	struct layout layout = { .site = site, .queue = queue ? queue : &none };
	struct lxfw_error why;
	char *text = NULL;
	size_t length;
	bool good = false;
	int error;

	if (lxfw_pbs_select_read(&layout.select, job->select, &site->kinds, &why) < 0 ||
	    !lxfw_pbs_place_read(&layout.place, job->place, &why)) {
		error = errno == ENOMEM ? ENOMEM : EINVAL;
		lxfw_pbs_select_clear(&layout.select);
		errno = error;
		return NULL;
	}
	layout.left = layout.select.total;
	layout.taken = calloc(site->vnode_count + 1, sizeof(*layout.taken));
	layout.has_chunk = calloc(site->vnode_count + 1, sizeof(*layout.has_chunk));
	layout.text = layout.taken && layout.has_chunk ? open_memstream(&text, &length) : NULL;
	if (layout.text) {
		good = place_all(&layout, shares, count);
		if (fclose(layout.text) != 0) {
			free(text);
			text = NULL;
		}
	}
	error = text ? EBUSY : ENOMEM;
	free(layout.taken);
	free(layout.has_chunk);
	lxfw_pbs_select_clear(&layout.select);
	if (good && text)
		return text;
	free(text);
	errno = error;
	return NULL;
}
