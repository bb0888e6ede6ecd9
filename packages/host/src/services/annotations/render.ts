import {
  type Annotation,
  anchorOf,
  ExtensionMeta,
  linesOf,
  type MessageAttachment,
  placeNow,
  type TextRange,
  wordsOf,
} from '@moorage/protocol';
import { MAX_RENDERED, MAX_RENDERED_CHARS } from './limits.js';

export interface Rendered {
  readonly annotation: Annotation;
  /** The annotated lines as they were. */
  readonly quote: string | undefined;
}

/** Comments as text for agents: where they are, the lines, and what was written about them. */
export function renderComments(comments: readonly Rendered[], shownPath: (resource: string) => string): string {
  const blocks: string[] = [];
  let chars = 0;
  for (const [index, comment] of comments.slice(0, MAX_RENDERED).entries()) {
    const block = renderComment(index + 1, comment, shownPath);
    chars += block.length;
    if (chars > MAX_RENDERED_CHARS) break;
    blocks.push(block);
  }
  const left = comments.length - blocks.length;
  const more = left > 0 ? [`(${left} more comments are left out.)`] : [];
  const title = comments.length === 1 ? 'One comment on the code:' : `${comments.length} comments on the code:`;
  return [title, ...blocks, ...more].join('\n\n');
}

/** The attachment in text form: agents cannot read channels. */
export function asText(
  { label, range, _meta }: Extract<MessageAttachment, { type: 'annotations' }>,
  text: string,
): MessageAttachment {
  const meta = { ..._meta, [ExtensionMeta.comments]: true };
  return { type: 'simple', label, ...(range && { range }), modelRepresentation: text, _meta: meta };
}

function renderComment(
  number: number,
  { annotation, quote }: Rendered,
  shownPath: (resource: string) => string,
): string {
  const { range, resource, resolved, entries } = annotation;
  const state = resolved ? ' (resolved)' : '';
  const head = `${number}. ${shownPath(resource)}${range ? `, ${linesText(range)}` : ''}${state}`;
  const code = quote === undefined ? [] : [fenced(quote)];
  const thread = entries.map(({ text }) => `- ${wordsOf(text).trim().replaceAll('\n', '\n  ')}`);
  return [head, ...nowText(annotation, shownPath), ...code, ...thread].join('\n');
}

function nowText(annotation: Annotation, shownPath: (resource: string) => string): string[] {
  const anchor = anchorOf(annotation);
  if (anchor?.state === 'outdated') return ['These lines have changed or are gone since the comment was made.'];
  const now = anchor?.state === 'moved' ? placeNow(annotation) : undefined;
  if (!now) return [];
  const where = now.range ? linesText(now.range) : 'the file';
  return [`Now: ${anchor?.resource ? `${shownPath(now.resource)}, ` : ''}${where}.`];
}

function linesText(range: TextRange): string {
  const { start, count } = linesOf(range);
  return count > 1 ? `lines ${start + 1} to ${start + count}` : `line ${start + 1}`;
}

/** Fences code with more backticks than any run in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}
