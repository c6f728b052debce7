/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fake_ctld.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The controller's tables, as far as the bridge looks at them. */
lxfw_slurm_list job_list, part_list, resv_list, avail_feature_list;
bitstr_t *avail_node_bitmap, *up_node_bitmap, *cg_node_bitmap, *rs_node_bitmap;
bitstr_t *idle_node_bitmap, *share_node_bitmap;	/* changed by tests alone */
time_t last_job_update, last_part_update, last_resv_update, last_license_update;
slurmctld_config_t slurmctld_config;
diag_stats_t slurmctld_diag_stats;
uint16_t accounting_enforce;
void *acct_db_conn;
int slurmctld_tres_cnt;

slurmctld_resv_t *fake_magnetic;
struct fake_kept_out fake_kept_out;
bitstr_t *fake_completing;
struct fake_trouble fake_trouble;
struct fake_counts fake_counts;

#define NODES_MAX 256

static time_t clock_now;
static time_t passed;		/* of the monotonic clock, in which it is never set */

time_t __real_time(time_t *result);
time_t __wrap_time(time_t *result);

time_t __wrap_time(time_t *result)
{
	if (!clock_now)
		return __real_time(result);
	if (result)
		*result = clock_now;
	return clock_now;
}

int __real_clock_gettime(clockid_t clock, struct timespec *result);
int __wrap_clock_gettime(clockid_t clock, struct timespec *result);

int __wrap_clock_gettime(clockid_t clock, struct timespec *result)
{
	if (!clock_now || clock != CLOCK_MONOTONIC)
		return __real_clock_gettime(clock, result);
	*result = (struct timespec){ .tv_sec = 1000 + passed };
	return 0;
}

/* For the leak sanitizer: the records that the controller keeps of a job are not freed. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libslurmfull\n";
}

uint64_t fake_random(void)
{
	uint64_t z = fake_trouble.random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

bool fake_chance(uint32_t n)
{
	return n && fake_random() % n == 0;
}

void fake_clock(time_t now)
{
	clock_now = now;
	passed = 0;
}

void fake_pass_seconds(int64_t seconds)
{
	clock_now += seconds;
	if (seconds > 0)
		passed += seconds;
}

/* --- nodes and partitions ----------------------------------------------- */

/* As of gres.conf, one type, no files. */
void fake_node_gres(node_record_t *node, const char *name, uint64_t count)
{
	gres_state_t *gres = xmalloc(sizeof(*gres));
	gres_node_state_t *state = xmalloc(sizeof(*state));

	gres->plugin_id = gres_build_id((char *)name);
	gres->gres_name = xstrdup(name);
	gres->gres_data = state;
	state->gres_cnt_found = count;
	state->gres_cnt_config = count;
	state->gres_cnt_avail = count;
	list_append(node->gres_list, gres);
}

static void free_gres(void *item)
{
	gres_state_t *gres = item;

	xfree(gres->gres_name);
	xfree(gres->gres_data);
	xfree(gres);
}

node_record_t *fake_node(const char *name, uint16_t procs, uint64_t memory_mb,
			 uint64_t gpus)
{
	node_record_t *node = xmalloc(sizeof(*node));

	if (node_record_count == NODES_MAX)
		abort();
	node_record_table_ptr[node_record_count] = node;
	node->magic = NODE_MAGIC;
	node->index = (uint32_t)node_record_count;
	node->name = xstrdup(name);
	node_record_count++;
	node->cpus = procs;
	node->cpus_efctv = procs;
	node->boards = 1;
	node->tot_sockets = 1;
	node->cores = procs;
	node->tot_cores = procs;
	node->threads = 1;
	node->tpc = 1;
	node->real_memory = memory_mb;
	node->tmp_disk = 1000000;
	node->config_ptr = xmalloc(sizeof(*node->config_ptr));
	node->config_ptr->weight = 1;
	node->node_state = NODE_STATE_IDLE;
	node->last_response = time(NULL);
	node->gres_list = list_create(free_gres);
	if (gpus)
		fake_node_gres(node, "gpu", gpus);
	return node;
}

void fake_nodes(const char *name, int count, uint16_t procs,
		uint64_t memory_mb, uint64_t gpus)
{
	for (int i = 0; i < count; i++) {
		char full[64];

		snprintf(full, sizeof(full), "%s%d", name, i);
		fake_node(full, procs, memory_mb, gpus);
	}
}

void fake_nodes_done(void)
{
	FREE_NULL_BITMAP(avail_node_bitmap);
	FREE_NULL_BITMAP(up_node_bitmap);
	FREE_NULL_BITMAP(cg_node_bitmap);
	FREE_NULL_BITMAP(fake_completing);
	FREE_NULL_BITMAP(rs_node_bitmap);
	FREE_NULL_BITMAP(idle_node_bitmap);
	FREE_NULL_BITMAP(share_node_bitmap);
	avail_node_bitmap = bit_alloc(node_record_count);
	up_node_bitmap = bit_alloc(node_record_count);
	cg_node_bitmap = bit_alloc(node_record_count);
	rs_node_bitmap = bit_alloc(node_record_count);
	idle_node_bitmap = bit_alloc(node_record_count);
	bit_set_all(idle_node_bitmap);
	share_node_bitmap = bit_copy(idle_node_bitmap);
	bit_set_all(avail_node_bitmap);
	bit_set_all(up_node_bitmap);
	cr_init_global_core_data(node_record_table_ptr, node_record_count);
}

