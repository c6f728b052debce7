/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw import: converts the accounting of a batch system to a trace. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/cmd/import_history.h"
#include "sim-frontend/cmd/import_live.h"
#include "sim-frontend/cmd/import_swf.h"
#include "sim-frontend/cmd/import_workload.h"
#include "sim-frontend/report/import_summary.h"
#include "sim-frontend/trace/log.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/pbs_folder.h"
#include "sim-frontend/trace/swf_write.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/util/zone.h"

/* The memory that the jobs of logs use unless --memory sets another one. */
#define MEMORY_USUAL ((size_t)768 << 20)

static const char help[] =
"\n"
"Convert the accounting of a batch system to a trace in the Standard Workload\n"
"Format. Every record is either converted, or counted on standard error with the\n"
"reason for leaving it out. A log is refused if it has 100 records or more, and\n"
"more than a tenth of them cannot be read.\n"
"\n"
"LOG is a file, plain or compressed with gzip, bzip2, xz or zstd. Its format is\n"
"detected from its content:\n"
"  sacct        Slurm's sacct --parsable2 or --parsable with its header line. At\n"
"               least JobID|Submit|Start|End|NCPUS; Eligible, Elapsed,\n"
"               Timelimit, NNodes, ReqMem, Partition, State, User, Group and\n"
"               NodeList are recommended. Other delimiters: , ; ^ and tab.\n"
"               Without a header line, the column orders of lxfw-import(1),\n"
"               Open XDMoD and the HPC cost simulator\n"
"  slurmrestd   the response to /slurmdb/vX/jobs or /slurm/vX/jobs, or the output\n"
"               of sacct --json or squeue --json\n"
"  jobcomp      JSON of Slurm's jobcomp/elasticsearch or jobcomp/kafka, or what\n"
"               Elasticsearch returns\n"
"  scontrol     the output of Slurm's scontrol show job, or the file of\n"
"               jobcomp/filetxt\n"
"  pbs          accounting of OpenPBS, PBS Pro or Torque\n"
"  lsf          lsb.acct of LSF 9 and 10\n"
"  htcondor     history files of HTCondor, or condor_history -long\n"
"  maui, moab   the workload trace of Maui, events of Moab\n"
"  sge          accounting of Grid Engine\n"
"  slurm-sim    events for the Slurm simulator: a workload that has not run\n"
"  table        a table with a header line: jobs of Helios, of Slurm's data base\n"
"               (MIT Supercloud), pods of Alibaba (gpu-v2023), Batsim's CSV, the\n"
"               Grid Workload Format, or as --columns says\n"
"  batsim       a workload of Batsim in JSON\n"
"  philly       cluster_job_log of Microsoft's Philly clusters\n"
"  swf          a single file in the Standard Workload Format, copied unchanged\n"
"Several LOGs, in the order in which they were written, are merged into one\n"
"trace. A job that is in several LOGs is counted once. The other subcommands\n"
"read these formats too. A LOG may be the directory of a pbs_snapshot of OpenPBS,\n"
"which also describes the cluster, or a directory of accounting logs of PBS.\n"
"\n"
"Options:\n"
"  --out FILE             output file (default: standard output)\n"
"  --workload-out batsim:FILE|batsim5:FILE\n"
"                         write the jobs as a workload of Batsim in JSON, up to\n"
"                         Batsim 4 or from 5 on; writes a trace only with --out\n"
"  --format-in FORMAT     format of the LOGs, one of the above (default: detected)\n"
"  --columns WHAT=COLUMN[,...] | pai-2020 | alibaba-2018\n"
"                         columns of a table: their names, or numbers from 1 if it\n"
"                         has no header line; such as submit=queued_at,procs=cores;\n"
"                         or a data set whose tables have none\n"
"  --format table|json|csv\n"
"                         format of the summary: a sentence on standard error\n"
"                         (table, default), or its counts on standard output\n"
"                         (json, csv; requires --out)\n"
"  --json                 same as --format json\n"
"  --tz ZONE              time zone of local times, such as Europe/Berlin\n"
"                         (default: UTC)\n"
"  --slurm-cluster NAME   only jobs of this cluster, if the LOGs or the data base of\n"
"                         slurmdbd have jobs of several\n"
"  --memory SIZE          memory of the jobs, such as 2G (default 768M); what does\n"
"                         not fit is sorted in temporary files in TMPDIR\n"
"  --cluster-out FILE     write a cluster description: the nodes and partitions\n"
"                         of a running Slurm, or the hosts in the logs, each\n"
"                         with the most processors, memory and GRES that jobs\n"
"                         held on it at once, and Slurm's partitions\n"
"  --cluster FILE         source of the cluster description: a slurm.conf, the\n"
"                         output of 'scontrol show node' with or without --json,\n"
"                         or a cluster description\n";

