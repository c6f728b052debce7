/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lxfw-pbsd makes of a site beyond hosts and chunks: pools, placement sets, soft
   limits, the order of jobs. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins/pbs/formula.h"
#include "plugins/pbs/psets.h"
#include "plugins/pbs/wlm.h"
#include "tests/unit/pbs_site.h"

/* --- pools ---------------------------------------------------------------------------- */

static void add_licensed(const char *id, char state, const char *resource, const char *amount,
			 const char *vnodes)
{
	lxfw_pbs_job_set(add_job(id, state, "1:ncpus=1", "free", vnodes), "Resource_List",
			 resource, amount);
}

static void pools(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;
	struct lxfw_share *shares = NULL;
	size_t size = 0;

	(void)state;
	lxfw_pbs_server_set(&site, "resources_available", "lic", "5");
	lxfw_pbs_server_set(&site, "resources_available", "lic", "many");
	lxfw_pbs_server_set(&site, "resources_available", "unheard", "5");
	lxfw_pbs_server_set(&site, "resources_available", "arch", "5");
	lxfw_pbs_queue_set(&site, &site.queue[0], "resources_available", "lic", "3");
	lxfw_pbs_queue_set(&site, &site.queue[0], "resources_available", "space", "2096200kb");
	add_licensed("1.s", 'R', "lic", "2", "(v0:ncpus=1)");
	add_licensed("2.s", 'S', "lic", "1", "(gone:ncpus=1)");	/* not known to the library */
	add_licensed("3.s", 'Q', "lic", "1", NULL);
	add_licensed("4.s", 'Q', "lic", "4", NULL);
	add_licensed("5.s", 'Q', "space", "1025kb", NULL);
	add_licensed("6.s", 'Q', "lic", "x", NULL);
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(site.pools.count, 3);
	assert_string_equal(site.pools.pool[0].name, "pool:lic");
	assert_string_equal(site.pools.pool[1].name, "pool:lic@workq");
	assert_int_equal(site.pools.pool[0].used, 3);
	assert_int_equal(lxfw_pbs_pool_total(&site, &site.pools.pool[0]), 4);
	assert_int_equal(lxfw_pbs_pool_total(&site, &site.pools.pool[1]), 2);
	/* 2047.07 MiB */
	assert_int_equal(lxfw_pbs_pool_total(&site, &site.pools.pool[2]), 2047);

	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[2], &request, &why), 1);
	assert_int_equal(request.pool_count, 2);
	assert_int_equal(request.pools[0].pool, 4);
	assert_int_equal(request.pools[1].pool, 5);
	assert_int_equal(request.pools[1].amount, 1);
	assert_true(request.no_quantum);
	/* The queue has 3, and all are in use. */
	assert_ptr_equal(lxfw_pbs_pools_lack(&site.pools, &site.job[2]), &site.pools.pool[1]);
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[3], &request, &why), 0);
	assert_string_equal(why.text, "it requests more than its queue has of lic");
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[4], &request, &why), 1);
	assert_int_equal(request.pools[0].pool, 6);
	assert_int_equal(request.pools[0].amount, 2);
	assert_null(lxfw_pbs_pools_lack(&site.pools, &site.job[4]));
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[5], &request, &why), 0);
	assert_non_null(lxfw_pbs_pools_lack(&site.pools, &site.job[5]));

	assert_int_equal(lxfw_pbs_shares(&site, site.job[0].vnodes, false, &shares, &size), 1);
	assert_int_equal(lxfw_pbs_pools_share(&site, &site.job[0], &shares, &size, 1), 3);
	assert_int_equal(shares[2].host, 5);
	assert_int_equal(shares[2].amount.extras[0], 2);
	free(shares);
	lxfw_pbs_pools_use(&site.pools, &site.job[4]);
	assert_int_equal(site.pools.pool[2].used, 2);
}

