/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the hosts and partitions named in a log as a cluster description. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/trace/log.h"
#include "sim-frontend/util/letters.h"

struct change {
	int64_t time, memory_kb;
	int32_t host, procs;		/* procs < 0: released */
};

struct most {
	const char *name;
	int64_t procs, memory_kb;
	int64_t even_kb;		/* of jobs that state memory for other hosts only */
	int32_t host;			/* index in the log's hosts */
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

static void raise_to(int64_t *most, int64_t amount)
{
	if (*most < amount)
		*most = amount;
}

/* Fills MOST, indexed by host. */
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

		/* a share of zero duration is counted alone */
		raise_to(&most[share->host].procs, share->procs);
		raise_to(share->even_memory ? &most[share->host].even_kb :
			 &most[share->host].memory_kb, share->memory_kb);
		if (share->end <= share->start)
			continue;
		memory = share->even_memory ? 0 : share->memory_kb;
		changes[n++] = (struct change) { share->start, memory, share->host,
						 share->procs };
		changes[n++] = (struct change) { share->end, -memory, share->host,
						 -share->procs };
	}
	memory = 0;
	qsort(changes, n, sizeof(*changes), by_time);
	for (size_t i = 0; i < n; i++) {
		struct most *host = &most[changes[i].host];

		if (i > 0 && changes[i].host != changes[i - 1].host)
			procs = memory = 0;
		procs += changes[i].procs;
		memory += changes[i].memory_kb;
		raise_to(&host->procs, procs);
		raise_to(&host->memory_kb, memory);
	}
	free(changes);
	return 0;
}

/* --- GRES ----------------------------------------------------------------------- */

struct extra_change {
	int64_t time;
	int32_t host, extra;
	int64_t count;			/* < 0: released */
};

static int by_extra(const void *left, const void *right)
{
	const struct extra_change *a = left, *b = right;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->extra != b->extra)
		return a->extra < b->extra ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->count > b->count) - (a->count < b->count);
}

/* Returns the maximum of each GRES that jobs held on each host, indexed by host and
   GRES; the caller frees it. Returns NULL with errno ENOMEM. */
static int64_t *count_extras(const struct lxfw_log *log)
{
	size_t kinds = log->extras.count, n = 0;
	int64_t *most = calloc(log->hosts.count * kinds + 1, sizeof(*most));
	struct extra_change *changes = calloc(2 * log->extra_count + 1,
					      sizeof(*changes));
	int64_t held = 0;

	if (!most || !changes) {
		free(most);
		free(changes);
		return NULL;
	}
	for (size_t i = 0; i < log->extra_count; i++) {
		const struct lxfw_log_extra *extra = &log->extra_shares[i];
		const struct lxfw_log_share *share = &log->shares[extra->share];

		raise_to(&most[(size_t)share->host * kinds +
			       (size_t)extra->extra], extra->count);
		if (share->end <= share->start)
			continue;
		changes[n++] = (struct extra_change) {
			share->start, share->host, extra->extra, extra->count };
		changes[n++] = (struct extra_change) {
			share->end, share->host, extra->extra, -extra->count };
	}
	qsort(changes, n, sizeof(*changes), by_extra);
	for (size_t i = 0; i < n; i++) {
		const struct extra_change *change = &changes[i];
		int64_t *of = &most[(size_t)change->host * kinds +
				    (size_t)change->extra];

		if (i > 0 && (change->host != change[-1].host ||
			      change->extra != change[-1].extra))
			held = 0;
		held += change->count;
		raise_to(of, held);
	}
	free(changes);
	return most;
}

/* Returns whether TYPE is a type of KIND: "gpu:a100" of "gpu". */
static bool is_type_of(const char *type, const char *kind)
{
	size_t length = strlen(kind);

	return strncmp(type, kind, length) == 0 && type[length] == ':';
}

/* Writes " gpu:a100=4 gpu=2". The amount of a kind excludes that of its types. */
static void write_extras(const struct lxfw_log *log, const int64_t *most,
			 struct lxfw_output *output)
{
	for (size_t i = 0; i < log->extras.count; i++) {
		int64_t own = most[i];

		for (size_t j = 0; j < log->extras.count; j++) {
			if (is_type_of(log->extras.names[j], log->extras.names[i]))
				own -= most[j];
		}
		if (own > 0)
			lxfw_output_format(output, " %s=%" PRId64,
					   log->extras.names[i],
					   own < INT32_MAX ? own : INT32_MAX);
	}
}

/* --- partitions ----------------------------------------------------------------- */

/* Writes the partitions with the hosts that their jobs had, in the order of MOST. */
static int write_partitions(const struct lxfw_log *log, const struct most *most,
			    struct lxfw_output *output)
{
	size_t hosts = log->hosts.count, parts = log->partitions.count;
	unsigned char *in = calloc(hosts * parts + 1, 1);
	const char **names = calloc(hosts + 1, sizeof(*names));
	int result = in && names ? 0 : -1;

	for (size_t i = 0; i < log->share_count && result == 0; i++) {
		const struct lxfw_log_share *share = &log->shares[i];

		if (share->partition >= 0)
			in[(size_t)share->partition * hosts +
			   (size_t)share->host] = 1;
	}
	for (size_t i = 0; i < parts && result == 0; i++) {
		const char *name = log->partitions.names[i];
		size_t count = 0;
		char *list;

		for (size_t j = 0; j < hosts; j++) {
			if (in[i * hosts + (size_t)most[j].host])
				names[count++] = most[j].name;
		}
		if (count == 0 || strpbrk(name, " \t#") ||
		    !lxfw_letters_only(name, strlen(name)))
			continue;
		list = lxfw_hostlist_compress(names, count);
		if (list)
			lxfw_output_format(output, "partition=%s nodes=", name);
		lxfw_output_text(output, list ? list : "");
		lxfw_output_text(output, "\n");
		result = list ? 0 : -1;
		free(list);
	}
	free(in);
	free(names);
	return result;
}

static int write_all(const struct lxfw_log *log, struct most *most,
		     const int64_t *extras, struct lxfw_output *output)
{
	size_t hosts = log->hosts.count;
	bool memory = true;

	for (size_t i = 0; i < hosts; i++) {
		most[i].name = log->hosts.names[i];
		most[i].host = (int32_t)i;
		if (most[i].memory_kb == 0)
			most[i].memory_kb = most[i].even_kb;
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
		write_extras(log, extras + (size_t)most[i].host *
			     log->extras.count, output);
		lxfw_output_text(output, "\n");
	}
	if (log->partitions.count > 0)
		lxfw_output_text(output, "# Its partitions, each of the hosts "
				 "that its jobs had; there may be more.\n");
	return write_partitions(log, most, output);
}

int64_t lxfw_log_write_hosts(struct lxfw_log *log, struct lxfw_output *output)
{
	struct most *most = calloc(log->hosts.count + 1, sizeof(*most));
	int64_t *extras = count_extras(log);
	int result = -1;

	if (most && extras && count(log, most) == 0)
		result = write_all(log, most, extras, output);
	free(most);
	free(extras);
	return result ? -1 : (int64_t)log->hosts.count;
}
