/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs as Slurm's controller prints them, "KEY=VALUE KEY=VALUE ...":
 *
 *   scontrol show job, also with --oneliner   a record extends over indented lines
 *   jobcomp/filetxt                           a line for each job that has ended
 *
 * The values are read as those of the columns of sacct.
 */
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/sacct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

/* Longer records are truncated. Those of Slurm have some thousand bytes. */
#define RECORD_MOST (1 << 20)

/* Values that are not columns of sacct. */
enum { ARRAY_ID = COLUMNS, TASK, HET_ID, HET_OFFSET, NODE_MEMORY, CPU_MEMORY, VALUES };

static const struct {
	const char *key;
	int value;
} keys[] = {
	{ "JobId", JOB_ID_RAW },
	{ "ArrayJobId", ARRAY_ID }, { "ArrayTaskId", TASK },
	{ "HetJobId", HET_ID }, { "HetJobOffset", HET_OFFSET },
	{ "UserId", USER }, { "GroupId", GROUP }, { "Account", ACCOUNT }, { "QOS", QOS },
	{ "JobState", STATE }, { "Partition", PARTITION },
	{ "SubmitTime", SUBMIT }, { "EligibleTime", ELIGIBLE }, { "StartTime", START },
	{ "EndTime", END }, { "RunTime", ELAPSED }, { "TimeLimit", TIMELIMIT },
	{ "NodeList", NODE_LIST }, { "NumNodes", NNODES }, { "NodeCnt", NNODES },
	{ "NumCPUs", NCPUS }, { "ProcCnt", NCPUS },
	{ "MinMemoryNode", NODE_MEMORY }, { "MinMemoryCPU", CPU_MEMORY },
	{ "ReqTRES", REQ_TRES }, { "AllocTRES", ALLOC_TRES }, { "TRES", ALLOC_TRES },
	{ "Tres", ALLOC_TRES },
	{ "Reservation", RESERVATION }, { "ReservationName", RESERVATION },
};

/* The name of a job may contain blanks, and look like further keys. */
static const struct {
	const char *key, *next;		/* and the key after it */
} names[] = {
	{ "JobName", " UserId=" }, { "Name", " JobState=" },
};

struct pairs {
	struct sacct sacct;
	struct lxfw_slice values[VALUES];
	char id[64], memory[40];
};

/* --- records ---------------------------------------------------------------------- */

static bool is_record(const char *line, size_t length)
{
	return length > 6 && memcmp(line, "JobId=", 6) == 0 && line[6] >= '0' && line[6] <= '9';
}

static int append(struct sacct *sacct, const char *line, size_t length)
{
	if (sacct->length + length >= RECORD_MOST)
		return 0;
	if (LXFW_GROW(sacct->record, sacct->size, sacct->length + length + 2))
		return -1;
	memcpy(sacct->record + sacct->length, line, length);
	sacct->length += length;
	sacct->record[sacct->length++] = '\n';
	sacct->record[sacct->length] = '\0';
	return 0;
}

/* Reads a line and the indented lines after it. Returns 1, 0 at the end, LXFW_ODD_RECORD, or
   -1. */
static int read_lines(struct sacct *sacct, struct lxfw_odd *odd, struct lxfw_error *error)
{
	char *line;
	size_t length;
	bool known;
	int got;

	do {
		got = lxfw_input_line(sacct->input, &line, &length, error);
		if (got <= 0)
			return got;
	} while (length == 0);
	sacct->line = lxfw_input_line_number(sacct->input);
	sacct->length = 0;
	known = is_record(line, length);
	do {
		if (append(sacct, line, length))
			return lxfw_error_system(error, lxfw_input_path(sacct->input));
		got = lxfw_input_peek(sacct->input, &line, &length, error);
		if (got <= 0 || length == 0 || *line != ' ')
			break;
		got = lxfw_input_line(sacct->input, &line, &length, error);
	} while (got > 0);
	if (got >= 0 && !known)
		return lxfw_odd_add(odd, sacct->input, sacct->line,
				    "no record of a job, expected JobId=NUMBER");
	return got < 0 ? -1 : 1;
}

/* --- values ----------------------------------------------------------------------- */

static bool is_word(struct lxfw_slice word, const char *text)
{
	return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

/* Returns the end of the name of a job, whose value begins at AT. It ends with its
   line, or at the last key that can follow it if the whole record is in one line. */
static const char *end_of_name(const char *at, const char *next)
{
	const char *end = strchr(at, '\n'), *found = NULL;

	if (!end)
		return at + strlen(at);
	if (end[1] != '\0')
		return end;
	for (const char *more = at; (more = strstr(more, next)) != NULL; more++)
		found = more;
	return found ? found : at;
}

/* Takes the item "KEY=VALUE", whose value ends at END. Returns the end of what was read. */
static const char *take_item(struct pairs *pairs, const char *item, const char *end)
{
	const char *equal = memchr(item, '=', (size_t)(end - item));
	struct lxfw_slice key = { item, equal ? (size_t)(equal - item) : 0 }, value;

	if (!equal)
		return end;
	value = (struct lxfw_slice) { equal + 1, (size_t)(end - equal - 1) };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (is_word(key, names[i].key))
			return end_of_name(value.at, names[i].next);
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct lxfw_slice *known = &pairs->values[keys[i].value];

		/* the texts of users come last */
		if (is_word(key, keys[i].key) && !known->at)
			*known = value;
	}
	return end;
}

