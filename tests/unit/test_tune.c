/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goals, weeks, lines of settings, and a search with a known optimum. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "sim-frontend/tune/priorities.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/space.h"
#include "sim-frontend/tune/weeks.h"

/* ---- goals ------------------------------------------------------------- */

static void assert_refused(int (*read)(struct lxfw_goals *goals, const char *text,
				       struct lxfw_error *error),
			   const char *text, const char *reason)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_error error;

	assert_int_equal(read(&goals, text, &error), -1);
	assert_int_equal(errno, EINVAL);
	if (!strstr(error.text, reason))
		fail_msg("'%s': '%s', not '%s'", text, error.text, reason);
}

static void test_goals(void **state)
{
	struct lxfw_goals goals = { .objective_count = 0 };

	(void)state;
	assert_int_equal(lxfw_goals_minimize(&goals, "p95_wait,mean_slowdown:short",
					     NULL), 0);
	assert_int_equal(lxfw_goals_limit(&goals, "max_wait:wide<=72h,"
		"mean_slowdown:17-64<=2.5,mean_wait:1m_to_10m<=90", NULL), 0);
	assert_int_equal(lxfw_goals_count(&goals), 5);
	assert_int_equal(goals.objectives[0].measure, LXFW_TUNE_P95_WAIT);
	assert_int_equal(goals.objectives[0].class, LXFW_TUNE_ALL);
	assert_int_equal(goals.objectives[1].class, LXFW_TUNE_SHORT);
	assert_string_equal(goals.objectives[1].name, "mean_slowdown:short");
	assert_true(goals.limits[0].most == 72 * 3600);
	assert_string_equal(goals.limits[0].name, "max_wait:wide");
	assert_true(goals.limits[1].most == 2.5);
	assert_true(goals.limits[2].most == 90);
	assert_string_equal(lxfw_tune_class_name(goals.limits[2].class),
			    "1m_to_10m");
}

static void test_kept(void **state)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_goals_minimize(&goals, "p95_wait,max_wait", NULL), 0);
	assert_int_equal(lxfw_goals_limit(&goals, "awrt<=9h", NULL), 0);
	/* an objective is kept anyway, and a limit is separate */
	assert_int_equal(lxfw_goals_keep(&goals, "max_wait,max_wait:wide,awrt",
					 &error), 0);
	assert_int_equal(goals.kept_count, 1);
	assert_int_equal(lxfw_goals_count(&goals), 4);
	assert_string_equal(lxfw_goals_at(&goals, 3)->name, "max_wait:wide");
	assert_true(lxfw_goals_judged(&goals, 1));
	assert_false(lxfw_goals_judged(&goals, 2));
	assert_true(lxfw_goals_judged(&goals, 3));
	assert_int_equal(lxfw_goals_keep(&goals, "max_wait:wide", &error), -1);
}

static void test_bad_goals(void **state)
{
	(void)state;
	assert_refused(lxfw_goals_minimize, "p59_wait", "no measure 'p59_wait', "
		       "expected one of mean_wait, ");
	assert_refused(lxfw_goals_minimize, "", "no measure ''");
	assert_refused(lxfw_goals_minimize, "p95_wait,", "no measure ''");
	assert_refused(lxfw_goals_minimize, "p95_wait:tall", "no class of jobs "
		       "'tall', expected short, ");
	assert_refused(lxfw_goals_minimize, "awrt,awrt", "awrt twice");
	assert_refused(lxfw_goals_limit, "max_wait", "'max_wait', expected "
		       "MEASURE<=VALUE");
	assert_refused(lxfw_goals_limit, "max_wait<72h", "expected MEASURE<=VALUE");
	assert_refused(lxfw_goals_limit, "max_wait>=72h", "expected MEASURE<=VALUE");
	assert_refused(lxfw_goals_limit, "max_wait<=soon", "max_wait<=soon, "
		       "expected a number of seconds");
	assert_refused(lxfw_goals_limit, "max_wait<=-1h", "expected a number of "
		       "seconds");
	assert_refused(lxfw_goals_limit, "mean_slowdown<=2h", "expected a number");
	assert_refused(lxfw_goals_limit, "mean_slowdown<=nan", "expected a number");
	assert_refused(lxfw_goals_limit, "mean_slowdown<=0.5", "is impossible: the "
		       "value is never below 1");
	assert_refused(lxfw_goals_minimize, "mean_wait,median_wait,p95_wait,"
		       "max_wait,mean_response,mean_slowdown,awrt,preemptions,"
		       "requeues", "more than 8");
}

