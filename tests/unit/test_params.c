/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <locale.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "tests/unit/params.h"

/* Table 3 of the paper, and the number and mode of reservations. */
static void presets(void **state)
{
	struct lxfw_params none, first = preset(LXFW_POLICY_FCFS);

	(void)state;
	lxfw_params_preset(&none, lxfw_policy_count + 1);
	assert_params(&none, &first);
	for (int policy = LXFW_POLICY_FCFS; policy <= lxfw_policy_count; policy++) {
		struct lxfw_params expected = {
			.policy = policy, .reservations = 1,
			.placement = LXFW_PLACEMENT_GPUS,
			.quantum_mode = LXFW_QUANTUM_PREEMPT,
			.quantum_end = LXFW_QUANTUM_REQUEUE,
			.quantum_mem = 1024, .quantum_min_run = 600,
			.eq_min_interval = 300,
			.pf_wide = 50, .pf_free = 50, .pf_delay = 60,
			.pf_preemptions = 1, .pf_gang = 60, .mold_threshold = 200,
			.rem_min_run = 10,
			.preempt_min_run = 2,
		};
		struct lxfw_params params = preset(policy);
		const char *name = lxfw_policy_name(policy);

		if (policy == LXFW_POLICY_PRIORITY ||
		    strcmp(name, "priority_moldable") == 0) {
			expected.ww = 1;
			expected.wx = 5;
			expected.wp = 0.2;
		} else if (policy == LXFW_POLICY_LXFW ||
			   policy == LXFW_POLICY_EQSPATIAL) {
			expected.ww = 0.0167;
			expected.wx = 1;
		} else if (policy == LXFW_POLICY_CONSERVATIVE) {
			expected.reservations = LXFW_RESERVATIONS_ALL;
			expected.reservation_mode = LXFW_RESERVATION_COMPRESS;
		} else if (policy == LXFW_POLICY_SJF) {
			expected.reservation_mode = LXFW_RESERVATION_COMPRESS;
		} else if (strcmp(name, "pfcfs1") == 0 ||
			   strcmp(name, "pfcfs3") == 0) {
			expected.pf_delay = expected.pf_gang = 600;
			expected.pf_preemptions = name[5] == '3';
		} else if (strcmp(name, "pfcfs2") == 0) {
			expected.pf_preemptions = 2;
		} else if (strcmp(name, "remaining") == 0) {
			expected.rem_wait = 0.5;
			expected.rem_time = 1;
			expected.interval = 60;
		} else if (strcmp(name, "slurm") == 0) {
			expected.reservations = 500;
			expected.reservation_window = 86400;
			expected.backfill_interval = 30;
			expected.placement = LXFW_PLACEMENT_STOCK;
		}
		assert_params(&params, &expected);
	}
}

static void names(void **state)
{
	char list[400] = "";

	(void)state;
	for (int policy = LXFW_POLICY_FCFS; policy <= lxfw_policy_count; policy++) {
		const char *name = lxfw_policy_name(policy);

		assert_int_equal(lxfw_policy_by_name(name, (int)strlen(name)),
				 policy);
		if (list[0])
			strcat(list, ", ");
		strcat(list, name);
	}
	assert_string_equal(lxfw_policy_names(), list);
	assert_int_equal(lxfw_policy_by_name("easy", 3), 0);
	assert_int_equal(lxfw_policy_by_name("easyer", 6), 0);
	assert_int_equal(lxfw_policy_by_name("easyer", 4), LXFW_POLICY_EASY);
	assert_int_equal(lxfw_policy_by_name("EASY", 4), 0);
	assert_int_equal(lxfw_policy_by_name("", 0), 0);
	assert_string_equal(lxfw_policy_name(0), "unknown");
	assert_string_equal(lxfw_policy_name(lxfw_policy_count + 1), "unknown");
}

