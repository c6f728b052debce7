/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `lxfw predict` reads in order to tell users when their jobs start: tables of starts,
   the texts of forecasts, the output of squeue and scontrol, earlier predictions, and what a site
   publishes. */
#include "tests/fuzz/file.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>

#include "sim-frontend/predict/comments.h"
#include "sim-frontend/predict/elsewhere.h"
#include "sim-frontend/predict/owners.h"
#include "sim-frontend/predict/promises_file.h"
#include "sim-frontend/predict/slurm_partitions.h"
#include "sim-frontend/predict/starts.h"
#include "sim-frontend/publish/listed.h"
#include "sim-frontend/publish/owned.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/publish/shown.h"
#include "sim-frontend/report/expected.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/letters.h"
#include "sim-frontend/watch/texts_file.h"

const char fuzz_name[] = "told";

static void read_table(char *text)
{
	static const int64_t sizes[] = { 1, 2, 7, 1000 };
	struct lxfw_starts starts = { 0 };
	struct lxfw_error error = { "" };

	if (lxfw_starts_parse(&starts, text, "table", &error))
		FUZZ_CHECK(error.text[0] != '\0');
	for (size_t i = 0; i < 4 * starts.count && i < 1000; i++) {
		const struct lxfw_request_text request = {
			.tasks = sizes[i % 4], .cpus = 1, .nodes = i % 2 ? sizes[i % 4] : 0,
			.limit = 60, .exclusive = i % 3 == 0,
		};
		char line[LXFW_TOLD_SIZE];

		if (lxfw_starts_find(&starts, starts.list[i / 4].name, &request, starts.time,
				     line, sizeof(line)))
			FUZZ_CHECK(strncmp(line, "lxfw: expected start ", 21) == 0);
	}
	lxfw_starts_clear(&starts);
}

/* A text that is read is written as it was. */
static void read_forecast(const char *text)
{
	char again[LXFW_TOLD_SIZE];
	struct lxfw_told told;

	if (!lxfw_told_parse(&told, text))
		return;
	lxfw_told_format(&told, again);
	FUZZ_CHECK(strlen(again) == strlen(text));
	FUZZ_CHECK(!lxfw_told_differs(&told, &told));
}

#define TEXTS 6

static void read_output(const uint8_t *data, size_t size)
{
	struct lxfw_comments comments = { 0 };
	struct lxfw_owners owners = { 0 };
	struct lxfw_slurm_partitions partitions = { 0 };
	struct lxfw_listed listed = { 0 };
	struct lxfw_shown shown = { NULL };
	char *texts[TEXTS];

	for (int i = 0; i < TEXTS; i++)
		texts[i] = fuzz_text(data, size);
	if (texts[0] && texts[1] && texts[2] && texts[3] && texts[4] && texts[5]) {
		FUZZ_CHECK(lxfw_shown_take(&shown, texts[5]) == 0);
		FUZZ_CHECK(lxfw_listed_take(&listed, texts[4]) == 0);
		FUZZ_CHECK(lxfw_comments_take(&comments, texts[0]) == 0);
		FUZZ_CHECK(lxfw_owners_take(&owners, texts[1]) == 0);
		FUZZ_CHECK(lxfw_slurm_partitions_take(&partitions, texts[2], texts[3]) == 0);
		for (size_t i = 0; i < comments.count; i++)
			FUZZ_CHECK(comments.jobs[i].name[0] >= '1' &&
				   comments.jobs[i].name[0] <= '9');
	}
	for (int i = 0; i < TEXTS; i++)
		free(texts[i]);
	lxfw_shown_clear(&shown);
	lxfw_listed_clear(&listed);
	lxfw_comments_clear(&comments);
	lxfw_owners_clear(&owners);
	lxfw_slurm_partitions_clear(&partitions);
}

