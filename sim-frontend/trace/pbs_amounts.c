/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/pbs_amounts.h"

#include <string.h>

#include "sim-frontend/trace/pbs_text.h"

static int64_t or_zero(int64_t number)
{
	return number > 0 ? number : 0;
}

/* Returns the sum of what follows KEY in "4:ppn=8:avx+1:ppn=2" or "2:ncpus=8:mem=4gb+host7", of
   which a chunk without KEY has LEAST; 0 if there are none. */
static int64_t asked(struct lxfw_slice list, const char *key, int64_t least)
{
	int64_t sum = 0;

	while (list.length > 0) {
		struct lxfw_slice chunk = lxfw_pbs_part(&list, '+');
		struct lxfw_slice rest = chunk, first = lxfw_pbs_part(&rest, ':');
		int64_t times = 1, each = lxfw_pbs_number_in(chunk, key);

		if (!lxfw_slice_integer(first, 0, INT32_MAX, &times))
			times = 1;
		sum += times * (each < 0 ? least : each);
		if (sum > INT32_MAX)
			return INT32_MAX;
	}
	return sum;
}

/* Returns the number of processors of "0*8", "0-3,5" or "7", the text after the name
   of a host: each number is that of a slot. */
static int64_t slot_procs(struct lxfw_slice slots)
{
	int64_t procs = 0, n[2];

	while (slots.length > 0) {
		struct lxfw_slice item = lxfw_pbs_part(&slots, ',');

		if (lxfw_slice_numbers(item, "0*0", n))
			procs += n[1];
		else if (lxfw_slice_numbers(item, "0-0", n) && n[1] >= n[0])
			procs += n[1] - n[0] + 1;
		else
			procs++;
		if (procs > INT32_MAX)
			return INT32_MAX;
	}
	return procs > 0 ? procs : 1;
}

/* Sums of a list: its slots, and its numbers taken for amounts, -1 if it has others. */
struct sums {
	int64_t slots, amounts;
};

static struct sums sums_of(struct lxfw_slice list)
{
	struct sums sums = { 0 };
	int64_t amount;

	while (list.length > 0) {
		struct lxfw_slice slots = lxfw_pbs_part(&list, '+');

		lxfw_pbs_part(&slots, '/');
		sums.slots += slot_procs(slots);
		if (sums.amounts >= 0 && lxfw_slice_integer(slots, 1, INT32_MAX, &amount))
			sums.amounts += amount;
		else
			sums.amounts = -1;
	}
	return sums;
}

/* Returns the processors behind the name of a host in exec_host if the whole job had TOTAL. */
static int64_t share_of(struct lxfw_slice slots, const struct sums *sums, int64_t total)
{
	int64_t procs = slot_procs(slots);

	if (total <= sums->slots)
		return procs;
	if (sums->amounts == total)
		lxfw_slice_integer(slots, 1, INT32_MAX, &procs);
	else
		procs = (procs * total + sums->slots - 1) / sums->slots;
	return procs;
}

/* A list of hosts that is being read. */
struct host_list {
	struct lxfw_slice rest;
	bool vnodes, memory, gpus;	/* a list of vnodes, which states these amounts */
	bool opens;			/* the part is the first one of a chunk */
	int64_t total;			/* processors of the job */
	struct sums sums;
};

/* Reads the next part of the list. Returns the name of the host, empty if there is none. */
static struct lxfw_slice read_part(struct host_list *list, struct lxfw_account_host *part)
{
	struct lxfw_slice text = lxfw_pbs_part(&list->rest, '+'), name;

	list->opens = text.length > 0 && *text.at == '(';
	while (text.length > 0 && *text.at == '(')
		text.at++, text.length--;
	while (text.length > 0 && text.at[text.length - 1] == ')')
		text.length--;
	name = lxfw_pbs_part(&text, list->vnodes ? ':' : '/');
	part->procs = list->vnodes ? lxfw_pbs_number_in(text, "ncpus=") :
				     share_of(text, &list->sums, list->total);
	part->memory_kb = list->memory ? lxfw_pbs_size_in(text, "mem=") : -1;
	part->gpus = list->gpus ? or_zero(lxfw_pbs_number_in(text, "ngpus=")) : -1;
	return name;
}

/* Adds an amount, -1 if it is not stated. */
static void add_stated(int64_t *to, int64_t amount)
{
	if (amount >= 0)
		*to = or_zero(*to) + amount;
}

static void add_amounts(struct lxfw_account_host *to, const struct lxfw_account_host *part)
{
	add_stated(&to->memory_kb, part->memory_kb);
	add_stated(&to->gpus, part->gpus);
}

/*
 * A chunk in parentheses may have vnodes without processors, such as those of GPUs. All vnodes of
 * a chunk are on one host: what it has of these counts with its vnode before, or the one that
 * follows.
 */
struct chunk {
	bool has_procs;			/* a vnode with processors precedes */
	struct lxfw_account_host apart;	/* amounts of the vnodes before it */
};

static const struct chunk new_chunk = { false, { .memory_kb = -1, .gpus = -1 } };

