/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events for the Slurm simulator of the University at Buffalo, one in a line:
 *
 *   -dt SECONDS -e submit_batch_job | -J jobid_7 -sim-walltime SECONDS OPTIONS-OF-SBATCH FILE
 *
 * They are a workload that has not run. Its time 0 is taken for 2000-01-01.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"


enum option {
	ACCOUNT, ARRAY, CPUS, DELAY, EVENT, EXCLUSIVE, GPUS, GPUS_PER_NODE, GRES, JOB, MEMORY,
	MEMORY_PER_CPU, NAME, NODES, PARTITION, QOS, TASKS, TASKS_PER_NODE, TIME, USER, WALLTIME,
	/* whose values are not read */
	CANCEL_IN, CONSTRAINT, DEPENDENCY, GPUS_PER_TASK, MEMORY_PER_GPU, OPTIONS,
};

static const struct {
	const char *name;
	enum option option;
} names[] = {
	{ "-dt", DELAY }, { "-e", EVENT }, { "-sim-walltime", WALLTIME }, { "-jid", JOB },
	{ "-j", JOB }, { "--job-id", JOB }, { "-J", NAME }, { "--job-name", NAME },
	{ "--uid", USER }, { "-t", TIME }, { "--time", TIME }, { "-n", TASKS },
	{ "--ntasks", TASKS }, { "--ntasks-per-node", TASKS_PER_NODE }, { "-c", CPUS },
	{ "--cpus-per-task", CPUS }, { "-N", NODES }, { "--nodes", NODES },
	{ "-A", ACCOUNT }, { "--account", ACCOUNT }, { "-p", PARTITION },
	{ "--partition", PARTITION }, { "-q", QOS }, { "--qos", QOS }, { "--gres", GRES },
	{ "--mem", MEMORY }, { "--mem-per-cpu", MEMORY_PER_CPU },
	{ "--exclusive", EXCLUSIVE }, { "-a", ARRAY }, { "--array", ARRAY },
	{ "-G", GPUS }, { "--gpus", GPUS }, { "--gpus-per-node", GPUS_PER_NODE },
	{ "-cancel-in", CANCEL_IN }, { "-C", CONSTRAINT }, { "--constraint", CONSTRAINT },
	{ "-d", DEPENDENCY }, { "--dependency", DEPENDENCY },
	{ "--gpus-per-task", GPUS_PER_TASK }, { "--mem-per-gpu", MEMORY_PER_GPU },
};

/* Those that change the schedule and are not read. */
static const struct {
	enum option option;
	enum lxfw_unread unread;
} not_read[] = {
	{ CANCEL_IN, LXFW_UNREAD_CANCEL_IN }, { CONSTRAINT, LXFW_UNREAD_CONSTRAINT },
	{ DEPENDENCY, LXFW_UNREAD_DEPENDENCY }, { GPUS_PER_TASK, LXFW_UNREAD_GPUS_PER_TASK },
	{ MEMORY_PER_GPU, LXFW_UNREAD_MEMORY_PER_GPU },
};

struct sim {
	struct lxfw_input *input;
	struct lxfw_slice values[OPTIONS];	/* of the current line */
	int64_t records;
	char gres[300];				/* of the current job */
};

/* --- a line ----------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Removes the next word from TEXT and returns it; empty at the end. Quotes may contain blanks. */
static struct lxfw_slice next_word(struct lxfw_slice *text)
{
	struct lxfw_slice word;
	char quote = '\0';
	size_t length = 0;

	while (text->length > 0 && is_blank(*text->at))
		text->at++, text->length--;
	word = (struct lxfw_slice) { text->at, 0 };
	for (; length < text->length && (quote || !is_blank(text->at[length])); length++) {
		char c = text->at[length];

		if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
	}
	word.length = length;
	text->at += length;
	text->length -= length;
	return word;
}

static struct lxfw_slice unquoted(struct lxfw_slice text)
{
	if (text.length < 2 || (*text.at != '"' && *text.at != '\'') ||
	    text.at[text.length - 1] != *text.at)
		return text;
	return (struct lxfw_slice) { text.at + 1, text.length - 2 };
}

/* Returns the option that WORD is or begins with, and the length of its name; OPTIONS if it is
   none that is read. */
