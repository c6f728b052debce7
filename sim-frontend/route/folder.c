/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/util/text.h"

#define PATH_MAX_LENGTH 4096
#define FILE_NAME "recent"
#define FILE_MOST (128 << 10)	/* bytes that are read */
#define LOCK_STEP 5000000	/* nanoseconds */

static bool is_in_home(const struct lxfw_route_conf *conf)
{
	return strncmp(conf->records, "~/", 2) == 0;
}

/* The name of the folder: "~/" is the home of the user, and in any other folder each user has
   one of the own number. */
static int find_path(const struct lxfw_route_conf *conf, char path[PATH_MAX_LENGTH])
{
	const struct passwd *user = getpwuid(getuid());
	int length;

	if (is_in_home(conf))
		length = user ? snprintf(path, PATH_MAX_LENGTH, "%s/%s", user->pw_dir,
					 conf->records + 2) : -1;
	else
		length = snprintf(path, PATH_MAX_LENGTH, "%s/%u", conf->records,
				  (unsigned)getuid());
	if (length > 0 && length < PATH_MAX_LENGTH)
		return 0;
	errno = ENOENT;
	return -1;
}

/* Opens the folder of all users' folders. In one that others can write, any user could make
   that of another. */
static int open_shared(const struct lxfw_route_conf *conf, struct lxfw_error *error)
{
	int folder = open(conf->records, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat about;

	if (folder < 0)
		return lxfw_error_system(error, conf->records);
	if (fstat(folder, &about) == 0 && (about.st_uid == 0 || about.st_uid == getuid()) &&
	    !(about.st_mode & (S_IWGRP | S_IWOTH)))
		return folder;
	close(folder);
	errno = EPERM;
	lxfw_error_at(error, conf->records, 0, "others can write it, expected a folder that only "
		      "root can write");
	return -1;
}

int lxfw_route_folder_check(const struct lxfw_route_conf *conf, struct lxfw_error *error)
{
	int folder = is_in_home(conf) ? -1 : open_shared(conf, error);

	if (folder < 0)
		return is_in_home(conf) ? 0 : -1;
	close(folder);
	return 0;
}

/* Gives a new folder, which is root's, to its user. */
static int give(int folder, uid_t uid, gid_t gid)
{
	struct stat about;

	if (fstat(folder, &about))
		return -1;
	if (about.st_uid == uid)
		return 0;
	if (about.st_uid == getuid())
		return fchownat(folder, "", uid, gid, AT_EMPTY_PATH);
	errno = EEXIST;
	return -1;
}

int lxfw_route_folder_make(const struct lxfw_route_conf *conf, uid_t uid, gid_t gid,
			   struct lxfw_error *error)
{
	int shared = is_in_home(conf) ? -1 : open_shared(conf, error), folder = -1, result = -1;
	char name[16];

	if (shared < 0)
		return is_in_home(conf) ? 0 : -1;
	snprintf(name, sizeof(name), "%u", (unsigned)uid);
	if (mkdirat(shared, name, 0700) == 0 || errno == EEXIST)
		/* Root may be without the capability to look into it. */
		folder = openat(shared, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder >= 0)
		result = give(folder, uid, gid);
	if (result) {
		lxfw_error_format(error, "%s/%s: %s", conf->records, name, strerror(errno));
		errno = EIO;
	}
	if (folder >= 0)
		close(folder);
	close(shared);
	return result;
}

int lxfw_route_folder_open(const struct lxfw_route_conf *conf, bool create,
			   struct lxfw_error *error)
{
	char path[PATH_MAX_LENGTH];
	struct stat about;
	int folder;

	if (lxfw_route_folder_check(conf, error))
		return -1;
	if (find_path(conf, path))
		return lxfw_error_system(error, conf->records);
	if (create && mkdir(path, 0700) && errno != EEXIST && errno != EACCES)
		return lxfw_error_system(error, path);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0)
		return lxfw_error_system(error, path);
	if (fstat(folder, &about) == 0 && about.st_uid == getuid() &&
	    !(about.st_mode & (S_IWGRP | S_IWOTH)))
		return folder;
	close(folder);
	lxfw_error_at(error, path, 0, "expected a folder of this user that others cannot write");
	return -1;
}

