/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests only: the controller's functions with the names and arguments of the
 * release. They call the functions of tests/unit/fake_ctld.h. Functions that are not
 * relevant to the tests do nothing.
 */
#include "tests/unit/fake_ctld.h"

#include "src/slurmctld/agent.h"

/* Since 23.02 interfaces of plugins have a folder of their own. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/accounting_storage.h"
#include "src/interfaces/cred.h"
#include "src/interfaces/preempt.h"
#else
#include "src/common/select.h"
#include "src/common/slurm_accounting_storage.h"
#include "src/common/slurm_cred.h"
#include "src/slurmctld/preempt.h"
#endif

/* Since 24.05 the messages to srun are with the other requests. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#include "src/slurmctld/proc_req.h"
#else
#include "src/slurmctld/srun_comm.h"
#endif

#define SINCE(major, minor) SINCE_MICRO(major, minor, 0)
#define SINCE_MICRO(major, minor, micro) \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, micro))

/* --- configuration -------------------------------------------------------------- */

uint32_t fake_select_parameters(bool memory_counts)
{
/* Since 25.11 the flags have other names. */
#if SINCE(25, 11)
	return SELECT_CPU | (memory_counts ? SELECT_MEMORY : 0);
#else
	return CR_CPU | (memory_counts ? CR_MEMORY : 0);
#endif
}

/* --- the queue ------------------------------------------------------------------ */

void fake_record_qos(job_queue_rec_t *record)
{
/* Since 24.11 a job may request several QOS. */
#if SINCE(24, 11)
	record->qos_ptr = record->job_ptr->qos_ptr;
#else
	(void)record;
#endif
}

/* --- selection ------------------------------------------------------------------ */

/* Since 24.11 the arguments are a structure. */
#if SINCE(24, 11)
int select_nodes(job_node_select_t *selection, bool test_only, bool submission,
		 uint32_t scheduler)
{
	(void)submission;
	(void)scheduler;
	return fake_select_nodes(selection->job_ptr, test_only);
}
#else
int select_nodes(job_record_t *job, bool test_only, bitstr_t **selected,
		 char **message, bool submission, uint32_t scheduler)
{
	(void)selected;
	(void)message;
	(void)submission;
	(void)scheduler;
	return fake_select_nodes(job, test_only);
}
#endif

static int test_job(job_record_t *job, bitstr_t *nodes, lxfw_slurm_list candidates)
{
	time_t start = fake_would_start(job, nodes, job->bit_flags & TEST_NOW_ONLY,
					candidates);

	if (!start)
		return SLURM_ERROR;
	job->start_time = start;
	return SLURM_SUCCESS;
}

