/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/reservations.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/event.h"
#include "common/util/grow.h"
#include "sim-frontend/trace/cluster_licenses.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/json_file.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/sacct.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/util/zone.h"

/* Maximum number of occurrences of a recurring reservation. */
#define OCCURRENCES_MAX 100000

/* A reservation while it is read. It owns its texts. */
struct reservation {
	char *name, *nodes, *licenses;
	int64_t start, end;		/* seconds since 1970; -1: not stated */
	int64_t procs;			/* total; 0: all processors of the hosts */
	int64_t every;			/* period in seconds; 0: not recurring */
	bool weekdays, weekends;	/* recurs only on these days */
};

struct reading {
	struct lxfw_cluster *cluster;
	const struct lxfw_reservations_span *span;
	struct lxfw_reservations_told *told;
	struct reservation now;
	/* The hosts of the reservation that is being added. */
	unsigned char *in;
	int32_t hosts, pools;
};

static int out_of_memory(struct lxfw_error *wrong)
{
	return lxfw_error_format(wrong, "out of memory");
}

/* --- into the cluster ----------------------------------------------------------- */

static int take_host(void *context, const char *name)
{
	struct reading *reading = context;
	int32_t host = lxfw_cluster_find(reading->cluster, name);

	if (host >= 0 && !reading->in[host]) {
		reading->in[host] = 1;
		reading->hosts++;
	}
	return 0;
}

/* Returns the resources of a host that the reservation holds. */
static struct lxfw_resources kept_of(const struct reading *reading, int32_t host)
{
	const struct lxfw_cluster *cluster = reading->cluster;
	struct lxfw_resources total = cluster->hosts[host].total;
	int64_t each = reading->now.procs > 0 ?
		(reading->now.procs + reading->hosts - 1) / reading->hosts : 0;

	if (!cluster->memory_bound)
		total.memory_mb = 0;
	if (each == 0 || each >= total.procs)
		return total;
	return (struct lxfw_resources) { .procs = (int32_t)each };
}

/* What the reservation holds of the license INDEX: of "lic:4,mat:2". */
static int32_t licenses_of(const struct reading *reading, int32_t index)
{
	int64_t sum = 0, amount;

	for (const char *at = reading->now.licenses; at && *at;) {
		size_t length = strcspn(at, ",;"), name = strcspn(at, ",;:=");

		amount = 1;
		if (name < length &&
		    !lxfw_slice_integer((struct lxfw_slice) { at + name + 1, length - name - 1 },
					0, INT32_MAX, &amount))
			amount = 0;
		if (lxfw_cluster_find_license(reading->cluster,
					      (struct lxfw_slice) { at, name }) == index)
			sum += amount;
		at += length + (at[length] != '\0');
	}
	return sum < INT32_MAX ? (int32_t)sum : INT32_MAX;
}

/* Returns the number of pools of which the reservation holds a part. */
static int32_t count_pools(const struct reading *reading)
{
	int32_t count = 0;

	for (int32_t i = 0; reading->span->licenses && i < reading->cluster->license_count; i++)
		count += licenses_of(reading, i) > 0;
	return count;
}

static void add_pools(const struct reading *reading, struct lxfw_cluster_block *block)
{
	const struct lxfw_cluster *cluster = reading->cluster;

	for (int32_t i = 0; reading->pools > 0 && i < cluster->license_count; i++) {
		int32_t amount = licenses_of(reading, i);

		if (amount > 0)
			block->shares[block->count++] = (struct lxfw_share) {
				.host = cluster->count + i, .amount.extras = { amount },
			};
	}
}

/* Adds one occurrence that begins at START. */
static int add_block(struct reading *reading, int64_t start,
		     struct lxfw_error *wrong)
{
	const struct reservation *now = &reading->now;
	struct lxfw_cluster *cluster = reading->cluster;
	struct lxfw_cluster_block *blocks =
		lxfw_grow(cluster->blocks, &cluster->block_size,
			  cluster->block_count + 1, sizeof(*blocks));
	struct lxfw_cluster_block *block;

	if (!blocks)
		return out_of_memory(wrong);
	cluster->blocks = blocks;
	block = &blocks[cluster->block_count++];
	*block = (struct lxfw_cluster_block) {
		.name = strdup(now->name),
		.shares = calloc((size_t)reading->hosts + (size_t)reading->pools,
				 sizeof(*block->shares)),
		.start = start - reading->span->since_1970,
		.end = start + (now->end - now->start) -
		       reading->span->since_1970,
	};
	if (!block->name || !block->shares)
		return out_of_memory(wrong);
	for (int32_t i = 0; i < cluster->count; i++) {
		if (reading->in[i])
			block->shares[block->count++] = (struct lxfw_share) {
				.host = i, .amount = kept_of(reading, i) };
	}
	add_pools(reading, block);
	return 0;
}

/* Day 0 is Sunday. */
static bool on_its_days(const struct reservation *now, int64_t start)
{
	int64_t day = (start / 86400 + 4) % 7;
	bool weekend = day == 0 || day == 6;

	return !(now->weekdays && weekend) && !(now->weekends && !weekend);
}

