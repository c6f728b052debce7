/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What scontrol and squeue print, at one or two moments. A form feed ends a text: nodes,
 * partitions, reservations, licenses, jobs, what only `squeue --format` prints of jobs, and those of
 * the second moment. In the last two, ';' ends a field.
 */
#include "tests/fuzz/fuzz.h"

#include "sim-frontend/watch/job_line.h"
#include "sim-frontend/watch/watch.h"

const char fuzz_name[] = "watch";

static void note(const char *text)
{
	(void)text;
}

/* Copies the text at *AT up to a form feed, and moves *AT behind it. */
static char *next(const char **at)
{
	size_t length = strcspn(*at, "\f");
	char *text = strndup(*at, length);

	*at += length;
	*at += **at == '\f';
	return text;
}

static void end_fields(char *text)
{
	for (char *end = text; end && (end = strchr(end, ';'));)
		*end = LXFW_WATCHED_END;
}

/* Ranges of tasks have thousands of them at most: a look at all that it takes would be a second. */
static void shorten_ranges(char *text)
{
	for (char *at = text; at && (at = strchr(at, '-'));) {
		size_t digits = strspn(++at, "0123456789");

		if (digits > 3)
			memset(at + 3, ',', digits - 3);
	}
}

static int look(struct lxfw_watch *watch, const char **at, int64_t now)
{
	struct lxfw_watch_texts texts = { .cut = false };
	struct lxfw_error error;
	int failed = -1;

	texts.nodes = next(at);
	texts.partitions = next(at);
	texts.reservations = next(at);
	texts.licenses = next(at);
	texts.jobs = next(at);
	texts.excluded = next(at);
	end_fields(texts.jobs);
	shorten_ranges(texts.jobs);
	end_fields(texts.excluded);
	if (texts.nodes && texts.partitions && texts.reservations &&
	    texts.licenses && texts.jobs && texts.excluded)
		failed = lxfw_watch_look(watch, &texts, now, &error);
	lxfw_watch_texts_clear(&texts);
	return failed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lxfw_params params;
	struct lxfw_watch *watch;
	char *text = fuzz_text(data, size);
	const char *at = text;

	lxfw_watch_usual(&params);
	watch = text ? lxfw_watch_open(&params, "", note) : NULL;
	if (watch) {
		if (look(watch, &at, 1796043946) == 0 && *at)
			(void)look(watch, &at, 1796044006);
		lxfw_watch_close(watch);
	}
	free(text);
	return 0;
}
