/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw route --serve: answers when a job would start on this cluster. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/explain.h"
#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/cmd/route.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/route/child.h"
#include "sim-frontend/route/forecast.h"
#include "sim-frontend/route/owners.h"
#include "sim-frontend/route/ping.h"
#include "sim-frontend/route/runs.h"
#include "sim-frontend/route/server.h"
#include "sim-frontend/trace/journal_tail.h"
#include "sim-frontend/util/metrics_text.h"

#define PARTITIONS_AGE 300	/* seconds for which the partitions are not read again */
#define TRY_AGE 10		/* seconds until a broken journal is read again */
#define STEP 0.002		/* processor time for the next table at a time, seconds */
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
	struct lxfw_route_child scontrol;	/* shows the configuration, then the partitions */
	char *config;			/* of the former */
	struct lxfw_route_owners owners;
	struct lxfw_route_runs runs;
	int64_t metrics_read, last_pass;	/* monotonic; time of the pass, -1: none */
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

/* The configuration and the partitions are read by a process of its own: a controller that hangs
   delays no answer. */
static void take_partitions(struct service *service)
{
	struct lxfw_slurm_partitions partitions = { 0 };
	bool failed = lxfw_slurm_partitions_take(&partitions, service->config,
						 service->scontrol.text);

	if (failed)
		complain(service, "out of memory");
	if (failed || lxfw_slurm_partitions_same(&partitions, &service->partitions)) {
		lxfw_slurm_partitions_clear(&partitions);
		return;
	}
	lxfw_slurm_partitions_clear(&service->partitions);
	service->partitions = partitions;
	lxfw_route_forecast_forget(service->forecast);
}

static void read_partitions(struct service *service, int64_t now)
{
	char *const config[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
				 "scontrol", "show", "config", NULL };
	char *const list[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
			       "scontrol", "--oneliner", "show", "partition", NULL };
	int status;

	if (service->scontrol.process == 0) {
		service->partitions_read = now;
		if (lxfw_route_child_start(&service->scontrol, config))
			complain(service, "scontrol cannot be started");
		return;
	}
	status = lxfw_route_child_read(&service->scontrol);
	if (status < 0)
		return;
	if (status > 0) {
		complain(service, "scontrol show has failed");
	} else if (!service->config) {
		service->config = service->scontrol.text;
		service->scontrol.text = NULL;
		if (lxfw_route_child_start(&service->scontrol, list) == 0)
			return;
		complain(service, "scontrol cannot be started");
	} else {
		take_partitions(service);
	}
	free(service->config);
	service->config = NULL;
	lxfw_route_child_end(&service->scontrol);
}

static bool tick(void *context, int files[LXFW_ROUTE_FILES])
{
	struct service *service = context;
	int64_t now = monotonic(), good = service->ping.good;
	int more = 0;

	lxfw_route_ping_tick(&service->ping, now, service->arguments->ping);
	/* A controller that just answered does so again soon. */
	if (service->scontrol.process > 0 ||
	    (service->ping.good > good && now >= service->partitions_read + PARTITIONS_AGE))
		read_partitions(service, now);
	if (service->owners.child.process > 0)
		lxfw_route_owners_tick(&service->owners, now);
	if (service->arguments->history && service->partitions.cluster)
		lxfw_route_runs_tick(&service->runs, service->arguments->history,
				     service->partitions.cluster, now);
	catch_up(service);
	if (!service->broken && service->replay.sched && service->partitions.count > 0)
		more = lxfw_route_forecast_work(service->forecast, service->replay.sched,
						&service->hosts, &service->partitions, time(NULL),
						STEP);
	if (more < 0)
		complain(service, "out of memory");
	files[0] = service->ping.child.file;
	files[1] = service->scontrol.file;
	files[2] = service->owners.child.file;
	files[3] = service->runs.child.file;
	return more > 0;
}

/* --- answers ------------------------------------------------------------------------ */

/* Seconds since the last pass by the metrics of the plugin, or -1. They are read once a second. */
static int64_t pass_age(struct service *service)
{
	int64_t now = monotonic(), age;
	struct lxfw_samples samples;
	struct lxfw_error error;

	if (!service->arguments->metrics)
		return -1;
	if (now > service->metrics_read) {
		service->metrics_read = now;
		service->last_pass = lxfw_samples_read(&samples, service->arguments->metrics,
						       &error) == 0 ?
			(int64_t)lxfw_sample_value(&samples, "lxfw_last_pass_timestamp_seconds", "") :
			-1;
		lxfw_samples_clear(&samples);
	}
	/* Without the file there was no pass. */
	age = service->last_pass < 0 ? INT32_MAX : time(NULL) - service->last_pass;
	return age < 0 ? 0 : age;
}

