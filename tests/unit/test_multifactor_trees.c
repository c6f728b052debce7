/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's priority/multifactor: properties of random trees and random days. */
#include "sim-frontend/priority/fair.h"
#include "tests/unit/multifactor_site.h"

#define MANY 40

/* A tree of accounts and users with random shares and usage, usage summed upwards. */
static void random_tree(uint64_t *seed)
{
	int count = (int)unit_between(seed, 2, MANY);
	int32_t accounts[MANY + 1] = { 0 };
	int account_count = 1;

	for (int i = 0; i < count; i++) {
		int32_t above = accounts[unit_between(seed, 0, account_count - 1)];
		bool user = unit_between(seed, 0, 2) > 0;
		char name[16];
		struct lxfw_assoc *items;
		int32_t at;
		int64_t usage = unit_between(seed, 0, 3) ? unit_between(seed, 0, 20) * 100 : 0;

		snprintf(name, sizeof(name), "%c%d", user ? 'u' : 'a', i);
		at = lxfw_assocs_add(&site.assocs, above,
				     user ? slice(site.assocs.items[above].account) :
				     slice(name), user ? slice(name) : slice(""), slice(""));
		assert_true(at > 0);
		items = site.assocs.items;
		items[at].shares = unit_between(seed, 0, 7) ?
			(uint32_t)unit_between(seed, 0, 5) : LXFW_SHARES_PARENT;
		if (!user)
			accounts[account_count++] = at;
		for (int32_t j = at; user && j >= 0; j = items[j].parent)
			items[j].usage += usage;
	}
}

/* A factor for each user, in 0 to 1; of siblings, the one with the higher level has no lower
   factor, and neither has any user below. */
static void check_order(const struct lxfw_fair *fair, double *low, double *high)
{
	const struct lxfw_assocs *assocs = fair->assocs;

	for (size_t i = assocs->count; i-- > 0;) {
		const struct lxfw_assoc *item = &assocs->items[i];

		if (*item->user) {
			assert_true(fair->usage[i].factor > 0 && fair->usage[i].factor <= 1);
			low[i] = high[i] = fair->usage[i].factor;
		} else {
			low[i] = 2;
			high[i] = 0;
			for (int32_t c = item->first_child; c >= 0;
			     c = assocs->items[c].next_child) {
				low[i] = low[c] < low[i] ? low[c] : low[i];
				high[i] = high[c] > high[i] ? high[c] : high[i];
			}
		}
	}
	for (size_t i = 1; i < assocs->count; i++) {
		for (size_t j = 1; j < assocs->count; j++) {
			if (assocs->items[i].share_parent == assocs->items[j].share_parent &&
			    fair->usage[i].level > fair->usage[j].level && low[i] <= 1 &&
			    high[j] > 0)
				assert_true(low[i] >= high[j]);
		}
	}
}

static void test_random_fair_tree(void **state)
{
	uint64_t seed = unit_seed("Fair Tree of random trees");
	double low[MANY + 1], high[MANY + 1];
	struct lxfw_fair fair;

	for (int round = 0; round < 400; round++) {
		end(state);
		begin(state);
		random_tree(&seed);
		lxfw_multifactor_site_finish(&site);
		assert_int_equal(lxfw_fair_begin(&fair, &site.assocs, &site.params), 0);
		lxfw_fair_tree_rank(&fair);
		check_order(&fair, low, high);
		lxfw_fair_clear(&fair);
	}
}

/* Effective usage by the page's formula, from the association upwards. */
static double effective(const struct lxfw_fair *fair, int32_t at)
{
	const struct lxfw_assoc *item = &fair->assocs->items[at];
	double root = (double)fair->usage[0].raw;
	double used = root > 0 ? (double)fair->usage[at].raw / root : 0, above;

	if (at == 0)
		return 1;
	if (item->share_parent == 0)
		return used;
	above = effective(fair, item->share_parent);
	if (item->shares == LXFW_SHARES_PARENT || item->level_shares == 0)
		return above;
	return used + (above - used) * item->shares / item->level_shares;
}

