/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/metrics_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

#define FILE_MOST (1 << 20)	/* bytes; the plugin writes a few thousand */

/* Reads the whole file as a string. */
static char *read_file(const char *path, size_t *length, struct lxfw_error *error)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = descriptor < 0 ? NULL : malloc(FILE_MOST + 1);
	struct stat status;
	ssize_t count = 1;

	*length = 0;
	if (text && (fstat(descriptor, &status) < 0 || !S_ISREG(status.st_mode))) {
		errno = EINVAL;
		count = -1;
	}
	while (text && count > 0 && *length < FILE_MOST) {
		count = read(descriptor, text + *length, FILE_MOST - *length);
		if (count > 0)
			*length += (size_t)count;
	}
	if (!text || count < 0) {
		lxfw_error_system(error, path);
		free(text);
		text = NULL;
	} else {
		text[*length] = '\0';
	}
	if (descriptor >= 0)
		close(descriptor);
	return text;
}

static int bad_line(const char *path, long number, struct lxfw_error *error)
{
	return lxfw_error_at(error, path, number, "not a sample of OpenMetrics; expected "
			     "a file that the plugin wrote for lxfw_metrics");
}

/* Numbers of seconds, bytes and jobs are not below 0, and they are within this limit, so that
   they are valid as integers. */
#define VALUE_MOST 1e18

/* In every file that the plugin writes. */
#define LAST_PASS "lxfw_last_pass_timestamp_seconds"

/* Whether all characters of TEXT are printable ones of ASCII other than blanks: none controls
   the terminal. */
static bool is_plain(const char *text)
{
	while (*text > ' ' && *text <= '~')
		text++;
	return *text == '\0';
}

static bool read_value(const char *text, double *value)
{
	char *end;

	if (strspn(text, "0123456789.e+-") != strlen(text))	/* no inf, nan or 0x */
		return false;
	*value = strtod(text, &end);
	return end != text && !*end && *value >= 0 && *value <= VALUE_MOST;
}

/* Splits name{key="label"} into its parts. Returns false if it is something else. */
static bool split_name(char *name, struct lxfw_sample *sample)
{
	char *brace = strchr(name, '{'), *quote, *end;

	sample->name = name;
	sample->key = sample->label = "";
	if (!brace)
		return *name != '\0';
	*brace = '\0';
	quote = strstr(brace + 1, "=\"");
	end = quote ? strchr(quote + 2, '"') : NULL;
	if (!end || strcmp(end, "\"}") != 0)
		return false;
	*quote = *end = '\0';
	sample->key = brace + 1;
	sample->label = quote + 2;
	return *name != '\0';
}

/* Reads a line. Returns 1 if it is the last one, 0, or -1 with errno and ERROR set. */
static int read_line(struct lxfw_samples *samples, const char *path, long number,
		     char *line, struct lxfw_error *error)
{
	struct lxfw_sample sample;
	char *blank;

	if (strcmp(line, "# EOF") == 0)
		return 1;
	if (*line == '#')
		return 0;
	blank = strrchr(line, ' ');
	if (!blank || blank == line)
		return bad_line(path, number, error);
	*blank = '\0';
	if (!read_value(blank + 1, &sample.value) || !is_plain(line) ||
	    !split_name(line, &sample))
		return bad_line(path, number, error);
	if (LXFW_GROW(samples->samples, samples->size, samples->count + 1))
		return lxfw_error_system(error, path);
	samples->samples[samples->count++] = sample;
	return 0;
}

static const struct lxfw_sample *find(const struct lxfw_samples *samples, const char *name,
				      const char *label)
{
	for (size_t i = 0; i < samples->count; i++) {
		if (strcmp(samples->samples[i].name, name) == 0 &&
		    strcmp(samples->samples[i].label, label) == 0)
			return &samples->samples[i];
	}
	return NULL;
}

int lxfw_samples_read(struct lxfw_samples *samples, const char *path,
		      struct lxfw_error *error)
{
	long number = 0;
	size_t length;
	char *at;
	int rc = 0;

	*samples = (struct lxfw_samples){ .text = read_file(path, &length, error) };
	if (!samples->text)
		return -1;
	if (strlen(samples->text) != length)
		return lxfw_error_at(error, path, 0, "has bytes 0: it is not a text");
	at = samples->text;
	while (rc == 0 && *at) {
		char *end = strchr(at, '\n');

		if (end)
			*end = '\0';
		rc = read_line(samples, path, ++number, at, error);
		at = end ? end + 1 : at + strlen(at);
	}
	if (rc < 0)
		return -1;
	if (rc == 0)
		return lxfw_error_at(error, path, number, "the file ends without # EOF: "
				     "it is not complete");
	if (*at)
		return lxfw_error_at(error, path, number + 1, "a line after # EOF");
	if (!find(samples, LAST_PASS, ""))
		return lxfw_error_at(error, path, 0, "no " LAST_PASS "; expected a file that "
				     "the plugin wrote for lxfw_metrics");
	return 0;
}

void lxfw_samples_clear(struct lxfw_samples *samples)
{
	free(samples->samples);
	free(samples->text);
	*samples = (struct lxfw_samples){ 0 };
}

double lxfw_sample_value(const struct lxfw_samples *samples, const char *name,
			 const char *label)
{
	const struct lxfw_sample *sample = find(samples, name, label);

	return sample ? sample->value : 0;
}
