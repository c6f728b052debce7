/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/share.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool lxfw_share_equal(const struct lxfw_node_share *a,
		      const struct lxfw_node_share *b)
{
	return a->processors == b->processors &&
	       lxfw_cpus_equal(&a->cores, &b->cores);
}

int lxfw_share_parse(struct lxfw_node_share *share, const char *line)
{
	struct lxfw_node_share read;
	unsigned long processors;
	char *end;

	if (!isdigit((unsigned char)*line)) {
		errno = EINVAL;
		return -1;
	}
	errno = 0;
	processors = strtoul(line, &end, 10);
	if (errno || processors > LXFW_CPU_LIMIT) {
		errno = ERANGE;
		return -1;
	}
	if (*end != ' ' || processors == 0) {
		errno = EINVAL;
		return -1;
	}
	if (lxfw_cpus_parse(&read.cores, end + 1) < 0)
		return -1;
	if (lxfw_cpus_count(&read.cores) == 0) {
		errno = EINVAL;
		return -1;
	}
	read.processors = (unsigned)processors;
	*share = read;
	return 0;
}

int lxfw_share_format(const struct lxfw_node_share *share, char *line, size_t size)
{
	char list[LXFW_CPU_LIST_TEXT];
	int length;

	if (lxfw_cpus_format(&share->cores, list, sizeof(list)) < 0)
		return -1;
	length = snprintf(line, size, "%u %s\n", share->processors, list);
	if (length < 0 || (size_t)length >= size) {
		errno = ENOSPC;
		return -1;
	}
	return 0;
}

enum lxfw_share_answer lxfw_share_read_file(int directory, const char *path,
					    struct lxfw_node_share *share)
{
	char line[LXFW_CPU_LIST_TEXT + 16];
	int file = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length;

	if (file < 0)
		return errno == ENOENT ? LXFW_SHARE_NONE : LXFW_SHARE_AWAY;
	length = read(file, line, sizeof(line) - 1);
	close(file);
	if (length < 0)
		return LXFW_SHARE_AWAY;
	/* A truncated line might contain fewer CPUs than the share has. */
	if ((size_t)length == sizeof(line) - 1) {
		errno = EFBIG;
		return LXFW_SHARE_AWAY;
	}
	line[length] = '\0';
	return lxfw_share_parse(share, line) < 0 ? LXFW_SHARE_AWAY :
						   LXFW_SHARE_READ;
}