/* Processors of a queue; and more pools than a job can have. */
static void many_pools(void **state)
{
	struct lxfw_pbs_job *job;
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "other", "1", "16447"));
	for (int i = 0; i < 2; i++) {
		lxfw_pbs_server_set(&site, "resources_available", i ? "lic" : "ncpus", "9");
		lxfw_pbs_queue_set(&site, &site.queue[0], "resources_available",
				   i ? "lic" : "ncpus", "9");
	}
	lxfw_pbs_server_set(&site, "resources_available", "other", "1");
	job = add_job("1.s", 'Q', "1:ncpus=1", "free", NULL);
	lxfw_pbs_job_set(job, "Resource_List", "ncpus", "1");
	lxfw_pbs_job_set(job, "Resource_List", "lic", "1");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 1);
	assert_int_equal(request.pool_count, 4);
	request.id = 1;
	assert_true(lxfw_request_is_valid(&request));
	lxfw_pbs_job_set(&site.job[0], "Resource_List", "other", "1");
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 0);
	assert_non_null(strstr(why.text, "too many resources"));
}

/* --- resources of the first chunk ---------------------------------------------------------- */

struct uses {
	char vnode[4];
	int32_t amount[4];
	int count;
};

static bool note(void *context, const char *vnode, const struct lxfw_resources *amount)
{
	struct uses *uses = context;

	uses->vnode[uses->count] = vnode[1];
	uses->amount[uses->count++] = amount->extras[1];
	return true;
}

static void first_chunk(void **state)
{
	struct lxfw_pbs_job *job;
	struct lxfw_pbs_select select = { 0 };
	struct lxfw_share shares[4] = { { 0 } };
	struct lxfw_error why;
	struct uses uses = { .count = 0 };
	char *vnodes;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "tape", "1", "196671"));
	for (int i = 0; i < 4; i++)
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "resources_available", "tape", "2");
	job = add_job("1.s", 'Q', "3:ncpus=2:tape=2+1:ncpus=1:tape=1", "scatter", NULL);
	assert_int_equal(lxfw_pbs_select_read(&select, job->select, &site.kinds, &why), 0);
	assert_int_equal(select.count, 3);
	assert_int_equal(select.chunk[0].count, 1);
	assert_int_equal(select.chunk[0].need.extras[1], 2);
	assert_int_equal(select.chunk[1].count, 2);
	assert_int_equal(select.chunk[1].need.extras[1], 0);
	assert_int_equal(select.chunk[1].need.procs, 2);
	assert_int_equal(select.chunk[2].need.extras[1], 0);
	lxfw_pbs_select_clear(&select);
	assert_true(lxfw_pbs_site_end(&site));
	for (int32_t i = 0; i < 4; i++) {
		shares[i].host = i;
		shares[i].amount = site.host[i].total;
	}
	vnodes = lxfw_pbs_layout(&site, &site.job[0], shares, 4);
	assert_string_equal(vnodes, "(v0:ncpus=2:tape=2)+(v1:ncpus=2)+(v2:ncpus=2)+(v3:ncpus=1)");
	free(vnodes);
	/* All of the first chunk counts, and no other one. */
	assert_true(lxfw_pbs_vnodes_read("(v0:tape=1+v1:tape=1)+(v2:tape=1)+v3:tape=1",
					 &site.kinds, note, &uses));
	assert_int_equal(uses.count, 4);
	assert_true(uses.amount[0] == 1 && uses.amount[1] == 1);
	assert_true(uses.amount[2] == 0 && uses.amount[3] == 0);
}

/* --- placement sets --------------------------------------------------------------------- */

static int request_of(const char *select, const char *place, struct lxfw_request *request,
		      struct lxfw_error *why)
{
	struct lxfw_pbs_job *job = add_job("99.s", 'Q', select, place, NULL);
	int rc;

	rc = lxfw_pbs_request(&site, &sets, job, request, why);
	lxfw_pbs_job_clear(job);
	site.job_count--;
	return rc;
}

static void set_switch(int vnode, const char *value)
{
	lxfw_pbs_vnode_set(&site, &site.vnode[vnode], "resources_available", "switch", value);
}

/* The sets of a request as "01 23". */
static const char *sets_of(const struct lxfw_request *request)
{
	static char text[64];
	char *at = text;

	for (int32_t i = 0; i <= request->more_sets; i++) {
		const struct lxfw_pbs_set *set = &sets.set[request->host_sets[0] + i];

		for (int32_t j = 0; j < set->count; j++)
			*at++ = (char)('0' + set->hosts[j]);
		*at++ = ' ';
	}
	at[-1] = '\0';
	return text;
}

