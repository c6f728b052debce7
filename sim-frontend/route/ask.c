/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/ask.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/route/address.h"
#include "sim-frontend/route/credential.h"
#include "sim-frontend/route/peers.h"
#include "sim-frontend/util/text.h"

#define RETRY 5			/* milliseconds */
#define TRIES 3			/* of a question whose connection a server ends without an answer */

/* Shared by the threads; the last one that has ended releases it. A thread that waits for a
   name server may still run when the answers are not awaited any more. */
struct round {
	pthread_mutex_t lock;
	pthread_cond_t done;
	int users;			/* threads, and the caller */
	int open;			/* clusters that have not answered */
	struct timespec until;		/* of the monotonic clock */
	bool trusted;			/* the network */
	bool has_server;		/* there is such a user */
	uid_t server;			/* the user of server= */
	char munge[108];		/* socket of munged; "": the usual one */
};

struct asked {
	struct round *round;
	char at[300];
	char *question;
	bool ready;			/* under the lock: `said` is complete */
	bool left;			/* under the lock: no one waits for it */
	struct lxfw_route_said said;
};

static void leave(struct round *round)
{
	int users;

	pthread_mutex_lock(&round->lock);
	users = --round->users;
	pthread_mutex_unlock(&round->lock);
	if (users > 0)
		return;
	pthread_mutex_destroy(&round->lock);
	pthread_cond_destroy(&round->done);
	free(round);
}

static int milliseconds_left(const struct round *round)
{
	struct timespec now;
	int64_t left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = (int64_t)(round->until.tv_sec - now.tv_sec) * 1000 +
	       (round->until.tv_nsec - now.tv_nsec) / 1000000;
	return left < 0 ? 0 : (int)left;
}

/* Waits until FILE can be read or written. Returns 0, or -1 with errno. */
static int await(const struct round *round, int file, short events)
{
	struct pollfd wait = { .fd = file, .events = events };
	int got = poll(&wait, 1, milliseconds_left(round));

	if (got > 0)
		return 0;
	if (got == 0)
		errno = ETIMEDOUT;
	return -1;
}

