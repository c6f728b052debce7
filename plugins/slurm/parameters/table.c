/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/parameters/parameters.h"

#define SLURM(name_) { .name = name_, .use = LXFW_PARAMETER_SLURM }
#define ALWAYS(name_, why_) \
	{ .name = name_, .use = LXFW_PARAMETER_ALWAYS, .why = why_ }
#define NONE(name_, why_) { .name = name_, .use = LXFW_PARAMETER_NONE, .why = why_ }
#define SIMILAR(name_, key_, why_) \
	{ .name = name_, .use = LXFW_PARAMETER_NONE, .key = key_, .why = why_ }
#define SETS(name_, key_, unit_) \
	{ .name = name_, .use = LXFW_PARAMETER_READ, .key = key_, .unit = unit_ }
#define READ(name_, unit_, why_) \
	{ .name = name_, .use = LXFW_PARAMETER_READ, .unit = unit_, .why = why_ }

/* The main scheduler of slurmctld must be turned off. */
#define MAIN "the main scheduler is off"
#define SELECTS "the plugin selects the nodes"
#define LOCKS "the plugin holds the locks for 60 ms at a time, and decides without them"

const struct lxfw_parameter lxfw_parameters[] = {
	SLURM("allow_zero_lic"),
	NONE("assoc_limit_stop", "a job at a limit has no reservation"),
	NONE("batch_sched_delay", MAIN),
	SLURM("bb_array_stage_cnt"),
	NONE("bf_allow_magnetic_slot", "jobs in reservations of Slurm have none of the plugin"),
	NONE("bf_busy_nodes", SELECTS),
	ALWAYS("bf_continue", NULL),
	ALWAYS("bf_hetjob_immediate", NULL),
	NONE("bf_hetjob_prio", "all components start at once, in one place of the order"),
	ALWAYS("bf_ignore_newly_avail_nodes", NULL),
	SIMILAR("bf_interval", "lxfw_interval", "a pass follows each change"),
	SIMILAR("bf_job_part_count_reserve", "lxfw_reservations",
		"reservations are not counted by partition"),
	ALWAYS("bf_licenses", NULL),
	SIMILAR("bf_max_job_array_resv", "lxfw_reservations",
		"tasks of arrays are jobs like others"),
	READ("bf_max_job_assoc", 1, NULL),
	READ("bf_max_job_part", 1, NULL),
	NONE("bf_max_job_start", "a pass starts all jobs that can start"),
	NONE("bf_max_job_test", "a pass considers all jobs"),
	READ("bf_max_job_user", 1, NULL),
	READ("bf_max_job_user_part", 1, NULL),
	NONE("bf_max_time", "a pass considers all jobs"),
	SETS("bf_min_age_reserve", "lxfw_reservation_age", 1),
	SETS("bf_min_prio_reserve", "lxfw_reservation_priority", 1),
	NONE("bf_node_space_size", "the number of changes over time is not limited"),
	ALWAYS("bf_one_resv_per_job", NULL),
	NONE("bf_resolution", "times are exact to the second"),
	ALWAYS("bf_running_job_reserve", NULL),
	NONE("bf_topopt_enable", SELECTS),
	NONE("bf_topopt_iterations", SELECTS),
	SETS("bf_window", "lxfw_reservation_window", 60),
	SLURM("bf_window_linear"),
	NONE("bf_yield_interval", LOCKS),
	READ("bf_yield_rpc_cnt", 1, NULL),
	READ("bf_yield_rpc_count", 1, NULL),
	NONE("bf_yield_sleep", LOCKS),
	SLURM("build_queue_timeout"),
	SLURM("correspond_after_task_cnt"),
	NONE("default_queue_depth", MAIN),
	SLURM("defer"),
	SLURM("defer_batch"),
	SLURM("delay_boot"),
	SLURM("disable_hetero_steps"),
	SLURM("disable_hetjob_steps"),
	SLURM("disable_job_shrink"),
	SLURM("enable_hetero_steps"),
	SLURM("enable_hetjob_steps"),
	SLURM("enable_job_state_cache"),
	SLURM("enable_user_top"),
	SLURM("extra_constraints"),
	SLURM("ignore_constraint_validation"),
	SLURM("Ignore_NUMA"),
	SLURM("ignore_prefer_validation"),
	SLURM("jobs_per_user_per_hour"),
	SLURM("max_array_tasks"),
	NONE("max_job_bf", "a pass considers all jobs"),
	READ("max_rpc_cnt", 1, NULL),
	READ("max_rpc_count", 1, NULL),
	NONE("max_sched_time", MAIN),
	SLURM("max_script_size"),
	SLURM("max_submit_line_size"),
	SLURM("max_switch_wait"),
	SLURM("no_backup_scheduling"),
	SLURM("no_env_cache"),
	SLURM("nohold_on_prolog_fail"),
	NONE("pack_serial_at_end", SELECTS),
	NONE("partition_job_depth", MAIN ", see bf_max_job_part"),
	SLURM("permit_job_expansion"),
	SLURM("preempt_reorder_count"),
	SLURM("preempt_send_user_signal"),
	SLURM("preempt_strict_order"),
	SLURM("preempt_youngest_first"),
	READ("reduce_completing_frag", 0, "with CompleteWait"),
	SLURM("requeue_delay"),
	SLURM("requeue_on_resume_failure"),
	SLURM("requeue_setup_env_fail"),
	SLURM("salloc_wait_nodes"),
	SLURM("sbatch_wait_nodes"),
	SLURM("sched_interval"),
	NONE("sched_max_job_start", MAIN),
	NONE("sched_min_interval", MAIN),
	SLURM("spec_cores_first"),
	SLURM("step_retry_count"),
	SLURM("step_retry_time"),
	NONE("time_min_as_soft_limit", "the time limit is set at the start"),
	SLURM("user_resv_delete"),
	SLURM("whole_hetjob"),
	SLURM("whole_pack"),
};

