/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a recorded run from accounting records. trace/account.h reads the records; here
 * each becomes a submission with a measured start and end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/trace/doubles.h"
#include "sim-frontend/trace/log_clusters.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/text.h"

/* Sets *NEED to the job's requirements besides processors and memory, or NULL if the
   machine has only a number of processors, as for an imported trace. Returns -1 with
   errno ENOMEM. */
static int find_need(struct lxfw_recorded *recorded,
		     const struct lxfw_account *account,
		     const struct lxfw_cluster *cluster,
		     const struct lxfw_need **need)
{
	char text[LXFW_NEEDS_TEXT];
	struct lxfw_slice needs = { text, lxfw_needs_text(account, text) };
	int32_t at;

	*need = NULL;
	if (!lxfw_needs_matter(cluster))
		return 0;
	at = lxfw_needs_find(&recorded->needs, cluster, account->queue, needs);
	if (at < 0)
		return -1;
	*need = &recorded->needs.needs[at];
	return 0;
}

/* Returns 1, 0 if the job does not fit on the machine or is to be left out, or -1 with
   errno ENOMEM. */
static int fill_request(struct lxfw_recorded *recorded,
			struct lxfw_recorded_job *job,
			const struct lxfw_account *account,
			const struct lxfw_cluster *cluster, bool one_host)
{
	struct lxfw_request *request = &job->request;
	struct lxfw_trace_job like = {
		.procs = (int32_t)account->procs,
		.memory_kb = account->memory_kb,
	};
	const struct lxfw_need *need;
	int64_t limit = account->limit;

	if (find_need(recorded, account, cluster, &need))
		return -1;
	lxfw_simulation_request(cluster, one_host, &like, need, request);
	if (need && !need->reserved)
		lxfw_simulation_tell(cluster, &like, need, request, &recorded->needs.told);
	request->submit = job->seen;
	if (limit <= 0 && job->start != LXFW_UNKNOWN && job->end != LXFW_UNKNOWN)
		limit = lxfw_need_limit(need, job->end - job->start);
	if (limit <= 0 && account->planned)
		limit = lxfw_need_limit(need, account->run);
	request->estimate = limit > 0 ? limit : LXFW_ACCOUNT_NO_LIMIT;
	if (need)
		lxfw_needs_count(&recorded->needs, need, limit);
	return !(need && need->reserved) &&
	       lxfw_simulation_holds(cluster, request);
}

/* Returns the index of a name in printable form in a list, -1 if there is no name. */
static int take_name(struct lxfw_names *names, struct lxfw_slice name,
		     size_t length, int32_t *number)
{
	char text[80];

	*number = -1;
	if (length > 0) {
		lxfw_text_quote(text, sizeof(text), name.at, length);
		*number = lxfw_names_add(names, text, strlen(text));
	}
	return length > 0 && *number < 0 ? -1 : 0;
}

static int take_owner(struct lxfw_recorded *recorded,
		      const struct lxfw_account *account,
		      struct lxfw_recorded_job *job)
{
	/* the first of several partitions */
	size_t queue = account->queue.length == 0 ? 0 :
		       lxfw_hostlist_item(account->queue.at,
					  account->queue.length);

	return take_name(&recorded->users, account->user, account->user.length,
			 &job->user) ||
	       take_name(&recorded->groups, account->group,
			 account->group.length, &job->group) ||
	       take_name(&recorded->queues, account->queue, queue,
			 &job->queue) ||
	       take_name(&recorded->accounts, account->account,
			 account->account.length, &job->account) ||
	       take_name(&recorded->qos, account->qos, account->qos.length,
			 &job->qos) ? -1 : 0;
}

/* --- where a job ran ---------------------------------------------------------------- */

struct places {
	struct lxfw_recorded *recorded;
	const struct lxfw_cluster *cluster;
	const struct lxfw_request *request;
	size_t first;
	bool unknown;		/* a host that the cluster does not have */
	int32_t down;		/* such a host that is DOWN in the slurm.conf; -1: none */
	bool failed;
};

/* Returns the amount of a job's request on a host where it had PROCS processors. */
static struct lxfw_resources amount_on(const struct lxfw_request *request,
				       const struct lxfw_resources *total, int64_t procs)
{
	struct lxfw_resources amount = request->unit;

	if (request->shape == LXFW_SHAPE_ANYWHERE)
		amount = lxfw_request_share(request, procs < request->unit.procs ? 1 :
					    (int32_t)(procs / request->unit.procs));
	amount.procs = (int32_t)procs;
	if (request->exclusive && amount.procs < total->procs)
		amount.procs = total->procs;
	return amount;
}

