/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/request_pbs.h"

#include <string.h>
#include <strings.h>

#include "sim-frontend/util/text.h"

#define AMOUNT_MAX 100000000
#define LIMIT_MAX (INT64_C(10) * 366 * 86400)

static bool take_number(const char *text, int64_t *number)
{
	return lxfw_text_integer(text, strlen(text), 1, AMOUNT_MAX, number) == 0;
}

/* "8gb", "500mb", "1024kb", or bytes; rounded up to MB. */
static bool take_size(const char *text, int64_t *megabytes)
{
	static const struct {
		const char *suffix;
		int shift;	/* to kB */
	} units[] = { { "kb", 0 }, { "mb", 10 }, { "gb", 20 }, { "tb", 30 } };
	size_t length = strspn(text, "0123456789");
	int64_t number;

	if (lxfw_text_integer(text, length, 0, INT64_C(1) << 40, &number))
		return false;
	text += length;
	if (!*text || strcasecmp(text, "b") == 0) {
		*megabytes = (number + (1 << 20) - 1) >> 20;
		return true;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcasecmp(text, units[i].suffix) != 0 || number > AMOUNT_MAX * INT64_C(1024))
			continue;
		*megabytes = ((number << units[i].shift) + 1023) >> 10;
		return *megabytes <= INT64_C(1) << 40;
	}
	return false;
}

/* Seconds, M:S or H:M:S. */
static bool take_time(const char *text, int64_t *seconds)
{
	int64_t sum = 0, part;

	for (int count = 0;; text++) {
		size_t length = strcspn(text, ":");

		if (++count > 3 || lxfw_text_integer(text, length, 0, LIMIT_MAX, &part))
			return false;
		sum = sum * 60 + part;
		text += length;
		if (!*text)
			break;
	}
	*seconds = sum;
	return sum > 0 && sum <= LIMIT_MAX;
}

/* "4:ncpus=2:mem=8gb" */
static bool take_select(struct lxfw_request_text *to, char *chunk)
{
	char *rest = NULL, *item = strtok_r(chunk, ":", &rest);
	int64_t memory = 0;

	to->tasks = to->cpus = 1;
	if (item && !strchr(item, '=')) {
		if (!take_number(item, &to->tasks))
			return false;
		item = strtok_r(NULL, ":", &rest);
	}
	for (; item; item = strtok_r(NULL, ":", &rest)) {
		if (strncmp(item, "ncpus=", 6) == 0 ? !take_number(item + 6, &to->cpus) :
		    strncmp(item, "mem=", 4) == 0 ? !take_size(item + 4, &memory) :
		    strncmp(item, "mpiprocs=", 9) != 0 && strncmp(item, "ompthreads=", 11) != 0)
			return false;
	}
	to->memory_per_cpu = (memory + to->cpus - 1) / to->cpus;
	return true;
}

static bool take_place(struct lxfw_request_text *to, char *place)
{
	char *rest = NULL;

	for (char *item = strtok_r(place, ":", &rest); item; item = strtok_r(NULL, ":", &rest)) {
		if (strcmp(item, "excl") == 0 || strcmp(item, "exclhost") == 0)
			to->exclusive = true;
		else if (strcmp(item, "pack") == 0 || strcmp(item, "scatter") == 0)
			to->place = *item;
		else if (strcmp(item, "free") != 0 && strcmp(item, "shared") != 0)
			return false;
	}
	return true;
}

int lxfw_request_pbs_take(struct lxfw_request_text *to, char *list, struct lxfw_error *error)
{
	char *rest = NULL;

	for (char *item = strtok_r(list, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		const char *expected = "one kind of chunks with ncpus and mem, as "
				       "select=4:ncpus=2:mem=8gb";
		char said[60];
		bool good;

		lxfw_text_quote(said, sizeof(said), item, strlen(item));
		if (strncmp(item, "select=", 7) == 0) {
			good = !strchr(item, '+') && take_select(to, item + 7);
		} else if (strncmp(item, "walltime=", 9) == 0) {
			expected = "walltime=H:M:S";
			good = take_time(item + 9, &to->limit);
		} else if (strncmp(item, "place=", 6) == 0) {
			expected = "place= with free, pack, scatter or excl";
			good = take_place(to, item + 6);
		} else {
			expected = "select=, walltime= or place=";
			good = false;
		}
		if (!good)
			return lxfw_error_format(error, "request: '-l %s', expected %s", said,
						 expected);
	}
	return 0;
}

void lxfw_request_pbs_end(struct lxfw_request_text *to)
{
	if (to->place)
		to->nodes = to->place == 'p' ? 1 : to->tasks;
}
