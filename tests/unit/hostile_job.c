/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/hostile_job.h"

const uint64_t hostile_values[] = {
	0, 1, 2, 3, 7, 16, 17, 64, 255, 256, 4095,
	INT16_MAX, INT16_MAX + 1, UINT16_MAX - 2, NO_VAL16, UINT16_MAX,
	UINT16_MAX + 1, 1000000, INT32_MAX / 4, INT32_MAX / 2,
	INT32_MAX / 2 + 1, INT32_MAX - 1, INT32_MAX,
	(uint64_t)INT32_MAX + 1, UINT32_MAX - 2, NO_VAL, INFINITE,
	(uint64_t)UINT32_MAX + 1, (uint64_t)1 << 49, ((uint64_t)1 << 50) - 1,
	(uint64_t)1 << 50, INT64_MAX / 1000, INT64_MAX / 4,
	UINT64_C(9000000000000000000), INT64_MAX - 1, INT64_MAX,
	(uint64_t)INT64_MAX + 1, UINT64_MAX - 1000, NO_VAL64, UINT64_MAX,
};

const unsigned int hostile_value_count =
	sizeof(hostile_values) / sizeof(*hostile_values);

static const char *const names[HOSTILE_FIELDS] = {
	"memory", "memory per cpu", "min_cpus", "max_cpus", "num_tasks",
	"cpus_per_task", "min_nodes", "max_nodes", "ntasks_per_node",
	"ntasks_per_tres", "pn_min_cpus", "pn_min_tmp_disk", "time_limit",
	"time_min", "begin_time", "deadline", "nice", "priority", "core_spec",
	"contiguous", "exclusive", "overcommit", "share_res",
	"threads_per_core", "gres_per_job", "gres_per_node",
	"gres_per_socket", "gres_per_task", "mem_per_gres", "cpus_per_gres",
	"ntasks_per_gres",
};

const char *hostile_name(enum hostile_field field)
{
	return names[field];
}

static gres_job_state_t *gres_of(job_record_t *job)
{
	gres_state_t *gres;

	if (!job->gres_list_req)
		return fake_gres(job, "gpu");
	gres = list_peek(job->gres_list_req);
	return gres->gres_data;
}

static void set_gres(job_record_t *job, enum hostile_field field,
		     uint64_t value)
{
	gres_job_state_t *gres = gres_of(job);

	switch (field) {
	case HOSTILE_GRES_PER_JOB:
		gres->gres_per_job = value;
		break;
	case HOSTILE_GRES_PER_NODE:
		gres->gres_per_node = value;
		break;
	case HOSTILE_GRES_PER_SOCKET:
		gres->gres_per_socket = value;
		break;
	case HOSTILE_GRES_PER_TASK:
		gres->gres_per_task = value;
		break;
	case HOSTILE_GRES_MEMORY:
		gres->mem_per_gres = value;
		break;
	case HOSTILE_GRES_CPUS:
		gres->cpus_per_gres = (uint16_t)value;
		break;
	default:
		gres->ntasks_per_gres = (uint16_t)value;
		break;
	}
}

static void set_of_job(job_record_t *job, enum hostile_field field,
		       uint64_t value)
{
	switch (field) {
	case HOSTILE_TIME_LIMIT:
		job->time_limit = (uint32_t)value;
		break;
	case HOSTILE_TIME_MIN:
		job->time_min = (uint32_t)value;
		break;
	case HOSTILE_DEADLINE:
		job->deadline = (time_t)(value & INT64_MAX);
		break;
	default:
		job->priority = (uint32_t)value;
		break;
	}
}

static void set_flags(lxfw_slurm_details *details, enum hostile_field field,
		      uint64_t value)
{
	switch (field) {
	case HOSTILE_CONTIGUOUS:
		details->contiguous = value & 1;
		break;
	case HOSTILE_EXCLUSIVE:
		details->whole_node = value & 1 ? WHOLE_NODE_REQUIRED : 0;
		break;
	case HOSTILE_OVERCOMMIT:
		details->overcommit = (uint8_t)value;
		break;
	case HOSTILE_SHARE:
		details->share_res = (uint8_t)value;
		break;
	default:
		if (!details->mc_ptr)
			details->mc_ptr = xmalloc(sizeof(*details->mc_ptr));
		details->mc_ptr->threads_per_core = (uint16_t)value;
		break;
	}
}

void hostile_set(job_record_t *job, enum hostile_field field, uint64_t value)
{
	lxfw_slurm_details *details = job->details;

	switch (field) {
	case HOSTILE_MEMORY:
		details->pn_min_memory = value & ~MEM_PER_CPU;
		break;
	case HOSTILE_MEMORY_PER_CPU:
		details->pn_min_memory = value | MEM_PER_CPU;
		break;
	case HOSTILE_MIN_CPUS:
		details->min_cpus = (uint32_t)value;
		break;
	case HOSTILE_MAX_CPUS:
		details->max_cpus = (uint32_t)value;
		break;
	case HOSTILE_NUM_TASKS:
		details->num_tasks = (uint32_t)value;
		break;
	case HOSTILE_CPUS_PER_TASK:
		details->cpus_per_task = (uint16_t)value;
		break;
	case HOSTILE_MIN_NODES:
		details->min_nodes = (uint32_t)value;
		break;
	case HOSTILE_MAX_NODES:
		details->max_nodes = (uint32_t)value;
		break;
	case HOSTILE_NTASKS_PER_NODE:
		details->ntasks_per_node = (uint16_t)value;
		break;
	case HOSTILE_NTASKS_PER_TRES:
		details->ntasks_per_tres = (uint16_t)value;
		break;
	case HOSTILE_PN_MIN_CPUS:
		details->pn_min_cpus = (uint32_t)value;
		break;
	case HOSTILE_TMP_DISK:
		details->pn_min_tmp_disk = (uint32_t)value;
		break;
	case HOSTILE_BEGIN:
		details->begin_time = (time_t)(value & INT64_MAX);
		break;
	case HOSTILE_NICE:
		details->nice = (uint32_t)value;
		break;
	case HOSTILE_CORE_SPEC:
		details->core_spec = (uint16_t)value;
		break;
	case HOSTILE_TIME_LIMIT:
	case HOSTILE_TIME_MIN:
	case HOSTILE_DEADLINE:
	case HOSTILE_PRIORITY:
		set_of_job(job, field, value);
		break;
	case HOSTILE_CONTIGUOUS:
	case HOSTILE_EXCLUSIVE:
	case HOSTILE_OVERCOMMIT:
	case HOSTILE_SHARE:
	case HOSTILE_THREADS_PER_CORE:
		set_flags(details, field, value);
		break;
	case HOSTILE_GRES_PER_JOB:
	case HOSTILE_GRES_PER_NODE:
	case HOSTILE_GRES_PER_SOCKET:
	case HOSTILE_GRES_PER_TASK:
	case HOSTILE_GRES_MEMORY:
	case HOSTILE_GRES_CPUS:
	case HOSTILE_GRES_NTASKS:
		set_gres(job, field, value);
		break;
	case HOSTILE_FIELDS:
		break;
	}
}
