/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Input of `lxfw check-conf`: a slurm.conf with all its keys. It executes about 1,400 inputs per
 * second, not 2,000, once its corpus has grown: a file is checked by all checks, and the meaning of
 * each misspelled key is searched for.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim-frontend/conf/check.h"
#include "sim-frontend/conf/correct.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "slurm_conf";

/* What is corrected stays a slurm.conf, and nothing that a change corrects is left. */
static void correct(struct lxfw_conf *conf, const struct lxfw_check_options *how)
{
	struct lxfw_findings findings;
	struct lxfw_error error = { "" };

	FUZZ_CHECK(lxfw_conf_correct(conf, how, &findings, &error) == 0);
	lxfw_findings_clear(&findings);
	FUZZ_CHECK(lxfw_check(conf, how, &findings) == 0);
	for (size_t i = 0; i < findings.count; i++)
		FUZZ_CHECK(findings.items[i].edit_count == 0);
	lxfw_findings_clear(&findings);
}

static void check(struct lxfw_conf *conf, const char *path, size_t size)
{
	const struct lxfw_check_options how = { .path = path, .no_files = true };
	struct lxfw_findings findings;
	bool edits = false;

	FUZZ_CHECK(lxfw_check(conf, &how, &findings) == 0);
	for (size_t i = 0; i < findings.count; i++) {
		const struct lxfw_finding *item = &findings.items[i];

		FUZZ_CHECK(item->name && item->path && *item->text);
		FUZZ_CHECK(item->level == LXFW_FINDING_NOTE ? !item->mend :
			   *item->mend && !strchr(item->mend, '\n'));
		FUZZ_CHECK(i == 0 || findings.items[i - 1].level <= item->level);
		edits |= item->edit_count > 0;
	}
	lxfw_findings_clear(&findings);
	/* Each correction checks the file several times, which is slow. */
	if (edits && size % 8 == 0)
		correct(conf, &how);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_conf conf;
	struct lxfw_error error = { "" };

	if (!path)
		return 0;
	if (lxfw_conf_read(&conf, path, &error)) {
		FUZZ_CHECK(error.text[0] != '\0' && conf.count == 0);
	} else {
		check(&conf, path, size);
		lxfw_conf_clear(&conf);
	}
	return 0;
}