static void placement_sets(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "switch", "4", "131135"));
	set_switch(0, "a,b");
	set_switch(1, "b");
	set_switch(2, "b, c");
	assert_true(lxfw_pbs_site_end(&site));
	/* The smallest first. Host 3 has no value. */
	assert_int_equal(request_of("2:ncpus=1", "scatter:group=switch", &request, &why), 1);
	assert_string_equal(sets_of(&request), "3 0 2 012");
	assert_int_equal(request_of("2:ncpus=1", "scatter", &request, &why), 1);
	assert_string_equal(sets_of(&request), "0123");
	assert_int_equal(request.more_sets, 0);
	/* One host is in a set anyway. */
	assert_int_equal(request_of("2:ncpus=1", "pack:group=switch", &request, &why), 1);
	assert_string_equal(sets_of(&request), "0123");
	/* No set has four hosts. */
	assert_int_equal(request_of("4:ncpus=1", "scatter:group=switch", &request, &why), 1);
	assert_string_equal(sets_of(&request), "0123");
	site.sched.do_not_span_psets = true;
	assert_int_equal(request_of("4:ncpus=1", "scatter:group=switch", &request, &why), 0);
	assert_string_equal(why.text, "no placement set can hold its chunks");
	/* Those of the server, and of the queue. */
	lxfw_pbs_server_set(&site, "node_group_key", NULL, "switch");
	assert_int_equal(request_of("2:ncpus=1", "scatter", &request, &why), 1);
	assert_string_equal(sets_of(&request), "0123");
	lxfw_pbs_server_set(&site, "node_group_enable", NULL, "True");
	site.sched.only_explicit_psets = true;
	assert_true(lxfw_pbs_sets_update(&sets, &site));
	assert_int_equal(request_of("2:ncpus=1", "scatter", &request, &why), 1);
	assert_string_equal(sets_of(&request), "0 2 012");
	assert_int_equal(request_of("2:ncpus=1", "pack", &request, &why), 1);
	assert_string_equal(sets_of(&request), "0 2 012");
	lxfw_pbs_queue_set(&site, &site.queue[0], "node_group_key", NULL, "switch,arch");
	lxfw_pbs_vnode_set(&site, &site.vnode[3], "resources_available", "arch", "linux");
	assert_int_equal(request_of("1:ncpus=1", "free", &request, &why), 1);
	assert_string_equal(sets_of(&request), "3 0 2 012");
	assert_int_equal(request_of("3:ncpus=1", "scatter:group=mem", &request, &why), 0);
	assert_non_null(strstr(why.text, "no values"));
}

/* Hosts on which a job does not fit now do not let it span placement sets; hosts on which it never
   fits do. */
static void barred_sets(void **state)
{
	static const int32_t hosts[] = { 1, 3 };
	struct lxfw_request request;
	struct lxfw_error why;
	struct lxfw_pbs_job *job;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "switch", "4", "131135"));
	for (int i = 0; i < 4; i++)
		set_switch(i, i < 2 ? "a" : "b");
	job = add_job("99.s", 'Q', "2:ncpus=1", "scatter:group=switch", NULL);
	assert_true(lxfw_pbs_site_end(&site));
	job->barred = lxfw_pbs_bars_add(&site.bars, hosts, 1);
	job->barred_now = true;
	assert_int_equal(lxfw_pbs_request(&site, &sets, job, &request, &why), 1);
	assert_string_equal(sets_of(&request), "0 23");
	job->barred = lxfw_pbs_bars_add(&site.bars, hosts, 2);
	assert_int_equal(lxfw_pbs_request(&site, &sets, job, &request, &why), 0);
	assert_string_equal(why.text, "its chunks do not fit on vnodes of a placement set now");
	job->barred_now = false;
	assert_int_equal(lxfw_pbs_request(&site, &sets, job, &request, &why), 1);
	assert_string_equal(sets_of(&request), "02");
	/* No set would hold it without bars either. */
	job->barred_now = true;
	job->barred = lxfw_pbs_bars_add(&site.bars, hosts, 1);
	free(job->select);
	job->select = strdup("3:ncpus=1");
	assert_int_equal(lxfw_pbs_request(&site, &sets, job, &request, &why), 1);
	assert_string_equal(sets_of(&request), "023");
}

