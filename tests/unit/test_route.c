/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The choice of a cluster, and the texts of `lxfw route`, which may be anything. */
#include "sim-frontend/util/program.h"
#include "sim-frontend/route/credential.h"
#include "sim-frontend/route/ask.h"
#include "sim-frontend/route/choice.h"
#include "sim-frontend/route/conf.h"
#include "sim-frontend/route/folder.h"
#include "sim-frontend/route/jobs.h"
#include "sim-frontend/route/record.h"
#include "sim-frontend/route/state.h"
#include "sim-frontend/route/wire.h"

#include <string.h>
#include <sys/stat.h>

#include "tests/unit/file.h"
#include "tests/unit/unit.h"

/* --- choice --------------------------------------------------------------------------- */

static int best(const char *rule, const struct lxfw_route_offer *offers, int count)
{
	return lxfw_route_best(lxfw_route_rule_find(rule), offers, count);
}

/* Three clusters: one starts the job soon but is slow, one later but is fast, and one that is
   full has little work that waits. */
static void chooses_by_each_rule(void **state)
{
	const struct lxfw_route_offer offers[] = {
		{ .usable = true, .wait = 100, .run = 1000, .free = 0, .procs = 10, .work = 50000 },
		{ .usable = true, .wait = 300, .run = 500, .free = 2, .procs = 10, .work = 9000 },
		{ .usable = true, .wait = 900, .run = 900, .free = 1, .procs = 10, .work = 8000 },
	};
	const struct lxfw_route_offer now[] = {
		{ .usable = true, .wait = 0, .run = 10, .free = 8, .procs = 10 },
		{ .usable = true, .wait = 5, .run = 1, .free = 1, .procs = 10 },
		{ .usable = true, .wait = 0, .run = 10, .free = 4, .procs = 10 },
	};

	(void)state;
	assert_int_equal(best("earliest", offers, 3), 0);
	assert_int_equal(best("earliest_end", offers, 3), 1);
	assert_int_equal(best("least_work", offers, 3), 2);
	assert_int_equal(best("best_fit", offers, 3), 2);
	assert_int_equal(best("best_fit", now, 3), 2);
	assert_int_equal(best("most_free", now, 3), 0);
	assert_int_equal(best("earliest_end", now, 3), 1);
	assert_null(lxfw_route_rule_find("earliest "));
}

static void ties_and_none(void **state)
{
	struct lxfw_route_offer offers[] = {
		{ .usable = false, .wait = 0 },
		{ .usable = true, .wait = 60, .run = 10, .procs = 4, .work = 100 },
		{ .usable = true, .wait = 60, .run = 10, .procs = 4, .work = 100 },
		{ .usable = true, .wait = 60, .run = 10, .procs = 8, .work = 100 },
	};

	(void)state;
	/* The least work per processor decides, and then the order of the file. */
	assert_int_equal(best("earliest", offers, 4), 3);
	assert_int_equal(best("earliest", offers, 3), 1);
	/* A cluster of which no processors are known is the last one. */
	offers[1].procs = offers[1].work = 0;
	assert_int_equal(best("least_work", offers, 3), 2);
	offers[1].usable = offers[2].usable = offers[3].usable = false;
	for (int i = 0; lxfw_route_rule_name(i); i++)
		assert_int_equal(best(lxfw_route_rule_name(i), offers, 4), -1);
}

/* No rule prefers a cluster that is worse in every respect. */
static void never_the_worst(void **state)
{
	uint64_t random = unit_seed("choice");

	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct lxfw_route_offer offers[2];
		int which = (int)unit_between(&random, 0, 1);
		struct lxfw_route_offer *good = &offers[which], *bad = &offers[!which];

		*good = (struct lxfw_route_offer) {
			.usable = true, .wait = unit_between(&random, 0, 5),
			.run = unit_between(&random, 1, 5), .free = 2, .procs = 4,
			.work = unit_between(&random, 0, 5) * 4,
		};
		*bad = *good;
		bad->wait += unit_between(&random, 1, 9);
		bad->run += unit_between(&random, 1, 9);
		bad->work += 4 * unit_between(&random, 1, 9);
		for (int rule = 0; lxfw_route_rule_name(rule); rule++)
			assert_int_equal(best(lxfw_route_rule_name(rule), offers, 2), which);
		assert_true(lxfw_route_gain(bad, good) > 0);
		assert_true(lxfw_route_gain(good, bad) < 0);
	}
}

