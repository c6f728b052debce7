/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/grid_request.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/cmd/grid_market.h"
#include "sim-frontend/cmd/grid_options.h"
#include "sim-frontend/grid/request.h"
#include "sim-frontend/util/json_out.h"
#include "sim-frontend/util/text.h"

#define TIME_MOST INT64_C(1000000000000000)

enum { SITES = LXFW_OPTION_FIRST, AT, FROM, JOBS, ID, DELAY };

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "sites", required_argument, NULL, SITES },
	{ "at", required_argument, NULL, AT },
	{ "from", required_argument, NULL, FROM },
	{ "jobs", required_argument, NULL, JOBS },
	{ "id", required_argument, NULL, ID },
	{ "delay", required_argument, NULL, DELAY },
	LXFW_CMD_MARKET_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	enum lxfw_format format;
	const char *sites, *from;
	struct lxfw_cmd_market market;
	int64_t delay;
};

struct task {
	const struct lxfw_command *command;
	struct arguments arguments;
	struct lxfw_nwire nwire;
	struct lxfw_sites sites;
	struct lxfw_grid_request request;
};

/* --- options ----------------------------------------------------------------------------------- */

static int take_option(struct task *task, int option)
{
	switch (option) {
	case SITES:
		task->arguments.sites = optarg;
		return 0;
	case AT:
		return lxfw_cmd_integer(task->command, "at", optarg, -TIME_MOST, TIME_MOST,
					&task->request.at);
	case FROM:
		task->arguments.from = optarg;
		return 0;
	case JOBS:
		task->request.jobs = optarg;
		return 0;
	case ID:
		task->request.id = optarg;
		return 0;
	case DELAY:
		return lxfw_cmd_integer(task->command, "delay", optarg, 0, 1000000,
					&task->arguments.delay);
	case LXFW_CMD_MARKET_HOPS:
	case LXFW_CMD_MARKET_LIVE:
	case LXFW_CMD_MARKET_BUDGET:
	case LXFW_CMD_MARKET_RESERVE:
	case LXFW_CMD_MARKET_RESCHEDULE:
		lxfw_cmd_misuse(task->command, "--hops, --live, --budget, --reserve or "
				"--reschedule with a request, expected Hops, SearchTime, JobBudget "
				"and ReservationTime in the file");
		return -1;
	default:
		return lxfw_cmd_market_option(task->command, option, &task->arguments.market);
	}
}

/* Returns an exit status, or -1 if the command is to run. */
static int take_options(struct task *task, int argc, char **argv)
{
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(task->command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(task->command, option, &task->arguments.format);
		if (status < 0 || (status == 0 && take_option(task, option)))
			return LXFW_EXIT_BAD;
	}
	if (argc - optind != 1)
		return lxfw_cmd_misuse(task->command, "%d files given, expected one request",
				       argc - optind);
	task->request.path = argv[optind];
	return -1;
}

/* --- input ------------------------------------------------------------------------------------- */

/* "128,64" */
static int add_numbered(struct task *task, const char *text, struct lxfw_error *error)
{
	char name[24];

	for (;; text++) {
		size_t length = strcspn(text, ",");
		int64_t procs;

		if (lxfw_text_integer(text, length, 1, 1000000, &procs))
			return lxfw_cmd_bad_value(task->command, "sites",
						  task->arguments.sites, "a file, or numbers "
						  "of processors such as 128,64");
		snprintf(name, sizeof(name), "s%d", (int)task->sites.count + 1);
		if (lxfw_sites_add(&task->sites, name, (int32_t)procs, error))
			return lxfw_cmd_bad(error);
		text += length;
		if (*text == '\0')
			return 0;
	}
}

static int load_sites(struct task *task)
{
	const char *sites = task->arguments.sites;
	struct lxfw_error error;
	int failed;

	if (sites && lxfw_grid_sites_are_numbers(sites))
		return add_numbered(task, sites, &error) ? LXFW_EXIT_BAD : 0;
	failed = sites ? lxfw_sites_read(&task->sites, sites, &error) :
		 lxfw_grid_request_sites(&task->sites, &task->nwire, task->request.path,
					 &error);
	return failed ? lxfw_cmd_bad(&error) : 0;
}

static void report(const char *text)
{
	lxfw_cmd_note("%s", text);
}

static int load(struct task *task)
{
	const char *from = task->arguments.from;
	struct lxfw_error error;

	if (lxfw_nwire_read(&task->nwire, task->request.path, &error) ||
	    lxfw_nwire_unused(&task->nwire, task->request.path, report, &error))
		return lxfw_cmd_bad(&error);
	if (load_sites(task))
		return LXFW_EXIT_BAD;
	task->request.home = from ? lxfw_sites_find(&task->sites, from) : 0;
	return task->request.home >= 0 ? 0 :
	       lxfw_cmd_misuse(task->command, "--from '%s', expected the name of a site", from);
}

/* --- output ------------------------------------------------------------------------------------- */

/* Without a sign of 0. */
static double plain(double value)
{
	return value > 0 || value < 0 ? value : 0;
}

static void put_number(const char *key, double value)
{
	value = plain(value);
	printf("  KEY \"%s\" {VALUE \"%s\" {%.15g}}\n", key, key, value);
}

