/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/wire.h"
#include "common/model/request.h"
#include "sim-frontend/predict/snapshot_fields.h"
#include "sim-frontend/predict/snapshot_file.h"
#include "sim-frontend/trace/sockets_text.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

/* --- values ------------------------------------------------------------------------ */

static void write_long(FILE *out, int64_t value)
{
	if (value == LXFW_NEVER)
		fputs("never", out);
	else if (value == INT64_MIN)
		fputs("none", out);
	else
		fprintf(out, "%" PRId64, value);
}

/* Trailing extras of 0 are left out. */
static void write_amount(FILE *out, const struct lxfw_resources *amount)
{
	int extras = LXFW_EXTRAS_MAX;

	while (extras > 0 && amount->extras[extras - 1] == 0)
		extras--;
	fprintf(out, "%" PRId32 ":%" PRId64, amount->procs, amount->memory_mb);
	for (int i = 0; i < extras; i++)
		fprintf(out, ":%" PRId32, amount->extras[i]);
}

static bool is_nothing(const struct lxfw_resources *amount)
{
	bool nothing = amount->procs == 0 && amount->memory_mb == 0;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		nothing &= amount->extras[i] == 0;
	return nothing;
}

static bool same_amount(const struct lxfw_resources *a, const struct lxfw_resources *b)
{
	struct lxfw_resources difference = *a;

	lxfw_resources_subtract(&difference, b);
	return is_nothing(&difference);
}

static void write_range(FILE *out, int32_t first, int32_t last)
{
	fprintf(out, "%" PRId32, first);
	if (last > first)
		fprintf(out, "-%" PRId32, last);
}

static void write_hosts(FILE *out, const int32_t *hosts, int32_t count)
{
	for (int32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && hosts[end] == hosts[end - 1] + 1;)
			end++;
		if (i > 0)
			fputc(',', out);
		write_range(out, hosts[i], hosts[end - 1]);
	}
}

static void write_shares(FILE *out, const struct lxfw_share *shares, int32_t count)
{
	char text[LXFW_SOCKETS_TEXT_SIZE];

	for (int32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && shares[end].host == shares[end - 1].host + 1 &&
				  shares[end].sockets == shares[i].sockets &&
				  same_amount(&shares[end].amount, &shares[i].amount);)
			end++;
		if (i > 0)
			fputc(',', out);
		write_range(out, shares[i].host, shares[end - 1].host);
		fputc('@', out);
		write_amount(out, &shares[i].amount);
		if (shares[i].sockets)
			fprintf(out, "/%s", lxfw_sockets_text(text, shares[i].sockets));
	}
}

/* --- fields ------------------------------------------------------------------------ */

static int64_t number_of(const struct lxfw_snapshot_field *field, const char *member)
{
	switch (field->kind) {
	case LXFW_SNAPSHOT_FLAG:
		return *(const bool *)member;
	case LXFW_SNAPSHOT_BYTE:
		return *(const uint8_t *)member;
	case LXFW_SNAPSHOT_SOCKETS:
		return *(const uint32_t *)(const void *)member;
	case LXFW_SNAPSHOT_INT:
		return *(const int32_t *)(const void *)member;
	default:
		return *(const int64_t *)(const void *)member;
	}
}

static void write_sets(FILE *out, const int32_t *sets, int count)
{
	for (int i = 0; i < count; i++)
		fprintf(out, "%s%" PRId32, i > 0 ? "," : "", sets[i]);
}

static void write_pools(FILE *out, const struct lxfw_pool_need *pools, int count)
{
	for (int i = 0; i < count; i++)
		fprintf(out, "%s%" PRId32 ":%" PRId32, i > 0 ? "," : "", pools[i].pool,
			pools[i].amount);
}

/* Whether the key is left out, because a reader would assume this value. */
static bool is_absent(const struct lxfw_snapshot_field *field, const char *object)
{
	const void *member = object + field->offset;

	switch (field->kind) {
	case LXFW_SNAPSHOT_AMOUNT:
		return is_nothing(member);
	case LXFW_SNAPSHOT_SHARES:
	case LXFW_SNAPSHOT_HOSTS:
		return *(const int32_t *)(const void *)(object + field->count) == 0;
	case LXFW_SNAPSHOT_SETS:
	case LXFW_SNAPSHOT_POOLS:
		return *(const uint8_t *)(object + field->count) == 0;
	case LXFW_SNAPSHOT_STATE:
		return false;
	default:
		return number_of(field, member) == field->absent;
	}
}