static void split(struct pairs *pairs)
{
	memset(pairs->values, 0, sizeof(pairs->values));
	for (const char *at = pairs->sacct.record; *at;) {
		size_t length = strcspn(at, " \t\n");

		at = length > 0 ? take_item(pairs, at, at + length) : at + 1;
	}
	for (int i = 0; i < VALUES; i++) {
		if (is_word(pairs->values[i], "(null)") || is_word(pairs->values[i], "N/A"))
			pairs->values[i].length = 0;
	}
}

/* Cuts "ann(1001)" before the number. */
static void without_number(struct lxfw_slice *name)
{
	const char *bracket = name->length ? memchr(name->at, '(', name->length) : NULL;

	if (bracket)
		name->length = (size_t)(bracket - name->at);
}

/* Sets the id as sacct prints it: "7", "7_2" or "7+1". */
static void set_id(struct pairs *pairs)
{
	struct lxfw_slice *values = pairs->values;
	bool task = values[ARRAY_ID].length > 0 && values[TASK].length > 0;
	bool part = values[HET_ID].length > 0 && values[HET_OFFSET].length > 0;
	struct lxfw_slice first = values[task ? ARRAY_ID : part ? HET_ID : JOB_ID_RAW];
	struct lxfw_slice second = values[task ? TASK : HET_OFFSET];
	int length;

	if (!task && !part) {
		values[JOB_ID] = first;
		return;
	}
	length = snprintf(pairs->id, sizeof(pairs->id), "%.*s%c%.*s", (int)first.length,
			  first.at, task ? '_' : '+', (int)second.length, second.at);
	values[JOB_ID] = (struct lxfw_slice) {
		pairs->id, (size_t)length < sizeof(pairs->id) ? (size_t)length :
							       sizeof(pairs->id) - 1 };
}

/* Sets the requested memory as old releases of sacct print it: "4Gn" for each node, "2Gc" for each
   processor. */
static void set_memory(struct pairs *pairs)
{
	bool node = pairs->values[NODE_MEMORY].length > 0;
	struct lxfw_slice value = pairs->values[node ? NODE_MEMORY : CPU_MEMORY];
	int length;

	if (value.length == 0 || value.length > 30 || is_word(value, "0"))
		return;
	length = snprintf(pairs->memory, sizeof(pairs->memory), "%.*s%c", (int)value.length,
			  value.at, node ? 'n' : 'c');
	pairs->values[REQ_MEM] = (struct lxfw_slice) { pairs->memory, (size_t)length };
}

/* Whether the job was cancelled while it was pending. Slurm then prints the time of that as
   its start. */
static bool never_started(const struct lxfw_slice *values)
{
	return values[NODE_LIST].length == 0 && lxfw_slice_begins(values[STATE], "CANCELLED");
}

/* Sets the fields of the record. Returns whether they are valid; if not, sets `wrong`. */
static bool set_fields(struct pairs *pairs)
{
	struct lxfw_slice *values = pairs->values;
	int64_t minutes;

	split(pairs);
	set_id(pairs);
	set_memory(pairs);
	without_number(&values[USER]);
	without_number(&values[GROUP]);
	/* jobcomp/filetxt writes minutes */
	if (lxfw_slice_integer(values[TIMELIMIT], 0, INT64_MAX, &minutes)) {
		values[TIMELIMIT_RAW] = values[TIMELIMIT];
		values[TIMELIMIT].length = 0;
	}
	if (never_started(values))
		values[START].length = 0;
	memcpy(pairs->sacct.fields, values, sizeof(pairs->sacct.fields));
	for (int column = 0; column < COLUMNS; column++) {
		if ((values[column].at || column == SUBMIT || column == STATE) &&
		    !lxfw_sacct_plausible(&pairs->sacct, (enum column)column))
			return false;
	}
	return true;
}

/* --- the reader ------------------------------------------------------------------- */

static int next(void *state, struct lxfw_account *account,
		struct lxfw_account_counts *counts, struct lxfw_error *error)
{
	struct pairs *pairs = state;
	struct sacct *sacct = &pairs->sacct;
	int got = read_lines(sacct, &counts->odd, error);

	if (got != 1)
		return got;
	if (!set_fields(pairs))
		return lxfw_odd_add(&counts->odd, sacct->input, sacct->line, "%s",
				    sacct->wrong.text);
	return lxfw_sacct_make(sacct, account, counts);
}

static void *open_pairs(struct lxfw_input *input,
			const struct lxfw_account_options *options,
			struct lxfw_error *error)
{
	struct pairs *pairs = calloc(1, sizeof(*pairs));

	if (!pairs)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		pairs->sacct = (struct sacct) { .input = input, .in_zone = options->in_zone,
						.last = -1, .bar = '|' };
	return pairs;
}

static void close_pairs(void *state)
{
	struct pairs *pairs = state;

	free(pairs->sacct.record);
	free(pairs);
}

const struct lxfw_log_format lxfw_log_scontrol = {
	.name = "scontrol",
	.recognizes = is_record,
	.partitions = true,
	.open = open_pairs,
	.close = close_pairs,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