/* Sets follow the hosts, and keep their numbers unless values appear or vanish. */
static void changing_sets(void **state)
{
	struct lxfw_request request, later;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "switch", "3", "131135"));
	for (int i = 0; i < 4; i++)
		set_switch(i, i < 2 ? "a" : "b");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(request_of("2:ncpus=1", "scatter:group=switch", &request, &why), 1);
	assert_string_equal(sets_of(&request), "01 23");
	lxfw_pbs_queue_set(&site, &site.queue[0], "hasnodes", NULL, "True");
	for (int i = 1; i < 4; i++)
		lxfw_pbs_vnode_set(&site, &site.vnode[i], "queue", NULL, "workq");
	assert_true(lxfw_pbs_sets_update(&sets, &site));
	assert_int_equal(request_of("2:ncpus=1", "scatter:group=switch", &later, &why), 1);
	assert_string_equal(sets_of(&later), "1 23");
	assert_int_equal(later.host_sets[0], request.host_sets[0]);
	site.vnode[1].property[0].value[0] = 'c';
	assert_true(lxfw_pbs_sets_update(&sets, &site));
	assert_int_equal(request_of("2:ncpus=1", "scatter:group=switch", &later, &why), 1);
	assert_string_equal(sets_of(&later), "1 23");
	assert_int_not_equal(later.host_sets[0], request.host_sets[0]);
	/* No job uses the old ones. */
	assert_int_equal(sets.set[request.host_sets[0]].count, 0);
	lxfw_pbs_queue_set(&site, &site.queue[0], "hasnodes", NULL, "False");
	site.queue[0].name[0] = 'x';	/* the queue is gone */
	assert_true(lxfw_pbs_sets_update(&sets, &site));
	assert_int_equal(sets.set[later.host_sets[0]].count, 0);
}

/* All chunks on one host, any. */
static void group_of_a_host(void **state)
{
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(request_of("2:ncpus=2", "free:group=host", &request, &why), 1);
	assert_int_equal(request.max_hosts, 1);
	assert_int_equal(request_of("2:ncpus=3", "free:group=host", &request, &why), 1);
	assert_int_equal(request.max_hosts, 0);
	site.sched.do_not_span_psets = true;
	assert_int_equal(request_of("2:ncpus=3", "free:group=host", &request, &why), 0);
	assert_int_equal(request_of("2:ncpus=1", "scatter:group=host", &request, &why), 0);
	assert_string_equal(why.text, "no host can hold its chunks");
}

/* --- soft limits ------------------------------------------------------------------------ */

static void over(size_t index, unsigned expected)
{
	lxfw_pbs_sums_clear(&site.sums);
	assert_int_equal(lxfw_pbs_over_soft(&site, &site.job[index]), expected);
}

static void soft_limits(void **state)
{
	struct lxfw_pbs_queue *queue = &site.queue[0];

	(void)state;
	(void)add_job_of("1.s", 'R', "anna b", "p1");
	(void)add_job_of("2.s", 'S', "anna b", "p2");
	(void)add_job_of("3.s", 'Q', "anna b", "p1");
	(void)add_job_of("4.s", 'Q', "bert", "p2");
	assert_true(lxfw_pbs_site_end(&site));
	over(2, 0);
	/* More than the limit must be in use. */
	lxfw_pbs_server_set(&site, "max_run_soft", NULL, "[u:PBS_GENERIC=2]");
	over(2, 0);
	lxfw_pbs_server_set(&site, "max_run_soft", NULL, "[u:PBS_GENERIC=1]");
	over(2, LXFW_PBS_OVER_SERVER);
	over(3, 0);
	assert_null(lxfw_pbs_limited(&site, &site.job[2]));
	lxfw_pbs_queue_set(&site, queue, "max_run_res_soft", "ncpus", "[p:p2=0]");
	over(2, LXFW_PBS_OVER_SERVER);
	over(3, LXFW_PBS_OVER_QUEUE);
	lxfw_pbs_queue_set(&site, queue, "max_user_res_soft", "ncpus", "1");
	over(2, LXFW_PBS_OVER_SERVER | LXFW_PBS_OVER_QUEUE);
	/* A limit of one's own replaces the generic one, and quotes are not of the name. */
	lxfw_pbs_limits_clear(&site.limits);
	lxfw_pbs_limits_clear(&queue->limits);
	lxfw_pbs_server_set(&site, "max_run_soft", NULL, "[u:PBS_GENERIC=1],[u:\"anna b\"=5]");
	over(2, 0);
	lxfw_pbs_server_set(&site, "max_run", NULL, "[u:\"anna b\"=2]");
	over(2, 0);
	assert_non_null(lxfw_pbs_limited(&site, &site.job[2]));
	lxfw_pbs_limits_clear(&site.limits);
	lxfw_pbs_server_set(&site, "max_run_soft", NULL, "[o:PBS_ALL=1]");
	over(3, LXFW_PBS_OVER_SERVER);
	lxfw_pbs_limits_clear(&site.limits);
	lxfw_pbs_server_set(&site, "max_run", NULL, "[p:PBS_GENERIC=1]");
	assert_non_null(lxfw_pbs_limited(&site, &site.job[3]));
}

