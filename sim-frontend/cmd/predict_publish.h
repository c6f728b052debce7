/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --publish: a folder with what users want to know of the queue. */
#ifndef LXFW_CMD_PREDICT_PUBLISH_H
#define LXFW_CMD_PREDICT_PUBLISH_H

#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/cmd/predict_past.h"
#include "sim-frontend/publish/listed.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/publish/records.h"

/* The functions return 0, or an exit status after a message. A data base that cannot be read or
   written is no failure; that is noted. */

/* Opens the data base of the folder; *RECORDS is NULL without SQLite, and with a message if the file
   cannot be used, which is no failure. */
int lxfw_predict_records(const struct lxfw_predict_arguments *arguments,
			 struct lxfw_records **records);

/* Sets *ENOUGH to whether what was published earlier teaches as much as ENOUGH_MOMENTS equal moments
   apart from each other (remaining.h). RECORDS may be NULL. */
int lxfw_predict_teaches(struct lxfw_records *records, bool *enough);

/* Enters the starts that the journal has, and adds what was predicted earlier to PROMISES. */
int lxfw_predict_recall(struct lxfw_records *records, const struct lxfw_past *past,
			struct lxfw_promises *promises);

/* What is known when the predictions are made. */
struct lxfw_predict_result {
	const struct lxfw_live *live;
	struct lxfw_predict_past *from;
	const struct lxfw_expected *jobs;	/* all that wait, in the order of the queue */
	size_t count;
	const struct lxfw_listed *listed;	/* users and partitions, or NULL */
	bool answers;		/* squeue does: it listed them */
};

/* Asks squeue for users and partitions. Returns false, once with a message, if it does not answer: that is
   no failure. They are those of FOLDER then, if that is not NULL. */
bool lxfw_predict_list(const char *folder, struct lxfw_listed *listed);

/* Makes a publication without the next day and the table of starts: the jobs. USERS: with the
   names of their users. */
int lxfw_predict_publication(const struct lxfw_predict_result *result, bool users,
			     struct lxfw_publication *to);

/* Writes the files of the folder. */
int lxfw_predict_publish(const struct lxfw_predict_arguments *arguments,
			 const struct lxfw_predict_result *result, struct lxfw_records *records);

#endif