static const char more_help[] =
"  --history FILE         add the run times of the jobs to this data base, which is\n"
"                         created if it does not exist, each job once; writes a\n"
"                         trace only with --out\n"
"  --machine NAME         the machine or cluster of the LOGs in that data base\n"
"  --speed FACTOR         its speed, 0.001 to 1000 (default: as before, or 1)\n"
"\n"
"To read from a running Slurm instead of LOGs:\n"
"  --slurm-rest URL       URL of slurmrestd: https://HOST[:PORT],\n"
"                         http://localhost:PORT or unix:/PATH\n"
"  --since DATE, --until DATE\n"
"                         only jobs that waited or ran in this period (until:\n"
"                         default now); dates such as 2026-01-31 or\n"
"                         2026-01-31T12:00, or seconds since 1970\n"
"  --token-file FILE      file with the JSON web token (default: the environment\n"
"                         variable SLURM_JWT)\n"
"  --jwt-key FILE         create a token that is valid for 5 minutes, signed\n"
"                         with this key of the cluster\n"
"  --user NAME            user of the request (default: the user of the token,\n"
"                         otherwise the current user)\n"
"  --ca-file FILE         CA certificates to verify the server with (default:\n"
"                         those of the system)\n"
"  --allow-http           permit http://, which sends the token unencrypted\n"
"  --timeout DURATION     give up after this time without a response (default\n"
"                         5m)\n"
"  --slice DURATION       period per request (default: chosen so that a response\n"
"                         has a few MB)\n"
"\n"
"Other:\n"
"  -h, --help             print this help and exit\n"
"  --version              print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw import --out month.swf --cluster-out hosts sacct.txt\n"
"  lxfw import --history times.db --machine alps sacct.txt\n"
"  lxfw import --slurm-rest unix:/run/slurmrestd.sock \\\n"
"      --since 2026-01-01 --out 2026.swf\n"
"\n"
"Exit status: 0 success; 2 invalid usage or input, in which case no FILE is\n"
"written.\n";

enum {
	OUT = LXFW_OPTION_FIRST, FORMAT_IN, CLUSTER, CLUSTER_OUT, SLURM_REST, SINCE, UNTIL,
	TOKEN_FILE, JWT_KEY, USER, SLURM_CLUSTER, CA_FILE, ALLOW_HTTP, TIMEOUT,
	SLICE, ZONE, HISTORY, MACHINE, SPEED, COLUMNS, MEMORY, WORKLOAD_OUT,
};

