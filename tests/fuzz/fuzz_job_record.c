/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs with arbitrary fields, run through passes of the bridge over a simulated
 * controller. Whatever they request, another user's job that fits an exclusive free
 * node starts there, and the model is not rebuilt.
 *
 * An input is one byte that selects the configuration of the site, then operations:
 * either set a field of the newest job, or one of enum operation.
 *
 * It executes about 600 inputs per second, not 2,000: each one begins with a new controller and
 * a new bridge, and has several passes over all jobs, of which one may disturb the next.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/unit/bridge_pass.h"
#include "tests/unit/hostile_job.h"

const char fuzz_name[] = "job_record";

#define NOW 1700000000
#define JOBS_MAX 40
#define PASSES_MAX 40

/* Numbers after the fields of a job. */
enum operation {
	SUBMIT = HOSTILE_FIELDS,
	SUBMIT_TO_BOTH,
	ARRAY,			/* for the newest job */
	EXCLUDE,		/* exclude a node for the newest job */
	REQUIRE,
	PASS,
	END,			/* end the first running job */
	REMOVE,			/* remove the newest job */
	LATER,
	NODE_DOWN,
	NODE_UP,
	OPERATIONS
};

/* The last values of a byte, followed by another byte that selects one of these. */
#define FURTHER 0xfc

enum further {
	COMPONENT,		/* of the heterogeneous job of the job before */
	PREFER,
	URGENT,			/* submit to a partition that preempts the others */
	PREEMPTION,		/* switch it on or off */
	BOOT,			/* a node is powered down, or up */
	LICENSES,		/* none are free, or all */
	HOLD,			/* hold the newest job, or release it */
	WEIGHT,
	FURTHER_COUNT
};

struct input {
	const uint8_t *data;
	size_t size;
};

static struct lxfw_bridge bridge;
static job_record_t *newest;
static uint32_t newest_id;
static int jobs, pass_count;
static uint32_t adaptive;	/* minimum of processors; 0 if the policy is not
                         	 * EQspatial */

static uint8_t byte_of(struct input *input)
{
	if (!input->size)
		return 0;
	input->size--;
	return *input->data++;
}

/* Return a small number, a boundary value, or eight bytes of input. */
static uint64_t value_of(struct input *input)
{
	uint8_t first = byte_of(input);
	uint64_t value = 0;

	if (first < 0x80)
		return first;
	if (first < 0xf0)
		return hostile_values[(first - 0x80u) % hostile_value_count];
	for (int i = 0; i < 8; i++)
		value = value << 8 | byte_of(input);
	return value;
}

static void submit(const char *parts)
{
	if (jobs == JOBS_MAX)
		return;
	jobs++;
	newest = fake_job(parts, 1);
	newest_id = newest->job_id;
	if (adaptive)
		fake_adaptive(newest, adaptive);
}

static void one_more_pass(void)
{
	if (pass_count++ < PASSES_MAX)
		passes(&bridge);
}

static void end_one(void)
{
	for (uint32_t id = 1; id <= newest_id; id++) {
		job_record_t *job = fake_find(id);

		if (job && IS_JOB_RUNNING(job)) {
			fake_end(job);
			return;
		}
	}
}

static void act_on_newest(enum operation operation, struct input *input)
{
	char name[16];
	int node;

	newest = fake_find(newest_id);
	if (!newest || !IS_JOB_PENDING(newest))
		return;
	switch (operation) {
	case ARRAY:
		if (!newest->array_recs && newest->array_task_id == NO_VAL &&
		    !newest->het_job_id)
			fake_array(newest, 0, byte_of(input) % 8, 0);
		break;
	case EXCLUDE:
	case REQUIRE:
		node = byte_of(input) % 4;
		snprintf(name, sizeof(name), "%d", node);
		if (operation == EXCLUDE)
			fake_exclude(newest, name, node);
		else
			fake_require(newest, name, node);
		break;
	default:
		fake_vanish(newest);
		break;
	}
}

static void add_component(void)
{
	job_record_t *before = fake_find(newest_id), *leader;

	if (!before || !IS_JOB_PENDING(before) || before->array_recs ||
	    before->array_task_id != NO_VAL || jobs == JOBS_MAX)
		return;
	leader = before->het_job_id ? fake_find(before->het_job_id) : before;
	if (!leader || !IS_JOB_PENDING(leader))
		return;
	submit("all");
	fake_component(leader, newest);
}

