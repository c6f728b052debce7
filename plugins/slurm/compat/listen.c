/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/compat/listen.h"

#include <pthread.h>
#include <sys/prctl.h>

#include "plugins/slurm/compat/compat.h"

/* `stop` is protected by the mutex of slurmctld's condition. */
static struct {
	pthread_t thread;
	bool runs, stop;
	void (*handled)(void);
} listener;

static void *listen_main(void *argument)
{
	pthread_mutex_t *mutex = &slurmctld_config.thread_count_lock;

	(void)argument;
	(void)prctl(PR_SET_NAME, "lxfw_listen", NULL, NULL, NULL);
	pthread_mutex_lock(mutex);
	while (!listener.stop &&
	       pthread_cond_wait(&slurmctld_config.thread_count_cond, mutex) == 0) {
		/* With the mutex held, no signal is missed. */
		if (!listener.stop)
			listener.handled();
	}
	pthread_mutex_unlock(mutex);
	return NULL;
}

bool lxfw_listen_start(void (*handled)(void))
{
	if (listener.runs)
		return false;
	listener.stop = false;
	listener.handled = handled;
	listener.runs = pthread_create(&listener.thread, NULL, listen_main, NULL) == 0;
	return listener.runs;
}

void lxfw_listen_stop(void)
{
	if (!listener.runs)
		return;
	pthread_mutex_lock(&slurmctld_config.thread_count_lock);
	listener.stop = true;
	/* slurmctld's threads tolerate being woken without a reason. */
	pthread_cond_broadcast(&slurmctld_config.thread_count_cond);
	pthread_mutex_unlock(&slurmctld_config.thread_count_lock);
	pthread_join(listener.thread, NULL);
	listener.runs = false;
}
