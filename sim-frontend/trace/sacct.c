/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of Slurm's sacct with --parsable2 or --parsable: fields separated by '|', or by
 * another delimiter that the header line shows. That line names the columns, which may be in
 * any order. Without a header line, the orders of lxfw-import(1), Open XDMoD and the AWS HPC
 * cost simulator are recognized. sacct_fixed.c reads the output without these options.
 *
 * Job names, submit lines and comments may contain '|' and line breaks, which sacct does
 * not escape. A record extends over lines until it has all its fields. If it has too
 * many, the excess bars are assigned to such texts so that every other column has a valid
 * value.
 */
#include "sim-frontend/trace/local_times.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/sacct.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/dependency.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/util/text.h"

/* Slurm's flags for memory per processor, included in a value that was not decoded. */
#define PER_CPU_FLAG (UINT64_C(1) << 31)
#define PER_CPU_FLAG_64 (UINT64_C(1) << 63)

/* Returns whether the value has Slurm's flag for memory per processor: "2147486448Mn". */
static bool has_flag(struct lxfw_slice field)
{
	int64_t value;
	size_t digits = 0;

	while (digits < field.length && field.at[digits] >= '0' &&
	       field.at[digits] <= '9')
		digits++;
	return !lxfw_slice_integer((struct lxfw_slice) { field.at, digits }, 0,
				   (int64_t)PER_CPU_FLAG - 1, &value);
}

/* Returns the memory of the whole job in KB: "4G", "2800Mc" (per processor), "64Gn"
   (per node), "2147486448Mn" (2800 MB per processor). */
static int64_t read_memory(struct lxfw_slice field, int64_t procs, int64_t hosts)
{
	uint64_t value = 0;
	int64_t times = 1, kb;
	size_t digits = 0;

	if (field.length == 0)
		return 0;
	if (field.at[field.length - 1] == 'n' || field.at[field.length - 1] == 'c') {
		times = field.at[--field.length] == 'n' ? hosts : procs;
		times = times > 0 ? times : 1;
	}
	while (digits < field.length && digits < 19 && field.at[digits] >= '0' &&
	       field.at[digits] <= '9')
		value = value * 10 + (uint64_t)(field.at[digits++] - '0');
	if (value >= PER_CPU_FLAG && (digits == field.length ||
	    (digits + 1 == field.length && field.at[digits] == 'M'))) {
		value -= value >= PER_CPU_FLAG_64 ? PER_CPU_FLAG_64 :
						    PER_CPU_FLAG;
		kb = value > (uint64_t)LXFW_ACCOUNT_MEMORY_MAX_KB / 1024 ?
			LXFW_ACCOUNT_MEMORY_MAX_KB : (int64_t)value * 1024;
		return lxfw_account_memory(kb, procs > 0 ? procs : 1);
	}
	if (!lxfw_slice_size(field, INT64_C(1) << 20, &kb))
		return 0;
	return lxfw_account_memory(kb, times);
}

/* Returns the memory used by a step: from "cpu=00:00:01,mem=320K", otherwise that of a
   task times the number of tasks. */
static int64_t read_used_memory(const struct lxfw_slice *fields)
{
	struct lxfw_slice tres = fields[TRES_TOTAL];
	int64_t kb, tasks = 1;

	for (size_t i = 0; i + 4 < tres.length; i++) {
		struct lxfw_slice item = { tres.at + i, 0 };

		if ((i > 0 && tres.at[i - 1] != ',') ||
		    memcmp(item.at, "mem=", 4) != 0)
			continue;
		item.at += 4;
		while (item.at + item.length < tres.at + tres.length &&
		       item.at[item.length] != ',')
			item.length++;
		if (lxfw_slice_size(item, 1, &kb))
			return kb;
	}
	if (!lxfw_slice_size(fields[MAX_RSS], 1, &kb))
		return -1;
	lxfw_slice_integer(fields[NTASKS], 1, INT32_MAX, &tasks);
	return lxfw_account_memory(kb, tasks);
}

/* Returns the number with which ID begins, or 0. */
static int64_t leading_number(struct lxfw_slice id)
{
	int64_t number = 0;
	size_t digits = 0;

	while (digits < id.length && id.at[digits] >= '0' && id.at[digits] <= '9')
		digits++;
	id.length = digits;
	lxfw_slice_integer(id, 1, INT64_MAX, &number);
	return number;
}