static const struct option options[] = {
	{ "out", required_argument, NULL, OUT },
	{ "format-in", required_argument, NULL, FORMAT_IN },
	{ "columns", required_argument, NULL, COLUMNS },
	{ "memory", required_argument, NULL, MEMORY },
	{ "workload-out", required_argument, NULL, WORKLOAD_OUT },
	{ "cluster", required_argument, NULL, CLUSTER },
	{ "cluster-out", required_argument, NULL, CLUSTER_OUT },
	{ "slurm-rest", required_argument, NULL, SLURM_REST },
	{ "since", required_argument, NULL, SINCE },
	{ "until", required_argument, NULL, UNTIL },
	{ "token-file", required_argument, NULL, TOKEN_FILE },
	{ "jwt-key", required_argument, NULL, JWT_KEY },
	{ "user", required_argument, NULL, USER },
	{ "slurm-cluster", required_argument, NULL, SLURM_CLUSTER },
	{ "ca-file", required_argument, NULL, CA_FILE },
	{ "allow-http", no_argument, NULL, ALLOW_HTTP },
	{ "timeout", required_argument, NULL, TIMEOUT },
	{ "slice", required_argument, NULL, SLICE },
	{ "tz", required_argument, NULL, ZONE },
	{ "history", required_argument, NULL, HISTORY },
	{ "machine", required_argument, NULL, MACHINE },
	{ "speed", required_argument, NULL, SPEED },
	LXFW_FORMAT_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	const char *out, *cluster, *cluster_out, *zone, *columns;
	struct lxfw_import_workload workload;
	const struct lxfw_log_format *format;	/* NULL: detect from the contents */
	size_t memory;				/* bytes; 0: not given */
	enum lxfw_format summary;
	struct lxfw_import_live live;	/* live.url: query a cluster instead of reading
					   LOGs */
	struct lxfw_import_history history;
	const char *of_live;		/* an option that requires live.url */
	char **logs;
	int log_count;
};

static int write_header(void *context, const char *key, int key_length,
			const char *value, int value_length)
{
	struct lxfw_output *output = context;

	lxfw_output_text(output, "; ");
	lxfw_output_write(output, key, (size_t)key_length);
	lxfw_output_text(output, ": ");
	lxfw_output_write(output, value, (size_t)value_length);
	lxfw_output_text(output, "\n");
	return 0;
}

/* The bytes that the jobs may use. */
static size_t memory_of(const struct arguments *arguments)
{
	return arguments->memory > 0 ? arguments->memory : MEMORY_USUAL;
}

/* Reads one log to LOG, or writes an SWF log to OUTPUT. */
static int take_log(const struct arguments *arguments, const char *path,
		    struct lxfw_log *log, struct lxfw_output *output,
		    struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	const struct lxfw_log_format *format;
	int result;

	if (!input)
		return -1;
	format = !arguments->format && arguments->columns ? &lxfw_log_table :
							    arguments->format;
	result = format ? 0 : lxfw_log_recognize(input, &format, error);
	if (result == 0 && format == &lxfw_log_journal)
		result = lxfw_error_at(error, path, 0, "a journal, expected "
			"accounting records or a trace");
	else if (result == 0 && format == &lxfw_log_swf &&
		 arguments->log_count > 1)
		result = lxfw_error_at(error, path, 0, "a trace is one of "
			"several logs, expected accounting records");
	else if (result == 0 && format == &lxfw_log_swf && log->zone)
		result = lxfw_error_at(error, path, 0, "a trace contains no "
			"local times, expected accounting records for --tz");
	else if (result == 0 && format == &lxfw_log_swf && log->cluster)
		result = lxfw_error_at(error, path, 0, "a trace names no clusters, expected "
			"accounting records for --slurm-cluster");
	else if (result == 0 && format == &lxfw_log_swf && log->want_hosts)
		result = lxfw_error_at(error, path, 0, "a trace contains no "
			"host names, expected accounting records for "
			"--cluster-out");
	else if (result == 0 && format == &lxfw_log_swf)
		result = lxfw_import_swf(input, log, memory_of(arguments), output,
					 arguments->summary == LXFW_FORMAT_TABLE, error);
	else if (result == 0)
		result = lxfw_log_add(log, input, format, error);
	lxfw_input_close(input);
	return result;
}

static void write_record(void *output, const struct lxfw_swf_record *record)
{
	lxfw_swf_write(output, record);
}

/* Writes the records of LOG, unless OUTPUT is NULL. */
static int write_log(const struct arguments *arguments, struct lxfw_log *log,
		     struct lxfw_output *output, struct lxfw_error *error)
{
	const char *path = arguments->log_count == 1 ? arguments->logs[0] : NULL;
	char *told;

