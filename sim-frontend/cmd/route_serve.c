/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw route --serve: answers when a job would start on this cluster. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/explain.h"
#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/cmd/route.h"
#include "sim-frontend/route/forecast.h"
#include "sim-frontend/route/ping.h"
#include "sim-frontend/route/server.h"
#include "sim-frontend/trace/journal_tail.h"
#include "sim-frontend/util/metrics_text.h"

#define PARTITIONS_AGE 300	/* seconds for which the partitions are not read again */
#define TRY_AGE 10		/* seconds until a broken journal is read again */
#define STEP 0.005		/* processor time for the next table at a time, seconds */
#define COMPLAIN_AGE 60		/* seconds between two messages about the journal */

struct service {
	const struct lxfw_route_arguments *arguments;
	struct lxfw_journal_tail *tail;
	struct lxfw_replayer replay;
	struct lxfw_known_hosts hosts;
	struct lxfw_slurm_partitions partitions;
	int64_t partitions_read;	/* monotonic; before the first time < 0 */
	struct lxfw_route_forecast *forecast;
	struct lxfw_route_ping ping;
	int64_t complained, tried;	/* monotonic */
	bool broken;			/* the journal cannot be followed */
};

static volatile int stop;

static void take_signal(int number)
{
	(void)number;
	stop = 1;
}

static int64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* --- the state ---------------------------------------------------------------------- */

static int see_segment(void *context)
{
	struct service *service = context;

	lxfw_known_hosts_clear(&service->hosts);
	service->partitions_read = -PARTITIONS_AGE;
	return 0;
}

static int see_event(void *context, struct lxfw_replayer *replay,
		     const struct lxfw_event *event)
{
	struct service *service = context;

	(void)replay;
	return lxfw_known_hosts_see(&service->hosts, event);
}

static int take_record(void *context, const struct lxfw_record *record)
{
	struct service *service = context;

	return lxfw_replayer_take(&service->replay, record);
}

static void complain(struct service *service, const char *text)
{
	int64_t now = monotonic();

	if (now < service->complained + COMPLAIN_AGE)
		return;
	service->complained = now;
	lxfw_cmd_note("%s", text);
}

/* Follows the journal. */
static void catch_up(struct service *service)
{
	struct lxfw_error error;
	int got;

	if (service->broken && monotonic() < service->tried + TRY_AGE)
		return;
	service->tried = monotonic();
	got = lxfw_journal_tail_read(service->tail, take_record, service, &error);
	if (got > 0)
		lxfw_route_forecast_changed(service->forecast);
	service->broken = got < 0;
	if (got < 0)
		complain(service, *service->replay.refused.text ? service->replay.refused.text :
								  error.text);
}

static void read_partitions(struct service *service, int64_t now)
{
	struct lxfw_slurm_partitions partitions = { 0 };
	struct lxfw_error error;

	if (lxfw_slurm_partitions_read(&partitions, &error)) {
		complain(service, error.text);
		lxfw_slurm_partitions_clear(&partitions);
		return;
	}
	lxfw_slurm_partitions_clear(&service->partitions);
	service->partitions = partitions;
	service->partitions_read = now;
	lxfw_route_forecast_forget(service->forecast);
}

static int tick(void *context)
{
	struct service *service = context;
	int64_t now = monotonic(), good = service->ping.good;
	int file = lxfw_route_ping_tick(&service->ping, now, service->arguments->ping);

	/* A controller that just answered does so again soon. */
	if (service->ping.good > good && now >= service->partitions_read + PARTITIONS_AGE)
		read_partitions(service, now);
	catch_up(service);
	if (!service->broken && service->replay.sched && service->partitions.count > 0 &&
	    lxfw_route_forecast_work(service->forecast, service->replay.sched, &service->hosts,
				     &service->partitions, time(NULL), STEP) < 0)
		complain(service, "out of memory");
	return file;
}

/* --- answers ------------------------------------------------------------------------ */

/* Seconds since the last pass by the metrics of the plugin, or -1. */
static int64_t pass_age(const struct service *service)
{
	struct lxfw_samples samples;
	struct lxfw_error error;
	int64_t age = -1, last;

	if (!service->arguments->metrics)
		return -1;
	/* Without the file there was no pass. */
	age = INT32_MAX;
	if (lxfw_samples_read(&samples, service->arguments->metrics, &error) == 0) {
		last = (int64_t)lxfw_sample_value(&samples, "lxfw_last_pass_timestamp_seconds", "");
		age = time(NULL) - last;
	}
	lxfw_samples_clear(&samples);
	return age < 0 ? 0 : age;
}

static const char *why_not(const struct service *service)
{
	if (service->broken || !service->replay.sched)
		return "its journal cannot be read";
	if (lxfw_sched_params(service->replay.sched)->shadow == LXFW_SHADOW_ON)
		return "another scheduler starts its jobs";
	return service->partitions.count == 0 ? "its controller has not answered yet" : NULL;
}

static void answer(void *context, char *text, char line[LXFW_ROUTE_ANSWER])
{
	static struct lxfw_route_question question;	/* large */
	struct service *service = context;
	struct lxfw_route_answer to = { 0 };
	struct lxfw_error error;
	const char *reason;

	catch_up(service);
	reason = why_not(service);
	if (lxfw_route_question_read(&question, text, &error))
		snprintf(to.reason, sizeof(to.reason), "%.110s", error.text);
	else if (reason)
		snprintf(to.reason, sizeof(to.reason), "%s", reason);
	else if (lxfw_route_forecast_answer(service->forecast, service->replay.sched,
					    &service->hosts, &service->partitions, time(NULL),
					    &question, &to)) {
		to.can = false;
		snprintf(to.reason, sizeof(to.reason), "out of memory");
	}
	to.ping = service->ping.good < 0 ? -1 : monotonic() - service->ping.good;
	to.pass = pass_age(service);
	lxfw_route_answer_write(&to, line);
}

static int serve(struct service *service)
{
	struct lxfw_route_server server = { .answer = answer, .tick = tick, .context = service };
	struct sigaction end = { .sa_handler = take_signal };
	struct lxfw_error error;

	if (lxfw_route_listen(&server, service->arguments->at, &error))
		return lxfw_cmd_bad(&error);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGINT, &end, NULL);
	return lxfw_route_serve(&server, &stop, &error) ? lxfw_cmd_bad(&error) : LXFW_EXIT_DONE;
}

int lxfw_route_serving(const struct lxfw_route_arguments *arguments)
{
	struct service service = {
		.arguments = arguments, .replay.until = LXFW_NEVER,
		.partitions_read = -PARTITIONS_AGE, .complained = -COMPLAIN_AGE,
		.ping = { .file = -1, .good = -1, .begun = -arguments->ping },
	};
	const struct lxfw_replayer_hooks hooks = {
		.context = &service, .segment = see_segment, .event = see_event,
	};
	int status = LXFW_EXIT_BAD;

	service.replay.hooks = &hooks;
	service.tail = lxfw_journal_tail_open(arguments->journal);
	service.forecast = lxfw_route_forecast_create();
	if (service.tail && service.forecast)
		status = serve(&service);
	else
		lxfw_cmd_note("out of memory");
	lxfw_route_ping_end(&service.ping);
	lxfw_route_forecast_destroy(service.forecast);
	lxfw_journal_tail_close(service.tail);
	lxfw_known_hosts_clear(&service.hosts);
	lxfw_slurm_partitions_clear(&service.partitions);
	lxfw_replayer_clear(&service.replay);
	return status;
}