static void reads_every_key(void **state)
{
	struct lxfw_params expected = {
		.policy = LXFW_POLICY_PRIORITY, .placement = LXFW_PLACEMENT_GPUS,
		.ww = 0.5, .wx = 2, .wp = 1000000, .wm = 0.000001, .wpe = 7.25,
		.wbypass = 0, .reservations = 12, .interval = 60,
		.quantum_mode = LXFW_QUANTUM_SOON,
		.quantum_end = LXFW_QUANTUM_SUSPEND, .quantum = 60,
		.quantum_mem = 2048, .quantum_min_run = 120,
		.victim_suspensions = 3, .victim_interval = 7200,
		.victim_share = 10,
		.eq_min_interval = 300,
		.pf_wide = 50, .pf_free = 50, .pf_delay = 60, .pf_preemptions = 1,
		.pf_gang = 60, .mold_threshold = 200, .rem_min_run = 10,
		.preempt_min_run = 2,
	};
	struct lxfw_params params;

	(void)state;
	params = parsed(LXFW_POLICY_EASY,
			"lxfw_ww=0.5,lxfw_wx=2.000,lxfw_wp=1000000,"
			"lxfw_wm=0.000001,lxfw_wpe=007.25,lxfw_wbypass=0,"
			"lxfw_reservations=12,lxfw_interval=60,"
			"lxfw_quantum=60,lxfw_quantum_mem=2048,"
			"lxfw_quantum_min_run=120,lxfw_quantum_mode=soon,"
			"lxfw_quantum_end=suspend,"
			"lxfw_victim_suspensions=3,lxfw_victim_interval=7200,"
			"lxfw_victim_share=10,"
			"lxfw_policy=priority");
	assert_params(&params, &expected);

	params = parsed(LXFW_POLICY_LXFW, "lxfw_reservations=all");
	assert_int_equal(params.reservations, LXFW_RESERVATIONS_ALL);
	params = parsed(LXFW_POLICY_LXFW, "lxfw_reservations=1000000");
	assert_int_equal(params.reservations, 1000000);
	params = parsed(LXFW_POLICY_LXFW, "lxfw_interval=86400");
	assert_int_equal(params.interval, 86400);
	params = parsed(LXFW_POLICY_FCFS, "lxfw_interval=0");
	assert_int_equal(params.interval, 0);
}

static void starts_from_current_values(void **state)
{
	struct lxfw_params expected = preset(LXFW_POLICY_LXFW), params;

	(void)state;
	params = parsed(LXFW_POLICY_LXFW, NULL);
	assert_params(&params, &expected);
	params = parsed(LXFW_POLICY_LXFW, "");
	assert_params(&params, &expected);
	expected.wx = 3;
	params = parsed(LXFW_POLICY_LXFW, "lxfw_wx=3");
	assert_params(&params, &expected);

	/* A policy resets the parameters to its preset, even if it is the same one. */
	params = expected;
	assert_int_equal(lxfw_params_parse(&params, "lxfw_policy=lxfw", NULL,
					   NULL, NULL), 0);
	expected = preset(LXFW_POLICY_LXFW);
	assert_params(&params, &expected);
}

static void passes_over_others(void **state)
{
	struct lxfw_params expected = preset(LXFW_POLICY_SJF);
	struct lxfw_params params;

	(void)state;
	params = parsed(LXFW_POLICY_SJF,
			"defer,sched_interval=-1,bf_interval=30,,=,x=y=z, ,lxf,"
			"my_lxfw_wx=1,lxf_wx=9,bf_continue");
	assert_params(&params, &expected);
	params = parsed(LXFW_POLICY_SJF,
			" defer , lxfw_policy = lxfw ,\tlxfw_wx\t=\t9\t, x ");
	expected = preset(LXFW_POLICY_LXFW);
	expected.wx = 9;
	assert_params(&params, &expected);
}

/* The result is the nearest double, as for the compiler, also in a locale with decimal
 * commas. */
static void decimals_are_exact(void **state)
{
	static const struct {
		const char *text;
		double number;
	} cases[] = {
		{ "0", 0 }, { "0.0", 0 }, { "000", 0 }, { "00.00", 0 },
		{ "1", 1 }, { "10", 10 }, { "10.0", 10 }, { "01.10", 1.1 },
		{ "0.1", 0.1 }, { "0.2", 0.2 }, { "0.3", 0.3 },
		{ "0.0167", 0.0167 }, { "123456.789012345", 123456.789012345 },
		{ "999999.999999999", 999999.999999999 },
		{ "0.000000000000001", 0.000000000000001 },
		{ "0.30000000000000000000000000000", 0.3 },
		{ "0000000000000000000000000000005", 5 },
		{ "1000000.00000000000000000000000", 1e6 },
	};
	uint64_t random = unit_seed("decimals");

	(void)state;
	setlocale(LC_ALL, "de_DE.UTF-8");
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[80];
		struct lxfw_params params;

		snprintf(text, sizeof(text), "lxfw_wx=%s", cases[i].text);
		params = parsed(LXFW_POLICY_LXFW, text);
		if (params.wx != cases[i].number)
			fail_msg("%s read as %a", text, params.wx);
	}
	setlocale(LC_ALL, "C");
	for (int i = 0; i < 20000; i++) {
		char text[80];
		struct lxfw_params params;
		int whole = (int)unit_between(&random, 0, 999999);
		int decimals = (int)unit_between(&random, 1, 9);
		long long part = unit_between(&random, 0, 999999999);

		for (int j = decimals; j < 9; j++)
			part /= 10;
		snprintf(text, sizeof(text), "lxfw_wx=%d.%0*lld", whole,
			 decimals, part);
		params = parsed(LXFW_POLICY_LXFW, text);
		if (params.wx != strtod(text + 8, NULL))
			fail_msg("%s read as %a", text, params.wx);
	}
}

