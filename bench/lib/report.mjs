const HEADINGS = ['name', 'baseline', 'ours', 'ratio', 'goal', 'met?'];

/** The results as a table for people. Times are of this run on this machine; only the ratios can be compared. */
export function asTable(results) {
  const rows = [HEADINGS, ...results.map(toRow)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column], column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toRow(result) {
  return result.cannot === undefined ? measuredRow(result) : [result.name, '', '', '', '', result.cannot];
}

function measuredRow({ name, unit, baselineNs, oursNs, ratio, goal, met, exponent, difference }) {
  const show = { bytes, count, time }[unit];
  const label = exponent === undefined ? name : `${name} (exponent ${exponent.toFixed(2)})`;
  return [label, show(baselineNs), show(oursNs), times(ratio), goalText(goal), verdict(goal, met, difference)];
}

function verdict(goal, met, difference) {
  if (difference) return 'WRONG';
  if (Object.values(goal).every((value) => value === undefined)) return '';
  return met ? 'yes' : 'NO';
}

function goalText({ atLeast, atMost, growsAtMost }) {
  if (growsAtMost !== undefined) return `^${growsAtMost}`;
  if (atLeast !== undefined) return `>= ${atLeast}x`;
  return atMost === undefined ? '' : `<= ${atMost}x`;
}

function time(nanoseconds) {
  if (nanoseconds < 1000) return `${nanoseconds.toFixed(1)} ns`;
  return nanoseconds < 1e6 ? `${(nanoseconds / 1000).toFixed(2)} us` : `${(nanoseconds / 1e6).toFixed(1)} ms`;
}

/** Bytes were given in place of milliseconds. */
function bytes(nanoseconds) {
  const count = nanoseconds / 1e6;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** A number was given in place of milliseconds. */
function count(nanoseconds) {
  return (nanoseconds / 1e6).toFixed(0);
}

function times(ratio) {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)}x`;
}

function pad(cell, width, column) {
  const isNumber = column >= 1 && column <= 4;
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}
