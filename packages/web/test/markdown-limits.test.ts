import { describe, expect, it } from 'vitest';
import { splitBlocks } from '../src/markdown/blocks.js';
import { MAX_MARKDOWN_CHARS, readableBlocks } from '../src/markdown/limits.js';

const isReadable = (text: string) => readableBlocks(splitBlocks(text)).every(Boolean);

describe('markdown that is read', () => {
  it.each([
    ['prose', 'Some *words*, `code`, and a [link](https://example.org).\n\n> a quote\n\n1. one\n2. two'],
    ['a long list of names in bold', '- **name**: what it is\n'.repeat(400)],
    ['a nested list', ['- a', '  - b', '    - c', '      > 1. d'].join('\n')],
    ['code with deep indentation and many marks', `\`\`\`\n${' '.repeat(200)}x * y\n\`\`\``],
    ['a table', `|a|b|\n|-|-|\n${'|**1**|_2_|\n'.repeat(300)}`],
  ])('%s', (_name, text) => {
    expect(isReadable(text)).toBe(true);
  });
});

describe('markdown that is shown as it is', () => {
  it.each([
    ['quotes in quotes', `${'>'.repeat(3_000)} a`],
    ['numbered lists in lists', `${'1. '.repeat(500)}a`],
    ['lists in lists by indentation', Array.from({ length: 200 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')],
    ['marks that never close', '*a_ '.repeat(10_000)],
    ['brackets', '['.repeat(10_000)],
    ['links in links', '[a]('.repeat(5_000)],
    ['many paragraphs of marks', `${'*a_ '.repeat(700)}\n\n`.repeat(10)],
    ['very long text', 'word '.repeat(MAX_MARKDOWN_CHARS / 4)],
  ])('%s', (_name, text) => {
    expect(isReadable(text)).toBe(false);
  });
});
