/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/params/keys.h"

#include <string.h>


#define WEIGHT_MOST 1000000
#define DAY 86400
#define YEAR 31536000
#define EVERYTHING 1000000000
#define PRIORITY_MOST UINT32_MAX

/*
 * The presets of immediate service and EQspatial are from sections 2.4, 3 and 4.4 of the
 * paper. Immediate service is off unless a quantum is given.
 *
 * The ranges that `lxfw tune` searches: Wx is fixed, since the order does not change if
 * all weights are multiplied by a factor. Jx is 1 or more, while processors and memory
 * are often in the hundreds. The goals of a search do not show which jobs are suspended,
 * so the limits of suspensions are searched together with the quantum.
 */
const struct lxfw_key lxfw_keys[] = {
#define FIELD(key) .name = "lxfw_" #key, .field = offsetof(struct lxfw_params, key)
#define WEIGHT(key, values_, search_, help_) \
	{ FIELD(key), .kind = LXFW_KEY_WEIGHT, .groups = LXFW_KEYS_WEIGHTS, \
	  .max = WEIGHT_MOST, .values = values_, \
	  .search = LXFW_SEARCH_##search_, .help = help_ }
#define NUMBER(key, min_, max_, preset_, unit_) \
	FIELD(key), .kind = LXFW_KEY_NUMBER, .min = min_, .max = max_, \
	.preset = preset_, .unit = unit_
#define ADAPTER(key) .name = "lxfw_" #key, .field = LXFW_KEY_NO_FIELD
	{ FIELD(policy), .kind = LXFW_KEY_POLICY,
	  .values = "lxfw/easy/sjf", .search = LXFW_SEARCH_ALWAYS,
	  .help = "the policy; it sets all other keys to its preset" },
	WEIGHT(ww, "0.001..100", ALWAYS, "weight of the wait, per hour"),
	WEIGHT(wx, "1", ALWAYS, "weight of the expansion factor"),
	WEIGHT(wp, "0..1", ALWAYS, "weight of each requested processor"),
	WEIGHT(wm, "0..1", MEMORY,
	       "weight of the requested memory, per mean memory of a processor"),
	WEIGHT(wpe, "0..1", MEMORY,
	       "weight of the larger of processors and memory"),
	WEIGHT(wbypass, "0..1", ALWAYS, "weight of each job that overtook"),
	{ FIELD(wsite), .kind = LXFW_KEY_WEIGHT, .groups = LXFW_KEYS_WEIGHTS,
	  .max = WEIGHT_MOST,
	  .help = "weight of 1000 points of the priority that the workload manager "
		  "gives a job" },
	{ NUMBER(age_first, 0, YEAR, 0, "seconds"), .groups = LXFW_KEYS_AGE,
	  .values = "86400/129600/172800", .search = LXFW_SEARCH_PRESETS,
	  .help = "jobs that have waited longer come first, oldest first; 0: none" },
	{ FIELD(reservations), .kind = LXFW_KEY_COUNT,
	  .groups = LXFW_KEYS_RESERVATIONS, .min = 1, .max = 1000000,
	  .preset = 1, .values = "1/2/4/8", .search = LXFW_SEARCH_ALWAYS,
	  .help = "how many waiting jobs have a reservation" },
	{ FIELD(reservation_mode), .kind = LXFW_KEY_CHOICE,
	  .groups = LXFW_KEYS_RESERVATION_MODE, .words = "dynamic|compress",
	  .preset = LXFW_RESERVATION_DYNAMIC,
	  .help = "whether a reservation may move to a later time for one of "
		  "higher priority" },
	{ NUMBER(reservation_age, 0, YEAR, 0, "seconds"),
	  .groups = LXFW_KEYS_RESERVATIONS,
	  .help = "how long a job has waited before it may have a reservation" },
	{ NUMBER(reservation_priority, 0, PRIORITY_MOST, 0, NULL),
	  .groups = LXFW_KEYS_RESERVATIONS,
	  .help = "least priority, given by the workload manager, of a job that may "
		  "have a reservation" },
	{ NUMBER(reservation_window, 0, YEAR, 0, "seconds"),
	  .groups = LXFW_KEYS_RESERVATIONS,
	  .help = "how far in the future a reservation may begin; 0: no bound" },
	{ NUMBER(backfill_interval, 0, DAY, 0, "seconds"),
	  .groups = LXFW_KEYS_CYCLES,
	  .help = "time from one backfill pass to the next; 0: every pass is one" },
	{ FIELD(main_pass), .kind = LXFW_KEY_CHOICE,
	  .groups = LXFW_KEYS_CYCLES, .words = "on|off",
	  .preset = LXFW_MAIN_PASS_ON,
	  .help = "whether the first jobs of the order may start between two "
		  "backfill passes" },
	{ FIELD(placement), .kind = LXFW_KEY_CHOICE,
	  .groups = LXFW_KEYS_PLACING, .words = LXFW_PLACEMENT_NAMES,
	  .preset = LXFW_PLACEMENT_GPUS, .live_words = LXFW_PLACEMENTS_LIVE,
	  .values = "paper/gpus", .search = LXFW_SEARCH_GPUS,
	  .help = "which of the hosts that fit a job gets: the fullest, or that with the "
		  "fewest free GPUs; stock and worst are for comparison" },
	{ FIELD(spare_gpus), .kind = LXFW_KEY_CHOICE,
	  .groups = LXFW_KEYS_PLACING, .words = "off|on",
	  .preset = LXFW_SPARE_GPUS_OFF,
	  .help = "whether jobs without GPUs or other counted resources use hosts "
		  "that have some last" },
	{ NUMBER(interval, 0, DAY, 0, "seconds"),
	  .help = "longest time between two passes while jobs wait; 0: a pass "
		  "follows events only" },
	{ NUMBER(quantum, 0, DAY, 0, "seconds"), .groups = LXFW_KEYS_QUANTUM,
	  .values = "0/60/300/600/1800", .search = LXFW_SEARCH_QUANTUM,
	  .help = "length of the quantum of immediate service; 0: none" },
	{ FIELD(quantum_mode), .kind = LXFW_KEY_CHOICE,
	  .groups = LXFW_KEYS_QUANTUM, .words = "off|soon|preempt",
	  .preset = LXFW_QUANTUM_PREEMPT, .values = "soon/preempt",
	  .search = LXFW_SEARCH_QUANTUM,
	  .help = "how a job gets its quantum: not at all, on processors that "
		  "are free, or by suspending running jobs" },
	{ FIELD(quantum_end), .kind = LXFW_KEY_CHOICE,
	  .groups = LXFW_KEYS_QUANTUM, .words = "requeue|suspend",
	  .preset = LXFW_QUANTUM_REQUEUE,
	  .help = "what happens to a job that is not over at the end of its "
		  "quantum" },
	{ NUMBER(quantum_mem, 1, EVERYTHING, 1024, "MB"),
	  .groups = LXFW_KEYS_QUANTUM,
	  .help = "most memory of a job in its quantum" },
	{ NUMBER(quantum_min_run, 0, YEAR, 600, "seconds"),
	  .groups = LXFW_KEYS_QUANTUM,
	  .help = "how long a job has run before it may be suspended" },
	{ NUMBER(victim_suspensions, 0, 1000000, 0, "suspensions"),
	  .groups = LXFW_KEYS_QUANTUM, .values = "1/3/10",
	  .search = LXFW_SEARCH_QUANTUM,
	  .help = "how often a job is suspended for others at most; 0: no bound" },
	{ NUMBER(victim_interval, 0, YEAR, 0, "seconds"),
	  .groups = LXFW_KEYS_QUANTUM,
	  .help = "how long a job has run after a suspension before the next" },
	{ NUMBER(victim_share, 0, 100, 0, "per cent"),
	  .groups = LXFW_KEYS_QUANTUM, .values = "5/20",
	  .search = LXFW_SEARCH_QUANTUM,
	  .help = "share of the time since its start that a job is suspended at "
		  "most; 0: no bound" },
	{ ADAPTER(quantum_not_partition), .kind = LXFW_KEY_NAMES,
	  .groups = LXFW_KEYS_QUANTUM,
	  .help = "jobs in these partitions get no quantum" },
	{ ADAPTER(quantum_not_qos), .kind = LXFW_KEY_NAMES,
	  .groups = LXFW_KEYS_QUANTUM,
	  .help = "jobs of these QOS get no quantum" },
	{ ADAPTER(quantum_most_procs), .kind = LXFW_KEY_NUMBER,
	  .groups = LXFW_KEYS_QUANTUM, .min = 1, .max = EVERYTHING,
	  .unit = "processors",
	  .help = "jobs of more processors get no quantum" },
	/* Slurm's accounting database distinguishes two changes of a job by their
	   seconds. */
	{ NUMBER(eq_min_interval, 0, YEAR, 300, "seconds"),
	  .groups = LXFW_KEYS_PARTITION, .live_min = 2,
	  .help = "least time between two repartitions of a host" },
	{ NUMBER(eq_full_after, 0, YEAR, 0, "seconds"),
	  .groups = LXFW_KEYS_PARTITION,
	  .help = "jobs that have run so long get the processors that they asked "
		  "for; 0: never" },
	{ ADAPTER(eq_partition), .kind = LXFW_KEY_NAMES,
	  .groups = LXFW_KEYS_PARTITION,
	  .help = "only jobs in these partitions may be adaptive" },
	{ ADAPTER(eq_qos), .kind = LXFW_KEY_NAMES,
	  .groups = LXFW_KEYS_PARTITION,
	  .help = "only jobs of these QOS may be adaptive" },
	{ ADAPTER(eq_multi_node), .kind = LXFW_KEY_CHOICE,
	  .groups = LXFW_KEYS_PARTITION, .words = "rigid|refuse",
	  .preset = LXFW_MULTI_NODE_RIGID,
	  .help = "what happens to an adaptive job that asks for several nodes" },
	{ ADAPTER(eq_max_stretch), .kind = LXFW_KEY_NUMBER,
	  .groups = LXFW_KEYS_PARTITION, .min = 1, .max = 1000, .preset = 10,
	  .help = "how many times its time limit an adaptive job may run at most" },
	{ FIELD(job_weight), .kind = LXFW_KEY_CHOICE, .groups = LXFW_KEYS_LIST,
	  .words = "equal|work", .preset = LXFW_JOB_WEIGHT_EQUAL,
	  .help = "weight of a job in the order: 1, or processors times requested "
		  "time" },
	{ FIELD(list_update), .kind = LXFW_KEY_CHOICE, .groups = LXFW_KEYS_LIST,
	  .words = "third|submission", .preset = LXFW_LIST_UPDATE_THIRD,
	  .help = "when the order is computed again: when it lacks more than a third "
		  "of the waiting jobs, or at each submission" },
	/* Tables 4.1 and 4.2 of Yahyapour 2002. A delay of 0 would let wide jobs, one
	   after the other, keep a preempted job from ever running. */
	{ NUMBER(pf_wide, 0, 100, 50, "per cent"), .groups = LXFW_KEYS_GANG,
	  .help = "a job with a larger share of all processors is wide and may "
		  "preempt others" },
	{ NUMBER(pf_free, 0, 100, 50, "per cent"), .groups = LXFW_KEYS_GANG,
	  .help = "share of all processors that is free before a wide job "
		  "preempts" },
	{ NUMBER(pf_delay, 1, YEAR, 60, "seconds"), .groups = LXFW_KEYS_GANG,
	  .live_min = 10,
	  .help = "how long a wide job waits from then on before it preempts" },
	{ NUMBER(pf_preemptions, 0, 1000000, 1, "preemptions"),
	  .groups = LXFW_KEYS_GANG,
	  .help = "how often a wide job and those it preempted preempt each other "
		  "at most; 0: no bound" },
	{ NUMBER(pf_gang, 1, YEAR, 60, "seconds"), .groups = LXFW_KEYS_GANG,
	  .live_min = 10,
	  .help = "gang length: time between two of these preemptions" },
	{ FIELD(pf_victims), .kind = LXFW_KEY_CHOICE, .groups = LXFW_KEYS_GANG,
	  .words = "procs|end", .preset = LXFW_PF_VICTIMS_PROCS,
	  .help = "which jobs a wide job preempts first: those with the fewest "
		  "processors, or those that are expected to end first" },
	/* The best thresholds of Huang are 2.1 and 2. */
	{ FIELD(mold), .kind = LXFW_KEY_CHOICE, .groups = LXFW_KEYS_MOLD,
	  .words = "down|both", .preset = LXFW_MOLD_DOWN,
	  .live_words = 1,	/* a job in Slurm uses what it requests at most */
	  .help = "whether a job may start on fewer processors only, or on more too "
		  "if no other job waits" },
	{ NUMBER(mold_threshold, 0, 1000000, 200, "per cent"),
	  .groups = LXFW_KEYS_MOLD,
	  .help = "turnaround time on fewer processors, relative to that after waiting, "
		  "up to which a job does not wait; 0: any" },
	{ FIELD(rem_wait), .kind = LXFW_KEY_WEIGHT, .groups = LXFW_KEYS_REMAINING,
	  .max = WEIGHT_MOST,
	  .help = "weight of each second that a job has waited" },
	{ FIELD(rem_time), .kind = LXFW_KEY_WEIGHT, .groups = LXFW_KEYS_REMAINING,
	  .max = WEIGHT_MOST,
	  .help = "weight of each second of a job's remaining requested time" },
	{ FIELD(rem_frees), .kind = LXFW_KEY_CHOICE, .groups = LXFW_KEYS_REMAINING,
	  .words = "procs|all", .preset = LXFW_REM_FREES_PROCS,
	  .live_words = 1,	/* Slurm frees only processors of a suspended job */
	  .help = "what a preempted job releases: its processors, or all resources" },
	/* Nodes need some seconds to suspend or resume a job. */
	{ NUMBER(rem_min_run, 0, YEAR, 10, "seconds"),
	  .groups = LXFW_KEYS_REMAINING, .live_min = 10,
	  .help = "how long a job has run before it may be preempted" },
	{ NUMBER(preempt_tiers, 0, EVERYTHING, 0, "tiers"), .groups = LXFW_KEYS_TIERS,
	  .help = "number of tiers in a level; jobs preempt those of lower levels; 0: "
		  "none" },
	{ NUMBER(preempt_min_run, 0, YEAR, 2, "seconds"), .groups = LXFW_KEYS_TIERS,
	  .live_min = 2,
	  .help = "how long a job has run before one of a higher level may preempt it" },
	{ FIELD(shadow), .kind = LXFW_KEY_CHOICE, .words = "off|on",
	  .preset = LXFW_SHADOW_OFF,
	  .help = "whether the plugin only records its decisions, and Slurm schedules" },
	{ ADAPTER(journal), .kind = LXFW_KEY_PATH,
	  .help = "file to which the plugin appends events and decisions" },
	{ ADAPTER(journal_size), .kind = LXFW_KEY_NUMBER, .max = 1000000,
	  .preset = 256, .unit = "MB",
	  .help = "size at which the journal is rotated; 0: it is not rotated" },
	{ ADAPTER(journal_keep), .kind = LXFW_KEY_NUMBER, .max = 1000,
	  .preset = 8, .help = "number of rotated journals that are kept" },
	{ ADAPTER(journal_group), .kind = LXFW_KEY_NUMBER, .max = INT32_MAX, .preset = 0,
	  .help = "number of the group that may read the journal; 0: none" },
	{ ADAPTER(metrics), .kind = LXFW_KEY_PATH,
	  .help = "file to which the plugin writes metrics" },
	{ ADAPTER(let_go), .kind = LXFW_KEY_NUMBER, .max = 3600,
	  .preset = 0, .unit = "seconds",
	  .help = "stall of the plugin after which Slurm's sched/backfill schedules; 0: never" },
#undef ADAPTER
#undef NUMBER
#undef WEIGHT
#undef FIELD
};

_Static_assert(sizeof(lxfw_keys) / sizeof(lxfw_keys[0]) <= LXFW_KEYS_MAX,
	       "LXFW_KEYS_MAX keys at most");
const int lxfw_key_count = (int)(sizeof(lxfw_keys) / sizeof(lxfw_keys[0]));

const struct lxfw_key *lxfw_key_find(const char *name, size_t length)
{
	for (int i = 0; i < lxfw_key_count; i++) {
		if (strlen(lxfw_keys[i].name) == length &&
		    memcmp(lxfw_keys[i].name, name, length) == 0)
			return &lxfw_keys[i];
	}
	return NULL;
}

static void add_range(const struct lxfw_key *key, struct lxfw_error *error)
{
	lxfw_error_add_number(error, key->min);
	lxfw_error_add(error, " to ");
	lxfw_error_add_number(error, key->max);
}

/* Add "a|b|c" as "a, b or c". */
static void add_words(const char *words, struct lxfw_error *error)
{
	for (;;) {
		size_t length = strcspn(words, "|");

		lxfw_error_add_bytes(error, words, (int)length);
		words += length;
		if (*words == '\0')
			return;
		words++;
		lxfw_error_add(error, strchr(words, '|') ? ", " : " or ");
	}
}

void lxfw_key_expected(const struct lxfw_key *key, struct lxfw_error *error)
{
	switch (key->kind) {
	case LXFW_KEY_POLICY:
		lxfw_error_add(error, "one of ");
		lxfw_error_add(error, lxfw_policy_names());
		break;
	case LXFW_KEY_WEIGHT:
		lxfw_error_add(error, "a number from ");
		add_range(key, error);
		lxfw_error_add(error, " with at most 15 digits");
		break;
	case LXFW_KEY_NUMBER:
		lxfw_error_add(error, key->unit ? "whole " : "a whole number");
		lxfw_error_add(error, key->unit ? key->unit : "");
		lxfw_error_add(error, " from ");
		add_range(key, error);
		break;
	case LXFW_KEY_COUNT:
		add_range(key, error);
		lxfw_error_add(error, ", or all");
		break;
	case LXFW_KEY_CHOICE:
		add_words(key->words, error);
		break;
	case LXFW_KEY_NAMES:
		lxfw_error_add(error, "names with a colon between two");
		break;
	case LXFW_KEY_PATH:
		lxfw_error_add(error, "the path of a file");
		break;
	}
}

/* --- fields -------------------------------------------------------------------- */

/* lxfw_key_get() and lxfw_key_set() access enumerations as int32_t. */
_Static_assert(sizeof(enum lxfw_policy) == sizeof(int32_t) &&
	       sizeof(enum lxfw_reservation_mode) == sizeof(int32_t) &&
	       sizeof(enum lxfw_placement) == sizeof(int32_t) &&
	       sizeof(enum lxfw_spare_gpus) == sizeof(int32_t) &&
	       sizeof(enum lxfw_main_pass) == sizeof(int32_t) &&
	       sizeof(enum lxfw_quantum_mode) == sizeof(int32_t) &&
	       sizeof(enum lxfw_quantum_end) == sizeof(int32_t) &&
	       sizeof(enum lxfw_job_weight) == sizeof(int32_t) &&
	       sizeof(enum lxfw_list_update) == sizeof(int32_t) &&
	       sizeof(enum lxfw_pf_victims) == sizeof(int32_t) &&
	       sizeof(enum lxfw_mold) == sizeof(int32_t) &&
	       sizeof(enum lxfw_rem_frees) == sizeof(int32_t) &&
	       sizeof(enum lxfw_shadow) == sizeof(int32_t),
	       "an enumeration is as large as an int32_t");

int64_t lxfw_key_get(const struct lxfw_key *key, const struct lxfw_params *params)
{
	const char *field = (const char *)params + key->field;
	int64_t wide;
	int32_t narrow;

	if (key->kind == LXFW_KEY_NUMBER) {
		memcpy(&wide, field, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, field, sizeof(narrow));
	return narrow;
}

void lxfw_key_set(const struct lxfw_key *key, struct lxfw_params *params,
		  int64_t value)
{
	char *field = (char *)params + key->field;
	int32_t narrow = (int32_t)value;

	if (key->kind == LXFW_KEY_NUMBER)
		memcpy(field, &value, sizeof(value));
	else
		memcpy(field, &narrow, sizeof(narrow));
}

double lxfw_key_weight(const struct lxfw_key *key, const struct lxfw_params *params)
{
	double weight;

	memcpy(&weight, (const char *)params + key->field, sizeof(weight));
	return weight;
}

bool lxfw_key_simulated(const struct lxfw_key *key)
{
	return key->field != LXFW_KEY_NO_FIELD &&
	       key->field != offsetof(struct lxfw_params, shadow);
}

bool lxfw_key_not_live(const struct lxfw_key *key, const struct lxfw_params *params)
{
	if ((key->live_min == 0 && key->live_words == 0) ||
	    !lxfw_key_means(key, params->policy, NULL))
		return false;
	return key->live_min > 0 ? lxfw_key_get(key, params) < key->live_min :
				   lxfw_key_get(key, params) >= key->live_words;
}

void lxfw_key_live(const struct lxfw_key *key, struct lxfw_error *error)
{
	const char *end = key->words;

	if (key->live_min > 0) {
		lxfw_error_add_number(error, key->live_min);
		lxfw_error_add(error, " or more");
		return;
	}
	for (int64_t word = 0; word < key->live_words; word++)
		end += strcspn(end, "|") + (word > 0);
	if (key->live_words > 0)
		lxfw_error_add_bytes(error, key->words, (int)(end - key->words));
}
