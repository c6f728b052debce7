/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/now_pbs.h"
#include "sim-frontend/cmd/now_site.h"
#include "sim-frontend/cmd/own_file.h"
#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/watch/texts_file.h"
#include "sim-frontend/watch/watch.h"

#define CONFIG_MAX (1 << 20)

_Static_assert(sizeof(((struct lxfw_watch_said *)0)->text) == LXFW_PUBLICATION_SAID, "one is the other");

/* The journal of a look. */
static const char *path;

/* A line "KEY = VALUE" of the configuration as a string to be freed, or NULL. */
static char *line_of(const char *config, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = config; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == ' ')
			return strndup(line, strcspn(line, "\n"));
	}
	return NULL;
}

static bool hides_jobs;

bool lxfw_now_hides_jobs(void)
{
	return hides_jobs;
}

/* The jobs of others use their nodes for an unknown time, and do not wait for the model. */
static void note_private(const struct lxfw_watch *watch)
{
	hides_jobs = geteuid() != 0 && lxfw_watch_hides_jobs(watch);
	if (hides_jobs)
		lxfw_cmd_note("Slurm does not show the jobs of others here (PrivateData): those that "
			      "run use their nodes for an unknown time, and those that wait are "
			      "not known");
}

static struct lxfw_scheduling scheduling;

const struct lxfw_scheduling *lxfw_now_scheduling(void)
{
	return &scheduling;
}

/* Returns the configuration of the running Slurm, to be freed, after what it says of the choice of jobs was
   kept; NULL with ERROR: it does not answer. */
static char *ask_config(struct lxfw_error *error)
{
	char *const arguments[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
				    "scontrol", "show", "config", NULL };
	char *config = malloc(CONFIG_MAX);

	if (!config) {
		lxfw_error_set(error, "out of memory");
		return NULL;
	}
	if (lxfw_squeue_ask("scontrol", arguments, config, CONFIG_MAX, error)) {
		free(config);
		return NULL;
	}
	lxfw_scheduling_read(&scheduling, config);
	return config;
}

int lxfw_now_ask_scheduling(struct lxfw_error *error)
{
	char *config = ask_config(error);
	int failed = config ? 0 : -1;

	free(config);
	return failed;
}

/* Sets *FOUND to SchedulerParameters of the running Slurm, to be freed, or NULL: it has none.
   Returns 0, or -1 with ERROR: it does not answer. */
static int scheduler_parameters(char **found, struct lxfw_error *error)
{
	char *config = ask_config(error);

	*found = NULL;
	if (!config)
		return -1;
	*found = line_of(config, "SchedulerParameters");
	free(config);
	return 0;
}

/*
 * Sets *JOURNAL, to be freed, to that of the plugin, or to NULL if Slurm schedules. Returns 0, or
 * -1 with ERROR: Slurm does not answer, or the plugin schedules in its own order, and this user
 * cannot read its journal.
 */
static int plugin_journal(char **journal, struct lxfw_error *error)
{
	static const char key[] = "lxfw_journal=";
	const char *at;
	char *parameters;
	int failed = 0;

	*journal = NULL;
	if (scheduler_parameters(&parameters, error))
		return -1;
	at = parameters ? strstr(parameters, key) : NULL;
	*journal = at ? strndup(at + strlen(key), strcspn(at + strlen(key), ", ")) : NULL;
	if (*journal && access(*journal, R_OK) != 0) {
		lxfw_error_format(error, "%s: %s: it is the journal of the plugin that schedules "
				  "here", *journal, strerror(errno));
		failed = -1;
	} else if (parameters && strstr(parameters, "lxfw_policy=") && !*journal) {
		lxfw_error_format(error, "the plugin that schedules here has no lxfw_journal");
		failed = -1;
	}
	free(parameters);
	if (!failed)
		return 0;
	free(*journal);
	*journal = NULL;
	return -1;
}

/* Returns 0, or -1 with ERROR set. */
static int make_file(const char *name_of_file, struct lxfw_error *error)
{
	path = lxfw_cmd_own_file(name_of_file, error);
	return path ? 0 : -1;
}

static struct lxfw_owners owners;
static bool looked;

static const char *name;

const char *lxfw_now_name(void)
{
	return name;
}

const struct lxfw_owners *lxfw_now_owners(void)
{
	return looked ? &owners : NULL;
}

static struct lxfw_owners published_owners;

const struct lxfw_owners *lxfw_now_shown_owners(void)
{
	return published_owners.count > 0 ? &published_owners : lxfw_now_owners();
}

static struct lxfw_listed listed;
static bool of_site;

const struct lxfw_listed *lxfw_now_listed(void)
{
	return of_site ? &listed : NULL;
}

