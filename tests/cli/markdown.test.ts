import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkdownStream } from '../../packages/cli/src/client/turn/markdown-stream.js';

// Without a terminal there are no colours: what is seen here is which marks are read, and when text is written.
function pieces(...chunks: string[]): string[] {
  const stream = new MarkdownStream();
  return [...chunks.map((chunk) => stream.push(chunk)), stream.flush()];
}

describe('markdown on a terminal', () => {
  it.each([
    ['Some **bold**, _slanted_ and `a * b` text.', 'Some bold, slanted and a * b text.'],
    ['# Title\n- one\n  * two\n> said', '# Title\n• one\n  • two\n│ said'],
    ['```ts\nconst **a** = 1;\n# no title\n```\nthen **b**', '```ts\nconst **a** = 1;\n# no title\n```\nthen b'],
    ['[docs](https://x.example/) https://y.example/', 'docs (https://x.example/) https://y.example/'],
    ['2 * 3 * 4, snake_case_name, \\*kept\\*', '2 * 3 * 4, snake_case_name, *kept*'],
  ])('%j is shown as %j', (text, shown) => {
    expect(pieces(text).join('')).toBe(shown);
  });

  it('holds back only what may still become something else', () => {
    expect(pieces('wait', 'ing for **it', ' all** now')).toEqual(['wait', 'ing for ', 'it all now', '']);
    expect(pieces('-', ' item `co', 'de`')).toEqual(['', '• item ', 'code', '']);
    expect(pieces('a **lone mark')).toEqual(['a ', '**lone mark']);
  });

  it('leaves no word out, however the text arrives', () => {
    const word = fc.constantFrom(
      'one',
      'two',
      'x1',
      '*',
      '**',
      '_',
      '`',
      '```',
      '#',
      '- ',
      '> ',
      '[',
      '](',
      ')',
      ' ',
      '\n',
      '~~',
    );
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 8 }), (chunks) => {
        const texts = chunks.map((words) => words.join(''));
        const letters = (text: string) => text.replace(/[^a-z0-9]/g, '');
        expect(letters(pieces(...texts).join(''))).toBe(letters(texts.join('')));
      }),
    );
  });
});
