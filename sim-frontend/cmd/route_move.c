/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/route_move.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/route/ask.h"
#include "sim-frontend/route/folder.h"
#include "sim-frontend/route/jobs.h"
#include "sim-frontend/route/shown.h"
#include "sim-frontend/route/state.h"
#include "sim-frontend/util/program.h"
#include "sim-frontend/util/text.h"

#define PATIENCE "20"		/* seconds for a program of Slurm */
#define SUBMIT_TIME 120		/* seconds for sbatch */
#define GIVE_UP 300		/* seconds after which no sbatch of a move is left */
#define MARKERS 100000		/* moves that are looked at; those of 30 days have files */
#define RECORD_AGE (30 * 86400)	/* seconds after which the record of no job is removed */
#define SAID 4096
#define SHOWN 65536			/* bytes of a job that are read */

struct mover {
	const struct lxfw_route_arguments *arguments;
	const struct lxfw_route_conf *conf;
	int folder;
	struct lxfw_route_jobs jobs;
	struct lxfw_route_recent recent;	/* for the questions of this round */
	int moving;			/* jobs in a move */
	int unread;			/* records and states that cannot be read */
};

/* --- programs of Slurm ---------------------------------------------------------------- */

/* Runs a program with "--clusters=NAME" and the WORDS, up to NULL. Returns 0, or -1 after a
   message. */
static int run(const char *program, const char *cluster, const char *const *words, char *said,
	       size_t size)
{
	char option[LXFW_ROUTE_NAME + 16], quoted[200];
	char *all[16] = { "timeout", "-k", "1", PATIENCE, (char *)program, option };
	struct lxfw_error error;
	int status;

	for (int i = 0; words[i] && i < 8; i++)
		all[6 + i] = (char *)words[i];
	snprintf(option, sizeof(option), "--clusters=%s", cluster);
	status = lxfw_program_run(all, said, size, &error);
	if (status == 0)
		return 0;
	said[strcspn(said, "\n")] = '\0';
	lxfw_cmd_note("%s %s on %s: %s", program, words[0], cluster, status < 0 ? error.text :
		      lxfw_text_quote(quoted, sizeof(quoted), said, strlen(said)));
	return -1;
}

/* Does ACTION of scontrol, or "cancel", with a job. */
static int act(const char *action, const char *cluster, int64_t job)
{
	char number[24], said[SAID];
	bool cancel = strcmp(action, "cancel") == 0;
	const char *const words[] = { cancel ? number : action, cancel ? NULL : number, NULL };

	snprintf(number, sizeof(number), "%lld", (long long)job);
	return run(cancel ? "scancel" : "scontrol", cluster, words, said, sizeof(said));
}

/* --- the copy ------------------------------------------------------------------------- */

static int show(const char *cluster, int64_t job, char text[SHOWN])
{
	char number[24];
	const char *const words[] = { "--oneliner", "show", "job", number, NULL };

	snprintf(number, sizeof(number), "%lld", (long long)job);
	return run("scontrol", cluster, words, text, SHOWN);
}

/* Returns 1, 0 after a message, or -1 if a cluster does not answer. */
static int are_same(const struct lxfw_move *state, int64_t new)
{
	static char old_text[SHOWN], new_text[SHOWN];
	const char *field;

	if (show(state->old, state->job, old_text) || show(state->new, new, new_text))
		return -1;
	/* A part that is missing, behind a long text of the user, may be the changed one. */
	if (strlen(old_text) == SHOWN - 1 || strlen(new_text) == SHOWN - 1)
		field = "too long to compare";
	else
		field = lxfw_route_shown_difference(old_text, new_text);
	if (field)
		lxfw_cmd_note("job %lld on %s was changed after its submission (%s), and stays",
			      (long long)state->job, state->old, field);
	return !field;
}

/* Writes the script and the name of the job to MARKER.script and MARKER.name in the present
   folder. Returns 0, or -1 after a message. */
static int fetch(const char *marker, const char *cluster, int64_t job)
{
	char script[40], name[40], number[24], option[40], said[SAID];
	const char *const write[] = { "write", "batch_script", number, script, NULL };
	const char *const list[] = { "--noheader", option, "--format=%j", NULL };
	const char *line;
	FILE *out;

	snprintf(script, sizeof(script), "%s.script", marker);
	snprintf(name, sizeof(name), "%s.name", marker);
	snprintf(number, sizeof(number), "%lld", (long long)job);
	snprintf(option, sizeof(option), "--jobs=%s", number);
	unlink(script);
	unlink(name);
	if (run("scontrol", cluster, write, said, sizeof(said)) ||
	    run("squeue", cluster, list, said, sizeof(said)))
		return -1;
	/* The first line names the cluster. */
	line = strncmp(said, "CLUSTER:", 8) == 0 ? strchr(said, '\n') : said - 1;
	out = line ? fopen(name, "wx") : NULL;
	if (out && fprintf(out, "%.*s", (int)strcspn(line + 1, "\n"), line + 1) >= 0 &&
	    fclose(out) == 0)
		return 0;
	lxfw_cmd_note("%s: %s", name, strerror(errno));
	return -1;
}

