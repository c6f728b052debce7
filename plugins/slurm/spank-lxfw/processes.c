/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/processes.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/grow.h"

/* Limit of the number of ancestors that are followed. A longer chain is a loop caused
   by changes during reading. */
#define DEPTH_MAX 4096

struct process {
	pid_t pid;
	pid_t parent;
	uid_t user;
	bool daemon;		/* it is a slurmstepd */
};

struct table {
	struct process *rows;
	size_t count;
	size_t size;
};

static int open_process(const struct lxfw_step *step, pid_t pid)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%ld", step->proc, (long)pid);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Reads a file in a process's directory, up to MOST bytes, and appends a NUL. Returns
   NULL with errno set if the file does not exist or cannot be read to its end. */
static char *read_file(int folder, const char *name, size_t most, size_t *length)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t got = -1;
	int file, why;

	*length = 0;
	file = openat(folder, name, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return NULL;
	while (*length < most) {
		char *room = lxfw_grow(text, &size, *length + 4096, 1);

		got = -1;
		if (!room)
			break;
		text = room;
		got = read(file, text + *length, size - *length - 1);
		if (got <= 0)
			break;
		*length += (size_t)got;
	}
	why = errno;
	close(file);
	if (got >= 0) {
		text[*length] = '\0';
		return text;
	}
	free(text);
	errno = why;
	return NULL;
}

/* Parses the number after KEY, which consists of a newline and the start of a line. The
   kernel escapes newlines in process names. Returns false if there is no such line. */
static bool number_of(const char *text, const char *key, long *number)
{
	const char *line = strstr(text, key);
	char *end;

	if (!line)
		return false;
	line += strlen(key);
	*number = strtol(line, &end, 10);
	return end != line;
}

/* Returns true if the process runs the same program as this slurmstepd. Any user can
   give a link to a program of root the name slurmstepd. */
static bool same_program(const struct lxfw_step *step, int folder)
{
	struct stat ours, its;
	char path[512];

	snprintf(path, sizeof(path), "%s/%ld/exe", step->proc,
		 (long)step->daemon);
	if (stat(path, &ours) < 0)
		return true;
	return fstatat(folder, "exe", &its, 0) == 0 &&
	       its.st_dev == ours.st_dev && its.st_ino == ours.st_ino;
}

static bool read_process(const struct lxfw_step *step, int folder, pid_t pid,
			 struct process *process)
{
	static const char name[] = "Name:\tslurmstepd\n";
	size_t length;
	char *status = read_file(folder, "status", 16384, &length);
	long parent, user;
	bool good;

	good = status && number_of(status, "\nPPid:", &parent) &&
	       number_of(status, "\nUid:", &user);
	if (good)
		*process = (struct process){
			.pid = pid,
			.parent = (pid_t)parent,
			.user = (uid_t)user,
			/* Any user can choose this name; it counts only for the user
			   that runs the daemons. */
			.daemon = (uid_t)user == geteuid() &&
				  strncmp(status, name, sizeof(name) - 1) == 0 &&
				  same_program(step, folder),
		};
	free(status);
	return good;
}

static bool look_at(const struct lxfw_step *step, pid_t pid,
		    struct process *process)
{
	int folder = open_process(step, pid);
	bool good = folder >= 0 && read_process(step, folder, pid, process);

	if (folder >= 0)
		close(folder);
	return good;
}

/* Reads the 22nd field. The second one, the name in parentheses, may contain any
   character. */
