/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/agent/meter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/agent/agent.h"
#include "plugins/agent/log.h"
#include "plugins/agent/meter_text.h"
#include "plugins/agent/whole_file.h"

/* Least time between writes. A change is counted by the pass that follows it within about a
   second, so that the file is at most 5 s behind. */
#define WRITE_SECONDS 3
/* A pass is made when something changes, at the latest 30 s after the last one. A job that
   starts within this time after the start of its reservation has kept it. */
#define KEPT_SECONDS 30

void lxfw_meter_set(struct lxfw_meter *meter, const char *path, int length)
{
	bool same = path && meter->path && strlen(meter->path) == (size_t)length &&
		    memcmp(meter->path, path, (size_t)length) == 0;

	if (same)
		return;
	lxfw_meter_clear(meter);
	if (!path)
		return;
	meter->path = strndup(path, (size_t)length);
	if (!meter->path)
		lxfw_log_error("lxfw_metrics: out of memory");
}

void lxfw_meter_clear(struct lxfw_meter *meter)
{
	free(meter->path);
	meter->path = NULL;
	meter->due = 0;
	meter->complained = false;
}

/* --- jobs -------------------------------------------------------------------------- */

static enum lxfw_start_label label_of(const struct lxfw_agent *agent,
				      const struct lxfw_known_job *known,
				      const struct lxfw_action *action)
{
	if (action->until != LXFW_NEVER)
		return LXFW_START_QUANTUM;
	if (known->reserved_start)
		return LXFW_START_RESERVED;
	return known->first_decision >= agent->decisions ? LXFW_START_AT_ONCE :
							   LXFW_START_UNRESERVED;
}

static void count_error(struct lxfw_meter *meter, int64_t error)
{
	int i = 0;

	if (error < 0)
		error = -error;
	while (i < LXFW_METER_BUCKETS - 1 && error > lxfw_meter_bounds[i])
		i++;
	meter->errors[i]++;
	meter->error_sum += (uint64_t)error;
}

void lxfw_meter_answer(struct lxfw_agent *agent, struct lxfw_known_job *known,
		       const struct lxfw_action *action, enum lxfw_answer answer)
{
	struct lxfw_meter *meter = &agent->meter;

	meter->answers[answer]++;
	if (answer != LXFW_DONE && answer != LXFW_LATER)
		return;
	meter->starts[label_of(agent, known, action)]++;
	if (known->reserved_start && agent->clock <= known->reserved_start + KEPT_SECONDS)
		meter->kept++;
	else if (known->reserved_start)
		meter->late++;
	if (known->first_expected)
		count_error(meter, agent->clock - known->first_expected);
	known->first_expected = 0;
	known->began = agent->clock;
}

void lxfw_meter_take_back(struct lxfw_meter *meter, const struct lxfw_meter *before)
{
	memcpy(meter->starts, before->starts, sizeof(meter->starts));
	memcpy(meter->errors, before->errors, sizeof(meter->errors));
	meter->error_sum = before->error_sum;
	meter->kept = before->kept;
	meter->late = before->late;
	meter->answers[LXFW_DONE] = before->answers[LXFW_DONE];
	meter->answers[LXFW_LATER] = before->answers[LXFW_LATER];
}

void lxfw_meter_expect(struct lxfw_known_job *known, int64_t start)
{
	if (!known->first_expected)
		known->first_expected = start;
}

void lxfw_meter_reserve(struct lxfw_agent *agent, struct lxfw_known_job *known,
			int64_t start)
{
	lxfw_meter_expect(known, start);
	agent->meter.postponed += known->reserved_start && start > known->reserved_start;
}

void lxfw_meter_requeue(struct lxfw_agent *agent, const struct lxfw_known_job *known)
{
	const struct lxfw_request *request = &known->request;
	int64_t ran = agent->clock - known->began;

	agent->meter.requeues++;
	if (known->began && ran > 0 && request->id)
		agent->meter.lost += (uint64_t)ran * (uint64_t)request->unit.procs *
				     (uint64_t)request->count;
}

/* --- passes and the file ------------------------------------------------------------- */

/* The first bytes of every file of metrics. */
#define BEGINNING "# TYPE lxfw_"

/* Opens a regular file, without waiting for a FIFO or a device. Returns -1 with errno set,
   EEXIST if it is something else. */
static int open_regular(const char *path)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;

	if (descriptor < 0 || (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)))
		return descriptor;
	close(descriptor);
	errno = EEXIST;
	return -1;
}

