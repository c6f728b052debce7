/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw check-conf: checks a slurm.conf for settings with which the plugins do not work, or
   those of a site of OpenPBS for lxfw-pbsd. */
#include <getopt.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/conf/check.h"
#include "sim-frontend/conf/check_pbs.h"
#include "sim-frontend/conf/correct.h"
#include "sim-frontend/conf/keys.h"
#include "sim-frontend/conf/trial.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/util/json_out.h"

static const char help[] =
"\n"
"Check a slurm.conf for settings that prevent lxfw's plugins from working or\n"
"that have unexpected effects. Findings that stop jobs come first. Notes name\n"
"settings with which the plugins work, but not in every respect as sched/backfill.\n"
"Include files are read. The whole file is corrected in memory and checked again\n"
"until nothing is left to correct, and the changes follow as one unified diff.\n"
"\n"
"With --pbs, check a site of OpenPBS for use with lxfw-pbsd: the output of qmgr's\n"
"'print server', 'print sched' and 'print node @default', sched_config and pbs.conf,\n"
"or the directory of a pbs_snapshot.\n"
"\n"
"Options:\n"
"  --pbs                check these files of OpenPBS\n"
"  --write FILE         write the whole corrected slurm.conf to FILE, which must be\n"
"                       another file than those that are checked\n"
"  --try                start this machine's slurmctld in a private folder with the file\n"
"                       as it is and as it is corrected, and submit a job to each\n"
"                       partition; the site's Slurm is not contacted\n"
"  --plugin-dir DIR     search for plugins in DIR before PluginDir\n"
"  --release VERSION    read the file as this release of Slurm does, 22.05 to 26.05;\n"
"                       default: the installed one\n"
"  --no-files           do not access other files of this machine (plugins,\n"
"                       directories, keys); for a slurm.conf of another machine\n"
"  --format table|json|csv\n"
"                       output format (default: table)\n"
"  --json               same as --format json\n"
"  -h, --help           print this help and exit\n"
"  --version            print the version and exit\n"
"\n"
"Example:\n"
"  lxfw check-conf /etc/slurm/slurm.conf\n"
"  lxfw check-conf --write new.conf /etc/slurm/slurm.conf\n"
"  qmgr -c 'print server' > server\n"
"  lxfw check-conf --pbs server /var/spool/pbs/sched_priv/sched_config\n"
"\n"
"Exit status: 0 no findings except notes; 1 findings; 2 invalid usage or input.\n";

enum { PLUGIN_DIR = LXFW_OPTION_FIRST, NO_FILES, PBS, RELEASE, TRY, WRITE };

static const struct option options[] = {
	{ "write", required_argument, NULL, WRITE },
	{ "try", no_argument, NULL, TRY },
	{ "plugin-dir", required_argument, NULL, PLUGIN_DIR },
	{ "release", required_argument, NULL, RELEASE },
	{ "no-files", no_argument, NULL, NO_FILES },
	{ "pbs", no_argument, NULL, PBS },
	LXFW_FORMAT_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char *const suffixes[] = {
	[LXFW_FINDING_STOPS] = ", stops jobs",
	[LXFW_FINDING_BROKEN] = ", does not work",
	[LXFW_FINDING_UNEXPECTED] = "",
	[LXFW_FINDING_NOTE] = ", note",
};

static void print_text(const struct lxfw_finding *item)
{
	fputs(item->path, stdout);
	if (item->line > 0)
		printf(":%ld", item->line);
	printf(": %s [%s%s]\n", item->text, item->name, suffixes[item->level]);
}

/* Whether one corrected line is for both findings. */
static bool same_line(const struct lxfw_finding *a, const struct lxfw_finding *b)
{
	return a->mend && b->mend && a->edit_count == 0 && b->edit_count == 0 &&
	       a->line == b->line && strcmp(a->path, b->path) == 0 &&
	       strcmp(a->mend, b->mend) == 0;
}

/* Whether the finding AT was printed with an earlier one. */
static bool is_printed(const struct lxfw_findings *findings, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (same_line(&findings->items[i], &findings->items[at]))
			return true;
	}
	return false;
}

/* A corrected line is printed once, after all findings that it is for. The changes of a
   slurm.conf follow as a diff. */
