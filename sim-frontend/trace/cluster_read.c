/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Detects the kind of a cluster description and calls its reader. */
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/cluster_extras.h"

#include <string.h>
#include <strings.h>

#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/pbs_folder.h"
#include "sim-frontend/trace/qmgr.h"
#include "sim-frontend/trace/shipped.h"
#include "sim-frontend/util/text.h"

enum kind { TEXT, SLURM_CONF, NODES, PBS };

static bool has_word(const char *line, size_t length, const char *word)
{
	return memmem(line, length, word, strlen(word));
}

/* Determines the kind from a line with content, given from its first word. */
static enum kind kind_of_line(const char *line, size_t length)
{
	size_t word = 0;

	while (word < length && line[word] != ' ' && line[word] != '\t')
		word++;
	if (*line == '{')
		return NODES;
	if (lxfw_qmgr_recognizes(line, length))
		return PBS;
	if (word > 9 && memcmp(line, "NodeName=", 9) == 0 &&
	    has_word(line, length, " CPUAlloc="))
		return NODES;
	if (memchr(line, '=', word) ||
	    (word == 7 && strncasecmp(line, "include", 7) == 0))
		return SLURM_CONF;
	return TEXT;
}

/* Determines the kind from the first lines with content. CPUAlloc of scontrol may be
   on the second line. */
static int find_kind(const char *path, enum kind *kind,
		     struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	bool first = true;
	char *line;
	size_t length;
	int got;

	if (!input)
		return -1;
	*kind = TEXT;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		size_t begin = strspn(line, " \t");

		if (!first) {
			if (begin > 0 && begin + 9 < length &&
			    memcmp(line + begin, "CPUAlloc=", 9) == 0)
				*kind = NODES;
			break;
		}
		if (begin >= length || line[begin] == '#')
			continue;
		first = false;
		*kind = kind_of_line(line + begin, length - begin);
		if (*kind != SLURM_CONF)
			break;
	}
	if (got == 0 && first)
		got = lxfw_error_at(error, path,
				    lxfw_input_line_number(input) + 1,
				    "no hosts in the file, expected lines "
				    "such as 'n[0-7] procs=16 memory=64G' or "
				    "a slurm.conf");
	lxfw_input_close(input);
	return got < 0 ? -1 : 0;
}

static int read_nodes(struct lxfw_cluster *cluster, const char *path,
		      struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	int result = input ? lxfw_cluster_read_nodes(cluster, input, error) : -1;

	lxfw_input_close(input);
	return result;
}

int lxfw_cluster_read(struct lxfw_cluster *cluster, const char *description,
		      struct lxfw_error *error)
{
	enum kind kind = TEXT;
	int result;

	*cluster = (struct lxfw_cluster) { 0 };
	if (strncmp(description, "procs=", 6) == 0) {
		const char *number = description + 6;
		int64_t procs;
		char quoted[40];

		if (lxfw_text_integer(number, strlen(number), 1, INT32_MAX,
				      &procs))
			return lxfw_error_format(error,
				"invalid procs=%s, expected procs=1 to "
				"procs=%d", lxfw_text_quote(quoted,
				sizeof(quoted), number, strlen(number)),
				INT32_MAX);
		return lxfw_cluster_procs(cluster, (int32_t)procs, error);
	}
	result = 0;
	if (lxfw_pbs_folder_is(description))
		kind = PBS;
	else if (!lxfw_shipped_has(description, "cluster"))
		result = find_kind(description, &kind, error);
	if (result == 0)
		result = kind == NODES ?
			read_nodes(cluster, description, error) :
			kind == PBS ?
			lxfw_cluster_read_pbs(cluster, description, error) :
			kind == SLURM_CONF ?
			lxfw_cluster_read_slurm(cluster, description, error) :
			lxfw_cluster_read_text(cluster, description, error);
	if (result == 0 && lxfw_cluster_settle(cluster))
		result = lxfw_error_system(error, description);
	if (result)
		lxfw_cluster_clear(cluster);
	return result;
}
