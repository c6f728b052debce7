/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw queue: the jobs that wait, with expected starts. */
#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/cmd/queue_find.h"
#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/publish/listed.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/json_out.h"

static const char help[] =
"\n"
"Print the jobs that wait, in the order of the queue, with the start that is\n"
"expected of each, the interval in which it is with a probability of 90 %, and the\n"
"reason of jobs for which none is expected. Only these, if JOB is given.\n"
"\n"
"If the site publishes its queue ('lxfw predict --publish'), that is read, and\n"
"nothing is asked of the controller. Otherwise, or if it lacks a JOB, the state is\n"
"that of the Slurm or PBS that runs, as in 'lxfw predict'.\n"
"\n"
"Options:\n"
"  --me                my jobs only\n"
"  --user NAME         the jobs of this user only\n"
"  --running           also the jobs that run, with expected ends\n"
"  --watch             print it again every 30 seconds\n"
"  --site FOLDER       the folder in which the site publishes (default: LXFW_SITE of\n"
"                      the environment, or /var/lib/lxfw/site)\n"
"  --journal JOURNAL   predict from this journal instead, as 'lxfw predict' does\n"
"  --format table|json|csv\n"
"                      output format (default: table, which is text)\n"
"  --json              same as --format json\n"
"  -h, --help          print this help and exit\n"
"  --version           print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw queue --me\n"
"  lxfw queue --running --watch\n"
"\n"
"Exit status: 0 success; 1 a JOB is not in the queue, or it is not known whose the\n"
"jobs are; 2 invalid usage or input.\n";

/* Seconds between two rounds of --watch, and the least, in times that a round takes. */
#define ROUND 30
#define PAUSE 10

enum { ME = LXFW_OPTION_FIRST, USER, RUNNING, WATCH, SITE, JOURNAL };

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "me", no_argument, NULL, ME },
	{ "user", required_argument, NULL, USER },
	{ "running", no_argument, NULL, RUNNING },
	{ "watch", no_argument, NULL, WATCH },
	{ "site", required_argument, NULL, SITE },
	{ "journal", required_argument, NULL, JOURNAL },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct task {
	const struct lxfw_command *command;
	enum lxfw_format format;
	const char *user, *site, *journal;
	bool running, watch;
	bool again;		/* a later round: jobs that have ended are not looked for */
	char **names;
	int count;
};

static bool has_users(const struct lxfw_publication *publication)
{
	for (size_t i = 0; i < publication->count; i++) {
		if (*publication->jobs[i].user)
			return true;
	}
	return false;
}

/* Users by name, if the publication does not have them. Returns 0, or -1 with ERROR: squeue does
   not answer, or SILENT: nothing has answered before. */
static int find_users(const struct task *task, struct lxfw_publication *publication, bool silent,
		      struct lxfw_error *error)
{
	struct lxfw_listed listed = { 0 };

	if (publication->count == 0 || has_users(publication) ||
	    lxfw_cmd_site_owners(task->site, publication) == 0)
		return 0;
	if (silent) {
		lxfw_error_set(error, "users are not published");
		return -1;
	}
	if (lxfw_listed_read(&listed, error)) {
		lxfw_listed_clear(&listed);
		return -1;
	}
	for (size_t i = 0; i < publication->count; i++) {
		struct lxfw_publication_job *job = &publication->jobs[i];
		const struct lxfw_listed_job *found = lxfw_listed_named(&listed, job->name);

		if (found)
			memcpy(job->user, found->user, sizeof(job->user));
	}
	lxfw_listed_clear(&listed);
	return 0;
}

/* --- output ----------------------------------------------------------------------- */

/* Leaves the jobs that are to be shown. Returns an exit status. */
static int choose(const struct task *task, struct lxfw_publication *publication,
		  const struct lxfw_cmd_queue_found *how)
{
	struct lxfw_error error;
	bool known = !task->user || find_users(task, publication, how->silent, &error) == 0;
	int missing = lxfw_publication_choose(publication, task->names, task->count,
					      known ? task->user : NULL);

	if (missing < task->count && !how->told)
		lxfw_cmd_note("job %s is not in the queue%s", task->names[missing],
			      how->silent ? " as it was published" : "");
	if (!known) {
		lxfw_cmd_note("which jobs are those of %s is not known: %s", task->user, error.text);
		/* Programs would take all of them for those. */
		if (task->format == LXFW_FORMAT_TABLE)
			lxfw_cmd_note("the jobs of all users:");
		else
			publication->count = 0;
	} else if (publication->count == 0 && task->user) {
		lxfw_cmd_note("no jobs of %s", task->user);
	}
	return known && missing == task->count ? LXFW_EXIT_DONE : LXFW_EXIT_NO;
}

