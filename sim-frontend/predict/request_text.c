/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/request_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/predict/request_option.h"
#include "sim-frontend/predict/request_pbs.h"
#include "sim-frontend/predict/request_slurm.h"
#include "sim-frontend/util/text.h"

#define BLANKS " \t"
#define DAY 86400
#define LIMIT_MAX (INT64_C(10) * 366 * DAY)
#define AMOUNT_MAX 100000000
#define MEMORY_MAX (INT64_C(1) << 40)	/* MB per node */

/* "minutes", "minutes:seconds", "hours:minutes:seconds", and "days-hours" with minutes
   and seconds. */
bool lxfw_request_time(const char *text, int64_t *seconds)
{
	static const int64_t units[2][3] = { { 60, 1, 0 }, { 3600, 60, 1 } };
	int64_t parts[3] = { 0 }, days = 0;
	const char *dash = strchr(text, '-');
	int count = 0;

	if (dash) {
		if (lxfw_text_integer(text, (size_t)(dash - text), 0, 3660, &days))
			return false;
		text = dash + 1;
	}
	for (;; text++) {
		size_t length = strcspn(text, ":");

		if (count == 3 || lxfw_text_integer(text, length, 0, AMOUNT_MAX,
						    &parts[count++]))
			return false;
		text += length;
		if (!*text)
			break;
	}
	*seconds = days * DAY;
	for (int i = 0; i < count; i++)
		*seconds += parts[i] * units[dash || count == 3][i];
	return *seconds > 0 && *seconds <= LIMIT_MAX;
}

static const struct option_text {
	char letter;
	const char *name, *expected;
} options[] = {
	{ 'n', "ntasks", "a number of tasks" },
	{ 'c', "cpus-per-task", "a number of processors" },
	{ 'N', "nodes", "a number of nodes" },
	{ 't', "time", "minutes, H:M:S or D-H:M:S" },
	{ 0, "mem", "a size in MB, or with K, M, G or T" },
	{ 0, "mem-per-cpu", "a size in MB, or with K, M, G or T" },
	{ 'p', "partition", "the number of a host set" },
};

#define OPTIONS (sizeof(options) / sizeof(*options))

static bool take_value(struct lxfw_request_text *to, size_t option, const char *value)
{
	int64_t *const numbers[OPTIONS] = {
		&to->tasks, &to->cpus, &to->nodes, &to->limit, &to->memory,
		&to->memory_per_cpu, &to->host_set,
	};

	if (options[option].letter == 't')
		return lxfw_request_time(value, numbers[option]);
	if (!options[option].letter && !lxfw_request_size(value, numbers[option]))
		return false;
	if (numbers[option] == &to->memory)
		to->all_memory = to->memory == 0;
	if (!options[option].letter)
		return true;
	if (lxfw_text_integer(value, strlen(value), options[option].letter != 'p',
			      AMOUNT_MAX, numbers[option]) == 0)
		return true;
	if (options[option].letter != 'p' || !*value ||
	    strlen(value) >= sizeof(to->partition))
		return false;
	strcpy(to->partition, value);
	return true;
}

/* Finds the option of WORD, and its value if the word contains it. Returns OPTIONS if it is
   none. */
static size_t find(const char *word, const char **value)
{
	size_t i = 0;

	while (i < OPTIONS && !lxfw_request_option(word, options[i].letter, options[i].name, value))
		i++;
	return i;
}

/* "-l LIST" or "-lLIST". */
static int take_list(struct lxfw_request_text *to, char *word, char **rest,
		     struct lxfw_error *error)
{
	char *list = word[2] ? word + 2 : strtok_r(NULL, BLANKS, rest);

	if (list)
		return lxfw_request_pbs_take(to, list, error);
	return lxfw_error_format(error, "request: '-l' without a value, expected -l "
				 "select=4:ncpus=2,walltime=1:00:00");
}

