/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim-frontend/util/text.h"

#define BUFFER_SIZE (1 << 18)
#define LINE_MAX_SIZE (1 << 26)

struct lxfw_input {
	gzFile file;
	char *path;
	char *buffer;		/* size + 1 bytes: room for a missing newline */
	size_t size, start, end;
	long line;
	bool at_end;
};

static int open_descriptor(const char *path)
{
	struct stat status;
	int descriptor;

	if (strcmp(path, "-") == 0)
		return dup(STDIN_FILENO);
	descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor >= 0 && fstat(descriptor, &status) == 0 &&
	    S_ISDIR(status.st_mode)) {
		close(descriptor);
		errno = EISDIR;
		return -1;
	}
	return descriptor;
}

struct lxfw_input *lxfw_input_open(const char *path, struct lxfw_error *error)
{
	struct lxfw_input *input = calloc(1, sizeof(*input));
	int descriptor;

	if (!input) {
		lxfw_error_system(error, path);
		return NULL;
	}
	input->size = BUFFER_SIZE;
	input->buffer = malloc(input->size + 1);
	input->path = strdup(strcmp(path, "-") == 0 ? "<stdin>" : path);
	descriptor = input->buffer && input->path ? open_descriptor(path) : -1;
	if (descriptor >= 0) {
		input->file = gzdopen(descriptor, "rb");
		if (!input->file) {
			close(descriptor);
			errno = ENOMEM;
		}
	}
	if (!input->file) {
		lxfw_error_system(error, path);
		lxfw_input_close(input);
		return NULL;
	}
	gzbuffer(input->file, BUFFER_SIZE / 2);
	return input;
}

struct lxfw_input *lxfw_input_bytes(const char *path, const char *bytes,
				    size_t length, struct lxfw_error *error)
{
	struct lxfw_input *input = calloc(1, sizeof(*input));

	if (input) {
		input->buffer = malloc(length + 1);
		input->path = strdup(path);
	}
	if (!input || !input->buffer || !input->path) {
		lxfw_error_system(error, path);
		lxfw_input_close(input);
		return NULL;
	}
	memcpy(input->buffer, bytes, length);
	input->size = input->end = length;
	input->at_end = true;
	return input;
}

void lxfw_input_close(struct lxfw_input *input)
{
	int saved = errno;

	if (!input)
		return;
	if (input->file)
		gzclose(input->file);
	free(input->buffer);
	free(input->path);
	free(input);
	errno = saved;
}

/* Bring more bytes behind those not yet taken. */
static int fill(struct lxfw_input *input, struct lxfw_error *error)
{
	int got, code;

	if (input->start > 0) {
		memmove(input->buffer, input->buffer + input->start,
			input->end - input->start);
		input->end -= input->start;
		input->start = 0;
	}
	if (input->end == input->size) {
		char *larger;

		if (input->size >= LINE_MAX_SIZE)
			return lxfw_error_at(error, input->path, input->line + 1,
				"line of more than %d bytes, expected a text file",
				LINE_MAX_SIZE);
		larger = realloc(input->buffer, 2 * input->size + 1);
		if (!larger)
			return lxfw_error_system(error, input->path);
		input->buffer = larger;
		input->size *= 2;
	}
	got = gzread(input->file, input->buffer + input->end,
		     (unsigned int)(input->size - input->end));
	input->end += got > 0 ? (size_t)got : 0;
	/* What could be read before the damage is used up first, so that the
	   line in a message is about where it is. A gzip file that ends early is
	   told of only by gzerror(). */
	if (got > 0)
		return 0;
	gzerror(input->file, &code);
	if (code == Z_ERRNO)
		return lxfw_error_system(error, input->path);
	if (code == Z_BUF_ERROR)
		return lxfw_error_at(error, input->path, input->line + 1,
			"the gzip data ends before its end, expected a whole file");
	if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
		return lxfw_error_at(error, input->path, input->line + 1,
			"the gzip data is damaged, expected a valid file");
	input->at_end = true;
	return 0;
}

int lxfw_input_line(struct lxfw_input *input, char **line, size_t *length,
		    struct lxfw_error *error)
{
	size_t searched = 0;
	char *found;

	for (;;) {
		found = memchr(input->buffer + input->start + searched, '\n',
			       input->end - input->start - searched);
		if (found)
			break;
		searched = input->end - input->start;
		if (input->at_end) {
			if (searched == 0)
				return 0;
			found = input->buffer + input->end;
			*found = '\n';
			break;
		}
		if (fill(input, error))
			return -1;
	}
	*line = input->buffer + input->start;
	*length = (size_t)(found - *line);
	input->start += *length + 1;
	if (input->start > input->end)
		input->start = input->end;
	if (*length > 0 && (*line)[*length - 1] == '\r')
		(*length)--;
	input->line++;
	return 1;
}

int lxfw_input_peek(struct lxfw_input *input, char **line, size_t *length,
		    struct lxfw_error *error)
{
	int got = lxfw_input_line(input, line, length, error);

	if (got > 0) {
		/* filling the buffer moved what was not taken to its front, the
		   line with it */
		input->start = (size_t)(*line - input->buffer);
		input->line--;
	}
	return got;
}

long lxfw_input_line_number(const struct lxfw_input *input)
{
	return input->line;
}

const char *lxfw_input_path(const struct lxfw_input *input)
{
	return input->path;
}