static void levels(void **state)
{
	struct lxfw_pbs_sched *sched = &site.sched;

	(void)state;
	lxfw_pbs_sched_begin(sched);
	assert_int_equal(lxfw_pbs_level(sched, 0), 0);
	assert_int_equal(lxfw_pbs_level(sched, LXFW_PBS_EXPRESS), 1);
	assert_int_equal(lxfw_pbs_level(sched, LXFW_PBS_OVER_SERVER), 0);
	lxfw_pbs_sched_set(sched, "preempt_prio",
			   "\"express_queue, normal_jobs, fairshare, queue_softlimits + "
			   "server_softlimits,server_softlimits\"");
	assert_int_equal(sched->level_count, 5);
	assert_int_equal(lxfw_pbs_level(sched, LXFW_PBS_OVER_SERVER), -3);
	assert_int_equal(lxfw_pbs_level(sched, LXFW_PBS_OVER_QUEUE), 0);
	assert_int_equal(lxfw_pbs_level(sched, LXFW_PBS_OVER_SERVER | LXFW_PBS_OVER_QUEUE), -2);
	assert_int_equal(lxfw_pbs_level(sched, LXFW_PBS_EXPRESS | LXFW_PBS_OVER_SERVER), 1);
	lxfw_pbs_sched_set(sched, "preempt_prio", "unheard, ,,+,normal_jobs");
	assert_int_equal(sched->level_count, 1);
	/* What follows a name without a comma is ignored. */
	lxfw_pbs_sched_set(sched, "preempt_prio", "normal_jobs fairshare, express_queue");
	assert_int_equal(sched->level_count, 2);
	lxfw_pbs_sched_set(sched, "preempt_queue_prio", "-5");
	assert_int_equal(sched->express, -5);
}

static void tiers(void **state)
{
	(void)state;
	lxfw_pbs_sched_begin(&site.sched);
	lxfw_pbs_sched_set(&site.sched, "preempt_prio",
			   "express_queue, normal_jobs, server_softlimits");
	(void)add_job_of("1.s", 'R', "anna", "p1");
	(void)add_job_of("2.s", 'Q', "anna", "p1");
	(void)add_job_of("3.s", 'Q', "bert", "p1");
	lxfw_pbs_server_set(&site, "max_run_soft", NULL, "[u:PBS_GENERIC=0]");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[1], 0), -2049);
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[2], 0), 0);
	lxfw_pbs_queue_set(&site, &site.queue[0], "Priority", NULL, "-7");
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[2], 0), -7);
	lxfw_pbs_queue_set(&site, &site.queue[0], "Priority", NULL, "150");
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[1], 0), 2049 + 150);
}

/* With preemption there is room between two levels for express queues of all priorities, and the
   last tier of a level is free. */