/* ---- weeks ------------------------------------------------------------- */

static void test_weeks(void **state)
{
	struct lxfw_trace_job jobs[2] = { { .submit = 100 }, { .submit = 0 } };
	struct lxfw_trace trace = { .jobs = jobs, .count = 2 };
	struct lxfw_tune_weeks weeks;
	struct lxfw_error error;

	(void)state;
	/* 10 to fill the queue, 4 weeks of 20, 9 of a fifth: less than half */
	jobs[1].submit = 100 + 10 + 4 * 20 + 9;
	assert_int_equal(lxfw_tune_weeks_of(&weeks, &trace, 10, 20, 2,
					    &error), 0);
	assert_int_equal(weeks.count, 4);
	assert_int_equal(lxfw_tune_week_at(&weeks, 109), -1);
	assert_int_equal(lxfw_tune_week_at(&weeks, 110), 0);
	assert_int_equal(lxfw_tune_week_at(&weeks, 129), 0);
	assert_int_equal(lxfw_tune_week_at(&weeks, 130), 1);
	assert_int_equal(lxfw_tune_week_at(&weeks, 189), 3);
	assert_int_equal(lxfw_tune_week_at(&weeks, 190), -1);
	jobs[1].submit++;
	assert_int_equal(lxfw_tune_weeks_of(&weeks, &trace, 10, 20, 2,
					    &error), 0);
	assert_int_equal(weeks.count, 5);
	/* two folds, of three and of two */
	assert_int_equal(lxfw_tune_week_fold(&weeks, 2), 0);
	assert_int_equal(lxfw_tune_week_fold(&weeks, 3), 1);
	/* a setting evaluated on the first fold was chosen by the last week alone, not
	 * by a neighbour */
	assert_false(lxfw_tune_week_seen(&weeks, 0, 3));
	assert_true(lxfw_tune_week_seen(&weeks, 0, 4));
	assert_true(lxfw_tune_week_seen(&weeks, 1, 1));
	assert_false(lxfw_tune_week_seen(&weeks, 1, 2));
	assert_true(lxfw_tune_week_seen(&weeks, -1, 2));
	assert_int_equal(lxfw_tune_weeks_of(&weeks, &trace, 60, 20, 2,
					    &error), -1);
	assert_non_null(strstr(error.text, "2 periods"));
	assert_int_equal(lxfw_tune_weeks_of(&weeks, &trace, 1000, 20, 2,
					    &error), -1);
}

/* A week, or fewer days so that there are a dozen periods. */
static void test_usual_length(void **state)
{
	static const struct {
		int days, length, count;
	} cases[] = {
		{ 2 + 365, 7, 52 }, { 2 + 81, 7, 12 }, { 2 + 80, 4, 20 },
		{ 2 + 26, 2, 13 }, { 2 + 20, 1, 20 }, { 2 + 5, 1, 5 },
	};
	struct lxfw_trace_job jobs[2] = { { .submit = 0 }, { .submit = 0 } };
	struct lxfw_trace trace = { .jobs = jobs, .count = 2 };
	struct lxfw_tune_weeks weeks;
	struct lxfw_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		jobs[1].submit = cases[i].days * 86400;
		assert_int_equal(lxfw_tune_weeks_of(&weeks, &trace, 2 * 86400, 0, 4,
						    &error), 0);
		assert_int_equal(weeks.length, cases[i].length * 86400);
		assert_int_equal(weeks.count, cases[i].count);
	}
}

