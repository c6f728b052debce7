/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/request_slurm.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "sim-frontend/predict/request_begin.h"
#include "sim-frontend/predict/request_option.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/util/text.h"

#define BLANKS " \t"
#define AMOUNT_MAX 100000000

/* --- options -------------------------------------------------------------------------- */

const char *const lxfw_request_slurm_names[] = {
	"--ntasks", "--cpus-per-task", "--nodes", "--time", "--mem", "--mem-per-cpu",
	"--partition", "--exclusive", "--gpus", "--gpus-per-node", "--gpus-per-task", "--gres", "--cpus-per-gpu", "--mem-per-gpu",
	"--ntasks-per-node", "--constraint", "--licenses", "--account", "--job-name", "--qos", "--output", "--error", "--chdir",
	"--nodelist", "--exclude", "--begin", "--dependency", "--array", "--input", "--distribution", "--open-mode", "--signal",
	"--comment", "--export", "--mail-type", "--mail-user", NULL,
};

/* What the value of an option is. */
enum value {
	GPUS,
	GPUS_PER_NODE,
	GPUS_PER_TASK,
	GRES,
	CPUS_PER_GPU,
	MEMORY_PER_GPU,
	TASKS_PER_NODE,
	NODES,
	FEATURES,
	LICENSES,
	REQUIRED,
	EXCLUDED,
	BEGIN,
	AFTER,
	QOS,
	ACCOUNT,
	ANYTHING,	/* without a meaning for the plan */
};

static const struct option {
	char letter;
	const char *name;
	enum value value;
} options[] = {
	{ 'G', "gpus", GPUS },
	{ 0, "gpus-per-node", GPUS_PER_NODE },
	{ 0, "gpus-per-task", GPUS_PER_TASK },
	{ 0, "gres", GRES },
	{ 0, "cpus-per-gpu", CPUS_PER_GPU },
	{ 0, "mem-per-gpu", MEMORY_PER_GPU },
	{ 0, "ntasks-per-node", TASKS_PER_NODE },
	{ 'N', "nodes", NODES },
	{ 'C', "constraint", FEATURES },
	{ 'L', "licenses", LICENSES },
	{ 'w', "nodelist", REQUIRED },
	{ 'x', "exclude", EXCLUDED },
	{ 'b', "begin", BEGIN },
	{ 'd', "dependency", AFTER },
	{ 'q', "qos", QOS },
	{ 'A', "account", ACCOUNT },
	{ 'J', "job-name", ANYTHING },
	{ 'o', "output", ANYTHING },
	{ 'e', "error", ANYTHING },
	{ 'D', "chdir", ANYTHING },
	{ 'a', "array", ANYTHING },	/* its first task */
	{ 'i', "input", ANYTHING },
	{ 'm', "distribution", ANYTHING },
	{ 0, "open-mode", ANYTHING },
	{ 0, "signal", ANYTHING },
	{ 0, "comment", ANYTHING },
	{ 0, "export", ANYTHING },
	{ 0, "mail-type", ANYTHING },
	{ 0, "mail-user", ANYTHING },
};

static const char *const expected[] = {
	[GPUS] = "N, TYPE:N or a list of these",
	[GPUS_PER_NODE] = "N, TYPE:N or a list of these",
	[GPUS_PER_TASK] = "N, TYPE:N or a list of these",
	[GRES] = "KIND, KIND:N, KIND:TYPE:N or a list of these, at most 4 in all",
	[CPUS_PER_GPU] = "a number of processors",
	[MEMORY_PER_GPU] = "a size in MB, or with K, M, G or T",
	[TASKS_PER_NODE] = "a number of tasks",
	[NODES] = "a number of nodes, or N-M",
	[FEATURES] = "features: A, A&B, or A|B",
	[LICENSES] = "NAME, NAME:N or a list of these",
	[REQUIRED] = "names of nodes: n1,n[3-5]",
	[EXCLUDED] = "names of nodes: n1,n[3-5]",
	[BEGIN] = "a time: 16:00, 2026-12-24T16:00, or now+2hours",
	[AFTER] = "jobs: afterok:12:13, afterany:12 or after:12+5; of no other dependency is it known "
		  "when it is met",
	[QOS] = "a name",
	[ACCOUNT] = "a value",
	[ANYTHING] = "a value",
};

/* The GRES that are being read. */
struct taking {
	struct lxfw_request_text *to;
	enum lxfw_request_per per;
};