/* --- the file of clusters ------------------------------------------------------------- */

static void reads_clusters(void **state)
{
	struct lxfw_route_conf conf;
	struct lxfw_error error;
	const char *path = unit_file("conf", "cluster=alpha at=ctl-a:7321	# first\n\n"
				     "cluster=be-ta.2 speed=1.25 at=/run/beta\n"
				"rule=earliest queue=no answer=2\nmargin=60 moves=5\n"
				"server=17 munge=/run/m network=trusted\n");

	(void)state;
	assert_int_equal(lxfw_route_conf_read(&conf, path, &error), 0);
	assert_int_equal(conf.count, 2);
	assert_string_equal(conf.list[0].name, "alpha");
	assert_string_equal(conf.list[0].at, "ctl-a:7321");
	assert_int_equal(conf.list[0].speed, 1000);
	assert_int_equal(conf.list[1].speed, 1250);
	assert_string_equal(conf.rule->name, "earliest");
	assert_false(conf.queue);
	assert_int_equal(conf.answer, 2);
	assert_int_equal(conf.margin, 60);
	assert_int_equal(conf.moves, 5);
	assert_int_equal(conf.settle, 15);
	assert_string_equal(conf.server, "17");
	assert_string_equal(conf.munge, "/run/m");
	assert_true(conf.trusted);
	assert_int_equal(lxfw_route_conf_find(&conf, "be-ta.2"), 1);
	assert_int_equal(lxfw_route_conf_find(&conf, "beta"), -1);
	lxfw_route_conf_clear(&conf);
}

static void refuses_other_files(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "", "no clusters" },
		{ "cluster=a at=x:1\ncluster=a at=y:1\n", ":2: 'cluster=a', expected a cluster that" },
		{ "cluster=a\n", ":1: 'cluster=a', expected cluster=NAME at=HOST:PORT" },
		{ "cluster=$(id) at=x:1\n", ":1: 'cluster=$(id)', expected cluster=NAME with" },
		{ "cluster=-M at=x:1\n", "expected cluster=NAME with" },
		{ "cluster=a at=x:0\n", "expected at=HOST:PORT" },
		{ "cluster=a at=:7\n", "expected at=HOST:PORT" },
		{ "cluster=a at=x:1 at=y:1\n", "expected at=HOST:PORT once" },
		{ "cluster=a at=x:1 speed=0\n", "speed=FACTOR" },
		{ "cluster=a at=x:1 speed=1.0000\n", "speed=FACTOR" },
		{ "cluster=a at=x:1\nrule=best\n", ":2: 'rule=best', expected rule=" },
		{ "cluster=a at=x:1\nmoves=-1\n", ":2: 'moves=-1', expected moves=NUMBER, 0 to 100" },
		{ "cluster=a at=x:1\nmove=1\n", ":2: 'move=1', expected cluster=" },
		{ "cluster=a at=x:1\nrecords=here\n", "records=/FOLDER" },
		{ "cluster=a at=x:1\nserver=\n", "expected server=USER" },
		{ "cluster=a at=x:1\nmunge=here\n", "expected munge=/SOCKET" },
		{ "cluster=a at=x:1\nnetwork=open\n", "network=munge|trusted" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lxfw_route_conf conf;
		struct lxfw_error error = { "" };
		const char *path = unit_file("conf", cases[i].text);

		assert_int_equal(lxfw_route_conf_read(&conf, path, &error), -1);
		if (!strstr(error.text, cases[i].said))
			fail_msg("'%s': %s", cases[i].text, error.text);
		lxfw_route_conf_clear(&conf);
	}
}

/* A path of 107 bytes is that of a socket, one of 108 is too long. */
static void bounds_paths(void **state)
{
	struct lxfw_route_conf conf;
	struct lxfw_error error;
	char line[200];

	(void)state;
	for (int length = 107; length <= 108; length++) {
		snprintf(line, sizeof(line), "cluster=a at=/%0*d\n", length - 1, 0);
		assert_int_equal(lxfw_route_conf_read(&conf, unit_file("conf", line), &error),
				 length == 107 ? 0 : -1);
		lxfw_route_conf_clear(&conf);
	}
}

/* --- what can be used of an answer ------------------------------------------------------ */

