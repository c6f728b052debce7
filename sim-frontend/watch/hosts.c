/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes, partitions and reservations that scontrol(1) shows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/reservations.h"
#include "sim-frontend/trace/slurm_node.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/watch/world.h"

/* Reservations that begin later are reported when they are nearer. */
#define AHEAD (30 * 86400)

/* Slurm's defaults of SuspendTimeout and ResumeTimeout, seconds. */
#define SUSPEND_USUAL 30
#define RESUME_USUAL 60

static int64_t number(const char *line, const char *key)
{
	int64_t value;

	return lxfw_slice_integer(lxfw_watch_value(line, key), 0, INT64_C(1) << 40, &value) ?
		       value : 0;
}

/* What the state of a node says. */
struct state {
	bool closed;		/* Slurm starts no jobs there */
	bool silent;		/* it does not respond */
	bool asleep, falls, boots;	/* powered down, being powered down, being powered up */
};

static bool is_of(struct lxfw_slice word, const char *const *words)
{
	while (*words && !lxfw_slice_is(word, *words))
		words++;
	return *words != NULL;
}

static void take_word(struct lxfw_slice word, struct state *state)
{
	static const char *const closed[] = {
		"DOWN", "DRAIN", "DRAINING", "DRAINED", "FAIL", "FAILING", "ERROR", "UNKNOWN",
		"FUTURE", "REBOOT", "REBOOT_ISSUED", "BLOCKED", "INVALID_REG", "POWER_DRAIN",
		"UNDRAIN", NULL,
	};
	static const char *const silent[] = { "NO_RESPOND", "NOT_RESPONDING", NULL };

	for (; word.length > 0 && strchr("~#$@^%-*!", word.at[word.length - 1]); word.length--) {
		char mark = word.at[word.length - 1];

		state->silent |= mark == '*';
		state->closed |= mark == '!';	/* its registration is invalid */
		state->asleep |= mark == '~';
		state->boots |= mark == '#';
		state->falls |= mark == '%';
	}
	state->closed |= is_of(word, closed);
	state->silent |= is_of(word, silent);
	state->asleep |= lxfw_slice_is(word, "POWERED_DOWN");
	state->falls |= lxfw_slice_is(word, "POWERING_DOWN");
	state->boots |= lxfw_slice_is(word, "POWERING_UP");
}

/* Takes "MIXED+DRAIN", "IDLE*", "IDLE+CLOUD+POWERED_DOWN". */
static struct state state_of(struct lxfw_slice text)
{
	struct state state = { .closed = false };

	while (text.length > 0) {
		size_t length = lxfw_slice_until(text, '+');

		take_word((struct lxfw_slice) { text.at, length }, &state);
		length += length < text.length;
		text.at += length;
		text.length -= length;
	}
	return state;
}

/* A node that is off, or on its way, does not respond, and jobs have it nevertheless: it boots for
   them. */
static bool is_up(const struct state *state)
{
	return !state->closed &&
	       (!state->silent || state->asleep || state->falls || state->boots);
}

/* The value of a setting such as "600 sec", or USUAL if there is none. */
static int64_t seconds_of(const struct lxfw_watch *watch, const char *key, int64_t usual)
{
	struct lxfw_slice value = lxfw_watch_setting(watch, key);
	int64_t seconds;

	value.length = lxfw_slice_until(value, ' ');
	return lxfw_slice_integer(value, 0, LXFW_BOOT_MAX / 2, &seconds) ? seconds : usual;
}

/* The longest time in seconds after which a node in this state is up, 1 or more; 0: it is up. */
static int64_t boot_of(const struct lxfw_watch *watch, const struct state *state)
{
	int64_t seconds = 0;

	if (!state->asleep && !state->falls && !state->boots)
		return 0;
	if (state->falls)
		seconds = seconds_of(watch, "SuspendTimeout", SUSPEND_USUAL);
	seconds += seconds_of(watch, "ResumeTimeout", RESUME_USUAL);
	return seconds > 0 ? seconds : 1;
}

/* Whether a line is of a node of which the reader can make a host. */
static bool is_node(const char *line)
{
	return number(line, "CPUTot") > 0 && number(line, "RealMemory") > 0 &&
	       lxfw_watch_value(line, "State").length > 0;
}

static bool is_partition(const char *line)
{
	(void)line;
	return true;
}

