/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/snapshot_fields.h"

#include "sim-frontend/predict/snapshot_file.h"

#define TIME -LXFW_TIME_MAX, LXFW_TIME_MAX
#define SPAN 0, LXFW_TIME_MAX
#define COUNT 0, 1 << 24

#define END { NULL, 0, 0, 0, 0, 0, 0 }

#define STATE(member) offsetof(struct lxfw_snapshot, member)
const struct lxfw_snapshot_field lxfw_snapshot_state_fields[] = {
	{ "time", LXFW_SNAPSHOT_LONG, STATE(now), 0, TIME, INT64_MIN },
	{ "next", LXFW_SNAPSHOT_LONG, STATE(wake), 0, TIME, LXFW_NEVER },
	{ "improved", LXFW_SNAPSHOT_LONG, STATE(improved_until), 0, TIME, INT64_MIN },
	{ "freed", LXFW_SNAPSHOT_LONG, STATE(freed_until), 0, TIME, INT64_MIN },
	{ "reservable", LXFW_SNAPSHOT_LONG, STATE(reservable_at), 0, TIME, LXFW_NEVER },
	{ "disturbed", LXFW_SNAPSHOT_FLAG, STATE(disturbed), 0, 0, 1, 0 },
	{ "sooner", LXFW_SNAPSHOT_FLAG, STATE(sooner), 0, 0, 1, 0 },
	{ "list_stale", LXFW_SNAPSHOT_FLAG, STATE(list_stale), 0, 0, 1, 0 },
	{ "job_classes", LXFW_SNAPSHOT_FLAG, STATE(job_classes), 0, 0, 1, 0 },
	END
};

#define HOST(member) offsetof(struct lxfw_snapshot_host, member)
const struct lxfw_snapshot_field lxfw_snapshot_host_fields[] = {
	{ "up", LXFW_SNAPSHOT_FLAG, HOST(up), 0, 0, 1, 1 },
	{ "has", LXFW_SNAPSHOT_AMOUNT, HOST(total), 0, 0, 0, 0 },
	{ "weight", LXFW_SNAPSHOT_LONG, HOST(weight), 0, -LXFW_HOST_WEIGHT_MAX,
	  LXFW_HOST_WEIGHT_MAX, 0 },
	{ "boot", LXFW_SNAPSHOT_LONG, HOST(boot), 0, 0, LXFW_BOOT_MAX, 0 },
	{ "gpus", LXFW_SNAPSHOT_LONG, HOST(gpus), 0, 0, (1 << LXFW_EXTRAS_MAX) - 1, 0 },
	{ "sockets", LXFW_SNAPSHOT_SOCKETS, HOST(sockets), 0, 0, 0, 0 },
	END
};

#define SET(member) offsetof(struct lxfw_snapshot_set, member)
const struct lxfw_snapshot_field lxfw_snapshot_set_fields[] = {
	{ "hosts", LXFW_SNAPSHOT_HOSTS, SET(hosts), SET(count), 0, 0, 0 },
	END
};

#define BLOCK(member) offsetof(struct lxfw_snapshot_block, member)
const struct lxfw_snapshot_field lxfw_snapshot_block_fields[] = {
	{ "id", LXFW_SNAPSHOT_ID, BLOCK(id), 0, 0, 0, 0 },
	{ "start", LXFW_SNAPSHOT_LONG, BLOCK(start), 0, TIME, INT64_MIN },
	{ "end", LXFW_SNAPSHOT_LONG, BLOCK(end), 0, TIME, INT64_MIN },
	{ "shares", LXFW_SNAPSHOT_SHARES, BLOCK(shares), BLOCK(count), 0, 0, 0 },
	END
};

