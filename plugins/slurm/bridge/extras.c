/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/extras.h"

#include <stdio.h>
#include <string.h>

#include "plugins/slurm/bridge/gpu_sockets.h"

void lxfw_extras_clear(struct lxfw_extras *extras)
{
	for (int i = 0; i < extras->count; i++)
		FREE_NULL_BITMAP(extras->extra[i].nodes);
	memset(extras, 0, sizeof(*extras));
}

/* Returns the number of a kind, or -1. */
static int kind_of(const struct lxfw_extras *extras, uint32_t plugin_id, uint32_t type_id)
{
	for (int i = 0; i < extras->count; i++) {
		if (extras->extra[i].plugin_id == plugin_id &&
		    extras->extra[i].type_id == type_id)
			return i;
	}
	return -1;
}

int lxfw_extras_find(const struct lxfw_extras *extras, uint32_t plugin_id,
		     uint32_t type_id)
{
	int kind = kind_of(extras, plugin_id, type_id);

	return kind < 0 ? -1 : extras->extra[kind].index;
}

/* Gives an extra of its own to a kind. */
static void give_own(struct lxfw_extras *extras, struct lxfw_extra *extra)
{
	extra->index = extras->own++;
	if (extra->gpu)
		extras->gpus |= (uint8_t)(1 << extra->index);
}

/* Adds a kind if there is space. Returns its number, or -1. */
static int add_kind(struct lxfw_extras *extras, const gres_state_t *gres, uint32_t type_id,
		    const char *type, bool shares)
{
	struct lxfw_extra *extra = &extras->extra[extras->count];
	bool has_own = extras->own < LXFW_EXTRAS_MAX;

	if (extras->count == LXFW_KINDS_MAX || (!has_own && !shares))
		return -1;
	*extra = (struct lxfw_extra){
		.plugin_id = gres->plugin_id, .type_id = type_id, .index = -1,
		.gpu = lxfw_gres_is_gpu(gres), .waits = !has_own,
		.nodes = shares ? bit_alloc(node_record_count) : NULL,
	};
	snprintf(extra->name, sizeof(extra->name), "%s%s%s", gres->gres_name ? gres->gres_name : "",
		 type ? ":" : "", type ? type : "");
	if (has_own)
		give_own(extras, extra);
	extras->more |= !has_own;
	return extras->count++;
}

/* Returns the extra of a kind, which node NUMBER has, or -1. */
static int enter(struct lxfw_extras *extras, const gres_state_t *gres, uint32_t type_id,
		 const char *type, int32_t number)
{
	int kind = kind_of(extras, gres->plugin_id, type_id);
	struct lxfw_extra *extra;

	if (kind < 0)
		kind = add_kind(extras, gres, type_id, type, number >= 0);
	if (kind < 0)
		return -1;
	extra = &extras->extra[kind];
	if (number >= 0 && extra->nodes && number < bit_size(extra->nodes) &&
	    !bit_test(extra->nodes, number)) {
		bit_set(extra->nodes, number);
		extras->overlaps |= extra->index >= 0 && extras->shared >> extra->index & 1;
	}
	return extra->index;
}

void lxfw_extras_name(const struct lxfw_extras *extras, int index, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (int i = 0; i < extras->count && length < size; i++) {
		if (extras->extra[i].index == index)
			length += (size_t)snprintf(text + length, size - length, "%s%s",
						   length > 0 ? " or " : "",
						   extras->extra[i].name);
	}
}

void lxfw_extras_add(struct lxfw_resources *amount, int index, uint64_t count)
{
	int32_t most;

	if (index < 0)
		return;
	most = INT32_MAX - amount->extras[index];
	amount->extras[index] += count < (uint64_t)most ? (int32_t)count : most;
}

static uint64_t left_of(uint64_t total, uint64_t allocated, bool unallocated)
{
	if (unallocated)
		total -= allocated < total ? allocated : total;
	return total;
}

