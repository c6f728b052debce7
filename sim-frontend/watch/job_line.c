/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/watch/job_line.h"

#include <string.h>

#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/trace/account_text.h"

enum field {
	STATE, RECORD, NAME, HET, PARTITIONS, REASON, PRIORITY, HOSTS, TASKS, PER_TASK, LIMIT, SUBMIT,
	ELIGIBLE, START, END, NODES, TRES, JOB_GRES, NODE_GRES, TASK_GRES, SHARING, RESERVATION, FEATURES, REQUIRED,
	THREADS, USER, GROUP, SOCKET_GRES, SOCKETS, CPUS_PER_GRES, LEAST_CPUS, EXCLUSIVE,
	FIELDS,
};

#define FIELD(name) name ":\037,"
const char lxfw_watched_format[] =
	FIELD("state") FIELD("jobid") FIELD("jobarrayid") FIELD("hetjobid") FIELD("partition")
	FIELD("reason") FIELD("prioritylong") FIELD("numnodes") FIELD("numtasks") FIELD("cpus-per-task")
	FIELD("timelimit") FIELD("submittime") FIELD("eligibletime") FIELD("starttime")
	FIELD("endtime") FIELD("nodelist") FIELD("tres-alloc") FIELD("tres-per-job")
	FIELD("tres-per-node") FIELD("tres-per-task") FIELD("oversubscribe")
	FIELD("reservation") FIELD("feature") FIELD("reqnodes") FIELD("threads")
	FIELD("username") FIELD("groupname") FIELD("tres-per-socket") FIELD("sockets")
	FIELD("cpus-per-tres") FIELD("mincpus") "exclusive:\037";
const char lxfw_watched_excluded[] = "%A\037%x\037%W\037%E\037";

/* --- reasons -------------------------------------------------------------------------- */

/* Slurm's names (job_state_reason_string()). */
static const struct {
	const char *name;
	enum lxfw_reason reason;
} reasons[] = {
	{ "None", LXFW_REASON_NONE },
	{ "Priority", LXFW_REASON_NONE },
	{ "Resources", LXFW_REASON_NONE },
	{ "NodeDown", LXFW_REASON_NONE },
	{ "ReqNodeNotAvail", LXFW_REASON_NONE },
	{ "FrontEndDown", LXFW_REASON_NONE },
	{ "Nodes required for job are DOWN", LXFW_REASON_NONE },
	{ "JobHeldUser", LXFW_REASON_HELD_BY_USER },
	{ "JobHeldAdmin", LXFW_REASON_HELD },
	{ "JobHoldMaxRequeue", LXFW_REASON_HELD_FAILED },
	{ "BadConstraints", LXFW_REASON_HELD_NO_HOSTS },
	{ "JobLaunchFailure", LXFW_REASON_HELD_FAILED },
	{ "SystemFailure", LXFW_REASON_HELD_FAILED },
	{ "launch failed requeued held", LXFW_REASON_HELD_FAILED },
	{ "job requeued in held state", LXFW_REASON_HELD_BY_USER },
	{ "DependencyNeverSatisfied", LXFW_REASON_DEPENDENCY_NEVER },
	{ "Dependency", LXFW_REASON_DEPENDENCY },
	{ "BeginTime", LXFW_REASON_BEGIN_TIME },
	{ "PartitionDown", LXFW_REASON_QUEUE_STOPPED },
	{ "PartitionInactive", LXFW_REASON_QUEUE_STOPPED },
	{ "PartitionNodeLimit", LXFW_REASON_LIMIT_QUEUE },
	{ "PartitionTimeLimit", LXFW_REASON_LIMIT_QUEUE },
	{ "Licenses", LXFW_REASON_LICENSES },
	{ "ReservationDeleted", LXFW_REASON_RESERVATION },
	{ "Reservation", LXFW_REASON_RESERVATION },
	{ "JobArrayTaskLimit", LXFW_REASON_LIMIT_TASKS },
	{ "BurstBuffer", LXFW_REASON_BUFFER },
	{ "Cleaning", LXFW_REASON_CLEANING },
	{ "DeadLine", LXFW_REASON_DEADLINE },
	{ "InvalidAccount", LXFW_REASON_ACCOUNT },
	{ "InvalidQOS", LXFW_REASON_ACCOUNT },
	{ "AccountNotAllowed", LXFW_REASON_ACCOUNT },
	{ "QOSNotAllowed", LXFW_REASON_ACCOUNT },
	{ "AssociationJobLimit", LXFW_REASON_LIMIT_ACCOUNT },
	{ "AssociationResourceLimit", LXFW_REASON_LIMIT_ACCOUNT },
	{ "AssociationTimeLimit", LXFW_REASON_LIMIT_ACCOUNT },
	{ "QOSJobLimit", LXFW_REASON_LIMIT_QOS },
	{ "QOSResourceLimit", LXFW_REASON_LIMIT_QOS },
	{ "QOSTimeLimit", LXFW_REASON_LIMIT_QOS },
	{ "QOSUsageThreshold", LXFW_REASON_LIMIT_QOS },
	{ "FedJobLock", LXFW_REASON_ELSEWHERE },
	{ "MaxMemPerLimit", LXFW_REASON_LIMIT_MEMORY },
	{ "PartitionConfig", LXFW_REASON_QUEUE_UNFIT },
	{ "AccountingPolicy", LXFW_REASON_ACCOUNT },
	{ "ReservationInvalid", LXFW_REASON_RESERVATION },
	{ "SchedDefer", LXFW_REASON_LATER },
};

