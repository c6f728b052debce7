/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random jobs with different chunks on random sites: whatever fits starts. LXFW_SEED=N repeats the seed
   that was printed; LXFW_CASES=N sets the number of cases. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/mixed_scene.h"

static int between(uint64_t *random, int least, int most)
{
	return (int)unit_between(random, least, most);
}

static int per_host;	/* vnodes of a host */

static void random_site(uint64_t *random)
{
	per_host = between(random, 1, 2);
	for (int i = 0; i < FAKE_VNODES; i++) {
		struct fake_vnode *vnode = &fake_pbs.vnode[i];

		vnode->has = (struct fake_use){
			.ncpus = between(random, 1, 5), .mem_mb = 100 * between(random, 1, 10),
			.ngpus = between(random, 0, 1),
		};
		snprintf(vnode->host, sizeof(vnode->host), "h%d", i / per_host);
		vnode->fast = i % per_host ? fake_pbs.vnode[i - 1].fast : between(random, 0, 1);
	}
}

static struct fake_pbs_job *random_job(uint64_t *random)
{
	struct fake_pbs_job *job = mixed(between(random, 2, FAKE_CHUNKS));

	job->arrangement = between(random, 0, 3) ? 0 : 2;
	job->excl = between(random, 0, 4) == 0;
	for (int i = 0; i < job->chunks; i++) {
		if (i > 0 && between(random, 0, 2) == 0) {
			job->chunk[i] = job->chunk[i - 1];
			job->want[i] = job->want[i - 1];
			continue;
		}
		job->chunk[i] = (struct fake_use){
			.ncpus = between(random, 1, 6), .mem_mb = 100 * between(random, 1, 8),
			.ngpus = between(random, 0, 5) == 0,
		};
		job->want[i] = between(random, 0, 1) ? FAKE_ANY :
			(enum fake_want)between(random, FAKE_FAST, FAKE_SLOW);
	}
	return job;
}

/* What the hosts have left. */
struct left {
	struct fake_use of[FAKE_VNODES];
	bool used[FAKE_VNODES];
};

static bool take(struct left *left, int host, const struct fake_pbs_job *job, int chunk)
{
	const struct fake_use *need = &job->chunk[chunk];
	struct fake_use *has = &left->of[host];

	if (need->ncpus > has->ncpus || need->mem_mb > has->mem_mb || need->ngpus > has->ngpus ||
	    (job->arrangement == 2 && left->used[host]) ||
	    (job->want[chunk] && fake_pbs.vnode[per_host * host].fast != (job->want[chunk] == FAKE_FAST)))
		return false;
	has->ncpus -= need->ncpus;
	has->mem_mb -= need->mem_mb;
	has->ngpus -= need->ngpus;
	left->used[host] = true;
	return true;
}

/* Whether each chunk in turn fits on the first host that has room for it, as in pbs_sched. */
static bool fits_in_turn(const struct fake_pbs_job *job)
{
	struct left left = { 0 };

	for (int i = 0; i < FAKE_VNODES; i++)
		fake_pbs_add_use(&left.of[i / per_host], &fake_pbs.vnode[i].has);
	for (int i = 0; i < job->chunks; i++) {
		int host = 0;

		while (host < FAKE_VNODES / per_host && !take(&left, host, job, i))
			host++;
		if (host == FAKE_VNODES / per_host)
			return false;
	}
	return true;
}

static void print_case(const struct fake_pbs_job *job)
{
	for (int i = 0; i < FAKE_VNODES; i++)
		print_message("# %s on %s: %d ncpus, %d MB, %d ngpus%s\n", fake_pbs.vnode[i].name,
			      fake_pbs.vnode[i].host, fake_pbs.vnode[i].has.ncpus,
			      fake_pbs.vnode[i].has.mem_mb, fake_pbs.vnode[i].has.ngpus,
			      fake_pbs.vnode[i].fast ? ", fast" : "");
	for (int i = 0; i < job->chunks; i++)
		print_message("# chunk %d: %d ncpus, %d MB, %d ngpus, want %d\n", i,
			      job->chunk[i].ncpus, job->chunk[i].mem_mb, job->chunk[i].ngpus,
			      job->want[i]);
	print_message("# place %d, excl %d, %d parts\n", job->arrangement, job->excl,
		      parts_of(job));
}

/* A job that fits on the empty site starts. The simulated server tests how. */
static void whatever_fits_starts(void **state)
{
	uint64_t random = unit_seed("jobs with different chunks");
	const char *given = getenv("LXFW_CASES");
	int cases = given ? atoi(given) : 1000, fitting = 0, in_parts = 0;

	for (int i = 0; i < cases; i++) {
		struct fake_pbs_job *job;

		assert_int_equal(pbs_scene_begin(state), 0);
		random_site(&random);
		job = random_job(&random);
		if (fits_in_turn(job)) {
			pbs_scene_pass();
			in_parts += parts_of(job) == 0 && part(job, 0) && part(job, 1);
			if (job->state != 'R')
				print_case(job);
			if (job->state != 'R')
				fail_msg("case %d of %d: a job that fits is not started: %s", i, cases,
					 job->comment);
			fitting++;
		}
		assert_int_equal(pbs_scene_end(state), 0);
	}
	print_message("# %d jobs fit, %d of them in parts\n", fitting, in_parts);
	assert_true(fitting > cases / 20 && in_parts > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_fits_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
