/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/gpu_sockets.h"

#include "common/model/sockets.h"

/* Returns the socket of all cores in a bitmap, or -1. Cores are numbered from those of socket 0
   on. */
static int socket_of_cores(const node_record_t *node, const bitstr_t *cores)
{
	bitstr_t *bits = (bitstr_t *)cores;
	int64_t first, last;

	if (!cores || node->cores == 0)
		return -1;
	first = bit_ffs(bits);
	last = bit_fls(bits);
	return first >= 0 && first / node->cores == last / node->cores &&
	       first / node->cores < LXFW_SOCKETS_MAX ? (int)(first / node->cores) : -1;
}

/* Adds the GPUs that are in LISTED, but not in BUT, or without LISTED all, to *SOCKETS. Returns
   false if the sockets of one are not known. */
static bool add_gpus(const node_record_t *node, const gres_node_state_t *state,
		     const bitstr_t *listed, const bitstr_t *but, uint32_t *sockets)
{
	int64_t found = 0, wanted;

	for (int i = 0; i < state->topo_cnt; i++) {
		bitstr_t *gpus = state->topo_gres_bitmap ? state->topo_gres_bitmap[i] : NULL;
		int socket = state->topo_core_bitmap ?
				     socket_of_cores(node, state->topo_core_bitmap[i]) : -1;

		for (int64_t gpu = 0; gpus && gpu < (int64_t)bit_size(gpus); gpu++) {
			if (!bit_test(gpus, gpu) ||
			    (listed && (gpu >= (int64_t)bit_size((bitstr_t *)listed) ||
					!bit_test((bitstr_t *)listed, gpu))))
				continue;
			found++;
			if (socket < 0)
				return false;
			if (but && gpu < (int64_t)bit_size((bitstr_t *)but) &&
			    bit_test((bitstr_t *)but, gpu))
				continue;
			if (lxfw_sockets_at(*sockets, socket) == LXFW_SOCKET_GPUS_MAX)
				return false;
			*sockets += lxfw_sockets_of(1, socket);
		}
	}
	wanted = listed ? bit_set_count((bitstr_t *)listed) : (int64_t)state->gres_cnt_avail;
	return found == wanted;
}

uint32_t lxfw_gpu_sockets(const node_record_t *node, const gres_node_state_t *state,
			  bool unallocated)
{
	uint32_t total = 0, left = 0;

	if (state->topo_cnt < 2 || state->type_cnt > 1 ||
	    !add_gpus(node, state, NULL, NULL, &total) || lxfw_sockets_count(total) < 2)
		return 0;
	if (!unallocated)
		return total;
	return add_gpus(node, state, NULL, state->gres_bit_alloc, &left) ? left : 0;
}

uint32_t lxfw_gpu_sockets_of(const node_record_t *node, const bitstr_t *gpus)
{
	lxfw_slurm_iterator each;
	gres_state_t *gres;
	uint32_t sockets = 0;
	bool known = false;

	if (!node->gres_list)
		return 0;
	each = list_iterator_create(node->gres_list);
	while (!known && (gres = list_next(each)) != NULL) {
		if (gres->gres_data && lxfw_gres_is_gpu(gres))
			known = add_gpus(node, gres->gres_data, gpus, NULL, &sockets);
	}
	list_iterator_destroy(each);
	return known ? sockets : 0;
}