static struct lxfw_route_offer offer_of(const struct lxfw_route_conf *conf, int64_t run,
					const struct lxfw_route_answer *answer)
{
	struct lxfw_route_said said = { .answered = true, .answer = *answer };
	struct lxfw_route_offer offer;

	lxfw_route_offer_of(conf, 0, run, &said, &offer);
	assert_true(offer.usable == !*said.problem);
	return offer;
}

/* Not older than the file says; the limit at the speed of the cluster is rounded up. */
static void uses_answers(void **state)
{
	struct lxfw_route_answer answer = {
		.can = true, .wait = 5, .procs = 8, .limit = 101, .ping = 30, .pass = 150,
	};
	struct lxfw_route_conf conf;
	struct lxfw_error error;
	const char *path = unit_file("conf", "cluster=a at=x:1 speed=2\n");

	(void)state;
	assert_int_equal(lxfw_route_conf_read(&conf, path, &error), 0);
	assert_true(offer_of(&conf, -1, &answer).usable);
	assert_int_equal(offer_of(&conf, -1, &answer).run, 51);
	assert_int_equal(offer_of(&conf, 7, &answer).run, 7);
	answer.ping = 31;
	assert_false(offer_of(&conf, -1, &answer).usable);
	answer.ping = -1;
	assert_false(offer_of(&conf, -1, &answer).usable);
	answer.ping = 0;
	answer.pass = 151;
	assert_false(offer_of(&conf, -1, &answer).usable);
	answer.pass = -1;
	assert_true(offer_of(&conf, -1, &answer).usable);
	lxfw_route_conf_clear(&conf);
}

/* --- the folder ------------------------------------------------------------------------- */

/* Others may read it. Jobs of the last seconds count, both bounds included, the last 64 of them;
   lines that are no jobs do not. */
static void keeps_recent_jobs(void **state)
{
	static struct lxfw_route_recent recent;
	struct lxfw_route_conf conf = { .recent = 10, .records = unit_directory };
	char own[100], name[40];
	struct lxfw_error error;
	int folder = lxfw_route_folder_open(&conf, true, &error);

	(void)state;
	assert_true(folder >= 0);
	close(folder);
	snprintf(own, sizeof(own), "%s/%u", unit_directory, (unsigned)getuid());
	for (int i = 0; i < 2; i++) {
		assert_int_equal(chmod(own, i ? 0702 : 0720), 0);
		assert_int_equal(lxfw_route_folder_open(&conf, false, &error), -1);
		assert_non_null(strstr(error.text, "that others cannot write"));
	}
	assert_int_equal(chmod(own, 0755), 0);
	folder = lxfw_route_folder_open(&conf, false, &error);
	assert_true(folder >= 0);
	snprintf(name, sizeof(name), "%u/recent", (unsigned)getuid());
	unit_file(name, "89 alpha -n 1\n90 alpha -n 2\nx alpha -n 3\n95 -no -n 4\n95 beta\n"
		  "100 beta -n 5 -t 1\n101 beta -n 6\n");
	lxfw_route_recent_open(&recent, &conf, folder, 100, 1);
	assert_int_equal(recent.count, 2);
	assert_int_equal(recent.jobs[0].time, 90);
	assert_string_equal(recent.jobs[0].options, "-n 2");
	assert_string_equal(recent.jobs[1].cluster, "beta");
	assert_string_equal(recent.jobs[1].options, "-n 5 -t 1");
	for (int i = 0; i < LXFW_ROUTE_RECENT; i++)
		lxfw_route_recent_add(&recent, 100, "alpha", i == 0 ? "-n 7" : "-n 8");
	lxfw_route_recent_close(&recent);
	lxfw_route_recent_open(&recent, &conf, folder, 100, 1);
	assert_int_equal(recent.count, LXFW_ROUTE_RECENT);
	assert_string_equal(recent.jobs[0].options, "-n 7");
	lxfw_route_recent_close(&recent);
	close(folder);
}

