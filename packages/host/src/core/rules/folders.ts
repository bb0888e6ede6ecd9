import type { URI } from '@moorage/protocol';
import { CONFIRM, unless, type Verdict } from './verdict.js';

/** The folders of a session or chat, and what decides whether they may change. */
export interface Holder {
  readonly folders: readonly URI[];
  /** Whether a turn works in them: what it does in a folder is known only if the folder was there when it began. */
  readonly isBusy: boolean;
  readonly problem: (folders: readonly URI[]) => string | undefined;
}

/** A folder is added after the others. The first one is named when the session or chat is made. */
export function mayAdd(directory: URI, { folders, isBusy, problem }: Holder): Verdict {
  if (folders.includes(directory)) return CONFIRM;
  return unless((folders.length === 0 && NO_FIRST) || (isBusy && BUSY) || problem([...folders, directory]));
}

export function mayRemove(directory: URI, { folders, isBusy }: Holder): Verdict {
  return unless(notOther(directory, folders) || (isBusy && BUSY));
}

export function mayReplace(directory: URI, replacement: URI, { folders, isBusy, problem }: Holder): Verdict {
  if (folders.includes(directory) && directory === replacement) return CONFIRM;
  const after = folders.filter((one) => one !== replacement).map((one) => (one === directory ? replacement : one));
  return unless(notOther(directory, folders) || (isBusy && BUSY) || problem(after));
}

function notOther(directory: URI, folders: readonly URI[]): string | undefined {
  if (!folders.includes(directory)) return 'that folder is not one of them';
  return folders[0] === directory ? 'the first folder stays the same (immutablePrimary)' : undefined;
}

const BUSY = 'a turn is at work; add, remove or replace folders when it is over';
const NO_FIRST = 'without a folder of its own it cannot get further ones';