/* ---- lines ------------------------------------------------------------- */

static void begin_space(struct lxfw_tune_space *space, const char *site)
{
	*space = (struct lxfw_tune_space) { .count = 0 };
	assert_int_equal(lxfw_tune_space_begin(space, site, true, false), 0);
}

/* For any genes the line can be read back, keeps the site's keys, and gives genes with
   the same line. */
static void test_lines(void **state)
{
	uint64_t seed = unit_seed("lines");
	struct lxfw_tune_space space;

	(void)state;
	begin_space(&space, "defer, lxfw_policy=priority, lxfw_wx=3,"
		    "lxfw_journal=/j,lxfw_quantum_min_run=120,bf_continue");
	for (int i = 0; i < 2000; i++) {
		double genes[LXFW_GENES_MAX], back[LXFW_GENES_MAX];
		struct lxfw_params params;
		struct lxfw_error error;
		char *line, *again;

		for (int j = 0; j < space.count; j++)
			genes[j] = (double)unit_between(&seed, 0, 999999) / 1e6;
		line = lxfw_tune_space_line(&space, genes);
		assert_non_null(line);
		if (lxfw_tune_read_line(line, &params, &error))
			fail_msg("%s: %s", line, error.text);
		assert_non_null(strstr(line, "defer,"));
		assert_non_null(strstr(line, "lxfw_journal=/j"));
		assert_non_null(strstr(line, "bf_continue"));
		assert_null(strstr(line, "lxfw_wx=3"));
		assert_int_equal(params.quantum_min_run, 120);
		assert_null(strstr(line, "e-"));
		lxfw_tune_space_genes(&space, line, back);
		again = lxfw_tune_space_line(&space, back);
		assert_string_equal(again, line);
		free(line);
		free(again);
	}
	lxfw_tune_space_clear(&space);
}

static void test_vary(void **state)
{
	static const struct {
		const char *text, *reason;
	} bad[] = {
		{ "lxfw_wz=1", "lxfw_wz: unknown key" },
		{ "bf_window=1", "bf_window: a key of Slurm, expected lxfw_reservation_window" },
		{ "ww=1", "ww: unknown key, expected lxfw_ww?" },
		{ "lxfw_ww", "'lxfw_ww', expected KEY=VALUES" },
		{ "lxfw_ww=-1..2", "lxfw_ww=-1: expected a number" },
		{ "lxfw_ww=0..10000000", "lxfw_ww=10000000: expected a number" },
		{ "lxfw_ww=2..1", "expected a range from the lower" },
		{ "lxfw_quantum=0..60", "lxfw_quantum: a range, expected values" },
		{ "lxfw_quantum=0/-5", "lxfw_quantum=-5: expected whole" },
		{ "lxfw_policy=best", "lxfw_policy=best: expected one of" },
		{ "lxfw_victim_share=5/10/5", "lxfw_victim_share=5: given twice" },
		{ "lxfw_policy=classes", "is not supported, expected another policy" },
	};
	double genes[LXFW_GENES_MAX] = { 0 };
	struct lxfw_tune_space space;
	struct lxfw_error error;
	char *line;

	(void)state;
	begin_space(&space, "lxfw_policy=easy");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(lxfw_tune_space_vary(&space, bad[i].text,
						      &error), -1);
		if (!strstr(error.text, bad[i].reason))
			fail_msg("%s: %s", bad[i].text, error.text);
	}
	/* with blanks, as in a list that is typed */
	assert_int_equal(lxfw_tune_space_vary(&space, "lxfw_ww=2..4, lxfw_wx = 7 ,"
		"lxfw_policy=lxfw,\tlxfw_interval=30 / 60", &error), 0);
	line = lxfw_tune_space_line(&space, genes);
	assert_string_equal(line, "lxfw_policy=lxfw,lxfw_ww=2,lxfw_wx=7,"
			    "lxfw_interval=30");
	free(line);
	/* a key twice, in one text and in two */
	assert_int_equal(lxfw_tune_space_vary(&space, "lxfw_quantum=60,"
					      "lxfw_quantum=0", &error), -1);
	assert_string_equal(error.text, "lxfw_quantum: given twice");
	assert_int_equal(lxfw_tune_space_vary(&space, "lxfw_wx=1", &error), -1);
	assert_string_equal(error.text, "lxfw_wx: given twice");
	lxfw_tune_space_clear(&space);
}