/* Reads a file of the present folder, up to SIZE - 1 bytes, as a text. Without a regular file it
   is empty: opening a FIFO would wait. */
static void read_text(const char *name, char *text, size_t size)
{
	int file = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat about;
	ssize_t got = -1;

	if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode))
		got = read(file, text, size - 1);
	text[got > 0 ? got : 0] = '\0';
	if (file >= 0)
		close(file);
}

/* Submits the job of state->next to state->new, held. Returns 0, or -1 after a message: 1 if it
   certainly was not submitted. */
static int copy(const struct mover *mover, const char *marker,
		const struct lxfw_move *state)
{
	char script[4096], name[LXFW_ROUTE_MARKER + 8], job_name[1024 + 16] = "--job-name=";
	char cluster[LXFW_ROUTE_NAME + 16], comment[80], said[SAID], quoted[200];
	char *first[] = { "--parsable", "--hold", cluster, comment, job_name, NULL };
	size_t length = strlen(job_name);
	struct lxfw_route_record record;
	struct lxfw_error error;
	int status;

	snprintf(name, sizeof(name), "%s.name", marker);
	read_text(name, job_name + length, sizeof(job_name) - length);
	if (!job_name[length])
		first[4] = NULL;
	if (!getcwd(script, sizeof(script) - LXFW_ROUTE_MARKER - 16)) {
		lxfw_cmd_note("%s", strerror(errno));
		return 1;
	}
	snprintf(script + strlen(script), LXFW_ROUTE_MARKER + 16, "/%s.script", marker);
	if (lxfw_route_record_read(&record, mover->folder, marker, &error)) {
		lxfw_cmd_note("%s", error.text);
		return 1;
	}
	snprintf(cluster, sizeof(cluster), "--clusters=%s", state->new);
	snprintf(comment, sizeof(comment), "--comment=lxfw:route:%s:%lld", marker,
		 (long long)state->next);
	status = lxfw_route_record_run(&record, mover->arguments->sbatch, first, script,
				       SUBMIT_TIME, said, sizeof(said), &error);
	lxfw_route_record_clear(&record);
	if (status == 0)
		return 0;
	said[strcspn(said, "\n")] = '\0';
	lxfw_cmd_note("sbatch on %s: %s", state->new, status < 0 ? error.text :
		      lxfw_text_quote(quoted, sizeof(quoted), said, strlen(said)));
	return strstr(said, "Unable to contact slurm controller (connect failure)") ? 1 : -1;
}

/* --- the calls of a move -------------------------------------------------------------- */

/* A move with what its calls need. */
struct moving {
	struct mover *mover;
	const char *marker;
};

static int64_t call_now(void *context)
{
	(void)context;
	return time(NULL);
}

/* What is seen of the job with SERIAL on the cluster NAME; *NUMBER is its number. */
static enum lxfw_move_seen seen(const struct mover *mover, const char *marker, int64_t serial,
				const char *name, int64_t *number)
{
	int cluster = *name ? lxfw_route_conf_find(mover->conf, name) : -1, count;
	const struct lxfw_route_job *job;

	*number = 0;
	if (!*name)
		return LXFW_SEEN_ABSENT;
	if (cluster < 0 || !mover->jobs.answered[cluster])
		return LXFW_SEEN_UNKNOWN;
	job = lxfw_route_jobs_find(&mover->jobs, marker, serial, cluster, &count);
	if (count > 1)		/* the user has other jobs with this comment */
		return LXFW_SEEN_UNKNOWN;
	*number = job ? job->number : 0;
	return job ? job->seen : LXFW_SEEN_ABSENT;
}

static int call_look(void *context, const struct lxfw_move *move, enum lxfw_move_seen *old,
		     enum lxfw_move_seen *new, int64_t *new_job)
{
	const struct moving *moving = context;
	struct mover *mover = moving->mover;
	const char *const names[] = { move->old, move->new };
	int64_t number;

