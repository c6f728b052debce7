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
	const struct lxfw_pbs_select *select;
	struct lxfw_pbs_parsed own;	/* of a job that has none */
	struct lxfw_pbs_place place;
	size_t chunk;		/* kind of the next chunk */
	int32_t done;		/* chunks of this kind that have been placed */
	int32_t left;		/* chunks that have not */
	struct lxfw_resources *taken;	/* by vnode: by this job so far */
	bool *has_chunk;	/* by vnode: of this job */
	FILE *text;		/* NULL: only whether they fit is of interest */
	bool any;
	bool unused;		/* as if no other job used the vnodes */
	bool all_up;		/* as if all vnodes were up */
	bool bundle;		/* all chunks are on one host */
	bool largest;		/* chunks as large as the largest one are placed */
};

static const struct lxfw_pbs_vnode *vnode_of(const struct layout *layout,
					     const struct lxfw_pbs_host *host, int32_t i)
{
	return &layout->site->vnode[layout->site->by_host[host->first + i]];
}

/* What the next chunk wants of a vnode. The largest chunk may be of any kind. */
static const char *wanted(const struct layout *layout)
{
	const struct lxfw_pbs_select *select = layout->select;

	for (size_t i = 1; i < select->count && layout->largest; i++)
		if (strcmp(select->chunk[i].wanted, select->chunk[0].wanted) != 0)
			return "";
	return select->chunk[layout->chunk].wanted;
}

/* Returns false if the next chunk of the job may not be on the vnode now. */
static bool is_open(const struct layout *layout, const struct lxfw_pbs_vnode *vnode)
{
	if (layout->place.arrangement == LXFW_PBS_VSCATTER &&
	    layout->has_chunk[vnode - layout->site->vnode])
		return false;
	return (layout->all_up || vnode->up) &&
	       lxfw_pbs_serves(layout->site, vnode, layout->queue, wanted(layout)) &&
	       (layout->unused ||
		lxfw_pbs_is_open(layout->site, vnode,
				 lxfw_pbs_exclusion_on(vnode, &layout->place)));
}

/* What the vnode has for the job. */
static struct lxfw_resources free_on(const struct layout *layout,
				     const struct lxfw_pbs_vnode *vnode)
{
	struct lxfw_resources left = { 0 };

	if (!is_open(layout, vnode))
		return left;
	left = vnode->total;
	if (!layout->unused)
		lxfw_resources_subtract(&left, &vnode->used);
	lxfw_resources_subtract(&left, &layout->taken[vnode - layout->site->vnode]);
	return left;
}

static void print_extra(FILE *text, const struct lxfw_pbs_kind *kind, int32_t amount)
{
	if (kind->type == LXFW_PBS_FLOAT)
		fprintf(text, ":%s=%" PRId32 ".%03" PRId32, kind->name, amount / 1000,
			amount % 1000);
	else
		fprintf(text, ":%s=%" PRId32 "%s", kind->name, amount,
			kind->type == LXFW_PBS_SIZE ? "mb" : "");
}

static void print_amount(const struct layout *layout, const char *vnode,
			 const struct lxfw_resources *amount, int64_t memory_kb,
			 bool always_procs)
{
	if (!layout->text)
		return;
	fprintf(layout->text, "%s", vnode);
	if (amount->procs || always_procs)
		fprintf(layout->text, ":ncpus=%" PRId32, amount->procs);
	if (memory_kb > 0)
		fprintf(layout->text, ":mem=%" PRId64 "kb", memory_kb);
	for (size_t i = 0; i < layout->site->kinds.count; i++) {
		const struct lxfw_pbs_kind *kind = &layout->site->kinds.kind[i];

		if (kind->place >= 0 && amount->extras[kind->place])
			print_extra(layout->text, kind, amount->extras[kind->place]);
	}
}

static void print(const struct layout *layout, const char *text)
{
	if (layout->text)
		fputs(text, layout->text);
}

static void begin_chunk(struct layout *layout)
{
	print(layout, layout->any ? "+(" : "(");
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
	print(layout, ")");
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
			print(layout, "+");
		first = false;
		print_amount(layout, vnode->name, &some, some.memory_mb * 1024, false);
		take(layout, vnode, &some);
		lxfw_resources_subtract(&need, &some);
	}
	print(layout, ")");
	return true;
}

/* Places chunks on the host of the share, at most MOST and those that the share has room
   for. */
