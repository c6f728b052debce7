/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/swf_write.h"

#include <stdarg.h>
#include <stdio.h>

#include "sim-frontend/util/text.h"

void lxfw_swf_write_header(struct lxfw_output *output, const char *key,
			   const char *format, ...)
{
	char value[200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(value, sizeof(value), format, arguments);
	va_end(arguments);
	lxfw_output_text(output, "; ");
	lxfw_output_text(output, key);
	lxfw_output_text(output, ": ");
	lxfw_output_text(output, value);
	lxfw_output_text(output, "\n");
}

void lxfw_swf_write(struct lxfw_output *output,
		    const struct lxfw_swf_record *record)
{
	const int64_t fields[] = {
		record->number, record->submit, record->wait, record->run,
		record->used_procs, (int64_t)record->cpu_time,
		record->used_memory, record->requested_procs,
		record->requested_time, record->requested_memory,
		record->status, record->user, record->group,
		record->executable, record->queue, record->partition,
		record->preceding_job, record->think_time,
	};
	char line[sizeof(fields) / sizeof(*fields) * 21];
	int length = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (i > 0)
			line[length++] = ' ';
		length += lxfw_text_put_integer(line + length, fields[i]);
	}
	line[length++] = '\n';
	lxfw_output_write(output, line, (size_t)length);
}

void lxfw_swf_record_of(struct lxfw_swf_record *record,
			const struct lxfw_trace_job *job, int queue)
{
	*record = (struct lxfw_swf_record) {
		.number = job->number,
		.submit = job->submit,
		.wait = job->wait,
		.run = job->run,
		.used_procs = job->procs,
		.cpu_time = -1,
		.used_memory = job->used_memory_kb < 0 ? -1 :
			       job->used_memory_kb / job->procs,
		.requested_procs = job->procs,
		.requested_time = job->limit,
		.requested_memory = job->memory_kb > 0 ?
				    job->memory_kb / job->procs : -1,
		.status = 1,
		.user = queue,
		.group = -1,
		.executable = -1,
		.queue = queue,
		.partition = -1,
		.preceding_job = -1,
		.think_time = -1,
	};
}
