/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_site.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/own_file.h"
#include "sim-frontend/util/digest.h"
#include "sim-frontend/util/guarded.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

#define HEAD "lxfw-partitions 4 "

/* Its lines begin with what they are of. Those of features come before those of partitions. */
#define OF_GRES "gres "
#define OF_FEATURE "feature "
#define OF_PARTITION "partition "
#define ALL_FEATURES "all-features"

/* More than Slurm has; and bytes. */
#define PARTITIONS_MAX 100000
#define FILE_MAX (64 << 20)
#define LOOK_MAX (256 << 20)

#define TIME_MAX (INT64_C(1) << 40)

/* How often both files are read, and nanoseconds between. The writer replaces one after the other. */
#define TRIES 10
#define PAUSE 20000000

static void note(const char *text)
{
	lxfw_cmd_note("%s", text);
}

struct lxfw_watch *lxfw_now_look(const char *journal, struct lxfw_watch_texts *texts, int64_t now,
				 void (*prepare)(struct lxfw_watch *watch),
				 struct lxfw_error *error)
{
	struct lxfw_params params;
	struct lxfw_watch *watch;
	int failed;

	lxfw_watch_usual(&params);
	watch = lxfw_watch_open(&params, journal, note);
	if (!watch) {
		lxfw_error_set(error, "out of memory");
		return NULL;
	}
	if (prepare)
		prepare(watch);
	failed = lxfw_watch_look(watch, texts, now, error);
	if (!failed && !lxfw_watch_records(watch)) {
		lxfw_error_format(error, "%s: cannot be written", journal);
		failed = -1;
	}
	if (!failed)
		return watch;
	lxfw_watch_close(watch);
	return NULL;
}

static void digest_of(const char *bytes, size_t length, char hex[LXFW_NOW_DIGEST])
{
	uint8_t digest[LXFW_SHA256_SIZE];

	lxfw_sha256(bytes, length, digest);
	for (int i = 0; i < LXFW_SHA256_SIZE; i++)
		sprintf(hex + 2 * i, "%02x", digest[i]);
}

/* --- writing ---------------------------------------------------------------------- */

/* A list of names that may be empty. */
static const char *list_of(const char *names)
{
	return *names ? names : "-";
}

static void write_partition(struct lxfw_output *output, const struct lxfw_watch_partition *one,
			    int wanted)
{
	const struct lxfw_watch_limits *limits = &one->limits;

	lxfw_output_format(output, OF_PARTITION "%s %d %d %d %d %d %d %" PRId64 " %" PRId64
			   " %" PRId64 " %" PRId64, one->name, one->set, one->tier, one->threads,
			   one->usual, one->exclusive, one->closed, one->default_time, one->max_time,
			   one->memory, one->memory_per_cpu);
	lxfw_output_format(output, " %d %" PRId64 " %" PRId64 " %" PRId64, one->most_procs,
			   one->host_memory, one->cpus_per_gpu, one->memory_per_gpu);
	lxfw_output_format(output, " %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
			   " %s %s %s %s %s %d", list_of(one->why_closed), limits->min_nodes,
			   limits->max_nodes, limits->cpus, limits->memory, list_of(limits->groups),
			   list_of(limits->accounts), list_of(limits->qos),
			   list_of(limits->no_accounts), list_of(limits->no_qos), one->cap);
	for (int i = 0; i < wanted; i++)
		lxfw_output_format(output, " %d", one->with[i]);
	lxfw_output_text(output, "\n");
}

