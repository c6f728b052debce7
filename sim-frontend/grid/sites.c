/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/sites.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/grid/lines.h"
#include "sim-frontend/grid/market_formula.h"
#include "sim-frontend/util/given.h"
#include "sim-frontend/util/text.h"

#define SPEED_USUAL 1000	/* per mille */
#define POLICY_USUAL "easy"
#define NAME_MAX_LENGTH 64

struct reader {
	const char *path;
	long line;
	struct lxfw_sites *sites;
	struct lxfw_error *error;
};

/* The words of a line; NULL: not given. */
struct words {
	char *site, *procs, *cluster, *policy, *params, *speed, *member, *machine;
};

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

int32_t lxfw_sites_find(const struct lxfw_sites *sites, const char *name)
{
	return lxfw_names_find(&sites->names, name, strlen(name));
}

int32_t lxfw_sites_largest(const struct lxfw_sites *sites)
{
	int64_t largest = 0;

	for (int32_t i = 0; i < sites->count; i++) {
		if (sites->list[i].cluster.procs > largest)
			largest = sites->list[i].cluster.procs;
	}
	return largest < INT32_MAX ? (int32_t)largest : INT32_MAX;
}

int64_t lxfw_sites_procs(const struct lxfw_sites *sites)
{
	int64_t procs = 0;

	for (int32_t i = 0; i < sites->count; i++)
		procs += sites->list[i].cluster.procs;
	return procs;
}

static void clear_site(struct lxfw_site *site)
{
	free(site->name);
	free(site->machine);
	lxfw_cluster_clear(&site->cluster);
}

void lxfw_sites_clear(struct lxfw_sites *sites)
{
	for (int32_t i = 0; i < sites->count; i++)
		clear_site(&sites->list[i]);
	for (int32_t i = 0; i < sites->cluster_count; i++) {
		free(sites->clusters[i].name);
		free(sites->clusters[i].sites);
	}
	free(sites->list);
	free(sites->clusters);
	lxfw_names_clear(&sites->names);
	*sites = (struct lxfw_sites){ 0 };
}

/* Adds a site without hosts. Returns it, or NULL with errno ENOMEM and ERROR set. */
static struct lxfw_site *new_site(struct lxfw_sites *sites, const char *name,
				  struct lxfw_error *error)
{
	struct lxfw_site *site;

	if (LXFW_GROW(sites->list, sites->size, (size_t)sites->count + 1)) {
		out_of_memory(error);
		return NULL;
	}
	site = &sites->list[sites->count];
	*site = (struct lxfw_site){ .name = strdup(name), .usual = true,
				    .speed = SPEED_USUAL };
	if (!site->name || lxfw_names_add(&sites->names, name, strlen(name)) < 0) {
		free(site->name);
		out_of_memory(error);
		return NULL;
	}
	lxfw_params_preset(&site->params, lxfw_policy_by_name(POLICY_USUAL,
							      (int)strlen(POLICY_USUAL)));
	sites->count++;
	return site;
}

int lxfw_sites_add(struct lxfw_sites *sites, const char *name, int32_t procs,
		   struct lxfw_error *error)
{
	struct lxfw_site *site = new_site(sites, name, error);

	return site ? lxfw_cluster_procs(&site->cluster, procs, error) : -1;
}

int32_t lxfw_sites_place(const struct lxfw_sites *sites, const char *name)
{
	for (int32_t i = 0; i < sites->cluster_count; i++) {
		if (strcmp(sites->clusters[i].name, name) == 0)
			return sites->count + i;
	}
	return lxfw_sites_find(sites, name);
}

static struct lxfw_site_cluster *new_cluster(struct lxfw_sites *sites, const char *name)
{
	struct lxfw_site_cluster *cluster;

	if (LXFW_GROW(sites->clusters, sites->cluster_size,
		      (size_t)sites->cluster_count + 1))
		return NULL;
	cluster = &sites->clusters[sites->cluster_count];
	*cluster = (struct lxfw_site_cluster){ .name = strdup(name) };
	if (!cluster->name)
		return NULL;
	sites->cluster_count++;
	return cluster;
}

