/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/history.h"

#include <string.h>

#include "sim-frontend/history/ran_file.h"
#include "sim-frontend/util/text.h"

#define NAME_MOST 64

int lxfw_cmd_history_estimates(const struct lxfw_command *command, const char *text,
			       struct lxfw_cmd_history *history)
{
	static const char word[] = "history";
	size_t length = sizeof(word) - 1;

	if (strncmp(text, word, length) != 0 || (text[length] && text[length] != ':'))
		return 0;
	if (text[length] == ':' && !text[length + 1])
		return lxfw_cmd_bad_value(command, "estimates", text, "history, or history: "
					  "and a data base of 'lxfw import --history'");
	history->estimates = true;
	history->path = text[length] ? text + length + 1 : NULL;
	return 1;
}

int lxfw_cmd_history_name(const struct lxfw_command *command, const char *name)
{
	size_t length = strlen(name);
	bool good = length > 0 && length <= NAME_MOST;

	for (size_t i = 0; i < length && good; i++)
		good = (unsigned char)name[i] > ' ' && name[i] != ',' && name[i] != 0x7f;
	return good ? 0 : lxfw_cmd_bad_value(command, "machine", name, "a name of 1 to %d "
					     "bytes without spaces and commas", NAME_MOST);
}

int lxfw_cmd_history_read(const struct lxfw_cmd_history *history, struct lxfw_rans *rans)
{
	struct lxfw_error error;

	if (lxfw_ran_file_read(rans, history->path, &error) == 0)
		return 0;
	lxfw_cmd_bad(&error);
	return -1;
}

/* Lists the first machines. */
static void list_machines(const struct lxfw_rans *rans, char *to, size_t size)
{
	size_t length = 0;
	char name[NAME_MOST + 1];

	*to = '\0';
	for (size_t i = 0; i < rans->machine_count && length + NAME_MOST + 8 < size; i++) {
		lxfw_text_quote(name, sizeof(name), rans->machines[i].name,
				strlen(rans->machines[i].name));
		length += (size_t)snprintf(to + length, size - length, "%s%s",
					   i > 0 ? ", " : "", name);
	}
}

int32_t lxfw_cmd_history_machine(const struct lxfw_cmd_history *history,
				 const struct lxfw_rans *rans)
{
	char list[512], quoted[NAME_MOST + 1];
	int32_t found;

	if (!history->machine && rans->machine_count == 1)
		return 0;
	list_machines(rans, list, sizeof(list));
	if (!history->machine) {
		lxfw_cmd_note("%s: machines %s, expected one of them with --machine",
			      history->path, list);
		return -1;
	}
	found = lxfw_rans_find(rans, history->machine);
	if (found < 0)
		lxfw_cmd_note("%s: no machine '%s', expected one of: %s", history->path,
			      lxfw_text_quote(quoted, sizeof(quoted), history->machine,
					      strlen(history->machine)), list);
	return found;
}

void lxfw_cmd_history_note(const struct lxfw_cmd_history *history, const char *path,
			   const struct lxfw_rans *rans, const struct lxfw_learned *learned)
{
	if (history->path)
		lxfw_cmd_note("%s: %zu of %zu jobs had ended when %s begins", history->path,
			      learned->before.jobs, rans->count, path);
	if (learned->unknown > 0)
		lxfw_cmd_note("%s: %zu jobs without a requested time are not estimated: the "
			      "scheduler knows their run times", path, learned->unknown);
}

int lxfw_cmd_history_learn(const struct lxfw_cmd_history *history,
			   const struct lxfw_trace *trace, const char *path,
			   struct lxfw_learned *learned)
{
	struct lxfw_rans rans = { 0 };
	int32_t machine = -1;
	int failed = 0;

	if (history->path) {
		failed = lxfw_cmd_history_read(history, &rans);
		if (!failed)
			machine = lxfw_cmd_history_machine(history, &rans);
		failed |= machine < 0;
	}
	if (!failed && lxfw_learned_make(learned, trace, history->path ? &rans : NULL, machine,
					 NULL)) {
		lxfw_cmd_note("out of memory");
		failed = -1;
	}
	if (!failed)
		lxfw_cmd_history_note(history, path, &rans, learned);
	lxfw_rans_clear(&rans);
	return failed ? -1 : 0;
}