static int add_gres(void *context, struct lxfw_slice name, int64_t count)
{
	const struct taking *taking = context;
	struct lxfw_request_text *to = taking->to;
	struct lxfw_request_gres *gres = &to->gres[to->gres_count];

	if (to->gres_count == LXFW_REQUEST_GRES || name.length >= sizeof(gres->name) ||
	    count > AMOUNT_MAX)
		return -1;
	*gres = (struct lxfw_request_gres) {
		.per = taking->per, .count = count, .extra = -1, .kind = -1,
	};
	memcpy(gres->name, name.at, name.length);
	to->gres_count++;
	return 0;
}

/* Takes a list whose items follow PREFIX, "gpu:" or "". */
static bool take_gres(struct lxfw_request_text *to, enum lxfw_request_per per, const char *prefix,
		      const char *list)
{
	struct taking taking = { to, per };

	for (;; list++) {
		size_t length = strcspn(list, ",");
		char item[80];
		int all = snprintf(item, sizeof(item), "%s%.*s", prefix, (int)length, list);

		if (length == 0 || all >= (int)sizeof(item) || strpbrk(item, "=()") ||
		    strchr("0123456789", *item) ||
		    lxfw_gres_each((struct lxfw_slice) { item, (size_t)all }, 1, add_gres, &taking))
			return false;
		list += length;
		if (!*list)
			return true;
	}
}

/* "2" or "2-4" */
static bool take_nodes(struct lxfw_request_text *to, const char *value)
{
	size_t length = strcspn(value, "-");
	int64_t most;

	if (lxfw_text_integer(value, length, 1, AMOUNT_MAX, &to->nodes))
		return false;
	value += length;
	return !*value || lxfw_text_integer(value + 1, strlen(value + 1), to->nodes, AMOUNT_MAX,
					    &most) == 0;
}

/* One kind of operator, and neither brackets nor numbers of nodes. */
static bool take_features(struct lxfw_request_text *to, const char *value)
{
	if (!*value || strlen(value) >= sizeof(to->features) || strpbrk(value, "[]()*\"\\") ||
	    (strchr(value, '|') && strpbrk(value, "&,")))
		return false;
	strcpy(to->features, value);
	return true;
}

/* Not a choice, "a|b". */
static bool take_licenses(struct lxfw_request_text *to, const char *value)
{
	if (!*value || strlen(value) >= sizeof(to->licenses) || strpbrk(value, "|()\"\\"))
		return false;
	strcpy(to->licenses, value);
	return true;
}

/* Names of nodes, and no file of them. */
static bool take_list(char to[LXFW_REQUEST_NODES], const char *value)
{
	if (!*value || strlen(value) >= LXFW_REQUEST_NODES || strpbrk(value, "/ \"\\"))
		return false;
	strcpy(to, value);
	return true;
}

static bool take_name(char to[LXFW_REQUEST_NAME], const char *value)
{
	if (!*value || strlen(value) >= LXFW_REQUEST_NAME)
		return false;
	strcpy(to, value);
	return true;
}

static bool take_value(struct lxfw_request_text *to, enum value kind, const char *value)
{
	switch (kind) {
	case GPUS:
		return take_gres(to, LXFW_REQUEST_PER_JOB, "gpu:", value);
	case GPUS_PER_NODE:
		return take_gres(to, LXFW_REQUEST_PER_NODE, "gpu:", value);
	case GPUS_PER_TASK:
		return take_gres(to, LXFW_REQUEST_PER_TASK, "gpu:", value);
	case GRES:
		return strcmp(value, "none") == 0 || take_gres(to, LXFW_REQUEST_PER_NODE, "", value);
	case CPUS_PER_GPU:
		return lxfw_text_integer(value, strlen(value), 1, AMOUNT_MAX,
					 &to->cpus_per_gpu) == 0;
	case MEMORY_PER_GPU:
		return lxfw_request_size(value, &to->memory_per_gpu);
	case TASKS_PER_NODE:
		return lxfw_text_integer(value, strlen(value), 1, AMOUNT_MAX,
					 &to->tasks_per_node) == 0;
	case NODES:
		return take_nodes(to, value);
	case FEATURES:
		return take_features(to, value);
	case LICENSES:
		return take_licenses(to, value);
	case REQUIRED:
		return take_list(to->required, value);
	case EXCLUDED:
		return take_list(to->excluded, value);
	case BEGIN:
		return lxfw_request_begin(value, (int64_t)time(NULL), &to->begin);
	case AFTER:
		return lxfw_request_after_read(value, to->after, &to->after_count);
	case QOS:
		return take_name(to->qos, value);
	case ACCOUNT:
		return take_name(to->account, value);
	case ANYTHING:
		break;
	}
	return true;
}

