/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fair share: shares of entities, what they have used, and the files of both. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins/pbs/usage.h"
#include "plugins/pbs/wlm.h"
#include "tests/unit/pbs_site.h"

static void add_line(struct lxfw_pbs_fairshare *tree, const char *line, const char *expected)
{
	struct lxfw_error why;
	int rc = lxfw_pbs_fairshare_line(tree, line, &why);

	if (rc != (expected ? -1 : 0))
		fail_msg("%s: %d, %s", line, rc, rc ? why.text : "");
	if (expected)
		assert_non_null(strstr(why.text, expected));
}

static const struct lxfw_pbs_entity *entity(struct lxfw_pbs_fairshare *tree, const char *name)
{
	const struct lxfw_pbs_entity *found = lxfw_pbs_fairshare_find(tree, name);

	assert_non_null(found);
	return found;
}

static void make_tree(struct lxfw_pbs_fairshare *tree)
{
	assert_true(lxfw_pbs_fairshare_begin(tree, 10));
	add_line(tree, "# a comment", NULL);
	add_line(tree, "physics 50 root 30", NULL);
	add_line(tree, " anna\t51 physics 20\n", NULL);
	add_line(tree, "bert 52 physics 10", NULL);
	add_line(tree, "bert 52 root 10", "a second line for bert");
	add_line(tree, "carl 53 chemistry 10", "an unknown parent: chemistry");
	add_line(tree, "carl 53 physics x", "shares that cannot be read: x");
	add_line(tree, "carl 53", "expected NAME");
	assert_true(lxfw_pbs_fairshare_add(tree, "anna", 599));
	assert_true(lxfw_pbs_fairshare_add(tree, "bert", 99));
	assert_true(lxfw_pbs_fairshare_add(tree, "dora", 299));
	lxfw_pbs_fairshare_compute(tree);
}

/* By hand, with the formulas of the header: the usage of the root is 998, of physics 699. */
static void fair_shares(void **state)
{
	struct lxfw_pbs_fairshare tree = { 0 };

	(void)state;
	make_tree(&tree);
	assert_float_equal(entity(&tree, "physics")->share, 0.75, 1e-9);
	assert_float_equal(entity(&tree, "anna")->share, 0.5, 1e-9);
	assert_float_equal(entity(&tree, "bert")->share, 0.25, 1e-9);
	assert_float_equal(entity(&tree, "dora")->share, 0.25, 1e-9);
	assert_float_equal(entity(&tree, "physics")->usage, 699, 1e-9);
	assert_float_equal(entity(&tree, "physics")->factor, 699. / 998, 1e-9);
	assert_float_equal(entity(&tree, "anna")->factor,
			   600. / 998 + (699. / 998 - 600. / 998) * 2 / 3, 1e-9);
	assert_float_equal(lxfw_pbs_fairshare_factor(entity(&tree, "dora")), 0.4345501, 1e-6);
	assert_true(lxfw_pbs_fairshare_over(&tree, entity(&tree, "anna")));
	assert_false(lxfw_pbs_fairshare_over(&tree, entity(&tree, "bert")));
	lxfw_pbs_fairshare_decay(&tree, 0.001);
	assert_float_equal(entity(&tree, "anna")->usage, 1, 0);
	/* Entities without shares have a factor of 0. */
	assert_true(lxfw_pbs_fairshare_begin(&tree, 0));
	(void)entity(&tree, "anna");
	lxfw_pbs_fairshare_compute(&tree);
	assert_float_equal(lxfw_pbs_fairshare_factor(entity(&tree, "anna")), 0, 0);
	lxfw_pbs_fairshare_clear(&tree);
}

/* Without a formula, who has used less of the own share comes first: 2^(-usage/share) of the jobs'
   owners, by another way than the tree's. */
