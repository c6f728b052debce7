/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input of the node's plugin: shares and lists of CPUs, which must survive being
   written and read again; lines of /proc/PID/cgroup; the argument of --adaptive=. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <string.h>

#include "plugins/slurm/spank-lxfw/options.h"
#include "plugins/slurm/spank-lxfw/processes.h"
#include "plugins/slurm/spank-lxfw/share.h"

const char fuzz_name[] = "node";

static void check_list(const char *text)
{
	struct lxfw_cpus cpus, again;
	char list[LXFW_CPU_LIST_TEXT];

	if (lxfw_cpus_parse(&cpus, text) < 0) {
		FUZZ_CHECK(errno == EINVAL || errno == ERANGE);
		return;
	}
	if (lxfw_cpus_format(&cpus, list, sizeof(list)) < 0) {
		FUZZ_CHECK(errno == ENOSPC && list[0] == '\0');
		return;
	}
	FUZZ_CHECK(lxfw_cpus_parse(&again, list) == 0);
	FUZZ_CHECK(lxfw_cpus_equal(&cpus, &again));
}

static void check_share(const char *text)
{
	struct lxfw_node_share share, again;
	char line[LXFW_CPU_LIST_TEXT + 16];

	if (lxfw_share_parse(&share, text) < 0) {
		FUZZ_CHECK(errno == EINVAL || errno == ERANGE);
		return;
	}
	FUZZ_CHECK(share.processors > 0 && lxfw_cpus_count(&share.cores) > 0);
	if (lxfw_share_format(&share, line, sizeof(line)) < 0)
		return;
	FUZZ_CHECK(lxfw_share_parse(&again, line) == 0);
	FUZZ_CHECK(lxfw_share_equal(&share, &again));
}

static void check_cgroup(const char *text)
{
	const struct lxfw_step step = { .node = "n1", .job = 42, .user = 1000 };
	size_t length = 0;
	int job = lxfw_cgroup_job(text, &step, &length);

	FUZZ_CHECK(job >= -1 && job <= 1);
	if (job == 1)
		FUZZ_CHECK(length >= strlen("/job_42") && length <= strlen(text) &&
			   strncmp(text + length - strlen("/job_42"), "/job_42",
				   strlen("/job_42")) == 0);
}

static void check_option(const char *text)
{
	struct lxfw_error error = { "" };
	unsigned min_procs = 0;

	if (lxfw_spank_adaptive(text, &min_procs, &error) < 0)
		FUZZ_CHECK(error.text[0] != '\0' &&
			   memchr(error.text, '\0', sizeof(error.text)));
	else
		FUZZ_CHECK(min_procs >= 1 && min_procs <= LXFW_CPU_LIMIT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	if (!text)
		return 0;
	check_list(text);
	check_share(text);
	check_cgroup(text);
	check_option(text);
	free(text);
	return 0;
}
