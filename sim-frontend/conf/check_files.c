/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks files that slurm.conf names. This machine is assumed to be the controller. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "sim-frontend/conf/check.h"
#include "sim-frontend/conf/plugin_dirs.h"
#include "sim-frontend/conf/plugin_file.h"
#include "sim-frontend/trace/input.h"

/* --- plugins -------------------------------------------------------------------- */

/* Returns the version of Slurm, from its own scheduler plugin; 0 if that is absent. */
static uint32_t slurm_version(struct lxfw_checking *check)
{
	char *path = lxfw_plugin_find_slurms(check, "sched_backfill.so");
	uint32_t version = 0;

	if (path && lxfw_plugin_version(path, &version, NULL))
		version = 0;
	free(path);
	return version;
}

static void check_release(struct lxfw_checking *check, const char *path,
			  const struct lxfw_conf_setting *setting)
{
	uint32_t ours, theirs = slurm_version(check);
	char release[16], other[16];
	struct lxfw_error why;
	struct lxfw_finding *found;

	if (lxfw_plugin_version(path, &ours, &why)) {
		found = lxfw_found(check, "plugin-file", true, setting);
		lxfw_found_text(check, found, "%s", why.text);
	} else if (theirs && ours != theirs) {
		found = lxfw_found(check, "plugin-release", true, setting);
		lxfw_found_text(check, found, "%s is built for Slurm %s, but "
				"this is Slurm %s: the controller refuses it", path,
				lxfw_plugin_release(ours, release),
				lxfw_plugin_release(theirs, other));
	} else {
		return;
	}
	lxfw_found_mend(check, found, "# ./configure && make && make install, "
			"with the headers of Slurm %s", theirs ?
			lxfw_plugin_release(theirs, other) : "as it runs");
}

/* Checks the plugin of KEY=VALUE if VALUE is a plugin of lxfw: "sched/lxfw" is
   sched_lxfw.so. */
static void check_plugin(struct lxfw_checking *check, const char *key,
			 const char *value, const char *name)
{
	const struct lxfw_conf_setting *setting =
		lxfw_conf_get(check->conf, key);
	const char *directories = lxfw_plugin_dirs(check);
	struct lxfw_finding *found;
	char *path;

	if (!setting || strcasecmp(setting->value, value) != 0 ||
	    (*directories == '\0' && !check->options->plugin_dir))
		return;
	path = lxfw_plugin_find(check, name);
	if (path) {
		check_release(check, path, setting);
	} else {
		found = lxfw_found(check, "plugin-file", true, setting);
		lxfw_found_text(check, found, "no %s in %s: the controller does "
				"not start", name, *directories ? directories :
				check->options->plugin_dir);
		lxfw_found_mend(check, found, "PluginDir=/DIRECTORY/OF/%s%s%s",
				name, *directories ? ":" : "", directories);
	}
	free(path);
}

/* Checks our file under the name of Slurm's scheduler. */
static void check_stock_name(struct lxfw_checking *check)
{
	char *path;

	if (!lxfw_plugin_has_stock_name(check))
		return;
	path = lxfw_plugin_find(check, "sched_backfill.so");
	if (path)
		check_release(check, path,
			      lxfw_conf_get(check->conf, "PluginDir"));
	free(path);
}

/* Slurm's own scheduler is loaded in shadow mode, and for letting go. */
static void check_slurms(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *setting =
		lxfw_conf_get(check->conf, "SchedulerParameters");
	const char *directories = lxfw_plugin_dirs(check);
	struct lxfw_finding *found;
	bool shadow = check->params->shadow == LXFW_SHADOW_ON;
	char *path;

	if (!setting || (!*directories && !check->options->plugin_dir) ||
	    (!shadow && lxfw_params_number(setting->value, "lxfw_let_go") <= 0))
		return;
	path = lxfw_plugin_find_slurms(check, "sched_backfill.so");
	if (!path) {
		found = lxfw_found(check, "slurms-scheduler", shadow,
				   lxfw_conf_get(check->conf, "PluginDir"));
		lxfw_found_text(check, found, "no sched_backfill.so of Slurm in %s: %s "
				"cannot load it", *directories ? directories :
				check->options->plugin_dir,
				shadow ? "lxfw_shadow=on" : "lxfw_let_go");
		lxfw_found_mend(check, found, "PluginDir=%s%s/DIRECTORY/OF/SLURM'S/PLUGINS",
				directories, *directories ? ":" : "");
	}
	free(path);
}

