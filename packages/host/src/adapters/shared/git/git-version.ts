import { Git } from './git.js';

let asked: Promise<readonly [number, number]> | undefined;

/** Whether the installed git is at least this version. A git that does not say counts as old. */
export async function isGitSince(major: number, minor: number): Promise<boolean> {
  asked ??= ask();
  const [installedMajor, installedMinor] = await asked.catch(() => {
    asked = undefined;
    return [0, 0] as const;
  });
  return installedMajor > major || (installedMajor === major && installedMinor >= minor);
}

async function ask(): Promise<readonly [number, number]> {
  const [, major, minor] = (await new Git().run(['version'], { cwd: '/' })).toString().match(/(\d+)\.(\d+)/) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0)];
}
