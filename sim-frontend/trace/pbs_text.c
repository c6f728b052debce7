/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/pbs_text.h"

#include <string.h>

/* Returns the value of KEY in "key=value key=(value)", empty if absent. */
struct lxfw_slice lxfw_pbs_value(struct lxfw_slice text, const char *key)
{
	const char *at = text.at, *end = text.at + text.length;
	size_t size = strlen(key);

	while (at && at < end) {
		const char *found = memmem(at, (size_t)(end - at), key, size);
		struct lxfw_slice value;

		if (!found)
			break;
		at = found + size;
		if ((found > text.at && found[-1] != ' ') || at >= end ||
		    *at != '=')
			continue;
		value.at = ++at;
		while (at < end && *at != ' ')
			at++;
		value.length = (size_t)(at - value.at);
		return value;
	}
	return (struct lxfw_slice) { 0 };
}

/* Removes the part of LIST up to the next STOP and returns it. */
struct lxfw_slice lxfw_pbs_part(struct lxfw_slice *list, char stop)
{
	struct lxfw_slice part = { list->at, 0 };

	while (part.length < list->length && part.at[part.length] != stop)
		part.length++;
	list->at += part.length;
	list->length -= part.length;
	if (list->length > 0)
		list->at++, list->length--;
	return part;
}

/* Returns the number after KEY ("ncpus=") in "2:ncpus=8:mem=4gb"; -1 if absent. */
static int64_t number_in(struct lxfw_slice chunk, const char *key)
{
	size_t size = strlen(key);
	int64_t number;

	while (chunk.length > 0) {
		struct lxfw_slice item = lxfw_pbs_part(&chunk, ':');

		if (item.length <= size || memcmp(item.at, key, size) != 0)
			continue;
		item.at += size;
		item.length -= size;
		if (lxfw_slice_integer(item, 0, INT32_MAX, &number))
			return number;
	}
	return -1;
}

/* Returns the size after KEY ("mem=") in KB; 0 if absent. */
static int64_t size_in(struct lxfw_slice chunk, const char *key)
{
	int64_t kb;

	while (chunk.length > 0) {
		struct lxfw_slice item = lxfw_pbs_part(&chunk, ':');

		if (!lxfw_slice_begins(item, key))
			continue;
		item.at += strlen(key);
		item.length -= strlen(key);
		if (lxfw_slice_size(item, 1, &kb))
			return kb;
	}
	return 0;
}

static int64_t or_zero(int64_t number)
{
	return number > 0 ? number : 0;
}

/* Returns the processors of "4:ppn=8:avx+1:ppn=2" or "2:ncpus=8:mem=4gb+host7"; 0 if
   there are none. */
static int64_t asked_procs(struct lxfw_slice list, const char *key)
{
	int64_t procs = 0;

	while (list.length > 0) {
		struct lxfw_slice chunk = lxfw_pbs_part(&list, '+');
		struct lxfw_slice rest = chunk, first = lxfw_pbs_part(&rest, ':');
		int64_t times = 1, each = number_in(chunk, key);

		if (!lxfw_slice_integer(first, 0, INT32_MAX, &times))
			times = 1;
		procs += times * (each < 0 ? 1 : each);
		if (procs > INT32_MAX)
			return INT32_MAX;
	}
	return procs;
}

/* Returns the number of processors of "0*8", "0-3,5" or "7", the text after the name
   of a host. */
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

/* Calls HOST for each host in exec_vnode "(n[0]:ncpus=8:mem=4kb+n[1]:ncpus=8)+(...)"
   or exec_host "c1/0*13+c2/4". */
int lxfw_pbs_hosts(struct lxfw_slice list, lxfw_account_host_fn *host,
		     void *context)
{
	bool vnodes = list.length > 0 && *list.at == '(';
	bool memory = vnodes && memmem(list.at, list.length, ":mem=", 5);
	bool gpus = vnodes && memmem(list.at, list.length, ":ngpus=", 7);
	char name[256];

	while (list.length > 0) {
		struct lxfw_slice part = lxfw_pbs_part(&list, '+'), first;
		struct lxfw_account_host held = { .name = name };
		int result;

		while (part.length > 0 && *part.at == '(')
			part.at++, part.length--;
		while (part.length > 0 && part.at[part.length - 1] == ')')
			part.length--;
		first = lxfw_pbs_part(&part, vnodes ? ':' : '/');
		held.procs = vnodes ? number_in(part, "ncpus=") : slot_procs(part);
		if (first.length == 0 || first.length >= sizeof(name) ||
		    held.procs <= 0)
			continue;
		held.memory_kb = memory ? size_in(part, "mem=") : -1;
		held.gpus = gpus ? or_zero(number_in(part, "ngpus=")) : -1;
		memcpy(name, first.at, first.length);
		name[first.length] = '\0';
		result = host(context, &held);
		if (result)
			return result;
	}
	return 0;
}

/* Returns the processors requested, in any of the ways to request them. */
int64_t lxfw_pbs_procs(struct lxfw_slice text)
{
	int64_t procs = asked_procs(lxfw_pbs_value(text, "Resource_List.select"),
				    "ncpus=");

	if (procs == 0)
		procs = asked_procs(lxfw_pbs_value(text, "Resource_List.nodes"),
				    "ppn=");
	if (procs == 0 && !lxfw_slice_integer(
			lxfw_pbs_value(text, "Resource_List.ncpus"), 0, INT32_MAX,
			&procs))
		procs = -1;
	return procs;
}

/* Returns the GPUs of "2:ppn=8:gpus=1+1:ppn=4", which are those of each node. */
static int64_t torque_gpus(struct lxfw_slice list)
{
	int64_t gpus = 0;

	while (list.length > 0 && gpus <= INT32_MAX) {
		struct lxfw_slice chunk = lxfw_pbs_part(&list, '+');
		struct lxfw_slice rest = chunk, first = lxfw_pbs_part(&rest, ':');
		int64_t times = 1;

		if (!lxfw_slice_integer(first, 0, INT32_MAX, &times))
			times = 1;
		gpus += times * or_zero(number_in(chunk, "gpus="));
	}
	return gpus;
}

/* Returns the GPUs of the whole job: those in "(n0:ncpus=8:ngpus=2+n1:ngpus=2)",
   otherwise those requested; 0 if none. */
int64_t lxfw_pbs_gpus(struct lxfw_slice text)
{
	struct lxfw_slice list = lxfw_pbs_value(text, "exec_vnode");
	int64_t gpus = 0, asked = 0;

	while (list.length > 0) {
		struct lxfw_slice part = lxfw_pbs_part(&list, '+');
		int64_t number;

		while (part.length > 0 && part.at[part.length - 1] == ')')
			part.length--;
		number = number_in(part, "ngpus=");
		gpus += number > 0 ? number : 0;
	}
	if (lxfw_slice_integer(lxfw_pbs_value(text, "Resource_List.ngpus"), 0,
			       INT32_MAX, &asked) && gpus == 0)
		gpus = asked;
	if (gpus == 0)
		gpus = torque_gpus(lxfw_pbs_value(text, "Resource_List.nodes"));
	return gpus > INT32_MAX ? INT32_MAX : gpus;
}