static void finds_the_journal(void **state)
{
	static const char text[] = "x,lxfw_journal= /var/log/a=b.jnl ,y";
	struct lxfw_params params = preset(LXFW_POLICY_EASY);
	const char *journal = text;
	int length = 99;

	(void)state;
	assert_int_equal(lxfw_params_parse(&params, text, &journal, &length,
					   NULL), 0);
	assert_ptr_equal(journal, strchr(text, '/'));
	assert_int_equal(length, 16);

	/* After an error the journal is unchanged ... */
	assert_int_equal(lxfw_params_parse(&params, "lxfw_journal=/j,lxfw_wx=1",
					   &journal, &length, NULL), -1);
	assert_ptr_equal(journal, strchr(text, '/'));
	assert_int_equal(length, 16);

	/* ... and without the key it is NULL. */
	assert_int_equal(lxfw_params_parse(&params, "x", &journal, &length,
					   NULL), 0);
	assert_null(journal);
	assert_int_equal(length, 0);
	assert_int_equal(lxfw_params_parse(&params, NULL, &journal, &length,
					   NULL), 0);
	assert_null(journal);
}

#define NUMBER ": expected a number from 0 to 1000000 with at most 15 digits"
#define POLICIES ": expected one of fcfs, easy, conservative, priority, lxfw, sjf, " \
	"eqspatial, classes, list, site, smart_ffia, smart_ffia_strict, smart_nfiw, " \
	"smart_nfiw_strict, psrs, psrs_strict, pfcfs1, pfcfs2, pfcfs3, fcfs_moldable, " \
	"easy_moldable, priority_moldable, remaining, slurm"
#define PATH ": expected the path of a file"
#define RESERVATIONS ": expected 1 to 1000000, or all"
#define SECONDS ": expected whole seconds from 0 to 86400"
#define KEYS ": unknown key, expected one of lxfw_policy, lxfw_ww, lxfw_wx, " \
	"lxfw_wp, lxfw_wm, lxfw_wpe, lxfw_wbypass, lxfw_wsite, lxfw_age_first, " \
	"lxfw_reservations, " \
	"lxfw_reservation_mode, lxfw_reservation_age, lxfw_reservation_priority, " \
	"lxfw_reservation_window, lxfw_backfill_interval, lxfw_main_pass, lxfw_placement, lxfw_spare_gpus, lxfw_interval, lxfw_quantum, lxfw_quantum_mode, lxfw_quantum_end, " \
	"lxfw_quantum_mem, lxfw_quantum_min_run, " \
	"lxfw_victim_suspensions, lxfw_victim_interval, lxfw_victim_share, " \
	"lxfw_quantum_not_partition, " \
	"lxfw_quantum_not_qos, lxfw_quantum_most_procs, " \
	"lxfw_eq_min_interval, lxfw_eq_full_after, " \
	"lxfw_eq_partition, lxfw_eq_qos, lxfw_eq_multi_node, " \
	"lxfw_eq_max_stretch, lxfw_job_weight, lxfw_list_update, lxfw_pf_wide, " \
	"lxfw_pf_free, " \
	"lxfw_pf_delay, lxfw_pf_preemptions, lxfw_pf_gang, lxfw_pf_victims, lxfw_mold, " \
	"lxfw_mold_threshold, lxfw_rem_wait, " \
	"lxfw_rem_time, lxfw_rem_frees, lxfw_rem_min_run, " \
	"lxfw_preempt_tiers, lxfw_preempt_min_run, lxfw_shadow, lxfw_journal, " \
	"lxfw_journal_size, " \
	"lxfw_journal_keep, lxfw_journal_group, lxfw_metrics, lxfw_let_go"
