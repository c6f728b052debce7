/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one user's job does must not harm others: lxfw-pbsd's adapter with a simulated server on
   which nothing fails, in scenes made by hand. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "plugins/agent/pass.h"
#include "plugins/pbs/config.h"
#include "plugins/pbs/wlm.h"
#include "tests/unit/fake_pbs_world.h"

static char folder[] = "/tmp/lxfw-pbs-XXXXXX";
static struct lxfw_pbs pbs;

/* Four hosts of two vnodes with 4 processors each, and no jobs. */
static int begin(void **state)
{
	struct lxfw_params params;
	struct lxfw_error why;

	(void)state;
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	fake_pbs_begin(1, NULL);
	fake_pbs.quiet = true;
	memset(&pbs, 0, sizeof(pbs));
	lxfw_params_default(&params);
	lxfw_pbs_init(&pbs, &params, "default", folder);
	pbs.clock = fake_pbs_clock;
	lxfw_error_set(&why, "");
	if (!lxfw_pbs_config_use(&pbs, "lxfw_policy=lxfw", &why) ||
	    lxfw_pbs_connect(&pbs.link, NULL, "default", &why) < 0)
		fail_msg("%s", why.text);
	return 0;
}

static void remove_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	(void)unlink(path);
}

static int end(void **state)
{
	(void)state;
	lxfw_pbs_disconnect(&pbs.link);
	lxfw_pbs_destroy(&pbs);
	remove_file("journal");
	remove_file("lxfw_quanta");
	remove_file("lxfw_pbs_records");
	return rmdir(folder);
}

/* A waiting job of one chunk. */
static struct fake_pbs_job *submit(int ncpus)
{
	struct fake_pbs_job *job = &fake_pbs.job[fake_pbs.jobs++];

	*job = (struct fake_pbs_job){
		.number = fake_pbs.jobs, .task = -1, .state = 'Q', .chunks = 1,
		.chunk = { { .ncpus = ncpus } }, .submit = fake_pbs.now, .walltime = 600,
		.left = 600, .rerunable = true,
	};
	return job;
}

static struct fake_pbs_job *run(int ncpus, const char *vnodes)
{
	struct fake_pbs_job *job = submit(ncpus);

	strcpy(job->vnodes, vnodes);
	fake_pbs_read_vnodes(job);
	job->state = 'R';
	job->started = fake_pbs.now;
	return job;
}

static void pass(void)
{
	fake_pbs_save();
	fake_pbs.now++;
	(void)lxfw_agent_pass(&pbs.agent);
	assert_string_equal(fake_pbs.wrong, "");
}

/* --- jobs without an end ------------------------------------------------------------------ */

/* Three jobs that need a host each have those that the first job has left. */
static void check_others_run(void)
{
	struct fake_pbs_job *other[3];

	for (int i = 0; i < 3; i++)
		other[i] = submit(8);
	pass();
	for (int i = 0; i < 3; i++)
		assert_int_equal(other[i]->state, 'R');
}

/* No sum with a run time overflows. */
static void endless(void **state)
{
	(void)state;
	run(8, "(v0:ncpus=4+v1:ncpus=4)")->walltime = INT64_C(9223372036854775000);
	pass();
	check_others_run();
}

/* The library rejects a job with such a start. It is a block instead. */
static void rejected(void **state)
{
	struct fake_pbs_job *job = run(8, "(v0:ncpus=4+v1:ncpus=4)");
	int64_t started = job->started;

	(void)state;
	job->started = INT64_C(1) << 61;
	pass();
	pass();
	assert_int_equal(pbs.agent.block_count, 1);
	check_others_run();
	/* It is in the model as soon as it has a time. */
	job->started = started;
	pass();
	pass();
	assert_int_equal(pbs.agent.block_count, 0);
	submit(8);
	pass();
	assert_int_equal(fake_pbs.starts, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(endless, begin, end),
		cmocka_unit_test_setup_teardown(rejected, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
