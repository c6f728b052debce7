/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a site of OpenPBS: what `qmgr -c 'print ...'` writes, sched_config and
   pbs.conf, in the order of the lines, with file names and line numbers. */
#ifndef LXFW_CONF_PBS_CONF_H
#define LXFW_CONF_PBS_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/conf/conf.h"
#include "sim-frontend/trace/qmgr.h"

enum lxfw_pbs_source {
	LXFW_PBS_QMGR,
	LXFW_PBS_SCHED_CONFIG,	/* of pbs_sched: "key: value prime" */
	LXFW_PBS_CONF,		/* pbs.conf: KEY=VALUE */
};

struct lxfw_pbs_setting {
	enum lxfw_pbs_source source;
	enum lxfw_qmgr_object object;	/* of LXFW_PBS_QMGR */
	char *name;		/* of the object; "" for the server, the default scheduler
				   and the files */
	char *when;		/* of sched_config: "all", "prime", "non_prime"; "" */
	struct lxfw_conf_setting setting;	/* its key is "" for a creation */
};

struct lxfw_pbs_conf {
	struct lxfw_pbs_setting *items;
	size_t count, size;
	bool has[3];		/* a file of this source was read */
	bool has_server;	/* the settings of the server are among them */
	bool has_sched, has_nodes;
};

/* Adds the settings of a file, or those of the directory of a pbs_snapshot. Returns 0, or -1
   with errno and ERROR set. {0} is empty. */
int lxfw_pbs_conf_read(struct lxfw_pbs_conf *conf, const char *path,
		       struct lxfw_error *error);
void lxfw_pbs_conf_clear(struct lxfw_pbs_conf *conf);

/* Returns the last setting of an attribute of an object, or NULL. */
const struct lxfw_pbs_setting *lxfw_pbs_conf_get(const struct lxfw_pbs_conf *conf,
						 enum lxfw_qmgr_object object,
						 const char *name, const char *attribute);

/* Returns the last setting of a key of a file, or NULL. */
const struct lxfw_pbs_setting *lxfw_pbs_conf_file_get(const struct lxfw_pbs_conf *conf,
						      enum lxfw_pbs_source source,
						      const char *key);

#endif
