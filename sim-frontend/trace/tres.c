/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/tres.h"

#include <string.h>

#include "sim-frontend/util/text.h"

/* Removes the item up to the next comma from LIST and returns it. */
static struct lxfw_slice next_item(struct lxfw_slice *list)
{
	struct lxfw_slice item = { list->at, 0 };

	while (item.length < list->length && item.at[item.length] != ',')
		item.length++;
	list->at += item.length;
	list->length -= item.length;
	if (list->length > 0)
		list->at++, list->length--;
	return item;
}

/* Removes the part after the last SIGN from ITEM and returns it; empty if there is
   none. */
static struct lxfw_slice take_behind(struct lxfw_slice *item, char sign)
{
	struct lxfw_slice behind = { item->at + item->length, 0 };

	for (size_t i = item->length; i > 0; i--) {
		if (item->at[i - 1] != sign)
			continue;
		behind = (struct lxfw_slice) { item->at + i, item->length - i };
		item->length = i - 1;
		break;
	}
	return behind;
}

/* Parses "4" or "2K" (units of 1024). */
static bool read_count(struct lxfw_slice text, int64_t *count)
{
	int64_t kb;

	if (lxfw_slice_integer(text, 0, INT32_MAX, count))
		return true;
	if (!lxfw_slice_size(text, 1, &kb) || kb > INT32_MAX / 1024)
		return false;
	*count = kb * 1024;
	return true;
}

int64_t lxfw_tres_count(struct lxfw_slice list, const char *kind)
{
	int64_t count;

	while (list.length > 0) {
		struct lxfw_slice item = next_item(&list);
		struct lxfw_slice value = take_behind(&item, '=');

		if (lxfw_slice_is(item, kind) && read_count(value, &count))
			return count;
	}
	return 0;
}

int64_t lxfw_tres_memory(struct lxfw_slice list)
{
	int64_t kb;

	while (list.length > 0) {
		struct lxfw_slice item = next_item(&list);
		struct lxfw_slice value = take_behind(&item, '=');

		/* without a suffix in MB */
		if (lxfw_slice_is(item, "mem") &&
		    lxfw_slice_size(value, INT64_C(1) << 20, &kb))
			return lxfw_account_memory(kb, 1);
	}
	return 0;
}

/* Parses one GRES: "gpu:a100:2", "gpu:2", "gpu"; "craynetwork:0". */
static int take_gres(struct lxfw_slice item, int64_t hosts, lxfw_gres_fn *gres,
		     void *context)
{
	struct lxfw_slice name = item, behind;
	int64_t count = 1;

	if (lxfw_slice_begins(name, "gres:") || lxfw_slice_begins(name, "gres/")) {
		name.at += 5;
		name.length -= 5;
	}
	item = name;
	behind = take_behind(&item, ':');
	if (behind.length > 0 && read_count(behind, &count))
		name = item;
	else
		count = 1;
	if (name.length == 0 || count == 0 ||
	    (name.at[0] >= '0' && name.at[0] <= '9'))
		return 0;
	return gres(context, name, count * hosts);
}

int lxfw_gres_each(struct lxfw_slice list, int64_t hosts, lxfw_gres_fn *gres,
		   void *context)
{
	int result = 0;

	while (list.length > 0 && result == 0) {
		struct lxfw_slice item = next_item(&list), name = item;
		struct lxfw_slice value = take_behind(&name, '=');
		int64_t count;

		if (lxfw_slice_is(item, "(null)") || item.length == 0)
			continue;
		if (name.length == item.length) {
			result = take_gres(item, hosts, gres, context);
			continue;
		}
		if (!lxfw_slice_begins(name, "gres/") ||
		    !read_count(value, &count) || count == 0)
			continue;
		name.at += 5;
		name.length -= 5;
		if (name.length > 0)
			result = gres(context, name, count);
	}
	return result;
}

int lxfw_licenses_each(struct lxfw_slice list, lxfw_gres_fn *license, void *context)
{
	int result = 0;

	while (list.length > 0 && result == 0) {
		struct lxfw_slice name = next_item(&list);
		struct lxfw_slice value = take_behind(&name, '=');
		int64_t count;

		if (!lxfw_slice_begins(name, "license/") || name.length == 8 ||
		    !read_count(value, &count) || count == 0)
			continue;
		name.at += 8;
		name.length -= 8;
		result = license(context, name, count);
	}
	return result;
}