static int send_all(const struct round *round, int file, const char *text)
{
	size_t length = strlen(text), sent = 0;

	while (sent < length) {
		ssize_t put;

		if (await(round, file, POLLOUT))
			return -1;
		put = send(file, text + sent, length - sent, MSG_NOSIGNAL);
		if (put < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		sent += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* Reads up to the end of the line. */
static int receive(const struct round *round, int file, char *text, size_t size)
{
	size_t length = 0;

	while (length < size - 1) {
		ssize_t got;

		if (await(round, file, POLLIN))
			return -1;
		got = recv(file, text + length, size - 1 - length, 0);
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		length += got > 0 ? (size_t)got : 0;
		if (memchr(text, '\n', length))
			break;
	}
	text[length] = '\0';
	return 0;
}

/* Whether a server may run as this user: others could answer what they like. */
static bool is_server(const struct round *round, uid_t user)
{
	return user == 0 || user == getuid() || (round->has_server && user == round->server);
}

static int no_server(uid_t user, struct lxfw_error *error)
{
	return lxfw_error_format(error, "user %lu answers, expected root or the user of server=",
				 (unsigned long)user);
}

/* Asks at a socket, or over a trusted network. */
static int ask_plainly(const struct round *round, int file, bool local, const char *question,
		       char text[LXFW_ROUTE_ANSWER], struct lxfw_error *error)
{
	struct lxfw_route_peer peer;

	if (local) {
		lxfw_route_peer_of(file, &peer);
		if (!peer.known || !is_server(round, peer.user))
			return no_server(peer.user, error);
	}
	return send_all(round, file, question) || receive(round, file, text, LXFW_ROUTE_ANSWER) ?
	       lxfw_error_system(error, "socket") : 0;
}

static int ask_sealed(const struct round *round, int file, const char *question,
		      char text[LXFW_ROUTE_ANSWER], struct lxfw_error *error)
{
	const char *munge = *round->munge ? round->munge : NULL;
	char sealed[LXFW_ROUTE_CREDENTIAL], word[LXFW_ROUTE_WORD];
	uid_t user;

	if (lxfw_route_word(word, error) ||
	    lxfw_route_question_seal(munge, word, question, sealed, error))
		return -1;
	if (send_all(round, file, sealed) || receive(round, file, sealed, sizeof(sealed)))
		return lxfw_error_system(error, "socket");
	*text = '\0';
	if (!*sealed)
		return 0;
	sealed[strcspn(sealed, "\n")] = '\0';
	if (lxfw_route_answer_open(munge, sealed, word, text, &user, error))
		return -1;
	return is_server(round, user) ? 0 : no_server(user, error);
}

/* Returns 0 with the answer in TEXT, "" if the connection was ended, or -1 with errno and ERROR set. */
static int ask_once(const struct asked *asked, char text[LXFW_ROUTE_ANSWER],
		    struct lxfw_error *error)
{
	const struct round *round = asked->round;
	bool local = *asked->at == '/';
	int file, result;

	/* A socket whose queue is full. */
	while ((file = lxfw_route_open(asked->at, false, error)) < 0 && errno == EAGAIN &&
	       milliseconds_left(round) > 0)
		poll(NULL, 0, RETRY);
	if (file < 0)
		return -1;
	result = local || round->trusted ?
		 ask_plainly(round, file, local, asked->question, text, error) :
		 ask_sealed(round, file, asked->question, text, error);
	/* A server with too many connections ends some of them. */
	if (result && errno == ECONNRESET) {
		*text = '\0';
		result = 0;
	}
	if (result) {
		struct lxfw_error why = *error;

		lxfw_error_format(error, "%.100s: %.50s", asked->at, errno == ETIMEDOUT ?
				  "no answer in time" : why.text);
	}
	close(file);
	return result;
}

static void ask(struct asked *asked, struct lxfw_route_said *said)
{
	char text[LXFW_ROUTE_ANSWER];
	struct lxfw_error error;
	int result = 0;

	for (int i = 0; i < TRIES && result == 0; i++) {
		if (i > 0)
			poll(NULL, 0, RETRY);
		result = ask_once(asked, text, &error);
		if (*text)
			break;
	}
	if (result == 0 && lxfw_route_answer_read(&said->answer, text, &error) == 0)
		said->answered = true;
	else
		snprintf(said->problem, sizeof(said->problem), "%.150s", error.text);
}

static void release(struct asked *asked)
{
	free(asked->question);
	free(asked);
}

static void *run(void *context)
{
	struct asked *asked = context;
	struct round *round = asked->round;
	struct lxfw_route_said said = { 0 };
	bool left;

	ask(asked, &said);
	pthread_mutex_lock(&round->lock);
	asked->said = said;
	asked->ready = true;
	left = asked->left;
	round->open--;
	pthread_cond_signal(&round->done);
	pthread_mutex_unlock(&round->lock);
	if (left)
		release(asked);
	leave(round);
	return NULL;
}

/* The user of server=, a name or a number. */
static void find_server(struct round *round, const char *name)
{
	const struct passwd *entry = getpwnam(name);
	int64_t number;

	round->has_server = true;
	if (entry)
		round->server = entry->pw_uid;
	else if (lxfw_text_integer(name, strlen(name), 0, UINT32_MAX - 1, &number) == 0)
		round->server = (uid_t)number;
	else
		round->has_server = false;
}

static struct round *new_round(const struct lxfw_route_conf *conf)
{
	struct round *round = calloc(1, sizeof(*round));
	pthread_condattr_t attributes;

	if (!round)
		return NULL;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&round->done, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&round->lock, NULL);
	round->users = 1;
	clock_gettime(CLOCK_MONOTONIC, &round->until);
	round->until.tv_sec += conf->answer;
	round->trusted = conf->trusted;
	snprintf(round->munge, sizeof(round->munge), "%s", conf->munge ? conf->munge : "");
	find_server(round, conf->server ? conf->server : "");
	return round;
}

static struct asked *begin(struct round *round, const char *at, const char *question)
{
	struct asked *asked = calloc(1, sizeof(*asked));
	pthread_t thread;

	if (!asked)
		return NULL;
	asked->round = round;
	snprintf(asked->at, sizeof(asked->at), "%s", at);
	asked->question = strdup(question);
	pthread_mutex_lock(&round->lock);
	round->users++;
	round->open++;
	pthread_mutex_unlock(&round->lock);
	if (asked->question && pthread_create(&thread, NULL, run, asked) == 0) {
		pthread_detach(thread);
		return asked;
	}
	pthread_mutex_lock(&round->lock);
	round->users--;
	round->open--;
	pthread_mutex_unlock(&round->lock);
	release(asked);
	return NULL;
}

/* Takes what was said, or leaves the thread alone. */
static void take(struct round *round, struct asked *asked, struct lxfw_route_said *said)
{
	bool ready;

	pthread_mutex_lock(&round->lock);
	ready = asked->ready;
	asked->left = !ready;
	if (ready)
		*said = asked->said;
	else
		snprintf(said->problem, sizeof(said->problem), "%.100s: no answer in time",
			 asked->at);
	pthread_mutex_unlock(&round->lock);
	if (ready)
		release(asked);
}

int lxfw_route_ask(const struct lxfw_route_conf *conf, const char *const *questions,
		   struct lxfw_route_said *said, struct lxfw_error *error)
{
	struct asked *asked[LXFW_ROUTE_CLUSTERS] = { NULL };
	struct round *round = new_round(conf);
	int waited = 0;

	if (!round)
		return lxfw_error_system(error, "lxfw route");
	for (int i = 0; i < conf->count; i++) {
		said[i] = (struct lxfw_route_said) { 0 };
		if (!questions[i])
			snprintf(said[i].problem, sizeof(said[i].problem), "not asked");
		else if (!(asked[i] = begin(round, conf->list[i].at, questions[i])))
			snprintf(said[i].problem, sizeof(said[i].problem), "no thread");
	}
	pthread_mutex_lock(&round->lock);
	while (round->open > 0 && waited == 0)
		waited = pthread_cond_timedwait(&round->done, &round->lock, &round->until);
	pthread_mutex_unlock(&round->lock);
	for (int i = 0; i < conf->count; i++) {
		if (asked[i])
			take(round, asked[i], &said[i]);
	}
	leave(round);
	return 0;
}

void lxfw_route_offer_of(const struct lxfw_route_conf *conf, int cluster, int64_t run,
			 struct lxfw_route_said *said, struct lxfw_route_offer *offer)
{
	const struct lxfw_route_answer *answer = &said->answer;

	*offer = (struct lxfw_route_offer) { 0 };
	if (!said->answered)
		return;
	if (!answer->can)
		snprintf(said->problem, sizeof(said->problem), "%s", answer->reason);
	else if (answer->ping < 0 || answer->ping > conf->age)
		snprintf(said->problem, sizeof(said->problem), "its controller has not answered "
			 "for %lld s", (long long)answer->ping);
	else if (answer->pass > conf->pass)
		snprintf(said->problem, sizeof(said->problem), "its last pass was %lld s ago",
			 (long long)answer->pass);
	else
		*offer = (struct lxfw_route_offer) {
			.usable = true, .wait = answer->wait, .free = answer->free,
			.procs = answer->procs, .work = answer->work,
			.run = run >= 0 ? run :
			       (answer->limit * 1000 + conf->list[cluster].speed - 1) /
			       conf->list[cluster].speed,
		};
}
