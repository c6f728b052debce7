/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/util/text.h"

#define BUFFER_SIZE 65536
#define OUTPUTS_MAX 1000

struct lxfw_output {
	char *path;
	char *temporary;	/* NULL: written directly */
	int descriptor;
	int failed;		/* errno of the first error */
	int slot;		/* index in `temporaries` */
	bool named;		/* the file was renamed */
	size_t used;
	char buffer[BUFFER_SIZE];
};

/* Files that the signal handler removes. */
static char *volatile temporaries[OUTPUTS_MAX];

/* Signals that end the process by default and can be caught. */
static const int numbers[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ, SIGALRM,
};

static void our_signals(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(set, numbers[i]);
}

/*
 * Other signals are blocked until all files are removed. Unlinking a large file takes
 * time, and a second signal would end the process before.
 */
void lxfw_output_end_by(int number)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t ours, only;

	our_signals(&ours);
	pthread_sigmask(SIG_BLOCK, &ours, NULL);
	for (int i = 0; i < OUTPUTS_MAX; i++) {
		if (temporaries[i])
			unlink(temporaries[i]);
	}
	/* end by the default action of the signal */
	sigemptyset(&usual.sa_mask);
	sigaction(number, &usual, NULL);
	raise(number);
	sigemptyset(&only);
	sigaddset(&only, number);
	pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

static void watch_signals(void)
{
	struct sigaction action = { .sa_handler = lxfw_output_end_by };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct sigaction old;

		if (sigaction(numbers[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	}
}

/* Creates the temporary file. Signals are blocked, so that the handler finds the file
   absent or registered. */
static int create_temporary(struct lxfw_output *output)
{
	sigset_t ours, before;

	watch_signals();
	our_signals(&ours);
	if (sigprocmask(SIG_BLOCK, &ours, &before))
		return -1;
	output->descriptor = mkstemp(output->temporary);
	if (output->descriptor >= 0)
		temporaries[output->slot] = output->temporary;
	if (sigprocmask(SIG_SETMASK, &before, NULL))
		return -1;
	return output->descriptor < 0 ? -1 : 0;
}

static int open_temporary(struct lxfw_output *output)
{
	size_t length = strlen(output->path);
	mode_t mask = umask(0);

	umask(mask);
	for (output->slot = 0; output->slot < OUTPUTS_MAX &&
			       temporaries[output->slot]; output->slot++)
		;
	output->temporary = malloc(length + sizeof(".XXXXXX"));
	if (!output->temporary || output->slot == OUTPUTS_MAX) {
		errno = output->temporary ? EMFILE : ENOMEM;
		return -1;
	}
	memcpy(output->temporary, output->path, length);
	memcpy(output->temporary + length, ".XXXXXX", sizeof(".XXXXXX"));
	if (create_temporary(output))
		return -1;
	return fchmod(output->descriptor, 0666 & ~mask);
}

/* The standard stream that PATH is a link to, or -1. Its file is open already, and renaming
   another to the name of the link would take /dev/stdout away. */
static int stream_of(const char *path, const struct stat *target)
{
	struct stat link, stream;

	if (lstat(path, &link) || !S_ISLNK(link.st_mode))
		return -1;
	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
		if (fstat(i, &stream) == 0 && stream.st_dev == target->st_dev &&
		    stream.st_ino == target->st_ino)
			return i;
	}
	return -1;
}

/* Opens what is there already and cannot be replaced. Returns 0, 1 if nothing is or a file that
   can, or -1 with errno. */
static int open_direct(struct lxfw_output *output)
{
	struct stat status;
	int stream;

	if (stat(output->path, &status))
		return 1;
	stream = stream_of(output->path, &status);
	if (stream >= 0)
		output->descriptor = fcntl(stream, F_DUPFD_CLOEXEC, 0);
	else if (!S_ISREG(status.st_mode))
		output->descriptor = open(output->path, O_WRONLY | O_CLOEXEC);
	else
		return 1;
	return output->descriptor < 0 ? -1 : 0;
}

static struct lxfw_output *open_output(const char *path, bool direct, struct lxfw_error *error)
{
	struct lxfw_output *output = calloc(1, sizeof(*output));
	int result = -1;

	if (output) {
		output->descriptor = -1;
		output->path = strdup(path);
	}
	if (output && output->path) {
		result = direct ? open_direct(output) : 1;
		if (result > 0)
			result = open_temporary(output);
	}
	if (result) {
		lxfw_error_system(error, path);
		lxfw_output_abort(output);
		return NULL;
	}
	return output;
}

struct lxfw_output *lxfw_output_open(const char *path, struct lxfw_error *error)
{
	return open_output(path, true, error);
}

struct lxfw_output *lxfw_output_replace(const char *path, struct lxfw_error *error)
{
	return open_output(path, false, error);
}

struct lxfw_output *lxfw_output_standard(struct lxfw_error *error)
{
	static const char name[] = "standard output";
	struct lxfw_output *output = calloc(1, sizeof(*output));

	if (output) {
		output->descriptor = -1;
		output->path = strdup(name);
	}
	if (output && output->path)
		output->descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (!output || output->descriptor < 0) {
		lxfw_error_system(error, name);
		lxfw_output_abort(output);
		return NULL;
	}
	return output;
}

static void flush(struct lxfw_output *output)
{
	size_t done = 0;

	while (done < output->used && !output->failed) {
		ssize_t put = write(output->descriptor, output->buffer + done,
				    output->used - done);

		if (put >= 0)
			done += (size_t)put;
		else if (errno != EINTR)
			output->failed = errno;
	}
	output->used = 0;
}

void lxfw_output_write(struct lxfw_output *output, const void *bytes,
		       size_t length)
{
	const char *from = bytes;

	while (length > 0) {
		size_t room = BUFFER_SIZE - output->used;
		size_t part = length < room ? length : room;

		memcpy(output->buffer + output->used, from, part);
		output->used += part;
		from += part;
		length -= part;
		if (output->used == BUFFER_SIZE)
			flush(output);
	}
}

void lxfw_output_text(struct lxfw_output *output, const char *text)
{
	lxfw_output_write(output, text, strlen(text));
}

void lxfw_output_format(struct lxfw_output *output, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0) {
		if (!output->failed)
			output->failed = ENOMEM;
		return;
	}
	lxfw_output_write(output, text, (size_t)length);
	free(text);
}

