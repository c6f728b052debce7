/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/queue_find.h"

#include <time.h>

#include "sim-frontend/cmd/now_runs.h"
#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/cmd/site_new.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/pool.h"

/* Each user computes them, where the site does not. */
#define FUTURES 20

/* Says that nothing answers, and what there is instead. */
static void note_silence(const struct lxfw_publication *published, const char *reason)
{
	int64_t now = time(NULL);
	char age[32];

	if (!published)
		lxfw_cmd_note("no queue is published, and that of Slurm or PBS cannot be read: %s", reason);
	else
		lxfw_cmd_note("the queue of Slurm or PBS cannot be read: %s; this is the queue as it was "
			      "published %s ago%s", reason, lxfw_format_span((double)(now > published->time ?
					now - published->time : 0), age, sizeof(age)),
			      lxfw_queue_is_outdated(published, now) ? ", which is outdated" : "");
}

/* Predicts from the journal of QUEUE, or from what runs. PUBLISHED is what there is instead, or NULL.
   Returns 0, or an exit status after a message. */
static int predict(const struct lxfw_command *command, const struct lxfw_cmd_queue *queue,
		   const struct lxfw_publication *published, struct lxfw_publication *to,
		   struct lxfw_cmd_queue_found *how)
{
	const char *journal = queue->journal;
	struct lxfw_predict_arguments arguments = {
		.format = LXFW_FORMAT_TABLE, .seed = 1, .threads = lxfw_pool_threads(),
		.at = LXFW_NEVER, .before = LXFW_NEVER, .moments = 100, .journal = journal,
		.queue = to, .dates = true,
	};
	struct lxfw_error error;

	if (!journal) {
		arguments.futures = FUTURES;
		if (queue->of == LXFW_NOW_ANY)
			arguments.journal = lxfw_now_published(queue->names, queue->count, false);
		how->looked = arguments.journal != NULL;
		if (!arguments.journal)
			arguments.journal = lxfw_now_journal(queue->of, &error);
		if (!arguments.journal) {
			note_silence(published, error.text);
			return LXFW_EXIT_BAD;
		}
		arguments.now = lxfw_now_owners() != NULL;
		arguments.history = lxfw_now_history();
		arguments.usual_history = true;
	}
	return lxfw_predict_live(command, &arguments, (char **)queue->names, queue->count);
}

/* Whether the publication that was FOUND is to be used. */
static bool suffices(const struct lxfw_cmd_queue *queue, const struct lxfw_publication *found,
		     struct lxfw_cmd_queue_found *how)
{
	if (queue->site)
		return true;
	if (lxfw_publication_lacks(found, queue->names, queue->count) == queue->count)
		return !lxfw_queue_is_outdated(found, time(NULL));
	how->told = lxfw_cmd_site_is_new(found, queue->names, queue->count);
	return how->told;
}

/* A publication that is outdated, or lacks a job, is used only if Slurm does not answer. */
int lxfw_cmd_queue_find(const struct lxfw_command *command, const struct lxfw_cmd_queue *queue,
			struct lxfw_publication *to, struct lxfw_cmd_queue_found *how)
{
	struct lxfw_publication old = { 0 };
	bool chosen = queue->journal || queue->of != LXFW_NOW_ANY;
	int status, found = chosen ? 0 : lxfw_cmd_site_read(queue->site, to);

	*how = (struct lxfw_cmd_queue_found) { false };
	if (found < 0)
		return LXFW_EXIT_BAD;
	how->published = found > 0 && suffices(queue, to, how);
	if (how->published)
		return 0;
	old = *to;
	*to = (struct lxfw_publication) { 0 };
	status = predict(command, queue, found > 0 ? &old : NULL, to, how);
	if (status == 0 || found == 0) {
		lxfw_publication_clear(&old);
		return status;
	}
	lxfw_publication_clear(to);
	*to = old;
	how->silent = true;
	return 0;
}