static void print(const struct lxfw_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct lxfw_finding *item = &findings->items[i];

		if (!item->mend || item->edit_count > 0) {
			print_text(item);
			continue;
		}
		if (is_printed(findings, i))
			continue;
		for (size_t j = i; j < findings->count; j++) {
			if (same_line(item, &findings->items[j]))
				print_text(&findings->items[j]);
		}
		printf("    %s\n", item->mend);
	}
	if (lxfw_findings_faults(findings) == 0)
		puts(findings->count == 0 ? "nothing found" : "nothing to correct");
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
	    put(object, "works",
		json_object_new_boolean(item->level > LXFW_FINDING_BROKEN)) ||
	    put(object, "stops_jobs",
		json_object_new_boolean(item->level == LXFW_FINDING_STOPS)) ||
	    put(object, "corrected",
		json_object_new_boolean(item->edit_count > 0)) ||
	    put(object, "note",
		json_object_new_boolean(item->level == LXFW_FINDING_NOTE)) ||
	    put(object, "file", json_object_new_string(item->path)) ||
	    (item->line > 0 &&
	     put(object, "line", json_object_new_int64(item->line))) ||
	    put(object, "text", json_object_new_string(item->text)) ||
	    (item->mend &&
	     put(object, "mend", json_object_new_string(item->mend)))) {
		json_object_put(object);
		return NULL;
	}
	return object;
}

/* In CSV, a list needs a key, see util/json_out.h. */
static int print_json(const struct lxfw_findings *findings, enum lxfw_format format)
{
	json_object *list = json_object_new_array();
	json_object *top = json_object_new_object();
	int failed = !list || !top;

	for (size_t i = 0; i < findings->count && !failed; i++) {
		json_object *object = as_json(&findings->items[i]);

		failed = !object || json_object_array_add(list, object);
	}
	if (failed) {
		json_object_put(list);
		list = NULL;
	}
	if (format == LXFW_FORMAT_CSV && list && put(top, "findings", list) == 0)
		return lxfw_json_out(top, format, stdout);
	json_object_put(top);
	return lxfw_json_out(format == LXFW_FORMAT_CSV ? NULL : list, format,
			     stdout);
}

/* Prints the findings, and clears them; then the changes of CONF, unless it is NULL. FAILED:
   memory ran out for a finding. */
static int finish(struct lxfw_findings *findings, const struct lxfw_conf *conf, bool failed,
		  enum lxfw_format format)
{
	int status;

	if (failed || (format != LXFW_FORMAT_TABLE && print_json(findings, format))) {
		lxfw_cmd_note("out of memory");
		status = LXFW_EXIT_BAD;
	} else {
		if (format == LXFW_FORMAT_TABLE)
			print(findings);
		failed = format == LXFW_FORMAT_TABLE && conf && lxfw_conf_diff(conf, stdout);
		if (failed)
			lxfw_cmd_note("out of memory");
		status = failed ? LXFW_EXIT_BAD : lxfw_cmd_finish(lxfw_findings_faults(findings) > 0 ?
					 LXFW_EXIT_NO : LXFW_EXIT_DONE);
	}
	lxfw_findings_clear(findings);
	return status;
}

/* Whether PATH is one of the files that were read. */
static bool is_checked(const struct lxfw_conf *conf, const char *path)
{
	struct stat to, from;

	if (stat(path, &to))
		return false;
	for (size_t i = 0; i < conf->files.count; i++) {
		if (stat(conf->files.items[i].path, &from) == 0 &&
		    from.st_dev == to.st_dev && from.st_ino == to.st_ino)
			return true;
	}
	return false;
}

/* Opens the file at PATH for writing, for no other user than those that may read the files of
   CONF: a slurm.conf may have passwords. */
static struct lxfw_output *open_corrected(const struct lxfw_conf *conf, const char *path,
					  struct lxfw_error *error)
{
	struct lxfw_output *output;
	struct stat status;
	mode_t mask = umask(0), narrow = mask;

	for (size_t i = 0; i < conf->files.count; i++) {
		if (stat(conf->files.items[i].path, &status) == 0 && S_ISREG(status.st_mode))
			narrow |= ~status.st_mode & 0077;
	}
	umask(narrow);
	output = lxfw_output_open(path, error);
	umask(mask);
	return output;
}