/* What a limit counts, by a part of its name: "QOSMaxCpuPerUserLimit". */
static const struct {
	const char *part;
	enum lxfw_limited limited;
} limits[] = {
	{ "GRES", LXFW_LIMITED_GPUS },
	{ "License", LXFW_LIMITED_LICENSES },
	{ "Minutes", LXFW_LIMITED_TIME },
	{ "RunMins", LXFW_LIMITED_TIME },
	{ "Wall", LXFW_LIMITED_TIME },
	{ "Cpu", LXFW_LIMITED_PROCS },
	{ "Mem", LXFW_LIMITED_MEMORY },
	{ "Node", LXFW_LIMITED_HOSTS },
	{ "Job", LXFW_LIMITED_JOBS },
	{ "Submit", LXFW_LIMITED_JOBS },
};

static enum lxfw_limited limited_of(const char *name)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		if (strstr(name, limits[i].part))
			return limits[i].limited;
	}
	return LXFW_LIMITED_OTHER;
}

enum lxfw_reason lxfw_watched_reason(const char *name, enum lxfw_limited *limited)
{
	size_t length = strcspn(name, ",(");

	*limited = LXFW_LIMITED_UNKNOWN;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (strlen(reasons[i].name) == length &&
		    strncmp(reasons[i].name, name, length) == 0)
			return reasons[i].reason;
	}
	if (strncmp(name, "QOS", 3) == 0 || strncmp(name, "Assoc", 5) == 0) {
		*limited = limited_of(name);
		return *name == 'Q' ? LXFW_REASON_LIMIT_QOS : LXFW_REASON_LIMIT_ACCOUNT;
	}
	/* "MaxCpuPerAccount", "MaxGRESRunMinsPerUser": limits of a QOS, too. */
	if (strncmp(name, "Max", 3) == 0 && strstr(name, "Per")) {
		*limited = limited_of(name);
		return LXFW_REASON_LIMIT_QOS;
	}
	if (strncmp(name, "BurstBuffer", 11) == 0)
		return LXFW_REASON_BUFFER;
	return LXFW_REASON_OTHER;
}

/* --- a line --------------------------------------------------------------------------- */

static bool split(char *line, const char **fields)
{
	char *at = line;

	for (int i = 0; i < FIELDS; i++) {
		char *end = strchr(at, LXFW_WATCHED_END);

		if (!end)
			return false;
		*end = '\0';
		fields[i] = strcmp(at, "(null)") == 0 || strcmp(at, "N/A") == 0 ? "" : at;
		at = end + 1;
	}
	return *at == '\0';
}

static int64_t number_of(const char *text)
{
	const struct lxfw_slice slice = { text, strlen(text) };
	int64_t number;

	return lxfw_slice_integer(slice, 0, LXFW_ACCOUNT_TIME_MAX, &number) ? number : 0;
}