	if (lxfw_log_finish(log, error) || lxfw_log_judge_clusters(log, path, error))
		return -1;
	if (output) {
		lxfw_log_headers(log, write_header, output);
		if (lxfw_log_each(log, write_record, output, error))
			return -1;
	}
	if (arguments->summary != LXFW_FORMAT_TABLE)
		return 0;
	told = lxfw_log_tell(log);
	if (!told)
		return lxfw_error_format(error, "out of memory");
	lxfw_cmd_note("%s", told);
	free(told);
	return 0;
}

static void tell_no_hosts(const struct arguments *arguments)
{
	const char *path = arguments->log_count > 0 ? arguments->logs[0] : arguments->live.url;
	struct lxfw_error error;
	char others[60] = "";

	if (arguments->log_count > 1)
		snprintf(others, sizeof(others), " and of the other logs (%d)",
			 arguments->log_count - 1);
	lxfw_error_at(&error, strcmp(path, "-") == 0 ? "<stdin>" : path, 0, "no host names in "
		      "the jobs of this log%s, expected NodeList, exec_host, LastRemoteHost or "
		      "similar for --cluster-out", others);
	lxfw_cmd_bad(&error);
}

/* The lines of a slurm.conf do not say on which sockets GPUs are. */
static void tell_sockets(const struct lxfw_cluster *cluster, const char *path,
			 const char *from)
{
	for (int32_t i = 0; i < cluster->count; i++) {
		if (!cluster->hosts[i].sockets)
			continue;
		lxfw_cmd_note("%s: without the sockets of GPUs; to place jobs by them, simulate "
			      "with --cluster %s", path, from);
		return;
	}
}

/* Writes the cluster if it is known, otherwise the hosts of the log. Returns -1 after
   a message. */
static int write_hosts(const struct arguments *arguments, struct lxfw_log *log,
		       const struct lxfw_cluster *cluster, struct lxfw_output *hosts)
{
	const char *from = arguments->cluster ? arguments->cluster : arguments->live.url;
	int64_t count = cluster->count;

	if (count == 0)
		count = lxfw_log_write_hosts(log, hosts);
	else if (lxfw_cluster_write(cluster, from, hosts))
		count = -1;
	if (count < 0)
		lxfw_cmd_note("out of memory");
	else if (count == 0)
		tell_no_hosts(arguments);
	else
		tell_sockets(cluster, arguments->cluster_out, from);
	return count > 0 ? 0 : -1;
}

/* Reads all records to LOG, or writes those of SWF to OUTPUT, and reads the cluster
   unless it is made from the records. Returns -1 after a message. */
static int read_all(const struct lxfw_command *command,
		    const struct arguments *arguments, struct lxfw_log *log,
		    struct lxfw_cluster *cluster, struct lxfw_output *output)
{
	bool nodes = arguments->cluster_out && !arguments->cluster;
	struct lxfw_error error;

	if (arguments->cluster && lxfw_cmd_cluster(cluster, arguments->cluster))
		return -1;
	if (arguments->live.url)
		return lxfw_import_live(command, &arguments->live, log,
					nodes ? cluster : NULL);
	for (int i = 0; i < arguments->log_count; i++) {
		if (take_log(arguments, arguments->logs[i], log, output,
			     &error))
			return lxfw_cmd_bad(&error), -1;
	}
	return 0;
}

static int import(const struct lxfw_command *command,
		  const struct arguments *arguments, struct lxfw_log *log,
		  struct lxfw_output *output, struct lxfw_output **hosts)
{
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_error error;
	int result = read_all(command, arguments, log, &cluster, output);

	if (result == 0 && arguments->cluster_out) {
		*hosts = lxfw_output_open(arguments->cluster_out, &error);
		if (!*hosts) {
			lxfw_cmd_bad(&error);
			result = -1;
		}
	}
	if (result == 0 && log->logs > 0 &&
	    write_log(arguments, log, output, &error)) {
		lxfw_cmd_bad(&error);
		result = -1;
	}
	if (result == 0 && *hosts)
		result = write_hosts(arguments, log, &cluster, *hosts);
	lxfw_cluster_clear(&cluster);
	return result;
}

