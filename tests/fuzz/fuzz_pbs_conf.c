/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input of `lxfw check-conf --pbs`: commands of qmgr, sched_config, pbs.conf. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim-frontend/conf/check_pbs.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "pbs_conf";

static void check(const struct lxfw_pbs_conf *conf, const char *path)
{
	struct lxfw_findings findings;

	FUZZ_CHECK(lxfw_check_pbs(conf, path, &findings) == 0);
	for (size_t i = 0; i < findings.count; i++) {
		const struct lxfw_finding *item = &findings.items[i];

		FUZZ_CHECK(item->name && item->path && *item->text);
		FUZZ_CHECK(item->level == LXFW_FINDING_NOTE ? !item->mend :
			   *item->mend && !strchr(item->mend, '\n'));
		FUZZ_CHECK(i == 0 || findings.items[i - 1].level <= item->level);
	}
	lxfw_findings_clear(&findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_pbs_conf conf = { 0 };
	struct lxfw_error error = { "" };

	if (!path)
		return 0;
	if (lxfw_pbs_conf_read(&conf, path, &error))
		FUZZ_CHECK(error.text[0] != '\0');
	else
		check(&conf, path);
	lxfw_pbs_conf_clear(&conf);
	return 0;
}
