/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/findings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct lxfw_finding *lxfw_found(struct lxfw_checking *check, const char *name,
				bool broken,
				const struct lxfw_conf_setting *setting)
{
	return append(check, name,
		      broken ? LXFW_FINDING_BROKEN : LXFW_FINDING_UNEXPECTED, setting);
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

void lxfw_findings_clear(struct lxfw_findings *findings)
{
	int saved = errno;

	for (size_t i = 0; i < findings->count; i++) {
		free(findings->items[i].path);
		free(findings->items[i].text);
		free(findings->items[i].mend);
	}
	free(findings->items);
	*findings = (struct lxfw_findings) { 0 };
	errno = saved;
}
