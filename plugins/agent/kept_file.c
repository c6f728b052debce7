/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/kept_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/wire.h"
#include "plugins/agent/whole_file.h"

#define MAGIC "lxfw-parameters "
#define HEADER MAGIC "1 %zu %08" PRIx32 "\n"
#define LENGTH_MAX ((size_t)1 << 20)

static uint32_t checksum(const char *text, size_t length)
{
	return lxfw_crc32((const unsigned char *)text, length);
}

int lxfw_kept_write(const char *path, const char *text)
{
	size_t length = strlen(text), size = length + 128;
	char *whole = malloc(size);
	int result, why;

	if (!whole)
		return -1;
	snprintf(whole, size, HEADER "%s", length, checksum(text, length), text);
	result = lxfw_whole_file_write(path, whole, strlen(whole));
	why = errno;
	free(whole);
	errno = why;
	return result;
}

/* Returns the file's contents, terminated by NUL. */
static char *read_all(const char *path, size_t *length)
{
	FILE *file = fopen(path, "re");
	char *text = file ? malloc(LENGTH_MAX + 1) : NULL;
	int why;

	if (!file)
		return NULL;
	errno = EIO;
	*length = text ? fread(text, 1, LENGTH_MAX, file) : 0;
	why = errno;
	if (text && ferror(file)) {
		free(text);
		text = NULL;
	}
	fclose(file);
	if (text)
		text[*length] = '\0';
	else
		errno = why;
	return text;
}

/* Removes the header from the LENGTH bytes of WHOLE. Returns false if the file is
   damaged. */
static bool strip(char *whole, size_t length)
{
	const char *text = strchr(whole, '\n');
	char header[128];
	size_t rest;

	if (length == 0 || memchr(whole, '\0', length))
		return false;
	if (strncmp(whole, MAGIC, strlen(MAGIC)) != 0)
		/* A file of an old version has no header. A truncated header is not
		   such a file: no parameter begins like it. */
		return strncmp(MAGIC, whole, length) != 0;
	if (!text)
		return false;
	rest = length - (size_t)(++text - whole);
	snprintf(header, sizeof(header), HEADER, rest, checksum(text, rest));
	if (strncmp(whole, header, (size_t)(text - whole)) != 0 ||
	    strlen(header) != (size_t)(text - whole))
		return false;
	memmove(whole, text, rest + 1);
	return true;
}

char *lxfw_kept_read(const char *path)
{
	size_t length = 0;
	char *text = read_all(path, &length);

	if (text && !strip(text, length)) {
		free(text);
		text = NULL;
		errno = EBADMSG;
	}
	return text;
}
