/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/pbs_conf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

/* Appends a setting with copies of the strings. */
static int add(struct lxfw_pbs_conf *conf, const struct lxfw_pbs_setting *from)
{
	struct lxfw_pbs_setting *item;

	if (LXFW_GROW(conf->items, conf->size, conf->count + 1))
		return -1;
	item = &conf->items[conf->count++];
	*item = *from;
	item->name = strdup(from->name);
	item->when = strdup(from->when);
	item->setting.key = strdup(from->setting.key);
	item->setting.value = strdup(from->setting.value);
	item->setting.path = strdup(from->setting.path);
	return item->name && item->when && item->setting.key && item->setting.value &&
	       item->setting.path ? 0 : -1;
}

static void clear_item(struct lxfw_pbs_setting *item)
{
	free(item->name);
	free(item->when);
	free(item->setting.key);
	free(item->setting.value);
	free(item->setting.path);
}

void lxfw_pbs_conf_clear(struct lxfw_pbs_conf *conf)
{
	int saved = errno;

	for (size_t i = 0; i < conf->count; i++)
		clear_item(&conf->items[i]);
	free(conf->items);
	*conf = (struct lxfw_pbs_conf) { 0 };
	errno = saved;
}

/* --- qmgr ------------------------------------------------------------------------------ */

static bool is_of(const struct lxfw_pbs_setting *item, enum lxfw_qmgr_object object,
		  const char *name, const char *attribute)
{
	return item->source == LXFW_PBS_QMGR && item->object == object &&
	       strcmp(item->name, name) == 0 &&
	       strcasecmp(item->setting.key, attribute) == 0;
}

static void unset(struct lxfw_pbs_conf *conf, const struct lxfw_qmgr_setting *from)
{
	size_t kept = 0;

	for (size_t i = 0; i < conf->count; i++) {
		const struct lxfw_pbs_setting *item = &conf->items[i];
		/* "@default": all of the server */
		const char *name = *from->name == '@' ? item->name : from->name;

		if (is_of(item, from->object, name, from->attribute))
			clear_item(&conf->items[i]);
		else
			conf->items[kept++] = conf->items[i];
	}
	conf->count = kept;
}

static int take_qmgr(void *context, const struct lxfw_qmgr_setting *from,
		     struct lxfw_error *wrong)
{
	struct lxfw_pbs_conf *conf = context;
	const struct lxfw_pbs_setting item = {
		.source = LXFW_PBS_QMGR, .object = from->object, .name = (char *)from->name,
		.when = (char *)"",
		.setting = {
			.key = (char *)(from->attribute ? from->attribute : ""),
			.value = (char *)from->value, .path = (char *)from->path,
			.line = from->line,
		},
	};

	if (from->verb == LXFW_QMGR_OTHER)
		return 0;
	if (from->verb == LXFW_QMGR_UNSET) {
		unset(conf, from);
		return 0;
	}
	conf->has_server |= from->object == LXFW_QMGR_SERVER;
	conf->has_sched |= from->object == LXFW_QMGR_SCHED;
	conf->has_nodes |= from->object == LXFW_QMGR_NODE;
	return add(conf, &item) ? lxfw_error_format(wrong, "out of memory") : 0;
}

/* --- sched_config and pbs.conf ------------------------------------------------------------ */

/* Ends the text at its last byte that is not blank. */
static char *trim(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && strchr(" \t\r", text[length - 1]))
		text[--length] = '\0';
	return text + strspn(text, " \t");
}

/* Splits "value prime" with quotes around the value or without. Returns the second word. */
static char *split_value(char **value)
{
	char *end;

	if (**value == '"') {
		(*value)++;
		end = strchr(*value, '"');
		if (!end)
			return NULL;
	} else {
		end = *value + strcspn(*value, " \t");
	}
	if (*end)
		*end++ = '\0';
	return trim(end);
}

/* "key: value prime", with prime "all", "prime", "non_prime" or absent. */
static int take_option(struct lxfw_pbs_conf *conf, char *text, const char *path, long line,
		       struct lxfw_error *error)
{
	char *colon = strchr(text, ':'), quoted[60], *value, *when;
	struct lxfw_pbs_setting item = {
		.source = LXFW_PBS_SCHED_CONFIG, .name = (char *)"",
		.setting = { .path = (char *)path, .line = line },
	};

	if (!colon || colon == text || strcspn(text, " \t:") < strcspn(text, ":"))
		return lxfw_error_at(error, path, line, "'%s', expected OPTION: VALUE",
				     lxfw_text_quote(quoted, sizeof(quoted), text,
						     strlen(text)));
	*colon = '\0';
	value = trim(colon + 1);
	when = split_value(&value);
	if (!when)
		return lxfw_error_at(error, path, line, "%s: a '\"' without another one, "
				     "expected \"VALUE\"", text);
	if (*value == '\0')
		return lxfw_error_at(error, path, line, "%s: no value, expected OPTION: VALUE",
				     text);
	if (*when && *when != '#' && strcasecmp(when, "all") != 0 &&
	    strcasecmp(when, "prime") != 0 && strcasecmp(when, "non_prime") != 0 &&
	    strcasecmp(when, "none") != 0)
		return lxfw_error_at(error, path, line, "%s: '%s' after the value, expected "
				     "all, prime or non_prime", text,
				     lxfw_text_quote(quoted, sizeof(quoted), when,
						     strlen(when)));
	item.setting.key = text;
	item.setting.value = value;
	item.when = when;
	return add(conf, &item) ? lxfw_error_at(error, path, line, "out of memory") : 0;
}