void fake_node_down(int node, bool down)
{
	node_record_t *record = node_record_table_ptr[node];

	if (down) {
		bit_clear(avail_node_bitmap, node);
		bit_clear(up_node_bitmap, node);
		record->node_state = NODE_STATE_DOWN;
	} else {
		bit_set(avail_node_bitmap, node);
		bit_set(up_node_bitmap, node);
		record->node_state = NODE_STATE_IDLE;
	}
	last_node_update = time(NULL);
}

void fake_node_feature(int node, const char *feature)
{
	node_record_t *record = node_record_table_ptr[node];

	xfree(record->features);
	record->features = xstrdup(feature);
}

static void free_nodes(void)
{
	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];

		FREE_NULL_LIST(node->gres_list);
		xfree(node->config_ptr);
		xfree(node->features);
		xfree(node->name);
		xfree(node);
	}
	xfree(node_record_table_ptr);
	node_record_count = 0;
}

/* Slurm's one needs its configuration file. */
node_record_t *find_node_record(char *name)
{
	for (int i = 0; i < node_record_count; i++) {
		if (strcmp(node_record_table_ptr[i]->name, name) == 0)
			return node_record_table_ptr[i];
	}
	return NULL;
}

static void free_part(void *item)
{
	part_record_t *part = item;

	xfree(part->name);
	xfree(part->nodes);
	FREE_NULL_BITMAP(part->node_bitmap);
	xfree(part);
}

part_record_t *fake_part(const char *name, int first, int last)
{
	part_record_t *part = xmalloc(sizeof(*part));

	part->magic = PART_MAGIC;
	part->name = xstrdup(name);
	part->state_up = PARTITION_UP;
	part->max_time = INFINITE;
	part->default_time = NO_VAL;
	part->max_nodes = INFINITE;
	part->min_nodes = 1;
	part->max_share = 1;
	part->priority_tier = 1;
	part->preempt_mode = NO_VAL16;
	part->node_bitmap = bit_alloc(node_record_count);
	bit_nset(part->node_bitmap, first, last);
	list_append(part_list, part);
	last_part_update = time(NULL);
	return part;
}

static void reverse(bitstr_t *bits)
{
	bitstr_t *old;

	if (!bits)
		return;
	old = bit_copy(bits);
	bit_clear_all(bits);
	for (int i = 0; i < node_record_count; i++) {
		if (bit_test(old, i))
			bit_set(bits, node_record_count - 1 - i);
	}
	FREE_NULL_BITMAP(old);
}

void fake_renumber(void)
{
	lxfw_slurm_iterator each;
	part_record_t *part;
	job_record_t *job;
	int last = node_record_count - 1;

	if (fake_running())
		abort();
	for (int i = 0; i < last - i; i++) {
		node_record_t *node = node_record_table_ptr[i];

		node_record_table_ptr[i] = node_record_table_ptr[last - i];
		node_record_table_ptr[last - i] = node;
		node_record_table_ptr[i]->index = (uint32_t)i;
		node->index = (uint32_t)(last - i);
	}
	reverse(avail_node_bitmap);
	reverse(up_node_bitmap);
	cr_init_global_core_data(node_record_table_ptr, node_record_count);
	each = list_iterator_create(part_list);
	while ((part = list_next(each)) != NULL)
		reverse(part->node_bitmap);
	list_iterator_destroy(each);
	each = list_iterator_create(job_list);
	while ((job = list_next(each)) != NULL) {
		if (!job->details)
			continue;
		reverse(job->details->exc_node_bitmap);
		reverse(job->details->req_node_bitmap);
	}
	list_iterator_destroy(each);
	slurm_conf.last_update = time(NULL);
	last_part_update = time(NULL);
	last_node_update = time(NULL);
}

void fake_start(time_t now, bool memory_counts)
{
	fake_magnetic = NULL;
	fake_limits_start();
	memset(&fake_trouble, 0, sizeof(fake_trouble));
	memset(&fake_counts, 0, sizeof(fake_counts));
	memset(&slurm_conf, 0, sizeof(slurm_conf));
	clock_now = now;
	slurm_conf.select_type_param = fake_select_parameters(memory_counts);
	slurm_conf.schedtype = xstrdup("sched/lxfw");
	slurm_conf.select_type = xstrdup("select/cons_tres");
	slurm_conf.last_update = now;
	slurm_conf.preempt_mode = PREEMPT_MODE_OFF;
	slurm_conf.kill_wait = 2;
	slurm_conf.msg_timeout = 10;
	slurmctld_config.boot_time = now - 1000;
	slurmctld_tres_cnt = 0;
	accounting_enforce = 0;
	last_license_update = 0;
	node_record_table_ptr = xcalloc(NODES_MAX, sizeof(node_record_t *));
	node_record_count = 0;
	part_list = list_create(free_part);
	resv_list = list_create(NULL);
	fake_kept_out = (struct fake_kept_out){ 0 };
	fake_jobs_start();
}