static int write_partitions(const struct lxfw_watch *watch, int64_t now, const char *digest,
			    const char *path, struct lxfw_error *error)
{
	size_t count, gres_count;
	int wanted_count;
	bool all;
	const struct lxfw_watch_partition *list = lxfw_watch_partitions(watch, &count);
	const struct lxfw_watch_wanted *wanted = lxfw_watch_wanted(watch, &wanted_count, &all);
	struct lxfw_watch_gres *gres;
	struct lxfw_output *output;

	if (lxfw_watch_gres(watch, &gres, &gres_count)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	output = lxfw_output_replace(path, error);
	if (output) {
		lxfw_output_format(output, HEAD "%" PRId64 " %s\n", now, digest);
		for (size_t i = 0; i < gres_count; i++)
			lxfw_output_format(output, OF_GRES "%s %d\n", gres[i].name, gres[i].extra);
		for (int i = 0; i < wanted_count; i++)
			lxfw_output_format(output, OF_FEATURE "%s\n", wanted[i].features);
		if (all)
			lxfw_output_text(output, ALL_FEATURES "\n");
		for (size_t i = 0; i < count; i++)
			write_partition(output, &list[i], wanted_count);
		lxfw_output_mode(output, 0644);	/* users read the file */
	}
	free(gres);
	return output ? lxfw_output_commit(output, error) : -1;
}

static int write_journal(const char *bytes, size_t length, const char *path,
			 struct lxfw_error *error)
{
	struct lxfw_output *output = lxfw_output_replace(path, error);

	if (!output)
		return -1;
	lxfw_output_write(output, bytes, length);
	lxfw_output_mode(output, 0644);
	return lxfw_output_commit(output, error);
}

/* Writes both files of a look to FOLDER. JOURNAL is a temporary file. */
static int write_files(const char *folder, const char *journal, const struct lxfw_watch *watch,
		       int64_t now, struct lxfw_error *error)
{
	char path[PATH_MAX + 16], digest[LXFW_NOW_DIGEST];
	size_t length;
	char *bytes = lxfw_guarded_read(journal, LOOK_MAX, &length, error);
	int failed;

	if (!bytes)
		return -1;
	digest_of(bytes, length, digest);
	snprintf(path, sizeof(path), "%s/" LXFW_SITE_PARTITIONS, folder);
	failed = write_partitions(watch, now, digest, path, error);
	snprintf(path, sizeof(path), "%s/" LXFW_SITE_LOOK, folder);
	if (!failed)
		failed = write_journal(bytes, length, path, error);
	free(bytes);
	return failed;
}

/* Where the notes of a look go: what calls for one has no context. */
static struct lxfw_publication *noted;
static bool lacks_notes;

static void add_note(const char *text)
{
	lacks_notes |= lxfw_publication_note(noted, text) != 0;
}

/* Returns 0, or -1 with ERROR set. */
static int tell(const struct lxfw_watch *watch, struct lxfw_now_told *told,
		struct lxfw_publication *publication, struct lxfw_error *error)
{
	const char *missing = lxfw_watch_missing(watch);

	noted = publication;
	lacks_notes = false;
	lxfw_watch_tell(watch, add_note);
	if (missing)
		add_note(missing);
	if (!lacks_notes && lxfw_watch_said(watch, &told->said, &told->count) == 0)
		return 0;
	lxfw_error_set(error, "out of memory");
	return -1;
}

int lxfw_now_site_write(const char *folder, struct lxfw_now_told *told,
			struct lxfw_publication *publication, struct lxfw_error *error)
{
	struct lxfw_watch_texts texts;
	struct lxfw_watch *watch;
	const char *journal;
	int64_t now;
	int failed;

	if (strlen(folder) >= PATH_MAX) {
		lxfw_error_set(error, "the path is too long");
		return -1;
	}
	if (lxfw_watch_ask(&texts, error))
		return -1;
	now = time(NULL);
	journal = lxfw_cmd_own_file("look", error);
	watch = journal ? lxfw_now_look(journal, &texts, now, lxfw_watch_want_features, error) : NULL;
	failed = watch ? tell(watch, told, publication, error) : -1;
	if (!failed)
		failed = write_files(folder, journal, watch, now, error);
	if (!failed)
		publication->look = now;
	if (watch)
		lxfw_watch_close(watch);
	lxfw_cmd_own_file_remove();
	lxfw_watch_texts_clear(&texts);
	return failed;
}

/* --- reading ---------------------------------------------------------------------- */

/* A list of list_of(). */
static void read_list(const char *list, char to[LXFW_WATCH_NAMES])
{
	strcpy(to, strcmp(list, "-") == 0 ? "" : list);
}

/* Returns what follows them, or NULL. */
static const char *read_limits(const char *text, struct lxfw_watch_partition *to)
{
	struct lxfw_watch_limits *limits = &to->limits;
	char lists[5][LXFW_WATCH_NAMES];
	int used = -1;

	if (sscanf(text, " %15s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
		   " %255s %255s %255s %255s %255s %" SCNd32 "%n", to->why_closed, &limits->min_nodes,
		   &limits->max_nodes, &limits->cpus, &limits->memory, lists[0], lists[1],
		   lists[2], lists[3], lists[4], &to->cap, &used) != 11 || used < 0)
		return NULL;
	if (strcmp(to->why_closed, "-") == 0)
		*to->why_closed = '\0';
	read_list(lists[0], limits->groups);
	read_list(lists[1], limits->accounts);
	read_list(lists[2], limits->qos);
	read_list(lists[3], limits->no_accounts);
	read_list(lists[4], limits->no_qos);
	return limits->min_nodes >= 0 && limits->min_nodes <= INT32_MAX && limits->max_nodes >= 0 &&
	       limits->max_nodes <= INT32_MAX && limits->cpus >= 0 && limits->memory >= 0 &&
	       to->cap >= 0 && to->cap <= LXFW_EXTRAS_MAX ? text + used : NULL;
}

/* Returns what follows them, or NULL. */
static const char *read_amounts(const char *text, struct lxfw_watch_partition *to)
{
	int flags[3], used = -1;

	if (sscanf(text, "%63s %" SCNd32 " %" SCNd32 " %" SCNd32 " %d %d %d %" SCNd64 " %" SCNd64
		   " %" SCNd64 " %" SCNd64 " %" SCNd32 " %" SCNd64 " %" SCNd64 " %" SCNd64 "%n",
		   to->name, &to->set, &to->tier, &to->threads, &flags[0], &flags[1], &flags[2],
		   &to->default_time, &to->max_time, &to->memory, &to->memory_per_cpu,
		   &to->most_procs, &to->host_memory, &to->cpus_per_gpu, &to->memory_per_gpu,
		   &used) != 15 || used < 0 || text[used] != ' ')
		return NULL;
	to->usual = flags[0];
	to->exclusive = flags[1];
	to->closed = flags[2];
	return to->set >= 0 && to->threads >= 0 && to->default_time >= 0 && to->max_time >= 0 &&
	       to->memory >= 0 && to->memory_per_cpu >= 0 && to->most_procs >= 0 &&
	       to->host_memory >= 0 && to->cpus_per_gpu >= 0 && to->cpus_per_gpu <= INT32_MAX &&
	       to->memory_per_gpu >= 0 && to->memory_per_gpu <= INT32_MAX ? text + used : NULL;
}

static bool read_partition(const char *text, int wanted, struct lxfw_watch_partition *to)
{
	*to = (struct lxfw_watch_partition) { 0 };
	text = read_amounts(text, to);
	if (text)
		text = read_limits(text, to);
	for (int i = 0; i < wanted && text; i++) {
		int used = -1;

		if (sscanf(text, " %" SCNd32 "%n", &to->with[i], &used) != 1 || used < 0 ||
		    to->with[i] < -1)
			return false;
		text += used;
	}
	return text && *text == '\n';
}

static bool read_gres(const char *text, struct lxfw_watch_gres *to)
{
	int used = -1;

	return sscanf(text, "%39s %d%n", to->name, &to->extra, &used) == 2 && used > 0 &&
	       text[used] == '\n' && to->extra >= -1 && to->extra < LXFW_EXTRAS_MAX;
}

static bool read_feature(const char *text, struct lxfw_watch_wanted *to)
{
	size_t length = strcspn(text, "\n");

	if (length == 0 || length >= sizeof(to->features))
		return false;
	*to = (struct lxfw_watch_wanted) { .features = "" };
	memcpy(to->features, text, length);
	return true;
}

static bool is_of(const char **line, const char *kind)
{
	size_t width = strlen(kind);

	if (strncmp(*line, kind, width) != 0)
		return false;
	*line += width;
	return true;
}

/* Places for what is read. */
struct sizes {
	size_t partitions, gres, wanted;
};

/* Takes a line. Returns 0, or an error number. */
static int take_line(const char *line, struct sizes *sizes, struct lxfw_now_site *to)
{
	if (is_of(&line, OF_PARTITION)) {
		if (to->count == PARTITIONS_MAX)
			return EINVAL;
		if (LXFW_GROW(to->partitions, sizes->partitions, to->count + 1))
			return ENOMEM;
		return read_partition(line, to->wanted_count, &to->partitions[to->count++]) ?
		       0 : EINVAL;
	}
	if (is_of(&line, OF_GRES)) {
		if (LXFW_GROW(to->gres, sizes->gres, to->gres_count + 1))
			return ENOMEM;
		return read_gres(line, &to->gres[to->gres_count++]) ? 0 : EINVAL;
	}
	if (strncmp(line, ALL_FEATURES "\n", sizeof(ALL_FEATURES)) == 0) {
		to->all_wanted = true;
		return 0;
	}
	if (!is_of(&line, OF_FEATURE))
		return EINVAL;
	if (to->wanted_count == LXFW_WATCH_WANTED || to->count > 0)
		return EINVAL;
	if (LXFW_GROW(to->wanted, sizes->wanted, (size_t)to->wanted_count + 1))
		return ENOMEM;
	return read_feature(line, &to->wanted[to->wanted_count++]) ? 0 : EINVAL;
}

static int take(const char *text, struct lxfw_now_site *to)
{
	struct sizes sizes = { 0 };
	int failed = 0;

	for (const char *line = text, *end; *line && !failed; line = end + 1) {
		end = strchr(line, '\n');
		failed = end ? take_line(line, &sizes, to) : EINVAL;
		if (!end)
			break;
	}
	return failed;
}

int lxfw_now_site_parse(const char *text, struct lxfw_now_site *to, char digest[LXFW_NOW_DIGEST])
{
	int failed = EINVAL, used = -1;

	*digest = '\0';
	if (sscanf(text, HEAD "%" SCNd64 " %64[0-9a-f]%n", &to->time, digest, &used) == 2 &&
	    used > 0 && text[used] == '\n' && strlen(digest) == LXFW_NOW_DIGEST - 1 &&
	    to->time >= 0 && to->time <= TIME_MAX)
		failed = take(text + used + 1, to);
	if (!failed)
		return 0;
	lxfw_now_site_clear(to);
	errno = failed;
	return -1;
}

bool lxfw_now_site_wanted(const struct lxfw_now_site *site, const struct lxfw_watch_wanted *wanted,
			  int *index)
{
	for (*index = 0; *index < site->wanted_count; ++*index) {
		if (lxfw_watch_wants_same(&site->wanted[*index], wanted))
			return true;
	}
	*index = -1;
	return site->all_wanted && !*wanted->required && !*wanted->excluded &&
	       !strpbrk(wanted->features, "&|,*[]()");
}

void lxfw_now_site_clear(struct lxfw_now_site *site)
{
	free(site->journal);
	free(site->partitions);
	free(site->gres);
	free(site->wanted);
	*site = (struct lxfw_now_site) { NULL };
}

/* Reads both files once. Returns 0; 1 if they are of two looks; or -1. */
static int read_files(const char *journal, const char *partitions, struct lxfw_now_site *to)
{
	char digest[LXFW_NOW_DIGEST], is[LXFW_NOW_DIGEST];
	struct lxfw_error error;
	size_t length;
	char *text = lxfw_guarded_read(partitions, FILE_MAX, &length, &error);
	int failed = text ? lxfw_now_site_parse(text, to, digest) : -1;

	free(text);
	if (failed)
		return -1;
	to->journal = lxfw_guarded_read(journal, LOOK_MAX, &to->length, &error);
	if (!to->journal)
		return -1;
	digest_of(to->journal, to->length, is);
	return strcmp(is, digest) != 0;
}

int lxfw_now_site_read(const char *journal, const char *partitions, struct lxfw_now_site *to)
{
	const struct timespec pause = { .tv_nsec = PAUSE };
	int failed = 1;

	*to = (struct lxfw_now_site) { NULL };
	for (int i = 0; i < TRIES && failed == 1; i++) {
		if (i > 0)
			(void)nanosleep(&pause, NULL);
		lxfw_now_site_clear(to);
		failed = read_files(journal, partitions, to);
	}
	if (failed)
		lxfw_now_site_clear(to);
	return failed ? -1 : 0;
}