static void test_site(void **state)
{
	struct lxfw_error error;
	char *line;

	(void)state;
	assert_int_equal(lxfw_tune_site_line(NULL, "easy", &line, &error), 0);
	assert_string_equal(line, "lxfw_policy=easy");
	free(line);
	assert_int_equal(lxfw_tune_site_line("defer,bf_continue", "easy", &line, &error), 0);
	assert_string_equal(line, "defer,bf_continue,lxfw_policy=easy");
	free(line);
	assert_int_equal(lxfw_tune_site_line("defer, lxfw_wx=2", "easy", &line, &error), 0);
	assert_string_equal(line, "defer, lxfw_wx=2,lxfw_policy=lxfw");
	free(line);
	assert_int_equal(lxfw_tune_site_line("lxfw_policy=sjf", "easy", &line, &error), 0);
	assert_string_equal(line, "lxfw_policy=sjf");
	free(line);
	assert_int_equal(lxfw_tune_site_line("lxfw_policy=fcfs,lxfw_wx=2", "easy", &line,
					     &error), -1);
}

static void has_values(const struct lxfw_tune_space *space, const char *name,
		       const char *expected)
{
	char text[200] = "";

	for (int i = 0; i < space->count; i++) {
		const struct lxfw_tune_key *key = &space->keys[i];

		for (int j = 0; strcmp(key->name, name) == 0 &&
				j < key->value_count; j++) {
			if (j > 0)
				strcat(text, "/");
			strcat(text, key->values[j]);
		}
	}
	assert_string_equal(text, expected);
}

