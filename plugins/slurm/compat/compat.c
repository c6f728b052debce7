/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/compat/compat.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "src/slurmctld/agent.h"

/* Since 23.02 interfaces of plugins have a folder of their own. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/cred.h"
#include "src/interfaces/select.h"
#else
#include "src/common/select.h"
#include "src/common/slurm_cred.h"
#endif

/* Since 24.05 the messages to srun are with the other requests. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#include "src/slurmctld/proc_req.h"
#else
#include "src/slurmctld/srun_comm.h"
#endif

/* Since 24.11 a job may request several QOS. */
#define HAVE_QOS_LIST (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0))

bool lxfw_compat_is_ready(void)
{
	/* Before 23.11 read_slurm_conf() loads the scheduler, and the controller then
	   initializes federation, limits, priorities and other plugins. Stock schedulers
	   sleep meanwhile. This is the last thread that it creates afterwards. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	return slurmctld_config.thread_id_purge_files != 0;
#else
	return true;
#endif
}

void lxfw_compat_count_exit(bool end)
{
	/* Since 23.11 these are counted. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	slurmctld_diag_stats.bf_exit[end ? BF_EXIT_END : BF_EXIT_TIMEOUT]++;
#else
	(void)end;
#endif
}

const slurmctld_lock_t lxfw_compat_locks = {
	.conf = READ_LOCK,
	.job = WRITE_LOCK,
	.node = WRITE_LOCK,
	.part = READ_LOCK,
	.fed = READ_LOCK,
	/* Since 26.05 the records of selection have a lock. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	.select_node = WRITE_LOCK,
#endif
};

/* Returns the number of the item "cpu=N" in TEXT, a list of TRES, or NULL. */
static char *find_cpu_number(char *text)
{
	for (char *item = text; item; item = strchr(item, ',')) {
		if (*item == ',')
			item++;
		if (strncmp(item, "cpu=", 4) == 0 || strncmp(item, "cpu:", 4) == 0)
			return item + 4;
	}
	return NULL;
}

/*
 * From 23.11 to 24.11.0 a script has the variable as it was submitted, although
 * SLURM_CPUS_PER_TASK is that of the allocation, and srun(1) fails if the two differ. Since
 * 24.11.1 Slurm changes both. A variable in env_sup replaces a submitted one.
 */
static void tell_tres_per_task(job_record_t *job)
{
	/* 23.11 to 24.11.0, as above */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0) && \
	SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 1)
	static const char name[] = "SLURM_TRES_PER_TASK=";
	lxfw_slurm_details *details = job->details;
	char *text = NULL;

	if (!job->batch_flag)
		return;
	xstrfmtcat(text, "%s%s", name, job->tres_per_task);
	for (uint32_t i = 0; i < details->env_cnt; i++) {
		if (strncmp(details->env_sup[i], name, sizeof(name) - 1) == 0) {
			xfree(details->env_sup[i]);
			details->env_sup[i] = text;
			return;
		}
	}
	xrecalloc(details->env_sup, details->env_cnt + 2u, sizeof(char *));
	details->env_sup[details->env_cnt++] = text;
#else
	(void)job;
#endif
}

void lxfw_compat_set_cpus_per_task(job_record_t *job, uint16_t cpus)
{
	char *number = find_cpu_number(job->tres_per_task), *text = NULL;

	job->details->cpus_per_task = cpus;
	if (!number)
		return;
	/* Some releases repeat the value of -c here. It becomes a variable of the script,
	   where srun(1) fails if it differs from SLURM_CPUS_PER_TASK. */
	xstrfmtcat(text, "%.*s%u%s", (int)(number - job->tres_per_task),
		   job->tres_per_task, cpus, number + strspn(number, "0123456789"));
	xfree(job->tres_per_task);
	job->tres_per_task = text;
	tell_tres_per_task(job);
}

void lxfw_compat_take_record(const job_queue_rec_t *record)
{
	record->job_ptr->part_ptr = record->part_ptr;
	record->job_ptr->priority = record->priority;
#if HAVE_QOS_LIST
	record->job_ptr->qos_ptr = record->qos_ptr;
#endif
}

