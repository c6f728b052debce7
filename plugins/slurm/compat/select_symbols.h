/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of a select plugin, which differ between releases: select.c defines them,
 * stock.c has the stock plugin's. Only those two include this, after slurm_xlator.h.
 */
#ifndef LXFW_SLURM_COMPAT_SELECT_SYMBOLS_H
#define LXFW_SLURM_COMPAT_SELECT_SYMBOLS_H

#include "plugins/slurm/compat/stock.h"

/* Before 25.05 there are symbols for job and node information, steps and so on. */
#define HAS_INFORMATION (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0))
/* Before 23.02 there are symbols for signals, and for information as text. */
#define HAS_SIGNAL (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0))
/* Before 23.11 the plugin selects the nodes of reservations. */
#define HAS_RESV_TEST (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0))
/* Since 26.05 a running job may return memory. */
#define HAS_MEM_REDUCE (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0))

/* The last parameters of select_p_job_test(): since 23.11 reservations exclude cores by
   node, since 24.11 a window of time can be given. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#define TEST_LAST resv_exc_t *exclusions, will_run_data_t *will_run
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0) /* 23.11, as above */
#define TEST_LAST resv_exc_t *exclusions
#else
#define TEST_LAST bitstr_t *exclusions
#endif

/*
 * The tables of symbols: E(type, name, parameters, arguments). ASIDE are handed on
 * as they come; BOOKS, too, and the layer hears of it; LAYERED are its own.
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

/* The declarations, which Slurm's headers do not have. */
#define DECLARE(type, name, parameters, arguments) \
	extern type select_p_##name parameters;
ALL(DECLARE)

/* The stock functions in the order of the tables. */
#define POINTER(type, name, parameters, arguments) \
	type (*name) parameters;
struct lxfw_stock {
	ALL(POINTER)
};

/* Set by lxfw_stock_load(). */
extern struct lxfw_stock lxfw_stock;

#endif
