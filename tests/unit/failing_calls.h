/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that fail on request. This header is included before all others
 * (-include) in the sources under test, as failing.h.
 */
#ifndef LXFW_TESTS_FAILING_CALLS_H
#define LXFW_TESTS_FAILING_CALLS_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Make the NTH call from now on fail with errno WHY, and no other one; 0 = none. If WHY
   is 0, the NTH write is a short one: half of the data is written. */
void calls_arm(int nth, int why);

/* Disarm; whether one has failed since that was armed. */
bool calls_disarm(void);

/* Has this call to fail? errno is set then. */
bool calls_fail(void);

ssize_t calls_write(int file, const void *bytes, size_t length);

/* No process that is begun meanwhile is to have the file. Ends the test where FLAGS do
   not say so. */
int calls_closing(int flags, ...);

/* How many files the process has open, as far as that can be compared. Keeps
   errno. */
int calls_open_files(void);

/* Closes the file even so, as the kernel does. */
int calls_close(int file);

/* A control group's file is as it was until it is written. */
#define open(path, ...)      \
	(calls_fail() ? -1 : \
	 open(path, calls_closing(__VA_ARGS__) & ~O_TRUNC, 0600))
#define openat(at, path, ...)                            \
	(calls_closing(__VA_ARGS__) == 0 || calls_fail() \
		 ? -1 : openat(at, path, __VA_ARGS__))
#define read(...) (calls_fail() ? -1 : read(__VA_ARGS__))
#define write(file, bytes, length) calls_write(file, bytes, length)
#define close(file) calls_close(file)
#define opendir(path) (calls_fail() ? NULL : opendir(path))
#define fdopendir(file) (calls_fail() ? NULL : fdopendir(file))
#define flock(...) (calls_fail() ? -1 : flock(__VA_ARGS__))
#define fstat(...) (calls_fail() ? -1 : fstat(__VA_ARGS__))
#define lstat(...) (calls_fail() ? -1 : lstat(__VA_ARGS__))
#define fstatat(...) (calls_fail() ? -1 : fstatat(__VA_ARGS__))
#define fsync(file) (calls_fail() ? -1 : fsync(file))
#define rename(...) (calls_fail() ? -1 : rename(__VA_ARGS__))
#define fchmod(...) (calls_fail() ? -1 : fchmod(__VA_ARGS__))
#define mkdirat(...) (calls_fail() ? -1 : mkdirat(__VA_ARGS__))
#define renameat(...) (calls_fail() ? -1 : renameat(__VA_ARGS__))
#define unlinkat(...) (calls_fail() ? -1 : unlinkat(__VA_ARGS__))

#endif