/* Returns false if the job has ended. */
static bool take_state(const char *name, enum lxfw_watched_state *state)
{
	static const struct {
		const char *name;
		enum lxfw_watched_state state;
	} states[] = {
		{ "PENDING", LXFW_WATCHED_WAITING },
		{ "REQUEUED", LXFW_WATCHED_WAITING },
		{ "REQUEUE_HOLD", LXFW_WATCHED_WAITING },
		{ "SPECIAL_EXIT", LXFW_WATCHED_WAITING },
		{ "RUNNING", LXFW_WATCHED_RUNNING },
		{ "CONFIGURING", LXFW_WATCHED_RUNNING },
		{ "RESIZING", LXFW_WATCHED_RUNNING },
		{ "SIGNALING", LXFW_WATCHED_RUNNING },
		{ "STAGE_OUT", LXFW_WATCHED_ENDING },
		{ "STOPPED", LXFW_WATCHED_RUNNING },
		{ "SUSPENDED", LXFW_WATCHED_SUSPENDED },
		{ "COMPLETING", LXFW_WATCHED_ENDING },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (strcmp(states[i].name, name) == 0) {
			*state = states[i].state;
			return true;
		}
	}
	return false;
}

void lxfw_watched_settle(struct lxfw_watched *job)
{
	job->reason = LXFW_REASON_NONE;
	if (job->priority == 0)
		job->reason = LXFW_REASON_HELD;
	else if (job->het)
		job->reason = LXFW_REASON_LEFT_GROUP;
	else if (*job->reservation)
		job->reason = LXFW_REASON_LEFT_RESERVATION;
}

/* Whether the reason of an array is those of several tasks, "Resources,JobHeldUser", and some of them
   are no jobs to be scheduled: from release 23.02 on, squeue does not say which. A reason may end with
   names of nodes, "ReqNodeNotAvail, UnavailableNodes:a1,n[1,3]". */
static bool is_mixed(const char *said)
{
	bool nodes = false, brackets = false;

	for (const char *at = said; *at; at++) {
		enum lxfw_limited limited;
		enum lxfw_reason reason;

		nodes |= *at == ':';
		brackets = *at == '[' || (brackets && *at != ']');
		if (*at != ',' || at[1] == ' ' || brackets)
			continue;
		reason = lxfw_watched_reason(at + 1, &limited);
		if (reason != LXFW_REASON_NONE && !(nodes && reason == LXFW_REASON_OTHER))
			return true;
	}
	return false;
}

/* Why a job waits that the library cannot schedule. */
static void take_reason(const char *const *fields, struct lxfw_watched *job)
{
	if (job->state != LXFW_WATCHED_WAITING)
		return;
	job->reason = lxfw_watched_reason(fields[REASON], &job->limited);
	if (*job->array && is_mixed(fields[REASON]))
		job->reason = LXFW_REASON_OTHER;
	if (job->reason == LXFW_REASON_NONE ||
	    (job->reason == LXFW_REASON_LIMIT_TASKS && job->most_tasks > 0))
		lxfw_watched_settle(job);
}

/* The tasks in a name such as "17_[4-9%2]". */
static const char *array_of(const char *name)
{
	const char *list = strstr(name, "_[");

	return list ? list + 2 : "";
}

/* The number behind '%' in such a list, 0 if there is none. */
static int32_t most_tasks_of(const char *array)
{
	const char *percent = strchr(array, '%');
	struct lxfw_slice slice;
	int64_t number;

	if (!percent)
		return 0;
	slice = (struct lxfw_slice) { percent + 1, strspn(percent + 1, "0123456789") };
	return lxfw_slice_integer(slice, 0, INT32_MAX, &number) ? (int32_t)number : 0;
}

/* Whether it has nodes without other jobs. Releases before 26.05 have no field of that, but an empty
   one, and state it as its sharing; later ones state "NO" of jobs that share nodes, too. */
static bool is_exclusive(const char *const *fields)
{
	return *fields[EXCLUSIVE] ? strcmp(fields[EXCLUSIVE], "NODE") == 0 :
				    strcmp(fields[SHARING], "NO") == 0;
}

/* Whether it shares nodes with jobs of its own user, or of its own label, only. */
static bool is_own_user(const char *const *fields)
{
	const char *sharing = *fields[EXCLUSIVE] ? fields[EXCLUSIVE] : fields[SHARING];

	return strcmp(sharing, "USER") == 0 || strcmp(sharing, "MCS") == 0;
}

/* What squeue says of a field that its release does not have. */
static bool is_unknown_field(const char *line)
{
	static const char text[] = "squeue: error: Invalid job format specification: ";

	return strncmp(line, text, sizeof(text) - 1) == 0;
}

