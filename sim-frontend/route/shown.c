/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/shown.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Fields that are the same if the requests are. */
static const char *const compared[] = {
	" JobName=", " UserId=", " GroupId=", " Account=", " QOS=", " TimeLimit=",
	" Partition=", " NumCPUs=", " NumTasks=", " CPUs/Task=", " MinMemoryNode=",
	" MinMemoryCPU=", " Features=", " WorkDir=", " Nice=", " Requeue=", " Dependency=",
	" Reservation=", " Licenses=", " OverSubscribe=", " Contiguous=", " TresPerNode=",
};

/* Part of a text. NULL: it is not there. */
struct part {
	const char *text;
	size_t length;
};

/* The part of WHOLE after NAME, up to one of END. */
static struct part part_after(struct part whole, const char *name, const char *end)
{
	const char *at = whole.text ? memmem(whole.text, whole.length, name, strlen(name)) : NULL;
	struct part part = { NULL, 0 };

	if (!at)
		return part;
	part.text = at + strlen(name);
	whole.length -= (size_t)(part.text - whole.text);
	while (part.length < whole.length && !strchr(end, part.text[part.length]))
		part.length++;
	return part;
}

static struct part field(const char *text, const char *name)
{
	return part_after((struct part) { text, strlen(text) }, name, " \n");
}

static bool is_same(struct part a, struct part b)
{
	if (!a.text || !b.text)
		return !a.text && !b.text;
	return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* The next part of the text with this name after PART. */
static struct part next(const char *text, const char *name, struct part part)
{
	return field(part.text ? part.text + part.length : text, name);
}

/* Whether all parts with this name are the same. A name or a comment of the user may contain one,
   and that of Slurm is among them wherever it is. */
static bool are_same(const char *old, const char *copy, const char *name)
{
	struct part a = { NULL, 0 }, b = { NULL, 0 };

	do {
		a = next(old, name, a);
		b = next(copy, name, b);
		if (!is_same(a, b))
			return false;
	} while (a.text);
	return true;
}

/* The least number of nodes that a job requests. The one of NumNodes is Slurm's guess once Slurm
   has tried to start the job; a restart forgets it. TRES (22.05) and ReqTRES also have a value of
   "billing", which the configuration of each cluster makes. */
static struct part least_nodes(const char *text)
{
	struct part resources = field(text, " ReqTRES=");

	if (!resources.text)
		resources = field(text, " TRES=");
	return part_after(resources, "node=", ",");
}

/* Not there if there is no bound, and in some states of a job that Slurm has tried to start. */
static struct part most_nodes(const char *text)
{
	return part_after(field(text, " NumNodes="), "-", "");
}

const char *lxfw_route_shown_difference(const char *old, const char *copy)
{
	struct part most = most_nodes(old), copied = most_nodes(copy);

	for (size_t i = 0; i < sizeof(compared) / sizeof(*compared); i++)
		if (!are_same(old, copy, compared[i]))
			return compared[i] + 1;
	if (!is_same(least_nodes(old), least_nodes(copy)) ||
	    (most.text && copied.text && !is_same(most, copied)))
		return "NumNodes=";
	return NULL;
}
