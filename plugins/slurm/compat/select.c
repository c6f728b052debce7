/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Must precede all headers. It provides the names under which the small libslurm has
   these functions, because programs linked with that library load every select
   plugin. */
#define USE_ALIAS 1
#include "src/common/slurm_xlator.h"

#include "plugins/slurm/compat/select.h"

#include "src/common/plugin.h"

/* 22.05 and 24.11 require symbols for information about jobs and nodes, for steps and
   others. Later releases do not have them. */
#define HAS_INFORMATION (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0))
#define HAS_SIGNAL (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0))
#define HAS_RESV_TEST (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0))
#define HAS_MEM_REDUCE (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0))

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

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#define TEST_LAST resv_exc_t *exclusions, will_run_data_t *will_run
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
#define TEST_LAST resv_exc_t *exclusions
#else
#define TEST_LAST bitstr_t *exclusions
#endif

/*
 * Tables of symbols: E(type, name, parameters, arguments). Calls in ASIDE are
 * forwarded. Calls in BOOKS are forwarded, and the layer is notified. Calls in LAYERED
 * are handled by the layer.
 */
#define ASIDE_ALWAYS(E)							\
	E(int, job_begin, (job_record_t *job), (job))			\
	E(int, job_ready, (job_record_t *job), (job))			\
	E(int, select_nodeinfo_set_all, (void), ())

#define BOOKS(E)							\
	E(int, node_init, (void), ())					\
	E(int, job_expand,						\
	  (job_record_t *from, job_record_t *to), (from, to))		\
	E(int, job_resized,						\
	  (job_record_t *job, node_record_t *node), (job, node))	\
	E(int, select_nodeinfo_set, (job_record_t *job), (job))

#define LAYERED(E)							\
	E(int, job_test,						\
	  (job_record_t *job, bitstr_t *nodes, uint32_t min_nodes,	\
	   uint32_t max_nodes, uint32_t wanted_nodes, uint16_t mode,	\
	   lxfw_slurm_list candidates, lxfw_slurm_list *victims,	\
	   TEST_LAST), ())						\
	E(int, job_fini, (job_record_t *job), (job))			\
	E(int, job_suspend,						\
	  (job_record_t *job, bool indf_susp), (job, indf_susp))	\
	E(int, job_resume,						\
	  (job_record_t *job, bool indf_susp), (job, indf_susp))	\
	E(int, reconfigure, (void), ())

#if HAS_INFORMATION
#define ASIDE_INFORMATION(E)						\
	E(int, state_save, (char *folder), (folder))			\
	E(int, state_restore, (char *folder), (folder))			\
	E(int, job_init, (lxfw_slurm_list jobs), (jobs))		\
	E(bitstr_t *, step_pick_nodes,					\
	  (job_record_t *job, select_jobinfo_t *info, uint32_t count,	\
	   bitstr_t **nodes), (job, info, count, nodes))		\
	E(int, step_start, (step_record_t *step), (step))		\
	E(int, step_finish,						\
	  (step_record_t *step, bool killing), (step, killing))		\
	E(int, select_nodeinfo_pack,					\
	  (select_nodeinfo_t *info, buf_t *buffer, uint16_t protocol),	\
	  (info, buffer, protocol))					\
	E(int, select_nodeinfo_unpack,					\
	  (select_nodeinfo_t **info, buf_t *buffer, uint16_t protocol),	\
	  (info, buffer, protocol))					\
	E(select_nodeinfo_t *, select_nodeinfo_alloc, (void), ())	\
	E(int, select_nodeinfo_free, (select_nodeinfo_t *info), (info))	\
	E(int, select_nodeinfo_get,					\
	  (select_nodeinfo_t *info, enum select_nodedata_type what,	\
	   enum node_states state, void *data),				\
	  (info, what, state, data))					\
	E(select_jobinfo_t *, select_jobinfo_alloc, (void), ())		\
	E(int, select_jobinfo_free, (select_jobinfo_t *info), (info))	\
	E(int, select_jobinfo_set,					\
	  (select_jobinfo_t *info, enum select_jobdata_type what,	\
	   void *data), (info, what, data))				\
	E(int, select_jobinfo_get,					\
	  (select_jobinfo_t *info, enum select_jobdata_type what,	\
	   void *data), (info, what, data))				\
	E(select_jobinfo_t *, select_jobinfo_copy,			\
	  (select_jobinfo_t *info), (info))				\
	E(int, select_jobinfo_pack,					\
	  (select_jobinfo_t *info, buf_t *buffer, uint16_t protocol),	\
	  (info, buffer, protocol))					\
	E(int, select_jobinfo_unpack,					\
	  (select_jobinfo_t **info, buf_t *buffer, uint16_t protocol),	\
	  (info, buffer, protocol))					\
	E(int, get_info_from_plugin,					\
	  (enum select_plugindata_info what, job_record_t *job,		\
	   void *data), (what, job, data))
#else
#define ASIDE_INFORMATION(E)
#endif

#if HAS_SIGNAL
#define ASIDE_SIGNAL(E)							\
	E(int, job_signal, (job_record_t *job, int number), (job, number)) \
	E(char *, select_jobinfo_sprint,				\
	  (select_jobinfo_t *info, char *text, size_t size, int mode),	\
	  (info, text, size, mode))					\
	E(char *, select_jobinfo_xstrdup,				\
	  (select_jobinfo_t *info, int mode), (info, mode))		\
	E(int, update_node_config, (int node), (node))
#else
#define ASIDE_SIGNAL(E)
#endif