/* What a job requests. AT is the offset of a member of its request. */
#define ASKED(AT) \
	{ "limit", LXFW_SNAPSHOT_LONG, AT(estimate), 0, SPAN, 0 }, \
	{ "least", LXFW_SNAPSHOT_LONG, AT(min_estimate), 0, SPAN, 0 }, \
	{ "shape", LXFW_SNAPSHOT_BYTE, AT(shape), 0, LXFW_SHAPE_HOSTS, \
	  LXFW_SHAPE_ANYWHERE, 0 }, \
	{ "count", LXFW_SNAPSHOT_INT, AT(count), 0, COUNT, 0 }, \
	{ "unit", LXFW_SNAPSHOT_AMOUNT, AT(unit), 0, 0, 0, 0 }, \
	{ "per_host", LXFW_SNAPSHOT_AMOUNT, AT(per_host), 0, 0, 0, 0 }, \
	{ "min_hosts", LXFW_SNAPSHOT_INT, AT(min_hosts), 0, COUNT, 0 }, \
	{ "max_hosts", LXFW_SNAPSHOT_INT, AT(max_hosts), 0, COUNT, 0 }, \
	{ "sets", LXFW_SNAPSHOT_SETS, AT(host_sets), AT(host_set_count), 0, 0, 0 }, \
	{ "more_sets", LXFW_SNAPSHOT_INT, AT(more_sets), 0, 0, INT32_MAX, 0 }, \
	{ "tier", LXFW_SNAPSHOT_INT, AT(tier), 0, INT32_MIN, INT32_MAX, 0 }, \
	{ "exclusive", LXFW_SNAPSHOT_FLAG, AT(exclusive), 0, 0, 1, 0 }, \
	{ "no_quantum", LXFW_SNAPSHOT_FLAG, AT(no_quantum), 0, 0, 1, 0 }, \
	{ "no_reservation", LXFW_SNAPSHOT_FLAG, AT(no_reservation), 0, 0, 1, 0 }, \
	{ "rigid", LXFW_SNAPSHOT_FLAG, AT(rigid), 0, 0, 1, 0 }, \
	{ "min_procs", LXFW_SNAPSHOT_INT, AT(min_procs), 0, COUNT, 0 }, \
	{ "pools", LXFW_SNAPSHOT_POOLS, AT(pools), AT(pool_count), 0, 0, 0 }

#define JOB(member) offsetof(struct lxfw_snapshot_job, member)
#define ASKS(member) JOB(request.member)
const struct lxfw_snapshot_field lxfw_snapshot_job_fields[] = {
	{ "id", LXFW_SNAPSHOT_ID, ASKS(id), 0, 0, 0, 0 },
	{ "state", LXFW_SNAPSHOT_STATE, JOB(state), 0, 0, 0, -1 },
	{ "submit", LXFW_SNAPSHOT_LONG, ASKS(submit), 0, TIME, INT64_MIN },
	ASKED(ASKS),
	{ "group", LXFW_SNAPSHOT_ID, ASKS(group), 0, 0, 0, 0 },
	{ "group_count", LXFW_SNAPSHOT_INT, ASKS(group_count), 0, 0, LXFW_GROUP_MAX, 0 },
	{ "priority", LXFW_SNAPSHOT_LONG, JOB(priority), 0, -LXFW_PRIORITY_MAX,
	  LXFW_PRIORITY_MAX, 0 },
	{ "delay", LXFW_SNAPSHOT_LONG, JOB(delay), 0, -LXFW_DELAY_MAX, LXFW_DELAY_MAX, 0 },
	{ "bypassed", LXFW_SNAPSHOT_LONG, JOB(bypassed), 0, 0, INT64_C(1) << 40, 0 },
	{ "place", LXFW_SNAPSHOT_LONG, JOB(place), 0, 0, INT64_C(1) << 40, 0 },
	{ "refused_until", LXFW_SNAPSHOT_LONG, JOB(refused_until), 0, TIME, 0 },
	{ "announced", LXFW_SNAPSHOT_FLAG, JOB(announced), 0, 0, 1, 0 },
	{ "nowhere", LXFW_SNAPSHOT_FLAG, JOB(nowhere), 0, 0, 1, 0 },
	{ "served", LXFW_SNAPSHOT_FLAG, JOB(served), 0, 0, 1, 0 },
	{ "start", LXFW_SNAPSHOT_LONG, JOB(start), 0, TIME, 0 },
	{ "continued", LXFW_SNAPSHOT_LONG, JOB(continued), 0, TIME, 0 },
	{ "ran", LXFW_SNAPSHOT_LONG, JOB(ran), 0, SPAN, 0 },
	{ "paused", LXFW_SNAPSHOT_LONG, JOB(paused), 0, SPAN, 0 },
	{ "expected_end", LXFW_SNAPSHOT_LONG, JOB(expected_end), 0, TIME, 0 },
	{ "due", LXFW_SNAPSHOT_LONG, JOB(due), 0, TIME, 0 },
	{ "suspensions", LXFW_SNAPSHOT_INT, JOB(suspensions), 0, 0,
	  LXFW_SUSPENSIONS_UNKNOWN, 0 },
	{ "shares", LXFW_SNAPSHOT_SHARES, JOB(shares), JOB(count), 0, 0, 0 },
	END
};

