import { withLineEndingsOf } from '../../shared/files/line-endings.js';

/** A change as an agent tells it: of the whole file, or of the lines that change. */
export interface ToldDiff {
  /** Undefined: the agent says nothing of what was there before; it may have been a file all the same. */
  readonly oldText: string | undefined;
  readonly newText: string;
}

/** A file at some moment: its text, null when there was none, undefined when nobody knows. */
export type FileText = string | null | undefined;

export interface WholeDiff {
  /** Null: there was no file. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** What is known of the file that a call changes. */
export interface KnownFile {
  /** Before the call changed it, as far as anybody could look in time. */
  readonly before: FileText;
  /** As it is now, which may be before or after the change. */
  readonly now: FileText;
  /** All places that fit are changed, not one. */
  readonly everywhere: boolean;
}

/**
 * The changes that one call makes to one file, as one change of the whole file. Undefined when what is told does not fit
 * to what is there: then only the agent knows what it means.
 */
export function wholeDiff(diffs: readonly ToldDiff[], { before, now, everywhere }: KnownFile): WholeDiff | undefined {
  const made = madeFrom(before, diffs, everywhere);
  if (made && made.newText === now) return made;
  // The file has changed since it was looked at: it is as the call left it, or others have changed it before the call.
  if (typeof now === 'string' && now !== before) return undone(now, diffs) ?? made;
  return made;
}

function madeFrom(before: FileText, diffs: readonly ToldDiff[], everywhere: boolean): WholeDiff | undefined {
  if (before === undefined) return undefined;
  let text: string | null = before;
  for (const diff of diffs) {
    const next = applied(text, diff, everywhere);
    if (next === undefined) return undefined;
    text = next;
  }
  // Who looked too late sees what the call has written already.
  return text === null || text === before ? undefined : { oldText: before, newText: text };
}

function applied(text: string | null, { oldText, newText }: ToldDiff, everywhere: boolean): string | undefined {
  if (oldText === undefined || oldText === text) return newText;
  if (text === null) return oldText === '' ? newText : undefined;
  return replaced(text, oldText, newText, everywhere);
}

/** The same change seen from its end. */
function undone(now: string, diffs: readonly ToldDiff[]): WholeDiff | undefined {
  let text = now;
  for (const { oldText, newText } of diffs.toReversed()) {
    if (oldText === undefined) return undefined; // what was there is gone
    const before = text === newText ? oldText : replaced(text, newText, oldText, false);
    if (before === undefined) return undefined;
    text = before;
  }
  return { oldText: text, newText: now };
}

/** The text with a part of it replaced; undefined unless it is clear which part is meant. */
function replaced(text: string, part: string, by: string, everywhere: boolean): string | undefined {
  const from = text.includes(part) ? part : withLineEndingsOf(text, part);
  const to = from === part ? by : withLineEndingsOf(text, by);
  const at = from === '' ? -1 : text.indexOf(from);
  if (at < 0) return undefined;
  if (everywhere) return text.split(from).join(to);
  return text.indexOf(from, at + 1) < 0 ? text.slice(0, at) + to + text.slice(at + from.length) : undefined;
}
