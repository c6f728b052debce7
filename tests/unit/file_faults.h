/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Included before a source that writes files. The test defines these functions to
 * simulate the free space of a file system, changes before a file is locked, groups of
 * which the process is no member, and short or failed writes.
 */
#ifndef LXFW_TESTS_FILE_FAULTS_H
#define LXFW_TESTS_FILE_FAULTS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define fstatvfs unit_fstatvfs
int unit_fstatvfs(int descriptor, struct statvfs *room);

#define flock unit_flock
int unit_flock(int descriptor, int operation);

#define write unit_write
ssize_t unit_write(int descriptor, const void *bytes, size_t length);

#define fchown unit_fchown
int unit_fchown(int descriptor, uid_t owner, gid_t group);

#define ftruncate unit_ftruncate
int unit_ftruncate(int descriptor, off_t length);

#endif
