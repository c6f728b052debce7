/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_site.h"

#include <stdio.h>
#include <time.h>

#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/predict/starts.h"
#include "sim-frontend/report/expected.h"
#include "sim-frontend/report/queue.h"

static int print(const struct lxfw_predict_arguments *arguments,
		 const struct lxfw_publication *publication)
{
	if (lxfw_queue_is_old(publication, (int64_t)time(NULL)))
		lxfw_cmd_note("the workload manager does not answer: this is its state of then");
	if (arguments->format == LXFW_FORMAT_TABLE)
		lxfw_expected_published(publication, stdout);
	else if (lxfw_expected_published_json(publication, arguments->format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

/* Jobs of which nothing is published may have been submitted since, or are not predicted. */
static int jobs(const struct lxfw_predict_arguments *arguments, char **names, int count)
{
	struct lxfw_publication publication = { 0 };
	int status = -1;

	if (lxfw_cmd_site_read(NULL, &publication) > 0 &&
	    !lxfw_queue_is_outdated(&publication, (int64_t)time(NULL)) &&
	    lxfw_publication_choose(&publication, names, count, NULL) == count &&
	    (count == 0 || lxfw_publication_count(&publication, LXFW_PUBLISHED_WAITING) ==
			   publication.count))
		status = print(arguments, &publication);
	lxfw_publication_clear(&publication);
	return status;
}

/* Each request must be in the table. */
static int requests(const struct lxfw_predict_arguments *arguments)
{
	char lines[LXFW_PREDICT_REQUESTS][LXFW_TOLD_SIZE], path[4096];
	struct lxfw_starts starts = { 0 };
	struct lxfw_error error;
	bool found = lxfw_cmd_site_path(LXFW_PUBLICATION_STARTS, path, sizeof(path)) &&
		     lxfw_starts_read(&starts, path, &error) == 0;

	for (size_t i = 0; i < arguments->request_count && found; i++) {
		struct lxfw_request_text request;

		found = lxfw_request_read(&request, arguments->requests[i], &error) == 0 &&
			lxfw_starts_find(&starts, request.partition, &request,
					 (int64_t)time(NULL), lines[i], sizeof(lines[i]));
	}
	for (size_t i = 0; i < arguments->request_count && found; i++)
		puts(lines[i]);
	lxfw_starts_clear(&starts);
	return found ? lxfw_cmd_finish(LXFW_EXIT_DONE) : -1;
}

int lxfw_predict_site(const struct lxfw_predict_arguments *arguments, char **names, int count)
{
	if (arguments->request_count == 0)
		return jobs(arguments, names, count);
	if (count > 0 || arguments->format != LXFW_FORMAT_TABLE)
		return -1;
	return requests(arguments);
}