static int print(const struct arguments *arguments, const struct lxfw_log *log)
{
	const struct lxfw_import_history *history = &arguments->history;
	const struct lxfw_import_learned *learned = history->to.path ? &history->learned :
								       NULL;

	if (arguments->summary == LXFW_FORMAT_TABLE) {
		if (learned)
			lxfw_import_history_print(history, stdout);
		return 0;
	}
	if (lxfw_import_summary_print(log, learned, arguments->summary, stdout) == 0)
		return 0;
	lxfw_cmd_note("out of memory");
	return -1;
}

/* The files of a run, each NULL if it is not wanted. */
struct outputs {
	struct lxfw_output *hosts, *workload, *trace;
};

/* Opens the files whose contents do not depend on the logs. With a data base or a workload, a
   trace is written only to a file. */
static int open_outputs(const struct arguments *arguments, struct outputs *outputs)
{
	bool standard = !arguments->out && !arguments->history.to.path && !arguments->workload.path;
	struct lxfw_error error;

	if (arguments->workload.path) {
		outputs->workload = lxfw_output_open(arguments->workload.path, &error);
		if (!outputs->workload)
			return lxfw_cmd_bad(&error);
	}
	if (!arguments->out && !standard)
		return 0;
	outputs->trace = standard ? lxfw_output_standard(&error) :
				    lxfw_output_open(arguments->out, &error);
	return outputs->trace ? 0 : lxfw_cmd_bad(&error);
}

/* Prints the summary, and completes the data base and the files. Each is done only if those
   before it have succeeded, and the files have their names last. The data base is before the
   summary, which states what is new in it: should that fail, a repetition adds nothing. */
static int finish(struct arguments *arguments, const struct lxfw_log *log,
		  const struct outputs *to)
{
	struct lxfw_output *files[] = { to->hosts, to->workload, to->trace };
	const size_t count = sizeof(files) / sizeof(*files);
	struct lxfw_error error;
	int result = 0;

	if (lxfw_output_complete_all(files, count, &error))
		result = lxfw_cmd_bad(&error);
	if (result == 0 && arguments->history.to.path)
		result = lxfw_import_history(&arguments->history, log, arguments->logs[0]);
	if (result == 0)
		result = print(arguments, log);
	if (result == 0)
		result = lxfw_cmd_finish(LXFW_EXIT_DONE);
	for (size_t i = 0; i < count && result; i++)
		lxfw_output_abort(files[i]);
	if (result == 0 && lxfw_output_commit_all(files, count, &error))
		result = lxfw_cmd_bad(&error);
	return result;
}

/* Writes all files or none. */
static int write_all(const struct lxfw_command *command,
		     struct arguments *arguments)
{
	struct lxfw_log log = {
		.zone = arguments->zone,
		/* the data base selects the cluster itself */
		.cluster = arguments->live.url ? NULL : arguments->live.cluster,
		.columns = arguments->columns,
		.want_hosts = arguments->cluster_out && !arguments->cluster &&
			      !arguments->live.url,
	};
	struct lxfw_error error;
	struct outputs to = { NULL };
	int result = open_outputs(arguments, &to);

	/* the hosts, the data base and a workload are made of all jobs in memory */
	if (result == 0 && !log.want_hosts && !arguments->history.to.path && !to.workload &&
	    lxfw_log_bound(&log, memory_of(arguments))) {
		lxfw_error_system(&error, "sorting");
		result = lxfw_cmd_bad(&error);
	}
	if (result == 0)
		result = import(command, arguments, &log, to.trace, &to.hosts);
	if (result == 0 && to.workload)
		result = lxfw_import_workload(&arguments->workload, &log, arguments->logs[0],
					      to.workload);
	if (result) {
		lxfw_output_abort(to.trace);
		lxfw_output_abort(to.workload);
		lxfw_output_abort(to.hosts);
	} else {
		result = finish(arguments, &log, &to);
	}
	lxfw_log_clear(&log);
	return result ? LXFW_EXIT_BAD : LXFW_EXIT_DONE;
}

