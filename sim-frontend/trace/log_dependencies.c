/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log_dependencies.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/trace/dependency.h"
#include "sim-frontend/util/text.h"

/* Length of a header comment. */
#define LINE_MOST 150

/* --- from the records ------------------------------------------------------------- */

/* Reads the array and the task of "17_4" (Slurm) and "17[4].server" (PBS). Returns whether the
   job is a task. */
static bool read_task(struct lxfw_slice id, int64_t *array, int64_t *task)
{
	size_t mark = lxfw_slice_until(id, '_'), end;

	end = lxfw_slice_until(id, '[');	/* the name of a server may have a '_' */
	mark = mark < end ? mark : end;
	if (mark == id.length)
		return false;
	for (end = mark + 1; end < id.length && id.at[end] >= '0' && id.at[end] <= '9'; end++)
		;
	return lxfw_slice_integer((struct lxfw_slice) { id.at, mark }, 1, INT64_MAX, array) &&
	       lxfw_slice_integer((struct lxfw_slice) { id.at + mark + 1, end - mark - 1 }, 0,
				  INT64_MAX, task);
}

struct adding {
	struct lxfw_log_dependencies *of;
	int64_t task;
};

static int add_wanted(void *context, const struct lxfw_dependency *dependency)
{
	struct adding *adding = context;
	struct lxfw_log_dependencies *of = adding->of;
	bool same = dependency->task == LXFW_DEPENDENCY_SAME;

	if (LXFW_GROW(of->wanted, of->wanted_size, of->wanted_count + 1))
		return -1;
	of->wanted[of->wanted_count++] = (struct lxfw_log_wanted) {
		dependency->number, same ? adding->task : dependency->task,
	};
	return 0;
}

int lxfw_log_dependencies_add(struct lxfw_log_dependencies *of, const struct lxfw_account *account,
			      size_t record)
{
	struct adding adding = { of, -1 };
	size_t first = of->wanted_count;
	int64_t array;

	if (account->id.length > 0 && read_task(account->id, &array, &adding.task)) {
		if (LXFW_GROW(of->tasks, of->tasks_size, of->task_count + 1))
			return -1;
		of->tasks[of->task_count++] = (struct lxfw_log_task) {
			array, adding.task, record,
		};
	}
	if (account->dependency.length == 0 || !lxfw_account_started(account))
		return 0;
	if (lxfw_dependency_each(account->dependency, add_wanted, &adding, &of->others))
		return -1;
	if (of->wanted_count == first)
		return 0;
	if (LXFW_GROW(of->jobs, of->size, of->count + 1))
		return -1;
	of->jobs[of->count++] = (struct lxfw_log_dependent) {
		record, account->submit, adding.task, first, of->wanted_count - first,
	};
	return 0;
}

/* --- the columns ------------------------------------------------------------------ */

/* A number of jobs, and when the last of them ended. */
struct ended {
	int64_t number, end;
};

struct settling {
	struct lxfw_log_dependencies *of;
	struct lxfw_swf_record *records;
	size_t count;
	int64_t begin;
	size_t *where;			/* sorted position of each position in the log */
	struct lxfw_id_map numbers;	/* index in `ended` */
	struct ended *ended;
	size_t ended_count;
	struct lxfw_id_map written;	/* numbers of jobs with a header comment */
	struct ended *found;		/* preceding jobs of the current job */
	size_t found_count, found_size;
	int64_t array;			/* the last one of which all tasks were wanted; 0: none */
	struct ended *of_array;		/* its tasks, the last end first */
	size_t of_array_count, of_array_size;
};

static bool started(const struct lxfw_swf_record *record)
{
	return record->run >= 0 && record->number > 0;
}

static int index_records(struct settling *settling)
{
	settling->where = calloc(settling->count + 1, sizeof(*settling->where));
	settling->ended = calloc(settling->count + 1, sizeof(*settling->ended));
	if (!settling->where || !settling->ended)
		return -1;
	for (size_t i = 0; i < settling->count; i++) {
		const struct lxfw_swf_record *record = &settling->records[i];
		int64_t wait = record->wait > 0 ? record->wait : 0;
		struct ended one = { record->number, record->submit + wait + record->run };
		int32_t at;

		settling->where[record->think_time] = i;
		if (!started(record))
			continue;
		at = lxfw_id_map_get(&settling->numbers, (uint64_t)one.number);
		if (at >= 0) {
			if (one.end > settling->ended[at].end)
				settling->ended[at].end = one.end;
			continue;
		}
		if (lxfw_id_map_add(&settling->numbers, (uint64_t)one.number,
				    (int32_t)settling->ended_count))
			return -1;
		settling->ended[settling->ended_count++] = one;
	}
	return 0;
}