#define RESERVATION(member) offsetof(struct lxfw_snapshot_reservation, member)
const struct lxfw_snapshot_field lxfw_snapshot_reservation_fields[] = {
	{ "id", LXFW_SNAPSHOT_ID, RESERVATION(job), 0, 0, 0, 0 },
	{ "start", LXFW_SNAPSHOT_LONG, RESERVATION(start), 0, TIME, INT64_MIN },
	{ "end", LXFW_SNAPSHOT_LONG, RESERVATION(end), 0, TIME, INT64_MIN },
	{ "digest", LXFW_SNAPSHOT_ID, RESERVATION(digest), 0, 0, 0, 0 },
	{ "for_pools", LXFW_SNAPSHOT_FLAG, RESERVATION(for_pools), 0, 0, 1, 0 },
	{ "shares", LXFW_SNAPSHOT_SHARES, RESERVATION(shares), RESERVATION(count), 0, 0, 0 },
	END
};

#define RAN(member) offsetof(struct lxfw_snapshot_ran, member)
const struct lxfw_snapshot_field lxfw_snapshot_ran_fields[] = {
	{ "set", LXFW_SNAPSHOT_LONG, RAN(partition), 0, -1, INT32_MAX, -1 },
	{ "limit", LXFW_SNAPSHOT_LONG, RAN(limit), 0, 1, LXFW_TIME_MAX, 0 },
	{ "procs", LXFW_SNAPSHOT_LONG, RAN(procs), 0, 1, INT32_MAX, 0 },
	{ "seconds", LXFW_SNAPSHOT_LONG, RAN(seconds), 0, 1, LXFW_TIME_MAX, 0 },
	END
};

#define SUBMITTED(member) offsetof(struct lxfw_snapshot_submitted, member)
#define ASKED_THEN(member) SUBMITTED(request.member)
const struct lxfw_snapshot_field lxfw_snapshot_submitted_fields[] = {
	{ "submit", LXFW_SNAPSHOT_LONG, ASKED_THEN(submit), 0, TIME, INT64_MIN },
	ASKED(ASKED_THEN),
	{ "priority", LXFW_SNAPSHOT_LONG, SUBMITTED(priority), 0, -LXFW_PRIORITY_MAX,
	  LXFW_PRIORITY_MAX, 0 },
	{ "delay", LXFW_SNAPSHOT_LONG, SUBMITTED(delay), 0, -LXFW_DELAY_MAX, LXFW_DELAY_MAX,
	  0 },
	{ "seconds", LXFW_SNAPSHOT_LONG, SUBMITTED(seconds), 0, SPAN, 0 },
	END
};

const char *const lxfw_snapshot_states[] = {
	"waiting", "refused", "interrupted", "running", "suspended", NULL,
};
