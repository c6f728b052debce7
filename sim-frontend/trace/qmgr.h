/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands of qmgr(1B) of OpenPBS, as `qmgr -c 'print server'`, `print node @default` and
 * `print sched` write them:
 *
 *   # comment
 *   create queue high
 *   set queue high max_run_res.ncpus = [u:PBS_GENERIC=64]
 *   create node v0 Mom=host
 *   set server acl_roots += anna
 *
 * Several attributes of a line are separated by commas, and values may be in quotes. The
 * contents of hooks ("import hook ...") are skipped.
 */
#ifndef LXFW_TRACE_QMGR_H
#define LXFW_TRACE_QMGR_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

enum lxfw_qmgr_verb {
	LXFW_QMGR_CREATE,
	LXFW_QMGR_SET,
	LXFW_QMGR_UNSET,
	LXFW_QMGR_OTHER,	/* delete, import, ... */
};

enum lxfw_qmgr_object {
	LXFW_QMGR_SERVER,
	LXFW_QMGR_QUEUE,
	LXFW_QMGR_NODE,
	LXFW_QMGR_SCHED,
	LXFW_QMGR_RESOURCE,
	LXFW_QMGR_HOOK,
};

/* Strings are valid during the call. */
struct lxfw_qmgr_setting {
	enum lxfw_qmgr_verb verb;
	enum lxfw_qmgr_object object;
	const char *name;	/* of the object; "" for the server and the default
				   scheduler */
	const char *attribute;	/* NULL: of a creation, which its attributes follow */
	const char *value;	/* without quotes; "" for unset */
	bool adds;		/* += */
	const char *path;
	long line;
};

/* Called for each attribute, and before that for a creation; once for other commands. A
   return value other than
   0, with WRONG set without a file name, ends the reading. */
typedef int lxfw_qmgr_fn(void *context, const struct lxfw_qmgr_setting *setting,
			 struct lxfw_error *wrong);

/* Reads the file. Returns 0, or -1 with errno and ERROR set, "PATH:LINE: ...". */
int lxfw_qmgr_read(const char *path, lxfw_qmgr_fn *take, void *context,
		   struct lxfw_error *error);

/* The same for the rest of INPUT. */
struct lxfw_input;
int lxfw_qmgr_lines(struct lxfw_input *input, lxfw_qmgr_fn *take, void *context,
		    struct lxfw_error *error);

/* Whether a line is a command of qmgr. */
bool lxfw_qmgr_recognizes(const char *line, size_t length);

/* The word for an object, "queue". */
const char *lxfw_qmgr_word(enum lxfw_qmgr_object object);

#endif
