/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw describe: reports the characteristics of a workload. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/job_classes.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/report/description.h"
#include "sim-frontend/report/description_page.h"
#include "sim-frontend/trace/job_classes_text.h"
#include "sim-frontend/trace/pbs_folder.h"
#include "sim-frontend/util/text.h"

#define O2K "ncsa-o2k"

static const char help[] =
"\n"
"Print the characteristics of a workload: demand for processors and memory by\n"
"month, class, requested time and processors; run times, arrivals, and how much\n"
"of the requested resources the jobs use.\n"
"\n"
"TRACE is a log in the Standard Workload Format or the accounting of a batch\n"
"system, plain or compressed; '-' is standard input. A month that 'lxfw generate\n"
"ncsa-o2k' has generated is compared with the figures of Chiang and Vernon 2001,\n"
"with a verdict on each; the week before the month is left out.\n"
"\n"
"Options:\n"
"  --cluster procs=N|FILE|slurm.conf\n"
"                       cluster that the demand is relative to (default: the\n"
"                       number of processors in the header of TRACE)\n"
"  --classes FILE|ncsa-o2k\n"
"                       job classes, see 'lxfw simulate'; a FILE requires\n"
"                       --cluster\n"
"  --memory kb-per-proc|kb-per-job|bytes-per-job|none\n"
"                       unit of the memory columns of TRACE (default: KB per\n"
"                       processor, as the format defines)\n"
"  --format table|json|csv\n"
"                       output format (default: table)\n"
"  --json               same as --format json\n"
"  --report FILE.html   a self-contained HTML page with figures\n"
"  -h, --help           print this help and exit\n"
"  --version            print the version and exit\n"
"\n"
"Example:\n"
"  lxfw describe --report page.html log.swf.gz\n"
"\n"
"Exit status: 0 success; 1 a generated month deviates from the paper; 2 invalid\n"
"usage or input.\n";

enum { CLUSTER = LXFW_OPTION_FIRST, CLASSES, MEMORY, REPORT };

static const struct option options[] = {
	{ "cluster", required_argument, NULL, CLUSTER },
	{ "classes", required_argument, NULL, CLASSES },
	{ "memory", required_argument, NULL, MEMORY },
	LXFW_FORMAT_OPTIONS,
	{ "report", required_argument, NULL, REPORT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	const char *trace, *cluster, *classes, *report;
	enum lxfw_trace_memory memory;
	enum lxfw_format format;
};

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	int kind = lxfw_cmd_format(command, option, &to->format);

	switch (option) {
	case CLUSTER:
		to->cluster = optarg;
		break;
	case CLASSES:
		to->classes = optarg;
		break;
	case MEMORY:
		kind = lxfw_cmd_choice(command, "memory", optarg,
				       "kb-per-proc|kb-per-job|bytes-per-job|"
				       "none");
		to->memory = (enum lxfw_trace_memory)kind;
		break;
	case REPORT:
		to->report = optarg;
		break;
	}
	return kind < 0 ? -1 : 0;
}

/* Job classes in the order of table 4: all times of the smallest size first. */
struct classes {
	struct lxfw_job_classes *classes;
	char (*names)[2 * LXFW_CLASS_NAME_SIZE];
	const char **name_list;
};

static void classes_clear(struct classes *classes)
{
	free(classes->classes);
	free(classes->names);
	free(classes->name_list);
}

static int class_of(const void *context, const struct lxfw_trace_job *job)
{
	const struct lxfw_job_classes *classes = context;
	const struct lxfw_request request = {
		.estimate = job->limit,
		.unit = {
			.procs = job->procs,
			.memory_mb = lxfw_job_memory_mb(job),
		},
		.shape = LXFW_SHAPE_HOSTS,
		.count = 1,
	};
	int32_t class = lxfw_job_class_of(classes, &request);

	if (class < 0)
		return -1;
	return lxfw_job_class_size(classes, class) * classes->time_count +
	       lxfw_job_class_time(classes, class);
}