/* The values of a site with a quantum are among those searched, once. */
static void test_quantum_keys(void **state)
{
	static const struct {
		const char *site, *lengths, *bounds, *shares;
	} cases[] = {
		{ "lxfw_policy=easy", "0/60/300/600/1800", "1/3/10",
		  "5/20" },
		{ "lxfw_policy=easy,lxfw_quantum=60", "0/60/300/600/1800",
		  "1/3/10/0", "5/20/0" },
		{ "lxfw_policy=easy,lxfw_quantum=30,lxfw_victim_suspensions=3",
		  "0/60/300/600/1800/30", "1/3/10", "5/20/0" },
		{ "lxfw_quantum=30,lxfw_victim_share=10", "0/60/300/600/1800/30",
		  "1/3/10/0", "5/20/10" },
		{ "lxfw_quantum=30,lxfw_quantum_mode=off", "0/60/300/600/1800",
		  "1/3/10", "5/20" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lxfw_tune_space space;

		begin_space(&space, cases[i].site);
		assert_false(lxfw_tune_space_has(&space, "lxfw_quantum"));
		assert_int_equal(lxfw_tune_space_quantum(&space), 0);
		assert_true(lxfw_tune_space_has(&space, "lxfw_quantum"));
		has_values(&space, "lxfw_quantum", cases[i].lengths);
		has_values(&space, "lxfw_quantum_mode", "soon/preempt");
		has_values(&space, "lxfw_victim_suspensions", cases[i].bounds);
		has_values(&space, "lxfw_victim_share", cases[i].shares);
		lxfw_tune_space_clear(&space);
	}
}

/* Keys of a quantum are part of a line only with a quantum, those of preempted jobs
   only if there can be some. */
static void test_quantum_lines(void **state)
{
	uint64_t seed = unit_seed("quanta");
	struct lxfw_tune_space space;
	int with = 0, soon = 0, without = 0;

	(void)state;
	begin_space(&space, "lxfw_policy=easy");
	assert_int_equal(lxfw_tune_space_quantum(&space), 0);
	assert_int_equal(lxfw_tune_space_vary(&space,
			"lxfw_quantum_min_run=60/120,lxfw_victim_share=5/10",
			NULL), 0);
	for (int i = 0; i < 1000; i++) {
		double genes[LXFW_GENES_MAX];
		bool serves, preempts, victims;
		char *line;

		for (int j = 0; j < space.count; j++)
			genes[j] = (double)unit_between(&seed, 0, 999999) / 1e6;
		line = lxfw_tune_space_line(&space, genes);
		assert_non_null(line);
		serves = strstr(line, "lxfw_quantum=") != NULL;
		preempts = strstr(line, "lxfw_quantum_mode=preempt") != NULL;
		victims = strstr(line, "lxfw_victim_suspensions=") != NULL;
		assert_int_equal(strstr(line, "lxfw_quantum_min_run=") != NULL,
				 serves);
		assert_int_equal(strstr(line, "lxfw_quantum_mode=") != NULL,
				 serves);
		assert_int_equal(victims, preempts);
		assert_int_equal(strstr(line, "lxfw_victim_share=") != NULL,
				 preempts);
		with += preempts;
		soon += serves && !preempts;
		without += !serves;
		free(line);
	}
	assert_true(with > 0 && soon > 0 && without > 0);
	lxfw_tune_space_clear(&space);
}

/* ---- search ------------------------------------------------------------ */

/* Two objectives of Ww and Wp on a logarithmic scale, each with its optimum where the
   other is worst: the front is the straight line between them. */
static void tell(struct lxfw_setting *setting)
{
	struct lxfw_params params;
	double x, y, other;

	assert_int_equal(lxfw_tune_read_line(setting->line, &params, NULL), 0);
	other = params.reservations - 1 + (double)params.quantum;
	x = params.ww > 0 ? log10(params.ww) : -9;
	y = params.wp > 0 ? log10(params.wp) : -9;
	setting->values[0] = fabs(x + 1) + fabs(y + 2) + other;
	setting->values[1] = fabs(x) + fabs(y + 1) + other;
	setting->values[2] = x;
	setting->known = true;
}

static void search_all(struct lxfw_search *search, size_t most)
{
	while (search->count < most) {
		size_t before = search->count;
		int64_t asked = lxfw_search_ask(search, most - before);

		assert_int_equal(asked, search->count - before);
		if (search->count == before)
			break;
		for (size_t i = before; i < search->count; i++)
			tell(&search->settings[i]);
	}
}

static void begin_search(struct lxfw_search *search,
			 struct lxfw_tune_space *space, struct lxfw_goals *goals)
{
	begin_space(space, "lxfw_policy=easy");
	*search = (struct lxfw_search) {
		.space = space, .goals = goals, .seed = 1,
		.round_size = 50,
	};
}

static void test_known_best(void **state)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_tune_space space;
	struct lxfw_search search;
	size_t front[1000], count;
	double least[2] = { INFINITY, INFINITY };

	(void)state;
	assert_int_equal(lxfw_goals_minimize(&goals, "mean_wait,p95_wait", NULL), 0);
	begin_search(&search, &space, &goals);
	search_all(&search, 1000);
	assert_int_equal(search.count, 1000);
	assert_string_equal(search.settings[0].line, "lxfw_policy=easy");
	count = lxfw_search_front(&search, front);
	assert_true(count >= 20);
	for (size_t i = 0; i < count; i++) {
		const double *values = search.settings[front[i]].values;

		for (int j = 0; j < 2; j++)
			least[j] = fmin(least[j], values[j]);
		/* on the true front the sum is 2 */
		assert_true(values[0] + values[1] < 2.5);
		assert_true(i == 0 || values[0] >
			    search.settings[front[i - 1]].values[0]);
	}
	if (least[0] > 0.4 || least[1] > 0.4)
		fail_msg("best found: %g and %g, expected 0", least[0], least[1]);
	assert_int_equal(lxfw_search_spread(&search, front, count, 8), 8);
	assert_true(search.settings[front[0]].values[0] == least[0]);
	assert_true(search.settings[front[7]].values[1] == least[1]);
	lxfw_search_clear(&search);
	lxfw_tune_space_clear(&space);
}