/* Whether the file may be replaced: it does not exist, is empty, or has metrics. The path
   may be that of another file by mistake, such as the journal. */
static bool may_replace(const char *path)
{
	char bytes[sizeof(BEGINNING) - 1];
	int descriptor = open_regular(path);
	ssize_t count;

	if (descriptor < 0)
		return errno == ENOENT;
	count = read(descriptor, bytes, sizeof(bytes));
	close(descriptor);
	if (count == 0 || (count == (ssize_t)sizeof(bytes) &&
			   memcmp(bytes, BEGINNING, sizeof(bytes)) == 0))
		return true;
	if (count >= 0)
		errno = EEXIST;
	return false;
}

/* Logs the first of consecutive failures. */
static void write_now(struct lxfw_agent *agent)
{
	struct lxfw_meter *meter = &agent->meter;
	size_t length;
	char *text = lxfw_meter_text(agent, &length);
	bool good = text && may_replace(meter->path) &&
		    lxfw_whole_file_show(meter->path, text, length) == 0;

	if (!good && !meter->complained)
		lxfw_log_error("cannot write lxfw_metrics=%s: %m", meter->path);
	meter->complained = !good;
	meter->behind = false;
	free(text);
}

/* Writes the file if it is due at NOW. A due time far ahead is from before the clock was set
   back. */
static void write_file(struct lxfw_agent *agent, int64_t now)
{
	struct lxfw_meter *meter = &agent->meter;

	if (!meter->path || lxfw_agent_abandoned(agent) ||
	    (now < meter->due && meter->due <= now + WRITE_SECONDS))
		return;
	meter->due = now + WRITE_SECONDS;
	lxfw_agent_step(agent, "writing the metrics");
	write_now(agent);
}

void lxfw_meter_pass(struct lxfw_agent *agent, enum lxfw_pass_end end)
{
	struct lxfw_meter *meter = &agent->meter;
	const struct lxfw_pass_counts *counts = &agent->counts;

	meter->passes[end]++;
	meter->last_end = end;
	meter->look_us += counts->sync_us;
	meter->decide_us += counts->decide_us;
	meter->act_us += counts->act_us;
	meter->cpu_us += counts->cpu_us;
	meter->events += counts->events;
	meter->behind = true;
	write_file(agent, agent->clock);
}

void lxfw_meter_between(struct lxfw_agent *agent, int64_t now)
{
	if (agent->meter.behind)
		write_file(agent, now);
}

/* --- while the workload manager schedules by itself -------------------------------------- */

/* Returns the text of a file of metrics, which the caller frees; NULL if it cannot be
   read. */
static char *read_file(const char *path)
{
	int descriptor = open_regular(path);
	FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
	char *text = NULL;
	size_t size = 0;
	ssize_t count;

	if (!file) {
		if (descriptor >= 0)
			close(descriptor);
		return NULL;
	}
	count = getdelim(&text, &size, '\0', file);
	fclose(file);
	if (count > 0)
		return text;
	free(text);
	return NULL;
}

/* Returns TEXT, the metrics that were written last, with the gauge set for REASON, or the
   gauge alone if TEXT is NULL or has none. The caller frees it. NULL with errno ENOMEM. */
static char *with_gauge(const char *text, enum lxfw_let_go_reason reason)
{
	char *line = lxfw_meter_let_go_line(reason, 0), *at, *copy = NULL;

	if (text && line)
		at = strstr(text, line);
	else
		at = NULL;
	if (line && !at)
		copy = lxfw_meter_let_go_text(reason);
	else if (line)
		copy = strdup(text);
	if (copy && at)
		copy[at - text + (ptrdiff_t)strlen(line) - 2] = '1';
	free(line);
	return copy;
}

void lxfw_meter_let_go(struct lxfw_meter *meter, enum lxfw_let_go_reason reason)
{
	char *before, *text, *line;
	bool marked, good;

	if (!meter->path)
		return;
	good = may_replace(meter->path);
	before = good ? read_file(meter->path) : NULL;
	line = lxfw_meter_let_go_line(reason, 1);
	marked = before && line && strstr(before, line);
	if (good && !marked) {
		text = with_gauge(before, reason);
		good = text && lxfw_whole_file_show(meter->path, text, strlen(text)) == 0;
		free(text);
	}
	if (!good && !meter->complained)
		lxfw_log_error("cannot write lxfw_metrics=%s: %m", meter->path);
	meter->complained = !good;
	free(line);
	free(before);
}
