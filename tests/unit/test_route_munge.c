/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to `lxfw route --serve` over a network, with a private munged, and what is not one. */
#include "sim-frontend/route/credential.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include "sim-frontend/route/address.h"
#include "sim-frontend/route/server.h"
#include "tests/unit/route_world.h"

static struct lxfw_route_conf conf;
static char munge[150];
static pid_t munged, server;

static pid_t run(char *const *words)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		alarm(300);
		freopen("/dev/null", "w", stderr);
		execvp(words[0], words);
		_exit(127);
	}
	return child;
}

/* A port that is free. */
static const char *free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	int file = socket(AF_INET, SOCK_STREAM, 0);
	static char text[40];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(file, (struct sockaddr *)&address, length), 0);
	assert_int_equal(getsockname(file, (struct sockaddr *)&address, &length), 0);
	close(file);
	snprintf(text, sizeof(text), "127.0.0.1:%d", ntohs(address.sin_port));
	return text;
}

/* Returns whether munged is there. */
static bool start_munged(void)
{
	char words[5][200], key[1024 + 1], *list[] = {
		"munged", "--foreground", "--force", words[0], words[1], words[2], words[3],
		words[4], NULL,
	};
	static const char *const names[] = { "key-file", "socket", "pid-file", "log-file", "seed-file" };
	char sealed[LXFW_ROUTE_CREDENTIAL];
	const struct timespec step = { .tv_nsec = 20000000 };
	struct lxfw_error error;

	for (int i = 0; i < 5; i++)
		snprintf(words[i], sizeof(words[i]), "--%s=%s", names[i], unit_path(names[i]));
	memset(key, 'k', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	assert_int_equal(chmod(unit_file("key-file", key), 0600), 0);
	snprintf(munge, sizeof(munge), "%s", unit_path("socket"));
	munged = run(list);
	for (int i = 0; i < 1000; i++) {
		if (lxfw_route_question_seal(munge, "0123456789abcdef0123456789abcdef", "", sealed,
					     &error) == 0)
			return true;
		if (waitpid(munged, NULL, WNOHANG) == munged) {
			munged = 0;
			return false;
		}
		nanosleep(&step, NULL);
	}
	return false;
}

static int begin_serving(void **state)
{
	static struct lxfw_route_arguments arguments = { .ping = 1 };

	unit_files_begin(state);
	write_programs();
	if (!lxfw_route_credentials() || !start_munged()) {
		print_message("no munge: skipped\n");
		return 0;
	}
	arguments.journal = strdup(write_journal());
	arguments.at = free_port();
	arguments.munge = munge;
	conf = (struct lxfw_route_conf) {
		.count = 1, .answer = 20, .server = "none", .munge = munge,
	};
	conf.list[0].at = strdup(arguments.at);
	server = start_server(&arguments);
	await_server(&conf);
	return 0;
}

static int end_serving(void **state)
{
	if (server > 0)
		end_process(server);
	if (munged > 0)
		end_process(munged);
	return unit_files_end(state);
}

/* Sends TEXT, and returns what comes back, until the connection ends. */
static const char *say(const char *text)
{
	static char got[LXFW_ROUTE_CREDENTIAL];
	const struct timespec step = { .tv_nsec = 5000000 };
	struct lxfw_error error;
	int file = lxfw_route_open(conf.list[0].at, false, &error);
	size_t length = 0;
	ssize_t part;

	assert_true(file >= 0);
	while (send(file, text, strlen(text), MSG_NOSIGNAL) < 0 && errno == EAGAIN)
		nanosleep(&step, NULL);
	while ((part = recv(file, got + length, sizeof(got) - 1 - length, 0)) > 0 ||
	       (part < 0 && errno == EAGAIN)) {
		if (part > 0)
			length += (size_t)part;
		else
			nanosleep(&step, NULL);
	}
	got[length] = '\0';
	close(file);
	return got;
}

#define WORD "0123456789abcdef0123456789abcdef"

static const char *seal(const char *text)
{
	static char sealed[LXFW_ROUTE_CREDENTIAL];
	struct lxfw_error error;

	if (lxfw_route_question_seal(munge, WORD, text, sealed, &error))
		fail_msg("%s", error.text);
	return sealed;
}

static void users_are_known(void **state)
{
	struct lxfw_route_said said;

	(void)state;
	if (!server)
		return;
	assert_true(ask_as(getuid(), &conf, "start -n 1").answer.can);
	if (getuid() != 0)
		return;
	assert_int_equal(ask_as(0, &conf, "job 3").answer.limit, 7777);
	assert_int_equal(ask_as(ROUTE_OWNER, &conf, "job 3").answer.limit, 7777);
	said = ask_as(ROUTE_OTHER, &conf, "job 3");
	assert_true(said.answered);
	assert_string_equal(said.answer.reason, "no such job waits");
}

/* What is no question of a user has no answer. */
static void others_have_no_answer(void **state)
{
	char sealed[LXFW_ROUTE_CREDENTIAL], *at;
	struct lxfw_error error;

	(void)state;
	if (!server)
		return;
	assert_string_equal(say("lxfw-route 1\nstart -n 1\nend\n"), "");
	assert_string_equal(say("MUNGE:AwQ=:\n"), "");
	assert_string_equal(say("MUNGE::\n"), "");
	assert_string_equal(say(seal("lxfw-route 1\nstart -n 1\n")), "");
	/* An answer, and a question that was changed. */
	assert_int_equal(lxfw_route_answer_seal(munge, WORD, "lxfw-route 1\nstart -n 1\nend\n",
						getuid(), sealed, &error), 0);
	assert_string_equal(say(sealed), "");
	strcpy(sealed, seal("lxfw-route 1\nstart -n 1\nend\n"));
	at = sealed + strlen(sealed) / 2;
	*at = *at == 'A' ? 'B' : 'A';
	assert_string_equal(say(sealed), "");
	/* One that is too long. */
	memset(sealed, 'A', sizeof(sealed) - 1);
	memcpy(sealed, "MUNGE:", 6);
	sealed[sizeof(sealed) - 1] = '\0';
	assert_string_equal(say(sealed), "");
}

static void is_answered_once(void **state)
{
	char sealed[LXFW_ROUTE_CREDENTIAL], text[LXFW_ROUTE_ANSWER];
	struct lxfw_error error;
	uid_t user;

	(void)state;
	if (!server)
		return;
	strcpy(sealed, seal("lxfw-route 1\nstart -n 1\nend\n"));
	assert_int_equal(lxfw_route_answer_open(munge, say(sealed), WORD, text, &user, &error), 0);
	assert_int_equal(user, getuid());
	assert_non_null(strstr(text, "lxfw-route 1 start "));
	assert_string_equal(say(sealed), "");
	/* Its answer is not one to another question. */
	strcpy(sealed, seal("lxfw-route 1\nstart -n 1\nend\n"));
	assert_int_equal(lxfw_route_answer_open(munge, say(sealed),
						"ffffffffffffffffffffffffffffffff", text, &user,
						&error), -1);
	assert_string_equal(error.text, "an answer to another question");
}

/* Another user cannot read an answer. */
static void answers_are_private(void **state)
{
	char sealed[LXFW_ROUTE_CREDENTIAL], text[LXFW_ROUTE_ANSWER];
	struct lxfw_error error;
	int status;
	pid_t child;
	uid_t user;

	(void)state;
	if (!server || getuid() != 0)
		return;
	strcpy(sealed, say(seal("lxfw-route 1\nstart -n 1\nend\n")));
	child = fork();
	if (child == 0) {
		if (setuid(ROUTE_OTHER))
			_exit(2);
		_exit(lxfw_route_answer_open(munge, sealed, WORD, text, &user, &error) == 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* One user answers the questions of another one. */
static void impostor(void **state)
{
	struct lxfw_route_conf other = conf;
	struct lxfw_route_said said;
	struct lxfw_error error;
	int file;
	pid_t child;

	(void)state;
	if (!server || getuid() != 0)
		return;
	other.list[0].at = strdup(free_port());
	file = lxfw_route_open(other.list[0].at, true, &error);
	assert_true(file >= 0);
	assert_int_equal(fcntl(file, F_SETFL, 0), 0);
	child = fork();
	if (child == 0) {
		char sealed[LXFW_ROUTE_CREDENTIAL], text[LXFW_ROUTE_QUESTION], word[LXFW_ROUTE_WORD];
		size_t length = 0;
		uid_t user;
		int one = accept(file, NULL, NULL);

		if (setuid(ROUTE_OTHER))
			_exit(1);
		while (!lxfw_route_credential_ends(sealed, length)) {
			ssize_t got = recv(one, sealed + length, sizeof(sealed) - length, 0);

			if (got <= 0)
				_exit(2);
			length += (size_t)got;
		}
		sealed[length - 1] = '\0';
		if (lxfw_route_question_open(munge, sealed, word, text, &user, &error) ||
		    lxfw_route_answer_seal(munge, word, "lxfw-route 1 start 0 8 8 0 60 0 0\n", user,
					   sealed, &error))
			_exit(3);
		_exit(send(one, sealed, strlen(sealed), 0) < 0);
	}
	said = ask_as(ROUTE_OWNER, &other, "start -n 1");
	assert_false(said.answered);
	assert_non_null(strstr(said.problem, "user 12346 answers, expected root"));
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(file);
	free(other.list[0].at);
}

/* Without munge a server listens over a trusted network only, and there to all. */
static void without_munge(void **state)
{
	struct lxfw_route_server one = { .listener = -1 };
	struct lxfw_error error;

	(void)state;
	if (lxfw_route_credentials())
		return;
	assert_int_equal(lxfw_route_listen(&one, free_port(), &error), -1);
	assert_non_null(strstr(error.text, "built without munge"));
	one.trusted = true;
	assert_int_equal(lxfw_route_listen(&one, free_port(), &error), 0);
	close(one.listener);
}

static void trusted_network(void **state)
{
	static struct lxfw_route_arguments arguments = { .ping = 1, .trusted = true };
	struct lxfw_route_conf plain = { .count = 1, .answer = 20, .trusted = true };
	struct lxfw_route_said said;
	pid_t other;

	(void)state;
	arguments.journal = strdup(write_journal());
	plain.list[0].at = strdup(free_port());
	arguments.at = plain.list[0].at;
	other = start_server(&arguments);
	await_server(&plain);
	/* Not even root is known there. */
	said = ask_as(getuid(), &plain, "job 3");
	assert_true(said.answered);
	assert_string_equal(said.answer.reason, "no such job waits");
	end_process(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(users_are_known),
		cmocka_unit_test(others_have_no_answer),
		cmocka_unit_test(is_answered_once),
		cmocka_unit_test(answers_are_private),
		cmocka_unit_test(impostor),
		cmocka_unit_test(without_munge),
		cmocka_unit_test(trusted_network),
	};

	return cmocka_run_group_tests_name("route_munge", tests, begin_serving, end_serving);
}
