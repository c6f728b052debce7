/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lxfw-pbsd: a scheduler of OpenPBS. One thread makes passes (plugins/agent/loop.h); this one
 * keeps the connection to the server and reads its commands.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/loop.h"
#include "plugins/pbs/config.h"
#include "plugins/pbs/survey.h"
#include "plugins/pbs/text.h"
#include "plugins/pbs/wlm.h"

#define DELAY_MIN_MS 1000	/* until the first attempt to connect again; doubles */
#define DELAY_MAX_MS 15000
#define ANSWER_MS 100		/* interval of looks whether an operator's job has been
				   answered */
#define ANSWER_LIMIT_MS 30000
#define SHADOW_SECONDS 5	/* interval of looks without commands */
#define WATCH_SECONDS 60
#define WATCH_PATIENCE 30

static struct {
	const char *config, *server, *sched, *state, *log;
	char *items, *journal;
	bool shadow, silent, watch, once;
	int verbose;
	int64_t patience, interval;	/* seconds; 0: not given */
} options = { .sched = "default" };

static struct lxfw_pbs *pbs;
static char *parameters;	/* as last accepted */
static atomic_bool in_use;	/* the other thread may use the agent */

/* --- log ------------------------------------------------------------------------------ */

static void write_log(enum lxfw_log_level level, const char *text)
{
	static const char *const names[] = { "error: ", "", "", "debug: " };
	char stamp[32];
	struct tm now;
	time_t clock = time(NULL);

	if ((level == LXFW_LOG_VERBOSE && options.verbose < 1) ||
	    (level == LXFW_LOG_DEBUG && options.verbose < 2) ||
	    (level == LXFW_LOG_INFO && options.once && options.verbose < 1))
		return;
	if (options.once && !options.log) {
		fprintf(stderr, "lxfw-pbsd: %s\n", text);
		return;
	}
	localtime_r(&clock, &now);
	strftime(stamp, sizeof(stamp), "%Y-%m-%d %H:%M:%S", &now);
	fprintf(stderr, "%s lxfw-pbsd: %s%s\n", stamp, names[level], text);
}

/* --- the thread that makes passes ------------------------------------------------------- */

static struct lxfw_agent *open_agent(bool (*stopping)(void *), void *loop)
{
	(void)stopping;
	(void)loop;
	in_use = true;
	return &pbs->agent;
}

/* The agent is destroyed when the daemon ends. */
static void close_agent(struct lxfw_agent *agent)
{
	(void)agent;
	in_use = false;
}

/* Without the mutex: the other thread may wait for the server with it. */
static bool may_run(void)
{
	return !pbs->link.lost;
}

static void reconfigure(struct lxfw_agent *agent)
{
	struct lxfw_error why;
	char *text = lxfw_pbs_config_read(options.config, options.items, &why);

	(void)agent;
	if (text && lxfw_pbs_config_use(pbs, text, &why)) {
		free(parameters);
		parameters = text;
		return;
	}
	lxfw_pbs_config_locate(options.config, &why);
	lxfw_log_error("%s; parameters stay as they were", why.text);
	free(text);
}

static const struct lxfw_service service = {
	.name = "PBS",
	.open = open_agent,
	.close = close_agent,
	.may_run = may_run,
	.may_look = may_run,
	.reconfigure = reconfigure,
};

/* --- commands of the server ------------------------------------------------------------- */

static bool is_lost(void)
{
	return !may_run();
}

/* Closes the connections. A request that waits for its answer on one of them fails then. */
static void lose(void)
{
	for (int i = 0; i < 2; i++) {
		if (pbs->watch.sockets[i] >= 0)
			(void)shutdown(pbs->watch.sockets[i], SHUT_RDWR);
	}
	pthread_mutex_lock(&pbs->mutex);
	pbs->watch.sockets[0] = pbs->watch.sockets[1] = -1;
	lxfw_pbs_disconnect(&pbs->link);
	pthread_mutex_unlock(&pbs->mutex);
	pthread_mutex_lock(&pbs->wanted_mutex);
	free(pbs->wanted);
	pbs->wanted = NULL;
	pbs->answered = false;
	pthread_mutex_unlock(&pbs->wanted_mutex);
}