static enum option find_option(struct lxfw_slice word, size_t *length)
{
	bool is_long = lxfw_slice_begins(word, "--");
	size_t end = is_long ? lxfw_slice_until(word, '=') : word.length;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		*length = strlen(names[i].name);
		if (*length == end && memcmp(word.at, names[i].name, end) == 0)
			return names[i].option;
	}
	/* -n24, -Ga100:2; the options of the simulator, such as -dt, are in lower case */
	*length = 2;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && word.length > 2; i++) {
		if (!is_long && strlen(names[i].name) == 2 &&
		    memcmp(word.at, names[i].name, 2) == 0 &&
		    ((word.at[1] >= 'A' && word.at[1] <= 'Z') ||
		     (word.at[2] >= '0' && word.at[2] <= '9')))
			return names[i].option;
	}
	return OPTIONS;
}

/* Sets the values of the options in "-n 24 --time=5 -N2 FILE". */
static void read_options(struct sim *sim, struct lxfw_slice text)
{
	struct lxfw_slice word;

	while ((word = next_word(&text)).length > 0) {
		size_t length;
		enum option option = find_option(word, &length);
		bool inside = length < word.length;	/* the value */

		if (option == OPTIONS)
			continue;
		if (option == EXCLUSIVE) {	/* with a value, nodes are shared */
			sim->values[option] = inside ? (struct lxfw_slice) { 0 } : word;
			continue;
		}
		length += inside && word.at[length] == '=';
		sim->values[option] = inside ? unquoted((struct lxfw_slice) {
			word.at + length, word.length - length }) : unquoted(next_word(&text));
	}
}

/* --- jobs ------------------------------------------------------------------------- */

/* Reads "12" or "12.75", of which the fraction is dropped, except that less than 1 is 1. */
static bool read_seconds(struct lxfw_slice text, int64_t *seconds)
{
	size_t whole = lxfw_slice_until(text, '.'), fraction = whole + 1;

	if (!lxfw_slice_integer((struct lxfw_slice) { text.at, whole }, 0,
				LXFW_ACCOUNT_TIME_MAX, seconds))
		return false;
	for (; fraction < text.length; fraction++) {
		if (text.at[fraction] < '0' || text.at[fraction] > '9')
			return false;
		if (*seconds == 0 && text.at[fraction] > '0')
			*seconds = 1;
	}
	return true;
}

/* Returns a number of 1 or more, 0 if it is not given, or -1 if it is none. */
static int64_t amount(const struct sim *sim, enum option option)
{
	struct lxfw_slice text = sim->values[option];
	int64_t number;

	text.length = lxfw_slice_until(text, '-');	/* the least of -N 2-4 */
	if (!text.at)
		return 0;
	return lxfw_slice_integer(text, 1, INT32_MAX, &number) ? number : -1;
}

/* Reads a limit, which sbatch(1) rounds up to minutes. Returns 0, or -1 with errno EINVAL. */
static int read_limit(struct lxfw_slice text, int64_t *limit)
{
	if (lxfw_slurm_time(text, limit))
		return -1;
	if (*limit < LXFW_ACCOUNT_NO_LIMIT)
		*limit = (*limit + 59) / 60 * 60;
	return 0;
}

/* Returns what is wrong, or NULL. A job without a run time, or with one of 0 or less, runs until
   its limit; none runs longer. */
static const char *read_times(const struct sim *sim, struct lxfw_account *account)
{
	struct lxfw_slice walltime = sim->values[WALLTIME];
	int64_t limit = -1, run = 0;

	if (!read_seconds(sim->values[DELAY], &account->submit))
		return "-dt is not a number of seconds";
	if (account->submit > LXFW_ACCOUNT_TIME_MAX - LXFW_ACCOUNT_FIRST_DAY)
		return "-dt is too large";
	account->submit += LXFW_ACCOUNT_FIRST_DAY;
	if (sim->values[TIME].at && read_limit(sim->values[TIME], &limit))
		return "--time is not a time of sbatch(1)";
	if (walltime.at && !lxfw_slice_begins(walltime, "-") && !read_seconds(walltime, &run))
		return "-sim-walltime is not a number of seconds";
	if (limit > 0)
		account->limit = limit < LXFW_ACCOUNT_NO_LIMIT ? limit : LXFW_ACCOUNT_NO_LIMIT;
	account->run = run > 0 && (limit <= 0 || run < limit) ? run : limit;
	return account->run > 0 && account->run < LXFW_ACCOUNT_NO_LIMIT ? NULL :
	       "a job with neither a run time nor a limit";
}