	for (int i = 0; i < 2; i++) {
		int cluster = *names[i] ? lxfw_route_conf_find(mover->conf, names[i]) : -1;

		if (cluster >= 0 &&
		    lxfw_route_jobs_list(&mover->jobs, mover->conf, getuid(), cluster))
			return -1;
	}
	*old = seen(mover, moving->marker, move->serial, move->old, &number);
	*new = seen(mover, moving->marker, move->next, move->new, new_job);
	return 0;
}

static int call_record(void *context, const struct lxfw_move *move)
{
	const struct moving *moving = context;
	struct lxfw_error error;

	if (lxfw_route_state_write(move, moving->mover->folder, moving->marker, &error) == 0)
		return 0;
	lxfw_cmd_note("%s", error.text);
	return -1;
}

static int call_hold(void *context, const char *cluster, int64_t job)
{
	(void)context;
	return act("uhold", cluster, job);
}

static int call_release(void *context, const char *cluster, int64_t job)
{
	(void)context;
	return act("release", cluster, job);
}

static int call_cancel(void *context, const char *cluster, int64_t job)
{
	(void)context;
	return act("cancel", cluster, job);
}

static int call_submit(void *context, const struct lxfw_move *move)
{
	const struct moving *moving = context;

	return copy(moving->mover, moving->marker, move);
}

static int call_same(void *context, const struct lxfw_move *move, int64_t new_job)
{
	(void)context;
	return are_same(move, new_job);
}

static void call_moved(void *context, const struct lxfw_move *move, int64_t new_job)
{
	(void)context;
	printf("job %lld of %s moved to %s as job %lld\n", (long long)move->job, move->old,
	       move->new, (long long)new_job);
}

static void call_stays(void *context, const struct lxfw_move *move)
{
	(void)context;
	printf("job %lld of %s stays\n", (long long)move->job, move->old);
}

static struct lxfw_move_calls calls_of(struct moving *moving)
{
	return (struct lxfw_move_calls) {
		.context = moving, .now = call_now, .look = call_look, .record = call_record,
		.hold = call_hold, .release = call_release, .cancel = call_cancel,
		.submit = call_submit, .same = call_same, .moved = call_moved,
		.stays = call_stays,
	};
}

static bool is_moving(const struct lxfw_move *move)
{
	return move->phase != LXFW_MOVE_REST && move->phase != LXFW_MOVE_DONE;
}

/* Notes the first file of a round that cannot be read; move_all() counts the others. */
static void note_unread(struct mover *mover, const struct lxfw_error *error)
{
	if (mover->unread++ == 0)
		lxfw_cmd_note("%s; its job does not move", error->text);
}

/* Notes a cluster that the file of the clusters does not have any more. */
static void note_unknown(const struct mover *mover, const struct lxfw_move *move)
{
	const char *const names[] = { move->old, move->new };

	for (int i = 0; i < 2; i++) {
		if (*names[i] && lxfw_route_conf_find(mover->conf, names[i]) < 0)
			lxfw_cmd_note("job %lld of %s is in a move, and stays in it: %s has no "
				      "cluster %s", (long long)move->job, move->old,
				      mover->arguments->conf, names[i]);
	}
}

/* Continues a move as far as possible. */
static void go_on(struct mover *mover, const char *marker)
{
	struct moving moving = { mover, marker };
	const struct lxfw_move_calls calls = calls_of(&moving);
	struct lxfw_move move;
	struct lxfw_error error;

	if (lxfw_route_state_read(&move, mover->folder, marker, &error)) {
		note_unread(mover, &error);
		return;
	}
	if (is_moving(&move))
		note_unknown(mover, &move);
	lxfw_move_go_on(&move, &calls, mover->conf->settle, GIVE_UP);
	mover->moving += is_moving(&move);
}

/* --- new moves ------------------------------------------------------------------------ */

/* The offers of all clusters for a job that waits at HOME. */
static int ask(const struct mover *mover, int64_t number, int home, const char *request,
	       struct lxfw_route_offer *offers)
{
	struct lxfw_route_said said[LXFW_ROUTE_CLUSTERS];
	const char *questions[LXFW_ROUTE_CLUSTERS];
	char texts[LXFW_ROUTE_CLUSTERS][2048], job[128];
	int64_t now = time(NULL);
	struct lxfw_error error;

