/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A main() for a fuzz target without libFuzzer. It runs the given files, or the
 * target's corpus, through the target. Each file is also truncated after each of its
 * first thousand bytes. An input that failed once is kept in the corpus.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#define CUTS_MOST 1000
#define PATH_SIZE 4096

/* Copy the input to a buffer of exactly its size, so that sanitizers detect reads
 * beyond its end. */
static int run(const uint8_t *bytes, size_t length)
{
	uint8_t *copy = malloc(length ? length : 1);

	if (!copy)
		return -1;
	memcpy(copy, bytes, length);
	LLVMFuzzerTestOneInput(copy, length);
	free(copy);
	return 0;
}

static uint8_t *load(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long end;

	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 &&
	    fseek(file, 0, SEEK_SET) == 0) {
		*length = (size_t)end;
		bytes = malloc(*length + 1);
		if (bytes && fread(bytes, 1, *length, file) != *length) {
			free(bytes);
			bytes = NULL;
			errno = EIO;
		}
	}
	fclose(file);
	return bytes;
}

static int run_file(const char *path)
{
	size_t length = 0;
	uint8_t *bytes = load(path, &length);
	int result = 0;

	if (!bytes) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	for (size_t cut = 0; cut < length && cut < CUTS_MOST && !result; cut++)
		result = run(bytes, cut);
	if (!result)
		result = run(bytes, length);
	free(bytes);
	return result;
}

static int run_corpus(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	int count = 0;

	if (!entries) {
		fprintf(stderr, "%s: %s\n", directory, strerror(errno));
		return -1;
	}
	while ((entry = readdir(entries))) {
		char path[PATH_SIZE];

		if (entry->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", directory,
			     entry->d_name) >= (int)sizeof(path) ||
		    run_file(path) < 0) {
			closedir(entries);
			return -1;
		}
		count++;
	}
	closedir(entries);
	printf("%s: %d files\n", directory, count);
	return count > 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	const char *top = getenv("LXFW_TOP_SRCDIR");
	char directory[PATH_SIZE];

	for (int i = 1; i < argc; i++) {
		if (run_file(argv[i]) < 0)
			return 1;
	}
	if (argc > 1)
		return 0;
	if (snprintf(directory, sizeof(directory), "%s/tests/fuzz/corpus/%s",
		     top ? top : ".", fuzz_name) >= (int)sizeof(directory))
		return 1;
	return run_corpus(directory) < 0;
}