uint32_t lxfw_extras_of_node(struct lxfw_extras *extras, const node_record_t *node,
			     int32_t number, bool unallocated, struct lxfw_resources *amount)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;
	uint32_t sockets = 0;

	if (!node->gres_list || list_count(node->gres_list) == 0)
		return 0;
	each = list_iterator_create(node->gres_list);
	while ((gres = list_next(each)) != NULL) {
		const gres_node_state_t *state = gres->gres_data;
		int extra;

		if (!state || state->no_consume || state->gres_cnt_avail == 0)
			continue;
		if (lxfw_gres_is_gpu(gres))
			sockets = lxfw_gpu_sockets(node, state, unallocated);
		extra = enter(extras, gres, NO_VAL, NULL, number);
		lxfw_extras_add(amount, extra,
				left_of(state->gres_cnt_avail,
					state->gres_cnt_alloc, unallocated));
		for (int i = 0; i < state->type_cnt; i++) {
			if (!state->type_name[i])
				continue;
			extra = enter(extras, gres, state->type_id[i], state->type_name[i], number);
			lxfw_extras_add(amount, extra,
					left_of(state->type_cnt_avail[i],
						state->type_cnt_alloc[i],
						unallocated));
		}
	}
	list_iterator_destroy(each);
	return sockets;
}

/* --- shared extras ------------------------------------------------------------------ */

/* Returns true if EXTRA can have INDEX, too. */
static bool can_share(const struct lxfw_extras *extras, const struct lxfw_extra *extra, int index)
{
	for (int i = 0; i < extras->count; i++) {
		const struct lxfw_extra *other = &extras->extra[i];

		if (other->index == index &&
		    (other->gpu != extra->gpu || bit_overlap_any(other->nodes, extra->nodes)))
			return false;
	}
	return true;
}

/* Returns true if the kind has got an extra. */
static bool share(struct lxfw_extras *extras, struct lxfw_extra *extra)
{
	for (int index = 0; index < extras->own; index++) {
		if (!can_share(extras, extra, index))
			continue;
		extra->index = index;
		extras->shared |= (uint8_t)(1 << index);
		return true;
	}
	info("sched/lxfw: nodes have more than %d kinds of GRES: jobs that request one of the others are passed to Slurm's own node selection",
	     LXFW_EXTRAS_MAX);
	return false;
}

static bool has_overlap(const struct lxfw_extras *extras)
{
	for (int i = 0; i < extras->count; i++) {
		for (int j = 0; j < i; j++) {
			if (extras->extra[i].index >= 0 &&
			    extras->extra[i].index == extras->extra[j].index &&
			    bit_overlap_any(extras->extra[i].nodes, extras->extra[j].nodes))
				return true;
		}
	}
	return false;
}

enum lxfw_extras_news lxfw_extras_share(struct lxfw_extras *extras)
{
	bool shared = false;

	if (extras->overlaps && has_overlap(extras))
		return LXFW_EXTRAS_OVERLAP;
	extras->overlaps = false;
	for (int i = 0; extras->more && i < extras->count; i++) {
		struct lxfw_extra *extra = &extras->extra[i];

		if (extra->waits)
			shared |= share(extras, extra);
		extra->waits = false;
	}
	extras->more = false;
	return shared ? LXFW_EXTRAS_MORE : LXFW_EXTRAS_SAME;
}

static uint64_t mask_of(const struct lxfw_extras *extras, uint32_t plugin_id, uint32_t type_id)
{
	int kind = kind_of(extras, plugin_id, type_id);

	if (kind < 0 || extras->extra[kind].index < 0 ||
	    !(extras->shared >> extras->extra[kind].index & 1))
		return 0;
	return UINT64_C(1) << kind;
}

uint64_t lxfw_extras_asked(const struct lxfw_extras *extras, const job_record_t *job)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;
	uint64_t kinds = 0;

	if (!extras->shared || !job->gres_list_req)
		return 0;
	each = list_iterator_create(job->gres_list_req);
	while ((gres = list_next(each)) != NULL) {
		const gres_job_state_t *state = gres->gres_data;

		kinds |= mask_of(extras, gres->plugin_id, NO_VAL);
		if (state && state->type_name)
			kinds |= mask_of(extras, gres->plugin_id, state->type_id);
	}
	list_iterator_destroy(each);
	return kinds;
}

void lxfw_extras_keep_nodes(const struct lxfw_extras *extras, uint64_t kinds, bitstr_t *nodes)
{
	for (int i = 0; i < extras->count; i++) {
		if (kinds >> i & 1)
			bit_and(nodes, extras->extra[i].nodes);
	}
}