/* Returns -1 with errno ENOMEM. */
static int name_classes(struct classes *to, struct lxfw_class_scheme *scheme)
{
	const struct lxfw_job_classes *classes = to->classes;
	size_t count = (size_t)classes->time_count *
		       (size_t)classes->size_count;

	to->names = calloc(count, sizeof(*to->names));
	to->name_list = calloc(count, sizeof(*to->name_list));
	if (!to->names || !to->name_list)
		return -1;
	for (size_t i = 0; i < count; i++) {
		snprintf(to->names[i], sizeof(*to->names), "%s_%s",
			 classes->times[i % (size_t)classes->time_count].name,
			 classes->sizes[i / (size_t)classes->time_count].name);
		to->name_list[i] = to->names[i];
	}
	*scheme = (struct lxfw_class_scheme) {
		.count = count,
		.names = to->name_list,
		.class_of = class_of,
		.context = classes,
	};
	return 0;
}

/* Reads the classes that the user named. Shipped classes include their hosts. Returns
   -1 after a message. */
static int load_classes(const struct lxfw_command *command,
			const struct arguments *arguments,
			struct classes *classes,
			struct lxfw_class_scheme *scheme)
{
	const char *hosts = arguments->cluster;
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_error error;

	if (strcmp(arguments->classes, O2K) == 0)
		hosts = O2K;
	if (!hosts)
		return lxfw_cmd_misuse(command, "--classes %s without the "
				       "hosts that it names, expected "
				       "--cluster",
				       arguments->classes), -1;
	if (lxfw_cmd_cluster(&cluster, hosts))
		return -1;
	classes->classes = lxfw_job_classes_read(arguments->classes, &cluster,
						 &error);
	lxfw_cluster_clear(&cluster);
	if (!classes->classes)
		return lxfw_cmd_bad(&error), -1;
	if (name_classes(classes, scheme))
		return lxfw_cmd_note("out of memory"), -1;
	return 0;
}

/* Determines processors and memory of the machine, as far as they are known, and reads CLUSTER
   if it is described. Returns -1 after a message. */
static int machine(const struct arguments *arguments,
		   const struct lxfw_trace *trace,
		   struct lxfw_description *description, struct lxfw_cluster *cluster)
{
	const char *source = arguments->cluster;

	if (!source && lxfw_pbs_folder_has_machine(arguments->trace))
		source = arguments->trace;
	if (!source && description->check) {
		description->procs = LXFW_NCSA_O2K_PROCS;
		description->memory_mb = LXFW_NCSA_O2K_MEMORY_MB;
		return 0;
	}
	if (!source) {
		description->procs = lxfw_trace_procs(trace);
		return 0;
	}
	if (lxfw_cmd_cluster(cluster, source))
		return -1;
	description->procs = cluster->procs;
	for (int32_t i = 0; cluster->memory_bound && i < cluster->count; i++)
		description->memory_mb += cluster->hosts[i].total.memory_mb;
	return 0;
}

/* Determines the demand for the hosts of each partition. Returns -1 with errno ENOMEM. */
static int find_partitions(struct lxfw_trace *trace, struct lxfw_cluster *cluster,
			   struct lxfw_description *description)
{
	const struct lxfw_character *of = description->character;

	if (cluster->set_count == 0 || !trace->with_owners)
		return 0;
	return lxfw_trace_choose_gres(trace, cluster) || lxfw_trace_take_needs(trace, cluster) ||
	       lxfw_partition_demands_find(&description->partitions, trace, cluster, of->begin,
					   of->end) ? -1 : 0;
}