/* Returns true if connected. */
static bool try_to_connect(bool complain)
{
	struct lxfw_error why;
	int rc;

	pthread_mutex_lock(&pbs->mutex);
	rc = lxfw_pbs_connect(&pbs->link, options.server,
			      options.shadow ? NULL : options.sched, &why);
	pbs->watch.sockets[0] = pbs->link.primary;
	pbs->watch.sockets[1] = pbs->link.secondary;
	pbs->connected = lxfw_agent_now(&pbs->agent);
	pthread_mutex_unlock(&pbs->mutex);
	pbs->redefined = pbs->changed = pbs->stirred = true;
	if (rc == 0)
		lxfw_log_info(options.shadow ? "connected; nothing is carried out" :
			      "registered as scheduler %s", options.sched);
	else if (complain)
		lxfw_log_error("%s; trying again", why.text);
	lxfw_pbs_notify(rc == 0 ? "STATUS=connected to the server" :
				  "STATUS=waiting for the server");
	return rc == 0;
}

static void stir(bool definitions)
{
	if (definitions)
		pbs->redefined = true;
	pbs->changed = pbs->stirred = true;
	lxfw_loop_wake();
}

static void finish_command(void)
{
	if (lxfw_pbs_command_done(&pbs->link) < 0)
		lose();
}

/* Hands an operator's job to the other thread. The command ends when it has been answered. */
static void want(char *job)
{
	pthread_mutex_lock(&pbs->wanted_mutex);
	free(pbs->wanted);
	pbs->wanted = job;
	pbs->answered = false;
	pthread_mutex_unlock(&pbs->wanted_mutex);
	stir(false);
}

/* Reads a command. Returns false if the daemon must end. Sets *WAITS if the command has not
   been handled yet. */
static bool serve(bool *waits)
{
	char *job;
	int command = lxfw_pbs_command(&pbs->link, &job);

	switch (command) {
	case LXFW_PBS_COMMAND_LOST:
		lxfw_log_error("the server closed the connection");
		lose();
		return true;
	case LXFW_PBS_COMMAND_QUIT:
		lxfw_log_info("the server ends its scheduler");
		return false;
	case LXFW_PBS_COMMAND_RUN:
		want(job);
		*waits = true;
		return true;
	default:
		lxfw_log_debug("command %d", command);
		stir(command == LXFW_PBS_COMMAND_CONFIGURE);
		finish_command();
		return true;
	}
}

/* Refuses the job of an operator that the other thread has not taken. Returns true if it was
   answered. */
static bool refuse_wanted(void)
{
	bool answered = false;

	if (pthread_mutex_trylock(&pbs->mutex) != 0)
		return false;	/* the other thread uses the connection */
	pthread_mutex_lock(&pbs->wanted_mutex);
	if (pbs->wanted) {
		(void)lxfw_pbs_answer_run(&pbs->link, pbs->wanted,
					  "lxfw-pbsd is busy: try again");
		free(pbs->wanted);
		pbs->wanted = NULL;
		answered = true;
	}
	pthread_mutex_unlock(&pbs->wanted_mutex);
	pthread_mutex_unlock(&pbs->mutex);
	return answered;
}

/* Ends the command of an operator once it has been answered. */
static void end_wait(bool *waits, int waited_ms)
{
	bool answered;

	pthread_mutex_lock(&pbs->wanted_mutex);
	answered = pbs->answered;
	pbs->answered = false;
	pthread_mutex_unlock(&pbs->wanted_mutex);
	if (!answered && waited_ms >= ANSWER_LIMIT_MS)
		answered = refuse_wanted();
	if (!answered)
		return;
	*waits = false;
	finish_command();
}

/* Opens the log again. If that fails it is written where it was. */
static void reopen_log(void)
{
	int file = open(options.log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

	if (file < 0 || dup2(file, STDERR_FILENO) < 0)
		lxfw_log_error("%s: %m; the log stays where it was", options.log);
	if (file >= 0)
		close(file);
}

/* Returns false if a signal ends the daemon. */
static bool take_signal(int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return true;
	if (info.ssi_signo != SIGHUP)
		return false;
	if (options.log)
		reopen_log();
	if (options.watch)
		reconfigure(&pbs->agent);
	else
		lxfw_loop_reconfigure();
	return true;
}

/* Waits for MS milliseconds, a signal, or a command if connected. Returns false if the daemon
   must end. */
static bool await(int signals, int ms, bool *waits)
{
	struct pollfd polled[2] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = *waits || is_lost() ? -1 : pbs->link.secondary, .events = POLLIN },
	};

	if (poll(polled, 2, ms) < 0)
		return errno == EINTR;
	if (polled[0].revents && !take_signal(signals))
		return false;
	if (polled[1].fd >= 0 && polled[1].revents) {
		bool going;

		lxfw_pbs_wait_begin(&pbs->watch.commands);
		going = serve(waits);
		lxfw_pbs_wait_end(&pbs->watch.commands);
		return going;
	}
	return true;
}

