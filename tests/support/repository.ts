import { execFileSync } from 'node:child_process';

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];
/** Bytes of output; lists of very many files are long. */
const MAX_OUTPUT = 1 << 28;

/** Runs git in a folder, as somebody whose name needs no settings; gives what it says, to the byte. */
export function gitOutput(folder: string, ...args: string[]): string {
  const options = { encoding: 'utf8', stdio: 'pipe', maxBuffer: MAX_OUTPUT } as const;
  return execFileSync('git', ['-C', folder, ...IDENTITY, ...args], options);
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
