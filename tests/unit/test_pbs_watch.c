/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The watch of lxfw-pbsd: a server that does not answer, signals that are not taken, and what
   the service manager is told. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/pbs/watch.h"

static char logged[200];
static int logs;

static void keep_log(enum lxfw_log_level level, const char *text)
{
	(void)level;
	snprintf(logged, sizeof(logged), "%s", text);
	logs++;
}

static bool is_broken(int socket)
{
	char byte;

	return recv(socket, &byte, 1, MSG_DONTWAIT) == 0;
}

static void stalls(void **state)
{
	struct lxfw_pbs_watch watch = { 0 };
	int primary[2], secondary[2];
	bool healthy;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, primary), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, secondary), 0);
	lxfw_pbs_watch_init(&watch, 100);
	watch.sockets[0] = primary[0];
	watch.sockets[1] = secondary[0];
	logs = 0;
	/* A thread that waits for nothing. */
	assert_true(lxfw_pbs_watch_look(&watch, 1000000, &healthy) && healthy);
	watch.passes.since_ms = 1000000;
	assert_true(lxfw_pbs_watch_look(&watch, 1009999, &healthy) && healthy);
	assert_int_equal(logs, 0);
	/* Logged once. */
	assert_true(lxfw_pbs_watch_look(&watch, 1010000, &healthy) && healthy);
	assert_true(lxfw_pbs_watch_look(&watch, 1099999, &healthy) && healthy);
	assert_int_equal(logs, 1);
	assert_string_equal(logged, "the server has not answered for 10 s");
	assert_false(is_broken(primary[1]));
	/* Broken once. */
	assert_true(lxfw_pbs_watch_look(&watch, 1100000, &healthy) && !healthy);
	assert_true(is_broken(primary[1]) && is_broken(secondary[1]));
	assert_true(lxfw_pbs_watch_look(&watch, 1200000, &healthy) && !healthy);
	assert_int_equal(logs, 2);
	/* Another request. */
	watch.passes.since_ms = 1200000;
	assert_true(lxfw_pbs_watch_look(&watch, 1201000, &healthy) && healthy);
	/* The other thread. */
	lxfw_pbs_wait_end(&watch.passes);
	watch.sockets[0] = watch.sockets[1] = -1;
	watch.commands.since_ms = 1200000;
	assert_true(lxfw_pbs_watch_look(&watch, 1300000, &healthy) && !healthy);
	assert_int_equal(logs, 4);
	for (int i = 0; i < 2; i++) {
		close(primary[i]);
		close(secondary[i]);
	}
}

static void signals(void **state)
{
	struct lxfw_pbs_watch watch = { 0 };
	bool healthy;
	struct signalfd_siginfo info = { .ssi_signo = SIGHUP };
	int pipes[2];

	(void)state;
	assert_int_equal(pipe2(pipes, O_NONBLOCK), 0);
	lxfw_pbs_watch_init(&watch, 100);
	watch.signals = pipes[0];
	assert_true(lxfw_pbs_watch_look(&watch, 1000000, &healthy));
	for (int i = 0; i < 2; i++) {
		int64_t at = 1001000 + i * 100000;

		info.ssi_signo = i ? SIGTERM : SIGHUP;
		assert_int_equal(write(pipes[1], &info, sizeof(info)), sizeof(info));
		assert_true(lxfw_pbs_watch_look(&watch, at, &healthy));
		assert_true(lxfw_pbs_watch_look(&watch, at + 9999, &healthy));
		/* SIGHUP does not end the daemon. */
		assert_true(lxfw_pbs_watch_look(&watch, at + 10000, &healthy) == (i == 0));
		assert_int_equal(read(pipes[0], &info, sizeof(info)), -1);
	}
	close(pipes[0]);
	close(pipes[1]);
}

/* Receives what is sent to the socket of this name; '@' is the abstract name space. */
static void expect_notice(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	char text[40] = "";

	memcpy(address.sun_path, name, strlen(name));
	if (*name == '@')
		address.sun_path[0] = '\0';
	assert_int_equal(bind(fd, (struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
					  strlen(name))), 0);
	setenv("NOTIFY_SOCKET", name, 1);
	lxfw_pbs_notify("READY=1");
	assert_int_equal(recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT), 7);
	assert_string_equal(text, "READY=1");
	close(fd);
}

static void notices(void **state)
{
	char folder[] = "/tmp/lxfw-watch-XXXXXX", path[60], abstract[60], longer[300];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/socket", folder);
	expect_notice(path);
	unlink(path);
	rmdir(folder);
	snprintf(abstract, sizeof(abstract), "@lxfw-watch-%d", (int)getpid());
	expect_notice(abstract);
	/* Without a listener, and with invalid names. */
	lxfw_pbs_notify("READY=1");
	memset(longer, '/', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	setenv("NOTIFY_SOCKET", longer, 1);
	lxfw_pbs_notify("READY=1");
	setenv("NOTIFY_SOCKET", "relative", 1);
	lxfw_pbs_notify("READY=1");
	unsetenv("NOTIFY_SOCKET");
	lxfw_pbs_notify("READY=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stalls),
		cmocka_unit_test(signals),
		cmocka_unit_test(notices),
	};

	lxfw_log_to(keep_log);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