static int take_pair(struct lxfw_pbs_conf *conf, char *text, const char *path, long line,
		     struct lxfw_error *error)
{
	char *equals = strchr(text, '='), quoted[60];
	struct lxfw_pbs_setting item = {
		.source = LXFW_PBS_CONF, .name = (char *)"", .when = (char *)"",
		.setting = { .path = (char *)path, .line = line },
	};

	if (!equals || equals == text)
		return lxfw_error_at(error, path, line, "'%s', expected KEY=VALUE",
				     lxfw_text_quote(quoted, sizeof(quoted), text,
						     strlen(text)));
	*equals = '\0';
	item.setting.key = trim(text);
	item.setting.value = trim(equals + 1);
	return add(conf, &item) ? lxfw_error_at(error, path, line, "out of memory") : 0;
}

/* --- files -------------------------------------------------------------------------------- */

/* The kind of a file with this first line. */
static enum lxfw_pbs_source source_of(const char *line, size_t length)
{
	if (lxfw_qmgr_recognizes(line, length))
		return LXFW_PBS_QMGR;
	return length > 4 && strncmp(line, "PBS_", 4) == 0 ? LXFW_PBS_CONF :
							     LXFW_PBS_SCHED_CONFIG;
}

static bool is_qstat(const char *line)
{
	static const char *const begins[] = { "Server: ", "Queue: ", "Server ", "Queue " };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		if (strncmp(line, begins[i], strlen(begins[i])) == 0)
			return true;
	}
	return false;
}

/* Finds the kind from the first line with content, up to which INPUT is read. */
static int find_source(struct lxfw_input *input, enum lxfw_pbs_source *source,
		       struct lxfw_error *error)
{
	const char *path = lxfw_input_path(input);
	char *line;
	size_t length;
	int got;

	while ((got = lxfw_input_peek(input, &line, &length, error)) > 0) {
		size_t begin = strspn(line, " \t");

		if (begin >= length || line[begin] == '#') {
			(void)lxfw_input_line(input, &line, &length, error);
			continue;
		}
		if (is_qstat(line))
			return lxfw_error_at(error, path, lxfw_input_line_number(input) + 1,
				"output of qstat or of qmgr's list, expected that of "
				"qmgr -c 'print server'");
		*source = source_of(line + begin, length - begin);
		return 0;
	}
	return got < 0 ? -1 : lxfw_error_at(error, path, 0, "no settings in the file, expected "
					    "the output of qmgr -c 'print server', or "
					    "sched_config");
}

static int read_lines(struct lxfw_pbs_conf *conf, struct lxfw_input *input,
		      enum lxfw_pbs_source source, struct lxfw_error *error)
{
	const char *path = lxfw_input_path(input);
	char *line;
	size_t length;
	int got;

	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		long number = lxfw_input_line_number(input);
		char *copy, *text;

		if (memchr(line, '\0', length))
			return lxfw_error_at(error, path, number, "a NUL byte, expected text");
		copy = strndup(line, length);
		if (!copy)
			return lxfw_error_system(error, path);
		text = trim(copy);
		got = *text == '\0' || *text == '#' ? 0 :
		      source == LXFW_PBS_CONF ? take_pair(conf, text, path, number, error) :
						take_option(conf, text, path, number, error);
		free(copy);
		if (got)
			return got;
	}
	return got;
}

static int read_file(struct lxfw_pbs_conf *conf, const char *path, struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	enum lxfw_pbs_source source = LXFW_PBS_QMGR;
	int result;

	if (!input)
		return -1;
	result = find_source(input, &source, error);
	conf->has[source] |= result == 0;
	if (result == 0)
		result = source == LXFW_PBS_QMGR ?
			lxfw_qmgr_lines(input, take_qmgr, conf, error) :
			read_lines(conf, input, source, error);
	lxfw_input_close(input);
	return result;
}

/* The directory of a pbs_snapshot. The settings of the server must be there. */
static int read_directory(struct lxfw_pbs_conf *conf, const char *path,
			  struct lxfw_error *error)
{
	static const char *const files[] = {
		"server/qmgr_ps.out", "scheduler/qmgr_psched.out", "node/qmgr_pn_default.out",
		"sched_priv/sched_config",
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct stat status;
		char *file;
		int failed;

		if (asprintf(&file, "%s/%s", path, files[i]) < 0)
			return lxfw_error_system(error, path);
		if (stat(file, &status) == 0 && status.st_size > 0)
			failed = read_file(conf, file, error);
		else
			failed = i > 0 ? 0 : lxfw_error_at(error, path, 0, "no %s, expected the "
				"directory of a pbs_snapshot that could contact the server",
				files[i]);
		free(file);
		if (failed)
			return -1;
	}
	return 0;
}

int lxfw_pbs_conf_read(struct lxfw_pbs_conf *conf, const char *path,
		       struct lxfw_error *error)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return read_directory(conf, path, error);
	return read_file(conf, path, error);
}

/* --- access ------------------------------------------------------------------------------- */

const struct lxfw_pbs_setting *lxfw_pbs_conf_get(const struct lxfw_pbs_conf *conf,
						 enum lxfw_qmgr_object object,
						 const char *name, const char *attribute)
{
	for (size_t i = conf->count; i-- > 0; ) {
		if (is_of(&conf->items[i], object, name, attribute))
			return &conf->items[i];
	}
	return NULL;
}

const struct lxfw_pbs_setting *lxfw_pbs_conf_file_get(const struct lxfw_pbs_conf *conf,
						      enum lxfw_pbs_source source,
						      const char *key)
{
	for (size_t i = conf->count; i-- > 0; ) {
		if (conf->items[i].source == source &&
		    strcmp(conf->items[i].setting.key, key) == 0)
			return &conf->items[i];
	}
	return NULL;
}