static void place_on(struct layout *layout, const struct lxfw_share *share, int32_t most)
{
	const struct lxfw_pbs_host *host = &layout->site->host[share->host];
	struct lxfw_resources rest = share->amount;

	while (most-- > 0 && layout->left > 0) {
		const struct lxfw_pbs_chunk *chunk = &layout->select->chunk[layout->chunk];

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

/* Reads what the job requests. Returns false with errno set. */
static bool begin(struct layout *layout, const struct lxfw_pbs_site *site,
		  const struct lxfw_pbs_job *job)
{
	static const struct lxfw_pbs_queue none = { .name = (char *)"" };
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	struct lxfw_error why;
	int error = ENOMEM;

	*layout = (struct layout){ .site = site, .queue = queue ? queue : &none };
	layout->select = lxfw_pbs_select_of(job->parsed ? job->parsed : &layout->own, job->select,
					    &site->kinds, &why);
	if (!layout->select ||
	    !lxfw_pbs_place_read(&layout->place, job->place, &why)) {
		error = !layout->select && errno == ENOMEM ? ENOMEM : EINVAL;
	} else {
		layout->left = layout->select->total;
		layout->taken = calloc(site->vnode_count + 1, sizeof(*layout->taken));
		layout->has_chunk = calloc(site->vnode_count + 1, sizeof(*layout->has_chunk));
		if (layout->taken && layout->has_chunk)
			return true;
	}
	free(layout->taken);
	free(layout->has_chunk);
	lxfw_pbs_parsed_clear(&layout->own);
	errno = error;
	return false;
}

static void end(struct layout *layout)
{
	free(layout->taken);
	free(layout->has_chunk);
	lxfw_pbs_parsed_clear(&layout->own);
}

/* --- each chunk on the first host that holds it --------------------------------------- */

/* Places at most MOST chunks of the present kind on the host, within REST, which may be NULL. Returns
   their number. */
static int32_t place_kind(struct layout *layout, int32_t at, struct lxfw_resources *rest,
			  int32_t most)
{
	const struct lxfw_pbs_host *host = &layout->site->host[at];
	const struct lxfw_pbs_chunk *chunk = &layout->select->chunk[layout->chunk];
	int32_t number = 0;

	/* There may be many. */
	if (!rest && host->count == 1 && layout->place.arrangement != LXFW_PBS_VSCATTER) {
		const struct lxfw_pbs_vnode *vnode = vnode_of(layout, host, 0);
		struct lxfw_resources left = free_on(layout, vnode), all;

		if (!is_open(layout, vnode))
			return 0;
		number = lxfw_resources_count(&chunk->need, &left, most);
		if (number <= 0)
			return 0;
		all = lxfw_resources_times(&chunk->need, number);
		take(layout, vnode, &all);
		return number;
	}
	while (number < most && (!rest || lxfw_resources_fit(&chunk->need, rest)) &&
	       (on_one(layout, host, chunk) || on_several(layout, host, chunk))) {
		if (rest)
			lxfw_resources_subtract(rest, &chunk->need);
		number++;
	}
	return number;
}

static bool place_first(struct layout *layout, const struct lxfw_share *shares, int32_t count,
			struct lxfw_resources *rest, bool *used)
{
	bool scatter = layout->place.arrangement == LXFW_PBS_SCATTER;

	for (int32_t i = 0; i < count; i++) {
		if (shares[i].host < 0 || shares[i].host >= layout->site->host_count)
			return false;
		rest[i] = shares[i].amount;
	}
	for (; layout->chunk < layout->select->count; layout->chunk++) {
		int32_t left = layout->select->chunk[layout->chunk].count;

		for (int32_t i = 0; i < count && left > 0; i++) {
			int32_t number = scatter && used[i] ? 0 :
				place_kind(layout, shares[i].host, &rest[i], scatter ? 1 : left);

			used[i] |= number > 0;
			left -= number;
		}
		if (left > 0)
			return false;
	}
	return true;
}

static bool place_each(struct layout *layout, const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_resources *rest = calloc((size_t)count + 1, sizeof(*rest));
	bool *used = calloc((size_t)count + 1, sizeof(*used));
	bool good = rest && used && place_first(layout, shares, count, rest, used);

	free(rest);
	free(used);
	return good;
}

static bool spread(struct layout *layout, const int32_t *hosts, int32_t count,
		   const size_t *order, bool *used,
		   bool (*each)(void *context, size_t chunk, int32_t host, int32_t number),
		   void *context)
{
	bool scatter = layout->place.arrangement == LXFW_PBS_SCATTER;

	for (size_t i = 0; i < layout->select->count; i++) {
		int32_t left = layout->select->chunk[order[i]].count;

		layout->chunk = order[i];
		for (int32_t j = 0; j < count && left > 0; j++) {
			int32_t number = scatter && used[j] ? 0 :
				place_kind(layout, hosts[j], NULL, scatter ? 1 : left);

			if (number > 0 && !each(context, order[i], hosts[j], number))
				return false;
			used[j] |= number > 0;
			left -= number;
		}
		if (left > 0)
			return false;
	}
	return true;
}

int lxfw_pbs_spread(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		    const int32_t *hosts, int32_t count, const size_t *order,
		    bool (*each)(void *context, size_t chunk, int32_t host, int32_t number),
		    void *context)
{
	struct layout layout;
	bool *used = calloc((size_t)count + 1, sizeof(*used));
	bool good = false;

	if (!used || !begin(&layout, site, job)) {
		free(used);
		return -1;
	}
	layout.unused = layout.all_up = true;
	good = spread(&layout, hosts, count, order, used, each, context);
	end(&layout);
	free(used);
	return good;
}

/* --- layouts -------------------------------------------------------------------------- */

static char *lay_out(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		     const struct lxfw_share *shares, int32_t count,
		     bool (*place)(struct layout *layout, const struct lxfw_share *shares,
				   int32_t count), bool alone)
{
	struct layout layout;
	char *text = NULL;
	size_t length;
	bool good = false;
	int error;

	if (!begin(&layout, site, job))
		return NULL;
	layout.unused = alone;
	layout.text = open_memstream(&text, &length);
	if (layout.text) {
		good = place(&layout, shares, count);
		if (fclose(layout.text) != 0) {
			free(text);
			text = NULL;
		}
	}
	error = text ? EBUSY : ENOMEM;
	end(&layout);
	if (good && text)
		return text;
	free(text);
	errno = error;
	return NULL;
}

char *lxfw_pbs_layout(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      const struct lxfw_share *shares, int32_t count)
{
	return lay_out(site, job, shares, count, place_all, false);
}

char *lxfw_pbs_layout_first(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			    const struct lxfw_share *shares, int32_t count)
{
	return lay_out(site, job, shares, count, place_each, false);
}

char *lxfw_pbs_layout_alone(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			    const int32_t *hosts, int32_t count)
{
	struct lxfw_share *shares = calloc((size_t)count + 1, sizeof(*shares));
	char *text;
	int error;

	for (int32_t i = 0; shares && i < count; i++)
		shares[i] = (struct lxfw_share){
			.host = hosts[i], .amount = site->host[hosts[i]].total,
		};
	errno = ENOMEM;
	text = shares ? lay_out(site, job, shares, count, place_all, true) : NULL;
	error = errno;
	free(shares);
	errno = error;
	return text;
}

/* --- tests of hosts ------------------------------------------------------------------- */

/* The chunks of the request that the library expects to fit into AMOUNT. */
static int32_t expected(const struct lxfw_request *request, const struct lxfw_resources *amount)
{
	if (request->shape == LXFW_SHAPE_HOSTS)
		return lxfw_resources_fit(&request->unit, amount);
	return lxfw_request_pieces(request, amount, request->count);
}

/* Returns true if PIECES chunks, each the largest, fit on the host; all chunks of a packed job. */
static bool fits(struct layout *layout, const struct lxfw_request *request, int32_t host,
		 int32_t pieces)
{
	const struct lxfw_share share = { .host = host, .amount = request->unit };
	const struct lxfw_pbs_chunk largest = { .count = 1, .need = request->unit };

	if (layout->bundle) {
		layout->chunk = 0;
		layout->done = 0;
		layout->left = layout->select->total;
		place_on(layout, &share, INT32_MAX);
		return layout->left == 0;
	}
	layout->largest = true;
	while (pieces > 0 && (on_one(layout, &layout->site->host[host], &largest) ||
			      on_several(layout, &layout->site->host[host], &largest)))
		pieces--;
	return pieces == 0;
}

bool lxfw_pbs_misfits(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      const struct lxfw_request *request, const struct lxfw_share *shares,
		      int32_t count, bool ever, bool *misfits)
{
	struct layout layout;

	if (!begin(&layout, site, job))
		return false;
	layout.unused = ever;
	layout.bundle = request->count == 1 || job->bundles > 0;
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_pbs_host *host = &site->host[shares[i].host];
		int32_t pieces = expected(request, &shares[i].amount);

		misfits[i] |= pieces > 0 && !fits(&layout, request, shares[i].host, pieces);
		for (int32_t j = 0; j < host->count; j++) {
			ptrdiff_t vnode = vnode_of(&layout, host, j) - site->vnode;

			layout.taken[vnode] = (struct lxfw_resources){ 0 };
			layout.has_chunk[vnode] = false;
		}
	}
	end(&layout);
	return true;
}
