/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_seeds POLICY SEED JOBS: write a journal of a small simulated cluster to standard
 * output. It generated the seeds in corpus/journal and corpus/replay. To generate them
 * again after a change of the format:
 *
 *   for p in fcfs easy conservative priority lxfw sjf; do
 *           make_seeds $p 1 12 >corpus/replay/$p.jnl
 *   done
 *   make_seeds classes 4 40 >corpus/replay/classes.jnl
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/journal.h"
#include "common/sched.h"
#include "tests/unit/mini.h"

static int simulate(struct mini *mini, struct lxfw_sched *sched,
		    struct lxfw_buffer *buffer)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_PARAMS, .time = mini->now,
		.params = &mini->params,
	};

	do {
		struct lxfw_decision decision;
		struct lxfw_error error;

		if (lxfw_journal_put_event(buffer, &event) < 0)
			return -1;
		if (lxfw_sched_apply(sched, &event, &error) < 0) {
			fprintf(stderr, "event %d: %s\n", event.type, error.text);
			return -1;
		}
		if (mini->step < 8)
			continue;
		if (lxfw_sched_decide(sched, mini->now, &decision) < 0 ||
		    lxfw_journal_put_decision(buffer, mini->now, &decision) < 0)
			return -1;
		if (!mini_take(mini, &decision)) {
			fprintf(stderr, "the scheduler %s\n", mini->wrong);
			return -1;
		}
	} while (mini_next(mini, &event));
	return 0;
}

int main(int argc, char **argv)
{
	struct lxfw_buffer buffer = { 0 };
	struct mini *mini = calloc(1, sizeof(*mini));
	struct lxfw_sched *sched;
	enum lxfw_policy policy = argc == 4 ?
		lxfw_policy_by_name(argv[1], (int)strlen(argv[1])) : 0;
	int result;

	if (!policy || !mini) {
		fprintf(stderr, "usage: make_seeds POLICY SEED JOBS\n");
		free(mini);
		return 2;
	}
	mini_begin(mini, strtoull(argv[2], NULL, 10), atoi(argv[3]), policy,
		   MINI_NO_SERVICE);
	sched = lxfw_sched_create(&mini->params);
	result = sched ? simulate(mini, sched, &buffer) : -1;
	fwrite(LXFW_JOURNAL_MAGIC, 1, LXFW_JOURNAL_MAGIC_SIZE, stdout);
	fwrite(buffer.bytes, 1, buffer.length, stdout);
	lxfw_sched_destroy(sched);
	free(buffer.bytes);
	free(mini);
	return result < 0 || fflush(stdout) != 0;
}
