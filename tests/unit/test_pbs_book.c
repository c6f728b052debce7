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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(eligible_time, make_site, clear_site),
		cmocka_unit_test_setup_teardown(selects_are_kept, make_site, clear_site),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