static void write_field(FILE *out, const struct lxfw_snapshot_field *field,
			const char *object)
{
	const void *member = object + field->offset, *count = object + field->count;
	char text[LXFW_SOCKETS_TEXT_SIZE];

	if (is_absent(field, object))
		return;
	fprintf(out, " %s=", field->key);
	switch (field->kind) {
	case LXFW_SNAPSHOT_AMOUNT:
		write_amount(out, member);
		break;
	case LXFW_SNAPSHOT_SHARES:
		write_shares(out, *(struct lxfw_share *const *)member,
			     *(const int32_t *)count);
		break;
	case LXFW_SNAPSHOT_HOSTS:
		write_hosts(out, *(int32_t *const *)member, *(const int32_t *)count);
		break;
	case LXFW_SNAPSHOT_SETS:
		write_sets(out, member, *(const uint8_t *)count);
		break;
	case LXFW_SNAPSHOT_POOLS:
		write_pools(out, member, *(const uint8_t *)count);
		break;
	case LXFW_SNAPSHOT_STATE:
		fputs(lxfw_snapshot_states[*(const enum lxfw_snapshot_state *)member], out);
		break;
	case LXFW_SNAPSHOT_SOCKETS:
		fputs(lxfw_sockets_text(text, *(const uint32_t *)member), out);
		break;
	case LXFW_SNAPSHOT_ID:
		fprintf(out, "%" PRIu64, *(const uint64_t *)member);
		break;
	default:
		write_long(out, number_of(field, member));
	}
}

/* WORD and NAME, which may be empty or NULL, then the fields of OBJECT. */
static void write_line(FILE *out, const char *word, const char *name,
		       const struct lxfw_snapshot_field *fields, const void *object)
{
	fputs(word, out);
	if (name && *name)
		fprintf(out, " name=%s", name);
	for (; fields->key; fields++)
		write_field(out, fields, object);
	fputc('\n', out);
}

/* --- the file ------------------------------------------------------------------------ */

static const char head[] =
	"# The state of a scheduler, written by 'lxfw snapshot'. lxfw-snapshot(1) describes\n"
	"# the format; 'lxfw simulate --from' reads it. Times are seconds, memory is in MB.\n"
	"# A journal does not have: users, accounts, job and partition names, reasons of\n"
	"# nodes that are down, limits, held and dependent jobs. 'scontrol show' prints them.\n";

static void write_body(const struct lxfw_snapshot_file *file, const char *params, FILE *out)
{
	const struct lxfw_snapshot *state = &file->state;

	fprintf(out, "lxfw-snapshot %d\n%s", LXFW_SNAPSHOT_VERSION, head);
	if (file->anonymous)
		fputs("anonymous\n", out);
	write_line(out, "state", NULL, lxfw_snapshot_state_fields, state);
	fprintf(out, "params %s\n", params);
	for (size_t i = 0; i < state->host_count; i++)
		write_line(out, "host", file->host_names ? file->host_names[i] : NULL,
			   lxfw_snapshot_host_fields, &state->hosts[i]);
	for (size_t i = 0; i < state->set_count; i++)
		write_line(out, "set", NULL, lxfw_snapshot_set_fields, &state->sets[i]);
	for (size_t i = 0; i < state->block_count; i++)
		write_line(out, "block", NULL, lxfw_snapshot_block_fields,
			   &state->blocks[i]);
	for (size_t i = 0; i < state->job_count; i++)
		write_line(out, "job", file->job_names ? file->job_names[i] : NULL,
			   lxfw_snapshot_job_fields, &state->jobs[i]);
	for (size_t i = 0; i < state->reservation_count; i++)
		write_line(out, "reservation", NULL, lxfw_snapshot_reservation_fields,
			   &state->reservations[i]);
	for (size_t i = 0; i < file->ran_count; i++)
		write_line(out, "ran", NULL, lxfw_snapshot_ran_fields, &file->ran[i]);
	for (size_t i = 0; i < file->submitted_count; i++)
		write_line(out, "submitted", NULL, lxfw_snapshot_submitted_fields,
			   &file->submitted[i]);
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Returns the text, to be freed, or NULL with errno ENOMEM. */
static char *text_of(const struct lxfw_snapshot_file *file, const char *params,
		     size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	bool failed;

	if (!out)
		return NULL;
	write_body(file, params, out);
	failed = ferror(out) || fflush(out);
	if (!failed)
		fprintf(out, "end lines=%zu crc32=%08" PRIx32 "\n", lines_of(text),
			lxfw_crc32((const unsigned char *)text, *length));
	failed |= ferror(out) != 0;
	failed |= fclose(out) != 0;
	if (!failed)
		return text;
	free(text);
	errno = ENOMEM;
	return NULL;
}

int lxfw_snapshot_write(const struct lxfw_snapshot_file *file, const char *path,
			struct lxfw_error *error)
{
	char params[LXFW_PARAMS_TEXT_SIZE];
	struct lxfw_output *out;
	size_t length;
	char *text;

	if (lxfw_params_text(&file->state.params, params) < 0)
		return lxfw_error_format(error, "the parameters are invalid");
	text = text_of(file, params, &length);
	if (!text)
		return lxfw_error_system(error, path);
	out = strcmp(path, "-") == 0 ? lxfw_output_standard(error) :
				       lxfw_output_open(path, error);
	if (out)
		lxfw_output_write(out, text, length);
	free(text);
	return out ? lxfw_output_commit(out, error) : -1;
}