static int64_t read_number(const struct lxfw_slice *fields)
{
	return leading_number(lxfw_sacct_job_id(fields[JOB_ID_RAW]) ?
			      fields[JOB_ID_RAW] : fields[JOB_ID]);
}

/* --- times ---------------------------------------------------------------------- */

/* Whether the times of a record are such, see struct lxfw_account_counts. */
struct time_counts {
	bool local, skipped, unclear;
};

static const enum column time_columns[LXFW_TIMES] = { SUBMIT, ELIGIBLE, START, END };

/* Returns the time from start to end: Elapsed plus the time suspended, which Elapsed
   excludes; -1 if unknown. */
static int64_t time_held(const struct lxfw_slice *fields, int64_t suspended)
{
	int64_t elapsed;

	return lxfw_slice_span(fields[ELAPSED], &elapsed) ||
	       lxfw_slice_integer(fields[ELAPSED], 0, LXFW_ACCOUNT_TIME_MAX,
				  &elapsed) ? elapsed + suspended : -1;
}

static void read_times(struct sacct *sacct, struct lxfw_account *account,
		       struct time_counts *counts)
{
	struct lxfw_local_times times = { .in_zone = sacct->in_zone, .last = sacct->last,
					  .waited = -1 };

	lxfw_slice_span(sacct->fields[SUSPENDED], &account->suspended);
	times.held = time_held(sacct->fields, account->suspended);
	for (size_t i = 0; i < LXFW_TIMES; i++)
		lxfw_sacct_time(sacct->fields[time_columns[i]], &times.at[i], &times.local[i]);
	lxfw_local_times_convert(&times);
	counts->local = times.any_local;
	counts->skipped = times.skipped;
	counts->unclear = times.unclear;
	account->submit = sacct->last = times.at[0];
	account->eligible = times.at[1];
	account->start = times.at[2];
	account->end = times.at[3];
}

static void read_run(struct lxfw_account *account,
		     const struct lxfw_slice *fields)
{
	if (account->start < 0 || account->end < account->start)
		return;
	if (!lxfw_slice_span(fields[ELAPSED], &account->run) &&
	    !lxfw_slice_integer(fields[ELAPSED], 0, LXFW_ACCOUNT_TIME_MAX,
				&account->run))
		account->run = account->end - account->start -
			       account->suspended;
	if (account->run < 0)
		account->run = 0;
}

/* Reads the limit, of which TimelimitRaw has the minutes. */
static void read_limit(struct lxfw_account *account, const struct lxfw_slice *fields)
{
	int64_t minutes;

	if (lxfw_slice_begins(fields[TIMELIMIT], "UNLIMITED") ||
	    lxfw_slice_begins(fields[TIMELIMIT_RAW], "UNLIMITED"))
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (!lxfw_slice_span(fields[TIMELIMIT], &account->limit) &&
		 lxfw_slice_integer(fields[TIMELIMIT_RAW], 0, LXFW_ACCOUNT_TIME_MAX / 60,
				    &minutes))
		account->limit = minutes * 60;
}

/* Reads what the job was allocated, otherwise what it requested. Old releases of Slurm
   state the request per host. */
static void read_needs(struct lxfw_account *account,
		       const struct lxfw_slice *fields)
{
	struct lxfw_slice memory = fields[REQ_MEM];
	bool rounded;

	account->gres = fields[ALLOC_TRES];
	if (account->gres.length == 0)
		account->gres = fields[REQ_TRES];
	if (account->gres.length == 0)
		account->gres = fields[REQ_GRES];
	account->asked_hosts = lxfw_tres_count(fields[REQ_TRES], "node");
	if (account->asked_hosts == 0)
		lxfw_sacct_count(fields[REQ_NODES], &account->asked_hosts,
				 &rounded);
	account->host_memory = memory.length > 0 &&
		memory.at[memory.length - 1] == 'n' && !has_flag(memory);
	account->qos = fields[QOS];
	account->account = fields[ACCOUNT];
	account->reservation = fields[RESERVATION];
	account->dependency = lxfw_dependency_option(fields[SUBMIT_LINE]);
	account->limited = lxfw_dependency_limits(fields[SUBMIT_LINE]);
}

/* Returns NULL, or what is wrong with the record. */
static const char *read_job(struct sacct *sacct, struct lxfw_account *account,
			    struct time_counts *counts)
{
	const struct lxfw_slice *fields = sacct->fields;
	bool rounded, requested_rounded;
	int64_t requested = 0;
	const char *wrong;

