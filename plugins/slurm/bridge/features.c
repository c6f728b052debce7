/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/features.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

static bool same_nodes(const bitstr_t *one, const bitstr_t *other)
{
	if (!one || !other)
		return one == other;
	return bit_size((bitstr_t *)one) == bit_size((bitstr_t *)other) &&
	       bit_equal((bitstr_t *)one, (bitstr_t *)other);
}

static bool is_same(const struct lxfw_feature *feature, const node_feature_t *now)
{
	return strcmp(feature->name, now->name ? now->name : "") == 0 &&
	       same_nodes(feature->nodes, now->node_bitmap);
}

static bool are_same(const struct lxfw_features *features)
{
	lxfw_slurm_iterator each;
	const node_feature_t *now;
	size_t count = 0;
	bool same = true;

	if (!avail_feature_list)
		return features->count == 0;
	each = list_iterator_create(avail_feature_list);
	while (same && (now = list_next(each)) != NULL) {
		same = count < features->count && is_same(&features->feature[count], now);
		count++;
	}
	list_iterator_destroy(each);
	return same && count == features->count;
}

static bool note(struct lxfw_features *features, const node_feature_t *now)
{
	struct lxfw_feature *feature;
	char *name = strdup(now->name ? now->name : "");

	if (!name || LXFW_GROW(features->feature, features->size, features->count + 1)) {
		free(name);
		return false;
	}
	feature = &features->feature[features->count++];
	feature->name = name;
	feature->nodes = now->node_bitmap ? bit_copy(now->node_bitmap) : NULL;
	return true;
}

static void forget(struct lxfw_features *features)
{
	for (size_t i = 0; i < features->count; i++) {
		free(features->feature[i].name);
		FREE_NULL_BITMAP(features->feature[i].nodes);
	}
	features->count = 0;
}

bool lxfw_features_changed(struct lxfw_features *features)
{
	lxfw_slurm_iterator each;
	const node_feature_t *now;

	if (are_same(features))
		return false;
	forget(features);
	if (!avail_feature_list)
		return true;
	each = list_iterator_create(avail_feature_list);
	while ((now = list_next(each)) != NULL && note(features, now))
		;
	list_iterator_destroy(each);
	return true;
}

void lxfw_features_clear(struct lxfw_features *features)
{
	forget(features);
	free(features->feature);
	*features = (struct lxfw_features){ 0 };
}