int lxfw_sites_join(struct lxfw_sites *sites, const char *name, struct lxfw_error *error)
{
	int32_t place = lxfw_sites_place(sites, name), site = sites->count - 1;
	struct lxfw_site_cluster *cluster = place >= sites->count ?
		&sites->clusters[place - sites->count] : NULL;

	if (place >= 0 && !cluster)
		return lxfw_error_format(error, "a site has the name of the cluster '%s'", name);
	if (!cluster)
		cluster = new_cluster(sites, name);
	if (!cluster || LXFW_GROW(cluster->sites, cluster->size, (size_t)cluster->count + 1))
		return out_of_memory(error);
	if (cluster->count > 0 && cluster->sites[cluster->count - 1] == site)
		return lxfw_error_format(error, "the cluster '%s' is given twice", name);
	cluster->sites[cluster->count++] = site;
	return 0;
}

/* --- a line ------------------------------------------------------------------------------ */

static const char *const names[] = {
	"site", "procs", "cluster", "policy", "params", "speed", "member", "machine", NULL,
};

static char **place_of(struct words *words, const char *key, size_t length)
{
	char **const places[] = {
		&words->site, &words->procs, &words->cluster, &words->policy, &words->params,
		&words->speed, &words->member, &words->machine,
	};

	for (size_t i = 0; names[i]; i++) {
		if (strlen(names[i]) == length && strncmp(names[i], key, length) == 0)
			return places[i];
	}
	return NULL;
}

/* Splits TEXT, which is changed. */
static int split(struct reader *reader, char *text, struct words *words)
{
	char quoted[48], meant[60], *rest = NULL;

	for (char *word = strtok_r(text, " \t\r\n", &rest); word;
	     word = strtok_r(NULL, " \t\r\n", &rest)) {
		size_t length = strcspn(word, "=");
		char **place = word[length] ? place_of(words, word, length) : NULL;

		lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word));
		if (!place || !word[length + 1])
			return lxfw_error_at(reader->error, reader->path, reader->line,
					     "'%s', expected site=NAME, procs=N, cluster=FILE, "
					     "policy=NAME, params=LIST, speed=FACTOR, member=LIST "
					     "or machine=FORMULA%s", quoted,
					     lxfw_text_meant(meant, sizeof(meant), word,
							     strlen(word), names));
		if (*place)
			return lxfw_error_at(reader->error, reader->path, reader->line,
					     "'%s': the key is given twice, expected once",
					     quoted);
		*place = word + length + 1;
	}
	return 0;
}

static int check(struct reader *reader, const struct words *words)
{
	const char *problem = NULL;

	if (!words->site)
		problem = "no name, expected site=NAME";
	else if (strlen(words->site) > NAME_MAX_LENGTH || strpbrk(words->site, ",:+\"/"))
		problem = "the name of the site is too long or has one of ,:+\"/; expected at "
			  "most 64 other characters";
	else if (lxfw_sites_place(reader->sites, words->site) >= 0)
		problem = "a site of this name is given above, expected another name";
	else if (!words->procs == !words->cluster)
		problem = "expected one of procs=N and cluster=FILE";
	else if (reader->sites->count == LXFW_SITES_MAX)
		problem = "too many sites, expected at most 100000";
	return problem ? lxfw_error_at(reader->error, reader->path, reader->line, "%s",
				       problem) : 0;
}

static int bad_value(struct reader *reader, const char *key, const char *value,
		     const char *expected)
{
	char quoted[48];

	return lxfw_error_at(reader->error, reader->path, reader->line,
			     "%s='%s', expected %s", key,
			     lxfw_text_quote(quoted, sizeof(quoted), value, strlen(value)),
			     expected);
}

static int take_speed(struct reader *reader, struct lxfw_site *site, const char *text)
{
	char *end;
	double speed;

	if (!text)
		return 0;
	speed = strtod(text, &end);
	if (*end || end == text || !(speed >= 0.001 && speed <= 1000))
		return bad_value(reader, "speed", text, "a factor from 0.001 to 1000");
	site->speed = (int32_t)round(speed * SPEED_USUAL);
	return 0;
}

static int take_params(struct reader *reader, struct lxfw_site *site,
		       const struct words *words)
{
	struct lxfw_error error;

	site->usual = !words->policy && !words->params;
	if (words->policy) {
		enum lxfw_policy policy = lxfw_policy_by_name(words->policy,
							      (int)strlen(words->policy));

		if (!policy)
			return bad_value(reader, "policy", words->policy,
					 lxfw_policy_names());
		lxfw_params_preset(&site->params, policy);
	}
	if (words->params &&
	    lxfw_given_parse(&site->params, words->params, &error))
		return lxfw_error_at(reader->error, reader->path, reader->line, "%s",
				     error.text);
	return 0;
}

