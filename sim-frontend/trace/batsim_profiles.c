/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/batsim_profiles.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/util/text.h"

/* Sequences in sequences. */
#define DEPTH_MAX 16

struct lxfw_batsim_profile {
	/* A sequence becomes TIMED, DEEP or WITHOUT when its time is added up. */
	enum { UNDEFINED, TIMED, SEQUENCE, OTHER, BROKEN, DEEP, WITHOUT } kind;
	double seconds;			/* TIMED */
	double repeat;			/* SEQUENCE */
	size_t part, part_count;	/* SEQUENCE: positions in `parts` */
	int32_t type;			/* OTHER: index in `types` */
	int32_t lacking;		/* WITHOUT: the profile in it that has no time */
};

int32_t lxfw_batsim_profile(struct lxfw_batsim_profiles *profiles, struct lxfw_slice name)
{
	size_t before = profiles->names.count;
	int32_t index = lxfw_names_add(&profiles->names, name.at, name.length);

	if (index < 0 || (size_t)index < before)
		return index;
	/* the names are not used without a profile: the caller ends the reading */
	if (LXFW_GROW(profiles->profiles, profiles->size, profiles->names.count))
		return -1;
	profiles->profiles[index] = (struct lxfw_batsim_profile) { .kind = UNDEFINED };
	return index;
}

static bool is_one(struct lxfw_slice type, const char *const *names)
{
	for (; *names; names++) {
		if (lxfw_slice_is(type, *names))
			return true;
	}
	return false;
}

/* Reads a number of 0 or more; -1: it is none. */
static double number_of(json_object *value)
{
	double number = json_object_is_type(value, json_type_double) ||
			json_object_is_type(value, json_type_int) ?
			json_object_get_double(value) : -1;

	return number >= 0 && number <= (double)LXFW_ACCOUNT_TIME_MAX ? number : -1;
}

/* The members of a definition that state a time. */
struct definition {
	json_object *type, *delay, *seq, *repeat;
};

static void release(struct definition *definition)
{
	json_object_put(definition->type);
	json_object_put(definition->delay);
	json_object_put(definition->seq);
	json_object_put(definition->repeat);
}

/* Reads the members of an object. Others are passed: matrices of parallel tasks are large. */
static int read_members(struct lxfw_json_stream *stream, struct definition *definition,
			struct lxfw_error *error)
{
	bool first = true;
	char key[16];
	int got;

	lxfw_json_stream_skip(stream);
	while ((got = lxfw_json_stream_member(stream, first, key, sizeof(key), error)) > 0) {
		json_object **value = strcmp(key, "type") == 0 ? &definition->type :
				      strcmp(key, "delay") == 0 ? &definition->delay :
				      strcmp(key, "seq") == 0 ? &definition->seq :
				      strcmp(key, "repeat") == 0 ? &definition->repeat : NULL;

		first = false;
		if (value)
			json_object_put(*value);
		if (value ? lxfw_json_stream_value(stream, value, error) :
			    lxfw_json_stream_pass(stream, error))
			return -1;
	}
	return got;
}

/* Adds the parts of a sequence. Returns -1 with errno ENOMEM. */
static int take_parts(struct lxfw_batsim_profiles *profiles, int32_t index, json_object *seq)
{
	size_t count = lxfw_json_length(seq);

	if (LXFW_GROW(profiles->parts, profiles->parts_size, profiles->part_count + count))
		return -1;
	profiles->profiles[index].part = profiles->part_count;
	for (size_t i = 0; i < count; i++) {
		struct lxfw_slice name = lxfw_json_text(json_object_array_get_idx(seq, i), "");
		int32_t part = name.length ? lxfw_batsim_profile(profiles, name) : -1;

		if (name.length > 0 && part < 0)
			return -1;
		if (name.length == 0) {
			profiles->profiles[index].kind = BROKEN;
			return 0;
		}
		profiles->parts[profiles->part_count++] = part;
		profiles->profiles[index].part_count++;
	}
	return 0;
}

/* Returns -1 with errno ENOMEM. */
static int define(struct lxfw_batsim_profiles *profiles, int32_t index,
		  const struct definition *definition)
{
	static const char *const delays[] = { "delay", "DelayProfile", NULL };
	static const char *const sequences[] = { "composed", "sequential_composition",
						 "SequentialCompositionProfile", NULL };
	struct lxfw_batsim_profile *profile = &profiles->profiles[index];
	struct lxfw_slice type = lxfw_json_text(definition->type, "");

	*profile = (struct lxfw_batsim_profile) { .kind = OTHER };
	if (is_one(type, delays)) {
		profile->seconds = number_of(definition->delay);
		profile->kind = profile->seconds < 0 ? BROKEN : TIMED;
		return 0;
	}
	if (is_one(type, sequences)) {
		profile->repeat = definition->repeat ? number_of(definition->repeat) : 1;
		profile->kind = profile->repeat < 0 ? BROKEN : SEQUENCE;
		return take_parts(profiles, index, definition->seq);
	}
	if (type.length == 0) {
		profile->kind = BROKEN;
		return 0;
	}
	profile->type = lxfw_names_add(&profiles->types, type.at, type.length);
	return profile->type < 0 ? -1 : 0;
}

