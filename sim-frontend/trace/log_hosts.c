/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts that a log names, as a description of a cluster. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/log.h"

struct change {
	int64_t time, memory_kb;
	int32_t host, procs;		/* procs < 0: given back */
};

struct most {
	const char *name;
	int64_t procs, memory_kb;
};

static int by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->procs > b->procs) - (a->procs < b->procs);
}

static int by_name(const void *left, const void *right)
{
	const struct most *a = left, *b = right;

	return strverscmp(a->name, b->name);
}

/* Fill MOST, by the position of each host. */
static int count(const struct lxfw_log *log, struct most *most)
{
	struct change *changes = calloc(2 * log->share_count + 1,
					sizeof(*changes));
	int64_t procs = 0, memory = 0;
	size_t n = 0;

	if (!changes)
		return -1;
	for (size_t i = 0; i < log->share_count; i++) {
		const struct lxfw_log_share *share = &log->shares[i];

		/* what took no time held its processors alone */
		changes[n++] = (struct change) { share->start, share->memory_kb,
						 share->host, share->procs };
		changes[n++] = (struct change) {
			share->end > share->start ? share->end : share->start + 1,
			-share->memory_kb, share->host, -share->procs };
	}
	qsort(changes, n, sizeof(*changes), by_time);
	for (size_t i = 0; i < n; i++) {
		struct most *host = &most[changes[i].host];

		if (i > 0 && changes[i].host != changes[i - 1].host)
			procs = memory = 0;
		procs += changes[i].procs;
		memory += changes[i].memory_kb;
		if (procs > host->procs)
			host->procs = procs;
		if (memory > host->memory_kb)
			host->memory_kb = memory;
	}
	free(changes);
	return 0;
}

int64_t lxfw_log_write_hosts(struct lxfw_log *log, struct lxfw_output *output)
{
	size_t hosts = log->hosts.count;
	struct most *most = calloc(hosts + 1, sizeof(*most));
	bool memory = true;

	if (!most || count(log, most)) {
		free(most);
		return -1;
	}
	for (size_t i = 0; i < hosts; i++) {
		most[i].name = log->hosts.names[i];
		memory &= most[i].memory_kb > 0;
	}
	qsort(most, hosts, sizeof(*most), by_name);
	lxfw_output_text(output, "# The hosts that a log names, each with the "
			 "most that jobs held of it at once.\n");
	for (size_t i = 0; i < hosts; i++) {
		lxfw_output_text(output, most[i].name);
		lxfw_output_text(output, " procs=");
		lxfw_output_integer(output, most[i].procs < INT32_MAX ?
				    most[i].procs : INT32_MAX);
		if (memory) {
			lxfw_output_text(output, " memory=");
			lxfw_output_integer(output,
					    (most[i].memory_kb + 1023) / 1024);
		}
		lxfw_output_text(output, "\n");
	}
	free(most);
	return (int64_t)hosts;
}