/* Whether a line begins with KEY= and a name that no line before it had. If memory runs out it is
   taken for one: the reader of the whole text refuses a second one. */
static bool is_new(const char *line, const char *key, struct lxfw_names *seen)
{
	size_t before = seen->count, width = strlen(key);
	struct lxfw_slice name;

	if (strncmp(line, key, width) != 0 || line[width] != '=')
		return false;
	name = lxfw_watch_value(line, key);
	return name.length > 0 && (lxfw_names_add(seen, name.at, name.length) < 0 ||
				   seen->count > before);
}

/* Removes the lines of TEXT that are none, or of a KEY whose name was on a line before. Returns
   their number, without empty ones. */
static size_t keep_lines(char *text, const char *key, bool (*is_one)(const char *line))
{
	struct lxfw_names seen = { 0 };
	size_t odd = 0;
	char *to = text;

	for (char *line = text, *next; *line; line = next) {
		size_t length = strcspn(line, "\n");

		next = line + length + (line[length] == '\n');
		if (!is_one(line) || !is_new(line, key, &seen)) {
			odd += length > 0;
			continue;
		}
		memmove(to, line, (size_t)(next - line));
		to += next - line;
	}
	*to = '\0';
	lxfw_names_clear(&seen);
	return odd;
}

/* --- readers ---------------------------------------------------------------------- */

/* A reader of files that adds to a cluster. */
typedef int read_fn(const struct lxfw_watch *watch, struct lxfw_cluster *cluster, const char *path,
		    struct lxfw_error *error);