/* An offer in the language. */
static void print_offer(const struct task *task, size_t index)
{
	const struct lxfw_grid_request *request = &task->request;
	const struct lxfw_grid_offer *offer = &request->offers[index];

	printf("OFFER \"%s-%zu\" {\n  KEY \"RequestID\" {VALUE \"RequestID\" {\"%s\"}}\n"
	       "  KEY \"Resources\" {\n", request->name, index + 1, request->name);
	for (int32_t i = 0; i < offer->count; i++)
		printf("    ELEMENT %d {VALUE \"ResourceID\" {\"%s\"} VALUE "
		       "\"NumberOfProcessors\" {%d}}\n", (int)i + 1,
		       task->sites.list[offer->parts[i].site].name,
		       (int)offer->parts[i].procs);
	printf("  }\n");
	put_number("StartTime", (double)offer->start);
	put_number("EndTime", (double)offer->end);
	put_number("JobCost", offer->price);
	put_number("OfferCost", offer->offer_cost);
	put_number("ReservationCost", offer->reservation_cost);
	if (request->reserved < LXFW_NEVER)
		put_number("ReservationTime", (double)request->reserved);
	put_number("Hops", offer->hops);
	put_number("UtilityValue", offer->utility);
	printf("}\n");
}

static struct json_object *offer_json(const struct task *task, size_t index, bool *failed)
{
	const struct lxfw_grid_request *request = &task->request;
	const struct lxfw_grid_offer *offer = &request->offers[index];
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	char id[256];

	snprintf(id, sizeof(id), "%.200s-%zu", request->name, index + 1);
	lxfw_json_put(object, "offer", json_object_new_string(id), failed);
	for (int32_t i = 0; i < offer->count; i++) {
		struct json_object *part = json_object_new_object();

		lxfw_json_put(part, "site", json_object_new_string(
			      task->sites.list[offer->parts[i].site].name), failed);
		lxfw_json_put(part, "procs", json_object_new_int64(offer->parts[i].procs),
			      failed);
		lxfw_json_append(list, part, failed);
	}
	lxfw_json_put(object, "resources", list, failed);
	lxfw_json_put(object, "start", json_object_new_int64(offer->start), failed);
	lxfw_json_put(object, "end", json_object_new_int64(offer->end), failed);
	lxfw_json_put(object, "hops", json_object_new_int64(offer->hops), failed);
	lxfw_json_put(object, "job_cost", json_object_new_double(plain(offer->price)), failed);
	lxfw_json_put(object, "offer_cost", json_object_new_double(offer->offer_cost), failed);
	lxfw_json_put(object, "reservation_cost",
		      json_object_new_double(offer->reservation_cost), failed);
	lxfw_json_put(object, "utility", json_object_new_double(plain(offer->utility)), failed);
	return object;
}

static int print_json(const struct task *task)
{
	const struct lxfw_grid_request *request = &task->request;
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	bool failed = false;

	for (size_t i = 0; i < request->count; i++)
		lxfw_json_append(list, offer_json(task, i, &failed), &failed);
	lxfw_json_put(object, "request", json_object_new_string(request->name), &failed);
	lxfw_json_put(object, "at", json_object_new_int64(request->at), &failed);
	lxfw_json_put(object, "messages",
		      json_object_new_int64((int64_t)request->counts.messages), &failed);
	lxfw_json_put(object, "expired",
		      json_object_new_int64((int64_t)request->counts.expired), &failed);
	lxfw_json_put(object, "offers", list, &failed);
	if (failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, task->arguments.format, stdout);
}

/* The user chooses on a terminal. Returns the index of an offer, or -1. */
static int64_t choose(const struct task *task)
{
	size_t count = task->request.count;
	char line[32];
	int64_t number;

	for (;;) {
		fprintf(stderr, "Offer 1 to %zu, 0 for none: ", count);
		if (!fgets(line, sizeof(line), stdin))
			return -1;
		line[strcspn(line, "\n")] = '\0';
		if (lxfw_text_integer(line, strlen(line), 0, (int64_t)count, &number) == 0)
			return number - 1;
	}
}

static int print(const struct task *task)
{
	const struct lxfw_grid_request *request = &task->request;
	int64_t chosen;

	if (task->arguments.format != LXFW_FORMAT_TABLE) {
		if (print_json(task)) {
			lxfw_cmd_note("out of memory");
			return LXFW_EXIT_BAD;
		}
		return lxfw_cmd_finish(request->count ? LXFW_EXIT_DONE : LXFW_EXIT_NO);
	}
	for (size_t i = 0; i < request->count; i++)
		print_offer(task, i);
	if (request->count == 0)
		lxfw_cmd_note("%s: request %s: no offers", request->path, request->name);
	if (request->count > 0 && !request->chooses && isatty(0) && isatty(1)) {
		chosen = choose(task);
		if (chosen < 0)
			return lxfw_cmd_finish(LXFW_EXIT_NO);
		printf("\n");
		print_offer(task, (size_t)chosen);
	}
	return lxfw_cmd_finish(request->count ? LXFW_EXIT_DONE : LXFW_EXIT_NO);
}

int lxfw_grid_request_command(const struct lxfw_command *command, int argc, char **argv)
{
	struct task task = {
		.command = command,
		.arguments = { .format = LXFW_FORMAT_TABLE, .market = LXFW_CMD_MARKET_USUAL },
	};
	struct lxfw_error error;
	int status = take_options(&task, argc, argv);

	if (status >= 0)
		return status;
	status = load(&task);
	if (status == 0) {
		task.request.nwire = &task.nwire;
		task.request.sites = &task.sites;
		task.request.options = task.arguments.market.options;
		task.request.options.delay = task.arguments.delay;
		status = lxfw_grid_request_run(&task.request, &error) ? lxfw_cmd_bad(&error) :
			 print(&task);
	}
	lxfw_grid_request_clear(&task.request);
	lxfw_nwire_clear(&task.nwire);
	lxfw_sites_clear(&task.sites);
	return status;
}