static int refuse(const char *word, bool slurm, struct lxfw_error *error)
{
	static const char *const names[] = {
		"--ntasks", "--cpus-per-task", "--nodes", "--time", "--mem", "--mem-per-cpu",
		"--partition", "--exclusive", NULL,
	};
	char quoted[40], meant[60];

	lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word));
	return lxfw_error_format(error, "request: no option '%s', expected -n, -c, -N, -t, --mem, "
				 "--mem-per-cpu, -p, --exclusive%s or -l%s", quoted,
				 slurm ? ", --gpus, --gpus-per-node, --gpus-per-task, --gres, "
				 "--ntasks-per-node, -C, -L, -w, -x, -b, -d" : "",
				 lxfw_text_meant(meant, sizeof(meant), word, strlen(word),
						 slurm ? lxfw_request_slurm_names : names));
}

/* Takes an option with a value, the next word of *REST if WORD does not contain it. */
static int take_option(struct lxfw_request_text *to, const char *word, char **rest, bool slurm,
		       struct lxfw_error *error)
{
	char quoted[40];
	const char *value;
	size_t option = find(word, &value);

	if (option == OPTIONS)
		return refuse(word, slurm, error);
	if (!value)
		value = strtok_r(NULL, BLANKS, rest);
	if (value && take_value(to, option, value))
		return 0;
	lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word));
	return lxfw_error_format(error, "request: '%s' with value '%.40s', expected %s", quoted,
				 value ? value : "", options[option].expected);
}

static int take_words(struct lxfw_request_text *to, char *words, bool slurm,
		      struct lxfw_error *error)
{
	char *rest = NULL;

	for (char *word = strtok_r(words, BLANKS, &rest); word;
	     word = strtok_r(NULL, BLANKS, &rest)) {
		int taken = slurm ? lxfw_request_slurm_take(to, word, &rest, error) : 0;

		if (taken < 0)
			return -1;
		if (taken > 0)
			continue;
		if (strcmp(word, "--exclusive") == 0)
			to->exclusive = true;
		else if (word[0] == '-' && word[1] == 'l' ? take_list(to, word, &rest, error) :
			 take_option(to, word, &rest, slurm, error))
			return -1;
	}
	return slurm ? lxfw_request_slurm_end(to, error) : 0;
}

/* As sbatch does. */
static int check_memory(const struct lxfw_request_text *from, struct lxfw_error *error)
{
	int given = (from->memory > 0 || from->all_memory) + (from->memory_per_cpu > 0) +
		    (from->memory_per_gpu > 0);

	return given < 2 ? 0 : lxfw_error_format(error, "request: several of --mem, --mem-per-cpu and "
						 "--mem-per-gpu, expected one of them");
}

static int read_words(struct lxfw_request_text *to, const char *text, bool slurm,
		      struct lxfw_error *error)
{
	char *words = strdup(text);
	int result;

	*to = (struct lxfw_request_text) { .host_set = -1 };
	if (!words)
		return lxfw_error_format(error, "out of memory");
	result = take_words(to, words, slurm, error);
	to->cpus_given = to->cpus > 0;
	if (!to->cpus_given)
		to->cpus = 1;
	if (result == 0)
		result = check_memory(to, error);
	/* One task, or one on each node. */
	if (to->tasks == 0)
		to->tasks = to->nodes > 0 ? to->nodes : 1;
	if (result == 0)
		lxfw_request_pbs_end(to);
	free(words);
	return result;
}

int lxfw_request_read(struct lxfw_request_text *to, const char *text,
		      struct lxfw_error *error)
{
	return read_words(to, text, false, error);
}

int lxfw_request_read_slurm(struct lxfw_request_text *to, const char *text,
			    struct lxfw_error *error)
{
	return read_words(to, text, true, error);
}

int lxfw_request_parse(struct lxfw_request_text *to, const char *text,
		       struct lxfw_error *error)
{
	if (lxfw_request_read(to, text, error))
		return -1;
	if (*to->partition)
		return lxfw_error_format(error, "request: '-p' with value '%.40s', expected "
					 "the number of a host set", to->partition);
	if (to->limit == 0)
		return lxfw_error_format(error, "request without a time limit, expected "
					 "-t TIME");
	return 0;
}

/* Jobs have whole cores of THREADS processors. Several tasks share one, if there are enough for all hosts
   then. */
