/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "sim-frontend/conf/trial_place.h"
#include "sim-frontend/util/text.h"

#define START_SECONDS 30	/* until slurmctld answers */
#define JOBS_SECONDS 60		/* for the jobs of all partitions */
#define PLUGIN_SECONDS 10	/* until sched/lxfw logs its policy */
#define SAID_SIZE 400

enum answer { UNTRIED, TAKES, REFUSES };

/* What was seen with one slurm.conf. */
struct seen {
	bool starts;
	bool runs;		/* sched/lxfw does */
	char why[SAID_SIZE];	/* it does not start, or sched/lxfw does not run */
	enum answer *answers;	/* for each record of the file that is a partition */
	char refusal[SAID_SIZE];	/* of the first partition that did not */
	const char *refuses;	/* its name, or NULL */
	size_t untried;		/* partitions for which there was no time, or no sbatch */
};

/* --- slurmctld ---------------------------------------------------------------------- */

/* Runs a command of Slurm's on the private cluster, with its output in the file "said", since
   each line of a node may cause warnings. Returns its exit status, or -1. */
static int command(const struct lxfw_trial *trial, const char *program, const char *first,
		   const char *second, const char *third)
{
	char conf[64];
	char *arguments[] = {
		(char *)"/usr/bin/env", (char *)"-i", (char *)"PATH=/usr/bin:/bin",
		(char *)"HOME=/", conf, (char *)program, (char *)first, (char *)second,
		(char *)third, NULL,
	};

	snprintf(conf, sizeof(conf), "SLURM_CONF=%s/slurm.conf", trial->folder);
	return lxfw_trial_command(trial, arguments, "said");
}

/* What slurmctld said last. "Unable to process" follows the reason, and "Ignoring" is none. */
static void find_reason(const struct lxfw_trial *trial, char *why)
{
	static const struct {
		const char *mark, *but;
	} lines[] = {
		{ "fatal: ", "Unable to process" }, { "error: ", ": Ignoring " },
		{ "error: ", NULL }, { "fatal: ", NULL },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		if (lxfw_trial_last_line_but(trial, "out", lines[i].mark, lines[i].but, why,
					     SAID_SIZE))
			return;
	}
	if (trial->slurmctld_id > 0)
		snprintf(why, SAID_SIZE, "it does not answer in %d s", START_SECONDS);
	else if (!lxfw_trial_last_line(trial, "out", "", why, SAID_SIZE))
		snprintf(why, SAID_SIZE, "it ended and said nothing");
}

static bool answers(const struct lxfw_trial *trial)
{
	char said[SAID_SIZE];

	return command(trial, trial->scontrol, "ping", NULL, NULL) >= 0 &&
	       lxfw_trial_last_line(trial, "said", "is UP", said, sizeof(said));
}

static void start(struct lxfw_trial *trial, struct seen *seen)
{
	int64_t deadline = time(NULL) + START_SECONDS;
	char conf[64], variable[80], program[64];
	char *arguments[] = {
		(char *)"/usr/bin/env", (char *)"-i", (char *)"PATH=/usr/bin:/bin",
		(char *)"HOME=/", variable, program, (char *)"-D", (char *)"-f", conf, NULL,
	};

	snprintf(conf, sizeof(conf), "%s/slurm.conf", trial->folder);
	snprintf(variable, sizeof(variable), "SLURM_CONF=%s", conf);
	snprintf(program, sizeof(program), "%s/slurmctld", trial->folder);
	trial->slurmctld_id = lxfw_trial_start(trial, arguments, "out");
	while (trial->slurmctld_id > 0 && lxfw_trial_wait(deadline) &&
	       lxfw_trial_runs(&trial->slurmctld_id) && !seen->starts)
		seen->starts = answers(trial);
	if (!seen->starts)
		find_reason(trial, seen->why);
}

/* --- jobs --------------------------------------------------------------------------- */

/* Submits a job that never starts, since no node answers. Lines before the refusal are about
   the slurm.conf. */
static enum answer submit_job(const struct lxfw_trial *trial, const char *partition, char *said)
{
	static const char *const marks[] = { "error: Batch job submission failed", "error: ", "" };
	char option[SAID_SIZE];
	int status;

	snprintf(option, sizeof(option), "--partition=%s", partition);
	status = command(trial, trial->sbatch, option, "--time=1", "--wrap=true");
	if (status <= 0)
		return status < 0 ? UNTRIED : TAKES;
	*said = '\0';
	for (int i = 0; i < 3 && !*said; i++)
		lxfw_trial_last_line(trial, "said", marks[i], said, SAID_SIZE);
	return REFUSES;
}

static void submit(const struct lxfw_trial *trial, const struct lxfw_conf *conf,
		   struct seen *seen)
{
	int64_t deadline = time(NULL) + JOBS_SECONDS;
	char said[SAID_SIZE];