#if HAS_RESV_TEST
#define ASIDE_RESV(E)							\
	E(bitstr_t *, resv_test,					\
	  (resv_desc_msg_t *wish, uint32_t count, bitstr_t *nodes,	\
	   bitstr_t **cores), (wish, count, nodes, cores))
#else
#define ASIDE_RESV(E)
#endif

#if HAS_MEM_REDUCE
#define BOOKS_VOID(E)							\
	E(void, job_mem_reduce, (job_record_t *job), (job))
#else
#define BOOKS_VOID(E)
#endif

#define ASIDE(E) ASIDE_ALWAYS(E) ASIDE_INFORMATION(E) ASIDE_SIGNAL(E) \
	ASIDE_RESV(E)
#define ALL(E) ASIDE(E) BOOKS(E) BOOKS_VOID(E) LAYERED(E)

/* Declarations that Slurm's headers lack. */
#define DECLARE(type, name, parameters, arguments) \
	extern type select_p_##name parameters;
ALL(DECLARE)

/* The stock plugin's functions, in the order of `names`. */
#define POINTER(type, name, parameters, arguments) \
	type (*name) parameters;
static struct {
	ALL(POINTER)
} stock;

#define NAME(type, name, parameters, arguments) "select_p_" #name,
static const char *names[] = { ALL(NAME) };

#define COUNT ((int)(sizeof(names) / sizeof(names[0])))
_Static_assert(sizeof(stock) == sizeof(names), "one pointer, one name");

static plugin_handle_t handle = PLUGIN_INVALID_HANDLE;

/* --- forwarded calls ------------------------------------------------------------ */

#define FORWARD(type, name, parameters, arguments)	\
	extern type select_p_##name parameters		\
	{						\
		return stock.name arguments;		\
	}
ASIDE(FORWARD)

#define FORWARD_TELL(type, name, parameters, arguments)	\
	extern type select_p_##name parameters		\
	{						\
		type result = stock.name arguments;	\
							\
		lxfw_layer_changed();			\
		return result;				\
	}
BOOKS(FORWARD_TELL)

#if HAS_MEM_REDUCE
extern void select_p_job_mem_reduce(job_record_t *job)
{
	stock.job_mem_reduce(job);
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

/* --- the stock plugin, for the layer ---------------------------------------------- */

bool lxfw_stock_load(void)
{
	void *pointers[COUNT];

	if (handle != PLUGIN_INVALID_HANDLE)
		return true;
	handle = plugin_load_and_link("select/cons_tres", 0, names, pointers);
	if (handle == PLUGIN_INVALID_HANDLE) {
		error(LXFW_SELECT_TYPE ": select/cons_tres, on which it is built, cannot be loaded from PluginDir");
		return false;
	}
	if (plugin_get_syms(handle, COUNT, names, pointers) != COUNT) {
		error(LXFW_SELECT_TYPE ": select/cons_tres is from another "
				       "release than this plugin was built for");
		lxfw_stock_unload();
		return false;
	}
	memcpy(&stock, pointers, sizeof(stock));
	return true;
}

void lxfw_stock_unload(void)
{
	if (handle != PLUGIN_INVALID_HANDLE)
		plugin_unload(handle);
	handle = PLUGIN_INVALID_HANDLE;
}

int lxfw_stock_job_test(const struct lxfw_job_test *test)
{
	return stock.job_test(test->job, test->nodes, test->min_nodes,
			      test->max_nodes, test->wanted_nodes, test->mode,
			      test->candidates, test->victims,
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
			      test->exclusions, test->will_run);
#else
			      test->exclusions);
#endif
}

int lxfw_stock_job_fini(job_record_t *job)
{
	return stock.job_fini(job);
}

int lxfw_stock_job_suspend(job_record_t *job, bool indf_susp)
{
	return stock.job_suspend(job, indf_susp);
}

int lxfw_stock_job_resume(job_record_t *job, bool indf_susp)
{
	return stock.job_resume(job, indf_susp);
}

int lxfw_stock_reconfigure(void)
{
	return stock.reconfigure();
}

/* --- properties of a test --------------------------------------------------------- */

enum lxfw_test_kind lxfw_select_test_kind(const struct lxfw_job_test *test)
{
	switch (test->mode) {
	case SELECT_MODE_RUN_NOW:
		return LXFW_TEST_START;
	case SELECT_MODE_WILL_RUN:
		return LXFW_TEST_WILL_RUN;
	default:
		return LXFW_TEST_OTHER;
	}
}

int lxfw_select_excluded_cores(const struct lxfw_job_test *test, int node)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	const resv_exc_t *exclusions = test->exclusions;

	if (!exclusions || !exclusions->exc_cores)
		return exclusions && exclusions->core_bitmap ? -1 : 0;
	if (!exclusions->exc_cores[node])
		return 0;
	return bit_set_count(exclusions->exc_cores[node]);
#else
	bitstr_t *cores = test->exclusions;
	int first, last;

	if (!cores)
		return 0;
	first = (int)cr_get_coremap_offset((uint32_t)node);
	last = (int)cr_get_coremap_offset((uint32_t)node + 1);
	if (last > bit_size(cores))
		return -1;
	return bit_set_count_range(cores, first, last);
#endif
}

bool lxfw_select_least_loaded(const job_record_t *job)
{
	if (job->part_ptr->flags & PART_FLAG_LLN)
		return true;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	return slurm_conf.select_type_param & SELECT_LLN;
#else
	return slurm_conf.select_type_param & CR_LLN;
#endif
}

bool lxfw_select_topology(void)
{
	const char *plugin = slurm_conf.topology_plugin;

	return plugin && !xstrstr(plugin, "none") &&
	       !xstrstr(plugin, "default") && !xstrstr(plugin, "flat");
}