#define MEGABYTES ": expected whole MB from 0 to 1000000"
#define OLD_ONES ": expected a whole number from 0 to 1000"
#define NAMES ": expected names with a colon between two"

/* Text and its error message, with LXF&W as the current policy. */
static const char *const errors[][2] = {
	/* keys */
	{ "lxfw_wy=1", "lxfw_wy: unknown key, expected lxfw_ww?" },
	{ "lxfw_bypass=1", "lxfw_bypass: unknown key, expected lxfw_wbypass?" },
	{ "lxfw_intervall=1", "lxfw_intervall: unknown key, expected lxfw_interval?" },
	{ "lxfwpolicy=easy", "lxfwpolicy: unknown key, expected lxfw_policy?" },
	{ "LXFW_policy=easy", "LXFW_policy: unknown key, expected lxfw_policy?" },
	{ "Lxfw_WX=1", "Lxfw_WX: unknown key, expected lxfw_wx?" },
	{ "defer,lxfw", "lxfw" KEYS },
	{ "lxfw_frobnicate", "lxfw_frobnicate" KEYS },
	{ "lxfw_frobnicate=1,defer", "lxfw_frobnicate" KEYS },
	{ "lxfw_a_very_long_key_that_goes_on_and_on_and_on=1",
	  "lxfw_a_very_long_key_that_goes_on_and_on" KEYS },
	{ "lxfw_wx\n=1", "lxfw_wx?: unknown key, expected lxfw_wx?" },
	/* twice */
	{ "lxfw_wx=1,lxfw_wx=1", "lxfw_wx: given twice" },
	{ "lxfw_policy=easy,lxfw_policy=easy", "lxfw_policy: given twice" },
	{ "lxfw_journal=/a,x,lxfw_journal=/b", "lxfw_journal: given twice" },
	{ "lxfw_journal_size=1,lxfw_journal_size=1",
	  "lxfw_journal_size: given twice" },
	{ "lxfw_reservations=1,lxfw_reservations=2", "lxfw_reservations: given twice" },
	/* values */
	{ "lxfw_policy", "lxfw_policy without a value" POLICIES },
	{ "lxfw_policy=", "lxfw_policy=" POLICIES },
	{ "lxfw_policy=Easy", "lxfw_policy=Easy" POLICIES },
	{ "lxfw_policy=easy=1", "lxfw_policy=easy=1" POLICIES },
	{ "lxfw_journal", "lxfw_journal without a value" PATH },
	{ "lxfw_journal= ", "lxfw_journal=" PATH },
	{ "lxfw_journal_size=-1", "lxfw_journal_size=-1" MEGABYTES },
	{ "lxfw_journal_size=1000001", "lxfw_journal_size=1000001" MEGABYTES },
	{ "lxfw_journal_size=2GB", "lxfw_journal_size=2GB" MEGABYTES },
	{ "lxfw_journal_keep=1001", "lxfw_journal_keep=1001" OLD_ONES },
	{ "lxfw_journal_keep", "lxfw_journal_keep without a value" OLD_ONES },
	{ "lxfw_journal_kept=1",
	  "lxfw_journal_kept: unknown key, expected lxfw_journal_keep?" },
	{ "lxfw_wx", "lxfw_wx without a value" NUMBER },
	{ "lxfw_wx=", "lxfw_wx=" NUMBER },
	{ "lxfw_wx=-1", "lxfw_wx=-1" NUMBER },
	{ "lxfw_wx=+1", "lxfw_wx=+1" NUMBER },
	{ "lxfw_wx=1e3", "lxfw_wx=1e3" NUMBER },
	{ "lxfw_wx=0x10", "lxfw_wx=0x10" NUMBER },
	{ "lxfw_wx=nan", "lxfw_wx=nan" NUMBER },
	{ "lxfw_wx=inf", "lxfw_wx=inf" NUMBER },
	{ "lxfw_wx=1 2", "lxfw_wx=1 2" NUMBER },
	{ "lxfw_wx=1;5", "lxfw_wx=1;5" NUMBER },
	{ "lxfw_wx=.5", "lxfw_wx=.5" NUMBER },
	{ "lxfw_wx=5.", "lxfw_wx=5." NUMBER },
	{ "lxfw_wx=.", "lxfw_wx=." NUMBER },
	{ "lxfw_wx=..5", "lxfw_wx=..5" NUMBER },
	{ "lxfw_wx=1.2.3", "lxfw_wx=1.2.3" NUMBER },
	{ "lxfw_wx=1000000.000000001", "lxfw_wx=1000000.000000001" NUMBER },
	{ "lxfw_wx=1000001", "lxfw_wx=1000001" NUMBER },
	{ "lxfw_wx=0.1234567890123456", "lxfw_wx=0.1234567890123456" NUMBER },
	{ "lxfw_wx=99999999999999999999999", "lxfw_wx=99999999999999999999999" NUMBER },
	{ "lxfw_ww=x", "lxfw_ww=x" NUMBER },
	{ "lxfw_wp=x", "lxfw_wp=x" NUMBER },
	{ "lxfw_wm=x", "lxfw_wm=x" NUMBER },
	{ "lxfw_wpe=x", "lxfw_wpe=x" NUMBER },
	{ "lxfw_wbypass=x", "lxfw_wbypass=x" NUMBER },
	{ "lxfw_wx=1234567890123456789012345678901234567890abcdef",
	  "lxfw_wx=1234567890123456789012345678901234567890" NUMBER },
	{ "lxfw_reservations", "lxfw_reservations without a value" RESERVATIONS },
	{ "lxfw_reservations=", "lxfw_reservations=" RESERVATIONS },
	{ "lxfw_reservations=0", "lxfw_reservations=0" RESERVATIONS },
	{ "lxfw_reservations=-1", "lxfw_reservations=-1" RESERVATIONS },
	{ "lxfw_reservations=1.5", "lxfw_reservations=1.5" RESERVATIONS },
	{ "lxfw_reservations=1000001", "lxfw_reservations=1000001" RESERVATIONS },
	{ "lxfw_reservations=99999999999999999999", "lxfw_reservations=99999999999999999999" RESERVATIONS },
	{ "lxfw_reservations=ALL", "lxfw_reservations=ALL" RESERVATIONS },
	{ "lxfw_reservations=2147483647", "lxfw_reservations=2147483647" RESERVATIONS },
	{ "lxfw_interval", "lxfw_interval without a value" SECONDS },
	{ "lxfw_interval=", "lxfw_interval=" SECONDS },
	{ "lxfw_interval=-1", "lxfw_interval=-1" SECONDS },
	{ "lxfw_interval=86401", "lxfw_interval=86401" SECONDS },
	{ "lxfw_interval=1m", "lxfw_interval=1m" SECONDS },
	{ "lxfw_interval=18446744073709551617", "lxfw_interval=18446744073709551617" SECONDS },
	{ "lxfw_quantum=-1", "lxfw_quantum=-1" SECONDS },
	{ "lxfw_quantum=86401", "lxfw_quantum=86401" SECONDS },
	{ "lxfw_quantum_mem=0",
	  "lxfw_quantum_mem=0: expected whole MB from 1 to 1000000000" },
	{ "lxfw_quantum_min_run=1d",
	  "lxfw_quantum_min_run=1d: expected whole seconds from 0 to 31536000" },
	{ "lxfw_victim_suspensions=-1",
	  "lxfw_victim_suspensions=-1: expected whole suspensions from 0 to 1000000" },
	{ "lxfw_victim_suspensions=1000001",
	  "lxfw_victim_suspensions=1000001: expected whole suspensions from 0 to 1000000" },
	{ "lxfw_victim_interval=31536001",
	  "lxfw_victim_interval=31536001: expected whole seconds from 0 to 31536000" },
	{ "lxfw_victim_share=101",
	  "lxfw_victim_share=101: expected whole per cent from 0 to 100" },
	{ "lxfw_victim_share=0.5",
	  "lxfw_victim_share=0.5: expected whole per cent from 0 to 100" },
	{ "lxfw_victim_shares=5",
	  "lxfw_victim_shares: unknown key, expected lxfw_victim_share?" },
	{ "lxfw_policy=classes,lxfw_victim_share=5",
	  "lxfw_victim_share: not applicable, policy classes has no quantum of immediate service" },
	{ "lxfw_quantum_mode=on",
	  "lxfw_quantum_mode=on: expected off, soon or preempt" },
	{ "lxfw_quantum_end=kill",
	  "lxfw_quantum_end=kill: expected requeue or suspend" },
	{ "lxfw_quantum_not_partition=", "lxfw_quantum_not_partition=" NAMES },
	{ "lxfw_quantum_not_partition=a::b",
	  "lxfw_quantum_not_partition=a::b" NAMES },
	{ "lxfw_quantum_not_partition=:a",
	  "lxfw_quantum_not_partition=:a" NAMES },
	{ "lxfw_quantum_not_qos=a:", "lxfw_quantum_not_qos=a:" NAMES },
	{ "lxfw_quantum_not_qos=a b", "lxfw_quantum_not_qos=a b" NAMES },
	{ "lxfw_quantum_most_procs=0",
	  "lxfw_quantum_most_procs=0: expected whole processors from 1 to 1000000000" },
	{ "lxfw_quantum_not_quos=a",
	  "lxfw_quantum_not_quos: unknown key, expected lxfw_quantum_not_qos?" },
	{ "lxfw_policy=eqspatial,lxfw_eq_min_interval=x",
	  "lxfw_eq_min_interval=x: expected whole seconds from 0 to 31536000" },
	{ "lxfw_policy=eqspatial,lxfw_eq_full_after=31536001",
	  "lxfw_eq_full_after=31536001: expected whole seconds from 0 to 31536000" },
	{ "lxfw_policy=eqspatial,lxfw_eq_partition=a::b",
	  "lxfw_eq_partition=a::b: expected names with a colon between two" },
	{ "lxfw_policy=eqspatial,lxfw_eq_qos=",
	  "lxfw_eq_qos=: expected names with a colon between two" },
	{ "lxfw_policy=eqspatial,lxfw_eq_multi_node=no",
	  "lxfw_eq_multi_node=no: expected rigid or refuse" },
	{ "lxfw_policy=eqspatial,lxfw_eq_max_stretch=0",
	  "lxfw_eq_max_stretch=0: expected a whole number from 1 to 1000" },
	{ "lxfw_policy=psrs,lxfw_job_weight=1",
	  "lxfw_job_weight=1: expected equal or work" },
	{ "lxfw_policy=easy,lxfw_job_weight=work",
	  "lxfw_job_weight: not applicable, policy easy does not weight jobs in its "
	  "order" },
	{ "lxfw_policy=psrs_strict,lxfw_reservations=2",
	  "lxfw_reservations: not applicable, policy psrs_strict lets no job overtake" },
	/* keys without effect */
	{ "lxfw_eq_full_after=1",
	  "lxfw_eq_full_after: not applicable, policy lxfw does not repartition" },
	{ "lxfw_policy=classes,lxfw_quantum=1",
	  "lxfw_quantum: not applicable, policy classes has no quantum of immediate service" },
	{ "lxfw_policy=fcfs,lxfw_ww=1",
	  "lxfw_ww: not applicable, policy fcfs has no weights" },
	{ "lxfw_wx=1,lxfw_policy=easy",
	  "lxfw_wx: not applicable, policy easy has no weights" },
	{ "lxfw_wp=0,lxfw_policy=conservative",
	  "lxfw_wp: not applicable, policy conservative has no weights" },
	{ "lxfw_policy=sjf,lxfw_wbypass=1",
	  "lxfw_wbypass: not applicable, policy sjf has no weights" },
	{ "lxfw_policy=sjf,lxfw_wm=1",
	  "lxfw_wm: not applicable, policy sjf has no weights" },
	{ "lxfw_policy=sjf,lxfw_wpe=1",
	  "lxfw_wpe: not applicable, policy sjf has no weights" },
	{ "lxfw_policy=fcfs,lxfw_reservations=1",
	  "lxfw_reservations: not applicable, policy fcfs lets no job overtake" },
	/* the policy gives no reason of its own */
	{ "lxfw_policy=list,lxfw_reservations=2",
	  "lxfw_reservations: not applicable, policy list reserves nothing" },
	{ "lxfw_policy=list,lxfw_reservation_mode=compress",
	  "lxfw_reservation_mode: not applicable, policy list reserves nothing" },
	{ "lxfw_policy=conservative,lxfw_reservations=all",
	  "lxfw_reservations: not applicable, policy conservative reserves for every job" },
	{ "lxfw_policy=conservative,lxfw_reservation_mode=compress",
	  "lxfw_reservation_mode: not applicable, policy conservative keeps the start times that it gives" },
	{ "lxfw_policy=sjf,lxfw_reservation_mode=dynamic",
	  "lxfw_reservation_mode: not applicable, policy sjf keeps the start times that it gives, unless it has lxfw_age_first" },
	{ "lxfw_policy=easy,lxfw_age_first=86400",
	  "lxfw_age_first: not applicable, policy easy does not put short jobs first" },
	{ "lxfw_policy=priority,lxfw_age_first=86400",
	  "lxfw_age_first: not applicable, policy priority does not put short jobs first" },
	{ "lxfw_policy=sjf,lxfw_age_first=36h",
	  "lxfw_age_first=36h: expected whole seconds from 0 to 31536000" },
	{ "lxfw_policy=fcfs,lxfw_reservation_mode=dynamic",
	  "lxfw_reservation_mode: not applicable, policy fcfs lets no job overtake" },
	{ "lxfw_policy=conservative,lxfw_reservation_age=60",
	  "lxfw_reservation_age: not applicable, policy conservative reserves for every job" },
	{ "lxfw_reservation_priority=4294967296",
	  "lxfw_reservation_priority=4294967296: expected a whole number from 0 to 4294967295" },
	{ "lxfw_reservation_window=1h",
	  "lxfw_reservation_window=1h: expected whole seconds from 0 to 31536000" },
	{ "lxfw_placement=best",
	  "lxfw_placement=best: expected paper, gpus, stock or worst" },
	{ "lxfw_policy=classes,lxfw_spare_gpus=on",
	  "lxfw_spare_gpus: not applicable, policy classes places jobs by its own rule" },
	{ "lxfw_spare_gpus=yes",
	  "lxfw_spare_gpus=yes: expected off or on" },
	{ "lxfw_reservation_mode=fixed",
	  "lxfw_reservation_mode=fixed: expected dynamic or compress" },
	/* a text with an error changes nothing */
	{ "lxfw_policy=easy,lxfw_interval=9,lxfw_journal=",
	  "lxfw_journal=" PATH },
};

