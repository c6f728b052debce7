/* SPDX-License-Identifier: GPL-2.0-or-later */
/* First, for the names under which the small libslurm has these functions, too:
   programs that are linked with it load every select plugin. */
#define USE_ALIAS 1
#include "src/common/slurm_xlator.h"

#include "plugins/slurm/compat/select_symbols.h"

#include "src/common/plugin.h"

struct lxfw_stock lxfw_stock;

#define NAME(type, name, parameters, arguments) "select_p_" #name,
static const char *names[] = { ALL(NAME) };

#define COUNT ((int)(sizeof(names) / sizeof(names[0])))
_Static_assert(sizeof(lxfw_stock) == sizeof(names), "one pointer, one name");

static plugin_handle_t handle = PLUGIN_INVALID_HANDLE;

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
	memcpy(&lxfw_stock, pointers, sizeof(lxfw_stock));
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
	return lxfw_stock.job_test(test->job, test->nodes, test->min_nodes,
				   test->max_nodes, test->wanted_nodes,
				   test->mode, test->candidates, test->victims,
				   /* Since 24.11 a window of time can be given. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
				   test->exclusions, test->will_run);
#else
				   test->exclusions);
#endif
}

int lxfw_stock_job_fini(job_record_t *job)
{
	return lxfw_stock.job_fini(job);
}

int lxfw_stock_job_suspend(job_record_t *job, bool indf_susp)
{
	return lxfw_stock.job_suspend(job, indf_susp);
}

int lxfw_stock_job_resume(job_record_t *job, bool indf_susp)
{
	return lxfw_stock.job_resume(job, indf_susp);
}

int lxfw_stock_reconfigure(void)
{
	return lxfw_stock.reconfigure();
}

/* --- what a test says ------------------------------------------------------------- */

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
	/* Since 23.11 the excluded cores of each node are a bitmap of its own. Before, one
	   bitmap had those of all nodes. */
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
