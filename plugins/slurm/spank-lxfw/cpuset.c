/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/cpuset.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Depth of groups below the job's: step, user, task, and those of a container. */
#define DEPTH_MAX 8

/* State of a walk through the groups. */
struct walk {
	const struct lxfw_given *given;
	struct lxfw_cpus job;	/* CPUs of the job's group before the walk */
	int changed;
	int why;		/* errno of the first failure, or 0 */
};

static const struct lxfw_cpus *share_of(const struct walk *walk)
{
	return &walk->given->shares[0];
}

static int open_cpus(const char *folder, int flags)
{
	char path[640];

	if (snprintf(path, sizeof(path), "%s/cpuset.cpus", folder) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, flags | O_CLOEXEC);
}

/* The group of a step that has just ended no longer exists. */
static void failed(struct walk *walk, int why)
{
	if (walk->why == 0 && why != ENOENT && why != ENODEV)
		walk->why = why;
}

/* Returns 0, or -1 with errno, which is ENOENT where there is no cpuset. */
static int read_cpus(const char *folder, struct lxfw_cpus *cpus)
{
	int file = open_cpus(folder, O_RDONLY);

	return file < 0 ? -1 : lxfw_cpus_read(cpus, file);
}

static void write_cpus(struct walk *walk, const char *folder,
		       const struct lxfw_cpus *cpus)
{
	char text[LXFW_CPU_LIST_TEXT];
	size_t length;
	bool good;
	int file;

	if (lxfw_cpus_format(cpus, text, sizeof(text)) < 0) {
		failed(walk, errno);
		return;
	}
	length = strlen(text);
	file = open_cpus(folder, O_WRONLY | O_TRUNC);
	errno = file < 0 ? errno : 0;	/* a partial write does not set errno */
	good = file >= 0 && write(file, text, length) == (ssize_t)length;
	if (!good)
		failed(walk, errno ? errno : EIO);
	if (file >= 0)
		close(file);
	walk->changed += good;
}

/* Adds the share to the group's CPUs HAS. */
static void widen(struct walk *walk, const char *folder,
		  const struct lxfw_cpus *has)
{
	struct lxfw_cpus both = *has;

	lxfw_cpus_unite(&both, share_of(walk));
	if (!lxfw_cpus_equal(&both, has))
		write_cpus(walk, folder, &both);
}

static bool is_folder(struct walk *walk, const char *folder,
		      const struct dirent *entry, char *path, size_t size)
{
	struct stat status;

	if (entry->d_name[0] == '.' ||
	    snprintf(path, size, "%s/%s", folder, entry->d_name) >= (int)size)
		return false;
	if (lstat(path, &status) == 0)
		return S_ISDIR(status.st_mode);
	failed(walk, errno);
	return false;
}

static bool follows(const struct walk *walk, const struct lxfw_cpus *has)
{
	if (lxfw_cpus_equal(has, share_of(walk)))
		return false;
	return lxfw_cpus_equal(has, &walk->job) ||
	       lxfw_given_follows(walk->given, has);
}

/* In cgroup v1 a group's CPUs must always be a subset of its parent's. Therefore groups
   are widened from the top down and then narrowed from the bottom up. In v2 a group
   with an empty list uses its parent's CPUs. */
static void visit(struct walk *walk, const char *folder, int depth, bool must)
{
	struct lxfw_cpus has;
	const struct dirent *entry;
	char below[576];
	DIR *groups;

	if (read_cpus(folder, &has) < 0) {
		failed(walk, errno);
		return;
	}
	must = lxfw_cpus_count(&has) && (must || follows(walk, &has));
	if (must)
		widen(walk, folder, &has);
	groups = depth < DEPTH_MAX ? opendir(folder) : NULL;
	if (!groups && depth < DEPTH_MAX)
		failed(walk, errno);
	while (groups && (entry = readdir(groups)))
		if (is_folder(walk, folder, entry, below, sizeof(below)))
			visit(walk, below, depth + 1, false);
	if (groups)
		closedir(groups);
	if (must && !lxfw_cpus_within(&has, share_of(walk)))
		write_cpus(walk, folder, share_of(walk));
}

