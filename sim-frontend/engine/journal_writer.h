/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Appends events and decisions to a journal file. */
#ifndef LXFW_ENGINE_JOURNAL_WRITER_H
#define LXFW_ENGINE_JOURNAL_WRITER_H

#include "common/journal/journal.h"
#include "sim-frontend/util/output.h"

struct lxfw_journal_writer {
	struct lxfw_output *output;
	struct lxfw_buffer buffer;
};

/* Writes the magic. The output remains the caller's. 0, or -1 with errno. */
int lxfw_journal_writer_begin(struct lxfw_journal_writer *writer,
			      struct lxfw_output *output);

int lxfw_journal_writer_event(struct lxfw_journal_writer *writer,
			      const struct lxfw_event *event);
int lxfw_journal_writer_decision(struct lxfw_journal_writer *writer,
				 int64_t now,
				 const struct lxfw_decision *decision);

void lxfw_journal_writer_end(struct lxfw_journal_writer *writer);

#endif
