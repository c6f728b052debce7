/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated controller in which Slurm schedules by itself: Slurm's plugin and reservations
 * are simulated, and files are in a folder of their own.
 */
#ifndef LXFW_TESTS_FALL_BACK_SCENE_H
#define LXFW_TESTS_FALL_BACK_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/agent/quanta.h"
#include "plugins/slurm/compat/backfill.h"
#include "plugins/slurm/compat/reservation.h"
#include "plugins/slurm/sched-lxfw/fall_back.h"
#include "tests/unit/bridge_loop.h"

static char directory[] = "/tmp/lxfw-fall-XXXXXX";
static const struct lxfw_let_go stalled = { .reason = LXFW_LET_GO_STALLED, .seconds = 15 };
static const struct lxfw_let_go ended = { .reason = LXFW_LET_GO_ENDED };

/* Slurm's sched/backfill: whether there is one, and how often it is loaded now. */
static bool has_stock;
static int loaded, reconfigured;

void *lxfw_backfill_load(const char *folders, const char *own_name, uint32_t version)
{
	assert_string_equal(folders, slurm_conf.plugindir ? slurm_conf.plugindir : "");
	assert_string_equal(own_name, "ours");
	assert_true(version == LXFW_SLURM_VERSION);
	loaded += has_stock;
	return has_stock ? &loaded : NULL;
}

void lxfw_backfill_unload(void *handle)
{
	assert_ptr_equal(handle, &loaded);
	loaded--;
}

void lxfw_backfill_reconfigure(void *handle)
{
	assert_ptr_equal(handle, &loaded);
	reconfigured++;
}

/* Slurm's reservation, of which there is one at most; its name is "" if there is none. */
static struct { char name[64]; time_t end; } reserved;
static int reservations;	/* number of calls that create or renew one */
static bool may_reserve = true;

int lxfw_compat_reserve(const char *name, const char *nodes, time_t end)
{
	assert_string_equal(nodes, "n0");
	assert_true(!*reserved.name || strcmp(reserved.name, name) == 0);
	reservations++;
	if (!may_reserve)
		return ESLURM_RESERVATION_INVALID;
	snprintf(reserved.name, sizeof(reserved.name), "%s", name);
	reserved.end = end;
	return SLURM_SUCCESS;
}

void lxfw_compat_unreserve(const char *name)
{
	assert_string_equal(reserved.name, name);
	*reserved.name = '\0';
}

static inline const char *path_of(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static inline bool has_file(const char *name)
{
	return access(path_of(name), F_OK) == 0;
}

static inline bool has_line(const char *name, const char *expected)
{
	FILE *file = fopen(path_of(name), "r");
	char line[256];
	bool has = false;

	while (file && !has && fgets(line, sizeof(line), file))
		has = strcmp(line, expected) == 0;
	if (file)
		fclose(file);
	return has;
}

/* One job is suspended for the quantum of another one. */
static inline job_record_t *suspend_one(void)
{
	struct lxfw_params params;
	job_record_t *victim;

	slurm_conf.state_save_location = directory;
	fake_nodes("n", 1, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 0);
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	params.quantum_mode = LXFW_QUANTUM_PREEMPT;
	params.quantum = 60;
	params.quantum_mem = 100000;
	params.quantum_min_run = 10;
	lxfw_agent_set_params(&bridge.agent, &params);
	victim = fake_job("all", 600);
	fake_tasks(victim, 16, 1);
	live(60);
	assert_true(IS_JOB_RUNNING(victim));
	fake_tasks(fake_job("all", 600), 16, 1);
	live(10);
	assert_true(IS_JOB_SUSPENDED(victim));
	return victim;
}

static inline void tick_for(int seconds)
{
	for (int i = 0; i < seconds; i++) {
		fake_pass_seconds(1);
		fake_end_overdue();
		if (node_record_count > 0)
			node_record_table_ptr[0]->last_response = time(NULL);
		lxfw_fall_back(LXFW_FALL_BACK_TICK, NULL, "ours");
	}
}

static inline int set_up_files(void **state)
{
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	return mkdtemp(directory) ? set_up(state) : -1;
}

static inline int tear_down_files(void **state)
{
	(void)tear_down(state);
	slurm_conf.state_save_location = NULL;
	(void)unlink(path_of("lxfw_quanta"));
	(void)unlink(path_of("lxfw_let_go"));
	(void)unlink(path_of("metrics"));
	return rmdir(directory);
}

/* The thread's file, which it may write a last time when it wakes up. */
static inline void write_old(void)
{
	bridge.agent.quanta.dirty = true;
	lxfw_quanta_save(&bridge.agent);
}

static inline bool is_recorded(uint32_t job)
{
	struct lxfw_quanta_books books = { .path = strdup(path_of("lxfw_quanta")) };
	bool is;

	assert_int_equal(lxfw_quanta_read(&books), 0);
	is = lxfw_preempted_find(&books, job);
	lxfw_quanta_clear(&books);
	return is;
}

/* Returns 0 if there is no such file. */
static inline ino_t number_of(const char *name)
{
	struct stat status;

	return stat(path_of(name), &status) == 0 ? status.st_ino : 0;
}

#endif
