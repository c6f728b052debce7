/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Appends events and decisions to a journal file. */
#ifndef LXFW_ENGINE_JOURNAL_WRITER_H
#define LXFW_ENGINE_JOURNAL_WRITER_H

#include "common/journal/journal.h"
#include "common/util/id_map.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/output.h"

struct lxfw_journal_writer {
	struct lxfw_output *output;
	struct lxfw_buffer buffer;
	const struct lxfw_trace *trace;	/* whose positions plus one are the ids of jobs,
					   or NULL */
	struct lxfw_id_map numbers;	/* how many jobs of a number there were */
};

/* Writes the magic. The output remains the caller's. 0, or -1 with errno. */
int lxfw_journal_writer_begin(struct lxfw_journal_writer *writer,
			      struct lxfw_output *output);

/* From now on jobs are named as TRACE does, which is the caller's and stays. */
void lxfw_journal_writer_name(struct lxfw_journal_writer *writer,
			      const struct lxfw_trace *trace);

int lxfw_journal_writer_event(struct lxfw_journal_writer *writer,
			      const struct lxfw_event *event);
int lxfw_journal_writer_decision(struct lxfw_journal_writer *writer,
				 int64_t now,
				 const struct lxfw_decision *decision);

void lxfw_journal_writer_end(struct lxfw_journal_writer *writer);

#endif