int lxfw_cpuset_apply(const struct lxfw_cpuset *cpuset,
		      struct lxfw_given *given)
{
	struct walk walk = { .given = given };
	struct lxfw_cpus user;

	if (!cpuset->folder[0] || given->count == 0)
		return 0;
	if (read_cpus(cpuset->folder, &walk.job) < 0)
		return errno == ENOENT || errno == ENODEV ? 0 : -1;
	if (cpuset->in_user) {
		char above[sizeof(cpuset->folder)];

		strcpy(above, cpuset->folder);
		*strrchr(above, '/') = '\0';
		if (read_cpus(above, &user) == 0)
			widen(&walk, above, &user);
		else
			failed(&walk, errno);
	}
	visit(&walk, cpuset->folder, 0,
	      !lxfw_cpus_equal(&walk.job, share_of(&walk)));
	if (walk.why) {
		lxfw_given_missed(given, &walk.job);
		errno = walk.why;
		return -1;
	}
	return walk.changed;
}

/* Returns true if this folder, whose name has LENGTH characters, is a group with a
   cpuset. */
static bool is_group(struct lxfw_cpuset *cpuset, int length)
{
	int file = -1;

	if (length > 0 && length < (int)sizeof(cpuset->folder))
		file = open_cpus(cpuset->folder, O_RDONLY);
	if (file < 0) {
		cpuset->folder[0] = '\0';
		return false;
	}
	close(file);
	return true;
}

/* NODE is the node name in the group's name, or "" if this is the host's only
   slurmd. */
static bool find_v1(struct lxfw_cpuset *cpuset, const char *mount,
		    const char *node, const struct lxfw_step *step)
{
	cpuset->in_user = true;
	return is_group(cpuset,
			snprintf(cpuset->folder, sizeof(cpuset->folder),
				 "%s/slurm%s%s/uid_%lu/job_%" PRIu32, mount,
				 *node ? "_" : "", node,
				 (unsigned long)step->user, step->job));
}

static bool find_v2(struct lxfw_cpuset *cpuset, const char *mount,
		    const char *node, const struct lxfw_step *step)
{
	cpuset->in_user = false;
	return is_group(cpuset,
			snprintf(cpuset->folder, sizeof(cpuset->folder),
				 "%s/system.slice/%s%sslurmstepd.scope/job_%" PRIu32,
				 mount, node, *node ? "_" : "", step->job));
}

/* Parses one line of the mount table: "source target type options ...". */
static bool find_below(struct lxfw_cpuset *cpuset, char *line,
		       const struct lxfw_step *step)
{
	char *rest = line, *mount, *type, *options;

	(void)strsep(&rest, " ");
	mount = strsep(&rest, " ");
	type = strsep(&rest, " ");
	options = strsep(&rest, " ");
	if (!options)
		return false;
	if (strcmp(type, "cgroup") == 0 && strstr(options, "cpuset"))
		return find_v1(cpuset, mount, step->node, step) ||
		       find_v1(cpuset, mount, "", step);
	return strcmp(type, "cgroup2") == 0 &&
	       (find_v2(cpuset, mount, step->node, step) ||
		find_v2(cpuset, mount, "", step));
}

bool lxfw_cpuset_find(struct lxfw_cpuset *cpuset, const char *mounts,
		      const struct lxfw_step *step)
{
	FILE *file = fopen(mounts, "re");
	char line[4096];
	bool found = false;

	*cpuset = (struct lxfw_cpuset){ .in_user = false };
	while (file && !found && fgets(line, sizeof(line), file))
		found = find_below(cpuset, line, step);
	if (file)
		fclose(file);
	return found;
}
