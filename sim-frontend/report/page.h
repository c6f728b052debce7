/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of all pages: one HTML file that needs nothing else, without scripts; light,
 * dark and printed. Text that comes from a log goes through lxfw_html_text() of svg.h;
 * what is called a caption, a title or a class here is our own and is written as it is.
 */
#ifndef LXFW_REPORT_PAGE_H
#define LXFW_REPORT_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/output.h"

/* The last part of a path. */
const char *lxfw_page_base_name(const char *path);

/* "2026-01-31 12:00" in the log's time; SIZE 64 is enough. */
const char *lxfw_page_moment(const struct lxfw_calendar *calendar, int64_t time,
			     char *text, size_t size);

/* From the first byte to the heading; SUBJECT is the name of a log. */
void lxfw_page_begin(struct lxfw_output *output, const char *heading,
		     const char *subject);
void lxfw_page_end(struct lxfw_output *output);

/* A heading, which links may lead to where ID is not NULL. */
void lxfw_page_section(struct lxfw_output *output, const char *id,
		       const char *heading);

/* A table that scrolls where it is too wide. Between: <thead> and <tbody>. CAPTION may
   be NULL. */
void lxfw_page_table_begin(struct lxfw_output *output, const char *caption);
void lxfw_page_table_end(struct lxfw_output *output);

/* Figures side by side, as many as have room. */
void lxfw_page_figures_begin(struct lxfw_output *output);
void lxfw_page_figures_end(struct lxfw_output *output);

/* Cards side by side, each with a heading. Between: <p> with what it says. */
void lxfw_page_cards_begin(struct lxfw_output *output);
void lxfw_page_cards_end(struct lxfw_output *output);
void lxfw_page_card_begin(struct lxfw_output *output, const char *title);
void lxfw_page_card_end(struct lxfw_output *output);

/* "+12 %", of what it was; "12 times" of much more; WHAT is the unit. Nothing where it
   was 0 and is not. */
void lxfw_page_change(struct lxfw_output *output, double change, const char *what);

/* Per cent of BEFORE; INFINITY where that is 0 and AFTER is not. */
double lxfw_page_change_of(double before, double after);

/* A line to be copied: one click marks all of it. */
void lxfw_page_copy_line(struct lxfw_output *output, const char *text);

/* What stands in <style>. */
void lxfw_page_style(struct lxfw_output *output);

#endif
