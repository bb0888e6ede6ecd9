import { spawn } from 'node:child_process';
import { print, toTerminal } from './out.js';

/** Shows a long text with the user's pager; prints it when the output is not a terminal. */
export async function page(text: string, wanted: boolean): Promise<void> {
  const pager = process.env.MOORAGE_PAGER ?? process.env.PAGER ?? 'less';
  if (!toTerminal || !wanted || pager === '' || pager === 'cat') return print(text);
  const env = { ...process.env, LESS: process.env.LESS ?? 'FRX' };
  const child = spawn('sh', ['-c', pager], { stdio: ['pipe', 'inherit', 'inherit'], env });
  // While the pager runs, Ctrl-C is meant for it. It may also be left before it has read everything.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  child.stdin.on('error', ignore);
  child.stdin.end(text);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(NOT_FOUND));
    child.once('close', resolve);
  });
  process.off('SIGINT', ignore);
  if (code === NOT_FOUND) print(text);
}

const NOT_FOUND = 127;