/* Whether PEER may know of the job: 1 or 0; -1: not known yet. Others do not learn that there is such
   a job. */
static int may_see(struct service *service, const struct lxfw_route_peer *peer, uint64_t job)
{
	uid_t user;
	int found;

	if (!peer->known)
		return 0;
	if (peer->user == 0 || (service->partitions.slurm_user >= 0 &&
				peer->user == (uid_t)service->partitions.slurm_user))
		return 1;
	found = lxfw_route_owners_find(&service->owners, job, monotonic(), &user);
	return found <= 0 ? found : user == peer->user;
}

static const char *why_not(const struct service *service)
{
	if (service->broken || !service->replay.sched)
		return "its journal cannot be read";
	if (lxfw_sched_params(service->replay.sched)->shadow == LXFW_SHADOW_ON)
		return "another scheduler starts its jobs";
	return service->partitions.count == 0 ? "its controller has not answered yet" : NULL;
}

/* Whether the question is for another cluster: its at= in the file of clusters is that of this one.
   ClusterName is not case-sensitive. */
static bool is_for_another(const struct service *service,
			   const struct lxfw_route_question *question)
{
	return *question->cluster && service->partitions.cluster &&
	       strcasecmp(question->cluster, service->partitions.cluster) != 0;
}

static bool answer(void *context, const struct lxfw_route_peer *peer, char *text,
		   char line[LXFW_ROUTE_ANSWER])
{
	static struct lxfw_route_question question;	/* large */
	struct service *service = context;
	struct lxfw_route_answer to = { 0 };
	struct lxfw_error error;
	const char *reason = why_not(service);
	int may = 1;

	if (lxfw_route_question_read(&question, text, &error))
		snprintf(to.reason, sizeof(to.reason), "%.110s", error.text);
	else if (reason)
		snprintf(to.reason, sizeof(to.reason), "%s", reason);
	else if (is_for_another(service, &question))
		snprintf(to.reason, sizeof(to.reason), "this is cluster %.39s, not %s",
			 service->partitions.cluster, question.cluster);
	else if (question.job && (may = may_see(service, peer, question.job)) <= 0)
		snprintf(to.reason, sizeof(to.reason), LXFW_ROUTE_NO_JOB);
	else if (lxfw_route_forecast_answer(service->forecast, service->replay.sched,
					    &service->hosts, &service->partitions, time(NULL),
					    &question, &to)) {
		to.can = false;
		snprintf(to.reason, sizeof(to.reason), "out of memory");
	}
	if (may < 0)
		return false;
	to.ping = service->ping.good < 0 ? -1 : monotonic() - service->ping.good;
	to.pass = pass_age(service);
	if (peer->known)
		lxfw_route_runs_find(&service->runs, peer->user, &to.ended, &to.mean);
	lxfw_route_answer_write(&to, line);
	return true;
}

static int serve(struct service *service)
{
	struct lxfw_route_server server = {
		.answer = answer, .tick = tick, .context = service,
		.trusted = service->arguments->trusted, .munge = service->arguments->munge,
	};
	struct sigaction end = { .sa_handler = take_signal };
	struct lxfw_error error;

	if (lxfw_route_listen(&server, service->arguments->at, &error))
		return lxfw_cmd_bad(&error);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGINT, &end, NULL);
	/* A munged that ends must not end this process. */
	signal(SIGPIPE, SIG_IGN);
	return lxfw_route_serve(&server, &stop, &error) ? lxfw_cmd_bad(&error) : LXFW_EXIT_DONE;
}

int lxfw_route_serving(const struct lxfw_route_arguments *arguments)
{
	struct service service = {
		.arguments = arguments, .replay.until = LXFW_NEVER,
		.partitions_read = -PARTITIONS_AGE, .complained = -COMPLAIN_AGE,
		.ping = { .child.file = -1, .good = -1, .begun = -arguments->ping },
		.scontrol.file = -1, .owners = { .child.file = -1, .read = INT64_MIN },
		.runs = LXFW_ROUTE_RUNS_EMPTY,
		.metrics_read = -1,
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
	lxfw_route_child_end(&service.scontrol);
	free(service.config);
	lxfw_route_owners_clear(&service.owners);
	lxfw_route_runs_clear(&service.runs);
	lxfw_route_forecast_destroy(service.forecast);
	lxfw_journal_tail_close(service.tail);
	lxfw_known_hosts_clear(&service.hosts);
	lxfw_slurm_partitions_clear(&service.partitions);
	lxfw_replayer_clear(&service.replay);
	return status;
}
