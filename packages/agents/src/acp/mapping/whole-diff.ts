import { withLineEndingsOf } from '../../shared/files/line-endings.js';

/** A change as an agent reports it: of the whole file, or of the lines that change. */
export interface ReportedDiff {
  /** Undefined when the agent does not say; there may have been a file all the same. */
  readonly oldText: string | undefined;
  readonly newText: string;
}

/** A file at some moment: its text, null when there was none, undefined when it is unknown. */
export type FileText = string | null | undefined;

export interface WholeDiff {
  /** Null when there was no file. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** What is known of the file that a call changes. */
export interface KnownFile {
  /** Before the call changed it, if we looked in time. */
  readonly before: FileText;
  /** Right now, which may be before or after the change. */
  readonly now: FileText;
  /** Whether every occurrence is replaced, not just one. */
  readonly everywhere: boolean;
}

/**
 * The changes that one call makes to one file, as one change of the whole file. Undefined when they do not fit what is in
 * the file: then only the agent knows what it means.
 */
export function wholeDiff(
  diffs: readonly ReportedDiff[],
  { before, now, everywhere }: KnownFile,
): WholeDiff | undefined {
  const made = madeFrom(before, diffs, everywhere);
  if (made && made.newText === now) return made;
  // The file has changed since we looked: by the call itself, or by somebody else before it.
  if (typeof now === 'string' && now !== before) return undone(now, diffs) ?? made;
  return made;
}

function madeFrom(before: FileText, diffs: readonly ReportedDiff[], everywhere: boolean): WholeDiff | undefined {
  if (before === undefined) return undefined;
  let text: string | null = before;
  for (const diff of diffs) {
    const next = applied(text, diff, everywhere);
    if (next === undefined) return undefined;
    text = next;
  }
  // If we looked too late, the file already has what the call wrote.
  return text === null || text === before ? undefined : { oldText: before, newText: text };
}

function applied(text: string | null, { oldText, newText }: ReportedDiff, everywhere: boolean): string | undefined {
  if (oldText === undefined || oldText === text) return newText;
  if (text === null) return oldText === '' ? newText : undefined;
  return replaced(text, oldText, newText, everywhere);
}

/** The same, worked out backwards from the result. */
function undone(now: string, diffs: readonly ReportedDiff[]): WholeDiff | undefined {
  let text = now;
  for (const { oldText, newText } of diffs.toReversed()) {
    if (oldText === undefined) return undefined; // what was there before is gone
    const before = text === newText ? oldText : replaced(text, newText, oldText, false);
    if (before === undefined) return undefined;
    text = before;
  }
  return { oldText: text, newText: now };
}

/** The text with a part replaced; undefined unless it is clear which part is meant. */
function replaced(text: string, part: string, by: string, everywhere: boolean): string | undefined {
  const from = text.includes(part) ? part : withLineEndingsOf(text, part);
  const to = from === part ? by : withLineEndingsOf(text, by);
  const at = from === '' ? -1 : text.indexOf(from);
  if (at < 0) return undefined;
  if (everywhere) return text.split(from).join(to);
  return text.indexOf(from, at + 1) < 0 ? text.slice(0, at) + to + text.slice(at + from.length) : undefined;
}
