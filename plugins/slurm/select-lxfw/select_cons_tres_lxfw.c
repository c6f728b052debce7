/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols that Slurm requires of a select plugin. The functions are in
   compat/select.c, since they differ between releases. */
#include "plugins/slurm/select-lxfw/layer.h"

const char plugin_name[] = "select/cons_tres with LXF&W node selection";
const char plugin_type[] = LXFW_SELECT_TYPE;
const uint32_t plugin_version = LXFW_SLURM_VERSION;

extern int init(void);
extern void fini(void);

extern int init(void)
{
	return lxfw_stock_load() ? SLURM_SUCCESS : SLURM_ERROR;
}

extern void fini(void)
{
	lxfw_overbooked_forget();
	lxfw_place_destroy();
	lxfw_stock_unload();
}
