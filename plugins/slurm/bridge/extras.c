/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/extras.h"

#include "plugins/slurm/bridge/gpu_sockets.h"

int lxfw_extras_find(const struct lxfw_extras *extras, uint32_t plugin_id,
		     uint32_t type_id)
{
	for (int i = 0; i < extras->count; i++) {
		if (extras->extra[i].plugin_id == plugin_id &&
		    extras->extra[i].type_id == type_id)
			return i;
	}
	return -1;
}

/* Returns the index of a kind, which is added if there is space; otherwise -1. */
static int enter(struct lxfw_extras *extras, const gres_state_t *gres, uint32_t type_id)
{
	uint32_t plugin_id = gres->plugin_id;
	int index = lxfw_extras_find(extras, plugin_id, type_id);

	if (index >= 0 || extras->count == LXFW_EXTRAS_MAX)
		return index;
	extras->extra[extras->count] = (struct lxfw_extra){
		.plugin_id = plugin_id,
		.type_id = type_id,
	};
	if (lxfw_gres_is_gpu(gres))
		extras->gpus |= (uint8_t)(1 << extras->count);
	return extras->count++;
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
			     bool unallocated, struct lxfw_resources *amount)
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
		extra = enter(extras, gres, NO_VAL);
		lxfw_extras_add(amount, extra,
				left_of(state->gres_cnt_avail,
					state->gres_cnt_alloc, unallocated));
		for (int i = 0; i < state->type_cnt; i++) {
			if (!state->type_name[i])
				continue;
			extra = enter(extras, gres, state->type_id[i]);
			lxfw_extras_add(amount, extra,
					left_of(state->type_cnt_avail[i],
						state->type_cnt_alloc[i],
						unallocated));
		}
	}
	list_iterator_destroy(each);
	return sockets;
}