static void test_random_classic(void **state)
{
	uint64_t seed = unit_seed("classic fair share of random trees");
	struct lxfw_fair fair;

	for (int round = 0; round < 400; round++) {
		end(state);
		begin(state);
		random_tree(&seed);
		site.params.flags = LXFW_MULTIFACTOR_NO_FAIR_TREE;
		lxfw_multifactor_site_finish(&site);
		assert_int_equal(lxfw_fair_begin(&fair, &site.assocs, &site.params), 0);
		lxfw_fair_classic_period(&fair);
		for (int32_t i = 1; i < (int32_t)site.assocs.count; i++) {
			double factor;

			lxfw_fair_classic_know(&fair, i);
			assert_near((double)fair.usage[i].effective, effective(&fair, i),
				    1e-12);
			factor = lxfw_fair_factor(&fair, i);
			assert_true(factor >= 0 && factor <= 1);
		}
		lxfw_fair_clear(&fair);
	}
}

/* A day of random jobs: usage of accounts stays the sum of what is below them, and the same
   calls give the same priorities. */
static void random_day(uint64_t seed, struct lxfw_multifactor *model, uint32_t *digest)
{
	int64_t now = 0;
	uint64_t ids = 0;

	*digest = 0;
	while (now < 86400) {
		struct lxfw_multifactor_job job = {
			.id = ids + 1, .qos = -1, .partition_count = 1,
			.assoc = (int32_t)unit_between(&seed, 0,
						(int64_t)site.assocs.count - 1),
			.size = { .procs = 1, .nodes = 1, .limit_minutes = 60 },
			.tres = { [LXFW_TRES_CPU] = 1 },
		};
		uint64_t any = (uint64_t)unit_between(&seed, 1, (int64_t)ids + 1);

		now += unit_between(&seed, 0, 200);
		while (lxfw_multifactor_due(model) <= now)
			assert_int_equal(lxfw_multifactor_step(model,
					 lxfw_multifactor_due(model)), 0);
		switch (unit_between(&seed, 0, 5)) {
		case 0:
			ids++;
			assert_int_equal(lxfw_multifactor_submit(model, &job, now), 0);
			break;
		case 1:
			lxfw_multifactor_start(model, any, 0,
					       (uint32_t)unit_between(&seed, 1, 64), NULL, now);
			break;
		case 2:
			lxfw_multifactor_end(model, any, now);
			break;
		case 3:
			lxfw_multifactor_requeue(model, any, now);
			break;
		default:
			lxfw_multifactor_eligible(model, any, now);
		}
		*digest = *digest * 31 + lxfw_multifactor_priority(model, any, -1);
	}
}

static void check_sums(struct lxfw_multifactor *model)
{
	for (size_t i = 0; i < site.assocs.count; i++) {
		struct lxfw_multifactor_share share, below;
		long double sum = 0;
		bool account = !*site.assocs.items[i].user, any = false;

		lxfw_multifactor_share(model, (int32_t)i, &share);
		for (size_t j = 1; j < site.assocs.count && account; j++) {
			if (site.assocs.items[j].parent != (int32_t)i)
				continue;
			lxfw_multifactor_share(model, (int32_t)j, &below);
			sum += below.usage_raw;
			any = true;
		}
		/* jobs of accounts are no Slurm's, but the test has them */
		if (any)
			assert_true(share.usage_raw >= sum * (1 - 1e-12L));
	}
}

static void test_random_days(void **state)
{
	uint64_t seed = unit_seed("days of random jobs");

	for (int round = 0; round < 30; round++) {
		struct lxfw_multifactor *model, *again;
		uint32_t digest, digest_again;

		end(state);
		begin(state);
		random_tree(&seed);
		site.params.weight_fairshare = 100000;
		site.params.weight_age = 1000;
		site.params.flags = round % 3 == 0 ? 0 : round % 3 == 1 ?
			LXFW_MULTIFACTOR_NO_FAIR_TREE : LXFW_MULTIFACTOR_DEPTH_OBLIVIOUS;
		lxfw_multifactor_site_finish(&site);
		model = lxfw_multifactor_new(&site, &site.params, NULL, 0);
		again = lxfw_multifactor_new(&site, &site.params, NULL, 0);
		assert_true(model && again);
		random_day(seed, model, &digest);
		random_day(seed, again, &digest_again);
		assert_int_equal(digest, digest_again);
		check_sums(model);
		lxfw_multifactor_free(model);
		lxfw_multifactor_free(again);
		unit_random(&seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(test_random_fair_tree), EACH(test_random_classic),
		EACH(test_random_days),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
