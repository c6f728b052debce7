/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that a slurm.conf sets, for those who judge it: in the order of its lines, with
   their files and numbers. */
#ifndef LXFW_CONF_CONF_H
#define LXFW_CONF_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

struct lxfw_conf_setting {
	char *key, *value;
	char *path;
	long line;
};

/* A NodeName or PartitionName line: settings FIRST to FIRST + COUNT - 1, of which the
   first is its name. */
struct lxfw_conf_record {
	bool partition;
	size_t first, count;
};

struct lxfw_conf {
	struct lxfw_conf_setting *settings;
	size_t count, size;
	struct lxfw_conf_record *records;
	size_t record_count, record_size;
	size_t *globals;		/* settings that are in no record */
	size_t global_count, global_size;
};

/* {0} is empty. 0, or -1 with errno and ERROR set and *CONF empty. */
int lxfw_conf_read(struct lxfw_conf *conf, const char *path,
		   struct lxfw_error *error);
void lxfw_conf_clear(struct lxfw_conf *conf);

/* What counts of the settings of KEY outside of records, the last; NULL for none. */
const struct lxfw_conf_setting *lxfw_conf_get(const struct lxfw_conf *conf,
					      const char *key);

/* Its value, or OTHERWISE. */
const char *lxfw_conf_value(const struct lxfw_conf *conf, const char *key,
			    const char *otherwise);

/* Whether KEY is a list, with commas, that has WORD, whatever the case. */
bool lxfw_conf_lists(const struct lxfw_conf *conf, const char *key,
		     const char *word);

/* The setting of KEY in a record, else in the DEFAULT records before it. */
const struct lxfw_conf_setting *
lxfw_conf_record_get(const struct lxfw_conf *conf, size_t record,
		     const char *key);

/* "p"; DEFAULT is one too. */
const char *lxfw_conf_record_name(const struct lxfw_conf *conf, size_t record);
bool lxfw_conf_record_is_default(const struct lxfw_conf *conf, size_t record);

#endif