/* A user could make the folder of another one in a folder that everybody can write. */
static void shares_no_folder(void **state)
{
	char shared[100], own[120];
	struct lxfw_route_conf conf = { .records = shared };
	struct lxfw_error error;
	struct stat about;
	int folder;

	(void)state;
	snprintf(shared, sizeof(shared), "%s/shared", unit_directory);
	snprintf(own, sizeof(own), "%s/%u", shared, (unsigned)getuid());
	assert_int_equal(mkdir(shared, 0700), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(chmod(shared, i ? 01777 : 0775), 0);
		assert_int_equal(lxfw_route_folder_open(&conf, true, &error), -1);
		assert_non_null(strstr(error.text, "expected a folder that only root can write"));
		assert_int_equal(lxfw_route_folder_make(&conf, getuid(), getgid(), &error), -1);
		assert_non_null(strstr(error.text, "expected a folder that only root can write"));
		assert_int_equal(lstat(own, &about), -1);
	}
	assert_int_equal(chmod(shared, 0755), 0);
	assert_int_equal(lxfw_route_folder_make(&conf, getuid(), getgid(), &error), 0);
	assert_int_equal(lxfw_route_folder_make(&conf, getuid(), getgid(), &error), 0);
	assert_int_equal(lstat(own, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0700);
	assert_int_equal(about.st_uid, getuid());
	folder = lxfw_route_folder_open(&conf, false, &error);
	assert_true(folder >= 0);
	close(folder);
	/* What is there and not a folder of the user is left as it is. */
	assert_int_equal(rmdir(own), 0);
	assert_int_equal(symlink("/", own), 0);
	assert_int_equal(lxfw_route_folder_make(&conf, getuid(), getgid(), &error), -1);
	assert_int_equal(lstat("/", &about), 0);
	assert_int_equal(about.st_uid, 0);
	assert_int_equal(unlink(own), 0);
}

/* --- questions and answers ------------------------------------------------------------ */

static int read_question(struct lxfw_route_question *question, const char *text)
{
	struct lxfw_error error;
	char *copy = strdup(text);
	int result = lxfw_route_question_read(question, copy, &error);

	free(copy);
	return result;
}

static void reads_questions(void **state)
{
	static struct lxfw_route_question question;

	(void)state;
	assert_int_equal(read_question(&question, "lxfw-route 1\nstart -n 4 -t 1:00:00 -p fast\n"
				       "queue no\nrouted 3 -n 2 -t 5\nrouted 0 -N 1\nend\n"), 0);
	assert_int_equal(question.request.tasks, 4);
	assert_string_equal(question.request.partition, "fast");
	assert_false(question.queue);
	assert_int_equal(question.routed_count, 2);
	assert_int_equal(question.routed[0].age, 3);
	assert_int_equal(question.routed[1].request.nodes, 1);
	assert_string_equal(question.cluster, "");
	assert_int_equal(read_question(&question, "lxfw-route 1\ncluster a-2\njob 17\nend\n"), 0);
	assert_string_equal(question.cluster, "a-2");
	assert_int_equal(read_question(&question, "lxfw-route 1\njob 17\nend\n"), 0);
	assert_int_equal(question.job, 17);
	assert_true(lxfw_route_question_ends("a\nend\n", 6));
	assert_false(lxfw_route_question_ends("blend\n", 6));
	assert_false(lxfw_route_question_ends("end\n", 4));
}

static void refuses_other_questions(void **state)
{
	static const char *const texts[] = {
		"", "\n", "GET / HTTP/1.0\r\n\r\n", "lxfw-route 2\nstart -n 1\nend\n",
		"lxfw-route 1\nend\n", "lxfw-route 1\nstart -n 1\n", "lxfw-route 1\nstart -n 0\nend\n",
		"lxfw-route 1\nstart -n 1 ; rm -rf /\nend\n", "lxfw-route 1\njob -1\nend\n",
		"lxfw-route 1\njob 1 2\nend\n", "lxfw-route 1\nstart -n 1\nrouted -1 -n 1\nend\n",
		"lxfw-route 1\nstart -n 1\nqueue maybe\nend\n",
		"lxfw-route 1\nstart -n 1\nend\nmore\n",
		"lxfw-route 1\ncluster \nstart -n 1\nend\n",
		"lxfw-route 1\ncluster a b\nstart -n 1\nend\n",
		"lxfw-route 1\ncluster 0123456789012345678901234567890123456789\nstart -n 1\nend\n",
		"lxfw-route 1\nstart -n 99999999999999999999\nend\n",
	};
	static struct lxfw_route_question question;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (read_question(&question, texts[i]) == 0)
			fail_msg("accepted: %s", texts[i]);
	}
}