/* Returns whether the part is a vnode with processors. Its amounts then include those of the
   vnodes without, otherwise they are added to HELD or kept. */
static bool take_part(struct chunk *chunk, struct lxfw_account_host *part,
		      struct lxfw_account_host *held)
{
	if (part->procs > 0) {
		add_amounts(part, &chunk->apart);
		*chunk = new_chunk;
		chunk->has_procs = true;
		return true;
	}
	add_amounts(chunk->has_procs ? held : &chunk->apart, part);
	return false;
}

int lxfw_pbs_each_host(struct lxfw_slice text, int64_t total, lxfw_account_host_fn *host,
		       void *context)
{
	bool vnodes = text.length > 0 && *text.at == '(';
	struct host_list list = {
		.rest = text, .vnodes = vnodes, .total = total,
		.memory = vnodes && memmem(text.at, text.length, ":mem=", 5),
		.gpus = vnodes && memmem(text.at, text.length, ":ngpus=", 7),
		.sums = vnodes || total <= 0 ? (struct sums) { INT64_MAX, -1 } : sums_of(text),
	};
	char name[256] = "";
	struct lxfw_account_host held = { .name = name };
	struct chunk chunk = new_chunk;

	while (list.rest.length > 0) {
		struct lxfw_account_host part;
		struct lxfw_slice of = read_part(&list, &part);
		int result = 0;

		if (list.opens)
			chunk = new_chunk;
		if (of.length == 0 || of.length >= sizeof(name) ||
		    !take_part(&chunk, &part, &held))
			continue;
		/* Torque has a part for each slot up to 4.2 */
		if (lxfw_slice_is(of, name)) {
			held.procs += part.procs;
			add_amounts(&held, &part);
			continue;
		}
		if (held.procs > 0)
			result = host(context, &held);
		if (result)
			return result;
		held.procs = part.procs;
		held.memory_kb = part.memory_kb;
		held.gpus = part.gpus;
		memcpy(name, of.at, of.length);
		name[of.length] = '\0';
	}
	return held.procs > 0 ? host(context, &held) : 0;
}

static int64_t requested_number(struct lxfw_slice text, const char *key)
{
	int64_t number;

	return lxfw_slice_integer(lxfw_pbs_value(text, key), 0, INT32_MAX, &number) ? number : 0;
}

void lxfw_pbs_cray(struct lxfw_slice text, int64_t *procs, int64_t *hosts)
{
	int64_t size = requested_number(text, "Resource_List.size");
	int64_t width = requested_number(text, "Resource_List.mppwidth");
	int64_t depth = requested_number(text, "Resource_List.mppdepth");
	int64_t each = requested_number(text, "Resource_List.mppnppn");

	*procs = width * (depth > 0 ? depth : 1);
	if (size > *procs)
		*procs = size;
	if (*procs > INT32_MAX)
		*procs = INT32_MAX;
	*hosts = width > 0 && each > 0 ? (width + each - 1) / each : 0;
}

int64_t lxfw_pbs_requested_procs(struct lxfw_slice text)
{
	int64_t procs = asked(lxfw_pbs_value(text, "Resource_List.select"), "ncpus=", 1);
	int64_t cray, hosts;

	lxfw_pbs_cray(text, &cray, &hosts);
	if (procs < cray)
		procs = cray;
	if (procs == 0)
		procs = asked(lxfw_pbs_value(text, "Resource_List.nodes"), "ppn=", 1);
	if (procs == 0 &&
	    !lxfw_slice_integer(lxfw_pbs_value(text, "Resource_List.procs"), 0, INT32_MAX,
				&procs) &&
	    !lxfw_slice_integer(lxfw_pbs_value(text, "Resource_List.ncpus"), 0, INT32_MAX,
				&procs))
		procs = -1;
	return procs;
}

int64_t lxfw_pbs_held_gpus(struct lxfw_slice text)
{
	struct lxfw_slice list = lxfw_pbs_value(text, "exec_vnode");
	int64_t gpus = 0;

	while (list.length > 0) {
		struct lxfw_slice part = lxfw_pbs_part(&list, '+');
		int64_t number;

		while (part.length > 0 && part.at[part.length - 1] == ')')
			part.length--;
		number = lxfw_pbs_number_in(part, "ngpus=");
		gpus += number > 0 ? number : 0;
	}
	if (gpus == 0)
		lxfw_slice_integer(lxfw_pbs_value(text, "Resource_List.ngpus"), 0, INT32_MAX,
				   &gpus);
	if (gpus == 0)		/* Torque: 2:ppn=4:gpus=1 */
		gpus = asked(lxfw_pbs_value(text, "Resource_List.nodes"), "gpus=", 0);
	return gpus > INT32_MAX ? INT32_MAX : gpus;
}

int64_t lxfw_pbs_requested_memory(struct lxfw_slice text, int64_t procs)
{
	int64_t kb = lxfw_pbs_size(text, "Resource_List.mem");

	if (kb >= 0)
		return kb;
	kb = lxfw_pbs_size(text, "Resource_List.pmem");
	return kb > 0 && procs > 0 ? lxfw_account_memory(kb, procs) : 0;
}
