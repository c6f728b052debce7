/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/verdict_text.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "sim-frontend/report/svg.h"

#define WIDTH 86

/* Prints TEXT with a margin, wrapped to WIDTH. */
static void print_wrapped(const char *text, FILE *out)
{
	size_t column = 0;

	fputs("  ", out);
	while (*text) {
		size_t word = strcspn(text, " ");

		if (column > 0 && column + 1 + word > WIDTH) {
			fputs("\n  ", out);
			column = 0;
		} else if (column > 0) {
			putc(' ', out);
			column++;
		}
		fwrite(text, 1, word, out);
		column += word;
		text += word;
		text += strspn(text, " ");
	}
	putc('\n', out);
}

void lxfw_verdict_print(const struct lxfw_verdict *verdict, FILE *out)
{
	char next[sizeof(verdict->next) + 16];

	fprintf(out, "verdict: %s\n", lxfw_verdict_name(verdict->level));
	for (int i = 0; i < verdict->reason_count; i++)
		print_wrapped(verdict->reasons[i], out);
	snprintf(next, sizeof(next), "Next step: %s", verdict->next);
	print_wrapped(next, out);
	putc('\n', out);
}

/* Takes ownership of VALUE. Returns whether it was added to OBJECT. */
static bool put(struct json_object *object, const char *key,
		struct json_object *value)
{
	if (object && value && !json_object_object_add(object, key, value))
		return true;
	json_object_put(value);
	return false;
}

static struct json_object *reasons_json(const struct lxfw_verdict *verdict)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < verdict->reason_count && list; i++) {
		struct json_object *text =
			json_object_new_string(verdict->reasons[i]);

		if (text && !json_object_array_add(list, text))
			continue;
		json_object_put(text);
		json_object_put(list);
		list = NULL;
	}
	return list;
}

struct json_object *lxfw_verdict_json(const struct lxfw_verdict *verdict)
{
	struct json_object *object = json_object_new_object();
	bool all = put(object, "level", json_object_new_string(
				lxfw_verdict_key(verdict->level)));

	all &= put(object, "reasons", reasons_json(verdict));
	all &= put(object, "next", json_object_new_string(verdict->next));
	if (all)
		return object;
	json_object_put(object);
	errno = ENOMEM;
	return NULL;
}

/* Returns what the level means for a decision. */
static const char *meaning(enum lxfw_verdict_level level)
{
	switch (level) {
	case LXFW_VERDICT_GOOD:
		return "The simulation reproduces the measured waits "
		       "accurately enough to choose settings.";
	case LXFW_VERDICT_CARE:
		return "The simulation resembles the measured run with the "
		       "differences below. Rely on a gain only if it exceeds "
		       "them.";
	case LXFW_VERDICT_NOT:
		return "The simulation does not reproduce the measured run. "
		       "Do not base settings on it.";
	case LXFW_VERDICT_NONE:
		break;
	}
	return "There are no measurements to compare the simulation with.";
}

void lxfw_verdict_page(const struct lxfw_verdict *verdict,
		       struct lxfw_output *output)
{
	lxfw_output_format(output, "<div class=\"verdict %s\">\n<p><b>Verdict: "
			   "%s</b></p>\n<p>%s</p>\n<p><b>Why</b></p>\n<ul>\n",
			   lxfw_verdict_key(verdict->level),
			   lxfw_verdict_name(verdict->level),
			   meaning(verdict->level));
	for (int i = 0; i < verdict->reason_count; i++) {
		lxfw_output_text(output, "<li>");
		lxfw_html_text(output, verdict->reasons[i]);
		lxfw_output_text(output, "</li>\n");
	}
	lxfw_output_text(output, "</ul>\n<p><b>What to do</b></p>\n<p>");
	lxfw_html_text(output, verdict->next);
	lxfw_output_text(output, "</p>\n</div>\n");
}