void lxfw_output_integer(struct lxfw_output *output, int64_t value)
{
	char digits[24];

	lxfw_output_write(output, digits,
			  (size_t)lxfw_text_put_integer(digits, value));
}

void lxfw_output_csv(struct lxfw_output *output, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		lxfw_output_text(output, text);
		return;
	}
	lxfw_output_text(output, "\"");
	for (; *text; text++) {
		if (*text == '"')
			lxfw_output_text(output, "\"");
		lxfw_output_write(output, text, 1);
	}
	lxfw_output_text(output, "\"");
}

void lxfw_output_mode(struct lxfw_output *output, mode_t mode)
{
	if (output->temporary && fchmod(output->descriptor, mode) && !output->failed)
		output->failed = errno;
}

/* Writes buffered data and closes the file under its temporary name, unless that is done. */
static void complete(struct lxfw_output *output)
{
	if (output->descriptor < 0)
		return;
	flush(output);
	if (close(output->descriptor) && !output->failed)
		output->failed = errno;
	output->descriptor = -1;
}

/* Renames the file. */
static void put_in_place(struct lxfw_output *output)
{
	if (!output->temporary)
		return;
	if (rename(output->temporary, output->path)) {
		output->failed = errno;
		return;
	}
	temporaries[output->slot] = NULL;
	free(output->temporary);
	output->temporary = NULL;
	output->named = true;
}

/* Returns the first of OUTPUTS that failed, or NULL. */
static const struct lxfw_output *first_failed(struct lxfw_output *const *outputs,
					      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (outputs[i] && outputs[i]->failed)
			return outputs[i];
	}
	return NULL;
}

/* Completes all of OUTPUTS. Returns the first that failed, or NULL. */
static const struct lxfw_output *complete_each(struct lxfw_output *const *outputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (outputs[i])
			complete(outputs[i]);
	}
	return first_failed(outputs, count);
}

int lxfw_output_complete_all(struct lxfw_output *const *outputs, size_t count,
			     struct lxfw_error *error)
{
	const struct lxfw_output *failed = complete_each(outputs, count);

	if (!failed)
		return 0;
	errno = failed->failed;
	return lxfw_error_system(error, failed->path);
}

int lxfw_output_commit_all(struct lxfw_output *const *outputs, size_t count,
			   struct lxfw_error *error)
{
	const struct lxfw_output *failed = complete_each(outputs, count);
	int number = 0;

	for (size_t i = 0; i < count && !failed; i++) {
		if (outputs[i])
			put_in_place(outputs[i]);
		failed = first_failed(outputs, count);
	}
	if (failed) {
		errno = number = failed->failed;
		lxfw_error_system(error, failed->path);
	}
	for (size_t i = 0; i < count; i++) {
		if (number && outputs[i] && outputs[i]->named)
			unlink(outputs[i]->path);
		lxfw_output_abort(outputs[i]);
	}
	errno = number;
	return number ? -1 : 0;
}

int lxfw_output_commit(struct lxfw_output *output, struct lxfw_error *error)
{
	return lxfw_output_commit_all(&output, 1, error);
}

void lxfw_output_abort(struct lxfw_output *output)
{
	int saved = errno;

	if (!output)
		return;
	if (output->descriptor >= 0)
		close(output->descriptor);
	if (output->temporary) {
		if (output->slot < OUTPUTS_MAX &&
		    temporaries[output->slot] == output->temporary) {
			unlink(output->temporary);
			temporaries[output->slot] = NULL;
		}
		free(output->temporary);
	}
	free(output->path);
	free(output);
	errno = saved;
}
