import type { StringOrMarkdown } from '@ahpd/protocol';
import { Markdown } from '../markdown/Markdown.js';

/** What the protocol allows as text or as markdown. */
export function Text({ value }: { readonly value: StringOrMarkdown | undefined }) {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : <Markdown text={value.markdown} />;
}

export function plainText(value: StringOrMarkdown | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : value.markdown;
}
