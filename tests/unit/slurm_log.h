/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Included before a source of the bridge that needs nothing of Slurm but its log, in
 * place of plugins/slurm/compat/compat.h. The test defines these functions. What a
 * file system has left, what happens before a file is locked, and what becomes of
 * writes is what the test says.
 */
#ifndef LXFW_TESTS_SLURM_LOG_H
#define LXFW_TESTS_SLURM_LOG_H

#define LXFW_SLURM_COMPAT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdbool.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

void error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define fstatvfs unit_fstatvfs
int unit_fstatvfs(int descriptor, struct statvfs *room);

#define flock unit_flock
int unit_flock(int descriptor, int operation);

#define write unit_write
ssize_t unit_write(int descriptor, const void *bytes, size_t length);

#define ftruncate unit_ftruncate
int unit_ftruncate(int descriptor, off_t length);

#endif
