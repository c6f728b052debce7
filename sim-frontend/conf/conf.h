/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All settings of a slurm.conf in the order of its lines, with file names and line
   numbers. */
#ifndef LXFW_CONF_CONF_H
#define LXFW_CONF_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/trace/slurm_files.h"

struct lxfw_conf_setting {
	char *key, *value;
	char *path;
	long line;
	bool lacking;		/* no value follows '=', not even "" */
};

/* A NodeName or PartitionName line: settings FIRST to FIRST + COUNT - 1. The first is
   its name. */
struct lxfw_conf_record {
	bool partition;
	size_t first, count;
};

struct lxfw_conf {
	struct lxfw_conf_setting *settings;
	size_t count, size;
	struct lxfw_conf_record *records;
	size_t record_count, record_size;
	size_t *globals;		/* settings outside of records */
	size_t global_count, global_size;
	struct lxfw_slurm_files files;	/* their text, the slurm.conf itself first */
};

/* Reads the file into *CONF. Returns 0, or -1 with errno and ERROR set and *CONF
   empty. {0} is empty. */
int lxfw_conf_read(struct lxfw_conf *conf, const char *path,
		   struct lxfw_error *error);

/* Reads the settings again, after its files were changed in memory. Returns as
   lxfw_conf_read(). */
int lxfw_conf_read_again(struct lxfw_conf *conf, struct lxfw_error *error);
void lxfw_conf_clear(struct lxfw_conf *conf);

/* Returns the effective setting of KEY outside of records, the last one, or NULL. */
const struct lxfw_conf_setting *lxfw_conf_get(const struct lxfw_conf *conf,
					      const char *key);

/* Returns its value, or OTHERWISE. */
const char *lxfw_conf_value(const struct lxfw_conf *conf, const char *key,
			    const char *otherwise);

/* Returns whether KEY is a comma-separated list that contains WORD, ignoring case. */
bool lxfw_conf_lists(const struct lxfw_conf *conf, const char *key,
		     const char *word);

/* The same for a word "NAME" or "NAME=VALUE". */
bool lxfw_conf_lists_key(const struct lxfw_conf *conf, const char *key, const char *name);

/* Returns the setting of KEY in a record, otherwise in the DEFAULT records before it,
   or NULL. */
const struct lxfw_conf_setting *
lxfw_conf_record_get(const struct lxfw_conf *conf, size_t record,
		     const char *key);

/* The same in the record itself. */
const struct lxfw_conf_setting *
lxfw_conf_record_own(const struct lxfw_conf *conf, size_t record, const char *key);

/* Returns the name of a record, "p" or "DEFAULT". */
const char *lxfw_conf_record_name(const struct lxfw_conf *conf, size_t record);
/* Whether a record is that of a partition, not of defaults. */
bool lxfw_conf_is_partition(const struct lxfw_conf *conf, size_t record);
/* Whether the jobs of a partition have whole nodes. */
bool lxfw_conf_is_exclusive(const struct lxfw_conf *conf, size_t record);
bool lxfw_conf_record_is_default(const struct lxfw_conf *conf, size_t record);

#endif
