/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/needs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/cluster_extras.h"
#include "sim-frontend/trace/cluster_licenses.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/util/text.h"

/* --- from an account to a text -------------------------------------------------- */

struct words {
	char *text;		/* has LXFW_NEEDS_TEXT bytes */
	size_t length;
};

/* Appends a word if all of it fits. */
static void put_word(struct words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put_word(struct words *words, const char *format, ...)
{
	char word[LXFW_NEEDS_TEXT];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(word, sizeof(word), format, arguments);
	va_end(arguments);
	if (length <= 0 ||
	    words->length + (size_t)length + 2 > LXFW_NEEDS_TEXT)
		return;
	if (words->length > 0)
		words->text[words->length++] = ',';
	memcpy(words->text + words->length, word, (size_t)length + 1);
	words->length += (size_t)length;
}

/* Copies a name as part of a word, with blanks and commas replaced. */
static const char *plain(char *out, size_t size, struct lxfw_slice name)
{
	lxfw_text_quote(out, size, name.at, name.length);
	for (char *c = out; *c; c++) {
		if (*c == ' ' || *c == ',')
			*c = '?';
	}
	return out;
}

static int put_gres(void *context, struct lxfw_slice name, int64_t count)
{
	char quoted[60];

	put_word(context, "gres/%s=%" PRId64, plain(quoted, sizeof(quoted), name),
		 count > INT32_MAX ? INT32_MAX : count);
	return 0;
}

static int put_license(void *context, struct lxfw_slice name, int64_t count)
{
	char quoted[60];

	put_word(context, "license/%s=%" PRId64, plain(quoted, sizeof(quoted), name), count);
	return 0;
}

size_t lxfw_needs_text(const struct lxfw_account *account, char *text)
{
	struct words words = { text, 0 };
	int64_t hosts = account->hosts > 0 ? account->hosts : 0;
	char quoted[60];

	*text = '\0';
	if (hosts > 0)
		put_word(&words, "nodes=%" PRId64, hosts);
	if (hosts > 1 && account->asked_hosts > 0)
		put_word(&words, "least-nodes=%" PRId64, account->asked_hosts);
	lxfw_gres_each(account->gres, hosts > 0 ? hosts : 1, put_gres, &words);
	lxfw_licenses_each(account->gres, put_license, &words);
	if (account->host_memory && hosts > 1)
		put_word(&words, "node-memory");
	if (account->exclusive)
		put_word(&words, "exclusive");
	if (account->het > 0)
		put_word(&words, "het=%" PRId64, account->het);
	if (account->qos.length > 0)
		put_word(&words, "qos=%s", plain(quoted, sizeof(quoted),
						 account->qos));
	if (account->reservation.length > 0)
		put_word(&words, "reservation=%s", plain(quoted, sizeof(quoted),
						account->reservation));
	if (account->account.length > 0)
		put_word(&words, "account=%s", plain(quoted, sizeof(quoted),
						     account->account));
	return words.length;
}

struct lxfw_slice lxfw_needs_word(struct lxfw_slice text, const char *key)
{
	const char *at = text.at, *end = text.at + text.length;
	size_t length = strlen(key);

	while (at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma ? comma : end;

		if ((size_t)(stop - at) > length && at[length] == '=' &&
		    memcmp(at, key, length) == 0)
			return (struct lxfw_slice) {
				at + length + 1, (size_t)(stop - at) - length - 1,
			};
		at = stop + 1;
	}
	return (struct lxfw_slice) { "", 0 };
}

/* --- from a text to a need ------------------------------------------------------ */

static int32_t read_number(struct lxfw_slice value)
{
	int64_t number;

	return lxfw_slice_integer(value, 0, INT32_MAX, &number) ?
	       (int32_t)number : 0;
}

/* Returns the index of an extra of the cluster, -1 if there is none. */
static int find_extra(const struct lxfw_cluster *cluster, struct lxfw_slice name)
{
	for (int i = 0; i < cluster->extra_count; i++) {
		if (strlen(cluster->extras[i]) == name.length &&
		    strncasecmp(cluster->extras[i], name.at, name.length) == 0)
			return i;
	}
	return -1;
}

/* The requirements that are being read. */
struct taking {
	struct lxfw_needs *needs;
	struct lxfw_need *need;
	const struct lxfw_cluster *cluster;
	int32_t type;		/* name of the GRES to whose hosts the job is restricted; -1:
				   none yet, SEVERAL: not restricted */
	int64_t typed[LXFW_EXTRAS_MAX];	/* amounts of such types, under their kind */
};

#define SEVERAL (-2)

/* A type without an extra is counted under its kind, on hosts that have the type. */
static void take_type(struct taking *taking, int extra, struct lxfw_slice name, int32_t count)
{
	const struct lxfw_gres_table *table = &taking->cluster->gres;
	int32_t type = lxfw_gres_find(table, name.at, name.length);
	int32_t *amount = &taking->need->extras[extra];

	if (type >= 0 && table->restricts && table->restricts[type]) {
		taking->type = taking->type == -1 || taking->type == type ? type : SEVERAL;
		taking->typed[extra] += count;
	} else if (*amount < count) {
		*amount = count;
	}
}

static void take_gres(struct taking *taking, struct lxfw_slice name, int32_t count)
{
	const struct lxfw_cluster *cluster = taking->cluster;
	const char *colon = memchr(name.at, ':', name.length);
	struct lxfw_needs_told *told = &taking->needs->told;
	int extra = find_extra(cluster, name);

	taking->need->gres |= count > 0;
	if (extra >= 0) {
		taking->need->extras[extra] = count;
		return;
	}
	/* an unknown type counts as its kind */
	if (colon)
		extra = find_extra(cluster, (struct lxfw_slice) {
			name.at, (size_t)(colon - name.at) });
	if (extra >= 0) {
		take_type(taking, extra, name, count);
		return;
	}
	if (lxfw_gres_find(&cluster->gres, name.at, name.length) >= 0) {
		taking->need->no_extra = true;
		if (!*told->no_extra_name)
			lxfw_text_quote(told->no_extra_name, sizeof(told->no_extra_name),
					name.at, name.length);
		return;
	}
	taking->need->not_counted = true;
	if (!*told->not_counted_name)
		lxfw_text_quote(told->not_counted_name, sizeof(told->not_counted_name),
				name.at, name.length);
}

/* A license that the cluster does not have may be a remote one. */
static void take_license(struct taking *taking, struct lxfw_slice name, int32_t count)
{
	const struct lxfw_cluster *cluster = taking->cluster;
	struct lxfw_needs_told *told = &taking->needs->told;
	struct lxfw_need *need = taking->need;
	int32_t pool = cluster->count + lxfw_cluster_find_license(cluster, name);
	int at = need->pool_count;

	if (count == 0)
		return;
	if (pool < cluster->count || at == LXFW_POOLS_MAX) {
		need->unlicensed = true;
		if (!*told->unlicensed_name)
			lxfw_text_quote(told->unlicensed_name, sizeof(told->unlicensed_name),
					name.at, name.length);
		return;
	}
	for (int i = 0; i < at; i++) {
		if (need->pools[i].pool == pool)
			return;
	}
	while (at > 0 && need->pools[at - 1].pool > pool) {
		need->pools[at] = need->pools[at - 1];
		at--;
	}
	need->pools[at] = (struct lxfw_pool_need) { pool, count };
	need->pool_count++;
}

static bool in_reservation(const struct lxfw_cluster *cluster,
			   struct lxfw_slice name)
{
	for (size_t i = 0; i < cluster->block_count; i++) {
		if (lxfw_slice_is(name, cluster->blocks[i].name))
			return true;
	}
	return false;
}

static void take_word(struct taking *taking, struct lxfw_slice word)
{
	struct lxfw_need *need = taking->need;
	const char *equals = memchr(word.at, '=', word.length);
	struct lxfw_slice key = word, value = { word.at + word.length, 0 };

	if (equals) {
		key.length = (size_t)(equals - word.at);
		value = (struct lxfw_slice) { equals + 1,
					      word.length - key.length - 1 };
	}
	if (lxfw_slice_is(key, "nodes")) {
		need->hosts = read_number(value);
	} else if (lxfw_slice_is(key, "least-nodes")) {
		need->least_hosts = read_number(value);
	} else if (lxfw_slice_begins(key, "gres/")) {
		key.at += 5;
		key.length -= 5;
		take_gres(taking, key, read_number(value));
	} else if (lxfw_slice_begins(key, "license/")) {
		key.at += 8;
		key.length -= 8;
		take_license(taking, key, read_number(value));
	} else if (lxfw_slice_is(key, "node-memory")) {
		need->host_memory = true;
	} else if (lxfw_slice_is(key, "exclusive")) {
		need->exclusive = true;
	} else if (lxfw_slice_is(key, "het")) {
		if (!lxfw_slice_integer(value, 1, INT64_MAX, &need->het))
			need->het = 0;
	} else if (lxfw_slice_is(key, "reservation")) {
		need->reserved = in_reservation(taking->cluster, value);
	}
}

/* Adds the amounts of types to those of their kinds, if the log does not include them. */
static void add_kinds(struct taking *taking)
{
	const struct lxfw_cluster *cluster = taking->cluster;
	struct lxfw_need *need = taking->need;

	for (int i = 0; i < cluster->extra_count; i++) {
		size_t length = strlen(cluster->extras[i]);
		int64_t sum = taking->typed[i];

		for (int j = 0; j < cluster->extra_count; j++) {
			if (strncasecmp(cluster->extras[j], cluster->extras[i],
					length) == 0 &&
			    cluster->extras[j][length] == ':')
				sum += need->extras[j];
		}
		if (sum > need->extras[i])
			need->extras[i] = sum > INT32_MAX ? INT32_MAX :
							    (int32_t)sum;
	}
}

/* Combines the rules of several partitions: the highest tier, the default time of the
   first one, and the least restrictive limits. */
static void take_rules(struct lxfw_need *need, const struct lxfw_partition *rules)
{
	bool first = need->set_count == 0;

	if (first || rules->tier > need->tier)
		need->tier = rules->tier;
	if (first)
		need->default_time = rules->default_time ? rules->default_time :
							   rules->max_time;
	if (first || rules->max_time == 0 ||
	    (need->max_time > 0 && rules->max_time > need->max_time))
		need->max_time = rules->max_time;
	if (first || rules->max_hosts == 0 ||
	    (need->max_hosts > 0 && rules->max_hosts > need->max_hosts))
		need->max_hosts = rules->max_hosts;
	if (first || rules->min_hosts < need->min_hosts)
		need->min_hosts = rules->min_hosts;
}

/* Returns whether another partition of the job lets its jobs use as much of a host of the
   partition at INDEX, or more. The first one of equal partitions has priority. */
static bool other_has_room(const struct lxfw_need *need, const struct lxfw_cluster *cluster,
			   int index)
{
	for (int i = 0; i < need->set_count; i++) {
		if (i != index && lxfw_cluster_has_more_room(cluster, need->sets[index],
							     need->sets[i], i < index))
			return true;
	}
	return false;
}

static void take_partitions(struct lxfw_needs *needs, struct lxfw_need *need,
			    const struct lxfw_cluster *cluster,
			    struct lxfw_slice list)
{
	bool whole = true, any = list.length > 0;
	struct lxfw_slice all = list;

	while (list.length > 0) {
		size_t length = lxfw_hostlist_item(list.at, list.length);
		int32_t set = lxfw_cluster_find_set(cluster, list.at, length);

		list.at += length;
		list.length -= length;
		if (list.length > 0)
			list.at++, list.length--;
		if (set < 0)
			continue;
		if (need->set_count == LXFW_HOST_SETS_MAX) {
			need->more_sets = true;
			break;
		}
		take_rules(need, &cluster->sets[set].rules);
		whole &= cluster->sets[set].rules.exclusive;
		need->sets[need->set_count++] = set;
	}
	need->partitioned = need->set_count > 0;
	need->exclusive |= need->set_count > 0 && whole;
	for (int i = 0; i < need->set_count; i++) {
		const struct lxfw_cluster_set *set = &cluster->sets[need->sets[i]];

		if (set->cap > 0 && !other_has_room(need, cluster, i))
			need->caps |= (uint8_t)(1u << (set->cap - 1));
	}
	need->elsewhere = any && need->set_count == 0 && cluster->set_count > 0 &&
			  !cluster->sets[0].is_part;
	if (need->elsewhere && !*needs->told.elsewhere_name)
		lxfw_text_quote(needs->told.elsewhere_name,
				sizeof(needs->told.elsewhere_name), all.at,
				all.length);
}

/* Restricts the job to the hosts with its type, if its partitions have any. */
static void restrict_sets(struct taking *taking)
{
	struct lxfw_need *need = taking->need;
	int32_t sets[LXFW_HOST_SETS_MAX];
	uint8_t count = 0;

	if (taking->type < 0)
		return;
	for (int i = 0; i < need->set_count || (i == 0 && need->set_count == 0); i++) {
		int32_t part = lxfw_cluster_part(taking->cluster, need->set_count == 0 ? -1 :
						 need->sets[i], taking->type);

		if (part >= 0)
			sets[count++] = part;
	}
	if (count == 0)
		return;
	memcpy(need->sets, sets, sizeof(sets[0]) * count);
	need->set_count = count;
}

static void read_need(struct lxfw_needs *needs, struct lxfw_need *need,
		      const struct lxfw_cluster *cluster,
		      struct lxfw_slice partitions, struct lxfw_slice text)
{
	struct taking taking = { needs, need, cluster, -1, { 0 } };

	*need = (struct lxfw_need) { 0 };
	while (text.length > 0) {
		struct lxfw_slice word = { text.at, 0 };

		while (word.length < text.length && word.at[word.length] != ',')
			word.length++;
		take_word(&taking, word);
		text.at += word.length;
		text.length -= word.length;
		if (text.length > 0)
			text.at++, text.length--;
	}
	add_kinds(&taking);
	take_partitions(needs, need, cluster, partitions);
	restrict_sets(&taking);
	needs->told.host_gpus = lxfw_gres_find(&cluster->gres, "gpu", 3) >= 0;
	if (cluster->any_hosts)
		need->hosts = need->least_hosts = 0;
}

int32_t lxfw_needs_find(struct lxfw_needs *needs,
			const struct lxfw_cluster *cluster,
			struct lxfw_slice partitions, struct lxfw_slice text)
{
	size_t known = needs->keys.count;
	size_t length = partitions.length + 1 + text.length;
	char *key = malloc(length + 1);
	int32_t at;

	if (!key)
		return -1;
	if (partitions.length > 0)
		memcpy(key, partitions.at, partitions.length);
	key[partitions.length] = '\n';
	if (text.length > 0)
		memcpy(key + partitions.length + 1, text.at, text.length);
	at = lxfw_names_add(&needs->keys, key, length);
	free(key);
	if (at < 0 || (size_t)at < known)
		return at;
	if (LXFW_GROW(needs->needs, needs->size, known + 1))
		return -1;
	read_need(needs, &needs->needs[at], cluster, partitions, text);
	return at;
}

void lxfw_needs_want(const struct lxfw_gres_table *table, struct lxfw_slice text,
		     bool *wanted)
{
	while (text.length > 0) {
		size_t length = strcspn(text.at, ",");
		struct lxfw_slice name = { text.at, length < text.length ? length : text.length };
		const char *equals = memchr(name.at, '=', name.length), *colon;
		int32_t at;

		text.at += name.length;
		text.length -= name.length;
		if (text.length > 0)
			text.at++, text.length--;
		if (!lxfw_slice_begins(name, "gres/") || !equals)
			continue;
		name.at += 5;
		name.length = (size_t)(equals - name.at);
		colon = memchr(name.at, ':', name.length);
		at = lxfw_gres_find(table, name.at, name.length);
		if (at >= 0)
			wanted[at] = true;
		at = colon ? lxfw_gres_find(table, name.at, (size_t)(colon - name.at)) : -1;
		if (at >= 0)
			wanted[at] = true;
	}
}

/* --- jobs ----------------------------------------------------------------------- */

void lxfw_needs_count(struct lxfw_needs *needs, const struct lxfw_need *need,
		      int64_t limit)
{
	struct lxfw_needs_told *told = &needs->told;

	told->jobs++;
	told->with_gres += need->gres;
	told->partitioned += need->partitioned;
	told->elsewhere += need->elsewhere;
	told->more_sets += need->more_sets;
	told->not_counted += need->not_counted;
	told->no_extra += need->no_extra;
	told->too_long += need->max_time > 0 && limit > need->max_time;
	told->too_many += need->max_hosts > 0 && need->hosts > need->max_hosts;
	told->too_few += need->hosts > 0 && need->hosts < need->min_hosts;
	told->reserved += need->reserved;
	told->unlicensed += need->unlicensed;
}

int64_t lxfw_need_limit(const struct lxfw_need *need, int64_t run)
{
	return need && need->default_time > run ? need->default_time : run;
}

bool lxfw_needs_matter(const struct lxfw_cluster *cluster)
{
	return cluster->count > 1 || cluster->set_count > 0 ||
	       cluster->extra_count > 0 || cluster->block_count > 0 ||
	       cluster->license_count > 0;
}

static void tell(void (*note)(const char *log, const char *sentence),
		 const char *log, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(void (*note)(const char *log, const char *sentence),
		 const char *log, const char *format, ...)
{
	char sentence[300];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	note(log, sentence);
}

/* Reports the jobs whose hosts do not suffice for equal shares. */
static void tell_lacking(const struct lxfw_needs_told *told,
			 void (*note)(const char *log, const char *sentence), const char *log)
{
	const size_t *lacking = told->lacking;
	size_t all = 0;

	for (int i = 0; i < LXFW_NEEDS_LACKS; i++)
		all += lacking[i];
	if (told->unlike > 0)
		tell(note, log, "%zu jobs may have unequal shares of their hosts, since equal "
		     "ones do not fit", told->unlike);
	if (all == 0)
		return;
	tell(note, log, "%zu jobs do not fit on the empty hosts: %zu request too much memory, "
	     "%zu too many GRES or licenses, %zu too many processors on a host, %zu too many of their "
	     "partition, %zu of all%s", all, lacking[LXFW_NEEDS_MEMORY],
	     lacking[LXFW_NEEDS_GRES], lacking[LXFW_NEEDS_HOSTS],
	     lacking[LXFW_NEEDS_PARTITION], lacking[LXFW_NEEDS_PROCS],
	     lacking[LXFW_NEEDS_HOSTS] > 0 ?
	     " (with --shape anywhere, jobs may run on any number of hosts)" : "");
}

void lxfw_needs_tell(const struct lxfw_needs_told *told,
		     void (*note)(const char *log, const char *sentence),
		     const char *log)
{
	if (lxfw_needs_hide_gpus(told))
		tell(note, log, "the hosts have GPUs, but none of the %zu jobs has any: waits "
		     "for GPUs are not simulated. Slurm records GPUs with "
		     "AccountingStorageTRES=gres/gpu in slurm.conf", told->jobs);
	if (told->elsewhere > 0)
		tell(note, log, "%zu jobs may run on any host: their "
		     "partition is not in the cluster, such as %s",
		     told->elsewhere, told->elsewhere_name);
	if (told->more_sets > 0)
		tell(note, log, "%zu jobs are in more than %d partitions, "
		     "of which the first %d count", told->more_sets,
		     LXFW_HOST_SETS_MAX, LXFW_HOST_SETS_MAX);
	if (told->not_counted > 0)
		tell(note, log, "%zu jobs request resources that no host has, "
		     "such as gres/%s; this request is ignored", told->not_counted,
		     told->not_counted_name);
	if (told->too_long + told->too_many + told->too_few > 0)
		tell(note, log, "beyond the limits of their partition, but "
		     "not changed: %zu jobs longer than MaxTime, %zu above "
		     "MaxNodes, %zu below MinNodes", told->too_long,
		     told->too_many, told->too_few);
	if (told->no_extra > 0)
		tell(note, log, "%zu jobs request GRES that are not counted, such as gres/%s: "
		     "more than %d are requested", told->no_extra, told->no_extra_name,
		     LXFW_EXTRAS_MAX);
	if (told->unlicensed > 0)
		tell(note, log, "%zu jobs have licenses that are not simulated, such as %s: the "
		     "cluster does not have them, or the jobs have more than %d",
		     told->unlicensed, told->unlicensed_name, LXFW_POOLS_MAX);
	tell_lacking(told, note, log);
	if (told->on_down > 0)
		tell(note, log, "%zu jobs ran on nodes that are left out, such as %s: for that "
		     "time, remove its DownNodes or State from the slurm.conf",
		     told->on_down, told->down_name);
	if (told->reserved > 0)
		tell(note, log, "%zu jobs left out: they ran in a reservation",
		     told->reserved);
}

bool lxfw_needs_hide_gpus(const struct lxfw_needs_told *told)
{
	return told->host_gpus && told->jobs > 0 && told->with_gres == 0;
}

void lxfw_needs_clear(struct lxfw_needs *needs)
{
	int saved = errno;

	lxfw_names_clear(&needs->keys);
	free(needs->needs);
	*needs = (struct lxfw_needs) { 0 };
	errno = saved;
}
