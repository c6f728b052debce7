/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/whole_file.h"

#define NUMBER_MAX ((UINT64_C(1) << 31) - 1)
/* The first job of a server has the number 0, which no job of the library may have. */
#define NUMBER_OF_ZERO (UINT64_C(1) << 31)
#define HEADER "lxfw-pbs-records 1"

uint64_t lxfw_pbs_id(uint64_t number, int64_t task)
{
	if (number > NUMBER_MAX || task > INT32_MAX - 2)
		return 0;
	if (number == 0)
		number = NUMBER_OF_ZERO;
	return task < 0 ? number : (uint64_t)(task + 1) << 32 | number;
}

static uint32_t enter(struct lxfw_pbs_records *records, uint64_t number, int64_t task,
		      uint32_t record)
{
	if (LXFW_GROW(records->record, records->size, records->count + 1) ||
	    lxfw_id_map_add(&records->by_id, lxfw_pbs_id(number, task),
			    (int32_t)records->count))
		return 0;
	if (lxfw_id_map_add(&records->used, record, 1)) {
		lxfw_id_map_remove(&records->by_id, lxfw_pbs_id(number, task));
		return 0;
	}
	records->record[records->count++] = (struct lxfw_pbs_record){
		.number = number, .task = task, .record = record, .seen = true
	};
	return record;
}

uint32_t lxfw_pbs_record(struct lxfw_pbs_records *records, uint64_t number, int64_t task)
{
	uint64_t id = lxfw_pbs_id(number, task);
	int32_t index;

	if (id == 0)
		return 0;
	if (task < 0)
		return (uint32_t)id;
	index = lxfw_id_map_get(&records->by_id, id);
	if (index >= 0) {
		records->record[index].seen = true;
		return records->record[index].record;
	}
	do {
		if (records->next < LXFW_PBS_RECORDS_FIRST || records->next == UINT32_MAX)
			records->next = LXFW_PBS_RECORDS_FIRST;
	} while (lxfw_id_map_get(&records->used, records->next++) >= 0);
	records->dirty = true;
	return enter(records, number, task, records->next - 1);
}

void lxfw_pbs_records_sweep(struct lxfw_pbs_records *records)
{
	for (size_t i = 0; i < records->count;) {
		struct lxfw_pbs_record *record = &records->record[i];

		if (record->seen) {
			record->seen = false;
			i++;
			continue;
		}
		lxfw_id_map_remove(&records->by_id,
				   lxfw_pbs_id(record->number, record->task));
		lxfw_id_map_remove(&records->used, record->record);
		*record = records->record[--records->count];
		if (i < records->count)
			lxfw_id_map_set(&records->by_id,
					lxfw_pbs_id(record->number, record->task),
					(int32_t)i);
		records->dirty = true;
	}
}

int lxfw_pbs_records_read(struct lxfw_pbs_records *records, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[128];
	int rc = 0;

	if (!file)
		return errno == ENOENT ? 0 : -1;
	if (!fgets(line, sizeof(line), file) ||
	    sscanf(line, HEADER " %" SCNu32, &records->next) != 1) {
		fclose(file);
		errno = EBADMSG;
		return -1;
	}
	while (fgets(line, sizeof(line), file)) {
		uint64_t number;
		int64_t task;
		uint32_t record;
		int end = 0;

		if (sscanf(line, "%" SCNu64 " %" SCNd64 " %" SCNu32 "%n", &number, &task,
			   &record, &end) != 3 || line[end] != '\n' || task < 0 ||
		    record < LXFW_PBS_RECORDS_FIRST || lxfw_pbs_id(number, task) == 0 ||
		    lxfw_id_map_get(&records->by_id, lxfw_pbs_id(number, task)) >= 0 ||
		    lxfw_id_map_get(&records->used, record) >= 0) {
			errno = EBADMSG;
			rc = -1;
			continue;
		}
		if (!enter(records, number, task, record)) {
			rc = -1;
			break;
		}
	}
	fclose(file);
	return rc;
}

int lxfw_pbs_records_write(struct lxfw_pbs_records *records, const char *path)
{
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);
	int rc;

	if (!stream)
		return -1;
	fprintf(stream, HEADER " %" PRIu32 "\n", records->next);
	for (size_t i = 0; i < records->count; i++)
		fprintf(stream, "%" PRIu64 " %" PRId64 " %" PRIu32 "\n",
			records->record[i].number, records->record[i].task,
			records->record[i].record);
	if (fclose(stream) != 0) {
		free(text);
		return -1;
	}
	rc = lxfw_whole_file_write(path, text, length);
	free(text);
	if (rc == 0)
		records->dirty = false;
	return rc;
}

void lxfw_pbs_records_clear(struct lxfw_pbs_records *records)
{
	free(records->record);
	lxfw_id_map_clear(&records->by_id);
	lxfw_id_map_clear(&records->used);
	memset(records, 0, sizeof(*records));
}