/* Closes what is left of the connections, and connects. Returns true if that succeeded. */
static bool reconnect(bool complain)
{
	bool connected;

	lxfw_pbs_wait_begin(&pbs->watch.commands);
	lose();
	connected = try_to_connect(complain);
	lxfw_pbs_wait_end(&pbs->watch.commands);
	return connected;
}

/* Another connection takes the place of one that is not of a scheduler and will expire. If that
   fails, it is lost. */
static void renew(void)
{
	struct lxfw_error why;

	lxfw_pbs_wait_begin(&pbs->watch.commands);
	pthread_mutex_lock(&pbs->mutex);
	pbs->watch.sockets[0] = -1;
	lxfw_pbs_disconnect(&pbs->link);
	(void)lxfw_pbs_connect(&pbs->link, options.server, NULL, &why);
	pbs->watch.sockets[0] = pbs->link.primary;
	pbs->connected = lxfw_agent_now(&pbs->agent);
	pthread_mutex_unlock(&pbs->mutex);
	lxfw_pbs_wait_end(&pbs->watch.commands);
}

static void keep_connected(int signals)
{
	int delay_ms = 0, waited_ms = 0;
	bool waits = false, first = true, going = true;

	while (going) {
		if (is_lost()) {
			waits = false;
			if (delay_ms && !await(signals, delay_ms, &waits))
				return;
			if (reconnect(first)) {
				delay_ms = 0;
				first = true;
			} else {
				delay_ms = !delay_ms ? DELAY_MIN_MS :
					   delay_ms * 2 > DELAY_MAX_MS ? DELAY_MAX_MS :
									 delay_ms * 2;
				first = false;
			}
			continue;
		}
		waited_ms = waits ? waited_ms + ANSWER_MS : 0;
		going = await(signals, waits ? ANSWER_MS :
				       options.shadow ? (int)options.interval * 1000 : 1000,
			      &waits);
		if (waits && !is_lost())
			end_wait(&waits, waited_ms);
		else if (options.shadow) {
			if (lxfw_pbs_survey_renews(pbs, lxfw_agent_now(&pbs->agent)))
				renew();
			stir(false);
		}
	}
}

/* --- without registering, and without privileges ------------------------------------------- */

static void complain_of_journal(bool *complained)
{
	bool is_written = pbs->agent.journal.recording;

	if (!is_written && !*complained && !options.once)
		lxfw_log_error("%s: the journal is not written", options.journal);
	*complained = !is_written;
}

/* libpbs waits for ever for a connection that a server accepts and does not serve. */
static void *end_in_time(void *argument)
{
	const struct timespec patience = { .tv_sec = 2 * options.patience };

	(void)argument;
	nanosleep(&patience, NULL);
	lxfw_log_error("the server has not answered for %lld s", (long long)patience.tv_sec);
	_exit(2);
}

/* With --once, the process ends in time. Returns false if that cannot be made sure. */
static bool limit_time(void)
{
	pthread_t thread;

	if (!options.once)
		return true;
	if (pthread_create(&thread, NULL, end_in_time, NULL) != 0)
		return false;
	pthread_detach(thread);
	return true;
}

/* Looks until a signal ends that, or once. Returns the exit status. */
static int watch(int signals)
{
	bool answers = true, complained = false, waits = false;

	if (!limit_time()) {
		lxfw_log_error("cannot start a thread");
		return 2;
	}
	do {
		bool before = answers;

		answers = lxfw_pbs_survey(pbs, options.server, before);
		if (answers != before && !options.once)
			lxfw_log_error(answers ? "the server answers again" : "trying again");
		if (answers)
			complain_of_journal(&complained);
	} while (!options.once && await(signals, (int)options.interval * 1000, &waits));
	return options.once && (!answers || !pbs->agent.journal.recording) ? 2 : 0;
}

/* --- beginning and end ------------------------------------------------------------------- */