static int read_one(struct lxfw_batsim_profiles *profiles, int32_t index,
		    struct lxfw_json_stream *stream, const char *path, struct lxfw_error *error)
{
	struct definition definition = { NULL };
	int sign = lxfw_json_stream_sign(stream, error);
	int result;

	if (sign < 0)
		return -1;
	result = sign == '{' ? read_members(stream, &definition, error) :
			       lxfw_json_stream_pass(stream, error);
	if (result == 0 && define(profiles, index, &definition))
		result = lxfw_error_system(error, path);
	release(&definition);
	return result;
}

int lxfw_batsim_profiles_read(struct lxfw_batsim_profiles *profiles,
			      struct lxfw_json_stream *stream, const char *path,
			      struct lxfw_error *error)
{
	bool first = true;
	char name[256];
	int got;

	while ((got = lxfw_json_stream_member(stream, first, name, sizeof(name), error)) > 0) {
		struct lxfw_slice slice = { name, strlen(name) };
		int32_t index = lxfw_batsim_profile(profiles, slice);

		first = false;
		if (index < 0)
			return lxfw_error_system(error, path);
		if (read_one(profiles, index, stream, path, error))
			return -1;
	}
	return got;
}

/* Makes a SEQUENCE one of the kinds that it may become. Meanwhile it is DEEP: it is too deep if it
   contains itself. One that only lies too deep in the profile of a job stays a SEQUENCE, as it may
   be less deep in that of another. */
static void add_up(struct lxfw_batsim_profiles *profiles, int32_t index, int depth)
{
	struct lxfw_batsim_profile *profile = &profiles->profiles[index];
	double seconds = 0;

	if (profile->kind != SEQUENCE)
		return;
	profile->kind = DEEP;
	for (size_t i = 0; i < profile->part_count; i++) {
		int32_t other = profiles->parts[profile->part + i];
		const struct lxfw_batsim_profile *part = &profiles->profiles[other];

		if (depth < DEPTH_MAX)
			add_up(profiles, other, depth + 1);
		if (part->kind == SEQUENCE && depth > 0)
			profile->kind = SEQUENCE;
		if (part->kind == DEEP || part->kind == SEQUENCE)
			return;
		if (part->kind != TIMED) {
			profile->kind = WITHOUT;
			profile->lacking = part->kind == WITHOUT ? part->lacking : other;
			return;
		}
		seconds += part->seconds;
	}
	profile->seconds = seconds * profile->repeat;
	profile->kind = profile->seconds <= (double)LXFW_ACCOUNT_TIME_MAX ? TIMED : BROKEN;
}

const char *lxfw_batsim_profile_run(struct lxfw_batsim_profiles *profiles, int32_t index,
				    int64_t *run, char *text, size_t size)
{
	const struct lxfw_batsim_profile *profile = &profiles->profiles[index];
	char name[80], type[60];

	add_up(profiles, index, 0);
	if (profile->kind == TIMED) {
		*run = (int64_t)ceil(profile->seconds);
		return NULL;
	}
	if (profile->kind == WITHOUT) {
		index = profile->lacking;
		profile = &profiles->profiles[index];
	}
	lxfw_text_quote(name, sizeof(name), profiles->names.names[index],
			strlen(profiles->names.names[index]));
	if (profile->kind == DEEP)
		snprintf(text, size, "profile '%s' contains itself, or more than %d levels of "
			 "others, expected a time", name, DEPTH_MAX);
	else if (profile->kind == UNDEFINED)
		snprintf(text, size, "profile '%s' is not defined, expected a delay", name);
	else if (profile->kind == OTHER)
		snprintf(text, size, "profile '%s' is of type %s, which states no run time, "
			 "expected a delay", name,
			 lxfw_text_quote(type, sizeof(type), profiles->types.names[profile->type],
					 strlen(profiles->types.names[profile->type])));
	else
		snprintf(text, size, "profile '%s' has no valid time, expected a type and a delay "
			 "in seconds", name);
	return text;
}

void lxfw_batsim_profiles_clear(struct lxfw_batsim_profiles *profiles)
{
	lxfw_names_clear(&profiles->names);
	lxfw_names_clear(&profiles->types);
	free(profiles->profiles);
	free(profiles->parts);
	*profiles = (struct lxfw_batsim_profiles) { 0 };
}
