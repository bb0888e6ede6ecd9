import { printLine } from './out.js';

/** Prints rows in columns. Cells must be plain text, so that their length is their width; `paint` colours a padded cell. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  for (const [index, row] of [head, ...rows].entries()) {
    const cells = row.map((cell, column) => {
      const isLast = column === row.length - 1;
      return paint(isLast ? cell : cell.padEnd(widths[column] ?? 0), column, index - 1);
    });
    printLine(cells.join('  '));
  }
}