static int take_machine(struct reader *reader, struct lxfw_site *site, const char *text)
{
	struct lxfw_formula *formula;
	struct lxfw_error error = { "" };

	if (!text)
		return 0;
	formula = lxfw_market_formula(text, LXFW_MARKET_PRICE, &error);
	if (!formula)
		return lxfw_error_at(reader->error, reader->path, reader->line, "machine: %s",
				     error.text);
	lxfw_formula_free(formula);
	site->machine = strdup(text);
	return site->machine ? 0 : out_of_memory(reader->error);
}

/* "fast,all" */
static int take_clusters(struct reader *reader, const struct words *words)
{
	struct lxfw_error error = { "" };
	char *rest = NULL;

	for (char *name = words->member ? strtok_r(words->member, ",", &rest) : NULL; name;
	     name = strtok_r(NULL, ",", &rest)) {
		if (strlen(name) > NAME_MAX_LENGTH || strpbrk(name, ":+\"/"))
			return bad_value(reader, "member", name,
					 "names of at most 64 characters without :+\"");
		if (lxfw_sites_join(reader->sites, name, &error))
			return lxfw_error_at(reader->error, reader->path, reader->line, "%s",
					     error.text);
	}
	return 0;
}

/* The path of a cluster file, which the caller frees, or NULL. The folder is that of the file
   of sites. */
static char *path_beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	char *joined = malloc(folder + strlen(name) + 1);

	if (joined) {
		memcpy(joined, path, folder);
		strcpy(joined + folder, name);
	}
	return joined;
}

static int take_cluster(struct reader *reader, struct lxfw_site *site,
			const struct words *words)
{
	struct lxfw_error error;
	int64_t procs;
	char *path;
	int result;

	if (words->procs) {
		if (lxfw_text_integer(words->procs, strlen(words->procs), 1, INT32_MAX,
				      &procs))
			return bad_value(reader, "procs", words->procs,
					 "a whole number from 1 to 2147483647");
		return lxfw_cluster_procs(&site->cluster, (int32_t)procs, reader->error);
	}
	path = *words->cluster == '/' ? strdup(words->cluster) :
					path_beside(reader->path, words->cluster);
	if (!path)
		return out_of_memory(reader->error);
	result = lxfw_cluster_read(&site->cluster, path, &error);
	free(path);
	return result ? lxfw_error_at(reader->error, reader->path, reader->line, "%s",
				      error.text) : 0;
}

/* Parameters of sched/lxfw in the slurm.conf of a site, unless others are given. */
static int take_site_params(struct reader *reader, struct lxfw_site *site,
			    const struct words *words)
{
	const char *text = site->cluster.parameters;
	struct lxfw_error error;

	if (words->policy || words->params || !text || !strstr(text, "lxfw_"))
		return 0;
	site->usual = false;
	lxfw_params_default(&site->params);
	if (lxfw_params_parse(&site->params, text, NULL, NULL, &error))
		return lxfw_error_at(reader->error, reader->path, reader->line,
				     "cluster=%.60s: %s", words->cluster, error.text);
	return 0;
}

static int read_line(void *context, long line, char *text)
{
	struct reader *reader = context;
	struct words words = { 0 };
	struct lxfw_site *site;

	reader->line = line;
	if (split(reader, text, &words) || check(reader, &words))
		return -1;
	site = new_site(reader->sites, words.site, reader->error);
	if (!site || take_params(reader, site, &words) ||
	    take_speed(reader, site, words.speed) ||
	    take_machine(reader, site, words.machine) || take_clusters(reader, &words))
		return -1;
	return take_cluster(reader, site, &words) ||
	       take_site_params(reader, site, &words) ? -1 : 0;
}

int lxfw_sites_read(struct lxfw_sites *sites, const char *path, struct lxfw_error *error)
{
	struct reader reader = { .path = path, .sites = sites, .error = error };
	int result;

	*sites = (struct lxfw_sites){ 0 };
	result = lxfw_lines_read(path, read_line, &reader, error);
	if (result == 0 && sites->count == 0)
		result = lxfw_error_at(error, path, 0, "no sites, expected lines site=NAME "
				       "procs=N");
	if (result)
		lxfw_sites_clear(sites);
	return result;
}
