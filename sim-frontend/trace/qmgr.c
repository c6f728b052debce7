/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/qmgr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

static const struct { const char *word; enum lxfw_qmgr_verb verb; } verbs[] = {
	{ "create", LXFW_QMGR_CREATE }, { "c", LXFW_QMGR_CREATE },
	{ "set", LXFW_QMGR_SET }, { "s", LXFW_QMGR_SET },
	{ "unset", LXFW_QMGR_UNSET }, { "u", LXFW_QMGR_UNSET },
	{ "delete", LXFW_QMGR_OTHER }, { "d", LXFW_QMGR_OTHER },
	{ "import", LXFW_QMGR_OTHER }, { "active", LXFW_QMGR_OTHER },
};

static const struct { const char *word; enum lxfw_qmgr_object object; } objects[] = {
	{ "server", LXFW_QMGR_SERVER }, { "queue", LXFW_QMGR_QUEUE },
	{ "node", LXFW_QMGR_NODE }, { "sched", LXFW_QMGR_SCHED },
	{ "resource", LXFW_QMGR_RESOURCE }, { "hook", LXFW_QMGR_HOOK },
	{ "s", LXFW_QMGR_SERVER }, { "q", LXFW_QMGR_QUEUE }, { "n", LXFW_QMGR_NODE },
	{ "r", LXFW_QMGR_RESOURCE }, { "h", LXFW_QMGR_HOOK },
	{ "pbshook", LXFW_QMGR_HOOK },
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

const char *lxfw_qmgr_word(enum lxfw_qmgr_object object)
{
	return objects[object].word;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\f' || byte == '\v';
}

static char *skip_blanks(char *at)
{
	while (is_blank(*at))
		at++;
	return at;
}

/* Ends the word at *AT with a NUL and returns it; *AT moves to the next word. */
static char *take_word(char **at)
{
	char *word = *at, *end = word;

	while (*end && !is_blank(*end))
		end++;
	*at = skip_blanks(end);
	*end = '\0';
	return word;
}

static int find_verb(const char *word)
{
	for (size_t i = 0; i < COUNT(verbs); i++) {
		if (strcmp(verbs[i].word, word) == 0)
			return (int)verbs[i].verb;
	}
	return -1;
}

static int find_object(const char *word)
{
	for (size_t i = 0; i < COUNT(objects); i++) {
		if (strcmp(objects[i].word, word) == 0)
			return (int)objects[i].object;
	}
	return -1;
}

bool lxfw_qmgr_recognizes(const char *line, size_t length)
{
	for (size_t i = 0; i < COUNT(verbs); i++) {
		size_t word = strlen(verbs[i].word);

		if (word > 1 && length > word && strncmp(line, verbs[i].word, word) == 0 &&
		    is_blank(line[word]))
			return true;
	}
	return false;
}

/* --- attributes --------------------------------------------------------------------- */

/* Ends the value at *AT with a NUL and returns it without quotes; *AT moves behind it and
   the comma. Returns NULL if a quote is missing. */
static char *take_value(char **at)
{
	char *value = *at, *end;
	char quote = *value == '"' || *value == '\'' ? *value : '\0';
	bool more;

	if (quote) {
		end = strchr(++value, quote);
		if (!end)
			return NULL;
		*end++ = '\0';
		end = skip_blanks(end);
		more = *end == ',';
	} else {
		int depth = 0;

		for (end = value; *end && (*end != ',' || depth > 0); end++)
			depth += *end == '[' ? 1 : *end == ']' && depth > 0 ? -1 : 0;
		more = *end == ',';
		for (char *last = end; last > value && is_blank(last[-1]); last--)
			last[-1] = '\0';
		*end = '\0';
		end += more;
		*at = skip_blanks(end);
		return value;
	}
	*at = skip_blanks(end + more);
	return value;
}

static int fail_word(struct lxfw_error *wrong, const char *word, const char *expected)
{
	char quoted[60];

	return lxfw_error_format(wrong, "'%s', expected %s",
				 lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word)),
				 expected);
}

/* Reads "attribute = value, attribute += value", or "attribute, attribute" of unset. */
static int take_attributes(char *at, struct lxfw_qmgr_setting *setting, lxfw_qmgr_fn *take,
			   void *context, struct lxfw_error *wrong)
{
	while (*at) {
		char *name = at, *end = at + strcspn(at, " \t=,+");
		char *next;
		bool operates = setting->verb != LXFW_QMGR_UNSET;

		/* names contain '-', which is also the operator "-=" */
		end -= end > name && *end == '=' && end[-1] == '-';
		next = skip_blanks(end);
		setting->adds = next[0] == '+' && next[1] == '=';
		if (end == name)
			return fail_word(wrong, at, "ATTRIBUTE = VALUE");
		if (operates) {
			next += (*next == '+' || *next == '-') && next[1] == '=';
			if (*next != '=')
				return fail_word(wrong, at, "ATTRIBUTE = VALUE");
			at = skip_blanks(next + 1);
			*end = '\0';
			setting->value = take_value(&at);
			if (!setting->value)
				return fail_word(wrong, name, "a value with both quotes");
		} else {
			if (*next != ',' && *next != '\0')
				return fail_word(wrong, at, "ATTRIBUTE, ATTRIBUTE");
			at = skip_blanks(next + (*next == ','));
			*end = '\0';
			setting->value = "";
		}
		setting->attribute = name;
		if (take(context, setting, wrong))
			return -1;
	}
	return 0;
}