static void answers_return(void **state)
{
	const struct lxfw_route_answer answer = {
		.can = true, .wait = 60, .free = 3, .procs = 16, .work = 7, .limit = 900,
		.ping = 2, .pass = -1,
	};
	const struct lxfw_route_answer with_runs = {
		.can = true, .wait = 60, .free = 3, .procs = 16, .work = 7, .limit = 900,
		.ping = 2, .pass = -1, .ended = 12, .mean = 3600,
	};
	const struct lxfw_route_answer no = { .reason = "no such\npartition" };
	char text[LXFW_ROUTE_ANSWER];
	struct lxfw_route_answer back;
	struct lxfw_error error;

	(void)state;
	lxfw_route_answer_write(&answer, text);
	assert_string_equal(text, "lxfw-route 1 start 60 3 16 7 900 2 -1\n");
	assert_int_equal(lxfw_route_answer_read(&back, text, &error), 0);
	assert_memory_equal(&back, &answer, sizeof(back));
	lxfw_route_answer_write(&with_runs, text);
	assert_string_equal(text, "lxfw-route 1 start 60 3 16 7 900 2 -1 12 3600\n");
	assert_int_equal(lxfw_route_answer_read(&back, text, &error), 0);
	assert_memory_equal(&back, &with_runs, sizeof(back));
	lxfw_route_answer_write(&no, text);
	assert_string_equal(text, "lxfw-route 1 no no such?partition\n");
	assert_int_equal(lxfw_route_answer_read(&back, text, &error), 0);
	assert_false(back.can);
	assert_string_equal(back.reason, "no such?partition");
	/* A part of an answer is none. */
	for (size_t length = 0; length < strlen("lxfw-route 1 start 60 3 16 7 900 2 -1\n"); length++) {
		lxfw_route_answer_write(&answer, text);
		text[length] = '\0';
		assert_int_equal(lxfw_route_answer_read(&back, text, &error), -1);
		assert_false(back.can);
	}
	assert_int_equal(lxfw_route_answer_read(&back, "lxfw-route 1 start -1 3 16 7 900 2 1\n",
						&error), -1);
}

/* The fourth byte of what base64 encodes is 0. */
static void plain_credentials(void **state)
{
	static const char *const plain[] = { "MUNGE:AwQFAAAAAAAA:\n", "MUNGE:AwQFAP////8A:\n" };
	static const char *const others[] = {
		"MUNGE:AwQFAwAAAAAA:\n", "MUNGE:AwQFAgAAAAAA:\n", "MUNGE:AwQFAQAAAAAA:\n",
		"MUNGE:AAAA:\n", "MUNGE:AwQF", "MUNGE:", "MUNGE:AwQFB//////A:\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		assert_true(lxfw_route_credential_is_plain(plain[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (lxfw_route_credential_is_plain(others[i]))
			fail_msg("%s", others[i]);
	}
}

/* A list that is cut off is none: jobs that are not in it would count as ended. */
static void whole_outputs(void **state)
{
	char *const arguments[] = { "printf", "12345678", NULL };
	struct lxfw_error error;
	char said[10];

	(void)state;
	assert_int_equal(lxfw_program_read(arguments, said, 10, &error), 0);
	assert_string_equal(said, "12345678");
	assert_int_equal(lxfw_program_read(arguments, said, 9, &error), -1);
	assert_string_equal(error.text, "printf: its output has more than 7 bytes");
	assert_int_equal(lxfw_program_read(arguments, said, 5, &error), -1);
	assert_int_equal(lxfw_program_run(arguments, said, 5, &error), 0);
}

/* Times of a server may be anything, and are calculated with. */
static void bounds_times(void **state)
{
	static const char *const bad[] = {
		"lxfw-route 1 start 100 5 10 3 1152921504606846976 1 1\n",
		"lxfw-route 1 start 1152921504606846976 5 10 3 100 1 1\n",
		"lxfw-route 1 start 1099511627777 5 10 3 100 1 1\n",
		"lxfw-route 1 start 100 5 10 3 1099511627777 1 1\n",
		"lxfw-route 1 start 100 5 10 3 100 1 1 5\n",
		"lxfw-route 1 start 100 5 10 3 100 1 1 -1 5\n",
		"lxfw-route 1 start 100 5 10 3 100 1 1 1 1099511627777\n",
		"lxfw-route 1 start 100 5 10 3 100 1 1 1 1 1\n",
	};
	struct lxfw_route_conf conf = { .count = 1, .age = 30, .pass = 150, .list[0].speed = 1 };
	struct lxfw_route_said said = { .answered = true };
	struct lxfw_route_offer offer;
	struct lxfw_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (lxfw_route_answer_read(&said.answer, bad[i], &error) == 0)
			fail_msg("accepted: %s", bad[i]);
	}
	assert_int_equal(lxfw_route_answer_read(&said.answer, "lxfw-route 1 start 1099511627776 "
						"5 10 3 1099511627776 1 1\n", &error), 0);
	lxfw_route_offer_of(&conf, 0, -1, &said, &offer);
	assert_true(offer.usable);
	assert_true(offer.run == INT64_C(1099511627776000));
	assert_true(lxfw_route_gain(&offer, &offer) == 0);
}