/* Adds PROCS processors to the share. One that is exclusive has all already. */
static void add_part(struct lxfw_share *share, const struct places *places, int64_t procs)
{
	const struct lxfw_resources *total = &places->cluster->hosts[share->host].total;

	procs += share->amount.procs;
	if (!places->request->exclusive)
		share->amount = amount_on(places->request, total,
					  procs > INT32_MAX ? INT32_MAX : procs);
}

/* A host list of a single name. */
struct single {
	const struct lxfw_cluster *cluster;
	int32_t host, count;
};

static int take_single(void *context, const char *name)
{
	struct single *single = context;

	single->host = lxfw_cluster_find(single->cluster, name);
	return ++single->count > 1;
}

/* Returns the index of a host, or -1. The vnode "n67[0]" of a log is "n670" in a cluster that
   was described by text, where this is a list. */
static int32_t find_host(const struct lxfw_cluster *cluster, const char *name)
{
	struct single single = { cluster, lxfw_cluster_find(cluster, name), 0 };

	if (single.host < 0 && strchr(name, '[') &&
	    (lxfw_hostlist_expand(name, strlen(name), take_single, &single, NULL) ||
	     single.count != 1))
		return -1;
	return single.host;
}

static int take_place(void *context, const struct lxfw_account_host *held)
{
	struct places *places = context;
	struct lxfw_recorded *recorded = places->recorded;
	const struct lxfw_cluster *cluster = places->cluster;
	int32_t host = find_host(cluster, held->name);
	size_t at = recorded->share_count;

	if (host < 0 || held->procs < 1 || held->procs > INT32_MAX) {
		places->unknown = true;
		places->down = lxfw_names_find(&cluster->down, held->name,
					       strlen(held->name));
		return 1;
	}
	if (LXFW_GROW(recorded->shares, recorded->shares_size, at + 1)) {
		places->failed = true;
		return 1;
	}
	/* Most lists are in the order of the cluster. A host may be named for each part. */
	while (at > places->first && recorded->shares[at - 1].host > host)
		at--;
	if (at > places->first && recorded->shares[at - 1].host == host) {
		add_part(&recorded->shares[at - 1], places, held->procs);
		return 0;
	}
	memmove(recorded->shares + at + 1, recorded->shares + at,
		(recorded->share_count - at) * sizeof(*recorded->shares));
	recorded->shares[at] = (struct lxfw_share) {
		.host = host,
		.amount = amount_on(places->request, &cluster->hosts[host].total,
				    held->procs),
	};
	recorded->share_count++;
	return 0;
}

/* Records the hosts of a job that ran, if the log names them and the cluster has them.
   Returns 0, or -1 with errno ENOMEM. */
static int take_places(struct lxfw_recorded *recorded, struct lxfw_recorded_job *job,
		       const struct lxfw_account_reader *reader,
		       const struct lxfw_account *account,
		       const struct lxfw_cluster *cluster)
{
	struct places places = {
		.recorded = recorded, .cluster = cluster, .request = &job->request,
		.first = recorded->share_count, .down = -1,
	};
	struct lxfw_needs_told *told = &recorded->needs.told;

	if ((cluster->count < 2 && cluster->down.count == 0) || job->start == LXFW_UNKNOWN)
		return 0;
	lxfw_account_hosts(reader, account, take_place, &places);
	if (places.down >= 0 && told->on_down++ == 0)
		lxfw_text_quote(told->down_name, sizeof(told->down_name),
				cluster->down.names[places.down],
				strlen(cluster->down.names[places.down]));
	if (places.failed)
		return -1;
	if (places.unknown)
		recorded->share_count = places.first;
	job->first_share = places.first;
	job->share_count = (int32_t)(recorded->share_count - places.first);
	return 0;
}

static int take_job(struct lxfw_recorded *recorded,
		    const struct lxfw_account_reader *reader,
		    const struct lxfw_account *account,
		    const struct lxfw_cluster *cluster, bool one_host)
{
	struct lxfw_recorded_job *job;
	int filled;

	if (account->procs <= 0 || account->procs > cluster->procs) {
		recorded->passed_over++;
		return 0;
	}
	job = lxfw_recorded_add(recorded);
	if (!job)
		return -1;
	job->number = account->number;
	job->seen = lxfw_account_seen(account);
	if (account->end >= 0)
		job->end = account->end;
	if (account->planned)
		job->run = account->run;
	if (lxfw_account_started(account)) {
		job->start = account->start;
		/* as if it had started later without a suspension */
		job->interrupted = account->suspended > 0 && account->end >= 0;
		if (job->interrupted)
			job->start = account->end - account->run;
	}
	filled = fill_request(recorded, job, account, cluster, one_host);
	if (filled == 0) {
		recorded->passed_over++;
		recorded->count--;
	}
	if (filled <= 0)
		return filled;
	return take_owner(recorded, account, job) ||
	       take_places(recorded, job, reader, account, cluster) ? -1 : 0;
}

