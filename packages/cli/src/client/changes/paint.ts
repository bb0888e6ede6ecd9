import { colour } from '../output/out.js';
import { plainContent } from '../output/plain.js';

/** A unified diff with colours, and without control characters. */
export function paintDiff(diff: string): string {
  return plainContent(diff)
    .split('\n')
    .map((line) => {
      if (/^(diff --git|index|---|\+\+\+|new file|deleted file|old mode|new mode|similarity|rename|Binary)/.test(line))
        return colour.bold(line);
      return diffPaint(line)(line);
    })
    .join('\n');
}

/** The colour of a line of a hunk. */
export function diffPaint(line: string): (text: string) => string {
  if (line.startsWith('@@')) return colour.cyan;
  if (line.startsWith('+')) return colour.green;
  return line.startsWith('-') ? colour.red : String;
}

/** git's porcelain word diff as running text: `[-removed-]{+added+}`, in colours on a terminal. */
export function paintWordDiff(porcelain: string): string {
  let text = '';
  let inHunk = false;
  for (const line of plainContent(porcelain).split('\n')) {
    if (line.startsWith('diff --git')) inHunk = false;
    if (line.startsWith('@@')) {
      inHunk = true;
      text += `${colour.cyan(line)}\n`;
    } else if (!inHunk) text += `${colour.bold(line)}\n`;
    else if (line === '~') text += '\n';
    else if (line.startsWith('+')) text += colour.green(`{+${line.slice(1)}+}`);
    else if (line.startsWith('-')) text += colour.red(`[-${line.slice(1)}-]`);
    else text += line.slice(1);
  }
  return text;
}