/* With a limit that only smaller weights satisfy. */
static void test_limit(void **state)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_tune_space space;
	struct lxfw_search search;
	size_t front[1000], count;

	(void)state;
	assert_int_equal(lxfw_goals_minimize(&goals, "mean_wait,p95_wait", NULL), 0);
	goals.limits[goals.limit_count++] = (struct lxfw_goal) { .most = -2 };
	begin_search(&search, &space, &goals);
	search_all(&search, 1000);
	count = lxfw_search_front(&search, front);
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++)
		assert_true(search.settings[front[i]].values[2] <= -2);
	/* -2 instead of -1: the best is 1 */
	assert_true(search.settings[front[0]].values[0] < 1.4);
	lxfw_search_clear(&search);
	lxfw_tune_space_clear(&space);
}

/* The first settings tried do not depend on whether more follow. */
static void test_same_again(void **state)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_tune_space space, other;
	struct lxfw_search all, some;

	(void)state;
	assert_int_equal(lxfw_goals_minimize(&goals, "mean_wait,p95_wait", NULL), 0);
	begin_search(&all, &space, &goals);
	begin_search(&some, &other, &goals);
	some.seed = all.seed;
	search_all(&all, 400);
	search_all(&some, 275);
	assert_int_equal(some.count, 275);
	for (size_t i = 0; i < some.count; i++)
		assert_string_equal(some.settings[i].line, all.settings[i].line);
	lxfw_search_clear(&all);
	lxfw_search_clear(&some);
	lxfw_tune_space_clear(&space);
	lxfw_tune_space_clear(&other);
}

/* A small space is searched completely, each setting once. */
static void test_few(void **state)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_tune_space space;
	struct lxfw_search search;

	(void)state;
	assert_int_equal(lxfw_goals_minimize(&goals, "mean_wait", NULL), 0);
	begin_search(&search, &space, &goals);
	assert_int_equal(lxfw_tune_space_vary(&space, "lxfw_policy=lxfw,lxfw_ww=1,"
		"lxfw_wp=0,lxfw_wm=0,lxfw_wpe=0,lxfw_wbypass=0,lxfw_quantum=0,"
		"lxfw_reservations=1/2/3", NULL), 0);
	search_all(&search, 1000);
	/* the site's, the preset, and these */
	assert_int_equal(search.count, 5);
	lxfw_search_clear(&search);
	lxfw_tune_space_clear(&space);
}

/* After the search: the presets that an age has an effect on, which depend on no value. */
static void expect_after(const char *site, const char *vary, const char *expected)
{
	struct lxfw_tune_space space;
	struct lxfw_search search = { .space = &space };
	char lines[2000] = "";
	int64_t count;

	begin_space(&space, site);
	if (vary)
		assert_int_equal(lxfw_tune_space_vary(&space, vary, NULL), 0);
	count = lxfw_search_ask_after(&search);
	assert_int_equal(count, search.count);
	for (size_t i = 0; i < search.count; i++) {
		assert_true(search.settings[i].after && search.settings[i].fold == -1);
		strcat(strcat(lines, search.settings[i].line), "\n");
	}
	assert_string_equal(lines, expected);
	assert_int_equal(lxfw_search_ask_after(&search), 0);
	lxfw_search_clear(&search);
	lxfw_tune_space_clear(&space);
}