	for (size_t i = 0; i < conf->record_count; i++) {
		if (!lxfw_conf_is_partition(conf, i))
			continue;
		if (time(NULL) <= deadline && !lxfw_trial_caught())
			seen->answers[i] = submit_job(trial, lxfw_conf_record_name(conf, i), said);
		seen->untried += seen->answers[i] == UNTRIED;
		if (seen->answers[i] != REFUSES || seen->refuses)
			continue;
		seen->refuses = lxfw_conf_record_name(conf, i);
		memcpy(seen->refusal, said, sizeof(said));
	}
}

/* The plugin reads its parameters in a thread of its own. */
static void look_at_plugin(const struct lxfw_trial *trial, struct seen *seen)
{
	int64_t deadline = time(NULL) + PLUGIN_SECONDS;
	char said[SAID_SIZE];

	while (!seen->runs && !*seen->why && lxfw_trial_wait(deadline)) {
		seen->runs = lxfw_trial_last_line(trial, "log", "sched/lxfw: policy ", said,
						  SAID_SIZE);
		lxfw_trial_last_line(trial, "log", "sched/lxfw: SchedulerParameters: ", seen->why,
				     SAID_SIZE);
	}
	if (*seen->why)
		seen->runs = false;
}

/* --- one slurm.conf ----------------------------------------------------------------- */

static bool uses_lxfw(const struct lxfw_trial *trial, const struct lxfw_conf *conf)
{
	return trial->has_sched &&
	       strcmp(lxfw_conf_value(conf, "SchedulerType", ""), "sched/lxfw") == 0;
}

static void clear(struct seen *seen)
{
	free(seen->answers);
}

/* Returns 0, or -1 with errno and ERROR set. */
static int look(struct lxfw_trial *trial, const struct lxfw_conf *conf, struct seen *seen,
		char **left, struct lxfw_error *error)
{
	*seen = (struct seen) {
		.answers = calloc(conf->record_count + 1, sizeof(*seen->answers)),
	};
	if (!seen->answers)
		return lxfw_error_system(error, trial->folder);
	if (lxfw_trial_renew(trial, conf, left, error))
		return -1;
	start(trial, seen);
	if (seen->starts)
		submit(trial, conf, seen);
	if (seen->starts && uses_lxfw(trial, conf))
		look_at_plugin(trial, seen);
	lxfw_trial_end(&trial->slurmctld_id);
	return 0;
}

/* --- findings ------------------------------------------------------------------------- */

struct told {
	struct lxfw_checking *check;
	const struct lxfw_trial *trial;
	const struct lxfw_conf *was, *now;
	struct seen before, after;
	char *left;		/* settings that are left out */
	char version[16];
};

/* Whether the partition NAME took a job before. */
static bool took(const struct told *told, const char *name)
{
	for (size_t i = 0; i < told->was->record_count && told->before.starts; i++) {
		if (lxfw_conf_is_partition(told->was, i) && told->before.answers[i] == TAKES &&
		    strcmp(lxfw_conf_record_name(told->was, i), name) == 0)
			return true;
	}
	return false;
}

