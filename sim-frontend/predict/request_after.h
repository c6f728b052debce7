/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs on which a request depends, in the form of sbatch's -d: "afterok:12:13_4,after:14+5". It starts
 * after the end of those of afterok and afterany, and a number of minutes after the start of those of
 * after.
 */
#ifndef LXFW_PREDICT_REQUEST_AFTER_H
#define LXFW_PREDICT_REQUEST_AFTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LXFW_REQUEST_AFTERS 8

enum lxfw_request_after_kind {
	LXFW_REQUEST_AFTER_OK,		/* its success */
	LXFW_REQUEST_AFTER_ANY,		/* its end */
	LXFW_REQUEST_AFTER_START,
};

struct lxfw_request_after {
	enum lxfw_request_after_kind kind;
	int64_t job;
	int64_t task;		/* -1: it is no array, or all of its tasks are meant */
	int64_t delay;		/* seconds, after its start */
};

/* Reads a list of at most LXFW_REQUEST_AFTERS. Returns false if it is none, or has another kind: when
   jobs with it start is not known. */
bool lxfw_request_after_read(const char *text, struct lxfw_request_after *list, int *count);

/* Formats it as it is read; "" without any. A SIZE of 512 is sufficient. */
void lxfw_request_after_format(const struct lxfw_request_after *list, int count, char *text,
			       size_t size);

#endif
