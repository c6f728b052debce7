/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw route: the clusters on which jobs run. */
#include "sim-frontend/cmd/route.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
"\n"
"Choose the cluster on which a job is submitted, from several that share a\n"
"slurmdbd. Each cluster answers when the job would start there, from the state\n"
"of its scheduler. lxfw-route(1) describes the file of the clusters, and how\n"
"sbatch uses this command.\n"
"\n"
"Options:\n"
"  --conf FILE          the clusters (default /etc/slurm/lxfw-route.conf)\n"
"\n"
"To choose:\n"
"  --request OPTIONS    print the cluster for a job with these options of sbatch:\n"
"                       -n, -N, -c, -t, -p, --mem, --mem-per-cpu, --exclusive\n"
"  --without NAME,...   do not ask these clusters\n"
"  --history FILE       run times of earlier jobs, see lxfw-grid(1), instead of\n"
"                       what the clusters know\n"
"  --user NAME          whose jobs in that file count (default: the user's)\n"
"  --record N           record the calling process, so that --pull can submit its\n"
"                       job elsewhere; the last N words of its command are the\n"
"                       script and its arguments, -1: it has --wrap\n"
"  --told FILE          a file of --submit\n"
"\n"
"Beside the controller of each cluster:\n"
"  --serve ADDRESS      answer at HOST:PORT or at the socket /PATH\n"
"  --journal FILE       the journal of its plugin (lxfw_journal)\n"
"  --metrics FILE       its metrics (lxfw_metrics), for the time of the last pass\n"
"  --history FILE       run times of earlier jobs, of which each user learns the\n"
"                       mean of the own ones\n"
"  --munge SOCKET       the socket of munged, which tells who asks over a network\n"
"                       (default: that of libmunge)\n"
"  --trusted-network    answer all that reach the address, without munge\n"
"  --ping SECONDS       time between two questions whether the controller answers\n"
"                       (default 5)\n"
"\n"
"To submit:\n"
"  --submit             run sbatch with the arguments behind '--'; if the chosen\n"
"                       cluster cannot be reached, try the next one\n"
"  --sbatch PATH        the program (default /usr/bin/sbatch)\n";

static const char more_help[] =
"\n"
"To move waiting jobs:\n"
"  --pull               move waiting jobs to clusters that start them earlier: as\n"
"                       root those of all users, otherwise those of this user\n"
"  --every SECONDS      repeat it (default: once)\n"
"  --most N             jobs that are moved at the same time per user (default 10)\n"
"  --visit SECONDS      longest time for the jobs of one user (default 600)\n"
"  --visits HOW         how root takes on the identity of a user: unit (a unit of\n"
"                       systemd with a PAM session) or process (default: unit if\n"
"                       systemd runs the machine)\n"
"  --pam SERVICE        the PAM service of a unit (default lxfw-route)\n"
"  --dry-run            print what would be moved\n"
"\n"
"  -h, --help           print this help and exit\n"
"  --version            print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw route --request '-n 64 -t 4:00:00'\n"
"  lxfw route --serve ctl-a:7321 --journal /var/log/slurm/lxfw.journal\n"
"  lxfw route --submit -- -n 64 -t 4:00:00 job.sh\n"
"\n"
"Exit status: 0 success; 1 no cluster can run the job; 2 invalid usage or input.\n"
"With --submit, that of sbatch.\n";

enum {
	CONF = LXFW_OPTION_FIRST, REQUEST, WITHOUT, HISTORY, USER, RECORD, TOLD, SERVE, JOURNAL,
	METRICS, PING, SUBMIT, SBATCH, PULL, EVERY, MOST, VISIT,
	DRY_RUN, MUNGE, TRUSTED_NETWORK, VISITS, PAM,
};