/* Reads the status of the folder of PATH. */
static int stat_folder(const char *path, struct stat *status)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
	int result = folder ? stat(folder, status) : -1;

	free(folder);
	return result;
}

static bool is_elsewhere(const char *path, const char *from)
{
	struct stat to, of;

	return stat_folder(path, &to) || stat_folder(from, &of) || to.st_dev != of.st_dev ||
	       to.st_ino != of.st_ino;
}

static int write_corrected(struct lxfw_conf *conf, const char *path, struct lxfw_error *error)
{
	struct lxfw_output *output;
	char *text;

	if (is_checked(conf, path))
		return lxfw_error_at(error, path, 0, "this file is checked, expected another "
				     "one to write");
	conf->files.elsewhere = is_elsewhere(path, conf->files.items[0].path);
	text = lxfw_conf_whole(conf, error);
	if (!text)
		return -1;
	output = open_corrected(conf, path, error);
	if (output)
		lxfw_output_text(output, text);
	free(text);
	return output ? lxfw_output_commit(output, error) : -1;
}

static int check(const struct lxfw_check_options *how, const char *path, enum lxfw_format format)
{
	struct lxfw_findings findings = { 0 };
	struct lxfw_conf conf;
	struct lxfw_error error;
	int status, number = 0;

	if (lxfw_conf_read(&conf, how->path, &error))
		return lxfw_cmd_bad(&error);
	if (lxfw_conf_correct(&conf, how, &findings, &error) ||
	    (how->try && lxfw_conf_try(&conf, how, &findings, &number, &error)) ||
	    (path && write_corrected(&conf, path, &error))) {
		status = lxfw_cmd_bad(&error);
		lxfw_findings_clear(&findings);
	} else {
		status = finish(&findings, &conf, false, format);
	}
	lxfw_conf_clear(&conf);
	/* The command ends as one that does not catch the signal. */
	if (number)
		raise(number);
	return status;
}

static int check_pbs(char **paths, int count, enum lxfw_format format)
{
	struct lxfw_findings findings;
	struct lxfw_pbs_conf conf = { 0 };
	struct lxfw_error error;
	int status = -1;

	for (int i = 0; i < count && status < 0; i++) {
		if (lxfw_pbs_conf_read(&conf, paths[i], &error))
			status = lxfw_cmd_bad(&error);
	}
	if (status < 0)
		status = finish(&findings, NULL,
				lxfw_check_pbs(&conf, paths[0], &findings) != 0, format);
	lxfw_pbs_conf_clear(&conf);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct lxfw_check_options how = { 0 };
	enum lxfw_format format = LXFW_FORMAT_TABLE;
	const char *path = NULL;
	int option, status;
	bool pbs = false;

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
		case RELEASE:
			if (lxfw_conf_release(optarg, &how.release))
				return lxfw_cmd_misuse(command, "--release %s: not a known release of "
						       "Slurm, expected 22.05 to 26.05", optarg);
			break;
		case TRY:
			how.try = true;
			break;
		case WRITE:
			path = optarg;
			break;
		case PBS:
			pbs = true;
			break;
		default:
			if (lxfw_cmd_format(command, option, &format) < 0)
				return LXFW_EXIT_BAD;
		}
	}
	if (pbs && (how.plugin_dir || how.no_files || how.release || how.try || path))
		return lxfw_cmd_misuse(command, "%s has no effect with --pbs",
				       path ? "--write" : how.release ? "--release" :
				       how.try ? "--try" :
				       how.plugin_dir ? "--plugin-dir" : "--no-files");
	if (pbs && argc == optind)
		return lxfw_cmd_misuse(command, "no files given, expected the output of "
				       "qmgr -c 'print server', or sched_config");
	if (pbs)
		return check_pbs(argv + optind, argc - optind, format);
	if (how.try && how.no_files)
		return lxfw_cmd_misuse(command, "--try has no effect with --no-files: it needs the "
				       "slurmctld of this machine");
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one "
				       "slurm.conf", argc - optind);
	how.path = argv[optind];
	return check(&how, path, format);
}

const struct lxfw_command lxfw_command_check_conf = {
	.name = "check-conf",
	.arguments = "SLURM.CONF | --pbs FILE...",
	.summary = "check a slurm.conf or a site of OpenPBS for use with lxfw",
	.help = help,
	.run = run,
};