/* Adds all occurrences within the span. */
static int add_blocks(struct reading *reading, struct lxfw_error *wrong)
{
	const struct reservation *now = &reading->now;
	int64_t begin = reading->span->begin + reading->span->since_1970;
	int64_t end = reading->span->end + reading->span->since_1970;
	int64_t length = now->end - now->start, start = now->start;
	size_t before = reading->cluster->block_count;

	if (now->every > 0) {
		/* the first occurrence that ends after the beginning of the span */
		start -= (start - begin) / now->every * now->every;
		while (start + length > begin && start > 0)
			start -= now->every;
	}
	for (int i = 0; i < OCCURRENCES_MAX && start < end; i++) {
		if (start + length > begin && on_its_days(now, start) &&
		    add_block(reading, start, wrong))
			return -1;
		if (now->every == 0)
			break;
		start += now->every;
	}
	if (now->every > 0 && reading->span->endless && reading->cluster->block_count > before)
		reading->cluster->blocks[reading->cluster->block_count - 1].end = LXFW_TIME_MAX;
	*(reading->cluster->block_count > before ? &reading->told->taken :
	  &reading->told->elsewhen) += 1;
	return 0;
}

/* Adds the reservation that was read, if there is one. */
static int end_reservation(struct reading *reading, struct lxfw_error *wrong)
{
	struct reservation *now = &reading->now;
	int result = 0;

	if (!now->name)
		return 0;
	memset(reading->in, 0, (size_t)reading->cluster->count + 1);
	reading->hosts = 0;
	if (now->nodes && strcmp(now->nodes, "ALL") == 0) {
		memset(reading->in, 1, (size_t)reading->cluster->count);
		reading->hosts = reading->cluster->count;
	} else if (now->nodes) {
		result = lxfw_hostlist_expand(now->nodes, strlen(now->nodes),
					      take_host, reading, wrong);
	}
	if (result == 0 && (now->start < 0 || now->end <= now->start))
		result = lxfw_error_format(wrong, "reservation %.60s without a "
			"time, expected StartTime and a later EndTime",
			now->name);
	reading->pools = count_pools(reading);
	if (result == 0 && reading->hosts == 0 && reading->pools == 0)
		reading->told->no_hosts++;
	else if (result == 0)
		result = add_blocks(reading, wrong);
	free(now->name);
	free(now->nodes);
	free(now->licenses);
	*now = (struct reservation) { .start = -1, .end = -1 };
	return result;
}

static int keep(char **copy, struct lxfw_slice text, struct lxfw_error *wrong)
{
	free(*copy);
	/* JSON null has no text */
	*copy = strndup(text.at ? text.at : "", text.length);
	return *copy ? 0 : out_of_memory(wrong);
}

static void take_flag(struct reservation *now, struct lxfw_slice flag)
{
	if (lxfw_slice_is(flag, "HOURLY"))
		now->every = 3600;
	else if (lxfw_slice_is(flag, "WEEKLY"))
		now->every = 7 * 86400;
	else if (lxfw_slice_is(flag, "DAILY") ||
		 lxfw_slice_is(flag, "WEEKDAY") ||
		 lxfw_slice_is(flag, "WEEKEND"))
		now->every = 86400;
	now->weekdays |= lxfw_slice_is(flag, "WEEKDAY");
	now->weekends |= lxfw_slice_is(flag, "WEEKEND");
}

/* --- scontrol show reservation -------------------------------------------------- */

/* Parses a time. Returns whether it is valid. */
static bool take_time(const struct reading *reading, struct lxfw_slice text,
		      int64_t *time)
{
	struct lxfw_zone_moments moments;
	bool local;

	if (!lxfw_sacct_time(text, time, &local))
		return false;
	if (local) {
		lxfw_zone_moments(reading->span->in_zone, *time, &moments);
		*time = moments.at[0];
	}
	return true;
}

static int take_pair(void *context, struct lxfw_slice key,
		     struct lxfw_slice value, struct lxfw_error *wrong)
{
	struct reading *reading = context;
	struct reservation *now = &reading->now;
	bool start = lxfw_slice_is(key, "StartTime");
	char quoted[40];

	if (lxfw_slice_is(key, "ReservationName")) {
		if (end_reservation(reading, wrong))
			return -1;
		return keep(&now->name, value, wrong);
	}
	if (start || lxfw_slice_is(key, "EndTime")) {
		if (take_time(reading, value, start ? &now->start : &now->end))
			return 0;
		return lxfw_error_format(wrong, "%s=%s, expected a time such as "
			"2025-01-31T12:00:00", start ? "StartTime" : "EndTime",
			lxfw_text_quote(quoted, sizeof(quoted), value.at,
					value.length));
	}
	if (lxfw_slice_is(key, "Nodes") && !lxfw_slice_is(value, "(null)"))
		return keep(&now->nodes, value, wrong);
	if (lxfw_slice_is(key, "Licenses") && !lxfw_slice_is(value, "(null)"))
		return keep(&now->licenses, value, wrong);
	if (lxfw_slice_is(key, "TRES"))
		now->procs = lxfw_tres_count(value, "cpu");
	for (size_t i = 0; lxfw_slice_is(key, "Flags") && i < value.length; ) {
		struct lxfw_slice flag = { value.at + i, 0 };

		while (i < value.length && value.at[i++] != ',')
			flag.length++;
		take_flag(now, flag);
	}
	return 0;
}

