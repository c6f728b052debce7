/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program with threads for adaptive jobs, of one of three kinds:
 *
 *	malleable idle THREADS
 *		the threads wait until the program is killed
 *	malleable burn THREADS UNITS [LOG]
 *		all threads compute, as in a program that ignores its share; the speed
 *		depends on the processors it has
 *	malleable pretend THREADS UNITS [LOG]
 *		a thread works, by waiting, if its number is below the count in
 *		$LXFW_COUNT_FILE: it simulates processors that the machine lacks
 *
 * A unit is 0.1 s of one processor; for the third kind, 0.1 s of a working thread. One
 * line is written to LOG each second and after each change of the number of processors:
 * time since 1970, processors according to $LXFW_COUNT_FILE, units done so far. The exit
 * status is 0 when UNITS are done, and 2 on misuse.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000L
#define UNIT_NS (NS_PER_S / 10)
/* Interval for checking the number of processors and the remaining work. */
#define LOOK_NS (NS_PER_S / 10)

enum kind { IDLE, BURN, PRETEND };

static enum kind kind;
static long threads, units;
static atomic_long done;	/* processor time in ns */
static atomic_long allowed;	/* processors according to the file */

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

static long ns_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static bool is_over(void)
{
	return atomic_load(&done) >= units * UNIT_NS;
}

static void rest(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

/* Use a hundredth of a second of processor time, however long that takes. */
static void burn(void)
{
	long until = ns_of(CLOCK_THREAD_CPUTIME_ID) + NS_PER_S / 100;
	volatile unsigned sum = 0;
	int i;

	while (ns_of(CLOCK_THREAD_CPUTIME_ID) < until)
		for (i = 0; i < 10000; i++)
			sum += (unsigned)i;
}

static void *work(void *number)
{
	clockid_t clock = kind == BURN ? CLOCK_THREAD_CPUTIME_ID :
					 CLOCK_MONOTONIC;
	long mine = (long)number, before;

	while (kind == IDLE)
		pause();
	while (!is_over()) {
		bool works = kind == BURN || mine < atomic_load(&allowed);

		before = ns_of(clock);
		if (kind == BURN)
			burn();
		else
			rest(LOOK_NS);
		if (works)
			atomic_fetch_add(&done, ns_of(clock) - before);
	}
	return NULL;
}

static void write_log(const char *path)
{
	FILE *file = fopen(path, "a");
	struct timespec now;

	if (!file)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(file, "%ld.%03ld %ld %.2f\n", (long)now.tv_sec,
		now.tv_nsec / 1000000, atomic_load(&allowed),
		(double)atomic_load(&done) / UNIT_NS);
	fclose(file);
}

/* Return when the work is done. */
static void watch(const char *log)
{
	long looks, before = 0, count;

	for (looks = 0; kind == IDLE || !is_over(); looks++) {
		count = count_now();
		if (log && looks && count != before)
			write_log(log);
		atomic_store(&allowed, count);
		if (log && (looks % 10 == 0 || count != before))
			write_log(log);
		before = count;
		rest(LOOK_NS);
	}
	if (log)
		write_log(log);
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
	long i;

	if (read_arguments(count, arguments) < 0)
		return usage();
	atomic_store(&allowed, count_now());
	for (i = 0; i < threads; i++) {
		pthread_t thread;
		int why = pthread_create(&thread, NULL, work, (void *)i);

		if (why) {
			fprintf(stderr, "malleable: %s\n", strerror(why));
			return 1;
		}
		pthread_detach(thread);
	}
	watch(count > 4 ? arguments[4] : NULL);
	return 0;
}
