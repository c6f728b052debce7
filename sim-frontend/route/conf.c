/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/conf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim-frontend/grid/lines.h"
#include "sim-frontend/util/text.h"

#define BLANKS " \t\r"
#define SPEED_USUAL 1000
#define SERVER_USUAL "lxfw"
#define RECORDS_USUAL "~/.lxfw-route"

struct reader {
	struct lxfw_route_conf *conf;
	const char *path;
	long line;
	struct lxfw_error *error;
};

/* A key whose value is a number of seconds, or of moves. */
struct number {
	const char *name;
	size_t offset;
	int64_t usual, min, max;
};

#define NUMBER(key, usual, min, max) \
	{ #key, offsetof(struct lxfw_route_conf, key), usual, min, max }

static const struct number numbers[] = {
	NUMBER(answer, 1, 1, 600),
	NUMBER(age, 30, 1, 86400),
	NUMBER(pass, 150, 1, 86400),
	NUMBER(recent, 10, 0, 3600),
	NUMBER(margin, 600, 0, 86400 * 30),
	NUMBER(moves, 0, 0, 100),
	NUMBER(settle, 15, 0, 3600),
};

#define NUMBERS (sizeof(numbers) / sizeof(*numbers))

static int64_t *number_of(struct lxfw_route_conf *conf, const struct number *number)
{
	return (int64_t *)(void *)((char *)conf + number->offset);
}

bool lxfw_route_name_is_valid(const char *name)
{
	return *name && *name != '-' && strlen(name) < LXFW_ROUTE_NAME &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_.-")];
}

int lxfw_route_conf_find(const struct lxfw_route_conf *conf, const char *name)
{
	for (int i = 0; i < conf->count; i++) {
		if (strcmp(conf->list[i].name, name) == 0)
			return i;
	}
	return -1;
}

/* "1.5" as per mille. */
static int take_speed(const char *text, int32_t *speed)
{
	const char *point = strchr(text, '.');
	size_t digits = point ? strlen(point + 1) : 0;
	int64_t whole = 0, part = 0;

	if (lxfw_text_integer(text, point ? (size_t)(point - text) : strlen(text), 0, 1000,
			      &whole) || digits > 3 ||
	    (point && lxfw_text_integer(point + 1, digits, 0, 999, &part)))
		return -1;
	for (; point && digits < 3; digits++)
		part *= 10;
	*speed = (int32_t)(whole * 1000 + part);
	return *speed > 0 ? 0 : -1;
}

static bool is_place(const char *at)
{
	const char *colon = strrchr(at, ':');
	int64_t port;

	if (*at == '/')
		return strlen(at) < 108;
	return colon && colon > at && colon - at < 256 &&
	       lxfw_text_integer(colon + 1, strlen(colon + 1), 1, 65535, &port) == 0;
}

static int bad(struct reader *reader, const char *word, const char *expected)
{
	char quoted[80];

	return lxfw_error_at(reader->error, reader->path, reader->line, "'%s', expected %s",
			     lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word)),
			     expected);
}

static int take_name(struct reader *reader, const char *word, const char *name)
{
	struct lxfw_route_conf *conf = reader->conf;

	if (!lxfw_route_name_is_valid(name))
		return bad(reader, word, "cluster=NAME with letters, digits, '_', '-' and '.'");
	if (lxfw_route_conf_find(conf, name) >= 0)
		return bad(reader, word, "a cluster that no other line has");
	if (conf->count == LXFW_ROUTE_CLUSTERS)
		return bad(reader, word, "at most 64 clusters");
	strcpy(conf->list[conf->count].name, name);
	conf->list[conf->count++].speed = SPEED_USUAL;
	return 0;
}

/* A word of a line that begins with cluster=. */
static int take_word_of_cluster(struct reader *reader, const char *word)
{
	struct lxfw_route_cluster *to = &reader->conf->list[reader->conf->count - 1];

	if (strncmp(word, "at=", 3) == 0 && !to->at) {
		if (!is_place(word + 3))
			return bad(reader, word, "at=HOST:PORT or at=/SOCKET");
		to->at = strdup(word + 3);
		return to->at ? 0 : lxfw_error_system(reader->error, reader->path);
	}
	if (strncmp(word, "speed=", 6) == 0)
		return take_speed(word + 6, &to->speed) ?
		       bad(reader, word, "speed=FACTOR, 0.001 to 1000") : 0;
	return bad(reader, word, "at=HOST:PORT once, or speed=FACTOR");
}

