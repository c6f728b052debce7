/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw route --request: the cluster on which a job would best run. */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/cmd/route.h"
#include "common/grid/history.h"
#include "sim-frontend/cmd/history.h"
#include "sim-frontend/route/ask.h"
#include "sim-frontend/route/folder.h"
#include "sim-frontend/route/record.h"
#include "sim-frontend/util/text.h"

struct choice {
	const struct lxfw_route_arguments *arguments;
	struct lxfw_route_conf conf;
	struct lxfw_request_text request;
	struct lxfw_route_recent recent;
	bool left_out[LXFW_ROUTE_CLUSTERS];	/* --without */
	struct lxfw_route_said said[LXFW_ROUTE_CLUSTERS];
	struct lxfw_route_offer offers[LXFW_ROUTE_CLUSTERS];
	int best;
};

/* Clusters that are not asked, "a,b". NAMES is changed. */
static void leave_out(struct choice *choice, char *names)
{
	char *rest = NULL;

	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		int index = lxfw_route_conf_find(&choice->conf, name);

		if (index >= 0)
			choice->left_out[index] = true;
	}
}

/* Whether TEXT is what lxfw route --submit writes: names with "," between them, or nothing. */
static bool are_names(const char *text)
{
	char name[LXFW_ROUTE_NAME];
	size_t length;

	if (!*text)
		return true;
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (length >= sizeof(name))
			return false;
		memcpy(name, text, length);
		name[length] = '\0';
		if (!lxfw_route_name_is_valid(name))
			return false;
		if (!text[length])
			return true;
	}
}

/* --told: the file of lxfw route --submit, which has the clusters that it has tried. It need not
   exist any more, and a file that is another one stays as it is. Returns a descriptor, or -1. */
static int open_told(struct choice *choice)
{
	char names[LXFW_ROUTE_CLUSTERS * LXFW_ROUTE_NAME];
	struct stat about;
	ssize_t length = -1;
	int file;

	if (!choice->arguments->told)
		return -1;
	file = open(choice->arguments->told, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return -1;
	if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == getuid() &&
	    about.st_nlink == 1 && about.st_size < (off_t)sizeof(names))
		length = read(file, names, sizeof(names) - 1);
	names[length > 0 ? length : 0] = '\0';
	if (length < 0 || strlen(names) != (size_t)length || !are_names(names)) {
		lxfw_cmd_note("%s: not a file of 'lxfw route --submit', left alone",
			      choice->arguments->told);
		close(file);
		return -1;
	}
	leave_out(choice, names);
	return file;
}

/* The question to cluster INDEX, to be freed. */
static char *question_of(const struct choice *choice, int index, int64_t now)
{
	const struct lxfw_route_recent *recent = &choice->recent;
	const char *name = choice->conf.list[index].name;
	int skip = lxfw_route_recent_skip(recent, name);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "lxfw-route 1\ncluster %s\nstart %s\nqueue %s\n", name,
		choice->arguments->request, choice->conf.queue ? "yes" : "no");
	for (int i = 0; i < recent->count; i++) {
		if (strcmp(recent->jobs[i].cluster, name) == 0 && skip-- <= 0)
			fprintf(out, "routed %lld %s\n", (long long)(now - recent->jobs[i].time),
				recent->jobs[i].options);
	}
	fprintf(out, "end\n");
	return fclose(out) ? NULL : text;
}

static int ask_all(struct choice *choice, int64_t now, struct lxfw_error *error)
{
	char *questions[LXFW_ROUTE_CLUSTERS] = { NULL };
	int result;

	for (int i = 0; i < choice->conf.count; i++) {
		if (!choice->left_out[i])
			questions[i] = question_of(choice, i, now);
	}
	result = lxfw_route_ask(&choice->conf, (const char *const *)questions, choice->said, error);
	for (int i = 0; i < choice->conf.count; i++)
		free(questions[i]);
	return result;
}

/* The run times of the user's jobs on the clusters, learned from a data base. */
struct learning {
	const struct choice *choice;
	const struct lxfw_rans *rans;
	int32_t user;		/* index of the names in RANS */
	struct lxfw_grid_history *history;
};

static int learn(void *context, const struct lxfw_ran *job)
{
	struct learning *learning = context;
	int cluster;

	if (job->user != learning->user || job->machine < 0)
		return 0;
	cluster = lxfw_route_conf_find(&learning->choice->conf,
				       learning->rans->machines[job->machine].name);
	return cluster < 0 ? 0 : lxfw_grid_history_learn(learning->history, 0, cluster, job->ran);
}

/* Returns whose jobs count, or NULL. */
static const char *name_of_user(const struct lxfw_route_arguments *arguments)
{
	const struct passwd *entry = arguments->user ? NULL : getpwuid(getuid());

	return entry ? entry->pw_name : arguments->user;
}

/* Reads what is known of the user, as kind 0, with the clusters as places. Nothing is known
   after a note: the job is routed without it. */
static void read_history(const struct choice *choice, struct lxfw_grid_history *history)
{
	const struct lxfw_cmd_history from = { .path = choice->arguments->history };
	const char *user = name_of_user(choice->arguments);
	struct lxfw_rans rans = { 0 };
	struct learning learning = { choice, &rans, -1, history };

	if (!from.path || !user || lxfw_cmd_history_read(&from, &rans))
		return;
	learning.user = lxfw_names_find(&rans.names, user, strlen(user));
	if (learning.user >= 0 && lxfw_rans_each(&rans, INT64_MAX, learn, &learning))
		lxfw_cmd_note("out of memory");
	lxfw_rans_clear(&rans);
}

