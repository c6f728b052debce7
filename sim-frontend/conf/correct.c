/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/correct.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/conf/diff.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

/* Corrections that do not end are a defect; the findings that are left are reported. */
#define ROUNDS_MAX 24

/* The changes of one round. */
struct round {
	const struct lxfw_edit **edits;
	size_t count, size;
};

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_place(const struct lxfw_edit *a, const struct lxfw_edit *b)
{
	return a->line == b->line && strcmp(a->path, b->path) == 0 &&
	       strcasecmp(a->key, b->key) == 0;
}

/* Whether the round has a change of the same setting: 1 the same change, -1 another. */
static int is_taken(const struct round *round, const struct lxfw_edit *edit)
{
	for (size_t i = 0; i < round->count; i++) {
		if (same_place(round->edits[i], edit))
			return same_text(round->edits[i]->value, edit->value) ? 1 : -1;
	}
	return 0;
}

/* Takes all changes of a finding, or none if one of them differs from a change that was
   taken. Returns 0, or -1 with errno ENOMEM. */
static int take(struct round *round, const struct lxfw_finding *finding)
{
	for (size_t i = 0; i < finding->edit_count; i++) {
		if (is_taken(round, &finding->edits[i]) < 0)
			return 0;
	}
	for (size_t i = 0; i < finding->edit_count; i++) {
		if (is_taken(round, &finding->edits[i]))
			continue;
		if (LXFW_GROW(round->edits, round->size, round->count + 1))
			return -1;
		round->edits[round->count++] = &finding->edits[i];
	}
	return 0;
}

/* The last line first: the numbers of earlier lines stay. What is added comes last. */
static int from_the_end(const void *left, const void *right)
{
	const struct lxfw_edit *a = *(const struct lxfw_edit *const *)left;
	const struct lxfw_edit *b = *(const struct lxfw_edit *const *)right;

	if (a->line != b->line)
		return a->line > b->line ? -1 : 1;
	return strcasecmp(a->key, b->key);
}

static int apply(struct lxfw_conf *conf, const struct lxfw_edit *edit)
{
	struct lxfw_slurm_file *file = lxfw_slurm_files_find(&conf->files, edit->path);
	char *line;
	int result;

	if (!file) {
		errno = EINVAL;
		return -1;
	}
	if (edit->mark)
		return lxfw_slurm_file_unmark(file);
	if (edit->whole)
		return lxfw_slurm_file_comment(file, edit->line);
	if (edit->line > 0 && edit->value)
		return lxfw_slurm_file_set(file, edit->line, edit->key, edit->value);
	if (edit->line > 0) {
		errno = 0;
		result = lxfw_slurm_file_drop(file, edit->line, edit->key);
		while (result == 0 && edit->all &&
		       lxfw_slurm_file_drop(file, edit->line, edit->key) == 0)
			;
		return result == 0 && errno == ENOMEM ? -1 : result;
	}
	if (asprintf(&line, "%s=%s", edit->key, edit->value) < 0)
		return -1;
	result = lxfw_slurm_file_add(file, line);
	free(line);
	return result;
}

/* Makes the changes of all findings, as far as they agree. *CHANGES is their number. */
static int apply_all(struct lxfw_conf *conf, const struct lxfw_findings *findings,
		     size_t *changes)
{
	struct round round = { 0 };
	int result = 0;

	for (size_t i = 0; i < findings->count && result == 0; i++)
		result = take(&round, &findings->items[i]);
	if (round.count > 1)
		qsort(round.edits, round.count, sizeof(*round.edits), from_the_end);
	for (size_t i = 0; i < round.count && result == 0; i++)
		result = apply(conf, round.edits[i]);
	*changes = round.count;
	free(round.edits);
	return result;
}

/* --- findings of all rounds ----------------------------------------------------------- */

static const struct lxfw_finding *same_finding(const struct lxfw_findings *all,
					       const struct lxfw_finding *item)
{
	for (size_t i = 0; i < all->count; i++) {
		if (strcmp(all->items[i].name, item->name) == 0 &&
		    same_text(all->items[i].text, item->text))
			return &all->items[i];
	}
	return NULL;
}

