/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

#define HEAD "lxfw-job 1\n"
#define WORDS_MAX 65536
#define DIGITS "0123456789abcdef"

bool lxfw_route_marker_is_valid(const char *marker)
{
	return strlen(marker) == LXFW_ROUTE_MARKER - 1 && !marker[strspn(marker, DIGITS)];
}

/* --- making --------------------------------------------------------------------------- */

struct text {
	char *bytes;
	size_t length, size;
};

static int append(struct text *to, const char *bytes, size_t length)
{
	if (to->length + length > LXFW_ROUTE_RECORD_MAX) {
		errno = E2BIG;
		return -1;
	}
	if (LXFW_GROW(to->bytes, to->size, to->length + length + 1))
		return -1;
	memcpy(to->bytes + to->length, bytes, length);
	to->length += length;
	return 0;
}

/* Appends a file of /proc. */
static int append_file(struct text *to, int process, const char *name)
{
	int file = openat(process, name, O_RDONLY | O_CLOEXEC), saved;
	char part[4096];
	ssize_t got = -1;

	while (file >= 0 && (got = read(file, part, sizeof(part))) > 0) {
		if (append(to, part, (size_t)got)) {
			got = -1;
			break;
		}
	}
	saved = errno;
	if (file >= 0)
		close(file);
	errno = saved;
	return got < 0 ? -1 : 0;
}

static int append_number(struct text *to, const char *format, unsigned long long number)
{
	char text[40];

	return append(to, text, (size_t)snprintf(text, sizeof(text), format, number));
}

static int append_limits(struct text *to, pid_t pid)
{
	if (append(to, "limits", 6))
		return -1;
	for (int i = 0; i < (int)RLIM_NLIMITS; i++) {
		struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

		if (prlimit(pid, (__rlimit_resource_t)i, NULL, &limit) ||
		    append_number(to, " %llu", limit.rlim_cur) ||
		    append_number(to, " %llu", limit.rlim_max))
			return -1;
	}
	return append(to, "\n", 1);
}

/* The file mode mask in a line "Umask:	0022" of the status. */
static unsigned umask_of(int process)
{
	struct text status = { 0 };
	unsigned mask = 022;
	const char *line;

	if (append_file(&status, process, "status") == 0 && status.length > 0) {
		status.bytes[status.length] = '\0';
		line = strstr(status.bytes, "\nUmask:");
		if (line)
			mask = (unsigned)strtoul(line + 7, NULL, 8) & 0777;
	}
	free(status.bytes);
	return mask;
}

static int describe(struct text *to, int process, pid_t pid, int tail, const char *request)
{
	struct text words = { 0 };
	char directory[4096], line[80];
	ssize_t length = readlinkat(process, "cwd", directory, sizeof(directory));
	int count = 0, result = -1;

	if (length <= 0 || length == sizeof(directory) || append_file(&words, process, "cmdline"))
		goto out;
	directory[length] = '\0';
	for (size_t i = 0; i < words.length; i++)
		count += words.bytes[i] == '\0';
	if (tail >= count || count == 0) {
		errno = EINVAL;
		goto out;
	}
	snprintf(line, sizeof(line), "\ncommand %d %d %o\n", count, tail, umask_of(process));
	if (append(to, HEAD "request ", sizeof(HEAD "request ") - 1) ||
	    append(to, request, strlen(request)) || append(to, line, strlen(line)) ||
	    append_limits(to, pid) || append(to, directory, (size_t)length + 1) ||
	    append(to, words.bytes, words.length) || append_file(to, process, "environ"))
		goto out;
	result = 0;
out:
	free(words.bytes);
	return result;
}

static int write_file(int folder, const char *name, const struct text *text)
{
	int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	size_t written = 0;

	if (file < 0)
		return -1;
	while (written < text->length) {
		ssize_t put = write(file, text->bytes + written, text->length - written);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			break;
		written += (size_t)put;
	}
	if (fsync(file) == 0 && close(file) == 0 && written == text->length)
		return 0;
	unlinkat(folder, name, 0);
	return -1;
}