/* Reads the memory in KB; 0: none. "0" is all of a node. */
static bool read_memory(struct lxfw_slice text, int64_t times, int64_t *kb)
{
	*kb = 0;
	if (text.at && !lxfw_slice_size(text, INT64_C(1) << 20, kb))
		return false;
	*kb = lxfw_account_memory(*kb, times);
	return true;
}

/* Adds GPUs, "2" or "a100:2", to the GRES: of each node as "gpu:a100:2", or of the whole job as
   "gres/gpu:a100=2". */
static bool add_gpus(struct sim *sim, struct lxfw_slice gpus, bool each_node)
{
	size_t used = strlen(sim->gres), size = sizeof(sim->gres) - used;
	struct lxfw_slice type = { gpus.at, lxfw_slice_until(gpus, ':') };
	int64_t count;
	int length;

	if (type.length == gpus.length)
		type.length = 0;
	else
		gpus.at += type.length + 1, gpus.length -= type.length + 1;
	if (!lxfw_slice_integer(gpus, 0, INT32_MAX, &count))
		return false;
	length = snprintf(sim->gres + used, size, "%s%sgpu%s%.*s%c%" PRId64, used > 0 ? "," : "",
			  each_node ? "" : "gres/", type.length > 0 ? ":" : "", (int)type.length,
			  type.at, each_node ? ':' : '=', count);
	return length > 0 && (size_t)length < size;
}

/* Reads --gres, and --gpus or else --gpus-per-node, which are in lists of one or more types. The
   GPUs in --gres are not counted again. */
static bool read_gres(struct sim *sim, struct lxfw_account *account)
{
	struct lxfw_slice gres = sim->values[GRES], gpus = sim->values[GPUS];
	bool each_node = !gpus.at;

	account->gres = gres;
	if (each_node)
		gpus = sim->values[GPUS_PER_NODE];
	if (!gpus.at || (gres.at && memmem(gres.at, gres.length, "gpu", 3)))
		return true;
	if (gres.length >= sizeof(sim->gres))
		return false;
	snprintf(sim->gres, sizeof(sim->gres), "%.*s", (int)gres.length, gres.at ? gres.at : "");
	for (;;) {
		size_t end = lxfw_slice_until(gpus, ',');

		if (!add_gpus(sim, (struct lxfw_slice) { gpus.at, end }, each_node))
			return false;
		if (end == gpus.length)
			break;
		gpus.at += end + 1;
		gpus.length -= end + 1;
	}
	account->gres = (struct lxfw_slice) { sim->gres, strlen(sim->gres) };
	return true;
}

static const char *read_amounts(struct sim *sim, struct lxfw_account *account)
{
	int64_t tasks = amount(sim, TASKS), cpus = amount(sim, CPUS);
	int64_t nodes = amount(sim, NODES), each = amount(sim, TASKS_PER_NODE);

	if (tasks < 0 || cpus < 0 || nodes < 0 || each < 0)
		return "a number of tasks, processors or nodes is not 1 or more";
	if (nodes == 0 && tasks > 0 && each > 0)
		nodes = (tasks + each - 1) / each;
	if (tasks == 0)
		tasks = (nodes > 0 ? nodes : 1) * (each > 0 ? each : 1);
	if (tasks > INT32_MAX || tasks * (cpus > 0 ? cpus : 1) > INT32_MAX)
		return "too many processors";
	account->procs = tasks * (cpus > 0 ? cpus : 1);
	account->hosts = account->asked_hosts = nodes;
	account->exclusive = sim->values[EXCLUSIVE].at != NULL;
	if (!read_gres(sim, account))
		return "--gpus or --gpus-per-node is no number of GPUs, expected 2 or a100:2";
	account->host_memory = sim->values[MEMORY].at != NULL;
	if (account->host_memory ?
	    read_memory(sim->values[MEMORY], nodes > 0 ? nodes : 1, &account->memory_kb) :
	    read_memory(sim->values[MEMORY_PER_CPU], account->procs, &account->memory_kb))
		return NULL;
	return "--mem is not a size";
}

