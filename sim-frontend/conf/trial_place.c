/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/trial_place.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/conf/plugin_dirs.h"
#include "sim-frontend/conf/plugin_file.h"
#include "sim-frontend/conf/programs.h"
#include "sim-frontend/util/text.h"

#define KEY_SIZE 256		/* bytes of munge's key */
#define MUNGED_SECONDS 10

/* --- programs ------------------------------------------------------------------------- */

static bool find_programs(struct lxfw_trial *trial, struct lxfw_checking *check, char *why,
			  size_t size, char *version)
{
	trial->slurmctld = lxfw_slurm_controller(check);
	trial->scontrol = lxfw_slurm_program(check, "scontrol");
	trial->sbatch = lxfw_slurm_program(check, "sbatch");
	trial->munged = lxfw_slurm_program(check, "munged");
	if (!trial->slurmctld)
		snprintf(why, size, "slurmctld is not installed on this machine");
	else if (!trial->scontrol || !trial->sbatch)
		snprintf(why, size, "scontrol and sbatch are not installed on this machine");
	else if (!trial->munged)
		snprintf(why, size, "munged is not installed on this machine");
	else if (!lxfw_slurm_version(trial->slurmctld, version, &trial->release))
		snprintf(why, size, "slurmctld on this machine is %s, and the settings of 22.05 to "
			 "26.05 are known", version);
	else if (check->options->release && check->options->release >> 8 != trial->release >> 8)
		snprintf(why, size, "slurmctld on this machine is %s, which --release is not",
			 version);
	return !*why;
}

/* --- plugins -------------------------------------------------------------------------- */

/* Prints those of the DIRECTORIES that exist. */
static void print_existing(const char *directories, FILE *out)
{
	while (*directories) {
		int length = (int)strcspn(directories, ":");
		char *directory = strndup(directories, (size_t)length);

		if (directory && length > 0 && access(directory, X_OK) == 0)
			fprintf(out, "%s%s", ftell(out) > 0 ? ":" : "", directory);
		free(directory);
		directories += length + (directories[length] == ':');
	}
}

/* The directories that exist, since slurmctld does not start without one of them. Where those of
   the file do not, Slurm's own plugins are in the directory of this machine's Slurm. */
static char *existing(const struct lxfw_checking *check)
{
	const char *before = check->options->plugin_dir;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	long length;

	if (!out)
		return NULL;
	print_existing(before ? before : "", out);
	length = ftell(out);
	print_existing(lxfw_plugin_dirs(check), out);
	if (length > 0 && ftell(out) == length)
		print_existing(lxfw_plugin_slurms_dir(), out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* Whether the plugin is there, for this release. */
static bool has_plugin(const struct lxfw_trial *trial, const struct lxfw_checking *check,
		       const char *name)
{
	char *path = lxfw_plugin_find(check, name);
	uint32_t version = 0;
	bool has = path && lxfw_plugin_version(path, &version, NULL) == 0 &&
		   version == trial->release;

	free(path);
	return has;
}

/* --- the folder ----------------------------------------------------------------------- */

/* Finds COUNT different ports that are free now. Returns 0, or -1 with errno set. */
static int free_ports(int *ports, int count)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY),
	};
	socklen_t length = sizeof(address);
	int result = 0, number;

	if (count == 0)
		return 0;
	number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (number < 0)
		return -1;
	if (bind(number, (struct sockaddr *)&address, length) ||
	    getsockname(number, (struct sockaddr *)&address, &length))
		result = -1;
	*ports = ntohs(address.sin_port);
	/* this one is in use until the others are found */
	if (result == 0)
		result = free_ports(ports + 1, count - 1);
	close(number);
	return result;
}

/* Slurmctld can listen on all addresses, or on the one of this machine's NAME: that is better if
   other machines do not reach it. */
