/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/ping.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(int output)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDERR_FILENO);
	}
	dup2(output, STDOUT_FILENO);
	execlp("timeout", "timeout", "-k", "1", "60", "scontrol", "ping", (char *)NULL);
	_exit(127);
}

static void ask(struct lxfw_route_ping *ping, int64_t now)
{
	int pipes[2];

	ping->begun = now;
	ping->length = 0;
	if (pipe(pipes))
		return;
	fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	fcntl(pipes[1], F_SETFD, FD_CLOEXEC);
	ping->child = fork();
	if (ping->child == 0)
		become(pipes[1]);
	close(pipes[1]);
	ping->file = pipes[0];
	if (ping->child < 0) {
		ping->child = 0;
		close(pipes[0]);
		ping->file = -1;
	}
}

void lxfw_route_ping_end(struct lxfw_route_ping *ping)
{
	if (ping->child <= 0)
		return;
	kill(ping->child, SIGTERM);
	while (waitpid(ping->child, NULL, 0) < 0 && errno == EINTR)
		;
	ping->child = 0;
	close(ping->file);
	ping->file = -1;
}

int lxfw_route_ping_tick(struct lxfw_route_ping *ping, int64_t now, int64_t every)
{
	ssize_t got = -1;

	while (ping->child > 0 &&
	       (got = read(ping->file, ping->said + ping->length,
			   sizeof(ping->said) - 1 - ping->length)) > 0)
		ping->length += (size_t)got;
	if (ping->child > 0 && (got == 0 || (errno != EAGAIN && errno != EINTR))) {
		ping->said[ping->length] = '\0';
		/* "Slurmctld(primary) at host is UP", one line per controller */
		if (strstr(ping->said, " is UP"))
			ping->good = ping->begun;
		lxfw_route_ping_end(ping);
	}
	if (ping->child == 0 && now >= ping->begun + every)
		ask(ping, now);
	return ping->file;
}