static void names_every_error(void **state)
{
	struct lxfw_params before = preset(LXFW_POLICY_LXFW);

	(void)state;
	for (size_t i = 0; i < COUNT(errors); i++) {
		struct lxfw_params params = before;
		struct lxfw_error error = { "" };

		errno = 0;
		if (lxfw_params_parse(&params, errors[i][0], NULL, NULL,
				      &error) != -1)
			fail_msg("taken: %s", errors[i][0]);
		assert_int_equal(errno, EINVAL);
		assert_string_equal(error.text, errors[i][1]);
		assert_params(&params, &before);
		/* The same without a buffer for the text. */
		assert_int_equal(lxfw_params_parse(&params, errors[i][0], NULL,
						   NULL, NULL), -1);
	}
}

/* Items that lxfw_params_parse() ignores are errors in a text that is for lxfw alone. */
static void checks_keys(void **state)
{
	static const char *const cases[][2] = {
		{ NULL, "" },
		{ "", "" },
		{ ",lxfw_wx=1, ,lxfw_journal=/j,", "" },
		{ "lxfw_wx=1,lxfw_wx=x", "" },	/* values are for lxfw_params_parse() */
		{ "lxfw_wx=1,wx=2", "wx: unknown key, expected lxfw_wx?" },
		{ "policy=sjf", "policy: unknown key, expected lxfw_policy?" },
		{ "POLICY", "POLICY: unknown key, expected lxfw_policy?" },
		{ "victim_shar=1", "victim_shar: unknown key, expected lxfw_victim_share?" },
		{ "lxf_wx=1", "lxf_wx: unknown key, expected lxfw_wx?" },
		{ "lxfw_wq=1", "lxfw_wq: unknown key, expected lxfw_ww?" },
		{ "wq=1", "wq" KEYS },	/* too short for a misspelling */
		{ "defer", "defer" KEYS },
		{ "=5", KEYS },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lxfw_error error = { "" };
		int result = lxfw_params_check_keys(cases[i][0], &error);

		assert_string_equal(error.text, cases[i][1]);
		assert_int_equal(result, *cases[i][1] ? -1 : 0);
	}
	assert_string_equal(lxfw_params_nearest("ww=1", 2), "lxfw_ww");
	assert_null(lxfw_params_nearest("colour", 6));
}