static void find_address(struct lxfw_trial *trial, const char *name)
{
	const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	in_addr_t address = htonl(INADDR_LOOPBACK);

	trial->stays_local = getaddrinfo(name, NULL, &hints, &list) == 0;
	if (!trial->stays_local)
		list = NULL;
	for (struct addrinfo *at = list; at; at = at->ai_next) {
		in_addr_t other = ((const struct sockaddr_in *)at->ai_addr)->sin_addr.s_addr;

		if (at == list)
			address = other;
		/* which one of several it takes is not known */
		if (other != address || ntohl(other) >> 24 != IN_LOOPBACKNET)
			trial->stays_local = false;
	}
	if (!trial->stays_local)
		address = htonl(INADDR_LOOPBACK);
	inet_ntop(AF_INET, &address, trial->address, sizeof(trial->address));
	if (list)
		freeaddrinfo(list);
}

static int name_place(struct lxfw_trial *trial)
{
	const struct passwd *user = getpwuid(geteuid());
	int ports[2];

	if (gethostname(trial->host, sizeof(trial->host) - 1))
		return -1;
	find_address(trial, trial->host);
	trial->host[strcspn(trial->host, ".")] = '\0';
	if (user)
		snprintf(trial->user, sizeof(trial->user), "%s", user->pw_name);
	else
		snprintf(trial->user, sizeof(trial->user), "%ld", (long)geteuid());
	if (free_ports(ports, 2))
		return -1;
	trial->port = ports[0];
	trial->node_port = ports[1];
	return 0;
}

/* Opens a new file of the folder for writing. */
static FILE *create(const struct lxfw_trial *trial, const char *name)
{
	FILE *out = NULL;
	char *path;
	int number;

	if (asprintf(&path, "%s/%s", trial->folder, name) < 0)
		return NULL;
	number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (number >= 0 && !(out = fdopen(number, "w")))
		close(number);
	free(path);
	return out;
}

static int make_key(const struct lxfw_trial *trial)
{
	unsigned char bytes[KEY_SIZE];
	FILE *out;
	int result;

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return -1;
	out = create(trial, "key");
	if (!out)
		return -1;
	result = fwrite(bytes, 1, sizeof(bytes), out) == sizeof(bytes) ? 0 : -1;
	return fclose(out) ? -1 : result;
}

static int make_below(const struct lxfw_trial *trial, const char *name)
{
	char *path;
	int result;

	if (asprintf(&path, "%s/%s", trial->folder, name) < 0)
		return -1;
	result = mkdir(path, 0700) && errno != EEXIST ? -1 : 0;
	free(path);
	return result;
}

/* slurmctld depends on the name by which it is called. */
static int make_link(const struct lxfw_trial *trial)
{
	char *path;
	int result;

	if (asprintf(&path, "%s/slurmctld", trial->folder) < 0)
		return -1;
	result = symlink(trial->slurmctld, path);
	free(path);
	return result;
}

/* Copies the description of the switches beside the slurm.conf, if there is one. */
static int copy_topology(struct lxfw_trial *trial, const char *conf, const char *name)
{
	const char *slash = strrchr(conf, '/');
	char bytes[4096], *path;
	FILE *from, *to;
	size_t got;
	int failed;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - conf) : 0, conf, name) < 0)
		return -1;
	from = fopen(path, "re");
	free(path);
	if (!from)
		return 0;
	trial->has_topology = true;
	to = create(trial, name);
	while (to && (got = fread(bytes, 1, sizeof(bytes), from)) > 0)
		fwrite(bytes, 1, got, to);
	failed = !to || ferror(from) || ferror(to);
	fclose(from);
	if (to && fclose(to))
		failed = true;
	return failed ? -1 : 0;
}