static struct lxfw_watch_partition *partitions;
static size_t partition_count;

const struct lxfw_watch_partition *lxfw_now_partitions(size_t *count)
{
	*count = partition_count;
	return partitions;
}

static struct lxfw_watch_gres *gres;
static size_t gres_count;

const struct lxfw_watch_gres *lxfw_now_gres(size_t *count)
{
	*count = gres_count;
	return gres;
}

static struct lxfw_watch_said *said;
static size_t said_count;

const char *lxfw_now_said(uint64_t job)
{
	return lxfw_watch_said_of(said, said_count, job);
}

int64_t lxfw_now_planned(uint64_t job)
{
	return lxfw_watch_planned(said, said_count, job);
}

static struct lxfw_watch_wanted wanted[LXFW_WATCH_WANTED];
static int wanted_count;

int lxfw_now_wanted(const struct lxfw_watch_wanted *hosts)
{
	for (int i = 0; i < wanted_count; i++) {
		if (lxfw_watch_wants_same(&wanted[i], hosts))
			return i;
	}
	return -1;
}

void lxfw_now_want(const struct lxfw_watch_wanted *hosts)
{
	if (lxfw_now_wanted(hosts) < 0 && wanted_count < LXFW_WATCH_WANTED)
		wanted[wanted_count++] = *hosts;
}

/* Keeps what the journal does not contain. The users of a SITE's look are numbers. Returns 0, or -1 with errno
   ENOMEM. */
static int keep(const struct lxfw_watch *watch, bool site)
{
	size_t count, size = 0;
	const struct lxfw_watch_partition *all = lxfw_watch_partitions(watch, &count);

	if (LXFW_GROW(partitions, size, count + 1) || lxfw_watch_gres(watch, &gres, &gres_count) ||
	    (!site && (lxfw_watch_owners(watch, &owners) ||
		       lxfw_watch_said(watch, &said, &said_count))))
		return -1;
	if (count > 0)
		memcpy(partitions, all, count * sizeof(*all));
	partition_count = count;
	return 0;
}

static void want_all(struct lxfw_watch *watch)
{
	for (int i = 0; i < wanted_count; i++)
		(void)lxfw_watch_want(watch, &wanted[i]);
}

static void note(const char *text)
{
	lxfw_cmd_note("%s", text);
}

/* Says what a reader must know of a look of one's own. */
static void note_own(const struct lxfw_watch *watch)
{
	if (lxfw_watch_bad_lines(watch) > 0)
		lxfw_cmd_note("%zu lines of scontrol and squeue cannot be read",
			      lxfw_watch_bad_lines(watch));
	note_private(watch);
	lxfw_watch_tell(watch, note);
}

/* Looks once at what Slurm has answered, this process or, if SITE, a service. Returns 0, or -1 with ERROR
   set. */
static int look(struct lxfw_watch_texts *texts, int64_t now, bool site, struct lxfw_error *error)
{
	struct lxfw_watch *watch = lxfw_now_look(path, texts, now, want_all, site, error);

	if (!watch)
		return -1;
	looked = keep(watch, site) == 0;
	if (!looked)
		lxfw_error_set(error, "out of memory");
	else if (!site)
		note_own(watch);
	name = looked ? "Slurm" : NULL;
	lxfw_watch_close(watch);
	return looked ? 0 : -1;
}

/* Keeps what was published of the jobs. Returns 0, or -1 with errno ENOMEM. */
static int keep_said(const struct lxfw_publication *publication)
{
	size_t size = 0;

	said_count = 0;
	lxfw_listed_clear(&listed);
	if (LXFW_GROW(said, size, publication->count + 1) ||
	    lxfw_listed_published(&listed, publication))
		return -1;
	for (size_t i = 0; i < publication->count; i++) {
		const struct lxfw_publication_job *job = &publication->jobs[i];
		uint64_t id = lxfw_publication_id(job->name);

		if (lxfw_owners_add(&published_owners, id, job->user, "", job->partition))
			return -1;
		if (job->state == LXFW_PUBLISHED_RUNNING)
			continue;
		said[said_count] = (struct lxfw_watch_said) {
			.job = id,
			.planned = job->planned > 0 || publication->answers ? job->planned : -1,
		};
		memcpy(said[said_count++].text, job->said, sizeof(job->said));
	}
	lxfw_watch_said_sort(said, said_count);
	return 0;
}

/* Whether the queue is older than the look, which was at SEEN, for want of a watch. */
static bool lacks_watch(int64_t seen, const struct lxfw_publication *publication)
{
	return publication->answers && publication->heard < seen - LXFW_QUEUE_LATE;
}

