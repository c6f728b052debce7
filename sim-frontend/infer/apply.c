/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts inferred data to events and arrival times of a recorded run. */
#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/infer/infer.h"

/* The hosts of the record without outages, and the current processors of each. */
struct hosts {
	struct lxfw_event *events;
	int32_t *procs;
	int32_t count;
};

static int list_hosts(const struct lxfw_recorded *recorded, struct hosts *hosts)
{
	*hosts = (struct hosts) {
		.events = calloc(recorded->event_count + 1,
				 sizeof(*hosts->events)),
		.procs = calloc(recorded->event_count + 1,
				sizeof(*hosts->procs)),
	};
	if (!hosts->events || !hosts->procs)
		return -1;
	for (size_t i = 0; i < recorded->event_count; i++) {
		const struct lxfw_event *event = &recorded->events[i].event;

		if (event->type != LXFW_EVENT_HOST ||
		    event->host.index != hosts->count)
			continue;
		hosts->events[hosts->count] = *event;
		hosts->procs[hosts->count++] = event->host.total.procs;
	}
	return 0;
}

static bool is_named(const struct lxfw_outage *outage, int32_t host)
{
	int32_t low = 0, high = outage->host_count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (outage->hosts[middle] < host)
			low = middle + 1;
		else
			high = middle;
	}
	return low < outage->host_count && outage->hosts[low] == host;
}

/* Changes the machine at TIME to its state during OUTAGE, or without outages if that
   is NULL. An outage without hosts removes processors from the last hosts. */
static int change_hosts(struct lxfw_recorded *recorded, struct hosts *hosts,
			const struct lxfw_outage *outage, int64_t time)
{
	int64_t lost = 0;

	for (int32_t i = 0; outage && i < hosts->count; i++) {
		if (!is_named(outage, i))
			lost += hosts->events[i].host.total.procs;
	}
	if (outage)
		lost -= outage->procs;
	for (int32_t i = hosts->count - 1; i >= 0; i--) {
		struct lxfw_event event = hosts->events[i];
		int32_t procs = event.host.total.procs;

		if (outage && is_named(outage, i)) {
			procs = 0;
		} else if (lost > 0) {
			int64_t less = lost < procs ? lost : procs;

			procs -= (int32_t)less;
			lost -= less;
		}
		if (procs == hosts->procs[i])
			continue;
		hosts->procs[i] = procs;
		event.time = time;
		event.host.total.procs = procs;
		if (lxfw_recorded_add_event(recorded, &event))
			return -1;
	}
	return 0;
}

int lxfw_infer_apply(const struct lxfw_inferred *inferred,
		     struct lxfw_recorded *recorded)
{
	size_t first = recorded->event_count;
	struct hosts hosts;
	int failed = list_hosts(recorded, &hosts);

	for (size_t i = 0; i < inferred->outage_count && !failed; i++) {
		const struct lxfw_outage *outage = &inferred->outages[i];
		int64_t begin = outage->begin;

		/* hosts must exist before they change */
		if (first > 0 && begin < recorded->events[0].event.time)
			begin = recorded->events[0].event.time;
		if (outage->end <= begin)
			continue;
		failed = change_hosts(recorded, &hosts, outage, begin);
		if (!failed && (i + 1 == inferred->outage_count ||
				inferred->outages[i + 1].begin > outage->end))
			failed = change_hosts(recorded, &hosts, NULL,
					      outage->end);
	}
	failed = failed || lxfw_recorded_merge_events(recorded, first);
	for (size_t i = 0; i < inferred->job_count && !failed; i++) {
		struct lxfw_recorded_job *job = &recorded->jobs[i];

		job->held = inferred->holds[i].reason != LXFW_HELD_NOT;
		job->eligible = inferred->holds[i].until;
	}
	free(hosts.events);
	free(hosts.procs);
	if (failed)
		errno = ENOMEM;
	return failed ? -1 : 0;
}

/* Returns whether event AT changes an existing host. KNOWN is the number of hosts so
   far. */
static bool is_change(const struct lxfw_recorded *recorded, size_t at, int32_t *known)
{
	const struct lxfw_event *event = &recorded->events[at].event;

	if (event->type != LXFW_EVENT_HOST)
		return false;
	if (event->host.index < *known)
		return true;
	*known = event->host.index + 1;
	return false;
}

int lxfw_infer_change_cluster(const struct lxfw_inferred *inferred,
			      struct lxfw_recorded *recorded,
			      struct lxfw_cluster *cluster)
{
	int32_t known = 0;

	if (lxfw_infer_apply(inferred, recorded))
		return -1;
	cluster->change_count = 0;
	for (size_t i = 0; i < recorded->event_count; i++) {
		const struct lxfw_event *event = &recorded->events[i].event;

		if (!is_change(recorded, i, &known))
			continue;
		if (LXFW_GROW(cluster->changes, cluster->changes_size,
			      cluster->change_count + 1))
			return -1;
		cluster->changes[cluster->change_count++] = (struct lxfw_cluster_change) {
			event->time, event->host.index, event->host.total.procs,
		};
	}
	return 0;
}