/* Reads the number of the job: 7, "jobid_7" or "job_7", otherwise that of the record. */
static void read_number(const struct sim *sim, struct lxfw_account *account)
{
	struct lxfw_slice job = sim->values[JOB], name = sim->values[NAME];
	size_t prefix = lxfw_slice_begins(name, "jobid_") ? 6 :
			lxfw_slice_begins(name, "job_") ? 4 : 0;

	if (lxfw_slice_integer(job, 0, INT64_MAX, &account->number))
		return;
	if (prefix > 0) {
		name.at += prefix;
		name.length -= prefix;
		if (lxfw_slice_integer(name, 0, INT64_MAX, &account->number))
			return;
	}
	account->number = sim->records;
	account->id = name;
}

static void count_unread(const struct sim *sim, struct lxfw_account_counts *counts)
{
	bool any = false;

	for (size_t i = 0; i < sizeof(not_read) / sizeof(*not_read); i++) {
		if (!sim->values[not_read[i].option].at)
			continue;
		counts->unread[not_read[i].unread]++;
		any = true;
	}
	counts->unread_jobs += any;
}

/* Returns 1, 0 if the event is no submission, or LXFW_ODD_RECORD. */
static int read_event(struct sim *sim, struct lxfw_slice line, struct lxfw_account *account,
		      struct lxfw_account_counts *counts)
{
	struct lxfw_odd *odd = &counts->odd;
	size_t bar = lxfw_slice_until(line, '|');
	const char *wrong;

	memset(sim->values, 0, sizeof(sim->values));
	read_options(sim, (struct lxfw_slice) { line.at, bar });
	if (!sim->values[EVENT].at || bar == line.length)
		return lxfw_odd_add(odd, sim->input, 0, "no event, expected -dt SECONDS -e "
				    "submit_batch_job | OPTIONS");
	if (!lxfw_slice_is(sim->values[EVENT], "submit_batch_job"))
		return 0;
	read_options(sim, (struct lxfw_slice) { line.at + bar + 1, line.length - bar - 1 });
	sim->records++;
	read_number(sim, account);
	wrong = read_times(sim, account);
	if (!wrong)
		wrong = read_amounts(sim, account);
	if (!wrong && sim->values[ARRAY].at)
		wrong = "a job array, expected a line for each job";
	if (wrong)
		return lxfw_odd_add(odd, sim->input, 0, "%s", wrong);
	count_unread(sim, counts);
	account->over = account->planned = true;
	account->user = sim->values[USER];
	account->account = sim->values[ACCOUNT];
	account->queue = sim->values[PARTITION];
	account->qos = sim->values[QOS];
	return 1;
}

/* --- the reader ------------------------------------------------------------------- */

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct sim *sim = state;
	char *line;
	size_t length;
	int got;

	while ((got = lxfw_input_line(sim->input, &line, &length, error)) > 0) {
		struct lxfw_slice text = { line, length };

		while (text.length > 0 && is_blank(*text.at))
			text.at++, text.length--;
		if (text.length == 0 || *text.at == '#')
			continue;
		lxfw_account_clear(account);
		got = read_event(sim, text, account, counts);
		counts->records += got != LXFW_ODD_RECORD;
		counts->jobs += got == 1;
		counts->notes += got == 0;
		if (got)
			return got;
	}
	return got;
}

static void *open_sim(struct lxfw_input *input, const struct lxfw_account_options *options,
		      struct lxfw_error *error)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	(void)options;		/* times are seconds since the start of the simulation */
	if (!sim)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		sim->input = input;
	return sim;
}

static void close_sim(void *state)
{
	free(state);
}

/* Matches an event: options, of which one is "-e WORD", and a bar. */
static bool is_event(const char *line, size_t length)
{
	struct lxfw_slice text = { line, length }, word;

	text.length = lxfw_slice_until(text, '|');
	if (text.length == length || *line != '-')
		return false;
	while ((word = next_word(&text)).length > 0) {
		if (word.length == 2 && memcmp(word.at, "-e", 2) == 0)
			return lxfw_slice_is(next_word(&text), "submit_batch_job");
	}
	return false;
}

const struct lxfw_log_format lxfw_log_slurm_sim = {
	.name = "slurm-sim",
	.recognizes = is_event,
	.partitions = true,
	.open = open_sim,
	.close = close_sim,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
