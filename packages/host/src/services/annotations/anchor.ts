import type { AnnotationAnchor, TextRange } from '@moorage/protocol';
import { hasLines, remember, textAt } from './evidence.js';
import type { Followed } from './followed.js';
import { MAX_QUOTE_CHARS } from './limits.js';
import { locate } from './locate.js';

/** Records the annotated lines, from the version of the text that the range refers to. */
export function follow(subject: Followed, text: string): Followed {
  if (!subject.range) return subject;
  const evidence = remember(text, subject.range);
  const isOtherText = subject.seen !== undefined && !hasLines(text, subject.range, subject.seen);
  if (!evidence || isOtherText) return { ...subject, isNowhere: true };
  return { ...subject, evidence, quote: textAt(text, subject.range).slice(0, MAX_QUOTE_CHARS) };
}

/**
 * Where the annotated lines are in a version of the file. Undefined if they were never recorded; `text` is undefined if
 * the file is gone.
 */
export function anchorIn(followed: Followed, text: string | undefined): AnnotationAnchor | undefined {
  const { turnId, range, evidence, quote, isNowhere } = followed;
  const outdated: AnnotationAnchor = { state: 'outdated', turnId, ...(quote !== undefined && { quote }) };
  if (isNowhere || text === undefined) return outdated;
  if (!range) return { state: 'here', turnId };
  if (!evidence) return undefined;
  const place = locate(evidence, text);
  if (place.kind === 'lost') return outdated;
  const { start, count, isExact } = place;
  if (isExact && start === range.start.line) return { state: 'here', turnId };
  return {
    state: 'moved',
    turnId,
    range: isExact ? shifted(range, start - range.start.line) : wholeLines(start, count),
  };
}

function shifted({ start, end }: TextRange, by: number): TextRange {
  return { start: { ...start, line: start.line + by }, end: { ...end, line: end.line + by } };
}

function wholeLines(start: number, count: number): TextRange {
  return { start: { line: start, character: 0 }, end: { line: start + count, character: 0 } };
}
