/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Must precede all headers. It provides the names under which the small libslurm has
   these functions, because programs linked with that library load every select
   plugin. */
#define USE_ALIAS 1
#include "src/common/slurm_xlator.h"

#include "plugins/slurm/compat/select_symbols.h"
#include "plugins/slurm/select-lxfw/layer.h"

/*
 * Up to 24.11 each plugin has its own number, and all installed plugins are loaded: 140
 * is not used by any other. In later releases only the configured plugin is loaded, and
 * the controller detects consumable resources by the stock plugin's number.
 */
#if HAS_INFORMATION
const uint32_t plugin_id = 140;
#else
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;
#endif

/* --- handed on ------------------------------------------------------------------ */

#define FORWARD(type, name, parameters, arguments)	\
	extern type select_p_##name parameters		\
	{						\
		return lxfw_stock.name arguments;	\
	}
ASIDE(FORWARD)

#define FORWARD_TELL(type, name, parameters, arguments)	\
	extern type select_p_##name parameters		\
	{						\
		type result = lxfw_stock.name arguments;	\
							\
		lxfw_layer_changed();			\
		return result;				\
	}
BOOKS(FORWARD_TELL)

#if HAS_MEM_REDUCE
extern void select_p_job_mem_reduce(job_record_t *job)
{
	lxfw_stock.job_mem_reduce(job);
	lxfw_layer_changed();
}
#endif

/* --- calls handled by the layer --------------------------------------------------- */

extern int select_p_job_test(job_record_t *job, bitstr_t *nodes,
			     uint32_t min_nodes, uint32_t max_nodes,
			     uint32_t wanted_nodes, uint16_t mode,
			     lxfw_slurm_list candidates,
			     lxfw_slurm_list *victims, TEST_LAST)
{
	struct lxfw_job_test test = {
		.job = job,
		.nodes = nodes,
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
		.wanted_nodes = wanted_nodes,
		.mode = mode,
		.candidates = candidates,
		.victims = victims,
		.exclusions = exclusions,
		/* Since 24.11 a window of time can be given. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
		.will_run = will_run,
#endif
	};

	return lxfw_layer_job_test(&test);
}

extern int select_p_job_fini(job_record_t *job)
{
	return lxfw_layer_job_fini(job);
}

extern int select_p_job_suspend(job_record_t *job, bool indf_susp)
{
	return lxfw_layer_job_suspend(job, indf_susp);
}

extern int select_p_job_resume(job_record_t *job, bool indf_susp)
{
	return lxfw_layer_job_resume(job, indf_susp);
}

extern int select_p_reconfigure(void)
{
	return lxfw_layer_reconfigure();
}