/* The current policy applies if the text does not name one. */
static void respects_the_current_policy(void **state)
{
	struct lxfw_params params = preset(LXFW_POLICY_SJF);
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_params_parse(&params, "lxfw_wx=1", NULL, NULL,
					   &error), -1);
	assert_string_equal(error.text, "lxfw_wx: not applicable, policy sjf "
			    "has no weights");
	assert_int_equal(lxfw_params_parse(&params, "lxfw_reservations=2", NULL,
					   NULL, &error), 0);
	assert_int_equal(params.reservations, 2);
}

/* Keys that only the plugin reads. */
static void finds_values(void **state)
{
	static const char text[] = "defer, lxfw_quantum_not_qos = a:b ,lxfw_wx=2,"
				   "lxfw_quantum_most_procs=16";
	struct lxfw_params params = preset(LXFW_POLICY_LXFW);
	struct lxfw_error error;
	const char *value;
	int length;

	(void)state;
	assert_int_equal(lxfw_params_parse(&params, text, NULL, NULL, &error), 0);
	value = lxfw_params_value(text, "lxfw_quantum_not_qos", &length);
	assert_int_equal(length, 3);
	assert_memory_equal(value, "a:b", 3);
	value = lxfw_params_value(text, "lxfw_quantum_most_procs", &length);
	assert_string_equal(value, "16");
	assert_null(lxfw_params_value(text, "lxfw_quantum_not_partition",
				      &length));
	assert_int_equal(length, 0);
	assert_null(lxfw_params_value(text, "defer", &length));
	assert_null(lxfw_params_value(NULL, "lxfw_wx", &length));
}