static void usage(FILE *to)
{
	fputs("usage: lxfw-pbsd [OPTION...]\n"
	      "Schedules the jobs of an OpenPBS server. See lxfw-pbsd(8).\n"
	      "\n"
	      "  -c, --config FILE   parameters, one KEY=VALUE per line\n"
	      "  -o KEY=VALUE,...    parameters, after those of the file\n"
	      "      --sched NAME    name of the scheduler in the server (default: default)\n"
	      "      --server NAME   server (default: that of pbs.conf)\n"
	      "      --state DIR     folder of the journal and the state (default:\n"
	      "                      /var/spool/lxfw-pbs)\n"
	      "      --shadow        decide and write the journal, and carry nothing out\n"
	      "      --watch         the same as a user without privileges, and by decisions\n"
	      "                      that are as those of pbs_sched\n"
	      "      --journal FILE  with --watch: the journal\n"
	      "      --interval SECONDS  between looks with --shadow (default: 5) or --watch\n"
	      "                      (default: 60)\n"
	      "      --once          with --watch: look once and end\n"
	      "      --silent        do not write comments and expected starts of jobs\n"
	      "      --patience SECONDS  close the connections if the server has not answered\n"
	      "                      for so long (default: 300, with --watch 30)\n"
	      "      --log FILE      append messages to FILE (default: standard error)\n"
	      "  -v, --verbose       more messages; twice: all\n"
	      "  -h, --help          print this help\n"
	      "      --version       print the version\n", to);
}

/* Appends ITEMS to the options -o. */
static bool add_items(const char *items)
{
	char *all;

	if (asprintf(&all, "%s%s%s", options.items ? options.items : "",
		     options.items ? "," : "", items) < 0)
		return false;
	free(options.items);
	options.items = all;
	return true;
}

/* The journal is found again wherever the process is. The caller frees it. */
static char *absolute(const char *path)
{
	char *folder = *path == '/' ? strdup("") : getcwd(NULL, 0), *whole = NULL;

	if (folder && asprintf(&whole, "%s%s%s", folder, *path == '/' ? "" : "/", path) < 0)
		whole = NULL;
	free(folder);
	if (!whole)
		fprintf(stderr, "lxfw-pbsd: %s: %s\n", path, strerror(errno));
	return whole;
}

static bool take_seconds(const char *option, const char *text, int64_t *seconds)
{
	if (lxfw_pbs_number(text, seconds) && *seconds >= 1 && *seconds <= 86400)
		return true;
	fprintf(stderr, "lxfw-pbsd: --%s=%s: expected 1 to 86400 seconds\n", option, text);
	return false;
}

/* Sets what was not given. Returns -1 to continue, or the exit status after a message. */
static int check_options(void)
{
	const char *why = NULL;

	if (!options.watch && (options.journal || options.once))
		why = "--journal and --once: expected --watch, too";
	else if (!options.shadow && options.interval)
		why = "--interval: expected --shadow or --watch, too";
	else if (options.watch && !options.journal)
		why = "--watch: expected --journal FILE, too";
	if (why) {
		fprintf(stderr, "lxfw-pbsd: %s\n", why);
		return 2;
	}
	if (!options.interval)
		options.interval = options.watch ? WATCH_SECONDS : SHADOW_SECONDS;
	if (!options.patience)
		options.patience = options.watch ? WATCH_PATIENCE : LXFW_PBS_PATIENCE;
	/* Nothing else outlives a watcher. */
	if (!options.state && !options.watch)
		options.state = "/var/spool/lxfw-pbs";
	return -1;
}