/* --- records, states and jobs --------------------------------------------------------- */

static int parse_record(struct lxfw_route_record *record, const char *bytes, size_t length)
{
	char *copy = malloc(length + 1);

	memcpy(copy, bytes, length);
	return lxfw_route_record_parse(record, copy, length);
}

static const char good_record[] =
	"lxfw-job 1\nrequest -n 1 -t 5\ncommand 4 2 22\nlimits 1 2\n"
	"/home/ann\0sbatch\0-n1\0job.sh\0an argument\0PATH=/bin\0X=a\nb";	/* and a 0 */

static void reads_records(void **state)
{
	struct lxfw_route_record record;

	(void)state;
	assert_int_equal(parse_record(&record, good_record, sizeof(good_record)), 0);
	assert_string_equal(record.request, "-n 1 -t 5");
	assert_string_equal(record.directory, "/home/ann");
	assert_int_equal(record.word_count, 4);
	assert_int_equal(record.tail, 2);
	assert_int_equal(record.umask, 022);
	assert_string_equal(record.words[3], "an argument");
	assert_null(record.words[4]);
	assert_string_equal(record.variables[1], "X=a\nb");
	assert_null(record.variables[2]);
	lxfw_route_record_clear(&record);
	/* Truncated in its words or in a variable, it is none. */
	for (size_t length = 0; length < sizeof(good_record); length++) {
		bool whole = length >= sizeof(good_record) - sizeof("PATH=/bin\0X=a\nb") &&
			     good_record[length - 1] == '\0';

		assert_int_equal(parse_record(&record, good_record, length), whole ? 0 : -1);
		lxfw_route_record_clear(&record);
	}
}

static void refuses_other_records(void **state)
{
	static const char *const texts[] = {
		"lxfw-job 2\n", "lxfw-job 1\nrequest -n 1\ncommand 0 0 22\nlimits 1\n/",
		"lxfw-job 1\nrequest -n 1\ncommand 1 1 22\nlimits 1\n/",
		"lxfw-job 1\nrequest -n 1\ncommand 1 -2 22\nlimits 1\n/",
		"lxfw-job 1\nrequest -n 1\ncommand 99999999 0 22\nlimits 1\n/",
		"lxfw-job 1\nrequest -n 1\ncommand 1 0 22 1\nlimits 1\n/",
	};
	uint64_t random = unit_seed("records");
	struct lxfw_route_record record;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(parse_record(&record, texts[i], strlen(texts[i]) + 1), -1);
		lxfw_route_record_clear(&record);
	}
	for (int i = 0; i < 20000; i++) {	/* for the sanitizers */
		char bytes[sizeof(good_record)];

		memcpy(bytes, good_record, sizeof(bytes));
		for (int j = 0; j < 3; j++)
			bytes[unit_between(&random, 0, sizeof(bytes) - 1)] =
				(char)unit_between(&random, 0, 255);
		parse_record(&record, bytes, sizeof(bytes));
		lxfw_route_record_clear(&record);
	}
}

static void reads_states(void **state)
{
	static const char *const bad[] = {
		"", "lxfw-move 1 rest", "lxfw-move 1 flying 0 0 0 0 - 0 -\n",
		"lxfw-move 1 copying 0 1 1 100 alpha 17 -\n", "lxfw-move 1 rest 2 1 1 100 alpha 17 -\n",
		"lxfw-move 1 rest 0 1 1 100 al/pha 17 -\n", "lxfw-move 1 rest 0 1 1 100 alpha 17 - 1\n",
		"lxfw-move 1 rest -1 1 1 100 alpha 17 -\n",
	};
	char line[] = "lxfw-move 1 holding 0 1 2 100 alpha 17 beta\n";
	struct lxfw_move move;

	(void)state;
	assert_int_equal(lxfw_route_state_parse(&move, line), 0);
	assert_int_equal(move.phase, LXFW_MOVE_HOLDING);
	assert_int_equal(move.serial, 0);
	assert_int_equal(move.next, 1);
	assert_int_equal(move.moves, 2);
	assert_int_equal(move.since, 100);
	assert_int_equal(move.job, 17);
	assert_string_equal(move.old, "alpha");
	assert_string_equal(move.new, "beta");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *copy = strdup(bad[i]);

		if (lxfw_route_state_parse(&move, copy) == 0)
			fail_msg("accepted: %s", bad[i]);
		free(copy);
	}
}