void fake_stop(void)
{
	fake_jobs_stop();
	fake_licenses_stop();
	FREE_NULL_LIST(part_list);
	FREE_NULL_LIST(resv_list);
	FREE_NULL_BITMAP(avail_node_bitmap);
	FREE_NULL_BITMAP(up_node_bitmap);
	FREE_NULL_BITMAP(cg_node_bitmap);
	FREE_NULL_BITMAP(rs_node_bitmap);
	FREE_NULL_BITMAP(idle_node_bitmap);
	FREE_NULL_BITMAP(share_node_bitmap);
	cr_fini_global_core_data();
	free_nodes();
	xfree(slurm_conf.schedtype);
	xfree(slurm_conf.select_type);
	clock_now = 0;
}

/* --- what the bridge calls, the same in every release ------------------- */

/* All changes that may happen while the bridge does not hold the lock happen here. */
void lock_slurmctld(slurmctld_lock_t levels)
{
	(void)levels;
	if (fake_chance(fake_trouble.vanish)) {
		job_record_t *job = fake_any_job();

		if (job)
			fake_vanish(job);
	}
	if (fake_chance(fake_trouble.jump)) {
		int64_t by = (int64_t)(fake_random() % 7201) - 3600;

		if (by > 0 || clock_now > 3600)
			clock_now += by;
	}
}

void unlock_slurmctld(slurmctld_lock_t levels)
{
	(void)levels;
}

part_record_t *find_part_record(char *name)
{
	lxfw_slurm_iterator each = list_iterator_create(part_list);
	part_record_t *part;

	while ((part = list_next(each)) != NULL) {
		if (strcmp(part->name, name) == 0)
			break;
	}
	list_iterator_destroy(each);
	return part;
}

static void add_one(lxfw_slurm_list queue, job_record_t *job,
		    part_record_t *part, bool prefer, slurmctld_resv_t *resv)
{
	job_queue_rec_t *record = xmalloc(sizeof(*record));

	record->array_task_id = job->array_task_id;
	record->job_id = job->job_id;
	record->job_ptr = job;
	record->part_ptr = part;
	record->priority = part->priority_job_factor ?
				   part->priority_job_factor : job->priority;
	record->use_prefer = prefer;
	record->resv_ptr = resv;
	fake_record_qos(record);
	list_append(queue, record);
}

static void add_record(lxfw_slurm_list queue, job_record_t *job,
		       part_record_t *part)
{
	if (job->details->prefer)
		add_one(queue, job, part, true, NULL);
	add_one(queue, job, part, false, NULL);
	if (fake_magnetic)
		add_one(queue, job, part, false, fake_magnetic);
}

lxfw_slurm_list build_job_queue(bool clear_start, bool backfill)
{
	lxfw_slurm_list queue = list_create(xfree_ptr);
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	job_record_t *job;

	(void)backfill;
	while ((job = list_next(each)) != NULL) {
		lxfw_slurm_iterator parts;
		part_record_t *part;

		job->preempt_in_progress = false;
		if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
		    job->priority == 0)
			continue;
		if (clear_start) {
			job->start_time = 0;
			xfree(job->sched_nodes);
		}
		if (job->details->begin_time > time(NULL))
			continue;
		if (!job->part_ptr_list) {
			add_record(queue, job, job->part_ptr);
			continue;
		}
		parts = list_iterator_create(job->part_ptr_list);
		while ((part = list_next(parts)) != NULL)
			add_record(queue, job, part);
		list_iterator_destroy(parts);
	}
	list_iterator_destroy(each);
	return queue;
}

/* --- the log ------------------------------------------------------------ */

int get_log_level(void)
{
	return LOG_LEVEL_INFO;
}

static void tell(int level, const char *format, va_list arguments)
{
	char line[512];

	vsnprintf(line, sizeof(line), format, arguments);
	if (level <= LOG_LEVEL_ERROR) {
		fake_counts.errors++;
		snprintf(fake_counts.last_error, sizeof(fake_counts.last_error),
			 "%.255s", line);
	} else {
		fake_counts.infos++;
	}
	if (getenv("LXFW_FAKE_LOG"))
		fprintf(stderr, "# %s\n", line);
}

void log_var(const log_level_t level, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell(level, format, arguments);
	va_end(arguments);
}

int error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell(LOG_LEVEL_ERROR, format, arguments);
	va_end(arguments);
	return SLURM_ERROR;
}
