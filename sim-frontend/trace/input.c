/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/stream.h"
#include "sim-frontend/util/text.h"

#define BUFFER_SIZE (1 << 18)
#define LINE_MAX_SIZE (1 << 26)

struct lxfw_input {
	struct lxfw_stream *stream;
	char *path;
	char *buffer;		/* size + 1 bytes: space for a missing newline */
	size_t size, start, end;
	long line;
	bool looked, at_end;
};

struct lxfw_input *lxfw_input_open(const char *path, struct lxfw_error *error)
{
	struct lxfw_input *input = calloc(1, sizeof(*input));

	if (input) {
		input->size = BUFFER_SIZE;
		input->buffer = malloc(input->size + 1);
		input->path = strdup(strcmp(path, "-") == 0 ? "<stdin>" : path);
	}
	if (!input || !input->buffer || !input->path) {
		lxfw_error_system(error, path);
		lxfw_input_close(input);
		return NULL;
	}
	input->stream = lxfw_stream_open(strcmp(path, "-") == 0 ? NULL : path,
					 error);
	if (!input->stream) {
		lxfw_input_close(input);
		return NULL;
	}
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
	lxfw_stream_close(input->stream);
	free(input->buffer);
	free(input->path);
	free(input);
	errno = saved;
}

/* Appends more bytes to those that are not consumed yet. */
static int fill(struct lxfw_input *input, struct lxfw_error *error)
{
	const char *reason;
	long got;

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
	got = lxfw_stream_read(input->stream, input->buffer + input->end,
			       input->size - input->end, &reason);
	input->end += got > 0 ? (size_t)got : 0;
	input->at_end = got == 0;
	/* Lines read before the damage are returned first, so that the message names
	   the line where it is. */
	if (got >= 0)
		return 0;
	if (!reason)
		return lxfw_error_system(error, input->path);
	return lxfw_error_at(error, input->path, input->line + 1,
			     "%s, expected a complete file", reason);
}

/* Examines the first bytes of the file. Returns 0, or -1 if the text cannot be read. */
static int look(struct lxfw_input *input, struct lxfw_error *error)
{
	const unsigned char *at = (const unsigned char *)input->buffer;

	input->looked = true;
	while (input->end < 4 && !input->at_end) {
		if (fill(input, error))
			return -1;
	}
	if (input->end >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		input->start = 3;
	if (input->end >= 2 && (memcmp(at, "\xff\xfe", 2) == 0 ||
				memcmp(at, "\xfe\xff", 2) == 0))
		return lxfw_error_at(error, input->path, 1, "the text is UTF-16, "
			"expected UTF-8: iconv -f UTF-16 -t UTF-8");
	if (input->end >= 4 && !at[0] != !at[1] && !at[0] == !at[2] &&
	    !at[1] == !at[3])
		return lxfw_error_at(error, input->path, 1, "every other byte is 0 "
			"as in UTF-16, expected UTF-8: iconv -f UTF-16%s -t "
			"UTF-8", at[0] ? "LE" : "BE");
	return 0;
}

int lxfw_input_line(struct lxfw_input *input, char **line, size_t *length,
		    struct lxfw_error *error)
{
	size_t searched = 0;
	char *found;

	if (!input->looked && look(input, error))
		return -1;
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
		/* fill() moved the line to the start of the buffer */
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