static void order_by_fair_share(void **state)
{
	static const struct {
		const char *user;
		double usage, share;	/* of all: usage with that of the group, see fair_shares() */
	} owners[] = {
		{ "anna", 600. / 998 + (699. / 998 - 600. / 998) * 2 / 3, 0.5 },
		{ "bert", 100. / 998 + (699. / 998 - 100. / 998) / 3, 0.25 },
		{ "dora", 300. / 998, 0.25 },
	};
	static struct lxfw_pbs pbs;
	int64_t priority[3];

	(void)state;
	make_tree(&pbs.usage.tree);
	pbs.usage.fair_share = true;
	pbs.valuation = 1;
	for (size_t i = 0; i < 3; i++) {
		const struct lxfw_pbs_job job = {
			.number = 1 + i, .task = -1, .user = (char *)owners[i].user,
			.priority = -100 * (int)i,
		};

		assert_true(lxfw_pbs_rank(&pbs, &job, &priority[i]));
		assert_float_equal((double)priority[i],
				   1e6 * exp2(-owners[i].usage / owners[i].share), 2);
	}
	assert_true(priority[0] < priority[1] && priority[0] < priority[2]);
	lxfw_pbs_fairshare_clear(&pbs.usage.tree);
}

/* --- random trees ----------------------------------------------------------------------- */

#define GROUPS 6
#define USERS 12

/* Node 0 is the root, node 1 those without a line; the others are groups, then users. */
struct node {
	char name[16];
	int parent, shares;
	double used;	/* by itself and those below it, and a first unit */
};

static double share_of_shares(const struct node *nodes, int count, int at)
{
	int64_t all = 0;

	for (int i = 1; i < count; i++)
		all += nodes[i].parent == nodes[at].parent ? nodes[i].shares : 0;
	return all ? (double)nodes[at].shares / (double)all : 0;
}

/* The formulas of the header, from the entity to the root. */
static double share(const struct node *nodes, int count, int at)
{
	return at == 0 ? 1 : share_of_shares(nodes, count, at) *
			     share(nodes, count, nodes[at].parent);
}

static double usage_with_groups(const struct node *nodes, int count, int at)
{
	double own = nodes[at].used / nodes[0].used, of_group;

	if (nodes[at].parent == 0)
		return own;
	of_group = share(nodes, count, nodes[at].parent) > 0 ? share_of_shares(nodes, count, at) : 0;
	return own * (1 - of_group) +
	       usage_with_groups(nodes, count, nodes[at].parent) * of_group;
}

static int make_nodes(struct node *nodes, struct lxfw_pbs_fairshare *tree, uint64_t *random)
{
	int count = 2 + GROUPS + USERS;
	char line[64];

	nodes[0] = (struct node){ .shares = 1, .used = 1 };
	nodes[1] = (struct node){ .shares = (int)unit_between(random, 0, 20), .used = 1 };
	assert_true(lxfw_pbs_fairshare_begin(tree, nodes[1].shares));
	for (int i = 2; i < count; i++) {
		struct node *node = &nodes[i];
		bool is_group = i < 2 + GROUPS;

		*node = (struct node){
			.parent = (int)unit_between(random, 0, is_group ? i - 1 : GROUPS + 1),
			.shares = (int)unit_between(random, 0, 30), .used = 1,
		};
		/* Groups have lines, users without one have one share. */
		if (node->parent == 1 && is_group)
			node->parent = 0;
		if (node->parent == 1)
			node->shares = 1;
		snprintf(node->name, sizeof(node->name), "%c%d", is_group ? 'g' : 'u', i);
		snprintf(line, sizeof(line), "%s %d %s %d", node->name, i,
			 node->parent ? nodes[node->parent].name : "root", node->shares);
		if (node->parent != 1)
			add_line(tree, line, NULL);
	}
	return count;
}

static void use_at_random(struct node *nodes, int count, struct lxfw_pbs_fairshare *tree,
			  uint64_t *random)
{
	for (int i = 2 + GROUPS; i < count; i++) {
		double used = (double)unit_between(random, 0, 1000);

		assert_true(lxfw_pbs_fairshare_add(tree, nodes[i].name, used));
		nodes[i].used += used;
		for (int at = i; at != 0; at = nodes[at].parent)
			nodes[nodes[at].parent].used += used;
	}
}

