/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of compat.h that reports changes of a running job to accounting. Up to 24.05
 * Slurm requests the number of each new record from slurmdbd and waits for it under
 * locks. Since 24.11 it assigns the number itself and queues all messages.
 */
#include "plugins/slurm/compat/compat.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <time.h>

/* Since 24.11 the controller numbers the records, jobacct_storage_p_job_start(). */
#define GIVES_NUMBERS (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0))

/* Seconds within which slurmdbd has answered the requests that a controller made at its
   start. */
#define ANSWER_MAX 10

/* Since 23.02 interfaces of plugins have a folder of their own. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/accounting_storage.h"
#else
#include "src/common/slurm_accounting_storage.h"
#endif
#if !GIVES_NUMBERS
/* Since 24.05 the connection is that of all daemons. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#include "src/common/persist_conn.h"
typedef persist_conn_t database_connection;
#else
#include "src/common/slurm_persist_conn.h"
typedef slurm_persist_conn_t database_connection;
#endif
#endif

static void set_flag(job_record_t *job, uint32_t flag)
{
	/* Since 23.11.5 other parts of the controller are notified of states. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 5)
	job_state_set_flag(job, flag);
#else
	job->job_state |= flag;
#endif
}

/* Returns the time of the change. It must be later than the submission and the last
   change, at one of which the present record begins. */
static time_t resize_time(const job_record_t *job)
{
	time_t now = time(NULL);

	if (job->details && now <= job->details->submit_time)
		now = job->details->submit_time + 1;
	return now <= job->resize_time ? job->resize_time + 1 : now;
}

#if GIVES_NUMBERS

void lxfw_compat_renew_record(job_record_t *job)
{
	(void)job;
}

bool lxfw_compat_resize_ready(job_record_t *job)
{
	(void)job;
	return true;
}

static void settle_record(job_record_t *job)
{
	if (!IS_JOB_IN_DB(job))
		jobacct_storage_g_job_start(acct_db_conn, job);
}

#else

/*
 * Sets TCP_NODELAY. Slurm writes the length of a message and then the message, which
 * the system sends only when slurmdbd's host has acknowledged the length: a delay of 40
 * ms. The answer is delayed in the same way, which cannot be avoided here. A failure is
 * harmless.
 */
static void send_at_once(void)
{
	const database_connection *connection = acct_db_conn;
	int on = 1;

	if (slurm_with_slurmdbd() && connection && connection->fd >= 0)
		(void)setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on,
				 sizeof(on));
}

static bool has_number(const job_record_t *job)
{
	return job->db_index && job->db_index != NO_VAL64;
}

/*
 * Returns true if a thread of Slurm is requesting the number. It will store the number
 * of the record that the job had when the request was made. The thread makes no
 * requests for jobs that were changed.
 */
static bool is_asked_for(const job_record_t *job)
{
	return IS_JOB_UPDATE_DB(job) ||
	       (job->db_index == NO_VAL64 && !job->resize_time);
}

void lxfw_compat_renew_record(job_record_t *job)
{
	time_t booted = slurmctld_config.boot_time;

	if (job->db_index == NO_VAL64 && !job->resize_time &&
	    slurm_with_slurmdbd() && job->details->submit_time < booted &&
	    time(NULL) - booted > ANSWER_MAX)
		job->db_index = 0;
}

/*
 * The end of the present record is reported by its number. Reporting the start again
 * obtains the number; after a change, the start is reported as that of a resized job.
 */
static void settle_record(job_record_t *job)
{
	if (has_number(job))
		return;
	job->db_index = 0;
	if (job->resize_time)
		job->job_state |= JOB_RESIZING;
	jobacct_storage_g_job_start(acct_db_conn, job);
	job->job_state &= ~JOB_RESIZING;
}

bool lxfw_compat_resize_ready(job_record_t *job)
{
	int active = 1;

	if (!slurm_with_slurmdbd() ||
	    slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_NO_JOBS)
		return true;
	if (acct_storage_g_get_data(acct_db_conn, ACCT_STORAGE_INFO_CONN_ACTIVE,
				    &active) != SLURM_SUCCESS || !active ||
	    is_asked_for(job))
		return false;
	send_at_once();
	settle_record(job);
	return has_number(job);
}

#endif

/* Does the same as job_pre_resize_acctg(), which would in addition count the end of an
   array task and write a record of a completed job. */
void lxfw_compat_resize_begin(job_record_t *job)
{
	settle_record(job);
	job->resize_time = resize_time(job);
	set_flag(job, JOB_RESIZING);
	/* Since 23.11 an argument says whether the associations are locked already. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	acct_policy_remove_job_submit(job, false);
	jobacct_storage_g_job_complete(acct_db_conn, job);
	acct_policy_job_fini(job, false);
#else
	acct_policy_remove_job_submit(job);
	jobacct_storage_g_job_complete(acct_db_conn, job);
	acct_policy_job_fini(job);
#endif
}

void lxfw_compat_resize_end(job_record_t *job)
{
	job_post_resize_acctg(job);
}