static void round_up(struct lxfw_request *request, int32_t threads)
{
	int32_t odd = threads > 1 ? request->unit.procs % threads : 0, pieces;

	if (odd == 0)
		return;
	pieces = request->count / threads + (request->count % threads > 0);
	if (request->unit.procs == 1 && request->shape == LXFW_SHAPE_ANYWHERE &&
	    pieces >= request->min_hosts) {
		request->count = pieces;
		request->unit = lxfw_resources_times(&request->unit, threads);
	} else {
		request->unit.procs += threads - odd;
	}
}

/* How tasks are divided among hosts. */
struct division {
	int64_t tasks, nodes;	/* nodes 0: any number */
	int64_t each;		/* tasks of each node, if `even`, otherwise 1 */
	bool even;
};

/* A partition may have a least number of nodes for each job. */
static void divide(const struct lxfw_request_text *from, struct division *division)
{
	*division = (struct division) { .tasks = from->tasks, .nodes = from->nodes, .each = 1 };
	if (from->nodes == 0 && from->least_nodes > 1 && from->tasks <= from->least_nodes)
		division->tasks = division->nodes = from->least_nodes;
	division->even = division->nodes > 0 && division->tasks % division->nodes == 0;
	if (division->even)
		division->each = division->tasks / division->nodes;
}

static void shape(const struct lxfw_request_text *from, const struct division *division,
		  struct lxfw_request *request)
{
	request->shape = division->even ? LXFW_SHAPE_HOSTS : LXFW_SHAPE_ANYWHERE;
	request->count = (int32_t)(division->even ? division->nodes - from->nodes_beside :
				   division->tasks);
	if (division->even)
		return;
	request->min_hosts = division->nodes > 0 ? (int32_t)division->nodes :
			     from->least_nodes > 1 ? from->least_nodes : 0;
	request->max_hosts = division->nodes > 0 ? (int32_t)division->nodes : from->most_nodes;
}

/* Processors and memory, in a request that has a shape. Returns 0, or -1 with errno EINVAL and ERROR
   set. */
static int amounts(const struct lxfw_request_text *from, int64_t tasks,
		   struct lxfw_request *request, struct lxfw_error *error)
{
	int64_t cpus = from->usual_cpus > from->cpus ? from->usual_cpus : from->cpus;
	bool all = from->all_memory && from->host_memory > 0;
	bool usual = !all && from->memory == 0 && from->memory_per_cpu == 0;
	int64_t memory = all ? from->host_memory : usual ? from->usual_memory : from->memory;
	int64_t per_cpu = usual ? from->usual_memory_per_cpu : from->memory_per_cpu;

	if (tasks * cpus > AMOUNT_MAX)
		return lxfw_error_format(error, "request: more than %d processors",
					 AMOUNT_MAX);
	if (per_cpu > MEMORY_MAX / (tasks * cpus) || memory > MEMORY_MAX)
		return lxfw_error_format(error, "request: more than %lld MB per node",
					 (long long)MEMORY_MAX);
	request->unit.procs = (int32_t)(tasks * cpus);
	request->unit.memory_mb = tasks * cpus * per_cpu;
	if (request->shape == LXFW_SHAPE_HOSTS)
		request->unit.memory_mb += memory;
	else
		request->per_host.memory_mb = memory;
	return 0;
}

int lxfw_request_make(const struct lxfw_request_text *from, struct lxfw_request *request,
		      struct lxfw_error *error)
{
	struct division division;

	divide(from, &division);
	if (division.tasks < division.nodes)
		return lxfw_error_format(error, "request: %lld tasks on %lld nodes, expected a task for "
			"each node", (long long)from->tasks, (long long)from->nodes);
	*request = (struct lxfw_request) {
		.estimate = from->limit, .exclusive = from->exclusive, .tier = from->tier,
		.host_set_count = from->host_set >= 0,
		.host_sets = { from->host_set >= 0 ? (int32_t)from->host_set : 0 },
	};
	for (int i = 0; i < from->more_set_count; i++)
		request->host_sets[request->host_set_count++] = from->more_sets[i];
	shape(from, &division, request);
	if (amounts(from, division.each, request, error))
		return -1;
	round_up(request, from->threads);
	if (lxfw_request_slurm_extras(from, division.each, request, error))
		return -1;
	/* A job that has its hosts exclusively is alone. */
	for (int i = 0; i < LXFW_EXTRAS_MAX && !from->exclusive; i++) {
		if (from->caps >> i & 1)
			request->unit.extras[i] = request->unit.procs;
	}
	return 0;
}