/* Moves the findings of a round that are new to ALL. Line numbers are those of the file as it
   was, so the findings of later rounds have none. */
static int collect(struct lxfw_findings *all, struct lxfw_findings *now, bool notes, bool first)
{
	for (size_t i = 0; i < now->count; ) {
		struct lxfw_finding *item = &now->items[i];

		if ((item->level == LXFW_FINDING_NOTE) != notes || same_finding(all, item)) {
			i++;
			continue;
		}
		if (!first)
			item->line = 0;
		item->number = all->count + 1;
		if (lxfw_findings_move(all, now, i))
			return -1;
	}
	return 0;
}

/* Adds the notes of the last round, with the lines of those that FIRST has too. */
static int collect_notes(struct lxfw_findings *all, struct lxfw_findings *first,
			 struct lxfw_findings *last)
{
	for (size_t i = 0; i < last->count; i++) {
		const struct lxfw_finding *before = same_finding(first, &last->items[i]);

		if (last->items[i].level == LXFW_FINDING_NOTE)
			last->items[i].line = before ? before->line : 0;
	}
	return collect(all, last, true, true);
}

int lxfw_conf_correct(struct lxfw_conf *conf, const struct lxfw_check_options *options,
		 struct lxfw_findings *findings, struct lxfw_error *error)
{
	struct lxfw_findings now = { 0 }, first = { 0 };
	size_t changes = 1;
	int result = 0;

	*findings = (struct lxfw_findings) { 0 };
	while (result == 0 && changes > 0) {
		result = lxfw_check(conf, options, &now);
		if (result == 0)
			result = apply_all(conf, &now, &changes);
		if (result == 0)
			result = collect(findings, &now, false, findings->rounds == 0);
		if (result)
			lxfw_error_system(error, options->path);
		else if (changes > 0 && ++findings->rounds < ROUNDS_MAX)
			result = lxfw_conf_read_again(conf, error);
		else if (changes == 0 || findings->rounds >= ROUNDS_MAX)
			break;
		if (findings->rounds == 1)
			first = now;
		else
			lxfw_findings_clear(&now);
		now = (struct lxfw_findings) { 0 };
	}
	if (result == 0 && collect_notes(findings, findings->rounds > 0 ? &first : &now, &now))
		result = lxfw_error_system(error, options->path);
	lxfw_findings_clear(&now);
	lxfw_findings_clear(&first);
	lxfw_findings_sort(findings);
	return result;
}

int lxfw_conf_change(struct lxfw_conf *conf, const char *key, const char *value,
		     struct lxfw_error *error)
{
	const struct lxfw_conf_setting *setting = lxfw_conf_get(conf, key);
	const char *path = setting ? setting->path : conf->files.items[0].path;
	const struct lxfw_edit edit = {
		.path = (char *)path, .line = setting ? setting->line : 0,
		.key = (char *)key, .value = (char *)value,
	};

	if (setting && strcmp(setting->value, value) == 0)
		return 0;
	if (apply(conf, &edit))
		return lxfw_error_system(error, path);
	return lxfw_conf_read_again(conf, error);
}

/* --- results ------------------------------------------------------------------------ */

int lxfw_conf_diff(const struct lxfw_conf *conf, FILE *out)
{
	for (size_t i = 0; i < conf->files.count; i++) {
		const struct lxfw_slurm_file *file = &conf->files.items[i];

		if (lxfw_slurm_file_changed(file) &&
		    lxfw_diff(file->path, &file->was, &file->now, file->returns, out))
			return -1;
	}
	return 0;
}

char *lxfw_conf_whole(const struct lxfw_conf *conf, struct lxfw_error *error)
{
	const struct lxfw_slurm_file *file = &conf->files.items[0];
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out) {
		lxfw_error_system(error, file->path);
		return NULL;
	}
	lxfw_slurm_files_print(&conf->files, file, out);
	if (fclose(out)) {
		lxfw_error_system(error, file->path);
		free(text);
		return NULL;
	}
	return text;
}
