/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_site.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/own_file.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/watch/texts_file.h"

static void note(const char *text)
{
	lxfw_cmd_note("%s", text);
}

static void ignore(const char *text)
{
	(void)text;
}

struct lxfw_watch *lxfw_now_look(const char *journal, struct lxfw_watch_texts *texts, int64_t now,
				 void (*prepare)(struct lxfw_watch *watch), bool quiet,
				 struct lxfw_error *error)
{
	struct lxfw_params params;
	struct lxfw_watch *watch;
	int failed;

	lxfw_watch_usual(&params);
	watch = lxfw_watch_open(&params, journal, quiet ? ignore : note);
	if (!watch) {
		lxfw_error_set(error, "out of memory");
		return NULL;
	}
	if (prepare)
		prepare(watch);
	failed = lxfw_watch_look(watch, texts, now, error);
	if (!failed && !lxfw_watch_records(watch)) {
		lxfw_error_format(error, "%s: cannot be written", journal);
		failed = -1;
	}
	if (!failed)
		return watch;
	lxfw_watch_close(watch);
	return NULL;
}

/* Where the notes of a look go: what calls for one has no context. */
static struct lxfw_publication *noted;
static bool lacks_notes;

static void add_note(const char *text)
{
	lacks_notes |= lxfw_publication_note(noted, text) != 0;
}

/* Returns 0, or -1 with ERROR set. */
static int tell(const struct lxfw_watch *watch, struct lxfw_now_told *told,
		struct lxfw_publication *publication, struct lxfw_error *error)
{
	const char *missing = lxfw_watch_missing(watch);

	noted = publication;
	lacks_notes = false;
	lxfw_watch_tell(watch, add_note);
	if (missing)
		add_note(missing);
	if (!lacks_notes && lxfw_watch_said(watch, &told->said, &told->count) == 0)
		return 0;
	lxfw_error_set(error, "out of memory");
	return -1;
}

int lxfw_now_site_write(const char *folder, struct lxfw_now_told *told,
			struct lxfw_publication *publication, struct lxfw_error *error)
{
	struct lxfw_watch_texts texts;
	struct lxfw_watch *watch;
	const char *journal;
	char path[PATH_MAX];
	int64_t now;
	int failed;

	if (snprintf(path, sizeof(path), "%s/" LXFW_SITE_LOOK, folder) >= (int)sizeof(path)) {
		lxfw_error_set(error, "the path is too long");
		return -1;
	}
	if (lxfw_watch_ask(&texts, error))
		return -1;
	now = time(NULL);
	journal = lxfw_cmd_own_file("look", error);
	failed = lxfw_watch_texts_write(&texts, now, path, error);
	watch = journal && !failed ? lxfw_now_look(journal, &texts, now, NULL, false, error) : NULL;
	failed = watch ? tell(watch, told, publication, error) : -1;
	if (!failed)
		publication->look = now;
	if (watch)
		lxfw_watch_close(watch);
	lxfw_cmd_own_file_remove();
	lxfw_watch_texts_clear(&texts);
	return failed;
}
