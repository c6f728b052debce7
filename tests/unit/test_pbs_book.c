/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs as the server last reported them. */
#include "tests/unit/unit.h"

#include <string.h>

#include "tests/unit/pbs_site.h"

/* A job that was read earlier has waited since, if its wait counts. */
static void eligible_time(void **state)
{
	static const char *const types[] = { "1", "2" };
	struct lxfw_pbs_entry *entry;

	(void)state;
	(void)lxfw_pbs_book_begin(&site.book);
	for (int i = 0; i < 2; i++) {
		entry = lxfw_pbs_book_put(&site.book, i ? "2.s" : "1.s");
		assert_non_null(entry);
		assert_true(lxfw_pbs_book_set(&site.book, entry, "eligible_time", NULL,
					      "00:01:00"));
		assert_true(lxfw_pbs_book_set(&site.book, entry, "accrue_type", NULL, types[i]));
		entry->read_us -= 45 * UINT64_C(1000000);
	}
	lxfw_pbs_book_show(&site.book, &site);
	assert_int_equal(site.job_count, 2);
	assert_int_equal(site.job[0].eligible_time, 60);
	assert_in_range(site.job[1].eligible_time, 105, 1000);
}

static struct lxfw_pbs_select *put_select(const char *select)
{
	struct lxfw_pbs_entry *entry = lxfw_pbs_book_put(&site.book, "1.s");

	assert_non_null(entry);
	assert_true(lxfw_pbs_book_set(&site.book, entry, "job_state", NULL, "Q"));
	assert_true(lxfw_pbs_book_set(&site.book, entry, "queue", NULL, "workq"));
	assert_true(lxfw_pbs_book_set(&site.book, entry, "schedselect", NULL, select));
	return &entry->parsed.select;
}

static void forget_jobs(void)
{
	for (size_t i = 0; i < site.job_count; i++)
		lxfw_pbs_job_clear(&site.job[i]);
	site.job_count = 0;
}

/* The select of a job is read once until the job changes, or the resources of the site do. */
static void selects_are_kept(void **state)
{
	const struct lxfw_pbs_select *select;
	const struct lxfw_pbs_chunk *chunk;
	struct lxfw_request request;
	struct lxfw_error why;

	(void)state;
	assert_true(lxfw_pbs_site_end(&site));
	(void)lxfw_pbs_book_begin(&site.book);
	select = put_select("2:ncpus=3");
	for (int i = 0; i < 3; i++) {
		lxfw_pbs_book_show(&site.book, &site);
		assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 1);
		assert_int_equal(request.unit.procs, 3);
		if (i > 0)
			assert_ptr_equal(select->chunk, chunk);
		chunk = select->chunk;
		assert_non_null(chunk);
		forget_jobs();
	}
	(void)put_select("2:ncpus=2");
	lxfw_pbs_book_show(&site.book, &site);
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 1);
	assert_int_equal(request.unit.procs, 2);
	forget_jobs();
	/* One that cannot be represented, until a resource is defined. */
	(void)put_select("2:ncpus=2:tape=1");
	for (int i = 0; i < 2; i++) {
		lxfw_pbs_book_show(&site.book, &site);
		lxfw_error_set(&why, "");
		assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 0);
		assert_string_equal(why.text, "it requests a resource that is not modelled: tape");
		forget_jobs();
	}
	assert_true(lxfw_pbs_kinds_add(&site.kinds, "tape", "1", "163903"));
	lxfw_pbs_book_forget_selects(&site.book);
	lxfw_pbs_book_show(&site.book, &site);
	assert_int_equal(lxfw_pbs_request(&site, &sets, &site.job[0], &request, &why), 0);
	assert_non_null(strstr(why.text, "the hosts of its queue cannot hold its chunks"));
	forget_jobs();
}