int lxfw_watched_read(char *line, struct lxfw_watched *job)
{
	const char *fields[FIELDS];
	int64_t limit;

	*job = (struct lxfw_watched) { .reason = LXFW_REASON_NONE };
	if (!split(line, fields))
		return is_unknown_field(line) ? 0 : -1;
	if (!take_state(fields[STATE], &job->state))
		return 0;
	job->id = lxfw_squeue_id(fields[RECORD], fields[NAME]);
	job->record = (uint32_t)number_of(fields[RECORD]);
	if (job->id == 0 || job->record == 0)
		return -1;
	job->het = (uint32_t)number_of(fields[HET]);
	job->exclusive = is_exclusive(fields);
	job->own_user = is_own_user(fields);
	job->priority = number_of(fields[PRIORITY]);
	job->submit = number_of(fields[SUBMIT]);
	job->eligible = number_of(fields[ELIGIBLE]);
	job->start = number_of(fields[START]);
	job->end = number_of(fields[END]);
	if (lxfw_request_time(fields[LIMIT], &limit))
		job->limit = limit;
	job->hosts = number_of(fields[HOSTS]);
	job->tasks = number_of(fields[TASKS]);
	job->per_task = number_of(fields[PER_TASK]);
	job->partitions = fields[PARTITIONS];
	job->nodes = fields[NODES];
	job->tres = fields[TRES];
	job->job_gres = fields[JOB_GRES];
	job->node_gres = fields[NODE_GRES];
	job->socket_gres = fields[SOCKET_GRES];
	job->task_gres = fields[TASK_GRES];
	job->cpus_per_gres = fields[CPUS_PER_GRES];
	job->least_cpus = number_of(fields[LEAST_CPUS]);
	job->sockets = number_of(fields[SOCKETS]);
	job->reservation = fields[RESERVATION];
	job->features = fields[FEATURES];
	job->required = fields[REQUIRED];
	job->threads = number_of(fields[THREADS]);
	job->user = fields[USER];
	job->group = fields[GROUP];
	job->said = job->state == LXFW_WATCHED_WAITING ? fields[REASON] : "";
	job->excluded = job->licenses = job->dependency = "";
	job->array = array_of(fields[NAME]);
	job->most_tasks = most_tasks_of(job->array);
	take_reason(fields, job);
	return 1;
}

bool lxfw_watched_read_excluded(char *line, struct lxfw_watched *job)
{
	const char *fields[4] = { "", "", "", "" };
	char *at = line;

	for (int i = 0; i < 4 && (i < 3 || *at); i++) {
		char *end = strchr(at, LXFW_WATCHED_END);

		if (!end)
			return false;
		*end = '\0';
		fields[i] = strcmp(at, "(null)") == 0 ? "" : at;
		at = end + 1;
	}
	*job = (struct lxfw_watched) {
		.record = (uint32_t)number_of(fields[0]), .excluded = fields[1],
		.licenses = fields[2], .dependency = fields[3],
	};
	return job->record > 0 && !*at;
}

/* --- tasks of an array ---------------------------------------------------------------- */

/* Largest number of a task; the id of one is above it. */
#define TASK_MAX (INT64_C(0xfffffffe) - 1)

void lxfw_watched_tasks(struct lxfw_watched_tasks *tasks, const char *list)
{
	*tasks = (struct lxfw_watched_tasks) { .at = list, .next = 0, .last = -1, .step = 1 };
}

/* Takes a number at *AT, and moves *AT behind it. Returns -1 if there is none. */
static int64_t take_number(const char **at)
{
	size_t length = strspn(*at, "0123456789");
	const struct lxfw_slice slice = { *at, length };
	int64_t number;

	*at += length;
	return lxfw_slice_integer(slice, 0, TASK_MAX, &number) ? number : -1;
}

/* Takes a range, "4", "4-9" or "4-9:2". Returns whether there is one. */
static bool take_range(struct lxfw_watched_tasks *tasks)
{
	tasks->next = tasks->last = take_number(&tasks->at);
	tasks->step = 1;
	if (*tasks->at == '-') {
		tasks->at++;
		tasks->last = take_number(&tasks->at);
	}
	if (*tasks->at == ':') {
		tasks->at++;
		tasks->step = take_number(&tasks->at);
	}
	if (*tasks->at == ',')
		tasks->at++;
	else
		tasks->at = "";
	return tasks->next >= 0 && tasks->step > 0;
}

int64_t lxfw_watched_next_task(struct lxfw_watched_tasks *tasks)
{
	int64_t task;

	if (tasks->next > tasks->last && !take_range(tasks))
		return -1;
	task = tasks->next;
	tasks->next += tasks->step;
	return task <= tasks->last ? task : -1;
}
