/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw check-conf: what in a slurm.conf keeps the plugins from working. */
#include <getopt.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/conf/check.h"

static const char help[] =
"\n"
"Tell what in a slurm.conf keeps lxfw's plugins from working, or makes them do what\n"
"one would not expect, each with the line that mends it. Include files are read.\n"
"\n"
"  --plugin-dir DIR     look for plugins there before PluginDir\n"
"  --no-files           do not look at other files of this machine, plugins,\n"
"                       directories and keys: for a slurm.conf from elsewhere\n"
"  --json               print a list of findings as JSON\n"
"\n"
"  -h, --help, --version\n"
"\n"
"Exit status: 0 nothing found, 1 something found, 2 misuse or bad input.\n";

enum { PLUGIN_DIR = LXFW_OPTION_FIRST, NO_FILES, JSON };

static const struct option options[] = {
	{ "plugin-dir", required_argument, NULL, PLUGIN_DIR },
	{ "no-files", no_argument, NULL, NO_FILES },
	{ "json", no_argument, NULL, JSON },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static void print(const struct lxfw_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct lxfw_finding *item = &findings->items[i];

		fputs(item->path, stdout);
		if (item->line > 0)
			printf(":%ld", item->line);
		printf(": %s [%s%s]\n    %s\n", item->text, item->name,
		       item->broken ? ", does not work" : "", item->mend);
	}
	if (findings->count == 0)
		puts("nothing found");
}

static int put(json_object *object, const char *key, json_object *value)
{
	if (value && json_object_object_add(object, key, value) == 0)
		return 0;
	json_object_put(value);
	return -1;
}

static json_object *as_json(const struct lxfw_finding *item)
{
	json_object *object = json_object_new_object();

	if (!object ||
	    put(object, "finding", json_object_new_string(item->name)) ||
	    put(object, "works", json_object_new_boolean(!item->broken)) ||
	    put(object, "file", json_object_new_string(item->path)) ||
	    (item->line > 0 &&
	     put(object, "line", json_object_new_int64(item->line))) ||
	    put(object, "text", json_object_new_string(item->text)) ||
	    put(object, "mend", json_object_new_string(item->mend))) {
		json_object_put(object);
		return NULL;
	}
	return object;
}

static int print_json(const struct lxfw_findings *findings)
{
	json_object *list = json_object_new_array();
	int failed = !list;

	for (size_t i = 0; i < findings->count && !failed; i++) {
		json_object *object = as_json(&findings->items[i]);

		failed = !object || json_object_array_add(list, object);
	}
	if (!failed)
		puts(json_object_to_json_string_ext(list,
			JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(list);
	return failed ? -1 : 0;
}

static int check(const struct lxfw_check_options *how, bool json)
{
	struct lxfw_findings findings;
	struct lxfw_conf conf;
	struct lxfw_error error;
	int status;

	if (lxfw_conf_read(&conf, how->path, &error))
		return lxfw_cmd_bad(&error);
	if (lxfw_check(&conf, how, &findings) ||
	    (json && print_json(&findings))) {
		lxfw_cmd_note("out of memory");
		status = LXFW_EXIT_BAD;
	} else {
		if (!json)
			print(&findings);
		status = lxfw_cmd_finish(findings.count > 0 ? LXFW_EXIT_NO :
							      LXFW_EXIT_DONE);
	}
	lxfw_findings_clear(&findings);
	lxfw_conf_clear(&conf);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct lxfw_check_options how = { 0 };
	bool json = false;
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		switch (option) {
		case PLUGIN_DIR:
			how.plugin_dir = optarg;
			break;
		case NO_FILES:
			how.no_files = true;
			break;
		case JSON:
			json = true;
			break;
		}
	}
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one "
				       "slurm.conf", argc - optind);
	how.path = argv[optind];
	return check(&how, json);
}

const struct lxfw_command lxfw_command_check_conf = {
	.name = "check-conf",
	.arguments = "SLURM.CONF",
	.summary = "what keeps the plugins from working",
	.help = help,
	.run = run,
};
