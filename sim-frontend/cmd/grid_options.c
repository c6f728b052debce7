/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/grid_options.h"

#include <getopt.h>
#include <string.h>

#include "common/grid/brokers.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/util/text.h"

const char lxfw_grid_help[] =
"\n"
"Simulate a TRACE on several sites, each with hosts and a scheduler of its own, and\n"
"a broker that sends the jobs of all users to sites. With several brokers their\n"
"results are printed side by side.\n"
"\n"
"Options:\n"
"  --sites FILE|N,N,...  a file with a site per line, site=NAME procs=N or\n"
"                        cluster=FILE [policy=NAME] [params=KEY=VALUE,...]\n"
"                        [speed=FACTOR] [machine=FORMULA]; or sites s1, s2, ... of N\n"
"                        processors with the policy easy\n"
"  --broker NAME,...     local (default), best_fit, most_free, least_work, earliest,\n"
"                        earliest_end, central, multi_site, multi_site_fair, olb, sjs,\n"
"                        pjs, adaptive, adaptive_procs, market; see lxfw-grid(1)\n"
"  --overhead PERCENT    jobs at several sites run longer by this (default 0)\n"
"  --mold-threshold PERCENT\n"
"                        adaptive, adaptive_procs: a job starts on less than it\n"
"                        requires if its turnaround time is then below this, per cent\n"
"                        of that if it waits (default 200); 0: it always does\n"
"  --home round-robin|user|queue|partition\n"
"                        the site at which a job is submitted: in turn (default), or\n"
"                        by a number in the log\n"
"  --split-wide home|largest|N\n"
"                        replace wide jobs by several of the width of their own site,\n"
"                        of the largest site, or of N processors\n"
"  --estimates requested|exact|history[:FILE]\n"
"                        what schedulers and brokers expect: the requested time\n"
"                        (default), the run time, or learned from jobs that have ended,\n"
"                        and from those of a data base of 'lxfw import --history' that\n"
"                        ended before, by class and machine: a site of that name\n"
"  --overrun extend|kill jobs run as recorded (default), or end at their limits\n"
"  --kind user|queue|partition\n"
"                        jobs with the same number in the log are of a kind, with\n"
"                        similar run times (default: all jobs are)\n";

const char lxfw_grid_more_help[] =
"  --times FILE          run times of kinds of jobs, in place of those of the log:\n"
"                        lines kind=NUMBER place=SITE|CLUSTER,... seconds=NUMBER\n"
"  --history FILE        begin with run times of kinds at places from such a data\n"
"                        base, for olb, sjs and pjs; with --kind user or queue\n"
"  --quantum SECONDS     time between two batches of olb, sjs and pjs (default 10)\n"
"  --priorities          jobs of queue 1 have high priority, those of queue 2 medium,\n"
"                        all others low\n"
"  --preemptions N       sjs and pjs stop a job of low priority at most N times for\n"
"                        jobs of high priority; it then begins again (default 0)\n"
"Options of market:\n"
"  --machine MF1..MF6|FORMULA\n"
"                        what owners demand for an offer (default MF1)\n"
"  --utility UF1..UF5|FORMULA\n"
"                        what the user maximizes (default UF1)\n"
"  --budget FORMULA      the most that a job may cost (default: any price)\n"
"  --ask all|2nn|FILE    whom each site asks: all others (default), the previous and\n"
"                        the next, or those of a file with lines SITE ASKED ...\n"
"  --hops N              how far a request goes (default 1)\n"
"  --live SECONDS        it goes no further if its answer would come later than this\n"
"  --reserve SECONDS     time for which an offer is reserved (default: until the choice)\n"
"  --several never|wide|always\n"
"                        jobs run at several sites if they are wider than their home\n"
"                        (default), never, or whenever it is better\n"
"  --reschedule          better offers replace allocations when jobs end early\n"
"  --offers N, --combinations N, --starts N\n"
"                        bounds of the search: enough offers of a site (default 32),\n"
"                        combinations at a time (8), starts that are tried (5)\n"
"\n"
"Neighbours:\n"
"  --graph FILE|2nn|can|none\n"
"                        instead of a broker: sites exchange jobs with their\n"
"                        neighbours. FILE has lines SITE NEIGHBOUR ...; 2nn: the\n"
"                        previous and the next site; can: up to four similar ones\n"
"  --moves LIST          how, with --graph: none, push, pull, push+pull (default), and\n"
"                        each with +balance, separated by commas\n"
"  --delay SECONDS       time that a message takes (default 0); of market, too\n"
"  --loss PERCENT, --seed N\n"
"                        share of messages that are lost (default 0, at most 99), seed\n"
"                        of the losses\n"
"  --stay                jobs that have run stay at their site\n"
"\n"
"lxfw grid request FILE prints the offers of sites for a request; its options and the\n"
"language of FILE are in lxfw-grid-request(5).\n"
"\n"
"Output:\n"
"  --jobs-out FILE       write the jobs as CSV (one broker)\n"
"  --journals FOLDER     write a journal SITE.journal for each site (one broker)\n"
"  --decisions FILE      write the broker's decisions as CSV: which site, and why (one\n"
"                        broker)\n"
"  --report FILE         write an HTML page\n"
"  --format table|json|csv\n"
"                        output format (default: table, which is text)\n"
"  --json                same as --format json\n"
"  -h, --help            print this help and exit\n"
"  --version             print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw grid --sites 128,128,128,128 --broker local,best_fit,multi_site log.swf\n"
"  lxfw grid --sites sites.txt --broker central --report grid.html log.swf\n"
"  lxfw grid --sites sites.txt --broker market --machine MF2 --utility UF3 log.swf\n"
"  lxfw grid --sites 8,8,4,4,4 --graph can --moves none,push+pull log.swf\n"
"\n"
"Exit status: 0 success; 2 invalid usage or input, or a job that can never start.\n";

