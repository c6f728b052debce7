/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slurm.conf and the files that it includes, in memory. Each file is read once, when it is
 * first needed, and can then be changed: a value is replaced in place, and the rest of the
 * line, comments included, stays as it is.
 */
#ifndef LXFW_TRACE_SLURM_FILES_H
#define LXFW_TRACE_SLURM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/util/error.h"

struct lxfw_slurm_text {
	char *at;		/* each line ends in '\n' */
	size_t length;
};

struct lxfw_slurm_file {
	char *path;
	struct lxfw_slurm_text was, now;	/* as it was read, and as it was changed */
	bool returns;		/* each line ended in a carriage return, which is left out */
};

/* Returns the length of the mark at the beginning of TEXT (LXFW_INPUT_MARK), or 0. Slurm takes it
   for a part of the first key. */
size_t lxfw_slurm_mark(const struct lxfw_slurm_text *text);

/* An Include line of the last reading. */
struct lxfw_slurm_include {
	char *from;
	long line;
	char *path;
};

/* {0} is empty. */
struct lxfw_slurm_files {
	struct lxfw_slurm_file *items;
	size_t count, size;
	struct lxfw_slurm_include *includes;
	size_t include_count, include_size;
	bool elsewhere;		/* set by the caller: what is printed is for another folder, so
				   the names of included files are absolute */
};

struct lxfw_input;

/* Opens the present text of the file at PATH. Returns NULL with errno and ERROR set. */
struct lxfw_input *lxfw_slurm_files_open(struct lxfw_slurm_files *files, const char *path,
					 struct lxfw_error *error);
struct lxfw_slurm_file *lxfw_slurm_files_find(const struct lxfw_slurm_files *files,
					      const char *path);
void lxfw_slurm_files_clear(struct lxfw_slurm_files *files);

/* Notes that LINE of the file FROM includes PATH; clears these notes. For slurm_lines.c. */
int lxfw_slurm_files_included(struct lxfw_slurm_files *files, const char *from, long line,
			      const char *path);
void lxfw_slurm_files_begin(struct lxfw_slurm_files *files);

/* Prints FILE, with the files in which something was changed in place of their Include
   lines. */
void lxfw_slurm_files_print(const struct lxfw_slurm_files *files,
			    const struct lxfw_slurm_file *file, FILE *out);

/* Whether the file was changed. */
bool lxfw_slurm_file_changed(const struct lxfw_slurm_file *file);

/*
 * Change the logical line that begins on line NUMBER. lxfw_slurm_file_set() replaces the value
 * of the last KEY of the line, or adds KEY=VALUE to it. lxfw_slurm_file_drop() removes the
 * first KEY; a line that has no other is made a comment. lxfw_slurm_file_add() adds LINE after
 * the last line with a setting of the cluster that precedes all nodes and partitions.
 * lxfw_slurm_file_comment() makes the line a comment, and lxfw_slurm_file_unmark() removes the
 * mark at the beginning of the file. Return
 * 0, or -1 with errno set: ENOMEM, or EINVAL if there is no such line or key.
 */
int lxfw_slurm_file_set(struct lxfw_slurm_file *file, long number, const char *key,
			const char *value);
int lxfw_slurm_file_drop(struct lxfw_slurm_file *file, long number, const char *key);
int lxfw_slurm_file_comment(struct lxfw_slurm_file *file, long number);
int lxfw_slurm_file_unmark(struct lxfw_slurm_file *file);
int lxfw_slurm_file_add(struct lxfw_slurm_file *file, const char *line);

/* lxfw_cluster_read_slurm() of cluster.h with these files. */
struct lxfw_cluster;
int lxfw_cluster_read_slurm_in(struct lxfw_cluster *cluster, struct lxfw_slurm_files *files,
			       const char *path, struct lxfw_error *error);

#endif