static int read_text(struct reading *reading, struct lxfw_input *input,
		     struct lxfw_error *error)
{
	static const char begins[] = "ReservationName=";
	static const char none[] = "No reservations in the system";
	struct lxfw_error wrong;
	char *line;
	size_t length;
	bool first = true;
	int got;

	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		struct lxfw_slice text = { line, length };

		if (length == 0)
			continue;
		if (first && !lxfw_slice_begins(text, begins) &&
		    !lxfw_slice_begins(text, none))
			return lxfw_error_at(error, lxfw_input_path(input),
				lxfw_input_line_number(input), "no reservation found, "
				"expected the output of scontrol show "
				"reservation");
		first = false;
		if (lxfw_slurm_words(line, length, take_pair, reading, &wrong))
			break;
	}
	if (got == 0)
		got = end_reservation(reading, &wrong) ? 1 : 0;
	return got > 0 ? lxfw_error_at(error, lxfw_input_path(input),
				       lxfw_input_line_number(input), "%s",
				       wrong.text) : got;
}

/* --- JSON ----------------------------------------------------------------------- */

static int take_object(struct reading *reading, json_object *object,
		       struct lxfw_error *wrong)
{
	struct reservation *now = &reading->now;
	struct lxfw_slice nodes = lxfw_json_text(object, "node_list");
	json_object *flags = lxfw_json_member(object, "flags");

	if (keep(&now->name, lxfw_json_text(object, "name"), wrong))
		return -1;
	if (nodes.length > 0 && keep(&now->nodes, nodes, wrong))
		return -1;
	now->start = lxfw_json_number(object, "start_time");
	now->end = lxfw_json_number(object, "end_time");
	if (now->end > LXFW_ACCOUNT_TIME_MAX)
		now->end = LXFW_ACCOUNT_TIME_MAX;
	now->procs = lxfw_tres_count(lxfw_json_text(object, "tres"), "cpu");
	for (size_t i = 0; i < lxfw_json_length(flags); i++)
		take_flag(now, lxfw_json_text(
			json_object_array_get_idx(flags, i), ""));
	return end_reservation(reading, wrong);
}

static int take_answer(void *context, json_object *answer,
		       struct lxfw_error *wrong)
{
	json_object *array = lxfw_json_member(answer, "reservations");
	char text[200];

	if (lxfw_json_error(lxfw_json_member(answer, "errors"), text,
			    sizeof(text)))
		return lxfw_error_format(wrong, "Slurm reports an error: %s",
					 text);
	if (!json_object_is_type(array, json_type_array))
		return lxfw_error_format(wrong, "no \"reservations\", "
			"expected the output of slurmrestd or scontrol show "
			"reservation --json");
	for (size_t i = 0; i < lxfw_json_length(array); i++) {
		if (take_object(context, json_object_array_get_idx(array, i),
				wrong))
			return -1;
	}
	return 0;
}

/* --- all ------------------------------------------------------------------------ */

static int read_file(struct reading *reading, const char *path,
		     struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	int got = input ? lxfw_json_begins(input, error) : -1;

	if (got >= 0)
		got = got ? lxfw_json_objects(input, "slurmrestd or scontrol "
					      "show reservation --json",
					      take_answer, reading, error) :
			    read_text(reading, input, error);
	lxfw_input_close(input);
	return got;
}

int lxfw_reservations_read(struct lxfw_cluster *cluster, const char *path,
			   const struct lxfw_reservations_span *span,
			   struct lxfw_reservations_told *told,
			   struct lxfw_error *error)
{
	struct reading reading = {
		.cluster = cluster, .span = span, .told = told,
		.now = { .start = -1, .end = -1 },
		.in = calloc((size_t)cluster->count + 1, 1),
	};
	int result;

	*told = (struct lxfw_reservations_told) { 0 };
	if (!reading.in)
		return lxfw_error_system(error, path);
	result = read_file(&reading, path, error);
	free(reading.now.name);
	free(reading.now.nodes);
	free(reading.now.licenses);
	free(reading.in);
	return result;
}

void lxfw_cluster_block_event(const struct lxfw_cluster *cluster, size_t index,
			      struct lxfw_event *event)
{
	const struct lxfw_cluster_block *block = &cluster->blocks[index];

	event->type = LXFW_EVENT_BLOCK;
	event->block.id = LXFW_BLOCK_PASSING_MAX + 1 + index;
	event->block.start = block->start;
	event->block.end = block->end;
	event->block.count = block->count;
	event->block.shares = block->shares;
}
