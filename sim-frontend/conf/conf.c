/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/conf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

static int add_setting(struct lxfw_conf *conf,
		       const struct lxfw_slurm_line *line, int pair)
{
	const struct lxfw_slurm_pair *from = &line->pairs[pair];
	struct lxfw_conf_setting *setting;

	if (LXFW_GROW(conf->settings, conf->size, conf->count + 1))
		return -1;
	setting = &conf->settings[conf->count++];
	*setting = (struct lxfw_conf_setting) {
		.key = strndup(from->key.at, from->key.length),
		.value = strndup(from->value.at, from->value.length),
		.path = strdup(line->path),
		.line = line->number,
		.lacking = from->value.length == 0 && from->value.at[-1] != '"',
	};
	return setting->key && setting->value && setting->path ? 0 : -1;
}

static int add_record(struct lxfw_conf *conf, bool partition, int count)
{
	if (LXFW_GROW(conf->records, conf->record_size, conf->record_count + 1))
		return -1;
	conf->records[conf->record_count++] = (struct lxfw_conf_record) {
		partition, conf->count, (size_t)count,
	};
	return 0;
}

static int add_global(struct lxfw_conf *conf)
{
	if (LXFW_GROW(conf->globals, conf->global_size, conf->global_count + 1))
		return -1;
	conf->globals[conf->global_count++] = conf->count;
	return 0;
}

/* Keys of lines that describe one object each and may occur repeatedly. */
static bool is_record(struct lxfw_slice key)
{
	static const char *const keys[] = {
		"NodeName", "PartitionName", "NodeSet", "DownNodes",
		"FrontendName", "PowerAction",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (lxfw_slurm_is(key, keys[i]))
			return true;
	}
	return false;
}

static int take_line(void *context, const struct lxfw_slurm_line *line,
		     struct lxfw_error *wrong)
{
	struct lxfw_conf *conf = context;
	struct lxfw_slice key = line->pairs[0].key;
	bool record = is_record(key);
	int failed = 0;

	if (record)
		failed = add_record(conf, lxfw_slurm_is(key, "PartitionName"),
				    line->count);
	for (int i = 0; i < line->count && !failed; i++) {
		if (!record)
			failed = add_global(conf);
		if (!failed)
			failed = add_setting(conf, line, i);
	}
	return failed ? lxfw_error_format(wrong, "out of memory") : 0;
}

static void clear_settings(struct lxfw_conf *conf)
{
	for (size_t i = 0; i < conf->count; i++) {
		free(conf->settings[i].key);
		free(conf->settings[i].value);
		free(conf->settings[i].path);
	}
	free(conf->settings);
	free(conf->records);
	free(conf->globals);
}

static int read_settings(struct lxfw_conf *conf, const char *path, struct lxfw_error *error)
{
	if (lxfw_slurm_lines_in(&conf->files, path, take_line, conf, error)) {
		lxfw_conf_clear(conf);
		return -1;
	}
	if (conf->count == 0) {
		lxfw_error_at(error, path, 0, "no settings in the file, expected a slurm.conf");
		lxfw_conf_clear(conf);
		return -1;
	}
	return 0;
}

int lxfw_conf_read(struct lxfw_conf *conf, const char *path,
		   struct lxfw_error *error)
{
	*conf = (struct lxfw_conf) { 0 };
	return read_settings(conf, path, error);
}

int lxfw_conf_read_again(struct lxfw_conf *conf, struct lxfw_error *error)
{
	struct lxfw_slurm_files files = conf->files;

	clear_settings(conf);
	*conf = (struct lxfw_conf) { .files = files };
	return read_settings(conf, files.items[0].path, error);
}

void lxfw_conf_clear(struct lxfw_conf *conf)
{
	int saved = errno;

	clear_settings(conf);
	lxfw_slurm_files_clear(&conf->files);
	*conf = (struct lxfw_conf) { 0 };
	errno = saved;
}

const struct lxfw_conf_setting *lxfw_conf_get(const struct lxfw_conf *conf,
					      const char *key)
{
	for (size_t i = conf->global_count; i-- > 0; ) {
		const struct lxfw_conf_setting *setting =
			&conf->settings[conf->globals[i]];

		if (strcasecmp(setting->key, key) == 0)
			return setting;
	}
	return NULL;
}

const char *lxfw_conf_value(const struct lxfw_conf *conf, const char *key,
			    const char *otherwise)
{
	const struct lxfw_conf_setting *setting = lxfw_conf_get(conf, key);

	return setting ? setting->value : otherwise;
}

bool lxfw_conf_lists(const struct lxfw_conf *conf, const char *key,
		     const char *word)
{
	const char *at = lxfw_conf_value(conf, key, "");

	while (*at) {
		size_t length = strcspn(at, ",");

		if (strlen(word) == length &&
		    strncasecmp(at, word, length) == 0)
			return true;
		at += length + (at[length] == ',');
	}
	return false;
}

bool lxfw_conf_lists_key(const struct lxfw_conf *conf, const char *key, const char *name)
{
	const char *at = lxfw_conf_value(conf, key, "");

	while (*at) {
		size_t length = strcspn(at, ",");

		while (length > 0 && (*at == ' ' || *at == '\t'))
			at++, length--;
		if (strcspn(at, ",=") == strlen(name) &&
		    strncasecmp(at, name, strlen(name)) == 0)
			return true;
		at += length + (at[length] == ',');
	}
	return false;
}

const char *lxfw_conf_record_name(const struct lxfw_conf *conf, size_t record)
{
	return conf->settings[conf->records[record].first].value;
}

bool lxfw_conf_record_is_default(const struct lxfw_conf *conf, size_t record)
{
	return strcasecmp(lxfw_conf_record_name(conf, record), "DEFAULT") == 0;
}

const struct lxfw_conf_setting *
lxfw_conf_record_own(const struct lxfw_conf *conf, size_t record, const char *key)
{
	const struct lxfw_conf_record *of = &conf->records[record];

	for (size_t i = of->first + of->count; i-- > of->first; ) {
		if (strcasecmp(conf->settings[i].key, key) == 0)
			return &conf->settings[i];
	}
	return NULL;
}

const struct lxfw_conf_setting *
lxfw_conf_record_get(const struct lxfw_conf *conf, size_t record,
		     const char *key)
{
	const struct lxfw_conf_setting *setting = lxfw_conf_record_own(conf, record, key);
	const char *kind = conf->settings[conf->records[record].first].key;

	for (size_t i = record; i-- > 0 && !setting; ) {
		if (lxfw_conf_record_is_default(conf, i) &&
		    strcasecmp(conf->settings[conf->records[i].first].key,
			       kind) == 0)
			setting = lxfw_conf_record_own(conf, i, key);
	}
	return setting;
}

bool lxfw_conf_is_partition(const struct lxfw_conf *conf, size_t record)
{
	return conf->records[record].partition && !lxfw_conf_record_is_default(conf, record);
}

bool lxfw_conf_is_exclusive(const struct lxfw_conf *conf, size_t record)
{
	/* Since 26.05. */
	const struct lxfw_conf_setting *of = lxfw_conf_record_get(conf, record, "Exclusive");

	if (of && strcasecmp(of->value, "USER") != 0)
		return strcasecmp(of->value, "NODE") == 0 || strcasecmp(of->value, "TOPO") == 0;
	of = lxfw_conf_record_get(conf, record, "OverSubscribe");
	if (!of)
		of = lxfw_conf_record_get(conf, record, "Shared");
	return of && strcasecmp(of->value, "EXCLUSIVE") == 0;
}