static int by_task(const void *left, const void *right)
{
	const struct lxfw_log_task *a = left, *b = right;

	if (a->array != b->array)
		return a->array < b->array ? -1 : 1;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return (a->record > b->record) - (a->record < b->record);
}

/* Adds the jobs with this number, if they had ended by START. */
static int find_number(struct settling *settling, int64_t number, int64_t start)
{
	int32_t at = number > 0 ? lxfw_id_map_get(&settling->numbers, (uint64_t)number) : -1;

	if (at < 0 || settling->ended[at].end > start)
		return 0;
	if (LXFW_GROW(settling->found, settling->found_size, settling->found_count + 1))
		return -1;
	settling->found[settling->found_count++] = settling->ended[at];
	return 0;
}

/* Returns the index of the first task of an array that is not before TASK. */
static size_t first_task(const struct lxfw_log_dependencies *of, int64_t array, int64_t task)
{
	const struct lxfw_log_task wanted = { array, task, 0 };
	size_t low = 0, high = of->task_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_task(&of->tasks[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last end first. */
static int by_end(const void *left, const void *right)
{
	const struct ended *a = left, *b = right;

	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Lists the tasks of an array, of which FIRST is the first one. Many jobs may follow one array. */
static int list_array(struct settling *settling, int64_t array, size_t first)
{
	const struct lxfw_log_dependencies *of = settling->of;

	if (settling->array == array)
		return 0;
	settling->array = array;
	settling->of_array_count = 0;
	for (size_t i = first; i < of->task_count && of->tasks[i].array == array; i++) {
		int64_t number = settling->records[settling->where[of->tasks[i].record]].number;
		int32_t at = number > 0 ?
			lxfw_id_map_get(&settling->numbers, (uint64_t)number) : -1;

		if (at < 0)
			continue;
		if (LXFW_GROW(settling->of_array, settling->of_array_size,
			      settling->of_array_count + 1))
			return -1;
		settling->of_array[settling->of_array_count++] = settling->ended[at];
	}
	if (settling->of_array_count > 1)
		qsort(settling->of_array, settling->of_array_count, sizeof(*settling->of_array),
		      by_end);
	return 0;
}

/* Adds the tasks of the listed array that had ended by START: the last ones, and one more than are
   kept. */
static int find_tasks(struct settling *settling, int64_t start)
{
	size_t low = 0, high = settling->of_array_count, count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (settling->of_array[middle].end > start)
			low = middle + 1;
		else
			high = middle;
	}
	count = settling->of_array_count - low;
	if (count > LXFW_DEPENDENCIES_MOST + 1)
		count = LXFW_DEPENDENCIES_MOST + 1;
	if (LXFW_GROW(settling->found, settling->found_size, settling->found_count + count + 1))
		return -1;
	if (count > 0)		/* without tasks there is no array */
		memcpy(settling->found + settling->found_count, settling->of_array + low,
		       count * sizeof(*settling->found));
	settling->found_count += count;
	return 0;
}

static int find_wanted(struct settling *settling, const struct lxfw_log_wanted *wanted,
		       int64_t start)
{
	const struct lxfw_log_dependencies *of = settling->of;
	bool all = wanted->task < 0;
	size_t i = first_task(of, wanted->number, all ? 0 : wanted->task);

	if (i == of->task_count || of->tasks[i].array != wanted->number)
		return find_number(settling, wanted->number, start);
	if (all)
		return list_array(settling, wanted->number, i) || find_tasks(settling, start) ?
			       -1 : 0;
	for (; i < of->task_count && of->tasks[i].array == wanted->number &&
	       of->tasks[i].task == wanted->task; i++) {
		size_t record = settling->where[of->tasks[i].record];

		if (find_number(settling, settling->records[record].number, start))
			return -1;
	}
	return 0;
}

/* Sorts what was found, without doubles. */
static void sort_found(struct settling *settling)
{
	struct ended *found = settling->found;
	size_t kept = 0;

	if (settling->found_count > 1)
		qsort(found, settling->found_count, sizeof(*found), by_end);
	for (size_t i = 0; i < settling->found_count; i++) {
		if (i == 0 || found[i].number != found[i - 1].number)
			found[kept++] = found[i];
	}
	settling->of->cut += kept > LXFW_DEPENDENCIES_MOST;
	settling->found_count = kept < LXFW_DEPENDENCIES_MOST ? kept : LXFW_DEPENDENCIES_MOST;
}

static int add_line(struct lxfw_log_dependencies *of, const char *text)
{
	if (LXFW_GROW(of->lines, of->lines_size, of->line_count + 1))
		return -1;
	of->lines[of->line_count] = strdup(text);
	return of->lines[of->line_count++] ? 0 : -1;
}

/* Adds the header comments of the job of RECORD. Jobs with the same number share them. */
static int write_lines(struct settling *settling, const struct lxfw_swf_record *record,
		       int64_t submit)
{
	char line[LINE_MOST + 80];
	int length = 0;

	if (lxfw_id_map_get(&settling->written, (uint64_t)record->number) >= 0)
		return 0;
	if (lxfw_id_map_add(&settling->written, (uint64_t)record->number, 0))
		return -1;
	for (size_t i = 0; i < settling->found_count; i++) {
		if (length == 0)
			length = snprintf(line, sizeof(line), "%" PRId64 " %" PRId64 " ",
					  record->number, submit);
		else
			line[length++] = ',';
		length += snprintf(line + length, sizeof(line) - (size_t)length, "%" PRId64,
				   settling->found[i].number);
		if (length < LINE_MOST && i + 1 < settling->found_count)
			continue;
		if (add_line(settling->of, line))
			return -1;
		length = 0;
	}
	return 0;
}

static int settle_job(struct settling *settling, const struct lxfw_log_dependent *job,
		      struct lxfw_swf_record *record)
{
	int64_t start = record->submit + (record->wait > 0 ? record->wait : 0);
	int64_t submit = job->submit - settling->begin, last;

	settling->found_count = 0;
	for (size_t i = 0; i < job->count; i++) {
		if (find_wanted(settling, &settling->of->wanted[job->first + i], start))
			return -1;
	}
	sort_found(settling);
	if (settling->found_count == 0 || !started(record)) {
		settling->of->lost++;
		return 0;
	}
	settling->of->dependent++;
	last = settling->found[0].end;
	record->preceding_job = settling->found[0].number;
	record->think_time = last <= submit ? -1 :
			     record->submit > last ? record->submit - last : 0;
	return last > submit || settling->found_count > 1 ?
	       write_lines(settling, record, submit) : 0;
}

static int by_record(const void *left, const void *right)
{
	const struct lxfw_log_dependent *a = left, *b = right;

	return (a->record > b->record) - (a->record < b->record);
}

/* Orders the jobs as the trace does, so that it does not matter in which order they were added. */
static void order_jobs(struct settling *settling)
{
	struct lxfw_log_dependencies *of = settling->of;

	for (size_t i = 0; i < of->count; i++)
		of->jobs[i].record = settling->where[of->jobs[i].record];
	if (of->count > 1)
		qsort(of->jobs, of->count, sizeof(*of->jobs), by_record);
}

int lxfw_log_dependencies_settle(struct lxfw_log_dependencies *of,
				 struct lxfw_swf_record *records, size_t count, int64_t begin)
{
	struct settling settling = {
		.of = of, .records = records, .count = count, .begin = begin,
	};
	int failed = 0;

	if (of->count == 0) {
		for (size_t i = 0; i < count; i++)
			records[i].think_time = -1;
		return 0;
	}
	if (of->task_count > 1)
		qsort(of->tasks, of->task_count, sizeof(*of->tasks), by_task);
	failed = index_records(&settling);
	if (!failed)
		order_jobs(&settling);
	for (size_t i = 0; i < count && !failed; i++)
		records[i].think_time = -1;
	for (size_t i = 0; i < of->count && !failed; i++)
		failed = settle_job(&settling, &of->jobs[i],
				    &records[of->jobs[i].record]);
	free(settling.where);
	free(settling.ended);
	free(settling.found);
	free(settling.of_array);
	lxfw_id_map_clear(&settling.numbers);
	lxfw_id_map_clear(&settling.written);
	return failed ? -1 : 0;
}

void lxfw_log_dependencies_clear(struct lxfw_log_dependencies *of)
{
	int saved = errno;

	free(of->jobs);
	free(of->wanted);
	free(of->tasks);
	for (size_t i = 0; i < of->line_count; i++)
		free(of->lines[i]);
	free(of->lines);
	*of = (struct lxfw_log_dependencies) { 0 };
	errno = saved;
}