static void test_after(void **state)
{
	(void)state;
	expect_after("lxfw_policy=easy", NULL, "lxfw_policy=lxfw,lxfw_age_first=86400\n"
		     "lxfw_policy=lxfw,lxfw_age_first=129600\n"
		     "lxfw_policy=lxfw,lxfw_age_first=172800\n"
		     "lxfw_policy=sjf,lxfw_age_first=86400\n"
		     "lxfw_policy=sjf,lxfw_age_first=129600\n"
		     "lxfw_policy=sjf,lxfw_age_first=172800\n");
	expect_after("lxfw_policy=easy,lxfw_interval=60", "lxfw_policy=sjf/easy",
		     "lxfw_interval=60,lxfw_policy=sjf,lxfw_age_first=86400\n"
		     "lxfw_interval=60,lxfw_policy=sjf,lxfw_age_first=129600\n"
		     "lxfw_interval=60,lxfw_policy=sjf,lxfw_age_first=172800\n");
	expect_after("lxfw_policy=easy", "lxfw_policy=easy/fcfs", "");
	expect_after("lxfw_policy=easy", "lxfw_age_first=0/3600", "");
	expect_after("lxfw_policy=sjf,lxfw_age_first=3600", NULL, "");
}

/* Settings derived for a fold do not depend on the values of the other folds, which are
   random here. */
static void test_blind(void **state)
{
	struct lxfw_goals goals = { .objective_count = 0 };
	struct lxfw_tune_space spaces[2];
	struct lxfw_search searches[2];

	(void)state;
	assert_int_equal(lxfw_goals_minimize(&goals, "mean_wait,p95_wait", NULL), 0);
	for (int i = 0; i < 2; i++) {
		struct lxfw_search *search = &searches[i];

		begin_search(search, &spaces[i], &goals);
		search->folds = 2;
		search->numbers = 6;
		while (search->count < 400) {
			size_t before = search->count;

			assert_true(lxfw_search_ask(search, 400 - before) > 0);
			for (size_t j = before; j < search->count; j++) {
				struct lxfw_setting *setting =
					&search->settings[j];

				tell(setting);
				/* view 1: the blocks without fold 0 */
				memcpy(setting->values + 2, setting->values,
				       2 * sizeof(double));
				for (int k = 0; k < 2; k++)
					setting->values[k] =
						setting->values[4 + k] =
						(double)((j * 37 + (size_t)i * 11) %
							 101);
			}
		}
	}
	for (size_t i = 0, j = 0; i < 400; i++) {
		const struct lxfw_setting *one = &searches[0].settings[i];

		if (one->fold == 1)
			continue;
		while (j < 400 && strcmp(searches[1].settings[j].line, one->line))
			j++;
		if (j == 400)
			fail_msg("%s (%zu, fold %d) is not among the others",
				 one->line, i, one->fold);
	}
	for (int i = 0; i < 2; i++) {
		lxfw_search_clear(&searches[i]);
		lxfw_tune_space_clear(&spaces[i]);
	}
}

/* --- Slurm's priorities ------------------------------------------------- */

static void lines_are(const char *line, const char *expected)
{
	char *lines = lxfw_tune_conf_lines(line);

	assert_string_equal(lines, expected);
	free(lines);
}

static void test_conf_lines(void **state)
{
	(void)state;
	lines_are("lxfw_policy=lxfw", "SchedulerParameters=lxfw_policy=lxfw\n");
	lines_are("PriorityMaxAge=1-0,defer,lxfw_policy=site,PriorityWeightAge=5",
		  "SchedulerParameters=defer,lxfw_policy=site\n"
		  "PriorityMaxAge=1-0\nPriorityWeightAge=5\n");
}

