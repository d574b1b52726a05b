// Package textfmt fits text into terminal cells: widths, cuts, padding, numbers
// with separators, and text of unknown origin made safe to print.
//
// Input and output are strings; widths are in terminal cells, where a wide
// character takes two. Nothing depends on the locale or the environment.
//
// Allowed imports: the standard library, clipperhouse/displaywidth.
package textfmt