/* Returns -1 to continue, or the exit status. */
static int read_options(int argc, char **argv)
{
	enum {
		SCHED = 256, SERVER, STATE, SHADOW, WATCH, JOURNAL, INTERVAL, ONCE, SILENT, LOG,
		PATIENCE, PRINT_VERSION
	};
	static const struct option list[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "sched", required_argument, NULL, SCHED },
		{ "server", required_argument, NULL, SERVER },
		{ "state", required_argument, NULL, STATE },
		{ "shadow", no_argument, NULL, SHADOW },
		{ "watch", no_argument, NULL, WATCH },
		{ "journal", required_argument, NULL, JOURNAL },
		{ "interval", required_argument, NULL, INTERVAL },
		{ "once", no_argument, NULL, ONCE },
		{ "silent", no_argument, NULL, SILENT },
		{ "log", required_argument, NULL, LOG },
		{ "patience", required_argument, NULL, PATIENCE },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, PRINT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "c:o:vh", list, NULL)) != -1) {
		switch (option) {
		case 'c': options.config = optarg; break;
		case 'o':
			if (!add_items(optarg))
				return 1;
			break;
		case SCHED: options.sched = optarg; break;
		case SERVER: options.server = optarg; break;
		case STATE: options.state = optarg; break;
		case SHADOW: options.shadow = true; break;
		case WATCH: options.watch = options.shadow = true; break;
		case JOURNAL:
			free(options.journal);
			options.journal = absolute(optarg);
			if (!options.journal)
				return 1;
			break;
		case INTERVAL:
			if (!take_seconds("interval", optarg, &options.interval))
				return 2;
			break;
		case ONCE: options.once = true; break;
		case SILENT: options.silent = true; break;
		case LOG: options.log = optarg; break;
		case PATIENCE:
			if (!take_seconds("patience", optarg, &options.patience))
				return 2;
			break;
		case 'v': options.verbose++; break;
		case 'h': usage(stdout); return 0;
		case PRINT_VERSION: puts("lxfw-pbsd " PACKAGE_VERSION); return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "lxfw-pbsd: %s: unexpected argument\n", argv[optind]);
		return 2;
	}
	return check_options();
}

static bool make_folder(void)
{
	struct stat status;

	if ((mkdir(options.state, 0700) == 0 || errno == EEXIST) &&
	    stat(options.state, &status) == 0) {
		errno = ENOTDIR;
		if (S_ISDIR(status.st_mode) && access(options.state, W_OK | X_OK) == 0)
			return true;
	}
	fprintf(stderr, "lxfw-pbsd: %s: %s\n", options.state, strerror(errno));
	return false;
}

/* Reads the parameters for the first time. Returns the exit status, or -1 to continue. */
static int begin(void)
{
	struct lxfw_params params;
	struct lxfw_error why;

	if (options.log && !freopen(options.log, "a", stderr)) {
		fprintf(stdout, "lxfw-pbsd: %s: %s\n", options.log, strerror(errno));
		return 1;
	}
	setvbuf(stderr, NULL, _IOLBF, 0);
	if (options.state && !make_folder())
		return 1;
	parameters = lxfw_pbs_config_read(options.config, options.items, &why);
	pbs = calloc(1, sizeof(*pbs));
	if (!pbs)
		return 1;
	lxfw_params_default(&params);
	pbs->watches = options.watch;
	pbs->journal = options.journal;
	lxfw_pbs_init(pbs, &params, options.sched, options.state);
	lxfw_pbs_watch_init(&pbs->watch, options.patience);
	pbs->shadow = options.shadow;
	pbs->silent = options.silent;
	if (parameters && lxfw_pbs_config_use(pbs, parameters, &why))
		return -1;
	if (parameters)
		lxfw_pbs_config_locate(options.config, &why);
	fprintf(stderr, "lxfw-pbsd: %s\n", why.text);
	return 2;
}

static int block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Returns the exit status. */
static int work(int signals)
{
	int rc = 0;

	pbs->watch.signals = signals;
	if (lxfw_pbs_watch_start(&pbs->watch) < 0)
		lxfw_log_error("cannot start a thread: stalls are not noticed");
	lxfw_pbs_notify("READY=1");
	if (options.watch)
		rc = watch(signals);
	else
		keep_connected(signals);
	lxfw_pbs_notify("STOPPING=1");
	lxfw_log_info("ends");
	lxfw_loop_stop();
	if (in_use)	/* it waits for the server, and uses all data */
		_exit(0);
	lose();
	return rc;
}

int main(int argc, char **argv)
{
	int rc = read_options(argc, argv), signals = -1;

	if (rc >= 0)
		return rc;
	lxfw_log_to(write_log);
	rc = begin();
	if (options.once)
		signal(SIGPIPE, SIG_IGN);
	else
		signals = block_signals();
	if (rc < 0 && ((signals < 0 && !options.once) ||
		       (!options.watch && lxfw_loop_start(&service) < 0)))
		rc = 1;
	if (rc < 0)
		rc = work(signals);
	if (pbs)
		lxfw_pbs_destroy(pbs);
	free(pbs);
	free(parameters);
	free(options.items);
	free(options.journal);
	return rc;
}
