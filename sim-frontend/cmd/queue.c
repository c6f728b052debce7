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
#include "sim-frontend/cmd/site_new.h"
#include "sim-frontend/publish/shown.h"
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
"  --pbs, --slurm      predict from what this one shows now, and not from what the site\n"
"                      publishes\n"
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

enum { ME = LXFW_OPTION_FIRST, USER, RUNNING, WATCH, SITE, JOURNAL, PBS, SLURM };

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "me", no_argument, NULL, ME },
	{ "user", required_argument, NULL, USER },
	{ "running", no_argument, NULL, RUNNING },
	{ "watch", no_argument, NULL, WATCH },
	{ "site", required_argument, NULL, SITE },
	{ "journal", required_argument, NULL, JOURNAL },
	{ "pbs", no_argument, NULL, PBS },
	{ "slurm", no_argument, NULL, SLURM },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct task {
	const struct lxfw_command *command;
	enum lxfw_format format;
	const char *user, *site, *journal;
	enum lxfw_now_of of;
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

/* What squeue shows of a job of the user that is not published. */
static int add_shown(struct lxfw_publication *publication, const struct lxfw_shown_job *shown)
{
	bool runs = strcmp(shown->state, "RUNNING") == 0;
	struct lxfw_publication_job *job = lxfw_publication_add(publication);

	if (!job)
		return -1;
	job->state = runs ? LXFW_PUBLISHED_RUNNING : LXFW_PUBLISHED_KEPT;
	memcpy(job->name, shown->name, sizeof(job->name));
	memcpy(job->user, shown->user, sizeof(job->user));
	memcpy(job->partition, shown->partition, sizeof(job->partition));
	job->reason = LXFW_REASON_OTHER;
	snprintf(job->said, sizeof(job->said), "%s",
		 strcmp(shown->state, "PENDING") == 0 ? shown->reason : shown->state);
	job->procs = shown->procs;
	job->submit = shown->submit;
	job->start = runs ? shown->start : 0;
	job->planned = runs ? 0 : shown->start;
	return 0;
}

/* Sets the user of the jobs of SHOWN, and adds those that PUBLICATION lacks. Returns how many, or -1 with
   errno ENOMEM. */
static int take_shown(struct lxfw_publication *publication, const struct lxfw_shown *shown)
{
	size_t published = publication->count;

	for (size_t i = 0; i < shown->count; i++) {
		const struct lxfw_shown_job *from = &shown->list[i];
		bool found = false;

		for (size_t k = 0; k < published; k++) {
			struct lxfw_publication_job *job = &publication->jobs[k];

			if (!lxfw_publication_means(job->name, from->name))
				continue;
			memcpy(job->user, from->user, sizeof(job->user));
			if (!*job->partition)
				memcpy(job->partition, from->partition, sizeof(job->partition));
			found = true;
		}
		if (!found && add_shown(publication, from))
			return -1;
	}
	return (int)(publication->count - published);
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	return -1;
}

/* The jobs of the user, if the publication does not know whose they are, or does not have all. Returns 0, or -1 with
   ERROR: squeue does not answer, or has not before. */
static int find_users(const struct task *task, struct lxfw_publication *publication,
		      const struct lxfw_cmd_queue_found *how, struct lxfw_error *error)
{
	struct lxfw_shown shown = { NULL };
	int more;

	if (!publication->hidden && !how->looked &&
	    (publication->count == 0 || has_users(publication) ||
	     lxfw_cmd_site_owners(task->site, publication) == 0))
		return 0;
	if (how->silent || (how->published && !publication->answers)) {
		lxfw_error_set(error, "users are not published, and Slurm does not answer");
		return -1;
	}
	if (lxfw_shown_user(&shown, task->user, error)) {
		lxfw_shown_clear(&shown);
		return -1;
	}
	more = take_shown(publication, &shown);
	lxfw_shown_clear(&shown);
	if (more > 0)
		lxfw_cmd_note("%d job%s of %s %s not in what is published here: their starts are not predicted",
			      more, more == 1 ? "" : "s", task->user, more == 1 ? "is" : "are");
	return more < 0 ? out_of_memory(error) : 0;
}

/* --- output ----------------------------------------------------------------------- */

/* Leaves the jobs that are to be shown. Returns an exit status. */
static int choose(const struct task *task, struct lxfw_publication *publication,
		  const struct lxfw_cmd_queue_found *how)
{
	char at[LXFW_QUEUE_TIME];
	struct lxfw_error error;
	bool known = !task->user || find_users(task, publication, how, &error) == 0;
	int missing = lxfw_publication_choose(publication, task->names, task->count,
					      known ? task->user : NULL);

	/* In the look of a site it may be too new. */
	if (missing < task->count && !how->told &&
	    !(how->looked && lxfw_cmd_are_new(&task->names[missing], 1)))
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
		lxfw_cmd_note("no jobs of %s at %s", task->user,
			      lxfw_queue_time(publication->time, publication->time - 1, at));
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
		.site = task->site, .journal = task->journal, .of = task->of, .names = task->names,
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

/* Sets the user to the one of a number. Returns 0, or -1 if that one has no name. */
static int take_number(struct task *task, uid_t number)
{
	static char name[LXFW_PUBLICATION_NAME];
	const struct passwd *entry = getpwuid(number);

	if (!entry || strlen(entry->pw_name) >= sizeof(name))
		return -1;
	strcpy(name, entry->pw_name);
	task->user = name;
	return 0;
}

/* A name, or a number as squeue takes it. Returns 0, or -1 after a message. */
static int take_user(struct task *task, char *user)
{
	int64_t number;

	task->user = user;
	if (!*user || strpbrk(user, ", \t\n")) {
		lxfw_cmd_misuse(task->command, "--user '%s', expected the name of one user", user);
		return -1;
	}
	if (user[strspn(user, "0123456789")] != '\0' || getpwnam(user))
		return 0;
	if (lxfw_cmd_integer(task->command, "user", user, 0, UINT32_MAX - 1, &number))
		return -1;
	if (take_number(task, (uid_t)number) == 0)
		return 0;
	lxfw_cmd_note("--user %s: no user has this number, expected the name of a user", user);
	return -1;
}

/* Returns 0, or -1 after a message. */
static int take_option(int option, struct task *task)
{
	switch (option) {
	case ME:
		if (take_number(task, geteuid()) == 0)
			return 0;
		lxfw_cmd_note("--me: this user has no name; expected --user NAME");
		return -1;
	case USER:
		return take_user(task, optarg);
	case RUNNING:
		task->running = true;
		return 0;
	case WATCH:
		task->watch = true;
		return 0;
	case SITE:
		task->site = optarg;
		return 0;
	case PBS:
		task->of = LXFW_NOW_PBS;
		return 0;
	case SLURM:
		task->of = LXFW_NOW_SLURM;
		return 0;
	default:
		task->journal = optarg;
		return 0;
	}
}

/* Returns 0, or an exit status after a message. */
static int check(const struct task *task)
{
	if (task->site && task->journal)
		return lxfw_cmd_misuse(task->command, "--site with --journal, expected one of them");
	if (task->of != LXFW_NOW_ANY && (task->site || task->journal))
		return lxfw_cmd_misuse(task->command, "--pbs or --slurm with --site or --journal, expected one "
				       "of them");
	if (task->watch && task->format != LXFW_FORMAT_TABLE)
		return lxfw_cmd_misuse(task->command, "--watch with --format, expected text");
	return lxfw_cmd_jobs(task->command, task->names, task->count) ? LXFW_EXIT_BAD : 0;
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
