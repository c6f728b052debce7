/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/pbs_amounts.h"

#include <string.h>

#include "sim-frontend/trace/pbs_text.h"

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
		int64_t times = 1, each = lxfw_pbs_number_in(chunk, key);

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

int lxfw_pbs_each_host(struct lxfw_slice list, lxfw_account_host_fn *host,
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
		held.procs = vnodes ? lxfw_pbs_number_in(part, "ncpus=") : slot_procs(part);
		if (first.length == 0 || first.length >= sizeof(name) ||
		    held.procs <= 0)
			continue;
		held.memory_kb = memory ? lxfw_pbs_size_in(part, "mem=") : -1;
		held.gpus = gpus ? or_zero(lxfw_pbs_number_in(part, "ngpus=")) : -1;
		memcpy(name, first.at, first.length);
		name[first.length] = '\0';
		result = host(context, &held);
		if (result)
			return result;
	}
	return 0;
}

int64_t lxfw_pbs_requested_procs(struct lxfw_slice text)
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

int64_t lxfw_pbs_held_gpus(struct lxfw_slice text)
{
	struct lxfw_slice list = lxfw_pbs_value(text, "exec_vnode");
	int64_t gpus = 0, asked = 0;

	while (list.length > 0) {
		struct lxfw_slice part = lxfw_pbs_part(&list, '+');
		int64_t number;

		while (part.length > 0 && part.at[part.length - 1] == ')')
			part.length--;
		number = lxfw_pbs_number_in(part, "ngpus=");
		gpus += number > 0 ? number : 0;
	}
	if (lxfw_slice_integer(lxfw_pbs_value(text, "Resource_List.ngpus"), 0,
			       INT32_MAX, &asked) && gpus == 0)
		gpus = asked;
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
