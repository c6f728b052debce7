/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/history/ran_signals.h"

#include <errno.h>

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

#define COUNT (sizeof(numbers) / sizeof(*numbers))

void lxfw_ran_signals_hold(struct lxfw_ran_signals *signals)
{
	sigemptyset(&signals->set);
	for (size_t i = 0; i < COUNT; i++) {
		struct sigaction action;

		/* An ignored signal that is held would seem to have arrived. */
		if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&signals->set, numbers[i]);
	}
	signals->held = sigprocmask(SIG_BLOCK, &signals->set, &signals->before) == 0;
}

bool lxfw_ran_signals_arrived(const struct lxfw_ran_signals *signals)
{
	sigset_t arrived;

	if (!signals->held || sigpending(&arrived))
		return false;
	for (size_t i = 0; i < COUNT; i++) {
		if (sigismember(&signals->set, numbers[i]) == 1 &&
		    sigismember(&signals->before, numbers[i]) == 0 &&
		    sigismember(&arrived, numbers[i]) == 1)
			return true;
	}
	return false;
}

void lxfw_ran_signals_release(struct lxfw_ran_signals *signals)
{
	int saved = errno;

	if (signals->held)
		sigprocmask(SIG_SETMASK, &signals->before, NULL);
	signals->held = false;
	errno = saved;
}
