/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim-frontend/trace/pbs_folder.h"
#include "sim-frontend/trace/stream.h"
#include "sim-frontend/util/text.h"

#define BUFFER_SIZE LXFW_INPUT_LOOK
#define LINE_MAX_SIZE (1 << 26)

/* In the header of a tar file. */
#define TAR "ustar"
#define TAR_LENGTH 5
#define TAR_AT 257

struct lxfw_input {
	struct lxfw_stream *stream;
	char **parts;		/* the files; several of a directory */
	size_t part, part_count;
	const char *path;	/* of the present part */
	char *buffer;		/* size + 1 bytes: space for a missing newline */
	size_t size, start, end;
	long line;
	bool looked, at_end;
	bool returned;		/* the last line ended in a carriage return, too */
	bool marked;		/* the present part begins with the mark */
};

/* Sets the parts to the files of a directory, or to PATH. */
static int find_parts(struct lxfw_input *input, const char *path, struct lxfw_error *error)
{
	if (lxfw_pbs_folder_is(path))
		return lxfw_pbs_folder_logs(path, &input->parts, &input->part_count, error);
	input->parts = calloc(1, sizeof(*input->parts));
	if (input->parts)
		input->parts[0] = strdup(strcmp(path, "-") == 0 ? "<stdin>" : path);
	input->part_count = input->parts != NULL;
	return input->parts && input->parts[0] ? 0 : lxfw_error_system(error, path);
}

struct lxfw_input *lxfw_input_open(const char *path, struct lxfw_error *error)
{
	struct lxfw_input *input = calloc(1, sizeof(*input));

	if (input) {
		input->size = BUFFER_SIZE;
		input->buffer = malloc(input->size + 1);
	}
	if (!input || !input->buffer) {
		lxfw_error_system(error, path);
		lxfw_input_close(input);
		return NULL;
	}
	if (find_parts(input, path, error)) {
		lxfw_input_close(input);
		return NULL;
	}
	input->path = input->parts[0];
	input->stream = lxfw_stream_open(strcmp(path, "-") == 0 ? NULL : input->path,
					 error);
	if (!input->stream) {
		lxfw_input_close(input);
		return NULL;
	}
	return input;
}

bool lxfw_input_may_block(const char *path, struct lxfw_error *error)
{
	struct stat status;

	if (stat(path, &status) || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
		return false;
	lxfw_error_at(error, path, 0, "a pipe or socket, expected a file");
	errno = EINVAL;
	return true;
}

struct lxfw_input *lxfw_input_bytes(const char *path, const char *bytes,
				    size_t length, struct lxfw_error *error)
{
	struct lxfw_input *input = calloc(1, sizeof(*input));

	if (input) {
		input->buffer = malloc(length + 1);
		input->parts = calloc(1, sizeof(*input->parts));
	}
	if (input && input->parts) {
		input->part_count = 1;
		input->parts[0] = strdup(path);
		input->path = input->parts[0];
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
	lxfw_pbs_folder_free(input->parts, input->part_count);
	free(input->buffer);
	free(input);
	errno = saved;
}

/* Opens the next part, at whose beginning the buffer is empty. Returns 1, 0 if there is none,
   or -1. */
static int open_next(struct lxfw_input *input, struct lxfw_error *error)
{
	if (input->part + 1 >= input->part_count)
		return 0;
	input->path = input->parts[++input->part];
	lxfw_stream_close(input->stream);
	input->stream = lxfw_stream_open(input->path, error);
	input->start = input->end = 0;
	input->line = 0;
	input->looked = input->at_end = false;
	return input->stream ? 1 : -1;
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

/* Whether the file is a tar file. An error is reported when the line is read in which it
   occurs. */
static bool is_tar(struct lxfw_input *input)
{
	while (input->end < TAR_AT + TAR_LENGTH && !input->at_end) {
		if (fill(input, NULL))
			return false;
	}
	return input->end >= TAR_AT + TAR_LENGTH &&
	       memcmp(input->buffer + TAR_AT, TAR, TAR_LENGTH) == 0;
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
	if (is_tar(input))
		return lxfw_error_at(error, input->path, 0, "a tar file, expected what it "
				     "contains: tar -xf FILE");
	input->marked = input->end >= 3 && memcmp(at, LXFW_INPUT_MARK, 3) == 0;
	if (input->marked)
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
		if (input->at_end && searched == 0) {
			int opened = open_next(input, error);

			if (opened <= 0)
				return opened;
			if (look(input, error))
				return -1;
			continue;
		}
		if (input->at_end) {
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
	input->returned = *length > 0 && (*line)[*length - 1] == '\r';
	*length -= input->returned;
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

int lxfw_input_ahead(struct lxfw_input *input, size_t *offset, char **line, size_t *length,
		     struct lxfw_error *error)
{
	size_t searched = *offset;
	char *found;

	if (*offset == 0) {
		/* the first line may be in the next part of a directory */
		int got = lxfw_input_peek(input, line, length, error);

		if (got <= 0)
			return got;
	}
	for (;;) {
		found = memchr(input->buffer + input->start + searched, '\n',
			       input->end - input->start - searched);
		if (found || input->at_end)
			break;
		searched = input->end - input->start;
		/* an error is reported when the line is read in which it occurs */
		if (fill(input, NULL))
			return 0;
	}
	*line = input->buffer + input->start + *offset;
	if (!found) {
		found = input->buffer + input->end;
		if (*line == found)
			return 0;
		*found = '\n';
	}
	*length = (size_t)(found - *line);
	*offset += *length + (found < input->buffer + input->end);
	if (*length > 0 && (*line)[*length - 1] == '\r')
		(*length)--;
	return 1;
}

/* Goes to the next part if nothing is left of this one. Returns 1, 0 at the end, or -1. */
static int find_bytes(struct lxfw_input *input, struct lxfw_error *error)
{
	int opened = 1;

	while (opened > 0) {
		if (!input->looked && look(input, error))
			return -1;
		while (input->start == input->end && !input->at_end) {
			if (fill(input, error))
				return -1;
		}
		if (input->start < input->end)
			return 1;
		opened = open_next(input, error);
	}
	return opened;
}

int lxfw_input_look(struct lxfw_input *input, const char **text, size_t *length,
		    struct lxfw_error *error)
{
	int got = find_bytes(input, error);

	if (got <= 0)
		return got;
	while (input->end - input->start < LXFW_INPUT_LOOK && !input->at_end) {
		/* an error is reported when the bytes are read before which it occurs */
		if (fill(input, NULL))
			break;
	}
	*text = input->buffer + input->start;
	*length = input->end - input->start;
	if (*length > LXFW_INPUT_LOOK)
		*length = LXFW_INPUT_LOOK;
	return 1;
}

int lxfw_input_bytes_next(struct lxfw_input *input, const char **bytes, size_t *length,
			  struct lxfw_error *error)
{
	int got = find_bytes(input, error);
	const char *at;

	if (got <= 0)
		return got;
	*bytes = at = input->buffer + input->start;
	*length = input->end - input->start;
	input->start = input->end;
	for (const char *end = *bytes + *length; (at = memchr(at, '\n', (size_t)(end - at)));
	     at++)
		input->line++;
	return 1;
}

bool lxfw_input_marked(const struct lxfw_input *input)
{
	return input->marked;
}

bool lxfw_input_returned(const struct lxfw_input *input)
{
	return input->returned;
}

long lxfw_input_line_number(const struct lxfw_input *input)
{
	return input->line;
}

const char *lxfw_input_path(const struct lxfw_input *input)
{
	return input->path;
}