static bool read_start(int folder, unsigned long long *start)
{
	size_t length;
	char *text = read_file(folder, "stat", 4096, &length);
	const char *at = text ? strrchr(text, ')') : NULL;
	int field;

	for (field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		*start = strtoull(at + 1, NULL, 10);
	free(text);
	return at != NULL;
}

static int by_pid(const void *left, const void *right)
{
	const struct process *a = left, *b = right;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static int read_table(const struct lxfw_step *step, struct table *table)
{
	DIR *proc = opendir(step->proc);
	const struct dirent *entry;

	if (!proc)
		return -1;
	while ((entry = readdir(proc))) {
		struct process process;

		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !look_at(step, (pid_t)atol(entry->d_name), &process))
			continue;
		if (LXFW_GROW(table->rows, table->size, table->count + 1)) {
			closedir(proc);
			errno = ENOMEM;
			return -1;
		}
		table->rows[table->count++] = process;
	}
	closedir(proc);
	if (table->count)
		qsort(table->rows, table->count, sizeof(*table->rows), by_pid);
	return 0;
}

static const struct process *row_of(const struct table *table, pid_t pid)
{
	const struct process key = { .pid = pid };

	if (table->count == 0)
		return NULL;
	return bsearch(&key, table->rows, table->count, sizeof(key), by_pid);
}

/* Returns the slurmstepd that is an ancestor of the process, or 0. */
static pid_t daemon_above(const struct table *table,
			  const struct process *process,
			  const struct lxfw_step *step)
{
	int depth;

	for (depth = 0; depth < DEPTH_MAX; depth++) {
		if (process->parent == step->daemon)
			return step->daemon;
		process = row_of(table, process->parent);
		if (!process)
			return 0;
		if (process->daemon)
			return process->pid;
	}
	return 0;
}

/* Returns true if the path component from FIRST to LAST is PREFIX followed by
   NUMBER. */
static bool is_numbered(const char *first, const char *last, const char *prefix,
			uint64_t number)
{
	char want[64];
	int length = snprintf(want, sizeof(want), "%s%" PRIu64, prefix, number);

	return last - first == length && strncmp(first, want, (size_t)length) == 0;
}

/* Returns true if the component is Slurm's own group for this node: slurm or slurm_NODE
   (v1), slurmstepd.scope or NODE_slurmstepd.scope (v2). */
static bool is_slurm(const char *first, const char *last, const char *node)
{
	static const char v1[] = "slurm", v2[] = "slurmstepd.scope";
	size_t length = (size_t)(last - first), name = strlen(node);

	if ((length == sizeof(v1) - 1 && strncmp(first, v1, length) == 0) ||
	    (length == sizeof(v2) - 1 && strncmp(first, v2, length) == 0))
		return true;
	if (length == sizeof(v1) + name && strncmp(first, "slurm_", 6) == 0)
		return strncmp(first + sizeof(v1), node, name) == 0;
	return length == name + sizeof(v2) && first[name] == '_' &&
	       strncmp(first, node, name) == 0 &&
	       strncmp(first + name + 1, v2, sizeof(v2) - 1) == 0;
}

/* Returns true if the component looks like Slurm's group of any node. */
static bool is_any_slurm(const char *first, const char *last)
{
	static const char scope[] = "slurmstepd.scope";
	size_t length = (size_t)(last - first);

	return (length >= 5 && strncmp(first, "slurm", 5) == 0) ||
	       (length >= sizeof(scope) - 1 &&
		strncmp(last - (sizeof(scope) - 1), scope, sizeof(scope) - 1) == 0);
}

int lxfw_cgroup_job(const char *line, const struct lxfw_step *step,
		    size_t *length)
{
	const char *at = strchr(line, '/');
	bool inside = false, ours = false, user = true;

	while (at && *at == '/') {
		const char *first = at + 1;
		const char *last = first + strcspn(first, "/\n");

		if (!inside && is_any_slurm(first, last)) {
			inside = true;
			ours = is_slurm(first, last, step->node);
		} else if (inside && strncmp(first, "uid_", 4) == 0) {
			user = is_numbered(first, last, "uid_", step->user);
		} else if (inside && strncmp(first, "job_", 4) == 0) {
			if (!ours || !user ||
			    !is_numbered(first, last, "job_", step->job))
				return -1;
			*length = (size_t)(last - line);
			return 1;
		}
		at = last;
	}
	return 0;
}

/* Returns 1 if the process is in the job's control group, -1 if it is in another job's
   or the group cannot be read, and 0 if it is in none, as in kernels without control
   groups. */
static int job_by_cgroup(const struct lxfw_step *step, int folder)
{
	size_t length;
	char *text = read_file(folder, "cgroup", 65536, &length);
	const char *line = text;
	int found = text || errno == ENOENT ? 0 : -1;

	while (line && *line && found >= 0) {
		const char *end = strchr(line, '\n');
		int job = lxfw_cgroup_job(line, step, &length);

		if (job != 0)
			found = job;
		line = end ? end + 1 : NULL;
	}
	free(text);
	return found;
}

static bool job_by_environment(const struct lxfw_step *step, int folder)
{
	char job[64], node[320];
	size_t length, at;
	/* The kernel limits arguments and environment to this size. */
	char *text = read_file(folder, "environ", (size_t)8 << 20, &length);
	bool job_good = false, node_good = false;

	snprintf(job, sizeof(job), "SLURM_JOB_ID=%" PRIu32, step->job);
	snprintf(node, sizeof(node), "SLURMD_NODENAME=%s", step->node);
	for (at = 0; text && at < length; at += strlen(text + at) + 1) {
		job_good |= strcmp(text + at, job) == 0;
		node_good |= strcmp(text + at, node) == 0;
	}
	free(text);
	return job_good && node_good;
}

/* Returns true if the process in FOLDER is unchanged since the table was read and
   belongs to the step. */
static bool holds(const struct table *table, const struct process *process,
		  const struct lxfw_step *step, int folder)
{
	struct process again;
	pid_t daemon;
	int job;

	if (!read_process(step, folder, process->pid, &again) ||
	    again.user != process->user || again.parent != process->parent)
		return false;
	daemon = daemon_above(table, process, step);
	if (daemon)
		return daemon == step->daemon;
	job = job_by_cgroup(step, folder);
	return job > 0 || (job == 0 && job_by_environment(step, folder));
}

static bool is_ours(const struct table *table, const struct process *process,
		    const struct lxfw_step *step, struct lxfw_process *ours)
{
	bool good;
	int folder;

	if (process->user != step->user || process->pid == step->daemon ||
	    process->daemon)
		return false;
	folder = open_process(step, process->pid);
	if (folder < 0)
		return false;
	ours->pid = process->pid;
	good = holds(table, process, step, folder) &&
	       read_start(folder, &ours->start);
	close(folder);
	return good;
}

int lxfw_process_open(const struct lxfw_step *step,
		      const struct lxfw_process *process)
{
	int folder = open_process(step, process->pid);
	unsigned long long start;

	if (folder < 0)
		return -1;
	if (read_start(folder, &start) && start == process->start)
		return folder;
	close(folder);
	errno = ESRCH;
	return -1;
}

int lxfw_processes_find(struct lxfw_processes *found,
			const struct lxfw_step *step)
{
	struct table table = { 0 };
	size_t i;
	int result = -1;

	found->count = 0;
	if (read_table(step, &table) < 0)
		goto out;
	for (i = 0; i < table.count; i++) {
		struct lxfw_process ours;

		if (!is_ours(&table, &table.rows[i], step, &ours))
			continue;
		if (LXFW_GROW(found->list, found->size, found->count + 1)) {
			found->count = 0;
			errno = ENOMEM;
			goto out;
		}
		found->list[found->count++] = ours;
	}
	result = 0;
out:
	free(table.rows);
	return result;
}

void lxfw_processes_free(struct lxfw_processes *found)
{
	free(found->list);
	*found = (struct lxfw_processes){ 0 };
}
