import type { StringOrMarkdown } from '@moorage/protocol';
import { visible } from '../ui/visible.js';
import { Markdown } from './Markdown.js';

/** Shows a value that the protocol allows as plain text or as markdown. */
export function Text({ value }: { readonly value: StringOrMarkdown | undefined }) {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : <Markdown text={value.markdown} />;
}

/** The same, with invisible characters made visible: for text that the user approves. */
export function VisibleText({ value }: { readonly value: StringOrMarkdown | undefined }) {
  if (value === undefined) return null;
  return <Text value={typeof value === 'string' ? visible(value) : { markdown: visible(value.markdown) }} />;
}

export function plainText(value: StringOrMarkdown | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : value.markdown;
}