static int take_text(struct reader *reader, const char *value, char **to)
{
	free(*to);
	*to = strdup(value);
	return *to ? 0 : lxfw_error_system(reader->error, reader->path);
}

static int take_key(struct reader *reader, const char *word)
{
	struct lxfw_route_conf *conf = reader->conf;
	const char *value = strchr(word, '=');
	size_t length = value ? (size_t)(value - word) : 0;

	for (size_t i = 0; i < NUMBERS && value; i++) {
		const struct number *number = &numbers[i];

		if (strlen(number->name) != length || strncmp(word, number->name, length) != 0)
			continue;
		if (lxfw_text_integer(value + 1, strlen(value + 1), number->min, number->max,
				      number_of(conf, number)) == 0)
			return 0;
		return lxfw_error_at(reader->error, reader->path, reader->line, "'%.60s', "
				     "expected %s=NUMBER, %lld to %lld", word, number->name,
				     (long long)number->min, (long long)number->max);
	}
	if (strncmp(word, "rule=", 5) == 0) {
		conf->rule = lxfw_route_rule_find(word + 5);
		return conf->rule ? 0 : bad(reader, word, "rule=earliest_end, earliest, "
					    "best_fit, most_free or least_work");
	}
	if (strcmp(word, "queue=yes") == 0 || strcmp(word, "queue=no") == 0) {
		conf->queue = word[6] == 'y';
		return 0;
	}
	if (strncmp(word, "records=", 8) == 0) {
		if (word[8] != '/' && strncmp(word + 8, "~/", 2) != 0)
			return bad(reader, word, "records=/FOLDER or records=~/FOLDER");
		return take_text(reader, word + 8, &conf->records);
	}
	if (strcmp(word, "network=munge") == 0 || strcmp(word, "network=trusted") == 0) {
		conf->trusted = word[8] == 't';
		return 0;
	}
	if (strncmp(word, "server=", 7) == 0)
		return word[7] ? take_text(reader, word + 7, &conf->server) :
				 bad(reader, word, "server=USER");
	if (strncmp(word, "munge=", 6) == 0)
		return word[6] == '/' && strlen(word + 6) < 108 ?
		       take_text(reader, word + 6, &conf->munge) :
		       bad(reader, word, "munge=/SOCKET");
	return bad(reader, word, "cluster=, rule=, queue=yes|no, answer=, age=, pass=, recent=, "
		   "margin=, moves=, settle=, records=, network=munge|trusted, server= or munge=");
}

static int take_line(void *context, long line, char *text)
{
	struct reader *reader = context;
	char *rest = NULL, *word = strtok_r(text, BLANKS, &rest);

	reader->line = line;
	if (!word)
		return 0;
	if (strncmp(word, "cluster=", 8) != 0) {
		for (; word; word = strtok_r(NULL, BLANKS, &rest)) {
			if (take_key(reader, word))
				return -1;
		}
		return 0;
	}
	if (take_name(reader, word, word + 8))
		return -1;
	while ((word = strtok_r(NULL, BLANKS, &rest))) {
		if (take_word_of_cluster(reader, word))
			return -1;
	}
	return reader->conf->list[reader->conf->count - 1].at ? 0 :
	       bad(reader, text, "cluster=NAME at=HOST:PORT");
}

int lxfw_route_conf_read(struct lxfw_route_conf *conf, const char *path,
			 struct lxfw_error *error)
{
	struct reader reader = { .conf = conf, .path = path, .error = error };
	struct stat about;

	*conf = (struct lxfw_route_conf) {
		.rule = lxfw_route_rule_find(lxfw_route_rule_name(0)), .queue = true,
		.records = strdup(RECORDS_USUAL), .server = strdup(SERVER_USUAL),
	};
	if (!conf->records || !conf->server)
		return lxfw_error_system(error, path);
	for (size_t i = 0; i < NUMBERS; i++)
		*number_of(conf, &numbers[i]) = numbers[i].usual;
	/* Opening a FIFO would wait. */
	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
		errno = EINVAL;
		return lxfw_error_at(error, path, 0, "expected a regular file");
	}
	if (lxfw_lines_read(path, take_line, &reader, error))
		return -1;
	if (conf->count == 0)
		return lxfw_error_at(error, path, 0, "no clusters, expected lines cluster=NAME "
				     "at=HOST:PORT");
	return 0;
}

void lxfw_route_conf_clear(struct lxfw_route_conf *conf)
{
	for (int i = 0; i < conf->count; i++)
		free(conf->list[i].at);
	free(conf->records);
	free(conf->server);
	free(conf->munge);
	*conf = (struct lxfw_route_conf) { 0 };
}
