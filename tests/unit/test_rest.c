/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client of slurmrestd, with a server in a thread of this program whose responses a
 * test sets: versions, slices, errors, truncated responses.
 */
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/rest/slurmrestd.h"

#define ANSWERS_MAX 64

/* The responses in order, each on a separate connection. */
static struct server {
	int descriptor;
	pthread_t thread;
	char url[60];
	struct {
		const char *status;	/* "200 OK"; NULL = no response */
		const char *body;
		size_t beyond;		/* number of announced bytes that are not sent */
		bool trickles;		/* the announced bytes are sent, ten per second */
	} answers[ANSWERS_MAX];
	int count;
	char requests[ANSWERS_MAX][2048];
	int asked;
} server;

static void read_request(int connection, char *to, size_t size)
{
	size_t length = 0;
	ssize_t got = 1;

	while (got > 0 && length < size - 1) {
		got = read(connection, to + length, size - 1 - length);
		length += got > 0 ? (size_t)got : 0;
		to[length] = '\0';
		if (strstr(to, "\r\n\r\n"))
			return;
	}
}

/* Send single bytes until the client closes the connection. */
static void trickle(int connection, size_t bytes)
{
	struct pollfd watched = { .fd = connection, .events = POLLIN };

	while (bytes-- > 0 && poll(&watched, 1, 100) == 0 &&
	       send(connection, " ", 1, MSG_NOSIGNAL) == 1)
		;
}

static void *serve(void *unused)
{
	(void)unused;
	while (server.asked < server.count) {
		int at = server.asked;
		int connection = accept(server.descriptor, NULL, NULL);
		const char *body = server.answers[at].body;
		char drain[64];

		if (connection < 0)
			return NULL;
		read_request(connection, server.requests[at],
			     sizeof(server.requests[at]));
		server.asked++;
		if (server.answers[at].status) {
			dprintf(connection, "HTTP/1.1 %s\r\nConnection: close\r\n"
				"Location: http://127.0.0.1:1/\r\n"
				"Content-Length: %zu\r\n\r\n%s",
				server.answers[at].status,
				strlen(body) + server.answers[at].beyond, body);
			if (server.answers[at].trickles)
				trickle(connection,
					server.answers[at].beyond);
			shutdown(connection, SHUT_WR);
		}
		/* until the client closes the connection */
		while (read(connection, drain, sizeof(drain)) > 0)
			;
		close(connection);
	}
	return NULL;
}

static void answer(const char *status, const char *body)
{
	server.answers[server.count].status = status;
	server.answers[server.count++].body = body;
}

static int begin(void **state)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);

	(void)state;
	memset(&server, 0, sizeof(server));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server.descriptor = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(server.descriptor >= 0);
	assert_int_equal(bind(server.descriptor, (struct sockaddr *)&address,
			      sizeof(address)), 0);
	assert_int_equal(listen(server.descriptor, 8), 0);
	assert_int_equal(getsockname(server.descriptor,
				     (struct sockaddr *)&address, &length), 0);
	snprintf(server.url, sizeof(server.url), "http://127.0.0.1:%d",
		 ntohs(address.sin_port));
	return 0;
}

static int end(void **state)
{
	(void)state;
	shutdown(server.descriptor, SHUT_RDWR);
	close(server.descriptor);
	if (server.count > 0)
		pthread_join(server.thread, NULL);
	return 0;
}

static void start(void)
{
	assert_int_equal(pthread_create(&server.thread, NULL, serve, NULL), 0);
}

/* --- requests */

static const char versions_22[] = "{\"paths\": {"
	"\"/slurmdb/v0.0.36/jobs\": {}, \"/slurmdb/v0.0.38/jobs\": {}, "
	"\"/slurmdb/v0.0.37/jobs\": {}, \"/slurmdb/v0.0.38/job/{job_id}\": {}, "
	"\"/slurm/v0.0.99/jobs\": {}}}";

static struct lxfw_token *make_token(const char *text)
{
	const struct lxfw_token_options how = { .user = "ann" };
	struct lxfw_error error = { "" };
	struct lxfw_token *token;