const size_t lxfw_parameter_count = sizeof(lxfw_parameters) / sizeof(lxfw_parameters[0]);

/* Items that Slurm reads from another key. */
const struct lxfw_parameter_moved lxfw_parameters_moved[] = {
	{ "cloud_dns", "SlurmctldParameters" },
	{ "cloud_reg_addrs", "SlurmctldParameters" },
	{ "disable_remote_singleton", "DependencyParameters" },
	{ "disable_send_gids", "LaunchParameters" },
	{ "enable_configless", "SlurmctldParameters" },
	{ "idle_on_node_suspend", "SlurmctldParameters" },
	{ "kill_invalid_depend", "DependencyParameters" },
	{ "max_depend_depth", "DependencyParameters" },
	{ "node_reg_mem_percent", "SlurmctldParameters" },
	{ "power_save_interval", "SlurmctldParameters" },
	{ "power_save_min_interval", "SlurmctldParameters" },
	{ "preempt_send_user_signal", "SlurmctldParameters" },
	{ "reboot_from_controller", "SlurmctldParameters" },
	{ "reclaim_licenses", "PreemptParameters" },
	{ "reorder_count", "PreemptParameters" },
	{ "rl_bucket_size", "SlurmctldParameters" },
	{ "rl_enable", "SlurmctldParameters" },
	{ "rl_refill_period", "SlurmctldParameters" },
	{ "rl_refill_rate", "SlurmctldParameters" },
	{ "rl_table_size", "SlurmctldParameters" },
	{ "strict_order", "PreemptParameters" },
	{ "user_resv_delete", "SlurmctldParameters" },
	{ "youngest_first", "PreemptParameters" },
};

const size_t lxfw_parameters_moved_count =
	sizeof(lxfw_parameters_moved) / sizeof(lxfw_parameters_moved[0]);