static void check_order(struct lxfw_pbs *pbs, const struct node *nodes, int count)
{
	double expected[2 + GROUPS + USERS];
	int64_t priority[2 + GROUPS + USERS];

	for (int i = 2 + GROUPS; i < count; i++) {
		const struct lxfw_pbs_job job = {
			.number = (uint64_t)i, .task = -1, .user = (char *)nodes[i].name,
			.priority = i % 3,
		};
		double of_all = share(nodes, count, i);

		expected[i] = of_all > 0 ?
			1e6 * exp2(-usage_with_groups(nodes, count, i) / of_all) : 0;
		assert_true(lxfw_pbs_rank(pbs, &job, &priority[i]));
		assert_true(fabs((double)priority[i] - expected[i]) <= 1.001);
		assert_true(lxfw_pbs_fairshare_over(&pbs->usage.tree,
				entity(&pbs->usage.tree, nodes[i].name)) ==
			    (nodes[0].used * of_all < nodes[i].used));
		for (int j = 2 + GROUPS; j < i; j++)
			assert_true(fabs(expected[i] - expected[j]) < 2 ||
				    (expected[i] > expected[j]) == (priority[i] > priority[j]));
	}
}

/* The order of jobs by fair share is that of the formula, in any tree. */
static void order_in_random_trees(void **state)
{
	static struct lxfw_pbs pbs;
	uint64_t random = unit_seed("fair share");
	struct node nodes[2 + GROUPS + USERS];

	(void)state;
	pbs.usage.fair_share = true;
	pbs.valuation = 1;
	for (int i = 0; i < 300; i++) {
		int count = make_nodes(nodes, &pbs.usage.tree, &random);

		use_at_random(nodes, count, &pbs.usage.tree, &random);
		lxfw_pbs_fairshare_compute(&pbs.usage.tree);
		check_order(&pbs, nodes, count);
	}
	lxfw_pbs_fairshare_clear(&pbs.usage.tree);
}

