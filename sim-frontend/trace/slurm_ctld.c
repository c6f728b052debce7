/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/slurm_ctld.h"

#include "sim-frontend/trace/dependency.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/tres.h"

bool lxfw_slurm_ctld_is(json_object *job)
{
	return !lxfw_json_member(job, "time") && lxfw_json_member(job, "submit_time");
}

/* Sets the run time of a job that ran. The controller states the run time before the last
   suspension, and when the job was suspended or resumed for the last time. */
static void read_run(json_object *job, struct lxfw_account *account)
{
	int64_t resumed = lxfw_json_time(job, "suspend_time");
	int64_t before = lxfw_json_time(job, "pre_sus_time");
	int64_t held = account->end - account->start;

	account->run = held;
	if (resumed < account->start || resumed > account->end)
		return;
	account->run = account->end - resumed + (before > 0 ? before : 0);
	if (account->run > held)
		account->run = held;
	account->suspended = held - account->run;
}

/* The limit is in minutes. Up to v0.0.38, null stands for none. */
static void read_limit(json_object *job, struct lxfw_account *account)
{
	int64_t limit = lxfw_json_number(job, "time_limit");
	json_object *value;

	if (limit == INT64_MAX || limit == LXFW_SLURM_INFINITE ||
	    (json_object_object_get_ex(job, "time_limit", &value) && !value))
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (limit > 0 && limit < LXFW_SLURM_NO_VAL)
		account->limit = limit * 60;
}

static void read_amounts(json_object *job, struct lxfw_account *account)
{
	struct lxfw_slice had = lxfw_json_text(job, "tres_alloc_str");
	struct lxfw_slice asked = lxfw_json_text(job, "tres_req_str");

	account->asked_hosts = lxfw_tres_count(asked, "node");
	if (had.length == 0)
		had = asked;
	account->gres = had;
	account->memory_kb = lxfw_tres_memory(had);
	account->procs = lxfw_json_first_count(lxfw_tres_count(had, "cpu"),
					       lxfw_json_number(job, "cpus"), 0);
	account->hosts = lxfw_json_first_count(lxfw_tres_count(had, "node"),
					       lxfw_json_number(job, "node_count"), 0);
}

const char *lxfw_slurm_ctld_job(json_object *job, struct lxfw_account *account)
{
	struct lxfw_slice state = lxfw_json_state(lxfw_json_member(job, "job_state"));
	const char *wrong;

	account->submit = lxfw_json_time(job, "submit_time");
	if (account->submit < 0)
		return "a job without submit_time, expected seconds since 1970";
	account->eligible = lxfw_json_time(job, "eligible_time");
	account->start = lxfw_json_time(job, "start_time");
	account->end = lxfw_json_time(job, "end_time");
	if (state.length == 0)
		return "a job without job_state, expected a state such as COMPLETED";
	lxfw_account_slurm_state(account, state.at, state.length);
	account->over &= account->end >= 0;
	/* the times of others are those that the controller expects */
	if (!account->over)
		account->end = -1;
	if (lxfw_slice_is(state, "PENDING"))
		account->start = -1;
	wrong = lxfw_account_check_times(account);
	if (wrong)
		return wrong;
	if (account->start >= 0 && account->end >= account->start)
		read_run(job, account);
	read_limit(job, account);
	read_amounts(job, account);
	account->het = lxfw_json_number(job, "het_job_id");
	account->part = account->het > 0 && account->het < LXFW_SLURM_NO_VAL;
	if (!account->part)
		account->het = 0;
	account->user = lxfw_json_text(job, "user_name");
	account->group = lxfw_json_text(job, "group_name");
	account->queue = lxfw_json_text(job, "partition");
	account->cluster = lxfw_json_text(job, "cluster");
	account->account = lxfw_json_text(job, "account");
	account->qos = lxfw_json_text(job, "qos");
	account->reservation = lxfw_json_text(job, "resv_name");
	account->host_list = lxfw_json_text(job, "nodes");
	/* "dependency" has only what a job still waits for */
	account->dependency = lxfw_dependency_option(lxfw_json_text(job, "submit_line"));
	account->limited = lxfw_dependency_limits(lxfw_json_text(job, "submit_line"));
	return NULL;
}