static void act_further(struct input *input)
{
	uint8_t further = byte_of(input) % FURTHER_COUNT;
	node_record_t *node;

	newest = fake_find(newest_id);
	switch ((enum further)further) {
	case COMPONENT:
		add_component();
		break;
	case PREFER:
		if (newest && IS_JOB_PENDING(newest) && !newest->details->prefer)
			fake_prefer(newest, byte_of(input) & 1 ? "fast" : "no[such");
		break;
	case URGENT:
		submit("urgent");
		break;
	case PREEMPTION:
		slurm_conf.preempt_mode = byte_of(input) & 1 ? PREEMPT_MODE_REQUEUE :
							       PREEMPT_MODE_OFF;
		break;
	case BOOT:
		node = node_record_table_ptr[byte_of(input) % 4];
		node->node_state ^= NODE_STATE_POWERED_DOWN;
		slurm_conf.resume_timeout = byte_of(input);
		last_node_update = time(NULL);
		break;
	case LICENSES:
		fake_licenses_busy = byte_of(input) & 1;
		break;
	case HOLD:
		if (newest && IS_JOB_PENDING(newest))
			newest->priority = newest->priority ? 0 : 1000;
		break;
	default:
		node = node_record_table_ptr[byte_of(input) % 4];
		node->sched_weight = node->weight = byte_of(input);
		last_node_update = time(NULL);
		break;
	}
}

static void act(struct input *input)
{
	uint8_t byte = byte_of(input), operation = byte % OPERATIONS;

	if (byte >= FURTHER) {
		act_further(input);
		return;
	}
	if (operation < HOSTILE_FIELDS) {
		uint64_t value = value_of(input);

		newest = fake_find(newest_id);
		if (newest && IS_JOB_PENDING(newest))
			hostile_set(newest, (enum hostile_field)operation,
				    value);
		return;
	}
	switch ((enum operation)operation) {
	case SUBMIT:
		submit("all");
		break;
	case SUBMIT_TO_BOTH:
		submit("all,some");
		break;
	case PASS:
		one_more_pass();
		break;
	case END:
		end_one();
		break;
	case LATER:
		fake_pass_seconds(byte_of(input) * 10);
		fake_end_overdue();
		break;
	case NODE_DOWN:
	case NODE_UP:
		fake_node_down(byte_of(input) % 4, operation == NODE_DOWN);
		break;
	default:
		act_on_newest((enum operation)operation, input);
		break;
	}
}

static void set_up(uint8_t how)
{
	fake_start(NOW, how & 1);
	fake_trouble.random = how;
	fake_trouble.refuse = how & 2 ? 4 : 0;
	fake_trouble.more = how & 4 ? 4 : 0;
	fake_nodes("n", 2, 16, 16000, 0);
	fake_nodes("g", 2, 32, 64000, 4);
	fake_nodes("good", 1, 4, 4000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	fake_part("some", 2, 3);
	fake_part("good", 4, 4);
	fake_part("urgent", 0, 3)->priority_tier = 10;
	fake_node_feature(0, "fast");
	slurm_conf.preempt_mode = PREEMPT_MODE_OFF;
	fake_licenses_busy = false;
	in_turn = how & 1;
	bridge_start(&bridge);
	adaptive = how & 8 ? 1u + (how >> 4) : 0;
	if (adaptive) {
		struct lxfw_params params;

		lxfw_params_preset(&params, LXFW_POLICY_EQSPATIAL);
		params.eq_min_interval = 2;
		lxfw_agent_set_params(&bridge.agent, &params);
	}
	newest = NULL;
	newest_id = 0;
	jobs = 0;
	pass_count = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	job_record_t *good;

	set_up(byte_of(&input));
	while (input.size)
		act(&input);
	passes(&bridge);
	memset(&fake_trouble, 0, sizeof(fake_trouble));
	fake_licenses_busy = false;
	fake_pass_seconds(1);
	good = fake_job("good", 1);
	passes(&bridge);
	FUZZ_CHECK(IS_JOB_RUNNING(good));
	FUZZ_CHECK(bridge.agent.total.rebuilds == 1);
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}