/* Passes the texts to READ as a file. Returns as READ does. */
static int read_texts(const struct lxfw_watch *watch, struct lxfw_cluster *cluster,
		      const char *one, const char *other, read_fn *read, struct lxfw_error *error)
{
	int file = memfd_create("slurm", MFD_CLOEXEC), failed;
	char path[40];

	if (file < 0 || dprintf(file, "%s\n%s", one, other) < 0) {
		lxfw_error_system(error, "memory for nodes");
		if (file >= 0)
			close(file);
		return -1;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	failed = read(watch, cluster, path, error);
	close(file);
	return failed;
}

static int read_hosts(const struct lxfw_watch *watch, struct lxfw_cluster *cluster,
		      const char *path, struct lxfw_error *error)
{
	(void)watch;
	return lxfw_cluster_read(cluster, path, error);
}

static int read_reserved(const struct lxfw_watch *watch, struct lxfw_cluster *cluster,
			 const char *path, struct lxfw_error *error)
{
	const struct lxfw_reservations_span span = {
		.begin = watch->now, .end = watch->now + AHEAD, .in_zone = true,
		.licenses = true, .endless = true,
	};
	struct lxfw_reservations_told told;

	return lxfw_reservations_read(cluster, path, &span, &told, error);
}

/* Removes the lines of TEXT that READ refuses after the line BEFORE. Returns their number. */
static size_t keep_readable(const struct lxfw_watch *watch, char *text, const char *before,
			    read_fn *read)
{
	struct lxfw_error error;
	size_t odd = 0;
	char *to = text;

	for (char *line = text, *next; *line; line = next) {
		struct lxfw_cluster alone = { 0 };
		size_t length = strcspn(line, "\n");
		char end = line[length];
		int failed;

		next = line + length + (end == '\n');
		line[length] = '\0';
		failed = length > 0 && read_texts(watch, &alone, before, line, read, &error);
		line[length] = end;
		lxfw_cluster_clear(&alone);
		odd += failed != 0;
		if (failed)
			continue;
		memmove(to, line, (size_t)(next - line));
		to += next - line;
	}
	*to = '\0';
	return odd;
}

/* Reads nodes and partitions. Lines are tried one by one only if the whole is refused. */
static int read_cluster(struct lxfw_watch *watch, struct lxfw_error *error)
{
	struct lxfw_watch_texts *texts = &watch->texts;
	char *first;

	if (read_texts(watch, &watch->cluster, texts->nodes, texts->partitions, read_hosts,
		       error) == 0)
		return 0;
	if (errno == ENOMEM)
		return -1;
	watch->bad_lines += keep_readable(watch, texts->nodes, "", read_hosts);
	/* A partition is read after nodes. */
	first = strndup(texts->nodes, strcspn(texts->nodes, "\n"));
	if (!first) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	watch->bad_lines += keep_readable(watch, texts->partitions, first, read_hosts);
	free(first);
	return read_texts(watch, &watch->cluster, texts->nodes, texts->partitions, read_hosts,
			  error);
}

static bool is_reservation(const char *line)
{
	return strncmp(line, "ReservationName=", strlen("ReservationName=")) == 0;
}

static int read_reservations(struct lxfw_watch *watch, struct lxfw_error *error)
{
	char *text = watch->texts.reservations;

	if (!strstr(text, "ReservationName="))
		return 0;
	watch->bad_lines += keep_lines(text, "ReservationName", is_reservation) +
			    keep_readable(watch, text, "", read_reserved);
	if (!*text)
		return 0;
	return read_texts(watch, &watch->cluster, text, "", read_reserved, error);
}

/* Processors of a core. A site can say that cores are its processors. */
static int32_t threads_of(const char *line)
{
	int64_t threads = number(line, "ThreadsPerCore");
	int64_t cores = number(line, "Sockets") * number(line, "CoresPerSocket");
	int64_t procs = number(line, "CPUTot");

	return threads > 1 && threads <= INT16_MAX && procs % threads == 0 && procs > cores ?
	       (int32_t)threads : 1;
}

int32_t lxfw_watch_threads(const struct lxfw_watch *watch, const struct lxfw_need *need)
{
	const struct lxfw_cluster *cluster = &watch->cluster;
	int32_t least = watch->least_threads;

	if (least == watch->most_threads || !need || need->set_count == 0)
		return least;
	least = watch->most_threads;
	for (int i = 0; i < need->set_count; i++) {
		const struct lxfw_cluster_set *set = &cluster->sets[need->sets[i]];

		for (int32_t k = 0; k < set->count && least > 1; k++) {
			if (watch->hosts[set->hosts[k]].threads < least)
				least = watch->hosts[set->hosts[k]].threads;
		}
	}
	return least;
}

static void read_host(struct lxfw_watch *watch, const char *line)
{
	struct lxfw_slice name = lxfw_watch_value(line, "NodeName");
	struct lxfw_slice features = lxfw_watch_value(line, "ActiveFeatures");
	struct state state = state_of(lxfw_watch_value(line, "State"));
	struct lxfw_watch_host *host;
	int32_t index = name.length == 0 ? -1 :
			lxfw_names_find(&watch->cluster.names, name.at, name.length);

	if (index < 0)
		return;
	host = &watch->hosts[index];
	*host = (struct lxfw_watch_host) {
		.up = is_up(&state),
		.boot = is_up(&state) ? boot_of(watch, &state) : 0,
		.used.procs = (int32_t)number(line, "CPUAlloc"),
		.used.memory_mb = number(line, "AllocMem"),
		.features = features.at, .features_length = features.length,
		.threads = threads_of(line),
	};
}

static void find_threads(struct lxfw_watch *watch)
{
	watch->least_threads = watch->most_threads = watch->cluster.count > 0 ?
						     watch->hosts[0].threads : 1;
	for (int32_t i = 1; i < watch->cluster.count; i++) {
		int32_t threads = watch->hosts[i].threads;

		if (threads < watch->least_threads)
			watch->least_threads = threads;
		if (threads > watch->most_threads)
			watch->most_threads = threads;
	}
}

int lxfw_watch_read_hosts(struct lxfw_watch *watch, struct lxfw_error *error)
{
	lxfw_needs_clear(&watch->needs);
	lxfw_cluster_clear(&watch->cluster);
	watch->bad_lines = keep_lines(watch->texts.nodes, "NodeName", is_node) +
			   keep_lines(watch->texts.partitions, "PartitionName", is_partition);
	if (read_cluster(watch, error))
		return -1;
	watch->cluster.memory_bound &= lxfw_watch_configured(watch, "SelectTypeParameters",
							     "MEMORY", true);
	if (lxfw_watch_read_licenses(watch)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	if (read_reservations(watch, error))
		return -1;
	if (LXFW_GROW(watch->hosts, watch->hosts_size, (size_t)watch->cluster.count + 1)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	memset(watch->hosts, 0, watch->hosts_size * sizeof(*watch->hosts));
	for (const char *line = watch->texts.nodes; line && *line;) {
		read_host(watch, line);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	find_threads(watch);
	return 0;
}
