/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The server of `lxfw route --serve` with clients that connect and do not ask. */
#include "sim-frontend/route/server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/route/address.h"
#include "tests/unit/file.h"
#include "tests/unit/unit.h"

#define SILENT 400		/* more than the server keeps of a user, fewer than the socket queues */
#define BEFORE 300		/* silent ones that connect before the one that asks */

static const char question[] = "lxfw-route 1\nstart -n 1\nend\n";

/* Clients connect in the first tick, so that all of them wait when the server looks. */
struct world {
	const char *at;
	int asks, silent[SILENT];
	int ticks, answered;
	volatile int stop;
};

static int connect_one(const struct world *world, const char *text)
{
	struct lxfw_error error;
	int file = lxfw_route_open(world->at, false, &error);

	assert_true(file >= 0);
	assert_int_equal(send(file, text, strlen(text), 0), strlen(text));
	return file;
}

static bool tick(void *context, int files[LXFW_ROUTE_FILES])
{
	struct world *world = context;

	(void)files;
	if (world->ticks++ == 0) {
		for (int i = 0; i < SILENT; i++) {
			if (i == BEFORE)
				world->asks = connect_one(world, question);
			world->silent[i] = connect_one(world, "");
		}
	}
	world->stop = world->ticks >= 4;
	return false;
}

static bool answer(void *context, const struct lxfw_route_peer *peer, char *text,
		   char line[LXFW_ROUTE_ANSWER])
{
	struct world *world = context;

	assert_true(peer->known);
	assert_int_equal(peer->user, getuid());
	assert_string_equal(text, question);
	world->answered++;
	strcpy(line, "lxfw-route 1 no\n");
	return true;
}

/* One that has asked is answered, however many come after it and are silent. */
static void answers_before_it_drops(void **state)
{
	struct world world = { .at = unit_path("socket") };
	struct lxfw_route_server server = {
		.answer = answer, .tick = tick, .context = &world,
	};
	char text[LXFW_ROUTE_ANSWER] = "";
	struct lxfw_error error;

	(void)state;
	alarm(60);
	assert_int_equal(lxfw_route_listen(&server, world.at, &error), 0);
	assert_int_equal(lxfw_route_serve(&server, &world.stop, &error), 0);
	assert_int_equal(world.answered, 1);
	assert_true(recv(world.asks, text, sizeof(text) - 1, MSG_DONTWAIT) > 0);
	assert_string_equal(text, "lxfw-route 1 no\n");
	close(world.asks);
	for (int i = 0; i < SILENT; i++)
		close(world.silent[i]);
}

/* One that connects first is silent, until another client is answered: its question arrives after
   the server has looked for questions, and as many others as it keeps wait to be welcomed. It is
   heard before it is dropped for one of them. A question with a byte 0 has no answer. */
struct late {
	const char *at;
	int asks, other, zero, silent[SILENT];
	int ticks, answered;
	volatile int stop;
};

static bool tick_late(void *context, int files[LXFW_ROUTE_FILES])
{
	struct late *late = context;
	const struct world at = { .at = late->at };

	(void)files;
	if (late->ticks == 0) {
		late->asks = connect_one(&at, "");
		late->other = connect_one(&at, "");
		late->zero = connect_one(&at, "");
	}
	if (late->ticks == 1) {
		assert_int_equal(send(late->zero, "lxfw-route 1\nstart -n\0001\nend\n", 28, 0), 28);
		assert_int_equal(send(late->other, question, strlen(question), 0),
				 strlen(question));
		for (int i = 0; i < SILENT; i++)
			late->silent[i] = connect_one(&at, "");
	}
	late->stop = ++late->ticks >= 4;
	return false;
}

static bool answer_late(void *context, const struct lxfw_route_peer *peer, char *text,
			char line[LXFW_ROUTE_ANSWER])
{
	struct late *late = context;

	(void)peer;
	assert_string_equal(text, question);
	if (late->answered++ == 0)
		assert_int_equal(send(late->asks, question, strlen(question), 0),
				 strlen(question));
	strcpy(line, "lxfw-route 1 no\n");
	return true;
}

static void hears_the_oldest_before_it_is_dropped(void **state)
{
	struct late late = { .at = unit_path("socket") };
	struct lxfw_route_server server = {
		.answer = answer_late, .tick = tick_late, .context = &late,
	};
	char text[LXFW_ROUTE_ANSWER] = "";
	struct lxfw_error error;

	(void)state;
	alarm(60);
	assert_int_equal(lxfw_route_listen(&server, late.at, &error), 0);
	assert_int_equal(lxfw_route_serve(&server, &late.stop, &error), 0);
	assert_int_equal(late.answered, 2);
	assert_true(recv(late.asks, text, sizeof(text) - 1, MSG_DONTWAIT) > 0);
	assert_string_equal(text, "lxfw-route 1 no\n");
	assert_int_equal(recv(late.zero, text, sizeof(text) - 1, MSG_DONTWAIT), 0);
	close(late.asks);
	close(late.other);
	close(late.zero);
	for (int i = 0; i < SILENT; i++)
		close(late.silent[i]);
}

/* All users may ask. A socket on which no server listens any more is replaced, another one is not. */
static void listens_once(void **state)
{
	struct lxfw_route_server one = { .listener = -1 }, other = { .listener = -1 };
	const char *at = unit_path("once");
	struct lxfw_error error;
	struct stat about;

	(void)state;
	assert_int_equal(lxfw_route_listen(&one, at, &error), 0);
	assert_int_equal(stat(at, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0666);
	assert_int_equal(lxfw_route_listen(&other, at, &error), -1);
	assert_non_null(strstr(error.text, "Address already in use"));
	close(one.listener);
	assert_int_equal(lxfw_route_listen(&other, at, &error), 0);
	close(other.listener);
	assert_int_equal(unlink(at), 0);
	/* A file is no socket, and stays. */
	at = unit_file("file", "mine");
	assert_int_equal(lxfw_route_listen(&other, at, &error), -1);
	assert_non_null(strstr(error.text, "Address already in use"));
	assert_int_equal(stat(at, &about), 0);
	assert_int_equal(about.st_size, 4);
}

static bool no_tick(void *context, int files[LXFW_ROUTE_FILES])
{
	(void)context, (void)files;
	return false;
}

/* At its end a server removes its socket, and nothing else that has the name by then. */
static void removes_its_own(void **state)
{
	struct lxfw_route_server server = { .tick = no_tick };
	const volatile int stop = 1;
	const char *at = unit_path("own");
	struct lxfw_error error;
	struct stat about;

	(void)state;
	assert_int_equal(lxfw_route_listen(&server, at, &error), 0);
	assert_int_equal(lxfw_route_serve(&server, &stop, &error), 0);
	assert_int_equal(lstat(at, &about), -1);
	assert_int_equal(lxfw_route_listen(&server, at, &error), 0);
	assert_int_equal(unlink(at), 0);
	unit_file("own", "mine");
	assert_int_equal(lxfw_route_serve(&server, &stop, &error), 0);
	assert_int_equal(lstat(at, &about), 0);
	assert_int_equal(about.st_size, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_before_it_drops),
		cmocka_unit_test(hears_the_oldest_before_it_is_dropped),
		cmocka_unit_test(listens_once),
		cmocka_unit_test(removes_its_own),
	};

	return cmocka_run_group_tests_name("route_server", tests, unit_files_begin,
					   unit_files_end);
}
