/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dedicated time and prime time of the simulated server. The time zone is UTC. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/unit/fake_pbs_world.h"

const char *const fake_pbs_queues[] = { "workq", "high", "ded_q", "p_q", "np_q" };

/* --- the files ------------------------------------------------------------------------ */

static FILE *create(const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", fake_pbs.priv, name);
	return fopen(path, "w");
}

static void print_time(FILE *file, const char *format, int64_t at)
{
	time_t seconds = (time_t)at;
	char text[40];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), format, &tm);
	fputs(text, file);
}

static void write_files(void)
{
	const struct fake_times *times = &fake_pbs.times;
	FILE *file = create("sched_config");

	fprintf(file, "preemptive_sched: %s ALL\ndedicated_prefix: ded\nprimetime_prefix: p_\nnonprimetime_prefix: np_\n"
		"backfill_prime: %s ALL\nprime_exempt_anytime_queues: %s\n",
		fake_pbs.preempts ? "true" : "false", times->backfill ? "true" : "false", times->exempt ? "true" : "false");
	fclose(file);
	file = create("dedicated_time");
	if (times->dedicated_to) {
		print_time(file, "%m/%d/%Y %H:%M ", times->dedicated_from);
		print_time(file, "%m/%d/%Y %H:%M\n", times->dedicated_to);
	}
	fclose(file);
	file = create("holidays");
	if (times->prime_to) {
		print_time(file, "YEAR %Y\nfriday %H%M ", times->prime_from);
		print_time(file, "%H%M\n", times->prime_to);
	}
	fclose(file);
}

void fake_pbs_begin_times(void)
{
	struct fake_times *times = &fake_pbs.times;
	int64_t minute = fake_pbs.now / 60 * 60;	/* a Friday, 8:00 */

	if (!fake_pbs.priv)
		return;
	if (fake_pbs_roll(2)) {
		times->dedicated_from = minute + 60 * (1 + fake_pbs_roll(5));
		times->dedicated_to = times->dedicated_from + 60 * (1 + fake_pbs_roll(6));
	}
	if (fake_pbs_roll(2)) {
		times->prime_from = minute + 60 * (fake_pbs_roll(8) - 3);
		times->prime_to = times->prime_from + 60 * (1 + fake_pbs_roll(6));
	}
	times->backfill = fake_pbs_roll(2);
	times->exempt = fake_pbs_roll(2);
	write_files();
}

void fake_pbs_end_times(void)
{
	if (fake_pbs.priv && (fake_pbs.times.dedicated_to || fake_pbs.times.prime_to)) {
		memset(&fake_pbs.times, 0, sizeof(fake_pbs.times));
		write_files();
	}
	for (int i = 0; i < fake_pbs.jobs; i++) {
		if (strchr("QH", fake_pbs.job[i].state))
			fake_pbs.job[i].queue = FAKE_WORKQ;
	}
}

/* --- checks --------------------------------------------------------------------------- */

static bool overlaps(int64_t start, int64_t end)
{
	return start < fake_pbs.times.dedicated_to && fake_pbs.times.dedicated_from < end;
}

bool fake_pbs_meets_dedicated(int64_t start, int64_t end)
{
	return overlaps(start, end) && (start < fake_pbs.times.dedicated_from ||
					fake_pbs.times.dedicated_to < end);
}

static void check_dedicated(const struct fake_pbs_job *job, int64_t end)
{
	const struct fake_times *times = &fake_pbs.times;
	bool dedicated = job->queue == FAKE_DEDICATED;
	bool operated = job->number == fake_pbs.wanted;

	/* An operator's job may run within dedicated time, and one of a dedicated queue at any. */
	if (operated && (dedicated || (fake_pbs.now >= times->dedicated_from &&
				       end <= times->dedicated_to)))
		return;
	if (dedicated && (fake_pbs.now < times->dedicated_from || end > times->dedicated_to))
		fake_pbs_job_wrong(job, "is of a dedicated queue, and runs in other time");
	/* A job that gets a quantum is requeued or suspended after it. */
	if (!dedicated && overlaps(fake_pbs.now, fake_pbs.quanta ? fake_pbs.now + 1 : end))
		fake_pbs_job_wrong(job, "runs in dedicated time");
}

static void check_prime(const struct fake_pbs_job *job, int64_t end)
{
	const struct fake_times *times = &fake_pbs.times;
	bool none = !times->prime_to, anytime = job->queue < FAKE_PRIME;
	bool prime = none || (fake_pbs.now >= times->prime_from && fake_pbs.now < times->prime_to);

	if (job->number == fake_pbs.wanted)	/* prime time does not apply to an operator's job */
		return;
	if ((job->queue == FAKE_PRIME && !prime) || (job->queue == FAKE_NONPRIME && prime))
		fake_pbs_job_wrong(job, "starts in prime or nonprime time, and should not");
	if (none || fake_pbs.quanta || !times->backfill || (anytime && times->exempt))
		return;
	if ((fake_pbs.now < times->prime_from && end > times->prime_from) ||
	    (fake_pbs.now < times->prime_to && end > times->prime_to))
		fake_pbs_job_wrong(job, "runs across a change of prime time");
}

/* Some seconds after its beginning, unless an interruption was not foreseen. */
void fake_pbs_check_dedicated(void)
{
	const struct fake_times *times = &fake_pbs.times;

	if (fake_pbs.refusals || fake_pbs.deaths || fake_pbs.operated || fake_pbs.run_now ||
	    !times->dedicated_to ||
	    fake_pbs.now < times->dedicated_from + 30 || fake_pbs.now >= times->dedicated_to)
		return;
	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *job = &fake_pbs.job[i];

		if (job->state == 'R' && !job->interrupted && job->queue != FAKE_DEDICATED)
			fake_pbs_job_wrong(job, "still runs in dedicated time");
	}
}

void fake_pbs_check_times(const struct fake_pbs_job *job)
{
	int64_t end = fake_pbs.now + job->walltime;

	fake_pbs.dedicated += job->queue == FAKE_DEDICATED;
	fake_pbs.prime += job->queue == FAKE_PRIME;
	fake_pbs.nonprime += job->queue == FAKE_NONPRIME;
	check_dedicated(job, end);
	check_prime(job, end);
}