	if (text)
		setenv("SLURM_JWT", text, 1);
	else
		unsetenv("SLURM_JWT");
	token = lxfw_token_open(&how, &error);
	assert_string_equal(error.text, "");
	assert_non_null(token);
	return token;
}

static struct lxfw_slurmrestd *connect_to(struct lxfw_token *token,
					  struct lxfw_error *error)
{
	const struct lxfw_http_options how = { .url = server.url, .timeout = 1 };

	return lxfw_slurmrestd_open(&how, token, error);
}

static void expect_version(const char *offers, const char *version,
			   const char *message)
{
	struct lxfw_token *token = make_token(NULL);
	struct lxfw_slurmrestd *rest;
	struct lxfw_error error = { "" };

	answer("200 OK", offers);
	start();
	rest = connect_to(token, &error);
	if (version) {
		assert_non_null(rest);
		assert_string_equal(lxfw_slurmrestd_version(rest), version);
	} else {
		assert_null(rest);
		assert_non_null(strstr(error.text, message));
	}
	lxfw_slurmrestd_close(rest);
	lxfw_token_close(token);
}

static void newest_version_that_is_known(void **state)
{
	(void)state;
	expect_version(versions_22, "v0.0.38", NULL);
}

static void next_version_if_none_is_known(void **state)
{
	(void)state;
	expect_version("{\"paths\": {\"/slurmdb/v0.0.72/jobs/\": {}, "
		       "\"/slurmdb/v0.0.71/jobs/\": {}}}", "v0.0.71", NULL);
}

static void no_version(void **state)
{
	(void)state;
	expect_version("{\"paths\": {\"/slurm/v0.0.38/jobs\": {}, "
		       "\"/slurmdb/v0.0.20/jobs\": {}}}", NULL,
		       "offers no slurmdbd jobs");
}

static void no_slurmrestd(void **state)
{
	(void)state;
	expect_version("<html>hello</html>", NULL, "expected a slurmrestd");
}

/* --- responses */

static void no_progress(int64_t until)
{
	(void)until;
}

/* Import jobs from 1000000 to 1000400 in slices of SLICE; *ERROR gets the message. */
static int jobs(struct lxfw_log *log, int64_t slice, struct lxfw_error *error)
{
	const struct lxfw_slurmrestd_period period = {
		.since = 1000000, .until = 1000400, .slice = slice,
		.cluster = "c1",
	};
	struct lxfw_token *token = make_token("aa.bb.cc");
	struct lxfw_slurmrestd *rest;
	int result = -1;

	*log = (struct lxfw_log) { 0 };
	*error = (struct lxfw_error) { "" };
	start();
	rest = connect_to(token, error);
	if (rest)
		result = lxfw_slurmrestd_jobs(rest, &period, no_progress, log,
					      error);
	lxfw_slurmrestd_close(rest);
	lxfw_token_close(token);
	return result;
}

#define JOB(number, submit, end) \
	"{\"job_id\": " #number ", \"cluster\": \"c1\", \"time\": " \
	"{\"submission\": " #submit ", \"eligible\": " #submit \
	", \"start\": " #submit ", \"end\": " #end ", \"elapsed\": 5}, " \
	"\"state\": {\"current\": \"COMPLETED\"}, \"required\": {\"CPUs\": 1}}"