	for (int i = 0; i < mover->conf->count; i++) {
		size_t length = (size_t)snprintf(texts[i], sizeof(texts[i]), "lxfw-route 1\n"
			"cluster %s\nstart %.*s\nqueue yes\n", mover->conf->list[i].name,
			LXFW_ROUTE_LINE - 16, request);

		/* Those that moved just before; the oldest may be left out. */
		for (int j = 0; j < mover->recent.count; j++) {
			const struct lxfw_route_recent_job *one = &mover->recent.jobs[j];

			if (strcmp(one->cluster, mover->conf->list[i].name) == 0 &&
			    length < sizeof(texts[i]) - LXFW_ROUTE_LINE - 40)
				length += (size_t)snprintf(texts[i] + length,
					sizeof(texts[i]) - length, "routed %lld %s\n",
					(long long)(now - one->time), one->options);
		}
		snprintf(texts[i] + length, sizeof(texts[i]) - length, "end\n");
		questions[i] = texts[i];
	}
	snprintf(job, sizeof(job), "lxfw-route 1\ncluster %s\njob %lld\nend\n",
		 mover->conf->list[home].name, (long long)number);
	questions[home] = job;
	if (lxfw_route_ask(mover->conf, questions, said, &error)) {
		lxfw_cmd_note("%s", error.text);
		return -1;
	}
	for (int i = 0; i < mover->conf->count; i++)
		lxfw_route_offer_of(mover->conf, i, -1, &said[i], &offers[i]);
	return 0;
}

static void begin(struct mover *mover, const struct lxfw_route_job *job,
		  struct lxfw_move *move, int to)
{
	struct moving moving = { mover, job->marker };
	const struct lxfw_move_calls calls = calls_of(&moving);
	const char *from = mover->conf->list[job->cluster].name;

	if (fetch(job->marker, from, job->number) == 0)
		lxfw_move_begin(move, &calls, from, job->number, mover->conf->list[to].name);
	mover->moving += is_moving(move);
}

/* Moves the job if it would be better off elsewhere. */
static void consider(struct mover *mover, const struct lxfw_route_job *job)
{
	struct lxfw_route_offer offers[LXFW_ROUTE_CLUSTERS], here;
	struct lxfw_route_record record;
	struct lxfw_move state;
	struct lxfw_error error;
	int best, count;

	if (lxfw_route_state_read(&state, mover->folder, job->marker, &error) ||
	    state.phase != LXFW_MOVE_REST || state.serial != job->serial ||
	    state.moves >= mover->conf->moves ||
	    !lxfw_route_jobs_find(&mover->jobs, job->marker, job->serial, -1, &count))
		return;
	if (lxfw_route_record_read(&record, mover->folder, job->marker, &error)) {
		note_unread(mover, &error);
		return;
	}
	if (ask(mover, job->number, job->cluster, record.request, offers) == 0 &&
	    offers[job->cluster].usable) {
		here = offers[job->cluster];
		offers[job->cluster].usable = false;
		best = lxfw_route_best(mover->conf->rule, offers, mover->conf->count);
		if (best >= 0 && lxfw_route_gain(&here, &offers[best]) > mover->conf->margin) {
			printf("job %lld of %s is expected to start in %lld s, on %s in %lld s\n",
			       (long long)job->number, mover->conf->list[job->cluster].name,
			       (long long)here.wait, mover->conf->list[best].name,
			       (long long)offers[best].wait);
			lxfw_route_recent_add(&mover->recent, time(NULL),
					      mover->conf->list[best].name, record.request);
			if (!mover->arguments->dry)
				begin(mover, job, &state, best);
		}
	}
	lxfw_route_record_clear(&record);
}

/* --- all jobs ------------------------------------------------------------------------- */

/* A job that is not where the record says and has not started is one of an earlier move, which
   its controller has forgotten to have cancelled. */
static void remove_strays(const struct mover *mover)
{
	for (size_t i = 0; i < mover->jobs.count; i++) {
		const struct lxfw_route_job *job = &mover->jobs.list[i];
		const char *cluster = mover->conf->list[job->cluster].name;
		struct lxfw_move state;

		if ((job->seen != LXFW_SEEN_WAITS && job->seen != LXFW_SEEN_HELD) ||
		    lxfw_route_state_read(&state, mover->folder, job->marker, NULL) ||
		    job->serial == state.serial || job->serial > state.next ||
		    (job->serial == state.next && state.phase != LXFW_MOVE_REST &&
		     state.phase != LXFW_MOVE_DONE))
			continue;
		printf("job %lld of %s was moved before, and is cancelled\n",
		       (long long)job->number, cluster);
		act("cancel", cluster, job->number);
	}
}