/* Whatever a calibration has, bounds stay in their order and within the horizon. */
static void read_calibration(const uint8_t *data, size_t size)
{
	struct lxfw_standing standing = { .age = 60, .expected = 3000, .limit = 7200 };
	struct lxfw_bounds bounds = { { { 2000, 4000 }, { 1000, 9000 } } };
	const char *path = fuzz_file(data, size);
	struct lxfw_promises promises = { 0 };
	struct lxfw_error error = { "" };
	struct lxfw_remaining *remaining;

	if (path && lxfw_promises_read(&promises, path, 1000000, &error))
		FUZZ_CHECK(error.text[0] != '\0');
	if (promises.count > 0)
		standing = promises.list[0].view.standing;
	remaining = lxfw_remaining_learn(&promises, 2000000, size % 2 ? &lxfw_elsewhere_known : NULL);
	FUZZ_CHECK(remaining && lxfw_remaining_correct(remaining, &standing, 100000,
						       &bounds) == 0);
	for (int i = 0; i < LXFW_STATED; i++) {
		FUZZ_CHECK(bounds.of[i].low >= 0 && bounds.of[i].low <= bounds.of[i].high);
		FUZZ_CHECK(bounds.of[i].high <= 100000);
	}
	FUZZ_CHECK(bounds.of[1].low <= bounds.of[0].low);
	lxfw_remaining_free(remaining);
	lxfw_promises_clear(&promises);
}

/* All that the commands print of a publication. */
static void print_publication(const struct lxfw_publication *publication)
{
	const struct lxfw_queue_view view = {
		.of = publication, .state = lxfw_queue_counts(publication),
		.now = publication->time + 60, .running = true, .users = true,
	};
	FILE *out = fopen("/dev/null", "w");

	FUZZ_CHECK(out);
	lxfw_queue_text(&view, out);
	lxfw_expected_published(publication, out);
	FUZZ_CHECK(lxfw_queue_summary(publication, view.now, out) == 0);
	FUZZ_CHECK(lxfw_expected_published_json(publication, LXFW_FORMAT_JSON, out) == 0);
	FUZZ_CHECK(fclose(out) == 0);
}

/* Names of a publication can be written to a terminal. */
static void read_publication(const uint8_t *data, size_t size)
{
	struct lxfw_publication publication = { 0 };
	struct lxfw_error error = { "" };

	if (lxfw_publication_parse(&publication, (const char *)data, size, "file", &error))
		FUZZ_CHECK(error.text[0] != '\0');
	else
		print_publication(&publication);
	for (size_t i = 0; i < publication.count; i++) {
		const struct lxfw_publication_job *job = &publication.jobs[i];

		FUZZ_CHECK(lxfw_letters_only(job->name, strlen(job->name)));
		FUZZ_CHECK(lxfw_letters_only(job->user, strlen(job->user)));
		FUZZ_CHECK(job->procs >= 0 && job->limit >= 0 && job->submit >= 0);
	}
	lxfw_publication_clear(&publication);
}

/* Users of two jobs. */
static void read_owners(const char *text)
{
	struct lxfw_publication_job jobs[2] = { { .name = "17" }, { .name = "18_3" } };
	struct lxfw_publication publication = { .time = 1000, .jobs = jobs, .count = 2 };

	if (lxfw_owned_take(&publication, text))
		FUZZ_CHECK(!*jobs[0].user && !*jobs[1].user);
	for (int i = 0; i < 2; i++)
		FUZZ_CHECK(lxfw_letters_only(jobs[i].user, strlen(jobs[i].user)));
}

/* A look that a site publishes. */
static void read_look(const char *text, size_t size)
{
	struct lxfw_watch_texts texts;
	int64_t now;

	if (lxfw_watch_texts_parse(&texts, &now, text, size))
		FUZZ_CHECK(!texts.config && !texts.jobs && !texts.excluded);
	else
		FUZZ_CHECK(texts.config && texts.jobs && texts.excluded && now >= 0);
	lxfw_watch_texts_clear(&texts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	if (text) {
		read_look(text, size);
		read_owners(text);
		read_forecast(text);
		read_table(text);
	}
	free(text);
	read_output(data, size);
	read_calibration(data, size);
	read_publication(data, size);
	return 0;
}