int lxfw_route_record_make(int folder, pid_t pid, int tail, const char *request,
			   char marker[LXFW_ROUTE_MARKER], struct lxfw_error *error)
{
	unsigned char random[(LXFW_ROUTE_MARKER - 1) / 2];
	char path[40], name[LXFW_ROUTE_MARKER + 4];
	struct text text = { 0 };
	struct stat about;
	int process, result = -1;

	*marker = '\0';
	snprintf(path, sizeof(path), "/proc/%lld", (long long)pid);
	process = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0 || process < 0 || fstat(process, &about) || about.st_uid != getuid() ||
	    getrandom(random, sizeof(random), 0) != sizeof(random)) {
		lxfw_error_format(error, "the job is not recorded, and stays where it is submitted");
	} else if (describe(&text, process, pid, tail, request)) {
		lxfw_error_system(error, path);
	} else {
		for (size_t i = 0; i < sizeof(random); i++)
			snprintf(marker + 2 * i, 3, "%02x", random[i]);
		snprintf(name, sizeof(name), "%s.job", marker);
		result = write_file(folder, name, &text);
		if (result) {
			lxfw_error_system(error, name);
			*marker = '\0';
		}
	}
	if (process >= 0)
		close(process);
	free(text.bytes);
	return result;
}

/* --- reading -------------------------------------------------------------------------- */

void lxfw_route_record_clear(struct lxfw_route_record *record)
{
	free(record->text);
	free(record->words);
	free(record->variables);
	*record = (struct lxfw_route_record) { 0 };
}

static int invalid(void)
{
	errno = EINVAL;
	return -1;
}

/* Takes the line with this KEY. Returns the text behind it, or NULL. */
static char *take_line(char **at, const char *end, const char *key)
{
	char *begin = *at, *newline = memchr(begin, '\n', (size_t)(end - begin));
	size_t length = strlen(key);

	if (!newline || (size_t)(newline - begin) < length || memcmp(begin, key, length) != 0)
		return NULL;
	*newline = '\0';
	*at = newline + 1;
	return strlen(begin) == (size_t)(newline - begin) ? begin + length : NULL;
}

/* Takes COUNT strings, or all that are left if it is negative. */
static char **take_strings(char **at, const char *end, int count)
{
	size_t room = 0, length = 0;
	char **list = NULL;

	while (*at < end && (count < 0 || length < (size_t)count)) {
		char *zero = memchr(*at, '\0', (size_t)(end - *at));

		if (!zero || LXFW_GROW(list, room, length + 2))
			break;
		list[length++] = *at;
		*at = zero + 1;
	}
	if ((count < 0 ? *at == end : length == (size_t)count) &&
	    LXFW_GROW(list, room, length + 1) == 0) {
		list[length] = NULL;
		return list;
	}
	free(list);
	return NULL;
}

static int take_command(struct lxfw_route_record *record, const char *line)
{
	int64_t numbers[3];
	size_t length = 0;

	for (int i = 0; i < 3; i++) {
		line += length;
		line += i > 0 && *line == ' ';
		length = strcspn(line, " ");
		if (lxfw_text_integer(line, length, i == 1 ? -1 : 0, i == 2 ? 777 : WORDS_MAX,
				      &numbers[i]))
			return -1;
	}
	record->word_count = (int)numbers[0];
	record->tail = (int)numbers[1];
	record->umask = (mode_t)strtoul(line, NULL, 8);
	return line[length] || record->word_count < 1 || record->tail >= record->word_count ? -1 : 0;
}

int lxfw_route_record_parse(struct lxfw_route_record *record, char *text, size_t length)
{
	char *at = text, *end = text + length, *command;
	char **directory;

	*record = (struct lxfw_route_record) { .text = text };
	if (!take_line(&at, end, "lxfw-job 1") ||
	    !(record->request = take_line(&at, end, "request ")) ||
	    !(command = take_line(&at, end, "command ")) || take_command(record, command) ||
	    !(record->limits = take_line(&at, end, "limits")))
		return invalid();
	directory = take_strings(&at, end, 1);
	if (!directory)
		return invalid();
	record->directory = *directory;
	free(directory);
	record->words = take_strings(&at, end, record->word_count);
	record->variables = record->words ? take_strings(&at, end, -1) : NULL;
	return record->variables && *record->directory == '/' ? 0 : invalid();
}

