/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/share_dir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"

/* Attempts to open a folder, 1 ms apart. Its removal by another step takes less than a
   millisecond. */
#define OPEN_TRIES 200

static const char *const files[] = { "cpus", "count", "share", "users",
				     "leader" };
#define FILES (sizeof(files) / sizeof(*files))

static void close_file(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

/* Opens a folder that belongs to this user and that no other user can write to. */
static int open_folder(int at, const char *path)
{
	int folder = openat(at, path,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (folder < 0)
		return -1;
	if (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
	    !(status.st_mode & (S_IWGRP | S_IWOTH)))
		return folder;
	close(folder);
	errno = EPERM;
	return -1;
}

/* Opens a folder as open_folder() does. Creates it if it does not exist, readable for
   all users regardless of the umask. */
static int make_folder(int at, const char *path)
{
	int folder;
	bool made = mkdirat(at, path, 0755) == 0;

	if (!made && errno != EEXIST)
		return -1;
	folder = open_folder(at, path);
	if (folder >= 0 && made && fchmod(folder, 0755) < 0) {
		close(folder);
		return -1;
	}
	return folder;
}

static int open_lock(int folder, const char *name, int flags)
{
	return openat(folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags,
		      0600);
}

static bool is_name(const char *name, int length, size_t size)
{
	return length > 0 && (size_t)length < size && !strchr(name, '/') &&
	       name[0] != '.';
}

/* Returns the length of "NODE." in the name. Several nodes may share the base
   folder. */
static size_t node_length(const struct lxfw_share_dir *dir)
{
	return (size_t)(strrchr(dir->name, '.') + 1 - dir->name);
}

/* Returns true if NAME is a job's folder of this node. */
static bool is_job(const struct lxfw_share_dir *dir, const char *name,
		   uint32_t *job)
{
	size_t node = node_length(dir);
	unsigned long number;
	char *end;

	if (strncmp(name, dir->name, node) != 0 ||
	    !isdigit((unsigned char)name[node]))
		return false;
	errno = 0;
	number = strtoul(name + node, &end, 10);
	*job = (uint32_t)number;
	return errno == 0 && *end == '\0' && number <= UINT32_MAX;
}

static void make_asker_name(char *name, size_t size,
			    const struct lxfw_share_dir *dir)
{
	snprintf(name, size, "%.*sasker", (int)node_length(dir), dir->name);
}

static bool make_name(char *name, size_t size, const char *node, uint32_t job)
{
	int length = snprintf(name, size, "%s.%" PRIu32, node, job);

	return is_name(name, length, size);
}

/* Returns true for one of the folder's files or a temporary file NAME.PID. */
static bool is_file(const char *name)
{
	size_t i;

	for (i = 0; i < FILES; i++) {
		size_t length = strlen(files[i]);

		if (strncmp(name, files[i], length) == 0 &&
		    (name[length] == '\0' || name[length] == '.'))
			return true;
	}
	return false;
}

static DIR *list_folder(int folder)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = copy < 0 ? NULL : fdopendir(copy);

	if (!list)
		close_file(&copy);
	return list;
}

/* Removes the known files in the folder and the folder. The caller holds the exclusive
   lock on `users`. */
static void remove_folder(int base, int folder, const char *name)
{
	DIR *list = list_folder(folder);
	const struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (is_file(entry->d_name))
			(void)unlinkat(folder, entry->d_name, 0);
	if (list)
		closedir(list);
	(void)unlinkat(base, name, AT_REMOVEDIR);
}

bool lxfw_share_dir_used(const char *base_path, const char *node, uint32_t job)
{
	char name[320];
	int base, folder = -1, users = -1;
	bool used = false;

	if (!make_name(name, sizeof(name), node, job))
		return false;
	base = open_folder(AT_FDCWD, base_path);
	if (base >= 0)
		folder = open_folder(base, name);
	if (folder >= 0)
		users = open_lock(folder, "users", 0);
	if (users >= 0)
		used = flock(users, LOCK_EX | LOCK_NB) < 0 &&
		       errno == EWOULDBLOCK;
	close_file(&users);
	close_file(&folder);
	close_file(&base);
	return used;
}

/* Returns true if the locked folder still has this name. */
static bool still_there(const struct lxfw_share_dir *dir)
{
	struct stat ours, named;

	return fstat(dir->folder, &ours) == 0 &&
	       fstatat(dir->base, dir->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_ino == named.st_ino && ours.st_dev == named.st_dev &&
	       fstat(dir->users, &ours) == 0 && ours.st_nlink > 0;
}

/* Opens the folder as one of its users. Returns 0, or -1 with errno, which is EAGAIN if
   the folder is being removed. */
static int join(struct lxfw_share_dir *dir)
{
	dir->folder = make_folder(dir->base, dir->name);
	if (dir->folder < 0)
		goto failed;
	dir->users = open_lock(dir->folder, "users", O_CREAT);
	if (dir->users < 0)
		goto failed;
	if (flock(dir->users, LOCK_SH | LOCK_NB) == 0 && still_there(dir))
		return 0;
	errno = EAGAIN;
failed:
	if (errno == ENOENT)
		errno = EAGAIN;
	close_file(&dir->users);
	close_file(&dir->folder);
	return -1;
}

int lxfw_share_dir_open(struct lxfw_share_dir *dir, const char *base,
			const char *node, uint32_t job)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int tries, length;

	*dir = (struct lxfw_share_dir){
		.base = -1, .folder = -1, .users = -1, .leader = -1,
		.asker = -1,
	};
	length = snprintf(dir->path, sizeof(dir->path), "%s/%s.%" PRIu32, base,
			  node, job);
	if (!make_name(dir->name, sizeof(dir->name), node, job) ||
	    (size_t)length >= sizeof(dir->path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	dir->base = make_folder(AT_FDCWD, base);
	if (dir->base < 0)
		return -1;
	for (tries = 0; tries < OPEN_TRIES; tries++) {
		if (join(dir) == 0)
			return 0;
		if (errno != EAGAIN)
			break;
		nanosleep(&pause, NULL);
	}
	return -1;
}

/* Returns the file with an exclusive lock, or -1 if another process holds the lock or
   has removed the file. */
static int take(int folder, const char *name)
{
	struct stat status;
	int file = open_lock(folder, name, O_CREAT);

	if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 &&
	    fstat(file, &status) == 0 && status.st_nlink > 0)
		return file;
	close_file(&file);
	return -1;
}

bool lxfw_share_dir_leads(struct lxfw_share_dir *dir)
{
	if (dir->leader < 0)
		dir->leader = take(dir->folder, "leader");
	return dir->leader >= 0;
}

bool lxfw_share_dir_asks(struct lxfw_share_dir *dir)
{
	char name[sizeof(dir->name) + 8];

	make_asker_name(name, sizeof(name), dir);
	if (dir->asker < 0)
		dir->asker = take(dir->base, name);
	return dir->asker >= 0;
}

/* Replaces a file atomically by TEXT. */
static int replace(int folder, const char *name, const char *text)
{
	size_t length = strlen(text);
	char fresh[64];
	bool good;
	int file, why;

	snprintf(fresh, sizeof(fresh), "%s.%ld", name, (long)getpid());
	(void)unlinkat(folder, fresh, 0);
	file = openat(folder, fresh,
		      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (file < 0)
		return -1;
	errno = 0;	/* a partial write does not set errno */
	good = write(file, text, length) == (ssize_t)length &&
	       fchmod(file, 0644) == 0;
	good = close(file) == 0 && good;
	if (good && renameat(folder, fresh, folder, name) == 0)
		return 0;
	why = good || errno ? errno : EIO;
	(void)unlinkat(folder, fresh, 0);
	errno = why;
	return -1;
}

int lxfw_share_dir_publish(const struct lxfw_share_dir *dir,
			   unsigned processors, const struct lxfw_cpus *cpus)
{
	char line[LXFW_CPU_LIST_TEXT + 16], list[LXFW_CPU_LIST_TEXT];

	snprintf(line, sizeof(line), "%u\n", processors);
	if (replace(dir->folder, "count", line) < 0 ||
	    lxfw_cpus_format(cpus, list, sizeof(list)) < 0)
		return -1;
	snprintf(line, sizeof(line), "%u %s\n", processors, list);
	return replace(dir->folder, "cpus", line);
}

static int write_down(int folder, const struct lxfw_node_share *share)
{
	char line[LXFW_CPU_LIST_TEXT + 16];

	if (lxfw_share_format(share, line, sizeof(line)) < 0)
		return -1;
	return replace(folder, "share", line);
}

int lxfw_share_dir_begin(const struct lxfw_share_dir *dir,
			 const struct lxfw_node_share *share,
			 const struct lxfw_cpus *cpus)
{
	if (write_down(dir->folder, share) < 0)
		return -1;
	return lxfw_share_dir_publish(dir, share->processors, cpus);
}

/* Reads the share recorded in another job's folder. */
static enum lxfw_share_answer read_other(int base, const char *name,
					 struct lxfw_node_share *share)
{
	int folder = open_folder(base, name);
	enum lxfw_share_answer answer;

	if (folder < 0)
		return LXFW_SHARE_NONE;
	answer = lxfw_share_read_file(folder, "share", share);
	close(folder);
	return answer;
}

enum lxfw_share_answer lxfw_share_dir_read(const struct lxfw_share_dir *dir,
					   struct lxfw_node_share *share)
{
	return lxfw_share_read_file(dir->folder, "share", share);
}

/* Closes the folder. Its last user removes it. */
static void leave(struct lxfw_share_dir *dir)
{
	if (dir->users >= 0 && flock(dir->users, LOCK_EX | LOCK_NB) == 0)
		remove_folder(dir->base, dir->folder, dir->name);
	close_file(&dir->users);
	close_file(&dir->folder);
}

int lxfw_share_dir_tell(const struct lxfw_share_dir *dir, uint32_t job,
			const struct lxfw_node_share *share)
{
	struct lxfw_share_dir other = {
		.base = dir->base, .folder = -1, .users = -1, .leader = -1,
		.asker = -1,
	};
	struct lxfw_node_share told;
	enum lxfw_share_answer answer;
	int result, why;

	snprintf(other.name, sizeof(other.name), "%.*s%" PRIu32,
		 (int)node_length(dir), dir->name, job);
	answer = read_other(other.base, other.name, &told);
	if (answer == LXFW_SHARE_NONE ||
	    (answer == LXFW_SHARE_READ && lxfw_share_equal(&told, share)))
		return 0;
	/* Join the folder as a user so that it is not removed meanwhile. */
	if (join(&other) < 0)
		return errno == EAGAIN ? 0 : -1;
	result = write_down(other.folder, share);
	why = errno;
	leave(&other);
	errno = why;
	return result;
}

void lxfw_share_dir_close(struct lxfw_share_dir *dir)
{
	char name[sizeof(dir->name) + 8];

	if (dir->asker >= 0) {
		make_asker_name(name, sizeof(name), dir);
		(void)unlinkat(dir->base, name, 0);
	}
	close_file(&dir->asker);
	close_file(&dir->leader);
	leave(dir);
	close_file(&dir->base);
}

static void sweep_one(int base, const char *name)
{
	int folder = open_folder(base, name), users;

	if (folder < 0)
		return;
	users = open_lock(folder, "users", 0);
	if (users >= 0 && flock(users, LOCK_EX | LOCK_NB) == 0)
		remove_folder(base, folder, name);
	else if (users < 0 && errno == ENOENT)
		/* Its step was killed before it had the lock. A step that is creating
		   the folder tries again. */
		(void)unlinkat(base, name, AT_REMOVEDIR);
	close_file(&users);
	close(folder);
}

/* Removes the file of a step that has ended. */
static void sweep_asker(const struct lxfw_share_dir *dir)
{
	char name[sizeof(dir->name) + 8];
	int asker;

	make_asker_name(name, sizeof(name), dir);
	asker = take(dir->base, name);
	if (asker >= 0)
		(void)unlinkat(dir->base, name, 0);
	close_file(&asker);
}

void lxfw_share_dir_sweep(const struct lxfw_share_dir *dir)
{
	DIR *base = list_folder(dir->base);
	const struct dirent *entry;
	uint32_t job;

	sweep_asker(dir);
	while (base && (entry = readdir(base)))
		if (is_job(dir, entry->d_name, &job))
			sweep_one(dir->base, entry->d_name);
	if (base)
		closedir(base);
}

int lxfw_share_dir_jobs(const struct lxfw_share_dir *dir,
			struct lxfw_job_share **jobs, size_t *count)
{
	struct lxfw_job_share *list = NULL;
	DIR *base = list_folder(dir->base);
	const struct dirent *entry;
	size_t size = 0, length = 0;
	uint32_t job;

	if (!base)
		return -1;
	while ((entry = readdir(base))) {
		if (!is_job(dir, entry->d_name, &job))
			continue;
		if (LXFW_GROW(list, size, length + 1)) {
			free(list);
			closedir(base);
			errno = ENOMEM;
			return -1;
		}
		list[length++] = (struct lxfw_job_share){
			.job = job, .answer = LXFW_SHARE_NONE,
		};
	}
	closedir(base);
	*jobs = list;
	*count = length;
	return 0;
}
