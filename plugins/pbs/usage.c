/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/usage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/agent/whole_file.h"
#include "plugins/pbs/text.h"

#define FILE_MOST (1 << 26)

static const char *const file_names[] = { "sched_config", "resource_group", "usage.touch" };

static void set_defaults(struct lxfw_pbs_usage *usage)
{
	usage->fair_share = false;
	usage->unknown_shares = 0;
	usage->decay_seconds = 24 * 3600;
	usage->decay_factor = 0.5;
	strcpy(usage->entity, "euser");
	strcpy(usage->resource, "cput");
}

void lxfw_pbs_usage_clear(struct lxfw_pbs_usage *usage)
{
	lxfw_pbs_fairshare_clear(&usage->tree);
	free(usage->folder);
	memset(usage, 0, sizeof(*usage));
}

/* --- files -------------------------------------------------------------------------------- */

/* The latest change of the files, in nanoseconds: several may be changed within a second. 0 if
   there are none. */
static int64_t changed_at(const char *folder)
{
	int64_t latest = 0, changed;

	for (size_t i = 0; i < sizeof(file_names) / sizeof(file_names[0]); i++) {
		struct stat status;
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, file_names[i]);
		if (stat(path, &status) < 0)
			continue;
		changed = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
		if (changed > latest)
			latest = changed;
	}
	return latest;
}

void lxfw_pbs_usage_config(struct lxfw_pbs_usage *usage, const char *line)
{
	char key[64], value[256];
	int64_t number;
	char *end;

	if (sscanf(line, " %63[a-z_] : %255s", key, value) != 2)
		return;
	if (strcmp(key, "fair_share") == 0) {
		(void)lxfw_pbs_truth(value, &usage->fair_share);
	} else if (strcmp(key, "unknown_shares") == 0) {
		if (lxfw_pbs_number(value, &number) && number < INT32_MAX)
			usage->unknown_shares = number;
	} else if (strcmp(key, "fairshare_usage_res") == 0) {
		snprintf(usage->resource, sizeof(usage->resource), "%s", value);
	} else if (strcmp(key, "fairshare_entity") == 0) {
		if (strlen(value) < sizeof(usage->entity))
			strcpy(usage->entity, value);
	} else if (strcmp(key, "fairshare_decay_time") == 0) {
		if (lxfw_pbs_duration(value, &number))
			usage->decay_seconds = number;
	} else if (strcmp(key, "fairshare_decay_factor") == 0) {
		double factor = strtod(value, &end);

		if (end != value && !*end && factor > 0 && factor < 1)
			usage->decay_factor = factor;
	}
}

static FILE *open_in(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return fopen(path, "r");
}

static void read_config(struct lxfw_pbs_usage *usage)
{
	FILE *file = open_in(usage->folder, "sched_config");
	char line[1024];

	while (file && fgets(line, sizeof(line), file))
		lxfw_pbs_usage_config(usage, line);
	if (file)
		fclose(file);
}

static void read_groups(struct lxfw_pbs_usage *usage)
{
	FILE *file = open_in(usage->folder, "resource_group");
	char line[1024];
	struct lxfw_error why;

	for (int number = 1; file && fgets(line, sizeof(line), file); number++) {
		if (lxfw_pbs_fairshare_line(&usage->tree, line, &why) < 0)
			lxfw_log_error("%s/resource_group:%d: %s: the line is ignored",
				       usage->folder, number, why.text);
	}
	if (file)
		fclose(file);
}

static void read_usage(struct lxfw_pbs_usage *usage)
{
	FILE *file = open_in(usage->folder, "usage");
	char *bytes = file ? malloc(FILE_MOST) : NULL;
	struct lxfw_error why;
	size_t length;

	if (bytes) {
		length = fread(bytes, 1, FILE_MOST, file);
		if (lxfw_pbs_usage_read(&usage->tree, bytes, length, &why) < 0)
			lxfw_log_error("%s/usage: %s: using its readable part", usage->folder,
				       why.text);
	}
	free(bytes);
	if (file)
		fclose(file);
}

static bool is_same(const struct lxfw_pbs_usage *usage, const char *folder)
{
	return usage->folder && folder && strcmp(folder, usage->folder) == 0;
}