uint32_t lxfw_compat_record_qos(const job_queue_rec_t *record)
{
#if HAVE_QOS_LIST
	return record->qos_ptr ? record->qos_ptr->id : 0;
#else
	(void)record;
	return 0;
#endif
}

const void *lxfw_compat_qos_choice(const job_record_t *job)
{
#if HAVE_QOS_LIST
	return job->qos_list;
#else
	(void)job;
	return NULL;
#endif
}

bool lxfw_compat_use_qos(job_record_t *job, uint32_t qos_id)
{
#if HAVE_QOS_LIST
	lxfw_slurm_iterator each;
	slurmdb_qos_rec_t *qos, *found = NULL;

	if (!job->qos_list)
		return true;
	each = list_iterator_create(job->qos_list);
	while (!found && (qos = list_next(each)) != NULL) {
		if (qos->id == qos_id)
			found = qos;
	}
	list_iterator_destroy(each);
	if (found)
		job->qos_ptr = found;
	return found;
#else
	(void)job;
	(void)qos_id;
	return true;
#endif
}

/*
 * A user may request 0 tasks per socket. select/cons_tres divides by that number, which
 * crashes the controller under any scheduler. The value has no meaning, so it is
 * replaced by "no limit".
 */
static void mend_tasks_per_socket(job_record_t *job)
{
	multi_core_data_t *cores = job->details ? job->details->mc_ptr : NULL;

	if (cores && cores->ntasks_per_socket == 0)
		cores->ntasks_per_socket = INFINITE16;
}

static int start_on_nodes(job_record_t *job)
{
	/* Since 24.11 the arguments are a structure, which select_nodes() changes. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	job_node_select_t selection = { .job_ptr = job };

	return select_nodes(&selection, false, false,
			    SLURMDB_JOB_FLAG_BACKFILL);
#else
	return select_nodes(job, false, NULL, NULL, false,
			    SLURMDB_JOB_FLAG_BACKFILL);
#endif
}

int lxfw_compat_select_nodes(job_record_t *job, bool may_preempt)
{
	time_t preempted = job->details->preempt_start_time;
	int error_code;

	mend_tasks_per_socket(job);
	/* select_nodes() does not preempt jobs again soon after this time. */
	if (!may_preempt)
		job->details->preempt_start_time = time(NULL) + 1;
	error_code = start_on_nodes(job);
	if (!may_preempt && job->details)
		job->details->preempt_start_time = preempted;
	return error_code;
}

/* Tests whether the job could ever start. Returns SLURM_SUCCESS or an ESLURM_* code. */
static int test_nodes(job_record_t *job)
{
	mend_tasks_per_socket(job);
	/* Since 24.11, as above. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	job_node_select_t selection = { .job_ptr = job };

	return select_nodes(&selection, true, false,
			    SLURMDB_JOB_FLAG_BACKFILL);
#else
	return select_nodes(job, true, NULL, NULL, false,
			    SLURMDB_JOB_FLAG_BACKFILL);
#endif
}

bool lxfw_compat_fits_on(job_record_t *job, const bitstr_t *nodes)
{
	bitstr_t *excluded = job->details->exc_node_bitmap;
	bitstr_t *others = bit_copy((bitstr_t *)nodes);
	uint32_t reason = job->state_reason;
	char *description = job->state_desc;
	int error_code;

	bit_not(others);
	if (excluded)
		bit_or(others, excluded);
	job->details->exc_node_bitmap = others;
	job->state_desc = NULL;
	error_code = test_nodes(job);
	FREE_NULL_BITMAP(job->details->exc_node_bitmap);
	job->details->exc_node_bitmap = excluded;
	xfree(job->state_desc);
	job->state_desc = description;
	job->state_reason = reason;
	/* Busy: for example, a node is completing a job. */
	return error_code == SLURM_SUCCESS || error_code == ESLURM_NODES_BUSY;
}