int lxfw_route_record_read(struct lxfw_route_record *record, int folder, const char *marker,
			   struct lxfw_error *error)
{
	char name[LXFW_ROUTE_MARKER + 4];
	struct stat about;
	char *text = NULL;
	ssize_t got = -1;
	int file;

	*record = (struct lxfw_route_record) { 0 };
	snprintf(name, sizeof(name), "%.16s.job", marker);
	file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return lxfw_error_system(error, name);
	if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
	    about.st_size <= LXFW_ROUTE_RECORD_MAX)
		text = malloc((size_t)about.st_size + 1);
	if (text)
		got = read(file, text, (size_t)about.st_size);
	close(file);
	if (got >= 0 && lxfw_route_record_parse(record, text, (size_t)got) == 0)
		return 0;
	if (got < 0)
		free(text);
	lxfw_route_record_clear(record);
	return lxfw_error_at(error, name, 0, "not a record of 'lxfw route'");
}

/* --- running -------------------------------------------------------------------------- */

/* Limits as sbatch passes them on to the job, in the order of their numbers. */
static const char *const limit_names[RLIM_NLIMITS] = {
	[RLIMIT_CPU] = "CPU", [RLIMIT_FSIZE] = "FSIZE", [RLIMIT_DATA] = "DATA",
	[RLIMIT_STACK] = "STACK", [RLIMIT_CORE] = "CORE", [RLIMIT_RSS] = "RSS",
	[RLIMIT_NPROC] = "NPROC", [RLIMIT_NOFILE] = "NOFILE", [RLIMIT_MEMLOCK] = "MEMLOCK",
	[RLIMIT_AS] = "AS",
};

/* The limits are data for the job: no process takes them on here. */
static int append_job_limits(struct text *to, const char *text)
{
	char line[80], *end;

	for (int i = 0; i < (int)RLIM_NLIMITS; i++) {
		unsigned long long soft = strtoull(text, &end, 10);

		if (end == text)
			return 0;
		text = end;
		strtoull(text, &end, 10);	/* the hard one is that of the node */
		if (end == text)
			return 0;
		text = end;
		if (limit_names[i] &&
		    append(to, line, (size_t)snprintf(line, sizeof(line), "SLURM_RLIMIT_%s=%llu",
						      limit_names[i], soft) + 1))
			return -1;
	}
	return 0;
}

/* Whether a variable is an option of sbatch itself. None of them names a program or a library. */
static bool is_option(const char *variable)
{
	return strncmp(variable, "SBATCH_", 7) == 0 || strncmp(variable, "SLURM_HINT=", 11) == 0;
}

/* sbatch would use the variables of an earlier job for this one. */
static bool is_of_the_job(const char *variable)
{
	return strchr(variable, '=') > variable &&
	       strncmp(variable, "SLURM_SUBMIT_DIR=", 17) != 0 &&
	       strncmp(variable, "SLURM_JOB_NAME=", 15) != 0;
}

/* sbatch sets this variable, and not in an environment from a file. */
static int append_job_name(struct text *to, char *const *first)
{
	static const char option[] = "--job-name=", variable[] = "SLURM_JOB_NAME=";

	for (; *first; first++) {
		const char *name = *first + sizeof(option) - 1;

		if (strncmp(*first, option, sizeof(option) - 1) == 0)
			return append(to, variable, sizeof(variable) - 1) ||
			       append(to, name, strlen(name) + 1) ? -1 : 0;
	}
	return 0;
}

/* Returns a file in memory with the environment of the job, as --export-file expects it, or -1
   with errno. It stays open in a child that executes a program. */
static int make_environment(const struct lxfw_route_record *record, char *const *first)
{
	struct text text = { 0 };
	int file = -1, result = 0;

	for (char **at = record->variables; *at && result == 0; at++) {
		if (is_of_the_job(*at))
			result = append(&text, *at, strlen(*at) + 1);
	}
	if (result == 0 && append_job_name(&text, first) == 0 &&
	    append_job_limits(&text, record->limits) == 0)
		file = memfd_create("environment", 0);
	if (file >= 0 && (write(file, text.bytes, text.length) != (ssize_t)text.length ||
			  lseek(file, 0, SEEK_SET))) {
		close(file);
		errno = ENOSPC;
		file = -1;
	}
	free(text.bytes);
	return file;
}