/* What is known of run times there: from the data base of the user, if there is one, or from that of
   the server. */
static struct lxfw_expected expected_there(const struct choice *choice, int cluster,
					   const struct lxfw_grid_history *history)
{
	const struct lxfw_route_answer *answer = &choice->said[cluster].answer;
	double ended = (double)answer->ended;

	if (choice->arguments->history)
		return lxfw_grid_history_expect(history, 0, cluster);
	return (struct lxfw_expected) {
		.mean = (double)answer->mean, .confidence = ended / (ended + 1),
	};
}

/* The expected run time is a mean of what is known and of the limit, see lxfw-grid(1). */
static void make_offers(struct choice *choice)
{
	struct lxfw_grid_history history = { 0 };

	read_history(choice, &history);
	for (int i = 0; i < choice->conf.count; i++) {
		struct lxfw_route_offer *offer = &choice->offers[i];

		lxfw_route_offer_of(&choice->conf, i, -1, &choice->said[i], offer);
		if (offer->usable) {
			struct lxfw_expected there = expected_there(choice, i, &history);

			offer->run = (int64_t)(there.confidence * there.mean +
					       (1 - there.confidence) * (double)offer->run + 0.5);
		}
	}
	lxfw_grid_history_clear(&history);
}

static void print(const struct choice *choice, const char *marker)
{
	if (choice->best >= 0) {
		printf("cluster %s\nwait %lld\n", choice->conf.list[choice->best].name,
		       (long long)choice->offers[choice->best].wait);
		if (*marker)
			printf("marker %s\n", marker);
	}
	for (int i = 0; i < choice->conf.count; i++) {
		const struct lxfw_route_offer *offer = &choice->offers[i];

		if (offer->usable)
			printf("offer %s wait %lld run %lld free %lld of %lld\n",
			       choice->conf.list[i].name, (long long)offer->wait,
			       (long long)offer->run, (long long)offer->free,
			       (long long)offer->procs);
		else
			printf("passed over %s: %s\n", choice->conf.list[i].name,
			       choice->said[i].problem);
	}
}

/* Writes the name of the cluster for lxfw route --submit. */
static void tell(const struct choice *choice, int told)
{
	char text[LXFW_ROUTE_NAME + 1] = "";

	if (told < 0)
		return;
	if (choice->best >= 0)
		snprintf(text, sizeof(text), "=%s", choice->conf.list[choice->best].name);
	if (ftruncate(told, 0) || pwrite(told, text, strlen(text), 0) < 0)
		lxfw_cmd_note("%s: %s", choice->arguments->told, strerror(errno));
	close(told);
}

static int choose(struct choice *choice)
{
	const struct lxfw_route_arguments *arguments = choice->arguments;
	char marker[LXFW_ROUTE_MARKER] = "";
	int64_t now = time(NULL);
	struct lxfw_error error;
	int folder = lxfw_route_folder_open(&choice->conf, true, NULL);
	int told = open_told(choice);

	/* sbatch waits for this process: for the lock, the answers, and the history. */
	alarm((unsigned)(3 * choice->conf.answer + 10));
	lxfw_route_recent_open(&choice->recent, &choice->conf, folder, now,
			       (int)choice->conf.answer);
	if (ask_all(choice, now, &error))
		return lxfw_cmd_bad(&error);
	make_offers(choice);
	choice->best = lxfw_route_best(choice->conf.rule, choice->offers, choice->conf.count);
	if (choice->best >= 0) {
		lxfw_route_recent_add(&choice->recent, now,
				      choice->conf.list[choice->best].name, arguments->request);
		if (arguments->record && choice->conf.moves > 0 &&
		    lxfw_route_record_make(folder, getppid(), (int)arguments->tail,
					   arguments->request, marker, &error))
			lxfw_cmd_note("%s", error.text);
	}
	lxfw_route_recent_close(&choice->recent);
	if (folder >= 0)
		close(folder);
	tell(choice, told);
	print(choice, marker);
	return lxfw_cmd_finish(choice->best < 0 ? LXFW_EXIT_NO : LXFW_EXIT_DONE);
}

/* A question is made of lines. */
static bool is_line(const char *text)
{
	for (const char *at = text; *at; at++) {
		if ((unsigned char)*at < ' ')
			return false;
	}
	return strlen(text) < LXFW_ROUTE_LINE - 16;
}

int lxfw_route_choose(const struct lxfw_route_arguments *arguments)
{
	static struct choice choice;	/* large */
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;
	char *without;

	choice.arguments = arguments;
	if (!is_line(arguments->request))
		lxfw_cmd_note("--request: more than %d characters, or a control character",
			      LXFW_ROUTE_LINE - 16);
	else if (lxfw_request_read(&choice.request, arguments->request, &error) ||
		 lxfw_route_conf_read(&choice.conf, arguments->conf, &error))
		lxfw_cmd_bad(&error);
	else {
		without = arguments->without ? strdup(arguments->without) : NULL;
		if (without)
			leave_out(&choice, without);
		free(without);
		status = choose(&choice);
	}
	lxfw_route_conf_clear(&choice.conf);
	return status;
}