/* Slurm's daemons and commands do not start if a directory of PluginDir is missing. */
static void check_plugin_dirs(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *setting =
		lxfw_conf_get(check->conf, "PluginDir");
	const char *at = setting ? setting->value : "";

	while (*at) {
		int length = (int)strcspn(at, ":");
		char *directory = strndup(at, (size_t)length);
		struct lxfw_finding *found;
		struct stat status;

		if (directory && length > 0 &&
		    (stat(directory, &status) || !S_ISDIR(status.st_mode))) {
			found = lxfw_found(check, "plugin-dir", true, setting);
			lxfw_found_text(check, found, "no directory %s: the "
					"daemons and commands of Slurm do not "
					"start", directory);
			lxfw_found_mend(check, found, "# mkdir -p %s, on every "
					"machine that reads this file",
					directory);
		}
		check->findings->failed |= !directory;
		free(directory);
		at += length + (at[length] == ':');
	}
}

/* --- directories ---------------------------------------------------------------- */

/* Returns the name of the directory of PATH, which the caller frees, if it does not
   exist. */
static char *missing_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash && slash > path ?
		strndup(path, (size_t)(slash - path)) : strdup("/");
	struct stat status;

	if (directory && stat(directory, &status) == 0 &&
	    S_ISDIR(status.st_mode)) {
		free(directory);
		return NULL;
	}
	return directory;
}

/* Finds that the file of KEY is in a directory that does not exist. */
static void check_file(struct lxfw_checking *check, const char *key, const char *finding)
{
	const struct lxfw_conf_setting *setting =
		lxfw_conf_get(check->conf, "SchedulerParameters");
	struct lxfw_params params;
	struct lxfw_finding *found;
	const char *value;
	char *path, *directory;
	int length = 0;

	lxfw_params_default(&params);
	if (!setting || lxfw_params_parse(&params, setting->value, NULL, NULL, NULL))
		return;
	value = lxfw_params_value(setting->value, key, &length);
	path = value ? strndup(value, (size_t)length) : NULL;
	if (!path)
		return;
	directory = missing_directory(path);
	if (directory || *path != '/') {
		found = lxfw_found(check, finding, false, setting);
		lxfw_found_text(check, found, "%s=%s: %s%s", key, path,
				*path == '/' ? "no directory " :
				"not an absolute path", *path == '/' ?
				directory : "");
		lxfw_found_mend(check, found, "# mkdir -m 700 %s, owned by "
				"SlurmUser %s", *path == '/' ? directory :
				"/var/log/slurm", lxfw_conf_value(check->conf,
				"SlurmUser", "root"));
	}
	free(directory);
	free(path);
}

/* The state of quanta must survive a crash. */
static void check_state(struct lxfw_checking *check)
{
	static const char *const lost[] = { "/tmp", "/dev/shm", "/run",
					    "/var/run", "/var/tmp" };
	const struct lxfw_conf_setting *setting =
		lxfw_conf_get(check->conf, "StateSaveLocation");
	struct lxfw_finding *found;
	struct stat status;

	for (size_t i = 0; setting && i < sizeof(lost) / sizeof(*lost); i++) {
		size_t length = strlen(lost[i]);

		if (strncmp(setting->value, lost[i], length) != 0 ||
		    (setting->value[length] && setting->value[length] != '/'))
			continue;
		found = lxfw_found(check, "state", false, setting);
		lxfw_found_text(check, found, "%s is cleared when the machine "
				"restarts: jobs and the state of suspended "
				"jobs are lost", setting->value);
		lxfw_found_mend(check, found,
				"StateSaveLocation=/var/spool/slurmctld");
		return;
	}
	if (!setting) {
		found = lxfw_found(check, "state", false, NULL);
		lxfw_found_text(check, found, "without StateSaveLocation the "
				"state of the controller and of quanta is in "
				"/var/spool, together with unrelated files");
		lxfw_found_mend(check, found,
				"StateSaveLocation=/var/spool/slurmctld");
	} else if (stat(setting->value, &status) && errno == ENOENT) {
		found = lxfw_found(check, "state", true, setting);
		lxfw_found_text(check, found, "no directory %s: the "
				"controller does not start", setting->value);
		lxfw_found_mend(check, found, "# mkdir -m 700 %s, owned by "
				"SlurmUser %s", setting->value,
				lxfw_conf_value(check->conf, "SlurmUser",
						"root"));
	}
}

