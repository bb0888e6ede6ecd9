import { run } from './run-from-small-process.js';

/** An identity, and no other git after each commit to see whether there is something to tidy up. */
const SETTINGS = [
  'user.name=Test',
  'user.email=test@localhost',
  'commit.gpgsign=false',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** Runs git in a folder, as somebody whose name needs no settings; gives what it says, to the byte. */
export function gitOutput(folder: string, ...args: string[]): string {
  return run('git', ['-C', folder, ...SETTINGS, ...args]).toString();
}

/** The same, for what is one word or line. */
export function gitIn(folder: string, ...args: string[]): string {
  return gitOutput(folder, ...args).trim();
}

/** Makes a repository of a folder, with all that is in it committed. */
export function commitAll(folder: string): void {
  gitIn(folder, 'init', '-q', '-b', 'main');
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'start');
}
