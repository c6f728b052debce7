/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/cpu_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void lxfw_cpus_clear(struct lxfw_cpus *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
}

void lxfw_cpus_add(struct lxfw_cpus *cpus, unsigned cpu)
{
	CPU_SET_S(cpu, sizeof(*cpus), cpus->word);
}

bool lxfw_cpus_has(const struct lxfw_cpus *cpus, unsigned cpu)
{
	return CPU_ISSET_S(cpu, sizeof(*cpus), cpus->word);
}

int lxfw_cpus_count(const struct lxfw_cpus *cpus)
{
	return CPU_COUNT_S(sizeof(*cpus), cpus->word);
}

bool lxfw_cpus_equal(const struct lxfw_cpus *a, const struct lxfw_cpus *b)
{
	return CPU_EQUAL_S(sizeof(*a), a->word, b->word);
}

bool lxfw_cpus_within(const struct lxfw_cpus *a, const struct lxfw_cpus *b)
{
	struct lxfw_cpus both = *a;

	lxfw_cpus_intersect(&both, b);
	return lxfw_cpus_equal(&both, a);
}

void lxfw_cpus_unite(struct lxfw_cpus *cpus, const struct lxfw_cpus *other)
{
	CPU_OR_S(sizeof(*cpus), cpus->word, cpus->word, other->word);
}

void lxfw_cpus_intersect(struct lxfw_cpus *cpus, const struct lxfw_cpus *other)
{
	CPU_AND_S(sizeof(*cpus), cpus->word, cpus->word, other->word);
}

/* Parses a number below the limit at *AT and advances *AT. Returns 0, or -1 with
   errno. */
static int read_number(const char **at, unsigned *number)
{
	const char *digit = *at;
	unsigned value = 0;

	if (!isdigit((unsigned char)*digit)) {
		errno = EINVAL;
		return -1;
	}
	for (; isdigit((unsigned char)*digit); digit++) {
		value = value * 10 + (unsigned)(*digit - '0');
		if (value >= LXFW_CPU_LIMIT) {
			errno = ERANGE;
			return -1;
		}
	}
	*at = digit;
	*number = value;
	return 0;
}

static int read_range(const char **at, struct lxfw_cpus *cpus)
{
	unsigned first, last;

	if (read_number(at, &first) < 0)
		return -1;
	last = first;
	if (**at == '-') {
		++*at;
		if (read_number(at, &last) < 0)
			return -1;
	}
	if (last < first) {
		errno = EINVAL;
		return -1;
	}
	for (; first <= last; first++)
		lxfw_cpus_add(cpus, first);
	return 0;
}

int lxfw_cpus_parse(struct lxfw_cpus *cpus, const char *text)
{
	struct lxfw_cpus read;

	lxfw_cpus_clear(&read);
	if (*text && *text != '\n') {
		if (read_range(&text, &read) < 0)
			return -1;
		while (*text == ',') {
			text++;
			if (read_range(&text, &read) < 0)
				return -1;
		}
	}
	if (*text == '\n')
		text++;
	if (*text) {
		errno = EINVAL;
		return -1;
	}
	*cpus = read;
	return 0;
}

int lxfw_cpus_read(struct lxfw_cpus *cpus, int file)
{
	char text[LXFW_CPU_LIST_TEXT];
	ssize_t length = read(file, text, sizeof(text) - 1);
	int saved = errno;

	close(file);
	errno = saved;
	if (length < 0)
		return -1;
	if ((size_t)length == sizeof(text) - 1) {
		errno = EFBIG;
		return -1;
	}
	text[length] = '\0';
	return lxfw_cpus_parse(cpus, text);
}

int lxfw_cpus_format(const struct lxfw_cpus *cpus, char *text, size_t size)
{
	size_t length = 0;
	unsigned cpu = 0, last;

	text[0] = '\0';
	for (; cpu < LXFW_CPU_LIMIT; cpu = last + 1) {
		int added;

		last = cpu;
		if (!lxfw_cpus_has(cpus, cpu))
			continue;
		while (last + 1 < LXFW_CPU_LIMIT &&
		       lxfw_cpus_has(cpus, last + 1))
			last++;
		added = snprintf(text + length, size - length,
				 last > cpu ? "%s%u-%u" : "%s%u",
				 length ? "," : "", cpu, last);
		if (added < 0 || (size_t)added >= size - length) {
			text[0] = '\0';
			errno = ENOSPC;
			return -1;
		}
		length += (size_t)added;
	}
	return 0;
}
