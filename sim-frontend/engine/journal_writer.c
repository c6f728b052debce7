/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/journal_writer.h"

#include <stdlib.h>

/* What has been encoded goes to the output, whose errors are told of when it is
   committed. */
static int flush(struct lxfw_journal_writer *writer)
{
	lxfw_output_write(writer->output, writer->buffer.bytes,
			  writer->buffer.length);
	writer->buffer.length = 0;
	return 0;
}

int lxfw_journal_writer_begin(struct lxfw_journal_writer *writer,
			      struct lxfw_output *output)
{
	*writer = (struct lxfw_journal_writer) { .output = output };
	lxfw_output_write(output, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE);
	return 0;
}

int lxfw_journal_writer_event(struct lxfw_journal_writer *writer,
			      const struct lxfw_event *event)
{
	if (lxfw_journal_put_event(&writer->buffer, event))
		return -1;
	return flush(writer);
}

int lxfw_journal_writer_decision(struct lxfw_journal_writer *writer,
				 int64_t now,
				 const struct lxfw_decision *decision)
{
	if (lxfw_journal_put_decision(&writer->buffer, now, decision))
		return -1;
	return flush(writer);
}

void lxfw_journal_writer_end(struct lxfw_journal_writer *writer)
{
	free(writer->buffer.bytes);
	*writer = (struct lxfw_journal_writer) { 0 };
}
