/** Prints the headings of a Markdown table. All columns but the first are aligned to the right. */
export function printHeadings(headings) {
  printRow(headings);
  printRow(headings.map((_, at) => (at === 0 ? '---' : '---:')));
}

/** Prints one row of a Markdown table. */
export function printRow(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}

/** Prints a Markdown table. */
export function printTable(headings, rows) {
  printHeadings(headings);
  rows.forEach(printRow);
}

/** Formats a share such as 0.03 as `3 %`. */
export const percent = (share) => `${Math.round(100 * share)} %`;
