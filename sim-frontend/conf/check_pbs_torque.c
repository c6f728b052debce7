/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes Torque, whose qmgr prints commands of the same form as that of OpenPBS. */
#include <string.h>
#include <strings.h>

#include "sim-frontend/conf/check_pbs.h"

/* Attributes of servers and queues of Torque (svr_attr_def.c, queue_attr_def.c) that OpenPBS
   does not have. */
static const char *const only[] = {
	"acl_group_hosts", "acl_group_sloppy", "acl_logic_or", "acl_user_hosts",
	"allow_node_submit", "allow_proxy_user", "authorized_users", "auto_node_np",
	"automatic_requeue_exit_code", "cgroup_per_task", "clone_batch_delay",
	"clone_batch_size", "copy_on_rerun", "default_gpu_mode", "disable_server_id_check",
	"disallowed_types", "display_job_server_suffix", "dont_write_nodes_file",
	"down_on_error", "email_batch_seconds", "exit_code_canceled_job",
	"ghost_array_recovery", "ghost_queue", "idle_slot_limit", "interactive_jobs_can_roam",
	"job_exclusive_on_use", "job_force_cancel_time", "job_full_report_time",
	"job_log_file_max_size", "job_log_file_roll_depth", "job_log_keep_days", "job_nanny",
	"job_start_timeout", "job_stat_rate", "job_suffix_alias", "job_sync_timeout",
	"keep_completed", "legacy_vmem", "lock_file_check_time", "lock_file_update_time",
	"log_file_max_size", "log_file_roll_depth", "log_keep_days", "mail_body_fmt",
	"mail_subject_fmt", "max_slot_limit", "max_user_queuable", "moab_array_compatible",
	"mom_job_sync", "next_job_number", "node_check_rate", "node_ping_rate", "node_suffix",
	"note_append_on_error", "np_default", "nppcu", "owner_purge", "pass_cpu_clock",
	"poll_jobs", "record_job_info", "record_job_script", "req_information_default",
	"req_information_max", "req_information_min", "required_login_property",
	"submit_hosts", "tcp_incoming_timeout", "tcp_timeout", "thread_idle_seconds",
	"timeout_for_job_delete", "timeout_for_job_requeue", "use_jobs_subdirs",
};

static bool is_torques(const struct lxfw_pbs_setting *item)
{
	/* "disallowed_types" and "req_information_max.lprocs" */
	size_t length = strcspn(item->setting.key, ".");

	if (item->source != LXFW_PBS_QMGR || (item->object != LXFW_QMGR_SERVER &&
					      item->object != LXFW_QMGR_QUEUE))
		return false;
	for (size_t i = 0; i < sizeof(only) / sizeof(*only); i++) {
		if (strlen(only[i]) == length &&
		    strncasecmp(item->setting.key, only[i], length) == 0)
			return true;
	}
	return false;
}

bool lxfw_check_pbs_torque(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_conf *conf = check->conf;
	const struct lxfw_pbs_setting *first = NULL, *second = NULL;
	struct lxfw_finding *found;

	for (size_t i = 0; i < conf->count && !second; i++) {
		if (!is_torques(&conf->items[i]))
			continue;
		if (!first)
			first = &conf->items[i];
		else if (strcasecmp(conf->items[i].setting.key, first->setting.key) != 0)
			second = &conf->items[i];
	}
	if (!first)
		return false;
	found = lxfw_found(&check->base, "torque", true, &first->setting);
	lxfw_found_text(&check->base, found, "%s%s%s only Torque has: lxfw-pbsd does not run on "
			"Torque, and the settings are not checked for it; lxfw simulate reads the "
			"accounting of Torque", first->setting.key, second ? " and " : "",
			second ? second->setting.key : "");
	lxfw_found_mend(&check->base, found, "# lxfw-pbsd needs OpenPBS 20 or later");
	return true;
}
