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
	const struct lxfw_trace *trace;	/* job ids are positions in it plus one; NULL:
					   none */
	struct lxfw_id_map numbers;	/* number of jobs so far by job number */
};

/* Writes the magic. The caller keeps ownership of OUTPUT. Returns 0, or -1 with errno. */
int lxfw_journal_writer_begin(struct lxfw_journal_writer *writer,
			      struct lxfw_output *output);

/* Writes the names of jobs from TRACE from now on. The caller keeps ownership of
   TRACE. */
void lxfw_journal_writer_name(struct lxfw_journal_writer *writer,
			      const struct lxfw_trace *trace);

int lxfw_journal_writer_event(struct lxfw_journal_writer *writer,
			      const struct lxfw_event *event);
int lxfw_journal_writer_decision(struct lxfw_journal_writer *writer,
				 int64_t now,
				 const struct lxfw_decision *decision);

void lxfw_journal_writer_end(struct lxfw_journal_writer *writer);

#endif
