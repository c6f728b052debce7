/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/import_swf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/trace/record_bytes.h"
#include "sim-frontend/trace/sorted_runs.h"
#include "sim-frontend/trace/swf_write.h"
#include "sim-frontend/util/text.h"

static int keep_header(void *context, const char *key, int key_length,
		       const char *value, int value_length)
{
	fprintf(context, "; %.*s: %.*s\n", key_length, key, value_length, value);
	return ferror((FILE *)context) ? -1 : 0;
}

/* Items without a key stay in the order in which they are added. */
static int keep_record(struct lxfw_sorted_runs *jobs, const struct lxfw_swf_record *record,
		       struct lxfw_error *error)
{
	unsigned char data[LXFW_RECORD_BYTES];
	const struct lxfw_sorted_item item = {
		.data = data,
		.data_length = (uint32_t)(lxfw_bytes_put_record(data, record) - data),
	};

	return lxfw_sorted_runs_add(jobs, &item, error);
}

/* Reads all jobs. */
static int take(struct lxfw_input *input, struct lxfw_log *log, struct lxfw_sorted_runs *jobs,
		FILE *comments, struct lxfw_error *error)
{
	struct lxfw_odd *odd = &log->counts.odd;
	struct lxfw_swf_record record;
	int got;

	while ((got = lxfw_swf_next(input, &record, keep_header, comments, odd,
				    error)) > 0) {
		if (keep_record(jobs, &record, error))
			return -1;
		log->count++;
	}
	if (got == 0)
		got = lxfw_odd_judge(odd, log->count + odd->count, log->count, error);
	if (got == 0 && log->count == 0)
		got = lxfw_error_at(error, lxfw_input_path(input),
			lxfw_input_line_number(input) + 1,
			"no job in the file, expected lines of 18 fields (SWF)");
	return got;
}

static int put(struct lxfw_sorted_runs *jobs, struct lxfw_output *output,
	       struct lxfw_error *error)
{
	struct lxfw_swf_record record;
	struct lxfw_sorted_item item;
	int got = lxfw_sorted_runs_rewind(jobs, error);

	while (got == 0 && (got = lxfw_sorted_runs_next(jobs, &item, error)) > 0) {
		lxfw_bytes_take_record(item.data, &record);
		lxfw_swf_write(output, &record);
		got = 0;
	}
	return got;
}

static void print(const struct lxfw_input *input, const struct lxfw_log *log)
{
	const char *first = log->counts.odd.examples[0].text;
	char odd[700] = "", quoted[600];

	if (log->counts.odd.count > 0)
		snprintf(odd, sizeof(odd), ", %zu odd (left out), the first: %s",
			 log->counts.odd.count,
			 lxfw_text_quote(quoted, sizeof(quoted), first, strlen(first)));
	lxfw_cmd_note("%s: %zu records (swf)%s", lxfw_input_path(input),
		      log->count + log->counts.odd.count, odd);
}

int lxfw_import_swf(struct lxfw_input *input, struct lxfw_log *log, size_t memory,
		    struct lxfw_output *output, bool tell, struct lxfw_error *error)
{
	struct lxfw_sorted_runs *jobs = lxfw_sorted_runs_open(memory);
	char *text = NULL;
	size_t length = 0;
	FILE *comments = open_memstream(&text, &length);
	int got = -1;

	if (!comments || !jobs)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		got = take(input, log, jobs, comments, error);
	if (comments && fclose(comments) && got == 0)
		got = lxfw_error_system(error, lxfw_input_path(input));
	if (got == 0 && output) {
		lxfw_output_write(output, text, length);
		got = put(jobs, output, error);
	}
	if (got == 0 && tell)
		print(input, log);
	lxfw_sorted_runs_close(jobs);
	free(text);
	return got;
}
