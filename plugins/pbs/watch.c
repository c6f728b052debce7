/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/watch.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/agent/loop.h"

#define SIGNAL_MS 10000		/* a signal is left to the thread that reads commands */

int64_t lxfw_pbs_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void lxfw_pbs_watch_init(struct lxfw_pbs_watch *watch, int64_t seconds)
{
	watch->sockets[0] = watch->sockets[1] = -1;
	watch->signals = -1;
	watch->log_ms = seconds * 100;
	watch->break_ms = seconds * 1000;
}

/* --- stalls --------------------------------------------------------------------------- */

/* The connections are closed only by a thread that waits for nothing. */
static void break_connections(struct lxfw_pbs_watch *watch)
{
	for (int i = 0; i < 2; i++) {
		int socket = watch->sockets[i];

		if (socket >= 0)
			(void)shutdown(socket, SHUT_RDWR);
	}
}

/* Returns false if the thread has waited for longer than the connections are kept. */
static bool look_at(struct lxfw_pbs_watch *watch, const struct lxfw_pbs_wait *wait,
		    int64_t now_ms)
{
	int64_t since = atomic_load(&wait->since_ms), passed = now_ms - since;

	if (!since || passed < watch->log_ms)
		return true;
	if (watch->logged_ms != since) {
		lxfw_log_error("the server has not answered for %lld s",
			       (long long)(passed / 1000));
		watch->logged_ms = since;
	}
	if (passed < watch->break_ms)
		return true;
	if (watch->broken_ms != since) {
		lxfw_log_error("the server has not answered for %lld s: its connections are closed",
			       (long long)(passed / 1000));
		watch->broken_ms = since;
		break_connections(watch);
	}
	return false;
}

/* Takes the signal. Returns true if it ends the daemon. */
static bool take_signal(struct lxfw_pbs_watch *watch)
{
	struct signalfd_siginfo info;

	watch->signal_ms = 0;
	if (read(watch->signals, &info, sizeof(info)) != sizeof(info))
		return false;	/* the other thread has taken it */
	if (info.ssi_signo != SIGHUP)
		return true;
	lxfw_loop_reconfigure();
	return false;
}

/* Returns true if the thread that reads commands has not taken a signal that ends the daemon. */
static bool signal_is_late(struct lxfw_pbs_watch *watch, int64_t now_ms)
{
	struct pollfd polled = { .fd = watch->signals, .events = POLLIN };

	if (watch->signals < 0 || poll(&polled, 1, 0) <= 0) {
		watch->signal_ms = 0;
		return false;
	}
	if (!watch->signal_ms)
		watch->signal_ms = now_ms;
	return now_ms - watch->signal_ms >= SIGNAL_MS && take_signal(watch);
}

bool lxfw_pbs_watch_look(struct lxfw_pbs_watch *watch, int64_t now_ms, bool *healthy)
{
	bool passes = look_at(watch, &watch->passes, now_ms);
	bool commands = look_at(watch, &watch->commands, now_ms);

	*healthy = passes && commands;
	return !signal_is_late(watch, now_ms);
}

/* --- the thread ----------------------------------------------------------------------- */

static void *watch_main(void *argument)
{
	const struct timespec second = { .tv_sec = 1 };
	struct lxfw_pbs_watch *watch = argument;
	bool healthy;

	while (lxfw_pbs_watch_look(watch, lxfw_pbs_now_ms(), &healthy)) {
		if (healthy)
			lxfw_pbs_notify("WATCHDOG=1");
		nanosleep(&second, NULL);
	}
	lxfw_log_info("ends, while the server does not answer");
	_exit(0);
}

int lxfw_pbs_watch_start(struct lxfw_pbs_watch *watch)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, watch_main, watch) != 0)
		return -1;
	pthread_detach(thread);
	return 0;
}

/* --- the service manager -------------------------------------------------------------- */

void lxfw_pbs_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	int fd;

	/* A path, or a name in the abstract name space, which begins with '@'. */
	if (length < 2 || length >= sizeof(address.sun_path) || (*path != '/' && *path != '@'))
		return;
	memcpy(address.sun_path, path, length);
	if (*path == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	close(fd);
}