	account->number = read_number(fields);
	account->cluster = fields[CLUSTER];
	account->step = memchr(fields[JOB_ID].at, '.', fields[JOB_ID].length);
	if (account->step) {
		account->used_memory_kb = read_used_memory(fields);
		return NULL;
	}
	account->part = memchr(fields[JOB_ID].at, '+', fields[JOB_ID].length);
	account->het = account->part ? leading_number(fields[JOB_ID]) : 0;
	account->id = fields[JOB_ID];
	read_times(sacct, account, counts);
	if (account->submit < 0)
		return "no time of submission, expected 2025-01-31T12:00:00 or seconds";
	wrong = lxfw_account_check_times(account);
	if (wrong)
		return wrong;
	lxfw_account_slurm_state(account, fields[STATE].at, fields[STATE].length);
	account->over &= account->end >= 0;
	if (!account->over)
		account->end = -1;
	read_run(account, fields);
	lxfw_sacct_count(fields[NCPUS], &account->procs, &account->rounded);
	lxfw_sacct_count(fields[REQ_CPUS], &requested, &requested_rounded);
	if (account->procs == 0) {
		account->procs = requested;
		account->rounded = requested_rounded;
	}
	lxfw_sacct_count(fields[NNODES], &account->hosts, &rounded);
	if (account->hosts == 0)
		account->hosts = lxfw_tres_count(fields[ALLOC_TRES], "node");
	/* Slurm may allocate more than was requested: --mem-per-cpu counts for whole cores. */
	account->memory_kb = lxfw_tres_memory(fields[ALLOC_TRES]);
	if (account->memory_kb == 0)
		account->memory_kb = read_memory(fields[REQ_MEM], account->procs,
						 account->hosts);
	read_limit(account, fields);
	account->user = fields[USER].length ? fields[USER] : fields[UID];
	account->group = fields[GROUP].length ? fields[GROUP] : fields[GID];
	account->queue = fields[PARTITION];
	account->host_list = fields[NODE_LIST];
	read_needs(account, fields);
	return NULL;
}

int lxfw_sacct_make(struct sacct *sacct, struct lxfw_account *account,
		    struct lxfw_account_counts *counts)
{
	struct time_counts times = { 0 };
	const char *wrong = read_job(sacct, account, &times);

	if (wrong)
		return lxfw_odd_add(&counts->odd, sacct->input, sacct->line, "%s", wrong);
	counts->unclear += times.unclear;
	counts->local += times.local;
	counts->skipped += times.skipped;
	counts->records++;
	counts->hosts_cut += sacct->hosts_cut && !account->step;
	counts->steps += account->step;
	counts->parts += account->part && account->over;
	if (!account->step)
		*(account->over ? &counts->jobs : &counts->not_over) += 1;
	return 1;
}

static int next(void *state, struct lxfw_account *account,
		struct lxfw_account_counts *counts, struct lxfw_error *error)
{
	struct sacct *sacct = state;
	int got = 1;

	if (sacct->count == 0)
		got = lxfw_sacct_header(sacct, &counts->odd, error);
	if (got == 1)
		got = lxfw_sacct_record(sacct, &counts->odd, error);
	return got == 1 ? lxfw_sacct_make(sacct, account, counts) : got;
}

static void *open_sacct(struct lxfw_input *input,
			const struct lxfw_account_options *options,
			struct lxfw_error *error)
{
	struct sacct *sacct = calloc(1, sizeof(*sacct));

	if (!sacct)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		*sacct = (struct sacct) { .input = input, .in_zone = options->in_zone,
					  .last = -1, .bar = '|' };
	return sacct;
}

static void close_sacct(void *state)
{
	struct sacct *sacct = state;

	free(sacct->header);
	free(sacct->record);
	free(sacct->pieces);
	free(sacct);
}

/* Matches the header, and a line with enough bars for a record of a log without a header. */
static bool is_sacct(const char *line, size_t length)
{
	int bars = 0;

	for (size_t i = 0; i < length; i++)
		bars += line[i] == '|';
	return bars >= 4 || lxfw_sacct_delimiter(line, length) ||
	       lxfw_sacct_is_fixed(line, length);
}

const struct lxfw_log_format lxfw_log_sacct = {
	.name = "sacct",
	.recognizes = is_sacct,
	.partitions = true,
	.open = open_sacct,
	.close = close_sacct,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
