/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input of `lxfw tune`: goals, keys to search, the parameters of a site, and the result
   files of the tasks of a job array. The first byte selects one of them. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/tune/part.h"
#include "sim-frontend/tune/space.h"

const char fuzz_name[] = "tune";

#define SETTINGS 5

static void check_goals(const char *text, bool limit)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_error error;
	int failed = limit ? lxfw_goals_limit(&goals, text, &error) :
		     lxfw_goals_minimize(&goals, text, &error);

	FUZZ_CHECK(!failed || errno == EINVAL);
	FUZZ_CHECK(goals.objective_count <= LXFW_GOALS_MAX);
	FUZZ_CHECK(goals.limit_count <= LXFW_GOALS_MAX);
	for (int i = 0; i < goals.limit_count; i++)
		FUZZ_CHECK(isfinite(goals.limits[i].most));
}

/* The lines of any search space must be readable again. */
static void check_space(const char *site, const char *vary)
{
	struct lxfw_tune_space space = { .count = 0 };
	struct lxfw_error error;
	char *line = NULL;

	if (lxfw_tune_site_line(site, "easy", &line, &error)) {
		FUZZ_CHECK(errno == EINVAL);
		return;
	}
	FUZZ_CHECK(lxfw_tune_space_begin(&space, line, true, false) == 0);
	if (strlen(vary) % 2 == 0)
		FUZZ_CHECK(lxfw_tune_space_quantum(&space) == 0);
	free(line);
	if (lxfw_tune_space_vary(&space, vary, &error) == 0) {
		double genes[LXFW_GENES_MAX];
		struct lxfw_params params;

		for (int i = 0; i < 4; i++) {
			for (int j = 0; j < LXFW_GENES_MAX; j++)
				genes[j] = (double)((i * 5 + j * 3) % 8) / 8;
			line = lxfw_tune_space_line(&space, genes);
			FUZZ_CHECK(line);
			FUZZ_CHECK(lxfw_tune_read_line(line, &params, &error) ==
				   0);
			lxfw_tune_space_genes(&space, line, genes);
			free(line);
		}
	} else {
		FUZZ_CHECK(errno == EINVAL);
	}
	lxfw_tune_space_clear(&space);
}

/* Write the file as a task does, in a separate folder. */
static void check_files(const char *text, size_t length)
{
	static char folder[] = "/tmp/lxfw-fuzz-XXXXXX";
	static const char *const names[] = { "part-2", "settings" };
	double values[SETTINGS * 3] = { 0 };
	struct lxfw_round round;
	struct lxfw_error error;
	char path[sizeof(folder) + 16];

	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	FUZZ_CHECK(mkdtemp(folder));
	for (int i = 0; i < 2; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		file = fopen(path, "wb");
		FUZZ_CHECK(file && fwrite(text, 1, length, file) == length);
		fclose(file);
	}
	lxfw_part_take(folder, 2, 2, SETTINGS, 3, "12345678", values, &error);
	if (lxfw_round_read(&round, folder, &error) == 0)
		lxfw_round_clear(&round);
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size == 0)
		return 0;
	text = malloc(size);
	FUZZ_CHECK(text);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch (data[0]) {
	case 'm':
		check_goals(text, false);
		break;
	case 'l':
		check_goals(text, true);
		break;
	case 'v':
		check_space("defer,lxfw_policy=easy", text);
		break;
	case 's':
		check_space(text, "lxfw_ww=0..1");
		break;
	case 'f':
		check_files(text, size - 1);
		break;
	}
	free(text);
	return 0;
}