/* A task of an array is as the array, but for its number. */
static void tasks_are_as_their_array(void **state)
{
	struct lxfw_pbs_job *array = add_job("7[].s", 'Q', "1:ncpus=1", "scatter", NULL);
	const struct lxfw_pbs_job *task;

	(void)state;
	lxfw_pbs_job_set(array, "array", NULL, "True");
	lxfw_pbs_job_set(array, "array_indices_remaining", NULL, "3-4");
	lxfw_pbs_job_set(array, "Job_Owner", NULL, "anna@host");
	lxfw_pbs_job_set(array, "euser", NULL, "anna");
	lxfw_pbs_job_set(array, "egroup", NULL, "staff");
	lxfw_pbs_job_set(array, "project", NULL, "blue");
	lxfw_pbs_job_set(array, "Account_Name", NULL, "green");
	lxfw_pbs_job_set(array, "Resource_List", "lic", "2");
	lxfw_pbs_job_set(array, "Resource_List", "walltime", "00:10:00");
	lxfw_pbs_job_set(array, "Resource_List", "min_walltime", "00:05:00");
	lxfw_pbs_job_set(array, "Resource_List", "max_walltime", "00:20:00");
	lxfw_pbs_job_set(array, "etime", NULL, "1001");
	lxfw_pbs_job_set(array, "qtime", NULL, "1002");
	lxfw_pbs_job_set(array, "queue_rank", NULL, "1003");
	lxfw_pbs_job_set(array, "Priority", NULL, "17");
	lxfw_pbs_job_set(array, "eligible_time", NULL, "00:00:30");
	lxfw_pbs_job_set(array, "accrue_type", NULL, "2");
	lxfw_pbs_job_set(array, "Rerunable", NULL, "True");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(site.job_count, 3);
	array = &site.job[0];
	for (int i = 1; i < 3; i++) {
		task = &site.job[i];
		assert_int_equal(task->task, 2 + i);
		assert_true(task->expanded && task->of == 0 && task->state == 'Q');
		assert_string_equal(task->queue, "workq");
		assert_string_equal(task->select, array->select);
		assert_string_equal(task->place, "scatter");
		assert_string_equal(task->owner, array->owner);
		assert_string_equal(task->user, "anna");
		assert_string_equal(task->group, "staff");
		assert_string_equal(task->project, "blue");
		assert_string_equal(task->account, "green");
		assert_int_equal(task->wide_count, array->wide_count);
		assert_string_equal(task->wide[0].value, array->wide[0].value);
		assert_true(task->walltime == array->walltime && task->walltime == 600);
		assert_true(task->walltime_min == 300 && task->walltime_max == 1200);
		assert_true(task->eligible == 1001 && task->queued == 1002 && task->rank == 1003);
		assert_true(task->priority == 17 && task->eligible_time == 30 &&
			    task->accrue_type == 2 && task->rerunable);
	}
}

/* What the server no longer has is forgotten when it is read again. */
static void site_is_read_again(void **state)
{
	(void)state;
	lxfw_pbs_server_set(&site, "node_group_enable", NULL, "True");
	lxfw_pbs_server_set(&site, "node_group_key", NULL, "switch");
	lxfw_pbs_server_set(&site, "job_sort_formula", NULL, "ncpus");
	lxfw_pbs_server_set(&site, "has_runjob_hook", NULL, "True");
	lxfw_pbs_server_set(&site, "restrict_res_to_release_on_suspend", NULL, "mem");
	lxfw_pbs_server_set(&site, "max_run", NULL, "[o:PBS_ALL=1]");
	lxfw_pbs_server_set(&site, "resources_available", "lic", "3");
	(void)add_job("1.s", 'R', "1:ncpus=1", "free", "(v0:ncpus=1)");
	assert_true(lxfw_pbs_site_end(&site));
	assert_true(site.node_group_enable && site.node_group_key && site.formula &&
		    site.has_runjob_hook && site.keeps_procs && site.limits.count == 1 &&
		    site.pools.count == 1);
	lxfw_pbs_site_begin(&site);
	assert_true(lxfw_pbs_site_end(&site));
	assert_false(site.node_group_enable || site.node_group_key || site.formula ||
		     site.has_runjob_hook || site.keeps_procs || site.limits.count ||
		     site.pools.count || site.job_count || site.vnode_count || site.queue_count);
}

/* A vnode that is not known counts as one that is shared by default. */
static void exclusion_on_an_unknown_vnode(void **state)
{
	struct lxfw_pbs_job *job = add_job("1.s", 'R', "2:ncpus=1", "excl", "(gone:ncpus=1)");

	(void)state;
	lxfw_pbs_vnode_set(&site, &site.vnode[0], "sharing", NULL, "ignore_excl");
	assert_true(lxfw_pbs_site_end(&site));
	assert_int_equal(lxfw_pbs_exclusion(&site, job), LXFW_PBS_VNODES);
	lxfw_pbs_job_set(job, "exec_vnode", NULL, "(v0:ncpus=1)+(gone:ncpus=1)");
	assert_int_equal(lxfw_pbs_exclusion(&site, job), LXFW_PBS_VNODES);
	lxfw_pbs_job_set(job, "exec_vnode", NULL, "(v0:ncpus=1)");
	assert_int_equal(lxfw_pbs_exclusion(&site, job), LXFW_PBS_SHARED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(eligible_time, make_site, clear_site),
		cmocka_unit_test_setup_teardown(selects_are_kept, make_site, clear_site),
		cmocka_unit_test_setup_teardown(tasks_are_as_their_array, make_site, clear_site),
		cmocka_unit_test_setup_teardown(site_is_read_again, make_site, clear_site),
		cmocka_unit_test_setup_teardown(exclusion_on_an_unknown_vnode, make_site,
						clear_site),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