bool lxfw_pbs_usage_is_old(const struct lxfw_pbs_usage *usage, const struct lxfw_pbs_site *site)
{
	const char *folder = site->sched.folder;
	int64_t changed = folder ? changed_at(folder) : 0;

	if (!changed)
		return usage->folder != NULL;
	return !is_same(usage, folder) || changed != usage->read_at;
}

bool lxfw_pbs_usage_update(struct lxfw_pbs_usage *usage, const struct lxfw_pbs_site *site,
			   int64_t now, bool read_only)
{
	const char *folder = site->sched.folder;
	bool same = is_same(usage, folder);
	int64_t changed = folder ? changed_at(folder) : 0;
	char path[4096];

	if (same && changed == usage->read_at)
		return true;
	snprintf(path, sizeof(path), "%s/usage.touch", folder ? folder : "");
	/* pbsfs has changed the file. */
	if (same && usage->dirty && !read_only && access(path, F_OK) < 0)
		lxfw_pbs_usage_save(usage);
	lxfw_pbs_usage_clear(usage);
	set_defaults(usage);
	if (!folder || !changed)
		return true;
	usage->folder = strdup(folder);
	usage->read_at = changed;
	if (!usage->folder)
		return false;
	read_config(usage);
	if (!lxfw_pbs_fairshare_begin(&usage->tree, usage->unknown_shares))
		return false;
	read_groups(usage);
	read_usage(usage);
	if (usage->tree.last_decay == 0 || usage->tree.last_decay > now)
		usage->tree.last_decay = now;
	if (!read_only && unlink(path) == 0)
		usage->read_at = changed_at(folder);
	return true;
}

void lxfw_pbs_usage_save(struct lxfw_pbs_usage *usage)
{
	size_t length;
	char *bytes, path[4096];

	if (!usage->dirty || !usage->folder)
		return;
	usage->dirty = false;
	bytes = lxfw_pbs_usage_write(&usage->tree, &length);
	snprintf(path, sizeof(path), "%s/usage", usage->folder);
	if (!bytes || lxfw_whole_file_write(path, bytes, length) < 0)
		lxfw_log_error("%s: %m", path);
	free(bytes);
}

/* --- factors ------------------------------------------------------------------------------ */

void lxfw_pbs_usage_compute(struct lxfw_pbs_usage *usage, int64_t now)
{
	if (!usage->tree.count)
		return;
	/* After a thousand times the usage is as small as it can be. */
	for (int i = 0; usage->decay_seconds > 0 && i < 1000 &&
			now - usage->tree.last_decay > usage->decay_seconds; i++) {
		lxfw_pbs_fairshare_decay(&usage->tree, usage->decay_factor);
		usage->tree.last_decay += usage->decay_seconds;
		usage->dirty = true;
	}
	lxfw_pbs_fairshare_compute(&usage->tree);
}

void lxfw_pbs_usage_name(const struct lxfw_pbs_usage *usage, const struct lxfw_pbs_job *job,
			 char *name, size_t size)
{
	const char *user = job->user ? job->user : "", *group = job->group ? job->group : "";

	if (strcmp(usage->entity, "egroup") == 0)
		snprintf(name, size, "%s", group);
	else if (strcmp(usage->entity, "queue") == 0)
		snprintf(name, size, "%s", job->queue ? job->queue : "");
	else if (strcmp(usage->entity, "Account_Name") == 0)
		snprintf(name, size, "%s", job->account ? job->account : "");
	else if (strcmp(usage->entity, "egroup:euser") == 0)
		snprintf(name, size, "%s:%s", group, user);
	else
		snprintf(name, size, "%s", user);
}

const struct lxfw_pbs_entity *lxfw_pbs_usage_of(struct lxfw_pbs_usage *usage,
						const struct lxfw_pbs_job *job)
{
	char name[256];
	size_t before = usage->tree.count;
	const struct lxfw_pbs_entity *entity;

	if (!usage->tree.count)
		return NULL;
	lxfw_pbs_usage_name(usage, job, name, sizeof(name));
	if (!name[0])
		return NULL;
	entity = lxfw_pbs_fairshare_find(&usage->tree, name);
	/* A new entity changes the shares of others. */
	if (entity && usage->tree.count != before)
		lxfw_pbs_fairshare_compute(&usage->tree);
	return entity;
}