/* The variables of sbatch: those of this process, with the options of the record in place of its
   own. A loader, a shell or Slurm would run what other variables of the record name. */
static char **make_variables(const struct lxfw_route_record *record)
{
	size_t count = 0, kept = 0;
	char **list;

	for (char **at = environ; *at; at++)
		count++;
	for (char **at = record->variables; *at; at++)
		count++;
	list = calloc(count + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (char **at = environ; *at; at++) {
		if (!is_option(*at))
			list[kept++] = *at;
	}
	for (char **at = record->variables; *at; at++) {
		if (is_option(*at))
			list[kept++] = *at;
	}
	return list;
}

/* The words of the command with the option EXPORT, the options FIRST, and SCRIPT. */
static char **make_words(const struct lxfw_route_record *record, const char *path,
			 char *export, char *const *first, const char *script)
{
	int options = record->word_count - (record->tail > 0 ? record->tail : 0), count = 0;
	size_t firsts = 0;
	char **words;

	while (first[firsts])
		firsts++;
	words = calloc(firsts + (size_t)record->word_count + 4, sizeof(*words));
	if (!words)
		return NULL;
	words[count++] = (char *)path;
	words[count++] = export;
	for (size_t i = 0; i < firsts; i++)
		words[count++] = first[i];
	for (int i = 1; i < options; i++)
		words[count++] = record->words[i];
	if (record->tail >= 0)		/* a script from the standard input, too */
		words[count++] = (char *)script;
	for (int i = options + 1; i < record->word_count; i++)
		words[count++] = record->words[i];
	return words;
}

/* What a child executes. */
struct execution {
	const struct lxfw_route_record *record;
	char **words, **variables;
	char export[40];	/* one of the words */
	int environment;	/* of the job, a file */
};

static int prepare(struct execution *execution, const char *path, char *const *first,
		   const char *script)
{
	execution->environment = make_environment(execution->record, first);
	snprintf(execution->export, sizeof(execution->export), "--export-file=%d",
		 execution->environment);
	execution->variables = make_variables(execution->record);
	execution->words = make_words(execution->record, path, execution->export, first, script);
	return execution->environment < 0 || !execution->variables || !execution->words ? -1 : 0;
}

static void clear(struct execution *execution)
{
	int saved = errno;

	if (execution->environment >= 0)
		close(execution->environment);
	free(execution->variables);
	free(execution->words);
	errno = saved;
}

static void become(const struct execution *execution, int output, int seconds)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	umask(execution->record->umask);
	alarm((unsigned)seconds);	/* kept by execve() */
	if (chdir(execution->record->directory) == 0)
		execve(execution->words[0], execution->words, execution->variables);
	_exit(127);
}

int lxfw_route_record_run(const struct lxfw_route_record *record, const char *path,
			  char *const *first, const char *script, int seconds, char *said,
			  size_t size, struct lxfw_error *error)
{
	struct execution execution = { .record = record, .environment = -1 };
	size_t length = 0;
	int pipes[2], status = 0;
	pid_t child;
	ssize_t got;
	char lost[256];

	*said = '\0';
	if (prepare(&execution, path, first, script) || pipe2(pipes, O_CLOEXEC)) {
		clear(&execution);
		return lxfw_error_system(error, path);
	}
	child = fork();
	if (child == 0)
		become(&execution, pipes[1], seconds);
	close(pipes[1]);
	clear(&execution);
	while (child > 0 && ((got = length < size - 1 ?
			      read(pipes[0], said + length, size - 1 - length) :
			      read(pipes[0], lost, sizeof(lost))) > 0 ||
			     (got < 0 && errno == EINTR))) {
		if (got > 0 && length < size - 1)
			length += (size_t)got;
	}
	said[length] = '\0';
	close(pipes[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child > 0 && WIFEXITED(status))
		return WEXITSTATUS(status);
	lxfw_error_format(error, "%s: %s", path, child < 0 ? strerror(errno) : "ended by a signal");
	errno = EIO;
	return -1;
}
