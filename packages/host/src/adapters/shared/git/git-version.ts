import { git } from './git.js';

let asked: Promise<readonly [number, number]> | undefined;

/** Whether the git that is installed is that new; one that does not say is taken for an old one. */
export async function isGitSince(major: number, minor: number): Promise<boolean> {
  asked ??= ask();
  const [ownMajor, ownMinor] = await asked.catch(() => {
    asked = undefined;
    return [0, 0] as const;
  });
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

async function ask(): Promise<readonly [number, number]> {
  const [, major, minor] = (await git(['version'], { cwd: '/' })).toString().match(/(\d+)\.(\d+)/) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0)];
}