static void usage_files(void **state)
{
	struct lxfw_pbs_fairshare tree = { 0 }, other = { 0 };
	struct lxfw_error why;
	size_t length;
	char *bytes;

	(void)state;
	make_tree(&tree);
	tree.last_decay = 1800000000;
	bytes = lxfw_pbs_usage_write(&tree, &length);
	assert_non_null(bytes);
	assert_int_equal(length, 24 + 8 + 3 * 64);
	assert_true(lxfw_pbs_fairshare_begin(&other, 10));
	add_line(&other, "physics 50 root 30", NULL);
	add_line(&other, "anna 51 physics 20", NULL);
	add_line(&other, "bert 52 physics 10", NULL);
	assert_int_equal(lxfw_pbs_usage_read(&other, bytes, length, &why), 0);
	assert_true(other.last_decay == 1800000000);
	/* As with pbs_sched, the usage of groups counts the first unit of entities too. */
	assert_float_equal(entity(&other, "anna")->usage, 600, 0);
	assert_float_equal(entity(&other, "physics")->usage, 701, 0);
	assert_float_equal(entity(&other, "dora")->usage, 300, 0);
	for (size_t i = 1; i < length; i++)
		(void)lxfw_pbs_usage_read(&other, bytes, i, &why);
	assert_int_equal(lxfw_pbs_usage_read(&other, bytes, length - 1, &why), -1);
	assert_string_equal(why.text, "an entry that is truncated");
	memset(bytes + 32, 'x', 50);
	assert_int_equal(lxfw_pbs_usage_read(&other, bytes, length, &why), -1);
	assert_string_equal(why.text, "an entry that is damaged");
	bytes[0] = 'x';
	assert_int_equal(lxfw_pbs_usage_read(&other, bytes, length, &why), -1);
	free(bytes);
	lxfw_pbs_fairshare_clear(&tree);
	lxfw_pbs_fairshare_clear(&other);
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* The file was last changed at that time of a certain second. */
static void set_change(const char *folder, const char *name, long nanoseconds)
{
	struct timespec times[2] = { { .tv_sec = 1000000 }, { .tv_sec = 1000000 } };
	char path[256];

	times[0].tv_nsec = times[1].tv_nsec = nanoseconds;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void usage_changed_within_a_second(void **state)
{
	char folder[] = "/tmp/lxfw-usage-XXXXXX", path[256];
	struct lxfw_pbs_usage usage = { 0 };

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_false(lxfw_pbs_usage_is_old(&usage, &site));
	lxfw_pbs_sched_set(&site.sched, "sched_priv", folder);
	assert_false(lxfw_pbs_usage_is_old(&usage, &site));	/* it is empty */
	write_file(folder, "resource_group", "anna 51 root 15\n");
	set_change(folder, "resource_group", 1000000);
	write_file(folder, "sched_config", "fair_share: false\tALL\n");
	set_change(folder, "sched_config", 2000000);
	assert_true(lxfw_pbs_usage_is_old(&usage, &site));
	assert_true(lxfw_pbs_usage_update(&usage, &site, 1000, false));
	assert_false(usage.fair_share);
	assert_false(lxfw_pbs_usage_is_old(&usage, &site));
	write_file(folder, "sched_config", "fair_share: true\tALL\n");
	set_change(folder, "sched_config", 300000000);
	assert_true(lxfw_pbs_usage_is_old(&usage, &site));
	assert_true(lxfw_pbs_usage_update(&usage, &site, 1000, false));
	assert_true(usage.fair_share);
	assert_false(lxfw_pbs_usage_is_old(&usage, &site));
	lxfw_pbs_usage_clear(&usage);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

/* There is no server. */
int lxfw_pbs_read_ended(struct lxfw_pbs_link *link, int64_t since, struct lxfw_pbs_site *ended,
			struct lxfw_error *why)
{
	(void)link;
	(void)since;
	(void)ended;
	(void)why;
	return -1;
}

/* The files are read in the pass after a change, and not when values are next computed. */
static void usage_of_the_next_pass(void **state)
{
	static struct lxfw_pbs pbs;
	char folder[] = "/tmp/lxfw-usage-XXXXXX", path[256];

	(void)state;
	assert_non_null(mkdtemp(folder));
	pbs.shadow = true;
	lxfw_pbs_sched_set(&pbs.site.sched, "sched_priv", folder);
	write_file(folder, "sched_config", "fair_share: false\tALL\n");
	set_change(folder, "sched_config", 0);
	pbs.agent.clock = 1000;
	lxfw_pbs_begin_ranks(&pbs);
	assert_false(pbs.usage.fair_share);
	write_file(folder, "sched_config", "fair_share: true\tALL\n");
	pbs.agent.clock = 1001;
	lxfw_pbs_begin_ranks(&pbs);
	assert_true(pbs.usage.fair_share);
	assert_int_equal(pbs.valuation, 2);
	lxfw_pbs_begin_ranks(&pbs);
	assert_int_equal(pbs.valuation, 2);
	lxfw_pbs_usage_clear(&pbs.usage);
	lxfw_pbs_charges_clear(&pbs.charges);
	lxfw_pbs_formula_clear(&pbs.used);
	free(pbs.site.sched.folder);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

/* What a running job uses is charged to its entity, unless nothing depends on fair share. */
static void check_charged(const char *config, const char *formula, double usage)
{
	static struct lxfw_pbs pbs;
	char folder[] = "/tmp/lxfw-usage-XXXXXX", path[256];
	struct lxfw_pbs_job *job;

	memset(&pbs, 0, sizeof(pbs));
	assert_non_null(mkdtemp(folder));
	assert_true(lxfw_pbs_kinds_init(&pbs.site.kinds));
	assert_true(lxfw_pbs_kinds_add(&pbs.site.kinds, "cput", "1", "0"));
	lxfw_pbs_site_begin(&pbs.site);
	lxfw_pbs_sched_set(&pbs.site.sched, "sched_priv", folder);
	if (formula)
		lxfw_pbs_sched_set(&pbs.site.sched, "job_sort_formula", formula);
	write_file(folder, "sched_config", config);
	write_file(folder, "resource_group", "anna 51 root 15\n");
	job = lxfw_pbs_site_job(&pbs.site, "1.s");
	lxfw_pbs_job_set(job, "job_state", NULL, "R");
	lxfw_pbs_job_set(job, "euser", NULL, "anna");
	lxfw_pbs_job_set(job, "stime", NULL, "900");
	lxfw_pbs_job_set(job, "exec_vnode", NULL, "(v0:ncpus=1)");
	lxfw_pbs_job_set(job, "resources_used", "cput", "00:01:40");
	job->number = 1;
	job->task = -1;
	pbs.agent.clock = 1000;
	lxfw_pbs_begin_ranks(&pbs);
	/* What it used before the first evaluation counts as charged. */
	assert_float_equal(entity(&pbs.usage.tree, "anna")->usage, 1, 0);
	lxfw_pbs_properties_clear(job->used, job->used_count);
	job->used = NULL;
	job->used_count = job->used_size = 0;
	lxfw_pbs_job_set(job, "resources_used", "cput", "00:05:00");
	pbs.agent.clock = 1200;
	lxfw_pbs_begin_ranks(&pbs);
	if (entity(&pbs.usage.tree, "anna")->usage != usage)
		fail_msg("%s%s: %g", config, formula ? formula : "",
			 entity(&pbs.usage.tree, "anna")->usage);
	lxfw_pbs_usage_clear(&pbs.usage);
	lxfw_pbs_charges_clear(&pbs.charges);
	lxfw_pbs_formula_clear(&pbs.used);
	lxfw_pbs_formula_clear(&pbs.formula);
	lxfw_pbs_site_clear(&pbs.site);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

static void running_jobs_are_charged(void **state)
{
	(void)state;
	check_charged("fair_share: true\tALL\n", NULL, 201);
	check_charged("fair_share: false\tALL\n", NULL, 1);
	check_charged("fair_share: false\tALL\n", "ncpus", 201);
}

static void usage_in_a_folder(void **state)
{
	char folder[] = "/tmp/lxfw-usage-XXXXXX", path[256];
	struct lxfw_pbs_usage usage = { 0 };
	struct lxfw_pbs_job *job = add_job_of("1.s", 'Q', "anna", "p1");

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_true(lxfw_pbs_usage_update(&usage, &site, 1000, false));
	assert_null(lxfw_pbs_usage_of(&usage, job));
	lxfw_pbs_sched_set(&site.sched, "sched_priv", folder);
	write_file(folder, "sched_config", "# fair_share: false\nfair_share: true\tALL\n"
		   "unknown_shares: 5\nfairshare_decay_time: 00:10:00\n"
		   "fairshare_decay_factor: 0.25\nfairshare_entity: euser\n"
		   "fairshare_decay_factor: 7\n");
	write_file(folder, "resource_group", "anna 51 root 15\nbad\n");
	assert_true(lxfw_pbs_usage_update(&usage, &site, 1000, false));
	assert_true(usage.fair_share);
	assert_int_equal(usage.decay_seconds, 600);
	assert_float_equal(usage.decay_factor, 0.25, 0);
	assert_true(lxfw_pbs_fairshare_add(&usage.tree, "anna", 1599));
	usage.dirty = true;
	lxfw_pbs_usage_compute(&usage, 2201);	/* twice */
	assert_float_equal(lxfw_pbs_usage_of(&usage, job)->usage, 100, 0);
	assert_float_equal(lxfw_pbs_usage_of(&usage, job)->share, 0.75, 1e-9);
	assert_true(usage.tree.last_decay == 2200);
	lxfw_pbs_usage_save(&usage);
	lxfw_pbs_usage_clear(&usage);
	assert_true(lxfw_pbs_usage_update(&usage, &site, 2300, false));
	assert_float_equal(lxfw_pbs_usage_of(&usage, job)->usage, 100, 0);
	assert_true(usage.tree.last_decay == 2200);
	lxfw_pbs_usage_clear(&usage);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fair_shares),
		cmocka_unit_test(order_by_fair_share),
		cmocka_unit_test(order_in_random_trees),
		cmocka_unit_test(usage_files),
		cmocka_unit_test(running_jobs_are_charged),
		cmocka_unit_test_setup_teardown(usage_in_a_folder, make_site, clear_site),
		cmocka_unit_test_setup_teardown(usage_changed_within_a_second, make_site,
						clear_site),
		cmocka_unit_test(usage_of_the_next_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