/* Processes an option for querying a cluster. Returns -1 after a message. */
static int take_live(const struct lxfw_command *command, int option,
		     struct lxfw_import_live *live)
{
	const struct {
		int option;
		const char **text;
	} texts[] = {
		{ SLURM_REST, &live->url }, { SINCE, &live->since },
		{ UNTIL, &live->until }, { TOKEN_FILE, &live->token_file },
		{ JWT_KEY, &live->jwt_key }, { USER, &live->user },
		{ CA_FILE, &live->ca_file },
	};
	bool timeout = option == TIMEOUT;
	int64_t *span = timeout ? &live->timeout : &live->slice;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (texts[i].option == option)
			*texts[i].text = optarg;
	}
	live->allow_http |= option == ALLOW_HTTP;
	if (!timeout && option != SLICE)
		return 0;
	if (lxfw_cmd_duration(command, timeout ? "timeout" : "slice", optarg,
			      span))
		return -1;
	if (*span < 1 || *span > 366 * 86400)
		return lxfw_cmd_misuse(command, "--%s %s, expected from a second "
			"to a year", timeout ? "timeout" : "slice", optarg), -1;
	return 0;
}

static int take_memory(const struct lxfw_command *command, struct arguments *to)
{
	const struct lxfw_slice size = { optarg, strlen(optarg) };
	int64_t kb;

	if (!lxfw_slice_size(size, 1, &kb) || kb < 1 || kb > INT64_C(1) << 30)
		return lxfw_cmd_bad_value(command, "memory", optarg, "a size such as 768M, "
					  "from 1K to 1T");
	to->memory = (size_t)kb << 10;
	return 0;
}

/* Sets *PATH to a file that is written, once: of two, one would be absent without a word. */
static int take_file(const struct lxfw_command *command, const char *option, const char *text,
		     const char **path)
{
	if (*path)
		return lxfw_cmd_misuse(command, "--%s is given twice, expected one file", option);
	if (!*text || strcmp(text, "-") == 0)
		return lxfw_cmd_bad_value(command, option, text, "the name of a file");
	*path = text;
	return 0;
}

/* FORM:FILE */
static int take_workload(const struct lxfw_command *command, struct lxfw_import_workload *to)
{
	struct lxfw_import_workload workload;

	if (!lxfw_import_workload_parse(optarg, &workload))
		return lxfw_cmd_bad_value(command, "workload-out", optarg,
					  "batsim:FILE or batsim5:FILE");
	to->version = workload.version;
	return take_file(command, "workload-out", workload.path, &to->path);
}

static int take_option(const struct lxfw_command *command, int option,
		       int position, struct arguments *to)
{
	char formats[LXFW_LOG_FORMAT_NAMES];
	int got = lxfw_cmd_format(command, option, &to->summary);

	if (got)
		return got < 0 ? -1 : 0;
	switch (option) {
	case OUT:
		return take_file(command, "out", optarg, &to->out);
	case CLUSTER_OUT:
		return take_file(command, "cluster-out", optarg, &to->cluster_out);
	case CLUSTER:
		to->cluster = optarg;
		return 0;
	case ZONE:
		to->zone = optarg;
		if (strlen(optarg) < 64 && lxfw_zone_set(optarg))
			return 0;
		return lxfw_cmd_bad_value(command, "tz", optarg, "a time zone "
			"of this system (Debian: tzdata), such as Europe/Berlin");
	case HISTORY:
		to->history.to.path = optarg;
		return 0;
	case MACHINE:
		to->history.to.machine = optarg;
		return lxfw_cmd_history_name(command, optarg);
	case SPEED:
		return lxfw_cmd_number(command, "speed", optarg, 0.001, 1000,
				       &to->history.speed);
	case SLURM_CLUSTER:
		to->live.cluster = optarg;
		return 0;
	case COLUMNS:
		to->columns = optarg;
		return 0;
	case MEMORY:
		return take_memory(command, to);
	case WORKLOAD_OUT:
		return take_workload(command, &to->workload);
	case FORMAT_IN:
		to->format = lxfw_log_format_find(optarg);
		return to->format ? 0 : lxfw_cmd_bad_value(command, "format-in",
			optarg, "%s", lxfw_log_format_names(formats,
							    sizeof(formats)));
	}
	to->of_live = options[position].name;
	return take_live(command, option, &to->live);
}

