/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program with threads for jobs whose processors change, of one of three kinds:
 *
 *	malleable idle THREADS
 *		threads that wait, until it is killed
 *	malleable burn THREADS UNITS [LOG]
 *		computes, on all threads always, as a program does that knows of
 *		nothing; how fast is up to the processors it has
 *	malleable pretend THREADS UNITS [LOG]
 *		a thread works if its number is below what $LXFW_COUNT_FILE says, a
 *		unit in 0.1 s, by waiting: so it can pretend to have processors that
 *		the machine has not
 *
 * A unit is 0.1 s of one processor. LOG gets a line for each second of work: time
 * since 1970, processors by $LXFW_COUNT_FILE, units done so far. Exit status 0 when
 * UNITS are done, 2 on misuse.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define UNIT_NS 100000000L
#define NS_PER_S 1000000000L

enum kind { IDLE, BURN, PRETEND };

static enum kind kind;
static long threads, units;
/* Of a tenth of a unit: threads share the end of the work evenly. */
static atomic_long done, taken;

static long count_now(void)
{
	const char *path = getenv("LXFW_COUNT_FILE");
	FILE *file = path ? fopen(path, "r") : NULL;
	long count = threads;

	if (!file)
		return count;
	if (fscanf(file, "%ld", &count) != 1)
		count = threads;
	fclose(file);
	return count;
}

static long cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* A tenth of a unit of processor time, however long that takes. */
static void burn(void)
{
	long until = cpu_ns() + UNIT_NS / 10;
	volatile unsigned sum = 0;
	int i;

	while (cpu_ns() < until)
		for (i = 0; i < 10000; i++)
			sum += (unsigned)i;
}

static void rest(void)
{
	const struct timespec tenth = { .tv_nsec = UNIT_NS / 10 };

	nanosleep(&tenth, NULL);
}

static void *work(void *number)
{
	/* Looked at every unit, not every tenth. */
	long mine = (long)number, count = 0, looks = 0;

	while (kind == IDLE)
		pause();
	for (;;) {
		if (looks++ % 10 == 0)
			count = count_now();
		if (kind == PRETEND && mine >= count) {
			if (atomic_load(&done) >= units * 10)
				return NULL;
			rest();
			continue;
		}
		if (atomic_fetch_add(&taken, 1) >= units * 10)
			return NULL;
		if (kind == BURN)
			burn();
		else
			rest();
		atomic_fetch_add(&done, 1);
	}
}

static void write_log(const char *path)
{
	FILE *file = fopen(path, "a");
	struct timespec now;

	if (!file)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(file, "%ld.%03ld %ld %ld.%ld\n", (long)now.tv_sec,
		now.tv_nsec / 1000000, count_now(), atomic_load(&done) / 10,
		atomic_load(&done) % 10);
	fclose(file);
}

static int usage(void)
{
	fputs("usage: malleable idle THREADS | burn|pretend THREADS UNITS [LOG]\n",
	      stderr);
	return 2;
}

static int read_arguments(int count, char **arguments)
{
	static const char *const kinds[] = { "idle", "burn", "pretend" };

	if (count < 3)
		return -1;
	for (kind = IDLE; kind <= PRETEND; kind++)
		if (strcmp(arguments[1], kinds[kind]) == 0)
			break;
	threads = atol(arguments[2]);
	if (kind > PRETEND || threads < 1 ||
	    (kind != IDLE && (count < 4 || (units = atol(arguments[3])) < 1)))
		return -1;
	return 0;
}

int main(int count, char **arguments)
{
	const char *log = count > 4 ? arguments[4] : NULL;
	long i;

	if (read_arguments(count, arguments) < 0)
		return usage();
	for (i = 0; i < threads; i++) {
		pthread_t thread;
		int why = pthread_create(&thread, NULL, work, (void *)i);

		if (why) {
			fprintf(stderr, "malleable: %s\n", strerror(why));
			return 1;
		}
		pthread_detach(thread);
	}
	for (i = 0; kind == IDLE || atomic_load(&done) < units * 10; i++) {
		if (log && i % 100 == 0)
			write_log(log);
		rest();
	}
	if (log)
		write_log(log);
	return 0;
}