int lxfw_request_slurm_take(struct lxfw_request_text *to, char *word, char **rest,
			    struct lxfw_error *error)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const char *value;
		char quoted[40];

		if (!lxfw_request_option(word, options[i].letter, options[i].name, &value))
			continue;
		if (!value)
			value = strtok_r(NULL, BLANKS, rest);
		if (value && take_value(to, options[i].value, value))
			return 1;
		lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word));
		return lxfw_error_format(error, "request: '%s' with value '%.40s', expected %s",
					 quoted, value ? value : "", expected[options[i].value]);
	}
	return 0;
}

/* --- what follows from options -------------------------------------------------------- */

/* How many nodes or tasks have as many GRES as the job in all; 0: that is not stated. */
static int64_t times_of(const struct lxfw_request_text *from, enum lxfw_request_per per)
{
	for (int i = 0; i < from->gres_count; i++) {
		const struct lxfw_request_gres *all = &from->gres[i];

		for (int k = 0; k < from->gres_count && all->per == LXFW_REQUEST_PER_JOB; k++) {
			const struct lxfw_request_gres *part = &from->gres[k];

			if (part->per == per && strcasecmp(part->name, all->name) == 0 &&
			    all->count % part->count == 0)
				return all->count / part->count;
		}
	}
	return 0;
}

int lxfw_request_slurm_end(struct lxfw_request_text *to, struct lxfw_error *error)
{
	int64_t each = to->tasks_per_node;

	/* Slurm, too, leaves the others. */
	if (to->tasks > 0 && to->nodes > to->tasks)
		to->nodes = to->tasks;
	if (to->nodes == 0)
		to->nodes = times_of(to, LXFW_REQUEST_PER_NODE);
	if (to->tasks == 0 && each == 0)
		to->tasks = times_of(to, LXFW_REQUEST_PER_TASK);
	if (each == 0)
		return 0;
	if (to->tasks == 0) {
		to->nodes = to->nodes > 0 ? to->nodes : 1;
		to->tasks = to->nodes * each;
	} else if (to->nodes == 0) {
		if (to->tasks % each != 0)
			return lxfw_error_format(error, "request: %lld tasks with %lld on each node, "
						 "expected a multiple", (long long)to->tasks,
						 (long long)each);
		to->nodes = to->tasks / each;
	}
	if (to->tasks <= AMOUNT_MAX)
		return 0;
	return lxfw_error_format(error, "request: more than %d tasks", AMOUNT_MAX);
}

/* --- amounts -------------------------------------------------------------------------- */

#define PERS 3

/* By what they are for, and by extra. */
struct amounts {
	int64_t of[PERS][LXFW_EXTRAS_MAX];
};

/* Those of types are also counted under their kind, unless it is requested with more. */
static void sum_up(const struct lxfw_request_text *from, struct amounts *amounts)
{
	struct amounts types = { { { 0 } } };

	*amounts = types;
	for (int i = 0; i < from->gres_count; i++) {
		const struct lxfw_request_gres *gres = &from->gres[i];

		if (gres->extra >= 0)
			amounts->of[gres->per][gres->extra] += gres->count;
		if (gres->kind >= 0)
			types.of[gres->per][gres->kind] += gres->count;
	}
	for (int per = 0; per < PERS; per++) {
		for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
			if (types.of[per][i] > amounts->of[per][i])
				amounts->of[per][i] = types.of[per][i];
		}
	}
}

static int64_t part_of(int64_t amount, int64_t parts)
{
	return amount / parts + (amount % parts > 0);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b > 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

int64_t lxfw_request_gpu_cpus(int64_t gpus, int64_t cpus_per_gpu, int64_t tasks)
{
	return part_of(gpus * cpus_per_gpu, tasks);
}

/* A number of nodes, each with an equal part. */
static bool add_by_node(const struct amounts *amounts, int64_t tasks, struct lxfw_request *request)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		int64_t here = larger(part_of(amounts->of[LXFW_REQUEST_PER_JOB][i], request->count),
				      amounts->of[LXFW_REQUEST_PER_NODE][i]);

		here = larger(here, amounts->of[LXFW_REQUEST_PER_TASK][i] * tasks);
		if (here > AMOUNT_MAX)
			return false;
		request->unit.extras[i] = (int32_t)here;
	}
	return true;
}