/* Says of when the look is, and what a reader must know of it. */
static void note_look(int64_t seen, const struct lxfw_publication *publication)
{
	int64_t now = time(NULL);
	char age[32];

	lxfw_cmd_note("from the state of %s ago, which the site publishes",
		      lxfw_format_span((double)(now > seen ? now - seen : 0), age,
				       sizeof(age)));
	if (lacks_watch(seen, publication))
		lxfw_cmd_note("its 'lxfw watch' has not run for %s: less is known of run times "
			      "and waits", lxfw_format_span((double)(now - publication->heard), age,
							    sizeof(age)));
	if (!publication->answers)
		lxfw_cmd_note("the workload manager did not answer after that");
	if (publication->hidden)
		lxfw_cmd_note(LXFW_QUEUE_HIDDEN);
	lxfw_cmd_site_notes(publication);
}

/* Whether the look is that of the last round: one that failed leaves an old one. If the workload manager did
   not answer, there was none. */
static bool is_fresh(int64_t seen, const struct lxfw_publication *publication)
{
	return !publication->answers || (publication->look > 0 && seen >= publication->look);
}

/*
 * Whether a look is to be used for NAMES, where the controller is not asked before. The service looks
 * itself, also if its watch does not run: the look knows more than the queue then, such as that a
 * job is gone. Other jobs that the queue lacks are new, or gone: see site_new.h.
 */
static bool suffices(int64_t seen, const struct lxfw_publication *publication, char *const *names,
		     int count)
{
	int64_t now = time(NULL);
	bool all = lxfw_publication_lacks(publication, names, count) == count;

	if (!is_fresh(seen, publication) || seen > now + LXFW_QUEUE_SILENT)
		return false;
	/* Or it was published once. */
	if (lxfw_queue_is_renewed(publication, now) || seen > now - LXFW_QUEUE_SILENT)
		return all || lacks_watch(seen, publication);
	return all && !lxfw_queue_is_outdated(publication, now);
}

/* A service that has ended without a word costs the controller a look for each user. */
static void note_late(const struct lxfw_publication *publication)
{
	int64_t now = time(NULL);
	char age[32];

	if (publication->next > 0 && publication->next <= now - LXFW_QUEUE_SILENT)
		lxfw_cmd_note("the service that publishes here is late by %s: this is from a look of your own",
			      lxfw_format_span((double)(now - publication->next), age, sizeof(age)));
}

/* Reads what Slurm has answered the service. Returns whether that is there. */
static bool read_texts(struct lxfw_watch_texts *texts, int64_t *seen)
{
	struct lxfw_error error;
	char file[4096];

	*texts = (struct lxfw_watch_texts) { .cut = false };
	return lxfw_cmd_site_path(LXFW_SITE_LOOK, file, sizeof(file)) &&
	       lxfw_watch_texts_read(texts, seen, file, &error) == 0;
}

/* Looks at it. Returns whether that succeeds. */
static bool look_at_site(struct lxfw_watch_texts *texts, int64_t seen,
			 const struct lxfw_publication *publication)
{
	struct lxfw_error error;

	if (make_file("slurm", &error) || look(texts, seen, true, &error) || keep_said(publication))
		return false;
	scheduling = publication->scheduling;
	hides_jobs = publication->hidden;
	of_site = true;
	note_look(seen, publication);
	return true;
}

const char *lxfw_now_published(char *const *names, int count, bool outdated)
{
	struct lxfw_publication publication = { 0 };
	struct lxfw_watch_texts texts;
	int64_t seen;
	bool found = read_texts(&texts, &seen) && lxfw_cmd_site_read(NULL, &publication) > 0 &&
		     publication.heard > 0 &&
		     (outdated || suffices(seen, &publication, names, count));

	if (found)
		(void)lxfw_cmd_site_owners(NULL, &publication);
	found = found && look_at_site(&texts, seen, &publication);
	if (!found && !outdated)
		note_late(&publication);
	lxfw_watch_texts_clear(&texts);
	lxfw_publication_clear(&publication);
	return found ? path : NULL;
}

const char *lxfw_now_journal(enum lxfw_now_of of, struct lxfw_error *error)
{
	struct lxfw_watch_texts texts;
	int64_t now = time(NULL);
	char *plugins;
	int failed;

	if (lxfw_now_is_pbs(of)) {
		if (make_file("pbs", error) || lxfw_now_pbs_look(path, error))
			return NULL;
		name = "PBS";
		return path;
	}
	if (plugin_journal(&plugins, error))
		return NULL;
	if (plugins)
		return plugins;
	if (lxfw_watch_ask(&texts, error))
		return NULL;
	failed = make_file("slurm", error) || look(&texts, now, false, error);
	lxfw_watch_texts_clear(&texts);
	return failed ? NULL : path;
}