static const struct option options[] = {
	{ "conf", required_argument, NULL, CONF },
	{ "request", required_argument, NULL, REQUEST },
	{ "without", required_argument, NULL, WITHOUT },
	{ "history", required_argument, NULL, HISTORY },
	{ "user", required_argument, NULL, USER },
	{ "record", required_argument, NULL, RECORD },
	{ "told", required_argument, NULL, TOLD },
	{ "serve", required_argument, NULL, SERVE },
	{ "journal", required_argument, NULL, JOURNAL },
	{ "metrics", required_argument, NULL, METRICS },
	{ "ping", required_argument, NULL, PING },
	{ "munge", required_argument, NULL, MUNGE },
	{ "trusted-network", no_argument, NULL, TRUSTED_NETWORK },
	{ "submit", no_argument, NULL, SUBMIT },
	{ "sbatch", required_argument, NULL, SBATCH },
	{ "pull", no_argument, NULL, PULL },
	{ "every", required_argument, NULL, EVERY },
	{ "most", required_argument, NULL, MOST },
	{ "visit", required_argument, NULL, VISIT },
	{ "visits", required_argument, NULL, VISITS },
	{ "pam", required_argument, NULL, PAM },
	{ "dry-run", no_argument, NULL, DRY_RUN },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

#define PAM_SERVICE "lxfw-route"

struct tasks {
	bool submit, pull;
};

static int take_visits(const struct lxfw_command *command, int *units)
{
	*units = strcmp(optarg, "unit") == 0;
	if (*units || strcmp(optarg, "process") == 0)
		return 0;
	return lxfw_cmd_bad_value(command, "visits", optarg, "unit or process");
}

/* Whether it can be a file in /etc/pam.d. */
static bool is_service(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return length > 0 && length <= 64 && !name[length];
}

/* Returns 0, or -1 after a message. */
static int take_option(const struct lxfw_command *command, int option,
		       struct lxfw_route_arguments *to, struct tasks *tasks)
{
	switch (option) {
	case CONF:
		to->conf = optarg;
		return 0;
	case REQUEST:
		to->request = optarg;
		return 0;
	case WITHOUT:
		to->without = optarg;
		return 0;
	case HISTORY:
		to->history = optarg;
		return 0;
	case USER:
		to->user = optarg;
		return 0;
	case RECORD:
		to->record = true;
		return lxfw_cmd_integer(command, "record", optarg, -1, 65535, &to->tail);
	case TOLD:
		to->told = optarg;
		return 0;
	case SERVE:
		to->at = optarg;
		return 0;
	case JOURNAL:
		to->journal = optarg;
		return 0;
	case METRICS:
		to->metrics = optarg;
		return 0;
	case PING:
		return lxfw_cmd_integer(command, "ping", optarg, 1, 3600, &to->ping);
	case MUNGE:
		to->munge = optarg;
		return 0;
	case TRUSTED_NETWORK:
		to->trusted = true;
		return 0;
	case SUBMIT:
		tasks->submit = true;
		return 0;
	case SBATCH:
		to->sbatch = optarg;
		return 0;
	case PULL:
		tasks->pull = true;
		return 0;
	case EVERY:
		return lxfw_cmd_integer(command, "every", optarg, 1, 86400, &to->every);
	case MOST:
		return lxfw_cmd_integer(command, "most", optarg, 1, 1000, &to->most);
	case VISIT:
		return lxfw_cmd_integer(command, "visit", optarg, 1, 86400, &to->visit);
	case VISITS:
		return take_visits(command, &to->units);
	case PAM:
		to->pam = optarg;
		return 0;
	case DRY_RUN:
		to->dry = true;
		return 0;
	default:
		return -1;
	}
}

/* Returns 0, or an exit status after a message. */
static int check(const struct lxfw_command *command, const struct lxfw_route_arguments *arguments,
		 const struct tasks *tasks, int words)
{
	if (!!arguments->request + !!arguments->at + tasks->submit + tasks->pull != 1)
		return lxfw_cmd_misuse(command, "expected one of --request, --serve, --submit and "
				       "--pull");
	if (words > 0 && !tasks->submit)
		return lxfw_cmd_misuse(command, "%d arguments given, expected only options", words);
	if (arguments->at && !arguments->journal)
		return lxfw_cmd_misuse(command, "--serve without --journal");
	if (arguments->at && *arguments->at == '/' && strlen(arguments->at) > 107)
		return lxfw_cmd_misuse(command, "--serve: more than 107 characters");
	if (!arguments->at && (arguments->journal || arguments->metrics || arguments->munge ||
			       arguments->trusted))
		return lxfw_cmd_misuse(command, "--journal, --metrics, --munge or "
				       "--trusted-network without --serve");
	if (arguments->munge && (*arguments->munge != '/' || strlen(arguments->munge) > 107))
		return lxfw_cmd_misuse(command, "--munge '%.60s', expected a path from /, of at most "
				       "107 characters", arguments->munge);
	if (!arguments->request && (arguments->without || arguments->user || arguments->record ||
				    arguments->told))
		return lxfw_cmd_misuse(command, "--without, --user, --record or --told without "
				       "--request");
	if (!arguments->request && !arguments->at && arguments->history)
		return lxfw_cmd_misuse(command, "--history without --request or --serve");
	if (!tasks->pull && (arguments->every > 0 || arguments->dry || arguments->units >= 0 ||
			     strcmp(arguments->pam, PAM_SERVICE) != 0))
		return lxfw_cmd_misuse(command, "--every, --visits, --pam or --dry-run without "
				       "--pull");
	if (!is_service(arguments->pam))
		return lxfw_cmd_misuse(command, "--pam '%.60s', expected 1 to 64 letters, digits, '-' "
				       "and '_'", arguments->pam);
	if (arguments->sbatch && *arguments->sbatch != '/')
		return lxfw_cmd_misuse(command, "--sbatch '%.60s', expected a path from /",
				       arguments->sbatch);
	return 0;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct lxfw_route_arguments arguments = {
		.conf = "/etc/slurm/lxfw-route.conf",
		.ping = 5, .sbatch = "/usr/bin/sbatch", .most = 10,
		.visit = 600, .units = -1, .pam = PAM_SERVICE,
	};
	struct tasks tasks = { false, false };
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &arguments, &tasks))
			return LXFW_EXIT_BAD;
	}
	status = check(command, &arguments, &tasks, argc - optind);
	if (status)
		return status;
	if (arguments.at)
		return lxfw_route_serving(&arguments);
	if (tasks.submit)
		return lxfw_route_submit(&arguments, argv + optind, argc - optind);
	return tasks.pull ? lxfw_route_pull(&arguments) : lxfw_route_choose(&arguments);
}

const struct lxfw_command lxfw_command_route = {
	.name = "route",
	.arguments = "[-- ARGUMENT OF SBATCH...]",
	.summary = "choose the cluster on which a job is submitted",
	.help = help,
	.more_help = more_help,
	.run = run,
};