/* The fewest nodes that have the processors, each with an equal part of ALL: the pieces of which
   each has as many GRES are larger than a node. */
static void add_by_size(const int64_t *all, int32_t most, struct lxfw_request *request)
{
	int32_t hosts = (int32_t)part_of(request->count, most / request->unit.procs);

	request->min_hosts = request->max_hosts = hosts;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		request->per_host.extras[i] = (int32_t)larger(part_of(all[i], hosts),
							      request->per_host.extras[i]);
}

/* An uneven number of pieces on a number of nodes, each with an equal part. */
static bool add_by_part(const struct amounts *amounts, int64_t tasks, struct lxfw_request *request)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		int64_t all = larger(amounts->of[LXFW_REQUEST_PER_JOB][i],
				     amounts->of[LXFW_REQUEST_PER_TASK][i] * tasks);
		int64_t here = larger(part_of(all, request->min_hosts),
				      amounts->of[LXFW_REQUEST_PER_NODE][i]);

		if (here > AMOUNT_MAX)
			return false;
		request->per_host.extras[i] = (int32_t)here;
	}
	return true;
}

/* Pieces on any nodes. */
static bool add_by_piece(const struct lxfw_request_text *from, const struct amounts *amounts,
			 struct lxfw_request *request)
{
	int64_t all[LXFW_EXTRAS_MAX], pieces = request->count, times;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		int64_t node = amounts->of[LXFW_REQUEST_PER_NODE][i];

		all[i] = larger(amounts->of[LXFW_REQUEST_PER_JOB][i],
				amounts->of[LXFW_REQUEST_PER_TASK][i] * from->tasks);
		if (all[i] > AMOUNT_MAX || node > AMOUNT_MAX)
			return false;
		pieces = common_divisor(pieces, all[i]);
		request->per_host.extras[i] = (int32_t)(all[i] > 0 ? 0 : node);
	}
	times = request->count / pieces;
	if (times > 1 && from->most_procs >= request->unit.procs &&
	    times * request->unit.procs > from->most_procs) {
		add_by_size(all, from->most_procs, request);
		return true;
	}
	if (times * request->unit.procs > AMOUNT_MAX ||
	    request->unit.memory_mb >= LXFW_MEMORY_UNLIMITED / times)
		return false;
	request->unit = lxfw_resources_times(&request->unit, (int32_t)times);
	request->count = (int32_t)pieces;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		request->unit.extras[i] = (int32_t)(all[i] / pieces);
	return true;
}

int lxfw_request_slurm_extras(const struct lxfw_request_text *from, int64_t tasks,
			      struct lxfw_request *request, struct lxfw_error *error)
{
	struct lxfw_request whole;
	struct amounts amounts;
	bool added;

	if (from->gres_count == 0)
		return 0;
	sum_up(from, &amounts);
	if (request->shape == LXFW_SHAPE_HOSTS)
		added = add_by_node(&amounts, tasks, request);
	else if (request->min_hosts > 0)
		added = add_by_part(&amounts, from->tasks, request);
	else
		added = add_by_piece(from, &amounts, request);
	whole = *request;
	whole.id = 1;
	if (added && lxfw_request_is_valid(&whole))
		return 0;
	return lxfw_error_format(error, "request: more than %d processors or GRES", AMOUNT_MAX);
}

/* --- text ----------------------------------------------------------------------------- */

void lxfw_request_slurm_format(const struct lxfw_request_text *from, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (int i = 0; i < from->gres_count && length < size; i++) {
		const struct lxfw_request_gres *gres = &from->gres[i];
		bool of_node = gres->per == LXFW_REQUEST_PER_NODE;
		const char *name = gres->name;
		int more;

		/* The names of the others are "gpu" and "gpu:TYPE". */
		if (!of_node)
			name += name[3] == ':' ? 4 : 3;
		more = snprintf(text + length, size - length, " %s %s%s%lld",
				of_node ? "--gres" : gres->per == LXFW_REQUEST_PER_JOB ? "--gpus" :
				"--gpus-per-task", name, *name ? ":" : "", (long long)gres->count);
		length += more > 0 ? (size_t)more : 0;
	}
	if (from->cpus_per_gpu > 0 && length < size)
		length += (size_t)snprintf(text + length, size - length, " --cpus-per-gpu %lld",
					   (long long)from->cpus_per_gpu);
	if (from->memory_per_gpu > 0 && length < size)
		snprintf(text + length, size - length, " --mem-per-gpu %lldM",
			 (long long)from->memory_per_gpu);
}