static void each_job_once(void **state)
{
	struct lxfw_log log;
	struct lxfw_error error;

	(void)state;
	answer("200 OK", versions_22);
	/* 1 ended before the period, 2 continues into the second slice, 3 begins there,
	   4 ends after the period */
	answer("200 OK", "{\"jobs\": [" JOB(1, 999000, 999999) ", "
	       JOB(2, 1000100, 1000200) "], \"errors\": []}");
	answer("200 OK", "{\"errors\": [], \"jobs\": [" JOB(2, 1000100, 1000200)
	       ", " JOB(3, 1000250, 1000255) ", " JOB(4, 1000300, 1000500) "]}");
	assert_int_equal(jobs(&log, 200, &error), 0);
	assert_int_equal(log.count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(log.records[i].number, i + 1);
	assert_int_equal(log.counts.records, 4);
	assert_int_equal(log.clusters.names.count, 1);
	assert_non_null(strstr(server.requests[1], "GET /slurmdb/v0.0.38/jobs"
			"?start_time=uts1000000&end_time=uts1000200&cluster=c1 "));
	assert_non_null(strstr(server.requests[2], "start_time=uts1000200"
			       "&end_time=uts1000400"));
	assert_non_null(strstr(server.requests[1],
			       "X-SLURM-USER-NAME: ann\r\n"));
	assert_non_null(strstr(server.requests[1],
			       "X-SLURM-USER-TOKEN: aa.bb.cc\r\n"));
	lxfw_log_clear(&log);
}

static void nothing_found_is_no_error(void **state)
{
	struct lxfw_log log;
	struct lxfw_error error;

	(void)state;
	answer("200 OK", versions_22);
	answer("200 OK", "{\"errors\": [{\"description\": \"Nothing found\"}], "
	       "\"jobs\": []}");
	assert_int_equal(jobs(&log, 400, &error), 0);
	assert_int_equal(log.count, 0);
	lxfw_log_clear(&log);
}

static void fails(const char *status, const char *body, size_t beyond,
		  const char *message)
{
	struct lxfw_log log;
	struct lxfw_error error;

	answer("200 OK", versions_22);
	answer(status, body);
	server.answers[1].beyond = beyond;
	assert_int_equal(jobs(&log, 400, &error), -1);
	if (!strstr(error.text, message))
		fail_msg("'%s' does not say '%s'", error.text, message);
	/* no message contains the token */
	assert_null(strstr(error.text, "aa.bb"));
	lxfw_log_clear(&log);
}

static void server_error(void **state)
{
	(void)state;
	fails("500 Internal Server Error", "{\"errors\": [{\"error\": \"Unable "
	      "to connect to database\"}]}", 0,
	      "HTTP 500: Unable to connect to database");
}

static void refusal(void **state)
{
	(void)state;
	fails("401 UNAUTHORIZED", "Authentication failure", 0,
	      "refused (HTTP 401, Authentication failure): the token cannot be "
	      "read");
}

static void error_beside_jobs(void **state)
{
	(void)state;
	fails("200 OK", "{\"jobs\": [], \"errors\": [{\"description\": \"no "
	      "memory\"}]}", 0, "Slurm reports an error: no memory");
}

static void cut_off_by_the_network(void **state)
{
	(void)state;
	fails("200 OK", "{\"jobs\": [", 100, "100 bytes");
}

static void cut_off_by_the_server(void **state)
{
	(void)state;
	fails("200 OK", "{\"jobs\": [" JOB(1, 1000001, 1000002) "]", 0,
	      "not JSON or truncated");
}

static void redirection(void **state)
{
	(void)state;
	fails("302 Found", "elsewhere", 0, "HTTP 302: elsewhere");
}

/* Ten bytes per second are progress, and would continue forever. */
static void trickling(void **state)
{
	(void)state;
	server.answers[1].trickles = true;
	fails("200 OK", "{\"jobs\": [", 100, "last 1 seconds (--timeout)");
}

static void silence(void **state)
{
	(void)state;
	fails(NULL, "", 0, "http://127.0.0.1");
}

/* --- URLs and tokens ---------------------------------------------------- */

static void urls(void **state)
{
	static const struct {
		const char *url, *message;
	} cases[] = {
		{ "http://127.0.0.1:6820", NULL },
		{ "http://127.1.2.3", NULL },
		{ "http://localhost:6820/slurm/", NULL },
		{ "http://[::1]:6820", NULL },
		{ "https://slurm.example.org", NULL },
		{ "unix:/run/slurmrestd", NULL },
		{ "unix:///run/slurmrestd", NULL },
		{ "http://10.0.0.1:6820", "for all to read" },
		{ "http://localhost.example.org", "for all to read" },
		{ "http://127.0.0.1.example.org", "for all to read" },
		{ "http://ann:secret@127.0.0.1", "contains a user name" },
		{ "ftp://127.0.0.1", "is not a URL" },
		{ "file:///etc/passwd", "is not a URL" },
		{ "127.0.0.1:6820", "is not a URL" },
		{ "", "is not a URL" },
		{ "unix:run", "is not a socket path" },
		{ "unix://host/run", "is not a socket path" },
		{ "https://slurm.example.org/?x", "has '?'" },
		{ "https://slurm.example.org/#x", "has '?'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct lxfw_http_options how = { .url = cases[i].url,
						       .timeout = 1 };
		struct lxfw_error error = { "" };
		struct lxfw_http *http = lxfw_http_open(&how, &error);

		if ((http != NULL) != (cases[i].message == NULL) ||
		    (cases[i].message && !strstr(error.text, cases[i].message)))
			fail_msg("%s: '%s'", cases[i].url, error.text);
		assert_null(strstr(error.text, "secret"));
		lxfw_http_close(http);
	}
}

static void bad_tokens(void **state)
{
	static const char *const cases[] = {
		"word", "a.b", "a.b.c.d", ".b.c", "a.b.c\r\nX-Other: 1",
		"a b.c.d", "SLURM_JWT=",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct lxfw_token_options how = { .user = "ann" };
		struct lxfw_error error = { "" };

		setenv("SLURM_JWT", cases[i], 1);
		assert_null(lxfw_token_open(&how, &error));
		assert_non_null(strstr(error.text, "not a JSON web token"));
	}
	unsetenv("SLURM_JWT");
}

/* Write a key file of LENGTH bytes with permissions MODE. */
static void key_file(const char *path, mode_t mode, size_t length,
		     const char *message)
{
	const struct lxfw_token_options how = { .user = "ann", .key = path };
	struct lxfw_error error = { "" };
	struct lxfw_token *token;
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (size_t i = 0; i < length; i++)
		putc('k', file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
	token = lxfw_token_open(&how, &error);
	if (message) {
		assert_null(token);
		if (!strstr(error.text, message))
			fail_msg("mode %o: '%s'", (unsigned)mode, error.text);
	} else {
		assert_non_null(token);
	}
	lxfw_token_close(token);
	assert_int_equal(unlink(path), 0);
}

static void keys(void **state)
{
	char directory[] = "/tmp/lxfw-rest-XXXXXX", path[60];

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/key", directory);
	key_file(path, 0600, 32, NULL);
	key_file(path, 0640, 32, NULL);
	key_file(path, 0644, 32, "accessible to other users (mode 0644)");
	key_file(path, 0660, 32, "accessible to other users (mode 0660)");
	key_file(path, 0600, 8, "a key of 8 bytes");
	key_file(path, 0600, 0, "empty");
	key_file(path, 0600, 5000, "too long");
	rmdir(directory);
}

/* A token is renewed before it expires, and not at each request. */
static void minting(void **state)
{
	char directory[] = "/tmp/lxfw-rest-XXXXXX", path[60];
	const struct lxfw_token_options how = { .user = "ann", .key = path };
	struct lxfw_error error = { "" };
	struct lxfw_token *token;
	const char *text;
	char *first;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/key", directory);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("0123456789abcdef0123456789abcdef", file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0600), 0);
	token = lxfw_token_open(&how, &error);
	assert_non_null(token);
	assert_int_equal(lxfw_token_text(token, 1000000, &text, &error), 0);
	first = strdup(text);
	assert_int_equal(lxfw_token_text(token, 1000100, &text, &error), 0);
	assert_string_equal(text, first);
	assert_int_equal(lxfw_token_text(token, 1000200, &text, &error), 0);
	assert_string_not_equal(text, first);
	assert_string_equal(lxfw_token_user(token), "ann");
	free(first);
	lxfw_token_close(token);
	unlink(path);
	rmdir(directory);
}

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SERVER(newest_version_that_is_known),
		WITH_SERVER(next_version_if_none_is_known),
		WITH_SERVER(no_version),
		WITH_SERVER(no_slurmrestd),
		WITH_SERVER(each_job_once),
		WITH_SERVER(nothing_found_is_no_error),
		WITH_SERVER(server_error),
		WITH_SERVER(refusal),
		WITH_SERVER(error_beside_jobs),
		WITH_SERVER(cut_off_by_the_network),
		WITH_SERVER(cut_off_by_the_server),
		WITH_SERVER(redirection),
		WITH_SERVER(silence),
		WITH_SERVER(trickling),
		cmocka_unit_test(urls),
		cmocka_unit_test(bad_tokens),
		cmocka_unit_test(keys),
		cmocka_unit_test(minting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
