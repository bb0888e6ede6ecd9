import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBlocks } from '../src/markdown/blocks.js';
import { safeLink, safeUrl } from '../src/markdown/safe-url.js';
import { styledLines } from '../src/markdown/styled-lines.js';
import { aroundMarks, markedParts } from '../src/sessions/marked-parts.js';
import { visible } from '../src/ui/visible.js';
import { splitWords } from '../src/ui/words.js';

describe('blocks of markdown', () => {
  it('end at an empty line, but not inside of a fence or a list', () => {
    expect(splitBlocks('one\n\ntwo')).toEqual(['one\n', 'two']);
    expect(splitBlocks('```\na\n\nb\n```\n\nend')).toEqual(['```\na\n\nb\n```\n', 'end']);
    expect(splitBlocks('- a\n\n- b\n\n  more\n\nend')).toEqual(['- a\n\n- b\n\n  more\n', 'end']);
    expect(splitBlocks('[a][1]\n\nend\n\n[1]: https://example.org')).toHaveLength(1);
  });

  it('stay what they were while text is added at the end', () => {
    const text = '# Title\n\nA paragraph\n\n```js\nlet a;\n\nlet b;\n```\n\n- x\n- y\n\nThe end';
    const all = splitBlocks(text);
    for (let end = 1; end < text.length; end++) {
      const blocks = splitBlocks(text.slice(0, end));
      expect(all.slice(0, blocks.length - 1)).toEqual(blocks.slice(0, -1));
    }
  });
});

describe('links and images', () => {
  it('go to the web or nowhere', () => {
    expect(safeLink('https://example.org/a')).toBe('https://example.org/a');
    for (const url of [
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'data:text/html,x',
      'file:///etc',
      '/x',
      ' https:x',
    ])
      expect([url, safeLink(url)]).toEqual([url, undefined]);
    expect(safeUrl('data:image/png;base64,AAAA')).toBe('data:image/png;base64,AAAA');
    expect(safeUrl('data:image/svg+xml;base64,AAAA')).toBe('');
  });
});

describe('highlighted code', () => {
  it('is cut into lines, with nothing left of the markup', () => {
    const markup = '<span class="k">let</span> a = <span class="s">&quot;&lt;b&gt;\n&amp;amp;&quot;</span>;';
    expect(styledLines(markup)).toEqual([
      [
        { text: 'let', style: 'k' },
        { text: ' a = ', style: '' },
        { text: '"<b>', style: 's' },
      ],
      [
        { text: '&amp;"', style: 's' },
        { text: ';', style: '' },
      ],
    ]);
  });
});

describe('characters that are not seen', () => {
  it('are shown by their number', () => {
    expect(visible('a\u202Eb\u200Bc\u0007')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩');
    expect(visible('soft\u00ADhyphen, tag \u{E0041}')).toBe('soft⟨U+00AD⟩hyphen, tag ⟨U+E0041⟩');
    const plain = 'plain\ttext é 漢 می\u200Cخواهم 👩\u200D💻 ❤\uFE0F';
    expect(visible(plain)).toBe(plain);
  });
});

describe('what was searched for', () => {
  const marked = (text: string, query: string) =>
    markedParts(text, query).map(({ part, isMarked }) => (isMarked ? `[${part}]` : part));

  it.each([
    ['a Café there', 'cafe', ['a ', '[Café]', ' there']],
    ['tea, tear, steam', 'tea', ['[tea]', ', ', '[tear]', ', steam']],
    ['tear and tea', 'tea and', ['tear ', '[and]', ' ', '[tea]']],
    ['nothing', '', ['nothing']],
    ['', 'x', []],
  ])('is marked in %j, by %j', (text, query, parts) => {
    expect(marked(text, query)).toEqual(parts);
  });

  it('is seen at once: an excerpt begins a little before most of it', () => {
    const text =
      'The first words are of no use here, and only much later on in winter, the ice is thick enough to walk on';
    const parts = aroundMarks(markedParts(text, 'the ice is th')).map(({ part }) => part);
    expect(parts.join('')).toMatch(/^….{0,24}the ice is thick enough/);
    expect(aroundMarks(markedParts('short and the ice', 'ice')).map(({ part }) => part)).toEqual([
      'short and the ',
      'ice',
    ]);
  });

  it('leaves the text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, query) => {
        expect(
          markedParts(text, query)
            .map(({ part }) => part)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('the words of a command', () => {
  it.each([
    ['my-agent --acp', ['my-agent', '--acp']],
    [`  a "two words" 'it is' --x="y z" `, ['a', 'two words', 'it is', '--x=y z']],
    ['a ""', ['a', '']],
    ['$(rm -rf ~) | b', ['$(rm', '-rf', '~)', '|', 'b']],
    ['', []],
  ])('%j', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });
});
