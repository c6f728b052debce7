/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/pbs_scene.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/pass.h"
#include "plugins/pbs/config.h"

struct lxfw_pbs pbs;
char pbs_scene_folder[] = "/tmp/lxfw-pbs-XXXXXX";

static char *logged;
static FILE *log_file;
static size_t log_size;

static void write_log(enum lxfw_log_level level, const char *text)
{
	fprintf(log_file, "%s\n", text);
	if (getenv("LXFW_FAKE_LOG"))
		printf("# %lld %d %s\n", (long long)(fake_pbs.now - 1800000000), level, text);
}

int pbs_scene_logged(const char *text)
{
	int count = 0;

	fflush(log_file);
	for (const char *at = logged; (at = strstr(at, text)) != NULL; at++)
		count++;
	return count;
}

void pbs_scene_params(const char *text)
{
	struct lxfw_error why;

	lxfw_error_set(&why, "");
	if (!lxfw_pbs_config_use(&pbs, text, &why))
		fail_msg("%s", why.text);
}

void pbs_scene_connect(void)
{
	struct lxfw_error why;

	lxfw_pbs_disconnect(&pbs.link);
	if (lxfw_pbs_connect(&pbs.link, NULL, "default", &why) < 0)
		fail_msg("%s", why.text);
	pbs.redefined = pbs.changed = true;
}

int pbs_scene_begin(void **state)
{
	(void)state;
	fake_pbs_begin(1, NULL);
	fake_pbs.quiet = true;
	return pbs_scene_restart();
}

int pbs_scene_restart(void)
{
	struct lxfw_params params;

	strcpy(pbs_scene_folder + strlen(pbs_scene_folder) - 6, "XXXXXX");
	log_file = open_memstream(&logged, &log_size);
	if (!log_file || !mkdtemp(pbs_scene_folder))
		return -1;
	lxfw_log_to(write_log);
	memset(&pbs, 0, sizeof(pbs));
	lxfw_params_default(&params);
	lxfw_pbs_init(&pbs, &params, "default", pbs_scene_folder);
	pbs.clock = fake_pbs_clock;
	pbs_scene_params("lxfw_policy=lxfw");
	pbs_scene_connect();
	return 0;
}

static void remove_file(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", pbs_scene_folder, name);
	(void)unlink(path);
}

int pbs_scene_end(void **state)
{
	(void)state;
	lxfw_pbs_disconnect(&pbs.link);
	lxfw_pbs_destroy(&pbs);
	lxfw_log_to(NULL);
	fclose(log_file);
	free(logged);
	remove_file("journal");
	remove_file("lxfw_quanta");
	remove_file("lxfw_pbs_records");
	return rmdir(pbs_scene_folder);
}

struct fake_pbs_job *pbs_scene_submit(int ncpus)
{
	struct fake_pbs_job *job = &fake_pbs.job[fake_pbs.jobs++];

	*job = (struct fake_pbs_job){
		.number = fake_pbs.jobs, .task = -1, .state = 'Q', .chunks = 1,
		.chunk = { { .ncpus = ncpus } }, .submit = fake_pbs.now, .walltime = 600,
		.work = 600, .left = 600, .rerunable = true,
	};
	return job;
}

struct fake_pbs_job *pbs_scene_run(int ncpus, const char *vnodes)
{
	struct fake_pbs_job *job = pbs_scene_submit(ncpus);

	strcpy(job->vnodes, vnodes);
	fake_pbs_read_vnodes(job);
	job->state = 'R';
	job->started = fake_pbs.now;
	return job;
}

void pbs_scene_pass(void)
{
	fake_pbs_save();
	fake_pbs.now++;
	(void)lxfw_agent_pass(&pbs.agent);
	assert_string_equal(fake_pbs.wrong, "");
}