static void test_priority_lines(void **state)
{
	struct lxfw_multifactor_params params = lxfw_multifactor_defaults;
	struct lxfw_error error;
	bool changes;

	(void)state;
	assert_int_equal(lxfw_tune_priority_read("defer,PriorityWeightAge=7,lxfw_wx=1,"
			"PriorityMaxAge=2-0,PriorityDecayHalfLife=1-0", &params, &error), 0);
	assert_int_equal(params.weight_age, 7);
	assert_int_equal(params.max_age, 2 * 86400);
	assert_int_equal(params.half_life, 86400);
	assert_int_equal(lxfw_tune_priority_weight(&params, "PriorityWeightAge"), 7);
	assert_true(lxfw_tune_priority_means(&params, "PriorityWeightAge=7", &changes));
	assert_false(changes);
	assert_true(lxfw_tune_priority_means(&params, "PriorityWeightAge=8", &changes));
	assert_true(changes);
	assert_int_equal(lxfw_tune_priority_read("PriorityWeightAge=x", &params, &error), -1);
	assert_int_equal(lxfw_tune_priority_read("PriorityWeightAge", &params, &error), -1);
	assert_int_equal(lxfw_tune_priority_read("PriorityType=x", &params, &error), -1);
	assert_non_null(strstr(error.text, "unknown key"));
}

/* Keys without effect are not searched, nor in a line if its weights leave them none (those
   of the site are 0), and those of a line are read back. */
static void test_priority_space(void **state)
{
	struct lxfw_multifactor_site site = {
		.params = lxfw_multifactor_defaults, .assocs = { .count = 5 },
	};
	struct lxfw_tune_space space = { .count = 0 };
	double genes[LXFW_GENES_MAX], back[LXFW_GENES_MAX];
	uint64_t random = unit_seed("priorities");
	int with_priorities = 0;

	(void)state;
	assert_int_equal(lxfw_tune_space_begin(&space, "lxfw_policy=site", true, false), 0);
	assert_int_equal(lxfw_tune_space_priorities(&space, &site), 0);
	assert_true(lxfw_tune_space_has(&space, "PriorityWeightFairshare"));
	assert_true(lxfw_tune_space_has(&space, "PriorityMaxAge"));
	assert_false(lxfw_tune_space_has(&space, "PriorityWeightQOS"));
	assert_false(lxfw_tune_space_has(&space, "PriorityWeightPartition"));
	for (int i = 0; i < 300; i++) {
		char *line, *again;

		for (int j = 0; j < space.count; j++)
			genes[j] = (double)unit_between(&random, 0, 999999) / 1e6;
		line = lxfw_tune_space_line(&space, genes);
		lxfw_tune_space_genes(&space, line, back);
		again = lxfw_tune_space_line(&space, back);
		assert_string_equal(line, again);
		with_priorities += strstr(line, "Priority") != NULL;
		if (strstr(line, "Priority"))
			assert_non_null(strstr(line, "lxfw_policy=site"));
		if (strstr(line, "PriorityDecayHalfLife"))
			assert_non_null(strstr(line, "PriorityWeightFairshare"));
		if (strstr(line, "PriorityMaxAge"))
			assert_non_null(strstr(line, "PriorityWeightAge"));
		free(line);
		free(again);
	}
	assert_in_range(with_priorities, 150, 290);
	lxfw_tune_space_clear(&space);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conf_lines),
		cmocka_unit_test(test_priority_lines),
		cmocka_unit_test(test_priority_space),
		cmocka_unit_test(test_goals),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_bad_goals),
		cmocka_unit_test(test_weeks),
		cmocka_unit_test(test_usual_length),
		cmocka_unit_test(test_quantum_keys),
		cmocka_unit_test(test_quantum_lines),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_vary),
		cmocka_unit_test(test_site),
		cmocka_unit_test(test_known_best),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_same_again),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_after),
		cmocka_unit_test(test_blind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
