import { parentPort, workerData } from 'node:worker_threads';

/** UTF-16 units shown of a line, and matching lines of one text. */
const MAX_LINE_CHARS = 300;
const MAX_HITS = 200;

const { pattern, ignoreCase } = workerData as { pattern: string; ignoreCase: boolean };
const expression = new RegExp(pattern, ignoreCase ? 'i' : '');

parentPort?.on('message', (text: string) => {
  const hits: { line: number; text: string }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (hits.length >= MAX_HITS) break;
    if (expression.test(line)) hits.push({ line: index + 1, text: line.slice(0, MAX_LINE_CHARS) });
  }
  parentPort?.postMessage(hits);
});