/* Since 24.11 a window of time can be given. */
#if SINCE(24, 11)
int select_g_job_test(job_record_t *job, bitstr_t *nodes, uint32_t least,
		      uint32_t most, uint32_t wanted, uint16_t mode,
		      lxfw_slurm_list candidates, lxfw_slurm_list *victims,
		      resv_exc_t *excluded, will_run_data_t *will_run)
{
	(void)will_run;
#elif SINCE(23, 11) /* 23.11: reservations exclude cores by node */
int select_g_job_test(job_record_t *job, bitstr_t *nodes, uint32_t least,
		      uint32_t most, uint32_t wanted, uint16_t mode,
		      lxfw_slurm_list candidates, lxfw_slurm_list *victims,
		      resv_exc_t *excluded)
{
#else
int select_g_job_test(job_record_t *job, bitstr_t *nodes, uint32_t least,
		      uint32_t most, uint32_t wanted, uint16_t mode,
		      lxfw_slurm_list candidates, lxfw_slurm_list *victims,
		      bitstr_t *excluded)
{
#endif
	(void)least;
	(void)most;
	(void)wanted;
	(void)mode;
	(void)victims;
	(void)excluded;
	return test_job(job, nodes, candidates);
}

int select_g_job_suspend(job_record_t *job, bool indefinite)
{
	(void)indefinite;
	fake_shield(job, false);
	return SLURM_SUCCESS;
}

int select_g_job_resume(job_record_t *job, bool indefinite)
{
	(void)indefinite;
	fake_shield(job, true);
	return SLURM_SUCCESS;
}

/* Since 23.11 reservations exclude cores by node. */
#if SINCE(23, 11)
int job_test_resv(job_record_t *job, time_t *when, bool move,
		  bitstr_t **nodes, resv_exc_t *cores, bool *overlap,
		  bool reboot)
#else
int job_test_resv(job_record_t *job, time_t *when, bool move,
		  bitstr_t **nodes, bitstr_t **cores, bool *overlap,
		  bool reboot)
#endif
{
	(void)when;
	(void)move;
	(void)cores;
	(void)overlap;
	(void)reboot;
	*nodes = NULL;
	if (fake_kept_out.error_code != SLURM_SUCCESS)
		return fake_kept_out.error_code;
	*nodes = bit_copy(job->part_ptr->node_bitmap);
	if (fake_kept_out.nodes)
		bit_and_not(*nodes, fake_kept_out.nodes);
	return SLURM_SUCCESS;
}

/* Since 23.11, as above. */
#if SINCE(23, 11)
void reservation_delete_resv_exc_parts(resv_exc_t *excluded)
{
	(void)excluded;
}
#endif

int get_node_cnts(job_record_t *job, uint32_t qos_flags, part_record_t *part,
		  uint32_t *least, uint32_t *wanted, uint32_t *most)
{
	(void)qos_flags;
	*least = job->details->min_nodes;
	if (*least < part->min_nodes)
		*least = part->min_nodes;
	*most = job->details->max_nodes ? job->details->max_nodes : INFINITE;
	if (*most > part->max_nodes)
		*most = part->max_nodes;
	*wanted = *least;
	return *most < *least ? ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE :
				SLURM_SUCCESS;
}

int job_req_node_filter(job_record_t *job, bitstr_t *nodes, bool test_only)
{
	(void)job;
	(void)nodes;
	(void)test_only;
	return SLURM_SUCCESS;
}

int valid_feature_counts(job_record_t *job, bool use_active, bitstr_t *nodes,
			 bool *has_choice)
{
	const char *wanted = job->details->features_use;

	(void)use_active;
	*has_choice = false;
	for (int i = 0; wanted && i < node_record_count; i++) {
		const char *has = node_record_table_ptr[i]->features;

		if (!has || strcmp(has, wanted) != 0)
			bit_clear(nodes, i);
	}
	return SLURM_SUCCESS;
}

/* --- states ----------------------------------------------------------------------- */

/* Since 23.11.5 states are set by functions, since 26.05 with the name of the caller. */
#if SINCE(26, 5)
void slurm_job_state_set(job_record_t *job, uint32_t state, const char *caller)
{
	(void)caller;
	job->job_state = state;
}

void slurm_job_state_set_flag(job_record_t *job, uint32_t flag,
			      const char *caller)
{
	(void)caller;
	job->job_state |= flag;
}
#elif SINCE_MICRO(23, 11, 5) /* 23.11.5, as above */
void job_state_set(job_record_t *job, uint32_t state)
{
	job->job_state = state;
}

void job_state_set_flag(job_record_t *job, uint32_t flag)
{
	job->job_state |= flag;
}
#endif

static int suspend(uint32_t job_id, uint16_t operation)
{
	job_record_t *job = fake_find(job_id);

	if (!job)
		return ESLURM_INVALID_JOB_ID;
	if (operation == SUSPEND_JOB ? !IS_JOB_RUNNING(job) :
				       !IS_JOB_SUSPENDED(job))
		return ESLURM_JOB_NOT_RUNNING;
	fake_suspend(job, operation == SUSPEND_JOB);
	return SLURM_SUCCESS;
}

/* Since 24.11 the request is given, and not its connection. */
#if SINCE(24, 11)
int job_suspend(slurm_msg_t *message, suspend_msg_t *asked, uid_t uid,
		bool indefinite, uint16_t protocol)
{
	(void)message;
#else
int job_suspend(suspend_msg_t *asked, uid_t uid, int descriptor,
		bool indefinite, uint16_t protocol)
{
	(void)descriptor;
#endif
	(void)uid;
	(void)indefinite;
	(void)protocol;
/* Since 25.11 messages name a step. */
#if SINCE(25, 11)
	return suspend(asked->step_id.job_id, asked->op);
#else
	return suspend(asked->job_id, asked->op);
#endif
}

static int requeue(job_record_t *job)
{
	if (!job || !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		return ESLURM_JOB_NOT_RUNNING;
	fake_requeue(job);
	return SLURM_SUCCESS;
}

/* Since 25.11 jobs are requeued by record. */
#if SINCE(25, 11)
int job_requeue_internal(uid_t uid, job_record_t *job, bool preempt,
			 uint32_t flags)
{
	(void)uid;
	(void)preempt;
	(void)flags;
	return requeue(job);
}
#else
int job_requeue(uid_t uid, uint32_t job_id, slurm_msg_t *message, bool preempt,
		uint32_t flags)
{
	(void)uid;
	(void)message;
	(void)preempt;
	(void)flags;
	return requeue(fake_find(job_id));
}
#endif

/* Since 25.11.5 it returns whether the job has left its nodes. */
#if SINCE_MICRO(25, 11, 5)
#define DEALLOCATED bool
#define RETURN_DEALLOCATED() return true
#else
#define DEALLOCATED void
#define RETURN_DEALLOCATED() return
#endif

DEALLOCATED deallocate_nodes(job_record_t *job, bool timeout, bool suspended,
			     bool preempted)
{
	(void)timeout;
	(void)suspended;
	(void)preempted;
	job->job_state = JOB_RUNNING;
	fake_requeue(job);
	RETURN_DEALLOCATED();
}

void launch_job(job_record_t *job)
{
	(void)job;
	fake_counts.launches++;
}

void srun_allocate(job_record_t *job)
{
	(void)job;
	fake_counts.launches++;
}

/* Since 26.05.3 the leader's script may be launched after the last component. */
#if SINCE_MICRO(26, 5, 3)
void launch_het_job_leader(job_record_t *job)
{
	(void)job;
}
#endif

bool job_array_start_test(job_record_t *job)
{
	const job_record_t *base = fake_find(job->array_job_id);

	return !base || !base->array_recs || !base->array_recs->max_run_tasks ||
	       base->array_recs->tot_run_tasks <
		       base->array_recs->max_run_tasks;
}

bool job_independent(job_record_t *job)
{
	return job->details->begin_time <= time(NULL);
}

/* --- limits ----------------------------------------------------------------------- */

int job_limits_check(job_record_t **job, bool check_min_time)
{
	(void)job;
	(void)check_min_time;
	return WAIT_NO_REASON;
}

void assoc_mgr_lock(assoc_mgr_lock_t *locks)
{
	(void)locks;
}

void assoc_mgr_unlock(assoc_mgr_lock_t *locks)
{
	(void)locks;
	fake_limits_unlocked();
}

bool acct_policy_job_runnable_pre_select(job_record_t *job, bool locked)
{
	(void)locked;
	return fake_runs_more(job);
}

bool acct_policy_job_runnable_post_select(job_record_t *job, uint64_t *asked,
					  bool locked)
{
	(void)locked;
	return fake_has_tres(job, asked);
}

void acct_policy_set_qos_order(job_record_t *job, slurmdb_qos_rec_t **first,
			       slurmdb_qos_rec_t **second)
{
	*first = job->qos_ptr;
	*second = NULL;
}

slurmdb_used_limits_t *acct_policy_get_acct_used_limits(lxfw_slurm_list *limits,
							char *account)
{
	(void)limits;
	(void)account;
	return fake_used_limits(false);
}

slurmdb_used_limits_t *acct_policy_get_user_used_limits(lxfw_slurm_list *limits,
							uint32_t user)
{
	(void)limits;
	(void)user;
	return fake_used_limits(true);
}

/* Since 23.11 an argument says whether the associations are locked already. */
#if SINCE(23, 11)
#define LOCKED_ARGUMENT , bool locked
#define LOCKED_UNUSED() (void)locked
#else
#define LOCKED_ARGUMENT
#define LOCKED_UNUSED()
#endif

/* Since 23.11, as above. */
#if SINCE(23, 11)
void acct_policy_add_job_submit(job_record_t *job, bool locked)
{
	(void)locked;
#else
void acct_policy_add_job_submit(job_record_t *job)
{
#endif
	(void)job;
}

void acct_policy_remove_job_submit(job_record_t *job LOCKED_ARGUMENT)
{
	(void)job;
	LOCKED_UNUSED();
}

void acct_policy_job_fini(job_record_t *job LOCKED_ARGUMENT)
{
	(void)job;
	LOCKED_UNUSED();
}

/* Since 23.02 the list has another name. */
#if SINCE(23, 2)
list_t *cluster_license_list;

lxfw_slurm_list *fake_cluster_licenses(void)
{
	return &cluster_license_list;
}
#else
List license_list;

lxfw_slurm_list *fake_cluster_licenses(void)
{
	return &license_list;
}
#endif

/* Since 25.05 licenses have numbers. */
#if SINCE(25, 5)
void fake_license_number(licenses_t *license, uint16_t number)
{
	license->id.lic_id = number;
	license->id.hres_id = NO_VAL16;
}

void fake_license_same(licenses_t *license, const licenses_t *other)
{
	license->id.lic_id = other ? other->id.lic_id : 0;
	license->id.hres_id = NO_VAL16;
}
#else
void fake_license_number(licenses_t *license, uint16_t number)
{
	(void)license;
	(void)number;
}

void fake_license_same(licenses_t *license, const licenses_t *other)
{
	(void)license;
	(void)other;
}
#endif

int license_job_test(job_record_t *job, time_t when, bool reboot)
{
	(void)when;
	(void)reboot;
	return fake_licenses_free(job) ? SLURM_SUCCESS : EAGAIN;
}

/* Since 24.05 the name is constant. */
#if SINCE(24, 5)
bool deadline_ok(job_record_t *job, const char *caller)
#else
bool deadline_ok(job_record_t *job, char *caller)
#endif
{
	(void)caller;
	return fake_deadline_ok(job);
}

/* --- preemption ------------------------------------------------------------------- */

bool slurm_preemption_enabled(void)
{
	return slurm_conf.preempt_mode != PREEMPT_MODE_OFF;
}

lxfw_slurm_list slurm_find_preemptable_jobs(job_record_t *job)
{
	return fake_preemptable(job);
}

bool preempt_g_job_preempt_check(job_queue_rec_t *one, job_queue_rec_t *other)
{
	return one->part_ptr->priority_tier > other->part_ptr->priority_tier;
}

time_t acct_policy_get_preemptable_time(job_record_t *job)
{
	return fake_exempt_until(job);
}

/* --- federation, reservations, agents, accounting: none --------------------------- */

bool fed_mgr_sibs_synced(void);	/* some releases declare it without a prototype */

/* The nodes of jobs that end are free at once, but for those that the test names. */
bool job_is_completing(bitstr_t *nodes)
{
	if (fake_completing && nodes)
		bit_or(nodes, fake_completing);
	return fake_completing;
}

bool fed_mgr_sibs_synced(void)
{
	return true;
}

int fed_mgr_job_lock(job_record_t *job)
{
	(void)job;
	return SLURM_SUCCESS;
}

int fed_mgr_job_unlock(job_record_t *job)
{
	(void)job;
	return SLURM_SUCCESS;
}

int fed_mgr_job_start(job_record_t *job, time_t start)
{
	(void)job;
	(void)start;
	return SLURM_SUCCESS;
}

slurmctld_resv_t *find_resv_name(char *name)
{
	(void)name;
	return NULL;
}

void job_queue_rec_magnetic_resv(job_queue_rec_t *record)
{
	(void)record;
}

void job_queue_rec_resv_list(job_queue_rec_t *record)
{
	(void)record;
}

void job_resv_clear_magnetic_flag(job_record_t *job)
{
	(void)job;
}

void agent_queue_request(agent_arg_t *agent)
{
	hostlist_destroy(agent->hostlist);
	xfree(agent->msg_args);
	xfree(agent);
}

int get_agent_count(void)
{
	return 0;
}

int retry_list_size(void)
{
	return fake_trouble.unanswered;
}

void set_agent_arg_r_uid(agent_arg_t *agent, uid_t uid)
{
	(void)agent;
	(void)uid;
}

/* Credentials have the lifetime that the plugin assumes. */
/* Since 23.11 the credential plugin knows the lifetime. */
#if SINCE(23, 11)
int cred_expiration(void)
{
	return 1200;
}
#else
int slurm_cred_ctx_get(slurm_cred_ctx_t context, slurm_cred_opt_t option, ...)
{
	(void)context;
	(void)option;
	return SLURM_SUCCESS;
}
#endif

void build_cg_bitmap(job_record_t *job)
{
	(void)job;
}

void batch_requeue_fini(job_record_t *job)
{
	(void)job;
}

void job_completion_logger(job_record_t *job, bool requeue_it)
{
	(void)job;
	(void)requeue_it;
}

void job_post_resize_acctg(job_record_t *job)
{
	(void)job;
}

/* dump_all_job_state() is missing here on purpose: only one thread of Slurm may call it. */
void schedule_job_save(void)
{
}

void schedule_node_save(void)
{
}

int jobacct_storage_g_job_start(void *connection, job_record_t *job)
{
	(void)connection;
	(void)job;
	return SLURM_SUCCESS;
}

int jobacct_storage_g_job_complete(void *connection, job_record_t *job)
{
	(void)connection;
	(void)job;
	return SLURM_SUCCESS;
}

/* Slurm's function reads the configuration file. */
bool slurm_with_slurmdbd(void)
{
	return false;
}
