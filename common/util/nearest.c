/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/nearest.h"

#include <string.h>

#define LENGTH_MOST 32

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static char lower(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter | 0x20) : letter;
}

int lxfw_edits(const char *name, size_t length, const char *known, int most)
{
	int row[LENGTH_MOST + 1];
	size_t known_length = strlen(known);
	size_t longer = length > known_length ? length - known_length : known_length - length;

	/* Each letter that the longer name has more is one edit. */
	if (length > LENGTH_MOST || known_length > LENGTH_MOST || longer >= (size_t)most)
		return most;
	for (size_t j = 0; j <= known_length; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= length; i++) {
		int diagonal = row[0], least = (int)i;

		row[0] = least;
		for (size_t j = 1; j <= known_length; j++) {
			int change = diagonal + (lower(name[i - 1]) != lower(known[j - 1]));

			diagonal = row[j];
			row[j] = smaller(change, smaller(row[j], row[j - 1]) + 1);
			least = smaller(least, row[j]);
		}
		/* The numbers of the next letters are not smaller. */
		if (least >= most)
			return most;
	}
	return smaller(row[known_length], most);
}

int lxfw_edits_likely(size_t length)
{
	return length <= 2 ? 0 : length <= 4 ? 1 : 2;
}

const char *lxfw_nearest(const char *name, size_t length, const char *const *names)
{
	const char *nearest = NULL;
	int distance = lxfw_edits_likely(length) + 1;

	for (; *names; names++) {
		int here = lxfw_edits(name, length, *names, distance);

		if (here < distance) {
			distance = here;
			nearest = *names;
		}
	}
	return nearest;
}