static void tiers_that_preempt(void **state)
{
	(void)state;
	lxfw_pbs_sched_begin(&site.sched);
	lxfw_pbs_sched_set(&site.sched, "preempt_prio",
			   "express_queue, normal_jobs, server_softlimits");
	(void)add_job_of("1.s", 'R', "anna", "p1");
	(void)add_job_of("2.s", 'Q', "anna", "p1");
	lxfw_pbs_server_set(&site, "max_run_soft", NULL, "[u:PBS_GENERIC=0]");
	assert_true(lxfw_pbs_site_end(&site));
	site.preempts = true;
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[1], 0), -2048 * 2049);
	lxfw_pbs_queue_set(&site, &site.queue[0], "Priority", NULL, "150");
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[1], 0), 2048 * 2049 + 150);
	lxfw_pbs_queue_set(&site, &site.queue[0], "Priority", NULL, "152");
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[1], 0), 2050 * 2049 + 152);
	lxfw_pbs_sched_set(&site.sched, "preempt_queue_prio", "-1024");
	lxfw_pbs_queue_set(&site, &site.queue[0], "Priority", NULL, "1023");
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[1], 0), 4095 * 2049 + 1023);
	lxfw_pbs_queue_set(&site, &site.queue[0], "Priority", NULL, "5000");
	assert_int_equal(lxfw_pbs_tier(&site, &site.job[1], 0), 4095 * 2049 + 1023);
	site.preempts = false;
}

static struct lxfw_pbs_queue *add_queue_of(const char *name, const char *type,
					   const char *priority)
{
	struct lxfw_pbs_queue *queue = lxfw_pbs_site_queue(&site, name);

	lxfw_pbs_queue_set(&site, queue, "queue_type", NULL, type);
	lxfw_pbs_queue_set(&site, queue, "Priority", NULL, priority);
	return queue;
}

/* The tier of a job of the queue. */
static int tier_in(const char *queue)
{
	lxfw_pbs_job_set(&site.job[0], "queue", NULL, queue);
	return lxfw_pbs_tier(&site, &site.job[0], 0);
}

/* Queues in turn: with the same priority in the order of the server. */
static void queues_in_turn(void **state)
{
	struct lxfw_pbs_resv *resv;

	(void)state;
	lxfw_pbs_sched_begin(&site.sched);
	(void)add_queue_of("b", "Execution", "0");
	(void)add_queue_of("route", "Route", "0");
	(void)add_queue_of("high", "Execution", "20");
	(void)add_queue_of("express", "Execution", "150");
	(void)add_queue_of("R1", "Execution", "0");
	(void)add_queue_of("a", "Execution", "0");
	resv = lxfw_pbs_site_resv(&site, "R1.s");
	lxfw_pbs_resv_set(resv, "queue", NULL, "R1");
	(void)add_job("1.s", 'Q', "1:ncpus=1", "free", NULL);
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(tier_in("high"), 20);
	assert_int_equal(tier_in("workq"), tier_in("a"));
	site.queue_order = LXFW_PBS_QUEUES_IN_TURN;
	assert_int_equal(tier_in("express"), 2049 - 1024 + 4);
	assert_int_equal(tier_in("high"), -1024 + 3);
	assert_int_equal(tier_in("workq"), -1024 + 2);
	assert_int_equal(tier_in("b"), -1024 + 1);
	assert_int_equal(tier_in("a"), -1024);
	site.queue_order = LXFW_PBS_QUEUES_TOGETHER;
	assert_int_equal(tier_in("express"), 2049);
	assert_int_equal(tier_in("high"), 0);
	assert_int_equal(tier_in("a"), 0);
	site.queue_order = LXFW_PBS_QUEUES_BY_PRIORITY;
}

/* --- the formula -------------------------------------------------------------------------- */

static struct lxfw_pbs_formula formula;

static double value_of(const char *text, size_t index)
{
	struct lxfw_error why;
	bool changed;

	lxfw_pbs_sched_set(&site.sched, "job_sort_formula", text);
	if (!lxfw_pbs_formula_use(&formula, site.sched.formula, &site.kinds, &changed,
					 &why))
		fail_msg("%s: %s", text, why.text);
	return lxfw_pbs_formula_value(&formula, &site, &site.job[index], NULL);
}