/* Markers of the folder that have files with this SUFFIX. */
struct markers {
	char (*list)[LXFW_ROUTE_MARKER];
	size_t count, size;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int find_markers(const struct mover *mover, const char *suffix, struct markers *to)
{
	int copy_of = openat(mover->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = copy_of < 0 ? NULL : fdopendir(copy_of);
	const struct dirent *entry;

	*to = (struct markers) { 0 };
	while (folder && (entry = readdir(folder)) && to->count < MARKERS) {
		char marker[LXFW_ROUTE_MARKER];

		if (strlen(entry->d_name) != LXFW_ROUTE_MARKER - 1 + strlen(suffix) ||
		    strcmp(entry->d_name + LXFW_ROUTE_MARKER - 1, suffix) != 0)
			continue;
		memcpy(marker, entry->d_name, LXFW_ROUTE_MARKER - 1);
		marker[LXFW_ROUTE_MARKER - 1] = '\0';
		if (!lxfw_route_marker_is_valid(marker))
			continue;
		if (LXFW_GROW(to->list, to->size, to->count + 1))
			break;
		memcpy(to->list[to->count++], marker, sizeof(marker));
	}
	if (folder)
		closedir(folder);
	if (to->count == MARKERS)
		lxfw_cmd_note("more than %d files *%s: other moves stand still", MARKERS, suffix);
	if (to->count > 0)
		qsort(to->list, to->count, sizeof(*to->list), by_name);
	return 0;
}

/* Removes records of jobs that no cluster knows any more. */
static void clean(const struct mover *mover)
{
	static const char *const suffixes[] = { "job", "state", "script", "name", "new" };
	struct markers markers;

	for (int i = 0; i < mover->conf->count; i++) {
		if (!mover->jobs.answered[i])
			return;
	}
	find_markers(mover, ".job", &markers);
	for (size_t i = 0; i < markers.count; i++) {
		char name[LXFW_ROUTE_MARKER + 8];
		struct stat about;
		bool known = false;

		for (size_t j = 0; j < mover->jobs.count; j++)
			known |= strcmp(mover->jobs.list[j].marker, markers.list[i]) == 0;
		snprintf(name, sizeof(name), "%s.job", markers.list[i]);
		if (known || fstatat(mover->folder, name, &about, AT_SYMLINK_NOFOLLOW) ||
		    about.st_mtime > time(NULL) - RECORD_AGE)
			continue;
		for (size_t j = 0; j < sizeof(suffixes) / sizeof(*suffixes); j++) {
			snprintf(name, sizeof(name), "%s.%s", markers.list[i], suffixes[j]);
			unlinkat(mover->folder, name, 0);
		}
	}
	free(markers.list);
}

static void move_all(struct mover *mover)
{
	struct lxfw_route_job *waiting;
	struct markers markers;
	size_t count;

	if (!mover->arguments->dry) {
		remove_strays(mover);
		find_markers(mover, ".state", &markers);
		for (size_t i = 0; i < markers.count; i++)
			go_on(mover, markers.list[i]);
		free(markers.list);
	}
	/* The list changes while jobs move. */
	count = mover->jobs.count;
	waiting = calloc(count + 1, sizeof(*waiting));
	if (!waiting)
		return;
	if (count > 0)
		memcpy(waiting, mover->jobs.list, count * sizeof(*waiting));
	for (size_t i = 0; i < count && mover->moving < mover->arguments->most; i++) {
		if (waiting[i].may_move)
			consider(mover, &waiting[i]);
	}
	free(waiting);
	if (mover->unread > 1)
		lxfw_cmd_note("%d other jobs do not move, as their files cannot be read",
			      mover->unread - 1);
	if (!mover->arguments->dry)
		clean(mover);
}

int lxfw_route_move_jobs(const struct lxfw_route_arguments *arguments,
			 const struct lxfw_route_conf *conf)
{
	static struct mover mover;	/* large */
	int lock, status = LXFW_EXIT_DONE;

	mover = (struct mover) {
		.arguments = arguments, .conf = conf, .recent.file = -1,
		.folder = lxfw_route_folder_open(conf, false, NULL),
	};
	if (mover.folder < 0)		/* no jobs were recorded */
		return LXFW_EXIT_DONE;
	lock = openat(mover.folder, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		      0600);
	if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB)) {
		lxfw_cmd_note("another process moves the jobs of this user");
		status = LXFW_EXIT_NO;
	} else if (fchdir(mover.folder) || lxfw_route_jobs_list(&mover.jobs, conf, getuid(), -1)) {
		lxfw_cmd_note("%s", strerror(errno));
		status = LXFW_EXIT_BAD;
	} else {
		move_all(&mover);
	}
	lxfw_route_jobs_clear(&mover.jobs);
	if (lock >= 0)
		close(lock);
	close(mover.folder);
	return status;
}
