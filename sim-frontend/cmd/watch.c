/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw watch: keeps a journal of a Slurm or PBS that schedules by itself. */
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/now_pbs.h"
#include "sim-frontend/watch/watch.h"

static const char help[] =
"\n"
"Watch a Slurm that schedules by itself, and keep a journal of its nodes, jobs and\n"
"starts, as the plugin does in a trial (lxfw_shadow): 'lxfw predict', 'lxfw why',\n"
"'lxfw snapshot' and 'lxfw compare' read it. Nothing is installed in Slurm, nothing\n"
"is written to the controller, and no privileges are needed: scontrol and squeue\n"
"are asked, seven questions each time.\n"
"\n"
"PBS is watched by lxfw-pbsd, see lxfw-pbsd(8): it is built if an OpenPBS is there.\n"
"\n"
"Jobs of others that Slurm does not show (PrivateData) are counted as use of their\n"
"nodes for an unknown time.\n"
"\n"
"Options:\n"
"  --journal FILE      the journal, which is appended to\n"
"  --interval D        time between looks (default 60s, at least 10s)\n"
"  --once              look once and end\n"
"  --params STRING     policy and parameters of the decisions that are recorded, see\n"
"                      lxfw-params(5) (default: those that come closest to\n"
"                      sched/backfill, lxfw_policy=site,lxfw_reservations=all)\n"
"  --pbs, --slurm      watch this one (default: PBS if there is a pbs.conf and no\n"
"                      scontrol)\n"
"  -h, --help          print this help and exit\n"
"  --version           print the version and exit\n"
"\n"
"A duration D is a number of seconds, or a number with the suffix s, m, h or d.\n"
"\n"
"Examples:\n"
"  lxfw watch --journal /var/lib/lxfw/journal\n"
"  lxfw watch --once --journal now && lxfw predict --journal now\n"
"\n"
"Exit status: 0 success; 2 invalid usage, or with --once no answer.\n";

enum { JOURNAL = LXFW_OPTION_FIRST, INTERVAL, ONCE, PARAMS, PBS, SLURM };