/* Checks that the options are compatible. */
static int judge(const struct lxfw_command *command,
		 const struct arguments *arguments)
{
	const struct lxfw_import_live *live = &arguments->live;
	const struct lxfw_cmd_file files[] = {
		{ "out", arguments->out, true },
		{ "cluster-out", arguments->cluster_out, true },
		{ "workload-out", arguments->workload.path, true },
		{ "cluster", arguments->cluster, false },
		{ "history", arguments->history.to.path, true },
	};
	const struct lxfw_import_history *history = &arguments->history;

	if (!live->url && arguments->of_live)
		return lxfw_cmd_misuse(command, "--%s without --slurm-rest",
				       arguments->of_live);
	if (live->url && arguments->log_count > 0)
		return lxfw_cmd_misuse(command, "--slurm-rest and %d files, "
			"expected one or the other", arguments->log_count);
	if (arguments->columns && arguments->format != &lxfw_log_table &&
	    (live->url || arguments->format))
		return lxfw_cmd_misuse(command, "--columns without a table, expected "
				       "--format-in table or no --format-in");
	if (live->url && arguments->format)
		return lxfw_cmd_misuse(command, "--format-in with --slurm-rest");
	if (arguments->cluster && !arguments->cluster_out)
		return lxfw_cmd_misuse(command, "--cluster without "
				       "--cluster-out");
	if (history->to.path && !history->to.machine)
		return lxfw_cmd_misuse(command, "--history without --machine, expected the "
				       "name of the machine or cluster of the logs");
	if (!history->to.path && (history->to.machine || history->speed > 0))
		return lxfw_cmd_misuse(command, "--%s without --history",
				       history->to.machine ? "machine" : "speed");
	if (arguments->summary != LXFW_FORMAT_TABLE && !arguments->out && !history->to.path &&
	    !arguments->workload.path)
		return lxfw_cmd_misuse(command, "--format without --out: the "
				       "trace is written to standard output");
	if (live->token_file && live->jwt_key)
		return lxfw_cmd_misuse(command, "--token-file and --jwt-key, "
				       "expected one of them");
	if (!live->url && arguments->log_count == 0)
		return lxfw_cmd_misuse(command, "0 files given, expected LOG...");
	if (lxfw_cmd_files_apart(command, files, sizeof(files) / sizeof(*files),
				 arguments->logs, arguments->log_count))
		return LXFW_EXIT_BAD;
	return LXFW_EXIT_DONE;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = { .summary = LXFW_FORMAT_TABLE };
	int option, position, status;

	while ((option = getopt_long(argc, argv, "h", options, &position)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, position, &arguments))
			return LXFW_EXIT_BAD;
	}
	arguments.logs = argv + optind;
	arguments.log_count = argc - optind;
	status = judge(command, &arguments);
	if (arguments.cluster_out && !arguments.cluster && arguments.log_count == 1 &&
	    lxfw_pbs_folder_has_machine(arguments.logs[0]))
		arguments.cluster = arguments.logs[0];
	return status == LXFW_EXIT_DONE ? write_all(command, &arguments) : status;
}

const struct lxfw_command lxfw_command_import = {
	.name = "import",
	.arguments = "LOG...",
	.summary = "convert accounting of a batch system to a trace",
	.help = help,
	.more_help = more_help,
	.run = run,
};
