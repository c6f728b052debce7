/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of all HTML pages: one self-contained file without scripts, with light, dark
 * and print styles. Text from a log must be written with lxfw_html_text() of svg.h.
 * Captions, titles and classes are written without escaping.
 */
#ifndef LXFW_REPORT_PAGE_H
#define LXFW_REPORT_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

/* Returns the last component of a path. */
const char *lxfw_page_base_name(const char *path);

/* Formats "2026-01-31 12:00" in local time of the log. A SIZE of 64 is sufficient. */
const char *lxfw_page_moment(const struct lxfw_calendar *calendar, int64_t time,
			     char *text, size_t size);

/* Writes the page up to the heading. SUBJECT is the name of a log. */
void lxfw_page_begin(struct lxfw_output *output, const char *heading,
		     const char *subject);
void lxfw_page_end(struct lxfw_output *output);

/* Writes a section heading. ID, if not NULL, is a target for links. */
void lxfw_page_section(struct lxfw_output *output, const char *id,
		       const char *heading);

/* Begins a table that scrolls if it is too wide. The caller writes <thead> and
   <tbody>. CAPTION may be NULL. */
void lxfw_page_table_begin(struct lxfw_output *output, const char *caption);
void lxfw_page_table_end(struct lxfw_output *output);

/* Begins a row of figures, as many side by side as fit. */
void lxfw_page_figures_begin(struct lxfw_output *output);
void lxfw_page_figures_end(struct lxfw_output *output);

/* Begins a row of cards, each with a heading. The caller writes <p> elements. */
void lxfw_page_cards_begin(struct lxfw_output *output);
void lxfw_page_cards_end(struct lxfw_output *output);
void lxfw_page_card_begin(struct lxfw_output *output, const char *title);
void lxfw_page_card_end(struct lxfw_output *output);

/* Writes a change such as "+12 %", or "12 times" for a large one. WHAT is the unit.
   Writes nothing for an infinite change. */
void lxfw_page_change(struct lxfw_output *output, double change, const char *what);

/* Returns the change in per cent of BEFORE, or INFINITY if BEFORE is 0 and AFTER is
   not. */
double lxfw_page_change_of(double before, double after);

/* Writes a line to be copied; one click selects all of it. */
void lxfw_page_copy_line(struct lxfw_output *output, const char *text);

/* Writes the contents of <style>. */
void lxfw_page_style(struct lxfw_output *output);

#endif
