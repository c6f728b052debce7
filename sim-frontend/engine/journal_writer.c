/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/journal_writer.h"

#include <stdlib.h>

/* Passes encoded data to the output. Its errors are reported when it is committed. */
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

void lxfw_journal_writer_name(struct lxfw_journal_writer *writer,
			      const struct lxfw_trace *trace)
{
	writer->trace = trace;
}

/* Returns in *BEFORE the number of earlier jobs with this number, and counts this one.
   Returns 0, or -1 with errno. */
static int count_number(struct lxfw_journal_writer *writer, int64_t number,
			int64_t *before)
{
	/* the map cannot hold key 0, and the numbers of a log begin with -1 */
	uint64_t key = (uint64_t)number + 2;
	int32_t count = lxfw_id_map_get(&writer->numbers, key);

	*before = count < 0 ? 0 : count;
	lxfw_id_map_remove(&writer->numbers, key);
	return lxfw_id_map_add(&writer->numbers, key, (int32_t)*before + 1);
}

static int put_name(struct lxfw_journal_writer *writer, uint64_t id)
{
	struct lxfw_job_name name = { .job = id };

	if (!writer->trace || id > writer->trace->count)
		return 0;
	name.number = writer->trace->jobs[id - 1].number;
	if (count_number(writer, name.number, &name.before))
		return -1;
	if (name.number == (int64_t)id && name.before == 0)
		return 0;
	return lxfw_journal_put_name(&writer->buffer, &name);
}

int lxfw_journal_writer_event(struct lxfw_journal_writer *writer,
			      const struct lxfw_event *event)
{
	if (event->type == LXFW_EVENT_JOB_SUBMIT &&
	    put_name(writer, event->request->id))
		return -1;
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
	lxfw_id_map_clear(&writer->numbers);
	*writer = (struct lxfw_journal_writer) { 0 };
}