static int lock(int file, int seconds)
{
	const struct timespec step = { .tv_nsec = LOCK_STEP };

	for (int64_t left = (int64_t)seconds * 1000000000 / LOCK_STEP; left >= 0; left--) {
		if (flock(file, LOCK_EX | LOCK_NB) == 0)
			return 0;
		nanosleep(&step, NULL);
	}
	return -1;
}

static void add(struct lxfw_route_recent *recent, int64_t time, const char *cluster,
		const char *options)
{
	struct lxfw_route_recent_job *job;

	if (recent->count == LXFW_ROUTE_RECENT)	/* the oldest one has arrived first */
		memmove(recent->jobs, recent->jobs + 1,
			(size_t)--recent->count * sizeof(*recent->jobs));
	job = &recent->jobs[recent->count++];
	job->time = time;
	snprintf(job->cluster, sizeof(job->cluster), "%s", cluster);
	snprintf(job->options, sizeof(job->options), "%s", options);
}

/* "TIME CLUSTER OPTIONS". Other lines are ignored. */
static void take_line(struct lxfw_route_recent *recent, char *line, int64_t from, int64_t now)
{
	char *cluster = strchr(line, ' ');
	char *options = cluster ? strchr(cluster + 1, ' ') : NULL;
	int64_t time;

	if (!options || lxfw_text_integer(line, (size_t)(cluster - line), 0, INT64_MAX, &time) ||
	    time < from || time > now)
		return;
	*cluster++ = *options++ = '\0';
	if (lxfw_route_name_is_valid(cluster) && strlen(options) <= LXFW_ROUTE_LINE)
		add(recent, time, cluster, options);
}

void lxfw_route_recent_open(struct lxfw_route_recent *recent, const struct lxfw_route_conf *conf,
			    int folder, int64_t now, int seconds)
{
	char *text, *rest = NULL;
	ssize_t length;

	recent->count = 0;
	recent->file = folder < 0 ? -1 :
		       openat(folder, FILE_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
			      O_CLOEXEC, 0600);
	if (recent->file < 0)
		return;
	text = malloc(FILE_MOST + 1);
	if (!text || lock(recent->file, seconds)) {
		free(text);
		lxfw_route_recent_close(recent);
		return;
	}
	length = pread(recent->file, text, FILE_MOST, 0);
	text[length > 0 ? length : 0] = '\0';
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		take_line(recent, line, now - conf->recent, now);
	free(text);
}

int lxfw_route_recent_skip(const struct lxfw_route_recent *recent, const char *cluster)
{
	int count = 0;

	for (int i = 0; i < recent->count; i++)
		count += strcmp(recent->jobs[i].cluster, cluster) == 0;
	return count > LXFW_ROUTE_ROUTED ? count - LXFW_ROUTE_ROUTED : 0;
}

void lxfw_route_recent_add(struct lxfw_route_recent *recent, int64_t now, const char *cluster,
			   const char *options)
{
	FILE *out;
	int copy;

	add(recent, now, cluster, options);
	if (recent->file < 0 || ftruncate(recent->file, 0) || lseek(recent->file, 0, SEEK_SET))
		return;
	copy = dup(recent->file);
	out = copy < 0 ? NULL : fdopen(copy, "w");
	if (!out) {
		if (copy >= 0)
			close(copy);
		return;
	}
	for (int i = 0; i < recent->count; i++)
		fprintf(out, "%lld %s %s\n", (long long)recent->jobs[i].time,
			recent->jobs[i].cluster, recent->jobs[i].options);
	fclose(out);
}

void lxfw_route_recent_close(struct lxfw_route_recent *recent)
{
	if (recent->file >= 0)
		close(recent->file);
	recent->file = -1;
	recent->count = 0;
}