#define M "0123456789abcdef"

static void lists_jobs(void **state)
{
	char text[] =
		"CLUSTER: beta\n"
		"m|17|17|PENDING|Priority|(null)|lxfw:route:" M "\n"
		"m|18|18|PENDING|JobHeldUser||lxfw:route:" M ":3\n"
		"m|19|19_4|PENDING|Resources||lxfw:route:" M ":4\n"
		"m|20|20|PENDING|Resources|afterok:3(unfulfilled)|lxfw:route:" M ":5\n"
		"m|21|21|PENDING|AssocGrpCpuLimit||lxfw:route:" M ":6\n"
		"m|22|22|RUNNING|None||lxfw:route:" M ":7\n"
		"m|23|23|CANCELLED|None||lxfw:route:" M ":8\n"
		"m|24|24|TIMEOUT|TimeLimit||lxfw:route:" M ":9\n"
		"m|25|25|PENDING|Priority||a comment\n"
		"m|26|26|PENDING|Priority||lxfw:route:0123\n"
		"m|27|27|PENDING|Priority||lxfw:route:" M ":x\n"
		"m|28|28|PENDING\n"
		"m|29|29|PENDING|Priority||lxfw:route:" M "\n"
		/* A comment with line breaks. */
		"m|30|30|PENDING|Priority||a\n31|31|PENDING|Priority||lxfw:route:" M ":3\n"
		"M|31|31|PENDING|Priority||lxfw:route:" M ":3\n"
		"|m|31|31|PENDING|Priority||lxfw:route:" M ":3\n";
	static const enum lxfw_move_seen seen[] = {
		LXFW_SEEN_WAITS, LXFW_SEEN_HELD, LXFW_SEEN_WAITS, LXFW_SEEN_WAITS,
		LXFW_SEEN_WAITS, LXFW_SEEN_STARTED, LXFW_SEEN_CANCELLED, LXFW_SEEN_ENDED,
		LXFW_SEEN_WAITS,
	};
	struct lxfw_route_jobs jobs = { 0 };
	int count;

	(void)state;
	assert_int_equal(lxfw_route_jobs_take(&jobs, 1, "m", text), 0);
	assert_int_equal(jobs.count, sizeof(seen) / sizeof(*seen));
	for (size_t i = 0; i < jobs.count; i++) {
		assert_int_equal(jobs.list[i].seen, seen[i]);
		assert_int_equal(jobs.list[i].may_move, i == 0 || i == 8);
	}
	assert_int_equal(lxfw_route_jobs_find(&jobs, M, 3, 1, &count)->number, 18);
	assert_null(lxfw_route_jobs_find(&jobs, M, 3, 0, &count));
	assert_null(lxfw_route_jobs_find(&jobs, M, 0, -1, &count));
	assert_int_equal(count, 2);
	lxfw_route_jobs_clear(&jobs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chooses_by_each_rule),
		cmocka_unit_test(ties_and_none),
		cmocka_unit_test(never_the_worst),
		cmocka_unit_test(reads_clusters),
		cmocka_unit_test(refuses_other_files),
		cmocka_unit_test(bounds_paths),
		cmocka_unit_test(uses_answers),
		cmocka_unit_test(keeps_recent_jobs),
		cmocka_unit_test(shares_no_folder),
		cmocka_unit_test(reads_questions),
		cmocka_unit_test(refuses_other_questions),
		cmocka_unit_test(answers_return), cmocka_unit_test(plain_credentials),
		cmocka_unit_test(whole_outputs),
		cmocka_unit_test(bounds_times),
		cmocka_unit_test(reads_records),
		cmocka_unit_test(refuses_other_records),
		cmocka_unit_test(reads_states),
		cmocka_unit_test(lists_jobs),
	};

	return cmocka_run_group_tests_name("route", tests, unit_files_begin, unit_files_end);
}