static void formulas(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "eligible_time", 90 }, { "accrue_type", 2 }, { "walltime/3600", 1 },
		{ "ncpus*2 if mem > 2*1024*1024 else -1", 12 }, { "mem", 3145728 },
		{ "job_priority + queue_priority", -26 }, { "sqrt(lic) + part", 2.5 },
		{ "ceil(part)", 1 }, { "nodect", 0 }, { "1/ngpus", 0 }, { "cput", 3723 },
		{ "fairshare_perc + fairshare_factor", 0 }, { "pow(2, 0.5) * 2", 2.8284271 },
	};
	struct lxfw_pbs_job *job = add_job("1.s", 'Q', "1:ncpus=6", "free", NULL);
	struct lxfw_error why;
	bool changed;

	(void)state;
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "part", "14", "16447"));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "cput", "1", "16447"));
	lxfw_pbs_job_set(job, "Resource_List", "ncpus", "6");
	lxfw_pbs_job_set(job, "Resource_List", "mem", "3gb");
	lxfw_pbs_job_set(job, "Resource_List", "lic", "4");
	lxfw_pbs_job_set(job, "Resource_List", "part", "0.5");
	lxfw_pbs_job_set(job, "Resource_List", "cput", "01:02:03");
	lxfw_pbs_job_set(job, "Priority", NULL, "-33");
	lxfw_pbs_job_set(job, "eligible_time", NULL, "00:01:30");
	lxfw_pbs_job_set(job, "accrue_type", NULL, "2");
	lxfw_pbs_queue_set(&site, &site.queue[0], "Priority", NULL, "7");
	assert_true(lxfw_pbs_site_end(&site));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_float_equal(value_of(cases[i].text, 0), cases[i].value, 1e-6);
	/* It is read once. */
	assert_true(lxfw_pbs_formula_use(&formula, site.sched.formula, &site.kinds, &changed,
					 &why));
	assert_false(changed);
	lxfw_pbs_sched_set(&site.sched, "job_sort_formula", "ncpus +");
	assert_false(lxfw_pbs_formula_use(&formula, site.sched.formula, &site.kinds, &changed,
					 &why));
	assert_null(formula.formula);
	assert_true(lxfw_pbs_formula_use(&formula, site.sched.formula, &site.kinds, &changed,
					 &why));
	assert_false(changed);
	/* A resource that is defined later. */
	lxfw_pbs_sched_set(&site.sched, "job_sort_formula", "later + 1");
	assert_false(lxfw_pbs_formula_use(&formula, site.sched.formula, &site.kinds, &changed,
					 &why));
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "later", "1", "16447"));
	assert_float_equal(value_of("later + 1", 0), 1, 0);
	lxfw_pbs_sched_set(&site.sched, "job_sort_formula", "");
	assert_true(lxfw_pbs_formula_use(&formula, site.sched.formula, &site.kinds, &changed,
					 &why));
	assert_true(changed);
	assert_null(formula.formula);
	lxfw_pbs_formula_clear(&formula);
	assert_int_equal(lxfw_pbs_formula_priority(-1.0005), -1001);
	assert_true(lxfw_pbs_formula_priority(1e300) > 0);
	assert_true(lxfw_pbs_formula_priority(-1e300) < 0);
	lxfw_pbs_sched_set(&site.sched, "job_sort_formula_threshold", "0.5");
	assert_float_equal(site.sched.threshold, 0.5, 0);
	lxfw_pbs_sched_set(&site.sched, "job_sort_formula_threshold", "x");
	assert_float_equal(site.sched.threshold, 0.5, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pools, make_site, clear_site),
		cmocka_unit_test_setup_teardown(many_pools, make_site, clear_site),
		cmocka_unit_test_setup_teardown(first_chunk, make_site, clear_site),
		cmocka_unit_test_setup_teardown(placement_sets, make_site, clear_site),
		cmocka_unit_test_setup_teardown(barred_sets, make_site, clear_site),
		cmocka_unit_test_setup_teardown(changing_sets, make_site, clear_site),
		cmocka_unit_test_setup_teardown(group_of_a_host, make_site, clear_site),
		cmocka_unit_test_setup_teardown(soft_limits, make_site, clear_site),
		cmocka_unit_test_setup_teardown(levels, make_site, clear_site),
		cmocka_unit_test_setup_teardown(tiers, make_site, clear_site),
		cmocka_unit_test_setup_teardown(tiers_that_preempt, make_site, clear_site),
		cmocka_unit_test_setup_teardown(queues_in_turn, make_site, clear_site),
		cmocka_unit_test_setup_teardown(formulas, make_site, clear_site),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
