import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { findProgram } from '../../shared/find-program.js';
import { MAX_LINES, SEARCH_MS, type Search, type SearchResult } from './search-files.js';

/** Characters of ripgrep's output that are read; its own limits usually keep it far below. */
const MAX_OUTPUT_CHARS = 1024 * 1024;

/** Searches below a folder, which must be inside the workspace; undefined when ripgrep is missing or fails. */
export async function ripgrep(
  { pattern, glob, ignoreCase }: Search,
  shown: string,
  cwd: string,
  signal: AbortSignal,
): Promise<SearchResult | undefined> {
  const program = findProgram('rg');
  if (program === undefined) return undefined;
  const args = [
    '--no-config', // which could name programs to run
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--color=never',
    '--sort=path',
    '--max-columns=300',
    '--max-columns-preview',
    '--max-filesize=1M',
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    `--regexp=${pattern}`,
    '--',
    shown === '' ? '.' : isAbsolute(shown) ? shown : `./${shown}`,
  ];
  const output = await run(program, args, cwd, signal);
  if (output === undefined) return undefined;
  const lines = output.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^\.\//, '')]));
  const notes = lines.length > MAX_LINES ? [`only the first ${MAX_LINES} lines are shown`] : [];
  return { lines: lines.slice(0, MAX_LINES), notes };
}

/** Its output; undefined when it failed, for example because its regular expressions differ from JavaScript's. */
function run(program: string, args: string[], cwd: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: SEARCH_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    child.on('error', () => resolve(undefined));
    if (!child.stdout) return; // there are no file handles left, which the error says
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT_CHARS) child.kill('SIGKILL');
    });
    // 1 means that nothing was found; if it was killed for too much output, it has found enough.
    child.on('close', (code) =>
      resolve(code === 0 || code === 1 || output.length > MAX_OUTPUT_CHARS ? output : undefined),
    );
  });
}