bool lxfw_request_beside(const struct lxfw_request_text *from, const struct lxfw_request *request,
			 struct lxfw_request *beside)
{
	*beside = *request;
	beside->count = (int32_t)from->nodes_beside;
	beside->host_set_count = 1;
	beside->host_sets[0] = from->set_beside;
	return from->nodes_beside > 0;
}

bool lxfw_request_divide(struct lxfw_request_text *request, int parts)
{
	bool whole = request->tasks % parts == 0 && request->nodes % parts == 0 && !*request->required;

	request->tasks /= parts;
	request->nodes /= parts;
	for (int i = 0; i < request->gres_count; i++) {
		if (request->gres[i].per != LXFW_REQUEST_PER_JOB)
			continue;
		whole &= request->gres[i].count % parts == 0;
		request->gres[i].count /= parts;
	}
	return whole;
}

/* Formats where and when it may start, each option after a blank. */
static void format_place(const struct lxfw_request_text *from, char *text, size_t size)
{
	char when[32], after[512];
	time_t begin = (time_t)from->begin;
	size_t used = 0;
	struct tm tm;

	*text = '\0';
	if (*from->required)
		used += (size_t)snprintf(text, size, " -w %s", from->required);
	if (*from->excluded && used < size)
		used += (size_t)snprintf(text + used, size - used, " -x %s", from->excluded);
	if (begin > 0 && used < size && localtime_r(&begin, &tm) &&
	    strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", &tm) > 0)
		used += (size_t)snprintf(text + used, size - used, " --begin %s", when);
	lxfw_request_after_format(from->after, from->after_count, after, sizeof(after));
	if (*after && used < size)
		snprintf(text + used, size - used, " -d %s", after);
}

void lxfw_request_format(const struct lxfw_request_text *from, char *text, size_t size)
{
	char nodes[24] = "", cpus[24] = "", memory[32] = "", per_cpu[40] = "";
	char set[LXFW_REQUEST_PARTITION + 8] = "";
	char gres[LXFW_REQUEST_TEXT_SIZE], place[LXFW_REQUEST_TEXT_SIZE];
	char features[LXFW_REQUEST_FEATURES + 4] = "";
	char licenses[LXFW_REQUEST_LICENSES + 4] = "";
	int64_t limit = from->limit;
	char days[24] = "";

	if (from->nodes > 0)
		snprintf(nodes, sizeof(nodes), "-N %lld ", (long long)from->nodes);
	if (from->cpus > 1)
		snprintf(cpus, sizeof(cpus), " -c %lld", (long long)from->cpus);
	if (from->memory > 0)
		snprintf(memory, sizeof(memory), " --mem %lldM", (long long)from->memory);
	else if (from->all_memory && from->host_memory > 0)
		strcpy(memory, " --mem 0");
	if (from->memory_per_cpu > 0)
		snprintf(per_cpu, sizeof(per_cpu), " --mem-per-cpu %lldM",
			 (long long)from->memory_per_cpu);
	if (*from->partition)
		snprintf(set, sizeof(set), " -p %s", from->partition);
	else if (from->host_set >= 0 && !from->found)
		snprintf(set, sizeof(set), " -p %lld", (long long)from->host_set);
	if (limit >= DAY)
		snprintf(days, sizeof(days), "%lld-", (long long)(limit / DAY));
	if (*from->features)
		snprintf(features, sizeof(features), " -C %s", from->features);
	if (*from->licenses)
		snprintf(licenses, sizeof(licenses), " -L %s", from->licenses);
	lxfw_request_slurm_format(from, gres, sizeof(gres));
	format_place(from, place, sizeof(place));
	snprintf(text, size, "%s-n %lld%s -t %s%02d:%02d:%02d%s%s%s%s%s%s%s%s", nodes,
		 (long long)from->tasks, cpus, days, (int)(limit % DAY / 3600),
		 (int)(limit % 3600 / 60), (int)(limit % 60), memory, per_cpu, gres,
		 features, licenses, place, set, from->exclusive ? " --exclusive" : "");
}