static const struct option options[] = {
	{ "journal", required_argument, NULL, JOURNAL },
	{ "interval", required_argument, NULL, INTERVAL },
	{ "once", no_argument, NULL, ONCE },
	{ "params", required_argument, NULL, PARAMS },
	{ "pbs", no_argument, NULL, PBS },
	{ "slurm", no_argument, NULL, SLURM },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct task {
	const char *journal, *items;
	enum lxfw_now_of of;
	int64_t interval;
	bool once;
	bool silent;		/* that the controller does not answer has been said */
	bool odd;		/* that lines cannot be read has been said */
	struct lxfw_params params;
	struct lxfw_watch *watch;
	char *path;		/* of the journal, absolute */
};

static void note(const char *text)
{
	lxfw_cmd_note("%s", text);
}

/* Returns 0, or -1 after a message. */
static int take_params(struct task *task)
{
	lxfw_watch_usual(&task->params);
	if (task->items && lxfw_cmd_params(&task->params, NULL, task->items))
		return -1;
	task->params.shadow = LXFW_SHADOW_ON;
	if (lxfw_watch_permits(&task->params))
		return 0;
	lxfw_cmd_note("--params: a policy that suspends or resizes jobs decides nothing that is "
		      "not carried out, expected another policy");
	return -1;
}

/* Looks once. Returns 0, or -1 after a message. */
static int look(struct task *task)
{
	struct lxfw_watch_texts texts;
	struct lxfw_error error;
	int64_t now = time(NULL);

	if (lxfw_watch_ask(&texts, &error) ||
	    lxfw_watch_look(task->watch, &texts, now, &error)) {
		if (!task->silent)
			lxfw_cmd_note("%s%s", error.text, task->once ? "" : "; trying again");
		task->silent = true;
		return -1;
	}
	/* The time of the last answer, for readers of a journal to which nothing was added. */
	(void)utimensat(AT_FDCWD, task->path, NULL, 0);
	if (task->silent)
		lxfw_cmd_note("the controller answers again");
	task->silent = false;
	if (lxfw_watch_bad_lines(task->watch) > 0 && !task->odd)
		lxfw_cmd_note("%zu lines of scontrol and squeue cannot be read",
			      lxfw_watch_bad_lines(task->watch));
	task->odd = lxfw_watch_bad_lines(task->watch) > 0;
	return 0;
}

/* A signal has ended the program. */
static volatile sig_atomic_t ended;

static void end(int number)
{
	(void)number;
	ended = 1;
}

/* SIGINT and SIGTERM have an effect only in wait_for(): a look is not interrupted. */
static void defer_signals(void)
{
	const struct sigaction action = { .sa_handler = end };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
}

/* Waits until SECONDS are over or a signal ends the program. By ppoll(), because faketime, with
   which the tests accelerate clocks, does not know sigtimedwait(). */
static void wait_for(int64_t seconds)
{
	int64_t until = time(NULL) + seconds, left = seconds;
	sigset_t none;

	sigemptyset(&none);
	while (!ended && left > 0) {
		const struct timespec patience = { .tv_sec = left };

		(void)ppoll(NULL, 0, &patience, &none);
		left = until - time(NULL);
		/* The clock may have been set back. */
		left = left < seconds ? left : seconds;
	}
}

/* The journal is found again after its rotation, wherever the process is. The caller frees
   it. */
static char *absolute(const char *path)
{
	char *folder = *path == '/' ? strdup("") : getcwd(NULL, 0), *whole = NULL;

	if (folder && asprintf(&whole, "%s%s%s", folder, *path == '/' ? "" : "/", path) < 0)
		whole = NULL;
	free(folder);
	return whole;
}

static int watch(struct task *task)
{
	int status;

	if (!task->once)
		defer_signals();
	task->path = absolute(task->journal);
	task->watch = task->path ? lxfw_watch_open(&task->params, task->path, note) : NULL;
	if (!task->watch) {
		free(task->path);
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	do {
		status = look(task);
		if (!task->once)
			wait_for(task->interval);
	} while (!task->once && !ended);
	if (status == 0 && !lxfw_watch_records(task->watch)) {
		lxfw_cmd_note("%s: the journal is not written", task->journal);
		status = -1;
	}
	lxfw_watch_close(task->watch);
	free(task->path);
	return status && task->once ? LXFW_EXIT_BAD : LXFW_EXIT_DONE;
}

/* Returns the exit status if that fails. */
static int watch_pbs(const struct task *task)
{
	const struct lxfw_now_pbs_watch watch = {
		.journal = task->journal, .params = task->items, .interval = task->interval,
		.once = task->once,
	};
	struct lxfw_error error;

	lxfw_now_pbs_watch(&watch, &error);
	return lxfw_cmd_bad(&error);
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct task task = { .interval = 60 };
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		switch (option) {
		case JOURNAL:
			task.journal = optarg;
			break;
		case INTERVAL:
			if (lxfw_cmd_duration(command, "interval", optarg, &task.interval))
				return LXFW_EXIT_BAD;
			break;
		case ONCE:
			task.once = true;
			break;
		case PARAMS:
			task.items = optarg;
			break;
		case PBS:
			task.of = LXFW_NOW_PBS;
			break;
		case SLURM:
			task.of = LXFW_NOW_SLURM;
			break;
		}
	}
	if (argc > optind)
		return lxfw_cmd_misuse(command, "'%.40s' given, expected options only",
				       argv[optind]);
	if (!task.journal)
		return lxfw_cmd_misuse(command, "no journal, expected --journal FILE");
	if (task.interval < 10)
		return lxfw_cmd_misuse(command, "--interval %lld, expected 10 s or more",
				       (long long)task.interval);
	if (lxfw_now_is_pbs(task.of))
		return watch_pbs(&task);
	return take_params(&task) ? LXFW_EXIT_BAD : watch(&task);
}

const struct lxfw_command lxfw_command_watch = {
	.name = "watch",
	.arguments = "--journal FILE",
	.summary = "keep a journal of a Slurm or PBS that schedules by itself",
	.help = help,
	.run = run,
};