static int print(const struct lxfw_description *description,
		 enum lxfw_format format)
{
	if (format == LXFW_FORMAT_TABLE) {
		lxfw_description_print(description, stdout);
	} else if (lxfw_description_print_json(description, format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(description->check && !description->check->met ?
			       LXFW_EXIT_NO : LXFW_EXIT_DONE);
}

/* Returns -1 after a message. */
static int write_page(const struct arguments *arguments,
		      const struct lxfw_description *description,
		      const struct lxfw_trace *trace)
{
	struct lxfw_error error;
	struct lxfw_output *page = lxfw_output_open(arguments->report, &error);

	if (!page)
		return lxfw_cmd_bad(&error), -1;
	lxfw_description_page(description, trace, page);
	if (lxfw_output_commit(page, &error))
		return lxfw_cmd_bad(&error), -1;
	return 0;
}

static int describe_trace(const struct arguments *arguments,
			  struct lxfw_trace *trace, int month,
			  const struct lxfw_character_options *how)
{
	struct lxfw_character character;
	struct lxfw_ncsa_o2k_check check;
	struct lxfw_description description = {
		.trace = arguments->trace,
		.character = &character,
		.classes = &how->classes,
		.check = month >= 0 ? &check : NULL,
	};
	struct lxfw_cluster cluster = { 0 };
	int status = LXFW_EXIT_BAD;

	if (machine(arguments, trace, &description, &cluster))
		return LXFW_EXIT_BAD;
	if (lxfw_character_of(&character, trace, how)) {
		lxfw_cmd_note("out of memory");
		lxfw_cluster_clear(&cluster);
		return LXFW_EXIT_BAD;
	}
	if (month >= 0)
		lxfw_ncsa_o2k_check_month(&check, month, &character, trace);
	if (character.all.jobs == 0)
		lxfw_cmd_note("%s: no jobs remain to describe",
			      arguments->trace);
	else if (find_partitions(trace, &cluster, &description))
		lxfw_cmd_note("out of memory");
	else if (!arguments->report ||
		 write_page(arguments, &description, trace) == 0)
		status = print(&description, arguments->format);
	lxfw_character_clear(&character);
	lxfw_partition_demands_clear(&description.partitions);
	lxfw_cluster_clear(&cluster);
	return status;
}

static int read_trace(const struct arguments *arguments,
		      struct lxfw_trace *trace)
{
	if ((arguments->cluster ? lxfw_cmd_trace_owners : lxfw_cmd_trace)
	    (trace, arguments->trace, arguments->memory))
		return -1;
	if (trace->no_run_time + trace->no_procs > 0)
		lxfw_cmd_note("%s: %zu jobs left out: %zu without run time, "
			      "%zu without processors", arguments->trace,
			      trace->no_run_time + trace->no_procs,
			      trace->no_run_time, trace->no_procs);
	return 0;
}

static int describe(const struct lxfw_command *command,
		    const struct arguments *arguments)
{
	struct lxfw_character_options how = { 0 };
	struct classes classes = { 0 };
	struct lxfw_trace trace;
	int status = LXFW_EXIT_BAD, month;

	if (read_trace(arguments, &trace))
		return LXFW_EXIT_BAD;
	month = lxfw_ncsa_o2k_month_of(&trace);
	if (month >= 0) {
		if (arguments->classes)
			lxfw_cmd_note("%s contains its own classes: --classes "
				      "is ignored", arguments->trace);
		lxfw_ncsa_o2k_character_options(&how, month);
	} else if (arguments->classes &&
		   load_classes(command, arguments, &classes, &how.classes)) {
		goto done;
	}
	status = describe_trace(arguments, &trace, month, &how);
done:
	classes_clear(&classes);
	lxfw_trace_clear(&trace);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = { .format = LXFW_FORMAT_TABLE };
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one "
				       "TRACE", argc - optind);
	arguments.trace = argv[optind];
	if (lxfw_cmd_files_apart(command, (struct lxfw_cmd_file[]) {
					{ "report", arguments.report, true },
					{ "cluster", arguments.cluster, false },
					{ "classes", arguments.classes, false } },
				 3, argv + optind, 1))
		return LXFW_EXIT_BAD;
	return describe(command, &arguments);
}

const struct lxfw_command lxfw_command_describe = {
	.name = "describe",
	.arguments = "TRACE",
	.summary = "print the characteristics of a workload",
	.help = help,
	.run = run,
};