/* Whether TEXT begins with an attribute and not with the name of an object. */
static bool begins_attribute(const char *text)
{
	size_t word = strcspn(text, " \t=+,");
	const char *after = text + word + strspn(text + word, " \t");

	return *after == '=' || (*after == '+' && after[1] == '=');
}

/* Reads a command, of which LINE is modified. */
static int take_command(char *line, struct lxfw_qmgr_setting *setting, lxfw_qmgr_fn *take,
			void *context, struct lxfw_error *wrong)
{
	char *at = skip_blanks(line), *word;
	int verb, object;

	word = take_word(&at);
	verb = find_verb(word);
	if (verb < 0)
		return fail_word(wrong, word, "create, set or another command of "
				 "qmgr -c 'print server'");
	word = take_word(&at);
	object = find_object(word);
	if (object < 0)
		return fail_word(wrong, word, "server, queue, node, sched, resource or hook");
	*setting = (struct lxfw_qmgr_setting) {
		.verb = (enum lxfw_qmgr_verb)verb,
		.object = (enum lxfw_qmgr_object)object, .name = "",
		.value = "", .path = setting->path, .line = setting->line,
	};
	/* "set server" and "set sched" of the default scheduler have no name */
	if (object != LXFW_QMGR_SERVER &&
	    (object != LXFW_QMGR_SCHED || !begins_attribute(at))) {
		setting->name = take_word(&at);
		if (object == LXFW_QMGR_SCHED && strcmp(setting->name, "default") == 0)
			setting->name = "";
		else if (*setting->name == '\0')
			return lxfw_error_format(wrong, "the name of a %s is missing",
						 lxfw_qmgr_word(setting->object));
	} else if (object == LXFW_QMGR_SERVER && *at && !begins_attribute(at) &&
		   verb != LXFW_QMGR_UNSET) {
		take_word(&at);
	}
	if ((verb == LXFW_QMGR_OTHER || verb == LXFW_QMGR_CREATE) &&
	    take(context, setting, wrong))
		return -1;
	if (verb == LXFW_QMGR_OTHER)
		return 0;
	if (*at == '\0' && verb != LXFW_QMGR_CREATE)
		return lxfw_error_format(wrong, "the command ends, expected ATTRIBUTE%s",
					 verb == LXFW_QMGR_SET ? " = VALUE" : "");
	return take_attributes(at, setting, take, context, wrong);
}

/* --- files --------------------------------------------------------------------------- */

static bool is_import(const char *line)
{
	return strncmp(line, "import ", 7) == 0;
}

/* Takes a line that is not a comment, of which the first LENGTH bytes are copied. */
static int take_line(const char *line, size_t length, struct lxfw_qmgr_setting *setting,
		     lxfw_qmgr_fn *take, void *context, struct lxfw_error *wrong)
{
	char *copy;
	int result;

	if (memchr(line, '\0', length))
		return lxfw_error_format(wrong, "a NUL byte, expected text");
	if (line[length - 1] == '\\')
		return lxfw_error_format(wrong, "a command continues on the next line, "
					 "expected one line for each");
	copy = strndup(line, length);
	if (!copy)
		return lxfw_error_format(wrong, "out of memory");
	result = take_command(copy, setting, take, context, wrong);
	free(copy);
	return result;
}

int lxfw_qmgr_lines(struct lxfw_input *input, lxfw_qmgr_fn *take, void *context,
		    struct lxfw_error *error)
{
	struct lxfw_qmgr_setting setting = { .path = lxfw_input_path(input) };
	struct lxfw_error wrong = { "" };
	bool in_hook = false;
	char *line;
	size_t length;
	int got;

	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		size_t begin = 0;

		while (begin < length && is_blank(line[begin]))
			begin++;
		/* the contents of a hook follow its import, in base64 */
		in_hook = in_hook && !lxfw_qmgr_recognizes(line, length) && *line != '#';
		if (begin == length || line[begin] == '#' || in_hook)
			continue;
		in_hook = is_import(line);
		setting.line = lxfw_input_line_number(input);
		if (take_line(line + begin, length - begin, &setting, take, context, &wrong))
			return lxfw_error_at(error, lxfw_input_path(input), setting.line, "%s",
					     wrong.text);
	}
	return got;
}

int lxfw_qmgr_read(const char *path, lxfw_qmgr_fn *take, void *context,
		   struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	int result;

	if (!input)
		return -1;
	result = lxfw_qmgr_lines(input, take, context, error);
	lxfw_input_close(input);
	return result;
}