bool lxfw_compat_never_runs(job_record_t *job)
{
	time_t now = time(NULL);
	int error_code = test_nodes(job);

	/* The job may be able to run in another partition. */
	if (error_code != ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE ||
	    job->part_ptr_list)
		return false;
	job->state_reason = FAIL_BAD_CONSTRAINTS;
	xfree(job->state_desc);
	job->start_time = job->end_time = now;
	job->priority = 0;
	last_job_update = now;
	schedule_job_save();
	return true;
}

void lxfw_compat_launch(job_record_t *job)
{
	if (job->batch_flag) {
		if (!IS_JOB_CONFIGURING(job))
			launch_job(job);
		return;
	}
	srun_allocate(job);
	/* Since 26.05.3 the last component to start may be one without a script, while the
	   leader has one. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 3)
	if (job->het_job_id)
		launch_het_job_leader(job);
#endif
}

bool lxfw_compat_deadline_ok(job_record_t *job)
{
	static char caller[] = "sched/lxfw";

	if (!job->deadline || job->deadline == NO_VAL)
		return true;
	return deadline_ok(job, caller);
}

/* Restricts NODES to those that advance reservations leave to the job now; BOOTS: if it
   may have to boot them. Returns SLURM_SUCCESS or an ESLURM_* code. */
static int apply_reservations(job_record_t *job, bitstr_t *nodes, void *cores, bool boots)
{
	time_t start = time(NULL);
	bool overlap = false;
	bitstr_t *usable = NULL;
	int error_code;

	error_code = job_test_resv(job, &start, false, &usable, cores, &overlap,
				   boots);
	if (error_code == SLURM_SUCCESS && usable)
		bit_and(nodes, usable);
	FREE_NULL_BITMAP(usable);
	return error_code;
}

enum lxfw_kept_out lxfw_compat_kept_out(job_record_t *job, bitstr_t *nodes)
{
	int error_code;
	/* Since 23.11 reservations exclude cores by node. The caller frees the parts. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	resv_exc_t cores = { 0 };
#else
	bitstr_t *cores = NULL;
#endif

	error_code = apply_reservations(job, nodes, &cores, true);
	/* Since 23.11, as above. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	reservation_delete_resv_exc_parts(&cores);
#else
	FREE_NULL_BITMAP(cores);
#endif
	if (error_code == ESLURM_RESERVATION_MAINT)
		return LXFW_KEPT_OUT_ALL;
	return error_code == SLURM_SUCCESS ? LXFW_KEPT_OUT_NOT : LXFW_KEPT_OUT_NODE;
}

/* As lxfw_compat_would_start(), if CANDIDATES (NULL: none) were preempted now. */
static time_t would_start(job_record_t *job, bitstr_t *nodes, bool now_only,
			  lxfw_slurm_list candidates)
{
	uint32_t min_nodes = 0, wanted = 0, max_nodes = 0;
	lxfw_slurm_list victims = NULL;
	uint64_t flags = BACKFILL_TEST | (now_only ? TEST_NOW_ONLY : 0);
	time_t before = job->start_time, start = 0;
	int error_code;
	/* Since 23.11 reservations exclude cores by node. The caller frees the parts. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	resv_exc_t cores = { 0 };
#else
	bitstr_t *cores = NULL;
#endif

	mend_tasks_per_socket(job);
	if (get_node_cnts(job, 0, job->part_ptr, &min_nodes, &wanted,
			  &max_nodes) != SLURM_SUCCESS)
		return 0;
	if (apply_reservations(job, nodes, &cores, false) != SLURM_SUCCESS)
		goto out;
	if ((uint32_t)bit_set_count(nodes) < min_nodes)
		goto out;
	job->bit_flags |= flags;
	/* Since 24.11 a window of time can be given. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	error_code = select_g_job_test(job, nodes, min_nodes, max_nodes, wanted,
				       SELECT_MODE_WILL_RUN, candidates, &victims,
				       &cores, NULL);
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0) /* 23.11, as above */
	error_code = select_g_job_test(job, nodes, min_nodes, max_nodes, wanted,
				       SELECT_MODE_WILL_RUN, candidates, &victims,
				       &cores);
#else
	error_code = select_g_job_test(job, nodes, min_nodes, max_nodes, wanted,
				       SELECT_MODE_WILL_RUN, candidates, &victims,
				       cores);
#endif
	job->bit_flags &= ~flags;
	FREE_NULL_LIST(victims);
	if (error_code == SLURM_SUCCESS)
		start = job->start_time ? job->start_time : time(NULL);
	if (now_only && start > time(NULL))
		start = 0;
	job->start_time = before;
out:
	/* Since 23.11, as above. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	reservation_delete_resv_exc_parts(&cores);
#else
	FREE_NULL_BITMAP(cores);
#endif
	return start;
}

time_t lxfw_compat_would_start(job_record_t *job, bitstr_t *nodes, bool now_only)
{
	return would_start(job, nodes, now_only, NULL);
}

/* Returns the first COUNT items. The caller frees the list. */
static lxfw_slurm_list first_of(lxfw_slurm_list all, int count)
{
	lxfw_slurm_list some = list_create(NULL);
	lxfw_slurm_iterator each;
	job_record_t *job;

	if (!all)
		return some;
	each = list_iterator_create(all);
	while (count-- > 0 && (job = list_next(each)) != NULL)
		list_append(some, job);
	list_iterator_destroy(each);
	return some;
}

/* Returns true if the job could start now if the first COUNT candidates were preempted, and
   sets NODES to a copy of USABLE reduced to those that it would get. */
static bool would_start_without(job_record_t *job, const bitstr_t *usable,
				bitstr_t *nodes, lxfw_slurm_list candidates, int count)
{
	lxfw_slurm_list some = first_of(candidates, count);
	bool would;

	bit_copybits(nodes, (bitstr_t *)usable);
	would = would_start(job, nodes, true, some) != 0;
	FREE_NULL_LIST(some);
	return would;
}

/* Finds the least number of candidates, in Slurm's order, that must be preempted: first
   among the powers of two, since usually few are sufficient. */
bool lxfw_compat_would_preempt(job_record_t *job, bitstr_t *nodes)
{
	lxfw_slurm_list candidates = lxfw_compat_candidates(job);
	int all = candidates ? list_count(candidates) : 0, few = 0, enough = 1;
	bitstr_t *usable = bit_copy(nodes);
	bool would = would_start_without(job, usable, nodes, candidates, all);

	if (would && all > 0) {
		while (enough < all &&
		       !would_start_without(job, usable, nodes, candidates, enough)) {
			few = enough;
			enough *= 2;
		}
		if (enough > all)
			enough = all;
		while (few + 1 < enough) {
			int some = few + (enough - few) / 2;

			if (would_start_without(job, usable, nodes, candidates, some))
				enough = some;
			else
				few = some;
		}
		would = would_start_without(job, usable, nodes, candidates, enough);
	}
	FREE_NULL_BITMAP(usable);
	FREE_NULL_LIST(candidates);
	return would;
}

static int credential_lifetime(void)
{
	/* Since 23.11 the credential plugin knows the lifetime. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	return cred_expiration();
#else
	int lifetime = 1200;

	(void)slurm_cred_ctx_get(slurmctld_config.cred_ctx,
				 SLURM_CRED_OPT_EXPIRY_WINDOW, &lifetime);
	return lifetime;
#endif
}

void lxfw_compat_take_back(job_record_t *job)
{
	time_t now = time(NULL);
	uint64_t flags;

	if (IS_JOB_PENDING(job))
		return;
	job->details->begin_time = now + credential_lifetime() + 1;
	job->end_time = now;
	/* Since 23.11.5 other parts of the controller are notified of states. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 5)
	job_state_set(job, JOB_PENDING | JOB_COMPLETING);
#else
	job->job_state = JOB_PENDING | JOB_COMPLETING;
#endif
	last_job_update = now;
	build_cg_bitmap(job);
	job_completion_logger(job, false);
	deallocate_nodes(job, false, false, false);
	/* job_completion_logger() removed the submission from the limits. Add it again,
	   without staging out burst buffers. */
	flags = job->bit_flags;
	job->bit_flags |= JOB_KILL_HURRY;
	/* Since 23.11 an argument says whether the associations are locked already. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	acct_policy_add_job_submit(job, false);
#else
	acct_policy_add_job_submit(job);
#endif
	job->bit_flags = flags;
	/* deallocate_nodes() has done this if PrologSlurmctld was running. Doing it twice
	   would begin two records in accounting; it removes the nodes. */
	if (job->node_bitmap &&
	    (!job->node_bitmap_cg || bit_set_count(job->node_bitmap_cg) == 0))
		batch_requeue_fini(job);
}

/* Suspends or resumes the job as gang.c of the release does. */
static int change_suspension(job_record_t *job, uint16_t operation)
{
	suspend_msg_t message = {
		/* Since 25.11 messages name a step. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
		.step_id = STEP_ID_FROM_JOB_RECORD(job),
#else
		.job_id = job->job_id,
#endif
		.op = operation,
	};

	/* Since 24.11 the request is given, and not its connection. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	return job_suspend(NULL, &message, 0, true, NO_VAL16);
#else
	return job_suspend(&message, 0, -1, true, NO_VAL16);
#endif
}

int lxfw_compat_suspend(job_record_t *job)
{
	return change_suspension(job, SUSPEND_JOB);
}

int lxfw_compat_resume(job_record_t *job)
{
	return change_suspension(job, RESUME_JOB);
}

int lxfw_compat_requeue(job_record_t *job)
{
	/* Since 25.11 jobs are requeued by record. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	return job_requeue_internal(0, job, true, 0);
#else
	return job_requeue(0, job->job_id, NULL, true, 0);
#endif
}

bool lxfw_compat_messages_unanswered(void)
{
	return get_agent_count() > 0 || retry_list_size() > 0;
}

int64_t lxfw_compat_message_timeout(void)
{
	return slurm_conf.msg_timeout;
}

void lxfw_compat_continue(job_record_t *job)
{
	agent_arg_t *agent;
	suspend_int_msg_t *message;

	if (!job->node_bitmap || !job->details ||
	    bit_ffs(job->node_bitmap) < 0)
		return;
	agent = xmalloc(sizeof(*agent));
	message = xmalloc(sizeof(*message));
	/* Since 25.11 messages name a step. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	message->step_id = STEP_ID_FROM_JOB_RECORD(job);
#else
	message->job_id = job->job_id;
#endif
	message->op = RESUME_JOB;
	/* Before 23.11 the message says what a suspension leaves of specialized cores. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	message->job_core_spec = job->details->core_spec;
	message->indf_susp = true;
#endif
	agent->msg_type = REQUEST_SUSPEND_INT;
	agent->msg_args = message;
	agent->hostlist = hostlist_create(NULL);
	agent->protocol_version = SLURM_PROTOCOL_VERSION;
	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || !bit_test(job->node_bitmap, i))
			continue;
		if (agent->protocol_version > node->protocol_version)
			agent->protocol_version = node->protocol_version;
		hostlist_push_host(agent->hostlist, node->name);
		agent->node_count++;
	}
	set_agent_arg_r_uid(agent, SLURM_AUTH_UID_ANY);
	agent_queue_request(agent);
}

/* Where memory limits are enforced by JobAcctGatherParams=OverMemoryKill and not by
   cgroups, the job's script is killed without any other indication. */
static bool killed_for_memory(const job_record_t *job)
{
	return slurm_conf.job_acct_oom_kill &&
	       (job->job_state & JOB_STATE_BASE) == JOB_FAILED &&
	       WIFSIGNALED(job->exit_code) &&
	       WTERMSIG(job->exit_code) == SIGKILL;
}

bool lxfw_compat_out_of_memory(const job_record_t *job)
{
	return (job->job_state & JOB_STATE_BASE) == JOB_OOM ||
	       killed_for_memory(job);
}

bool lxfw_compat_has_stepmgr(const job_record_t *job)
{
	/* Since 24.05 a node may manage the steps of a job. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	return job->bit_flags & STEPMGR_ENABLED;
#else
	(void)job;
	return false;
#endif
}

const char *lxfw_compat_reason_name(uint32_t reason)
{
	/* Since 24.05 the function has another name, and its result is constant. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	return job_state_reason_string((enum job_state_reason)reason);
#else
	return job_reason_string((enum job_state_reason)reason);
#endif
}