/* Formats the names of the partitions with this ANSWER. */
static char *names(const struct lxfw_conf *conf, const enum answer *answers, enum answer answer,
		   size_t *count)
{
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	*count = 0;
	for (size_t i = 0; i < conf->record_count && out; i++) {
		if (lxfw_conf_is_partition(conf, i) && answers[i] == answer)
			fprintf(out, "%s%s", (*count)++ > 0 ? ", " : "",
				lxfw_conf_record_name(conf, i));
	}
	if (out && fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* Findings that stop jobs. Returns whether there are any. */
static bool tell_worse(struct told *told)
{
	struct lxfw_checking *check = told->check;
	const struct seen *after = &told->after;
	size_t before = check->findings->count;
	struct lxfw_finding *found;

	if (!after->starts) {
		found = lxfw_found_level(check, "trial", LXFW_FINDING_STOPS, NULL);
		lxfw_found_text(check, found, "slurmctld %s, tried in a private folder, does not "
				"start with the corrected file%s: %s", told->version,
				told->before.starts ? ", but with the file as it is" :
				", nor with the file as it is", after->why);
		return true;
	}
	for (size_t i = 0; i < told->now->record_count; i++) {
		const char *name = lxfw_conf_record_name(told->now, i);

		if (!lxfw_conf_is_partition(told->now, i) || after->answers[i] != REFUSES ||
		    !took(told, name))
			continue;
		found = lxfw_found_level(check, "trial", LXFW_FINDING_STOPS, NULL);
		lxfw_found_text(check, found, "tried with slurmctld %s in a private folder, "
				"partition %s refuses a plain job with the corrected file, not "
				"with the file as it is: %s", told->version, name,
				after->refuses && strcmp(after->refuses, name) == 0 ?
				after->refusal : "see sbatch");
	}
	if (uses_lxfw(told->trial, told->now) && !after->runs) {
		found = lxfw_found_level(check, "trial", LXFW_FINDING_BROKEN, NULL);
		lxfw_found_text(check, found, "tried with slurmctld %s in a private folder, "
				"sched/lxfw does not run with the corrected file: %s",
				told->version, *after->why ? after->why :
				"it logs no policy");
	}
	return check->findings->count > before;
}

static void tell_good(struct told *told)
{
	const struct seen *after = &told->after;
	size_t took_count, refused_count;
	char *takes = names(told->now, after->answers, TAKES, &took_count);
	char *refuses = names(told->now, after->answers, REFUSES, &refused_count);
	const char *scheduler = uses_lxfw(told->trial, told->now) ? ", sched/lxfw runs" :
				!told->trial->has_sched ? " and sched/backfill, since sched_lxfw.so "
				"for this release is not in PluginDir" : "";
	char missing[SAID_SIZE + 100] = "", before[SAID_SIZE + 40] = "", untried[60] = "";

	if (refused_count > 0)
		snprintf(missing, sizeof(missing), "; partition%s %s take%s none%s%s%s",
			 refused_count > 1 ? "s" : "", refuses ? refuses : "",
			 refused_count > 1 ? "" : "s",
			 told->before.starts ? ", as before" : "",
			 *after->refusal ? ": " : "",
			 after->refusal);
	if (!told->before.starts)
		snprintf(before, sizeof(before), "; it does not with the file as it is: %s",
			 told->before.why);
	if (after->untried > 0)
		snprintf(untried, sizeof(untried), "; not tried for lack of time: %zu",
			 after->untried);
	lxfw_noted(told->check, "trial", NULL, "slurmctld %s, tried in a private folder, starts "
		   "with the corrected file%s, and %s%s takes a plain job%s%s%s; left out: %s",
		   told->version, scheduler,
		   took_count == 0 ? "no partition" : took_count > 1 ? "each of the partitions " :
		   "partition ", took_count > 0 && takes ? takes : "", missing, untried, before,
		   *told->left ? told->left : "nothing");
	told->check->findings->failed |= !takes || !refuses;
	free(takes);
	free(refuses);
}

/* --- the trial ------------------------------------------------------------------------ */

/* Whether slurmctld starts with a plain file of our own. If not, the machine is to blame, and
   WHY is the reason. Returns 0, or -1 with errno and ERROR set. */
static int look_at_machine(struct lxfw_trial *trial, bool *starts, char *why,
			   struct lxfw_error *error)
{
	struct seen seen = { 0 };
	char *left;
	int result = lxfw_trial_renew(trial, NULL, &left, error);

	free(left);
	if (result)
		return -1;
	start(trial, &seen);
	lxfw_trial_end(&trial->slurmctld_id);
	*starts = seen.starts;
	memcpy(why, seen.why, sizeof(seen.why));
	return 0;
}

static int tell(struct told *told, struct lxfw_trial *trial, struct lxfw_error *error)
{
	bool starts = told->before.starts || told->after.starts;
	char why[SAID_SIZE] = "";

	if (!starts && look_at_machine(trial, &starts, why, error))
		return -1;
	if (lxfw_trial_caught())
		return 0;
	if (!starts)
		lxfw_noted(told->check, "trial", NULL, "not tried: slurmctld %s does not start "
			   "with a plain file of lxfw's own either: %s", told->version, why);
	else if (!tell_worse(told))
		tell_good(told);
	return 0;
}

static int look_at_both(struct told *told, struct lxfw_trial *trial, struct lxfw_error *error)
{
	char *left = NULL;
	int result = look(trial, told->was, &told->before, &left, error);

	free(left);
	/* the caller says that it was interrupted */
	if (result == 0 && !lxfw_trial_caught())
		result = look(trial, told->now, &told->after, &told->left, error);
	if (result == 0 && !lxfw_trial_caught())
		result = tell(told, trial, error);
	clear(&told->before);
	clear(&told->after);
	free(told->left);
	return result;
}

int lxfw_conf_try(struct lxfw_conf *conf, const struct lxfw_check_options *options,
		  struct lxfw_findings *findings, int *signal, struct lxfw_error *error)
{
	struct lxfw_checking check = { .conf = conf, .options = options, .findings = findings };
	struct lxfw_trial trial = { 0 };
	struct lxfw_conf was;
	struct told told = { .check = &check, .trial = &trial, .was = &was, .now = conf };
	char why[SAID_SIZE] = "";
	int result;

	*signal = 0;
	if (lxfw_conf_read(&was, options->path, error))
		return -1;
	lxfw_trial_catch(true);
	result = lxfw_trial_make(&trial, &check, why, sizeof(why), told.version, error);
	if (result == 0 && *why)
		lxfw_noted(&check, "trial", NULL, "not tried: %s", why);
	else if (result == 0)
		result = look_at_both(&told, &trial, error);
	lxfw_trial_clear(&trial);
	*signal = lxfw_trial_catch(false);
	lxfw_conf_clear(&was);
	if (*signal) {
		errno = EINTR;
		return lxfw_error_at(error, options->path, 0, "the trial was interrupted");
	}
	lxfw_findings_sort(findings);
	if (result == 0 && findings->failed) {
		errno = ENOMEM;
		return lxfw_error_system(error, options->path);
	}
	return result;
}