static int start_munged(struct lxfw_trial *trial)
{
	static const char *const files[] = { "key-file=%s/key", "socket=%s/munge",
					     "pid-file=%s/munged.pid", "log-file=%s/munged.log",
					     "seed-file=%s/seed" };
	int64_t deadline = time(NULL) + MUNGED_SECONDS;
	char options[5][80], socket_path[64];
	char *arguments[] = { trial->munged, (char *)"--foreground", (char *)"--force", options[0],
			      options[1], options[2], options[3], options[4], NULL };

	for (int i = 0; i < 5; i++) {
		const char *mark = strstr(files[i], "%s");

		snprintf(options[i], sizeof(options[i]), "--%.*s%s%s", (int)(mark - files[i]),
			 files[i], trial->folder, mark + 2);
	}
	snprintf(socket_path, sizeof(socket_path), "%s/munge", trial->folder);
	trial->munged_id = lxfw_trial_start(trial, arguments, "munged.out");
	while (trial->munged_id > 0 && lxfw_trial_wait(deadline) &&
	       lxfw_trial_runs(&trial->munged_id)) {
		if (access(socket_path, F_OK) == 0)
			return 0;
	}
	return -1;
}

static int fill_folder(struct lxfw_trial *trial, const char *conf)
{
	char folder[] = "/tmp/lxfw-trial.XXXXXX";

	if (!mkdtemp(folder))
		return -1;
	snprintf(trial->folder, sizeof(trial->folder), "%s", folder);
	return name_place(trial) || make_key(trial) || make_below(trial, "spool") ||
	       make_link(trial) || copy_topology(trial, conf, "topology.conf") ||
	       copy_topology(trial, conf, "topology.yaml") ? -1 : 0;
}

int lxfw_trial_make(struct lxfw_trial *trial, struct lxfw_checking *check, char *why,
		    size_t size, char *version, struct lxfw_error *error)
{
	if (!find_programs(trial, check, why, size, version))
		return 0;
	trial->plugin_dirs = existing(check);
	if (!trial->plugin_dirs)
		return lxfw_error_system(error, check->options->path);
	trial->has_sched = has_plugin(trial, check, "sched_lxfw.so");
	trial->has_select = has_plugin(trial, check, "select_cons_tres_lxfw.so");
	if (fill_folder(trial, check->options->path))
		return lxfw_error_system(error, *trial->folder ? trial->folder : "/tmp");
	if (start_munged(trial)) {
		snprintf(why, size, "munged does not start: ");
		if (!lxfw_trial_last_line(trial, "munged.out", "", why + strlen(why),
					  size - strlen(why)))
			snprintf(why + strlen(why), size - strlen(why), "it says nothing");
	}
	return 0;
}

void lxfw_trial_clear(struct lxfw_trial *trial)
{
	lxfw_trial_end(&trial->slurmctld_id);
	lxfw_trial_end(&trial->munged_id);
	lxfw_trial_remove(trial);
	free(trial->plugin_dirs);
	free(trial->slurmctld);
	free(trial->scontrol);
	free(trial->sbatch);
	free(trial->munged);
}

/* --- slurm.conf ----------------------------------------------------------------------- */

static int remove_state(const struct lxfw_trial *trial)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/state", trial->folder);
	if (lxfw_trial_remove_below(path) && errno != ENOENT)
		return -1;
	snprintf(path, sizeof(path), "%s/log", trial->folder);
	if (unlink(path) && errno != ENOENT)
		return -1;
	return make_below(trial, "state");
}

int lxfw_trial_renew(struct lxfw_trial *trial, const struct lxfw_conf *conf, char **left,
		     struct lxfw_error *error)
{
	FILE *out = create(trial, "slurm.conf"), *list;
	size_t size;
	int failed;

	*left = NULL;
	list = open_memstream(left, &size);
	if (out && list)
		lxfw_trial_print(trial, conf, out, list);
	failed = !out || !list || ferror(out);
	if (out && fclose(out))
		failed = true;
	if (list && fclose(list))
		failed = true;
	if (failed || remove_state(trial))
		return lxfw_error_system(error, trial->folder);
	return 0;
}