/* Assigns ids in order of submission. */
static int finish(struct lxfw_recorded *recorded,
		  const struct lxfw_cluster *cluster)
{
	for (size_t i = 0; i < recorded->count; i++)
		recorded->jobs[i].request.id = i + 1;
	lxfw_recorded_sort(recorded);
	if (lxfw_recorded_add_cluster(recorded, cluster,
				      recorded->jobs[0].seen))
		return -1;
	return lxfw_recorded_add_departures(recorded);
}

/* Adds a job. If it was added before, the later record replaces the earlier one. */
static int take_once(struct lxfw_recorded *recorded,
		     struct lxfw_doubles *doubles,
		     const struct lxfw_account_reader *reader,
		     const struct lxfw_account *account,
		     const struct lxfw_cluster *cluster, bool one_host)
{
	size_t earlier, before = recorded->count;
	int sight = lxfw_doubles_look(doubles, account, before, &earlier);

	if (sight < 0)
		return -1;
	recorded->doubles += sight > 0;
	if (sight == LXFW_SIGHT_DOUBLE)
		return 0;
	if (take_job(recorded, reader, account, cluster, one_host))
		return -1;
	if (sight == LXFW_SIGHT_LATER && recorded->count > before &&
	    earlier < before &&
	    recorded->jobs[earlier].number == account->number)
		recorded->jobs[earlier] = recorded->jobs[--recorded->count];
	return 0;
}

static int note_cluster(struct lxfw_log_clusters *clusters, const struct lxfw_account *account)
{
	int32_t cluster;

	return lxfw_log_clusters_add(clusters, account->cluster, &cluster) ||
	       lxfw_log_clusters_count(clusters, account->over ? cluster : -1) ? -1 : 0;
}

static int read_jobs(struct lxfw_recorded *recorded,
		     struct lxfw_account_reader *reader, const char *path,
		     const struct lxfw_cluster *cluster, bool one_host,
		     struct lxfw_error *error)
{
	struct lxfw_doubles doubles = { 0 };
	struct lxfw_hosts_named named = { .several = false };
	struct lxfw_log_clusters clusters = { .jobs = NULL };
	struct lxfw_account account;
	size_t planned = 0;
	int got, failed = 0;

	while (!failed &&
	       (got = lxfw_account_next(reader, &account, error)) > 0) {
		lxfw_hosts_named_look(&named, reader, &account);
		planned += account.planned;
		if (!account.step)
			failed = note_cluster(&clusters, &account) ||
				 take_once(recorded, &doubles, reader, &account,
					   cluster, one_host);
	}
	lxfw_doubles_clear(&doubles);
	if (failed)
		lxfw_error_system(error, path);
	else if (got == 0)
		failed = lxfw_log_clusters_judge(&clusters, NULL, path, error);
	lxfw_log_clusters_clear(&clusters);
	if (failed)
		return -1;
	if (got < 0 || lxfw_account_judge(lxfw_account_counts(reader), error))
		return -1;
	if (recorded->count == 0)
		return lxfw_error_at(error, path, 0,
			"none of the jobs in these records fits the cluster");
	if (planned > 0 && !lxfw_recorded_any_start(recorded))
		return lxfw_error_at(error, path, 0, "the jobs are of a workload that has "
			"not run: no measured waits to compare with");
	recorded->told = recorded->needs.told;
	recorded->odd = lxfw_account_counts(reader)->odd;
	recorded->hosts_named = named.several && !lxfw_needs_matter(cluster);
	return finish(recorded, cluster) ? lxfw_error_system(error, path) : 0;
}

int lxfw_recorded_from_accounts(struct lxfw_recorded *recorded,
				const char *path,
				const struct lxfw_cluster *cluster,
				bool one_host, struct lxfw_error *error)
{
	struct lxfw_account_reader *reader = NULL;
	const struct lxfw_account_options options = { .in_zone = false };
	struct lxfw_input *input;
	const struct lxfw_log_format *format;
	int got = -1;

	*recorded = (struct lxfw_recorded) { .delayed_starts = true };
	input = lxfw_input_open(path, error);
	if (!input)
		return -1;
	if (lxfw_log_recognize(input, &format, error) == 0)
		reader = lxfw_account_open(input, format, &options, error);
	if (reader)
		got = read_jobs(recorded, reader, path, cluster, one_host, error);
	lxfw_account_close(reader);
	lxfw_input_close(input);
	if (got)
		lxfw_recorded_clear(recorded);
	if (got == 0)
		recorded->calendar = (struct lxfw_calendar) {
			.known = lxfw_calendar_is_unix(recorded->jobs[0].seen),
			.zone = "as in the log",
		};
	return got;
}
