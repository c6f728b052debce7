/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/findings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"

static struct lxfw_finding *append(struct lxfw_checking *check, const char *name,
				   enum lxfw_finding_level level,
				   const struct lxfw_conf_setting *setting)
{
	struct lxfw_findings *to = check->findings;
	struct lxfw_finding *item;

	if (LXFW_GROW(to->items, to->size, to->count + 1)) {
		to->failed = true;
		return NULL;
	}
	item = &to->items[to->count++];
	*item = (struct lxfw_finding) {
		.name = name, .level = level, .number = to->count,
		.path = strdup(setting ? setting->path : check->options->path),
		.line = setting ? setting->line : 0,
	};
	to->failed |= !item->path;
	return item;
}

struct lxfw_finding *lxfw_found_level(struct lxfw_checking *check, const char *name,
				      enum lxfw_finding_level level,
				      const struct lxfw_conf_setting *setting)
{
	return append(check, name, level, setting);
}

struct lxfw_finding *lxfw_found(struct lxfw_checking *check, const char *name,
				bool broken,
				const struct lxfw_conf_setting *setting)
{
	return append(check, name, lxfw_finding_broken(broken), setting);
}

static void fill(struct lxfw_checking *check, char **to, const char *format,
		 va_list arguments)
{
	free(*to);
	if (vasprintf(to, format, arguments) < 0) {
		*to = NULL;
		check->findings->failed = true;
	}
}

void lxfw_noted(struct lxfw_checking *check, const char *name,
		const struct lxfw_conf_setting *setting, const char *format, ...)
{
	struct lxfw_finding *note = append(check, name, LXFW_FINDING_NOTE, setting);
	va_list arguments;

	if (!note)
		return;
	va_start(arguments, format);
	fill(check, &note->text, format, arguments);
	va_end(arguments);
}

void lxfw_found_text(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const char *format, ...)
{
	va_list arguments;

	if (!finding)
		return;
	va_start(arguments, format);
	fill(check, &finding->text, format, arguments);
	va_end(arguments);
}

void lxfw_found_mend(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const char *format, ...)
{
	va_list arguments;

	if (!finding)
		return;
	va_start(arguments, format);
	fill(check, &finding->mend, format, arguments);
	va_end(arguments);
}

/* --- changes ------------------------------------------------------------------------ */

static void add_edit(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const struct lxfw_conf_setting *setting, const char *key,
		     const char *value)
{
	struct lxfw_edit *edit;

	if (LXFW_GROW(finding->edits, finding->edit_size, finding->edit_count + 1)) {
		check->findings->failed = true;
		return;
	}
	edit = &finding->edits[finding->edit_count++];
	*edit = (struct lxfw_edit) {
		.path = strdup(setting ? setting->path : check->options->path),
		.line = setting ? setting->line : 0,
		.key = strdup(key), .value = value ? strdup(value) : NULL,
	};
	check->findings->failed |= !edit->path || !edit->key || (value && !edit->value);
}

void lxfw_found_set(struct lxfw_checking *check, struct lxfw_finding *finding,
		    const struct lxfw_conf_setting *setting, const char *key,
		    const char *value)
{
	if (!finding)
		return;
	if (setting)
		key = setting->key;
	if (!finding->mend)
		lxfw_found_mend(check, finding, "%s=%s", key, value);
	add_edit(check, finding, setting, key, value);
}

void lxfw_found_drop(struct lxfw_checking *check, struct lxfw_finding *finding,
		     const struct lxfw_conf_setting *setting)
{
	if (!finding)
		return;
	if (!finding->mend)
		lxfw_found_mend(check, finding, "#%s=%s", setting->key, setting->value);
	add_edit(check, finding, setting, setting->key, NULL);
}

void lxfw_found_drop_all(struct lxfw_checking *check, struct lxfw_finding *finding,
			 const struct lxfw_conf_setting *setting)
{
	size_t before = finding ? finding->edit_count : 0;

	lxfw_found_drop(check, finding, setting);
	if (finding && finding->edit_count > before)
		finding->edits[before].all = true;
}

