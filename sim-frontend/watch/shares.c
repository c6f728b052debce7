/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs that run have of each host. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/watch/world.h"

static struct lxfw_slice slice_of(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static int by_host(const void *one, const void *other)
{
	const struct lxfw_share *a = one, *b = other;

	return (a->host > b->host) - (a->host < b->host);
}

static int add_host(void *context, const char *name)
{
	struct lxfw_watch *watch = context;
	int32_t host = lxfw_cluster_find(&watch->cluster, name);

	if (host < 0)
		return 0;
	if (LXFW_GROW(watch->shares, watch->shares_size, watch->share_count + 1))
		return -1;
	watch->shares[watch->share_count++] = (struct lxfw_share) { .host = host };
	return 0;
}

int lxfw_watch_find_shares(struct lxfw_watch *watch, struct lxfw_watch_job *job)
{
	struct lxfw_error error;

	job->first_share = watch->share_count;
	errno = 0;
	if (lxfw_hostlist_expand(job->is.nodes, strlen(job->is.nodes), add_host, watch, &error) &&
	    errno == ENOMEM)
		return -1;
	job->share_count = (int32_t)(watch->share_count - job->first_share);
	if (job->share_count > 1)
		qsort(watch->shares + job->first_share, (size_t)job->share_count,
		      sizeof(*watch->shares), by_host);
	return 0;
}

/* Processors of a host that it has allocated, and that the jobs so far do not have. */
static int64_t room_of(const struct lxfw_watch *watch, const struct lxfw_share *share)
{
	const struct lxfw_watch_host *host = &watch->hosts[share->host];

	return host->used.procs - host->seen.procs;
}

/* What the hosts of a job have allocated, and the jobs so far do not have. */
struct room {
	int64_t all, least;
	bool known;		/* what those jobs have is no guess */
};

static void find_room(const struct lxfw_watch *watch, const struct lxfw_watch_job *job,
		      struct room *room)
{
	const struct lxfw_share *shares = watch->shares + job->first_share;

	*room = (struct room) { .least = INT64_MAX, .known = true };
	for (int32_t i = 0; i < job->share_count; i++) {
		int64_t here = room_of(watch, &shares[i]);

		room->all += here;
		room->least = here < room->least ? here : room->least;
		room->known &= !watch->hosts[shares[i].host].guessed;
	}
}

/* Whether the hosts have what the job has, or more, if it is the same on each. */
static bool is_even(const struct room *room, int64_t procs, int32_t hosts)
{
	return procs % hosts == 0 && room->least >= procs / hosts;
}

/* --- divisions that are known ----------------------------------------------------------- */

/* What the job had in an earlier look in which that was certain, by its shares; NULL: there was
   none. */
static const struct lxfw_watch_part *remembered(const struct lxfw_watch *watch,
						const struct lxfw_watch_job *job, int64_t procs)
{
	const struct lxfw_watch_divisions *divisions = &watch->divisions;
	const struct lxfw_share *shares = watch->shares + job->first_share;
	int32_t first = lxfw_id_map_get(&divisions->by_id, job->is.id);
	const struct lxfw_watch_part *parts;

	if (first < 0 || (size_t)first + (size_t)job->share_count > divisions->count)
		return NULL;
	parts = divisions->parts + first;
	for (int32_t i = 0; i < job->share_count; i++) {
		/* It has been resized, or the nodes are others. */
		if (parts[i].id != job->is.id || parts[i].host != shares[i].host)
			return NULL;
		procs -= parts[i].procs;
	}
	return procs == 0 ? parts : NULL;
}

/* Adds what a job has to the divisions of this look. Returns 0, or -1 when memory runs out. */
static int remember(struct lxfw_watch *watch, struct lxfw_watch_divisions *divisions,
		    const struct lxfw_watch_job *job)
{
	const struct lxfw_share *shares = watch->shares + job->first_share;

	if (lxfw_id_map_get(&divisions->by_id, job->is.id) >= 0)
		return 0;
	if (LXFW_GROW(divisions->parts, divisions->size,
		      divisions->count + (size_t)job->share_count) ||
	    lxfw_id_map_add(&divisions->by_id, job->is.id, (int32_t)divisions->count))
		return -1;
	for (int32_t i = 0; i < job->share_count; i++)
		divisions->parts[divisions->count++] = (struct lxfw_watch_part) {
			.id = job->is.id, .host = shares[i].host, .procs = shares[i].amount.procs,
		};
	return 0;
}

void lxfw_watch_forget_divisions(struct lxfw_watch_divisions *divisions)
{
	free(divisions->parts);
	lxfw_id_map_clear(&divisions->by_id);
	*divisions = (struct lxfw_watch_divisions) { 0 };
}

/* --- a division ------------------------------------------------------------------------- */

/* Sets the processors of a job's shares: PARTS, the same on each, or what is left there. */
static void set_procs(const struct lxfw_watch *watch, const struct lxfw_watch_job *job,
		      const struct lxfw_watch_part *parts, bool even, int64_t procs)
{
	struct lxfw_share *shares = watch->shares + job->first_share;
	int32_t count = job->share_count;

	for (int32_t i = 0; i < count; i++) {
		int64_t later = count - i - 1;
		int64_t some = parts ? parts[i].procs : even ? procs / (count - i) :
			       room_of(watch, &shares[i]);

		if (some > procs - later)
			some = procs - later;
		if (some < 1)
			some = 1;
		if (later == 0)
			some = procs > 1 ? procs : 1;
		shares[i].amount.procs = (int32_t)some;
		procs -= some;
	}
}

/* The memory follows the processors. */
static void set_memory(const struct lxfw_watch *watch, const struct lxfw_watch_job *job,
		       int64_t procs)
{
	struct lxfw_share *shares = watch->shares + job->first_share;
	int64_t memory = lxfw_tres_memory(slice_of(job->is.tres)) / 1024;

	for (int32_t i = 0; i < job->share_count; i++)
		shares[i].amount.memory_mb = procs > 0 ?
			(int64_t)((double)memory * shares[i].amount.procs / (double)procs) :
			memory / job->share_count + (memory % job->share_count > 0);
}

/*
 * Sets the amounts of a job's shares. Slurm shows the processors of all hosts together. They are
 * what is allocated there, if nothing else is: that is certain, and remembered. Otherwise they are
 * the same on each host, unless that contradicts what the hosts have allocated: then each has what
 * other jobs do not have. Returns 0, or -1 when memory runs out.
 */
static int divide(struct lxfw_watch *watch, struct lxfw_watch_divisions *divisions,
		  struct lxfw_watch_job *job, int64_t procs)
{
	const struct lxfw_watch_part *parts = remembered(watch, job, procs);
	struct room room;
	bool certain;

	find_room(watch, job, &room);
	certain = parts || job->share_count == 1 || (room.all == procs && room.known);
	set_procs(watch, job, parts, is_even(&room, procs, job->share_count), procs);
	if (watch->cluster.memory_bound)
		set_memory(watch, job, procs);
	for (int32_t i = 0; i < job->share_count; i++) {
		struct lxfw_share *share = &watch->shares[job->first_share + (size_t)i];

		lxfw_resources_add(&watch->hosts[share->host].seen, &share->amount);
		watch->hosts[share->host].guessed |= !certain;
	}
	return certain && job->share_count > 1 ? remember(watch, divisions, job) : 0;
}

/*
 * A job has whole cores, and Slurm may state the processors that it uses: one of each core, if it is
 * submitted with --hint=nomultithread. The rest of its cores is allocated, too, and no other job has
 * it.
 */
static void complete_cores(struct lxfw_watch *watch, const struct lxfw_watch_job *job)
{
	for (int32_t i = 0; i < job->share_count; i++) {
		struct lxfw_share *share = &watch->shares[job->first_share + (size_t)i];
		struct lxfw_watch_host *host = &watch->hosts[share->host];
		int64_t used = job->is.threads > 0 && job->is.threads < host->threads ?
			       job->is.threads : host->threads;
		int64_t more = (share->amount.procs + used - 1) / used * host->threads -
			       share->amount.procs;

		if (more > host->used.procs - host->seen.procs)
			more = host->used.procs - host->seen.procs;
		if (more <= 0)
			continue;
		share->amount.procs += (int32_t)more;
		host->seen.procs += (int32_t)more;
	}
}

/* The other amounts are known with the request. */
void lxfw_watch_share_extras(struct lxfw_watch *watch, const struct lxfw_watch_job *job)
{
	struct lxfw_resources sum = lxfw_request_sum(&job->request);

	for (int32_t i = 0; i < job->share_count && job->requested; i++) {
		struct lxfw_resources *amount = &watch->shares[job->first_share + (size_t)i].amount;

		for (int k = 0; k < LXFW_EXTRAS_MAX; k++)
			amount->extras[k] = sum.extras[k] / job->share_count +
					    (sum.extras[k] % job->share_count > 0);
	}
}

/* --- all -------------------------------------------------------------------------------- */

/* Bounded, so that no sum overflows. */
static int64_t processors_of(const struct lxfw_watched *job)
{
	int64_t procs = lxfw_tres_count(slice_of(job->tres), "cpu");

	return procs > LXFW_WATCH_PROCS_MAX ? LXFW_WATCH_PROCS_MAX : procs;
}

/* The rank of a job among those that are divided: those that are known first, then those of few
   hosts, so that what is left is known. */
static int32_t rank_of(const struct lxfw_watch *watch, const struct lxfw_watch_job *job)
{
	return job->share_count > 1 && remembered(watch, job, processors_of(&job->is)) ?
	       1 : job->share_count;
}

static int divide_all(struct lxfw_watch *watch, struct lxfw_watch_divisions *divisions)
{
	int32_t most = 0;

	for (size_t i = 0; i < watch->count; i++)
		most = watch->jobs[i].share_count > most ? watch->jobs[i].share_count : most;
	for (int32_t rank = 1, next; rank <= most; rank = next) {
		next = most + 1;
		for (size_t i = 0; i < watch->count; i++) {
			struct lxfw_watch_job *job = &watch->jobs[i];
			int32_t own = job->share_count > 0 ? rank_of(watch, job) : 0;

			if (own == rank && divide(watch, divisions, job, processors_of(&job->is)))
				return -1;
			if (own > rank && own < next)
				next = own;
		}
	}
	return 0;
}

int lxfw_watch_divide(struct lxfw_watch *watch)
{
	struct lxfw_watch_divisions divisions = { 0 };
	int failed = divide_all(watch, &divisions);

	for (size_t i = 0; i < watch->count && watch->most_threads > 1; i++)
		complete_cores(watch, &watch->jobs[i]);
	lxfw_watch_forget_divisions(&watch->divisions);
	watch->divisions = divisions;
	return failed;
}