/* Checks the key that signs tokens. A user who can read it can act as any other user. */
static void check_key(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *setting =
		lxfw_conf_get(check->conf, "AuthAltParameters");
	const char *key = setting ? strcasestr(setting->value, "jwt_key=") :
				    NULL;
	struct lxfw_finding *found;
	struct stat status;
	char *path;

	if (!key)
		return;
	key += strlen("jwt_key=");
	path = strndup(key, strcspn(key, ","));
	if (path && stat(path, &status) == 0 && status.st_mode & 0007) {
		found = lxfw_found(check, "token-key", true, setting);
		lxfw_found_text(check, found, "%s is accessible to all users "
				"(mode %04o), who can impersonate any user",
				path, (unsigned)status.st_mode & 07777);
		lxfw_found_mend(check, found, "# chmod 600 %s", path);
	}
	free(path);
}

/* --- EQspatial on the nodes ------------------------------------------------------- */

/* Returns the path of plugstack.conf, which the caller frees. */
static char *plugstack_path(struct lxfw_checking *check)
{
	const char *given = lxfw_conf_value(check->conf, "PlugStackConfig",
					    NULL);
	const char *conf = check->options->path;
	const char *slash = strrchr(conf, '/');
	char *path;

	if (given)
		return strdup(given);
	if (asprintf(&path, "%.*splugstack.conf", slash ?
		     (int)(slash + 1 - conf) : 0, conf) < 0)
		return NULL;
	return path;
}

static bool mentions(const char *path, const char *word)
{
	struct lxfw_input *input = lxfw_input_may_block(path, NULL) ? NULL :
				   lxfw_input_open(path, NULL);
	bool found = false;
	char *line;
	size_t length;

	while (input && !found &&
	       lxfw_input_line(input, &line, &length, NULL) > 0) {
		const char *hash = memchr(line, '#', length);

		found = memmem(line, hash ? (size_t)(hash - line) : length,
			       word, strlen(word));
	}
	lxfw_input_close(input);
	return found;
}

static void check_plugstack(struct lxfw_checking *check)
{
	struct lxfw_finding *found;
	char *path;

	if (!lxfw_policy_has(check->params->policy, LXFW_TRAIT_ADAPTIVE))
		return;
	path = plugstack_path(check);
	if (path && !mentions(path, "spank_lxfw.so")) {
		found = lxfw_found(check, "plugstack", true, NULL);
		lxfw_found_text(check, found, "%s does not load "
				"spank_lxfw.so: the option --adaptive is "
				"missing, and processes are not bound to the "
				"processors of their job", path);
		lxfw_found_mend(check, found, "optional spank_lxfw.so");
	}
	check->findings->failed |= !path;
	free(path);
}

void lxfw_check_files(struct lxfw_checking *check)
{
	check_plugin(check, "SchedulerType", "sched/lxfw", "sched_lxfw.so");
	check_stock_name(check);
	check_slurms(check);
	check_plugin_dirs(check);
	check_plugin(check, "SelectType", "select/cons_tres_lxfw",
		     "select_cons_tres_lxfw.so");
	check_file(check, "lxfw_journal", "journal");
	check_file(check, "lxfw_metrics", "metrics");
	check_state(check);
	check_key(check);
	check_plugstack(check);
}