/* Each key of the table is complete and accepts its preset and its values. */
static void has_a_complete_table(void **state)
{
	(void)state;
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];
		struct lxfw_error error = { "" };

		assert_ptr_equal(lxfw_key_find(key->name, strlen(key->name)), key);
		assert_true(strlen(key->name) < LXFW_KEY_VALUE_SIZE);
		assert_true(strlen(key->help) > 0);
		assert_int_equal(key->search == LXFW_SEARCH_NEVER, !key->values);
		lxfw_key_expected(key, &error);
		assert_true(strlen(error.text) > 0);
		assert_null(strchr(key->help, '\n'));
	}
}

/* Defaults of keys that only adapters read. */
static void knows_numbers(void **state)
{
	(void)state;
	assert_int_equal(lxfw_params_number(NULL, "lxfw_eq_max_stretch"), 10);
	assert_int_equal(lxfw_params_number("x,lxfw_eq_max_stretch=3",
					    "lxfw_eq_max_stretch"), 3);
	assert_int_equal(lxfw_params_number("", "lxfw_eq_multi_node"),
			 LXFW_MULTI_NODE_RIGID);
	assert_int_equal(lxfw_params_number("lxfw_eq_multi_node=refuse",
					    "lxfw_eq_multi_node"),
			 LXFW_MULTI_NODE_REFUSE);
	assert_int_equal(lxfw_params_number("", "lxfw_journal_size"), 256);
	assert_int_equal(lxfw_params_number("", "lxfw_quantum_most_procs"), 0);
}

/* Whatever the order of the list, each code is that of one policy. */
static void codes(void **state)
{
	(void)state;
	for (int code = 1; code <= lxfw_policy_count; code++) {
		const struct lxfw_policy_type *policy =
			lxfw_policy_type((enum lxfw_policy)code);

		assert_non_null(policy);
		assert_int_equal(policy->code, code);
		assert_int_equal(lxfw_policy_by_name(policy->name,
						     (int)strlen(policy->name)), code);
	}
	assert_null(lxfw_policy_type(0));
	assert_null(lxfw_policy_type((enum lxfw_policy)(lxfw_policy_count + 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(presets),
		cmocka_unit_test(names),
		cmocka_unit_test(codes),
		cmocka_unit_test(reads_every_key),
		cmocka_unit_test(starts_from_current_values),
		cmocka_unit_test(passes_over_others),
		cmocka_unit_test(decimals_are_exact),
		cmocka_unit_test(finds_the_journal),
		cmocka_unit_test(names_every_error),
		cmocka_unit_test(checks_keys),
		cmocka_unit_test(finds_values),
		cmocka_unit_test(respects_the_current_policy),
		cmocka_unit_test(has_a_complete_table),
		cmocka_unit_test(knows_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