/* Returns an exit status. */
static int show(const struct task *task)
{
	struct lxfw_publication publication = { 0 };
	/* A job that is named is shown, whether it waits or runs. */
	struct lxfw_queue_view view = {
		.of = &publication, .running = task->running || task->count > 0,
	};
	const struct lxfw_cmd_queue queue = {
		.site = task->site, .journal = task->journal, .names = task->names,
		.count = task->again ? 0 : task->count,
	};
	struct lxfw_cmd_queue_found how;
	int status = lxfw_cmd_queue_find(task->command, &queue, &publication, &how);

	if (status != 0) {
		lxfw_publication_clear(&publication);
		return status;
	}
	view.state = lxfw_queue_counts(&publication);
	status = choose(task, &publication, &how);
	view.now = time(NULL);
	view.users = has_users(&publication);
	if (task->watch && isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", stdout);
	lxfw_cmd_site_notes(&publication);
	if (task->format == LXFW_FORMAT_TABLE)
		lxfw_queue_text(&view, stdout);
	else if (lxfw_json_out(lxfw_publication_json(&publication), task->format, stdout)) {
		lxfw_cmd_note("out of memory");
		status = LXFW_EXIT_BAD;
	}
	lxfw_publication_clear(&publication);
	return lxfw_cmd_finish(status);
}

/* Each round is a process of its own, which leaves nothing behind. Returns its exit status. */
static int show_apart(const struct task *task)
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child == 0)
		exit(show(task));
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	/* As by SIGPIPE, when nothing reads any more. */
	if (child > 0 && WIFSIGNALED(status))
		exit(128 + WTERMSIG(status));
	if (child > 0)
		return WEXITSTATUS(status);
	lxfw_cmd_note("no process for the next round: %s", strerror(errno));
	return LXFW_EXIT_BAD;
}

static int repeat(struct task *task)
{
	/* A controller that restarts is no reason to end. */
	for (bool first = true;; first = false) {
		double begin = lxfw_cmd_clock();
		int status = show_apart(task);
		struct timespec round = { .tv_sec = ROUND };

		if (status == LXFW_EXIT_BAD && first)
			return status;
		task->again = true;
		/* What takes long is done less often. */
		if (PAUSE * (lxfw_cmd_clock() - begin) > ROUND)
			round.tv_sec = (time_t)(PAUSE * (lxfw_cmd_clock() - begin));
		(void)nanosleep(&round, NULL);
	}
}

/* --- options ---------------------------------------------------------------------- */

static int take_me(struct task *task)
{
	static char name[LXFW_PUBLICATION_NAME];
	const struct passwd *entry = getpwuid(geteuid());

	if (!entry || strlen(entry->pw_name) >= sizeof(name)) {
		lxfw_cmd_note("--me: this user has no name; expected --user NAME");
		return -1;
	}
	strcpy(name, entry->pw_name);
	task->user = name;
	return 0;
}

/* Returns 0, or -1 after a message. */
static int take_option(int option, struct task *task)
{
	switch (option) {
	case ME:
		return take_me(task);
	case USER:
		task->user = optarg;
		return 0;
	case RUNNING:
		task->running = true;
		return 0;
	case WATCH:
		task->watch = true;
		return 0;
	case SITE:
		task->site = optarg;
		return 0;
	default:
		task->journal = optarg;
		return 0;
	}
}

/* Returns 0, or an exit status after a message. */
static int check(const struct task *task)
{
	uint64_t id;
	int64_t which;

	if (task->site && task->journal)
		return lxfw_cmd_misuse(task->command, "--site with --journal, expected one of them");
	if (task->watch && task->format != LXFW_FORMAT_TABLE)
		return lxfw_cmd_misuse(task->command, "--watch with --format, expected text");
	for (int i = 0; i < task->count; i++) {
		if (lxfw_cmd_job(task->command, task->names[i], &id, &which))
			return LXFW_EXIT_BAD;
	}
	return 0;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct task task = { .command = command, .format = LXFW_FORMAT_TABLE };
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(command, option, &task.format);
		if (status < 0)
			return LXFW_EXIT_BAD;
		if (status == 0 && take_option(option, &task))
			return LXFW_EXIT_BAD;
	}
	task.names = argv + optind;
	task.count = argc - optind;
	status = check(&task);
	if (status)
		return status;
	return task.watch ? repeat(&task) : show(&task);
}

const struct lxfw_command lxfw_command_queue = {
	.name = "queue",
	.arguments = "[JOB...]",
	.summary = "print the jobs that wait, with expected starts",
	.help = help,
	.run = run,
};