enum {
	SITES = LXFW_OPTION_FIRST, BROKER, OVERHEAD, MOLD_THRESHOLD, HOME, SPLIT_WIDE,
	ESTIMATES, OVERRUN, JOBS_OUT, JOURNALS, REPORT, KIND, TIMES, HISTORY, QUANTUM,
	PRIORITIES, PREEMPTIONS, DECISIONS,
	GRAPH, MOVES, DELAY, LOSS, SEED, STAY,
};

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "sites", required_argument, NULL, SITES },
	{ "broker", required_argument, NULL, BROKER },
	{ "overhead", required_argument, NULL, OVERHEAD },
	{ "mold-threshold", required_argument, NULL, MOLD_THRESHOLD },
	{ "home", required_argument, NULL, HOME },
	{ "split-wide", required_argument, NULL, SPLIT_WIDE },
	{ "estimates", required_argument, NULL, ESTIMATES },
	{ "overrun", required_argument, NULL, OVERRUN },
	{ "jobs-out", required_argument, NULL, JOBS_OUT },
	{ "journals", required_argument, NULL, JOURNALS },
	{ "decisions", required_argument, NULL, DECISIONS },
	{ "report", required_argument, NULL, REPORT },
	{ "kind", required_argument, NULL, KIND },
	{ "times", required_argument, NULL, TIMES },
	{ "history", required_argument, NULL, HISTORY },
	{ "quantum", required_argument, NULL, QUANTUM },
	{ "priorities", no_argument, NULL, PRIORITIES },
	{ "preemptions", required_argument, NULL, PREEMPTIONS },
	{ "graph", required_argument, NULL, GRAPH },
	{ "moves", required_argument, NULL, MOVES },
	{ "delay", required_argument, NULL, DELAY },
	{ "loss", required_argument, NULL, LOSS },
	{ "seed", required_argument, NULL, SEED },
	{ "stay", no_argument, NULL, STAY },
	LXFW_CMD_MARKET_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static int take_brokers(const struct lxfw_command *command, const char *text,
			struct lxfw_grid_arguments *to)
{
	to->broker_count = 0;
	for (;;) {
		size_t length = strcspn(text, ",");
		const struct lxfw_broker *broker = lxfw_broker_find(text, length);

		if (!broker || to->broker_count == LXFW_GRID_BROKERS_MOST)
			return lxfw_cmd_bad_value(command, "broker", text, "a list of local, "
						  "best_fit, most_free, least_work, earliest, "
						  "earliest_end, central, multi_site, "
						  "multi_site_fair, olb, sjs, pjs, "
						  "adaptive, adaptive_procs and market");
		to->brokers[to->broker_count++] = broker;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

/* Returns 0, or -1 after a message. */
static int take_neighbours(const struct lxfw_command *command, int option,
			   struct lxfw_grid_neighbours *to)
{
	double percent;

	switch (option) {
	case GRAPH:
		to->graph = optarg;
		return 0;
	case MOVES:
		return lxfw_grid_neighbours_moves(command, optarg, to);
	case DELAY:
		to->delayed = true;
		return lxfw_cmd_integer(command, "delay", optarg, 0, 1000000, &to->delay);
	case LOSS:
		if (lxfw_cmd_number(command, "loss", optarg, 0, 99, &percent))
			return -1;
		to->loss = (int32_t)(percent * 100 + 0.5);
		return 0;
	case SEED:
		return lxfw_cmd_integer(command, "seed", optarg, 0, INT64_MAX, &to->seed);
	default:
		to->stay = true;
		return 0;
	}
}

/* Notes an option that applies only without, or only with a graph. */
static void note_option(int option, struct lxfw_grid_arguments *to)
{
	static const struct { int option; const char *name; bool graph; } only[] = {
		{ BROKER, "broker", false }, { OVERHEAD, "overhead", false },
		{ JOURNALS, "journals", false }, { DECISIONS, "decisions", false },
		{ MOLD_THRESHOLD, "mold-threshold", false }, { KIND, "kind", false },
		{ TIMES, "times", false }, { HISTORY, "history", false },
		{ QUANTUM, "quantum", false }, { PRIORITIES, "priorities", false },
		{ PREEMPTIONS, "preemptions", false },
		{ MOVES, "moves", true }, { LOSS, "loss", true },
		{ SEED, "seed", true }, { STAY, "stay", true },
	};

	for (size_t i = 0; i < sizeof(only) / sizeof(*only); i++) {
		if (only[i].option == option && only[i].graph)
			to->of_neighbours = only[i].name;
		else if (only[i].option == option)
			to->of_brokers = only[i].name;
	}
}

static int take_split(const struct lxfw_command *command, const char *text,
		      struct lxfw_grid_arguments *to)
{
	int64_t number;

	to->split_wide = text;
	if (strcmp(text, "home") == 0 || strcmp(text, "largest") == 0 ||
	    lxfw_text_integer(text, strlen(text), 1, INT32_MAX, &number) == 0)
		return 0;
	return lxfw_cmd_bad_value(command, "split-wide", text,
				  "home, largest or a number of processors");
}

/* Returns 0, or -1 after a message. */
static int take_option(const struct lxfw_command *command, int option, struct lxfw_grid_arguments *to)
{
	int choice;

	note_option(option, to);
	if (option >= LXFW_CMD_MARKET_FIRST)
		return lxfw_cmd_market_option(command, option, &to->market);
	if (option >= GRAPH)
		return take_neighbours(command, option, &to->neighbours);
	switch (option) {
	case SITES:
		to->sites = optarg;
		return 0;
	case BROKER:
		return take_brokers(command, optarg, to);
	case OVERHEAD:
		return lxfw_cmd_number(command, "overhead", optarg, 0, 1000, &to->overhead);
	case MOLD_THRESHOLD:
		return lxfw_cmd_integer(command, "mold-threshold", optarg, 0, 1000000,
					&to->mold_threshold);
	case HOME:
		choice = lxfw_cmd_choice(command, "home", optarg,
					 "round-robin|user|queue|partition");
		to->home = (enum lxfw_homes)choice;
		return choice < 0 ? -1 : 0;
	case SPLIT_WIDE:
		return take_split(command, optarg, to);
	case ESTIMATES:
		to->kinds.estimates = (struct lxfw_cmd_history){ 0 };
		to->options.estimates = LXFW_ESTIMATES_REQUESTED;
		choice = lxfw_cmd_history_estimates(command, optarg, &to->kinds.estimates);
		if (choice)
			return choice < 0 ? -1 : 0;
		choice = lxfw_cmd_choice(command, "estimates", optarg,
					 "requested|exact|history[:FILE]");
		to->options.estimates = choice ? LXFW_ESTIMATES_EXACT :
						 LXFW_ESTIMATES_REQUESTED;
		return choice < 0 ? -1 : 0;
	case OVERRUN:
		choice = lxfw_cmd_choice(command, "overrun", optarg, "extend|kill");
		to->options.overrun = choice ? LXFW_OVERRUN_KILL : LXFW_OVERRUN_EXTEND;
		return choice < 0 ? -1 : 0;
	case JOBS_OUT:
		to->jobs_out = optarg;
		return 0;
	case JOURNALS:
		to->journals = optarg;
		return 0;
	case DECISIONS:
		to->decisions = optarg;
		return 0;
	case REPORT:
		to->report = optarg;
		return 0;
	case KIND:
		choice = lxfw_cmd_choice(command, "kind", optarg, "user|queue|partition");
		to->kinds.by_number = true;
		to->kinds.by = (enum lxfw_homes)(LXFW_HOMES_USER + choice);
		return choice < 0 ? -1 : 0;
	case TIMES:
		to->kinds.times = optarg;
		return 0;
	case HISTORY:
		to->kinds.history = optarg;
		return 0;
	case QUANTUM:
		return lxfw_cmd_integer(command, "quantum", optarg, 0, 1000000,
					&to->kinds.quantum);
	case PREEMPTIONS:
		return lxfw_cmd_integer(command, "preemptions", optarg, 0, INT32_MAX,
					&to->kinds.preemptions);
	default:
		to->kinds.priorities = true;
		return 0;
	}
}

static bool has_market(const struct lxfw_grid_arguments *arguments)
{
	for (size_t i = 0; i < arguments->broker_count; i++) {
		if (arguments->brokers[i] == &lxfw_broker_market)
			return true;
	}
	return false;
}

static int check(const struct lxfw_command *command, const struct lxfw_grid_arguments *arguments,
		 int files)
{
	if (files != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one TRACE", files);
	if (!arguments->sites)
		return lxfw_cmd_misuse(command, "no sites, expected --sites FILE or "
				       "--sites 128,64");
	if (arguments->broker_count > 1 &&
	    (arguments->jobs_out || arguments->journals || arguments->decisions))
		return lxfw_cmd_misuse(command, "--jobs-out, --journals or --decisions with "
				       "several brokers, expected one");
	if (arguments->split_wide && (arguments->kinds.by_number || arguments->kinds.priorities ||
				      arguments->kinds.estimates.estimates))
		return lxfw_cmd_misuse(command, "--split-wide with --kind, --priorities or "
				       "--estimates history, expected one of them: the parts of "
				       "a job have no number");
	if (arguments->neighbours.graph && arguments->kinds.estimates.estimates)
		return lxfw_cmd_misuse(command, "--estimates history with --graph, expected "
				       "requested or exact");
	if (arguments->kinds.history && arguments->kinds.times)
		return lxfw_cmd_misuse(command, "--history with --times, expected one of them: "
				       "nothing is learned of times that are known");
	if (arguments->kinds.history && (!arguments->kinds.by_number ||
					 arguments->kinds.by == LXFW_HOMES_PARTITION))
		return lxfw_cmd_misuse(command, "--history without kinds that it knows, expected "
				       "--kind user or queue");
	if (arguments->neighbours.graph && arguments->journals)
		return lxfw_cmd_misuse(command, "--journals with --graph, expected one of them: a "
				       "journal has the decisions of a scheduler, which sites with "
				       "neighbours do not have");
	if (arguments->neighbours.graph && arguments->of_brokers)
		return lxfw_cmd_misuse(command, "--%s with --graph, expected one of them",
				       arguments->of_brokers);
	if (!arguments->neighbours.graph && arguments->of_neighbours)
		return lxfw_cmd_misuse(command, "--%s without --graph, expected both",
				       arguments->of_neighbours);
	if (!has_market(arguments) && arguments->market.given)
		return lxfw_cmd_misuse(command, "--%s without the broker market, expected "
				       "--broker market", arguments->market.given);
	if (!has_market(arguments) && !arguments->neighbours.graph &&
	    arguments->neighbours.delayed)
		return lxfw_cmd_misuse(command, "--delay without --graph or the broker market, "
				       "expected one of them");
	if (arguments->neighbours.move_count > 1 && arguments->jobs_out)
		return lxfw_cmd_misuse(command, "--jobs-out with several --moves, expected "
				       "one");
	return 0;
}

bool lxfw_grid_sites_are_numbers(const char *text)
{
	return text[strspn(text, "0123456789,")] == '\0';
}

static int check_files(const struct lxfw_command *command, const struct lxfw_grid_arguments *arguments,
		       char *const *trace)
{
	const struct lxfw_cmd_file files[] = {
		{ "jobs-out", arguments->jobs_out, true },
		{ "report", arguments->report, true },
		{ "decisions", arguments->decisions, true },
		{ "history", arguments->kinds.history, false },
		{ "estimates", arguments->kinds.estimates.path, false },
		{ "times", arguments->kinds.times, false },
		{ "graph", arguments->neighbours.graph, false },
		{ "ask", arguments->market.options.ask, false },
		{ "sites", lxfw_grid_sites_are_numbers(arguments->sites) ? NULL : arguments->sites, false },
	};

	return lxfw_cmd_files_apart(command, files, sizeof(files) / sizeof(*files), trace,
				    1) ? LXFW_EXIT_BAD : 0;
}
int lxfw_grid_options(const struct lxfw_command *command, int argc, char **argv,
		      struct lxfw_grid_arguments *to)
{
	int option, status;

	*to = (struct lxfw_grid_arguments){
		.format = LXFW_FORMAT_TABLE, .brokers = { lxfw_brokers[0] },
		.broker_count = 1, .kinds.quantum = 10, .mold_threshold = 200,
		.neighbours.seed = 1, .market = LXFW_CMD_MARKET_USUAL,
	};
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(command, option, &to->format);
		if (status < 0)
			return LXFW_EXIT_BAD;
		if (status == 0 && take_option(command, option, to))
			return LXFW_EXIT_BAD;
	}
	status = check(command, to, argc - optind);
	if (status == 0)
		status = check_files(command, to, argv + optind);
	to->trace = status ? NULL : argv[optind];
	return status ? status : -1;
}