void lxfw_found_comment(struct lxfw_checking *check, struct lxfw_finding *finding,
			const struct lxfw_conf_setting *setting)
{
	size_t before = finding ? finding->edit_count : 0;

	lxfw_found_drop(check, finding, setting);
	if (finding && finding->edit_count > before)
		finding->edits[before].whole = true;
}

void lxfw_found_unmark(struct lxfw_checking *check, struct lxfw_finding *finding,
		       const struct lxfw_conf_setting *setting)
{
	size_t before = finding ? finding->edit_count : 0;

	lxfw_found_drop(check, finding, setting);
	if (finding && finding->edit_count > before)
		finding->edits[before].mark = true;
}

/* Returns the line of a record with KEY=VALUE replaced; the caller frees it. */
static char *record_line(const struct lxfw_conf *conf, size_t record,
			 const char *key, const char *value)
{
	const struct lxfw_conf_record *of = &conf->records[record];
	char *line = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&line, &length);

	if (!out)
		return NULL;
	for (size_t i = of->first; i < of->first + of->count; i++) {
		const struct lxfw_conf_setting *setting = &conf->settings[i];
		const char *quote = strpbrk(setting->value, " \t") ? "\"" : "";

		if (strcasecmp(setting->key, key) != 0)
			fprintf(out, "%s%s=%s%s%s", i > of->first ? " " : "",
				setting->key, quote, setting->value, quote);
	}
	if (value)
		fprintf(out, *value ? " %s=%s" : " %s=\"%s\"", key, value);
	if (fclose(out)) {
		free(line);
		return NULL;
	}
	return line;
}

void lxfw_found_record(struct lxfw_checking *check, struct lxfw_finding *finding,
		       size_t record, const char *key, const char *value)
{
	const struct lxfw_conf *conf = check->conf;
	char *line;

	if (!finding)
		return;
	line = record_line(conf, record, key, value);
	lxfw_found_mend(check, finding, "%s", line ? line : "");
	check->findings->failed |= !line;
	free(line);
	add_edit(check, finding, &conf->settings[conf->records[record].first], key, value);
	if (!value && finding->edit_count > 0)
		finding->edits[finding->edit_count - 1].all = true;
}

/* --- lists -------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
	const struct lxfw_finding *a = left, *b = right;

	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	if (a->path && b->path && strcmp(a->path, b->path) != 0)
		return strcmp(a->path, b->path);
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

void lxfw_findings_sort(struct lxfw_findings *findings)
{
	if (findings->count > 1)
		qsort(findings->items, findings->count, sizeof(*findings->items), by_place);
}

size_t lxfw_findings_faults(const struct lxfw_findings *findings)
{
	size_t faults = 0;

	for (size_t i = 0; i < findings->count; i++)
		faults += findings->items[i].level != LXFW_FINDING_NOTE;
	return faults;
}

static void clear_finding(struct lxfw_finding *item)
{
	for (size_t i = 0; i < item->edit_count; i++) {
		free(item->edits[i].path);
		free(item->edits[i].key);
		free(item->edits[i].value);
	}
	free(item->edits);
	free(item->path);
	free(item->text);
	free(item->mend);
}

int lxfw_findings_move(struct lxfw_findings *to, struct lxfw_findings *from, size_t at)
{
	if (LXFW_GROW(to->items, to->size, to->count + 1))
		return -1;
	to->items[to->count++] = from->items[at];
	memmove(from->items + at, from->items + at + 1,
		(from->count - at - 1) * sizeof(*from->items));
	from->count--;
	return 0;
}

void lxfw_findings_clear(struct lxfw_findings *findings)
{
	int saved = errno;

	for (size_t i = 0; i < findings->count; i++)
		clear_finding(&findings->items[i]);
	free(findings->items);
	*findings = (struct lxfw_findings) { 0 };
	errno = saved;
}
