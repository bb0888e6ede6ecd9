import { CustomizationSchema, strict } from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FRONT_MATTER_CHARS } from '../../src/services/customizations/limits.js';
import { ParseProblem, readDocument } from '../../src/services/customizations/parse/front-matter.js';
import { loadPlugin } from '../../src/services/customizations/sources/plugin.js';
import type { Tree } from '../../src/services/customizations/tree.js';

/** A tree in memory. */
function treeOf(files: Readonly<Record<string, string>>, folder?: string): Tree {
  const paths = Object.keys(files);
  return {
    ...(folder !== undefined && { folder }),
    uriOf: (path) => `file:///p/${path}`,
    read: async (path) => files[path],
    list: async (path) => {
      const prefix = path === '' ? '' : `${path}/`;
      const below = paths.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length).split('/'));
      if (below.length === 0) return undefined;
      const entries = below.map(([name = '', ...rest]) => [name, rest.length > 0 ? 'directory' : 'file'] as const);
      return [...new Map(entries)].map(([name, type]) => ({ name, type }));
    },
  };
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('---', '\n', ': ', 'a', '&a ', '*a ', '[', ']', '{', '}', '"', "'", '- ', '|', '>', ' '),
  }),
  fc.uint8Array().map((bytes) => new TextDecoder().decode(bytes)),
  fc.json(),
);

describe('front matter', () => {
  it('of any text is either parsed or refused with a ParseProblem', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (head, body) => {
        for (const text of [head, `---\n${head}\n---\n${body}`]) {
          const read = await readDocument(text).catch((error: unknown) => error);
          if (read instanceof ParseProblem) continue;
          expect(read).toMatchObject({ fields: expect.any(Object), body: expect.any(String) });
          expect(text).toContain((read as { body: string }).body);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['plain', '---\nname: a\n---\nbody', { name: 'a' }, 'body'],
    ['with Windows line ends and a mark', '\ufeff---\r\nname: a\r\n---\r\nbody', { name: 'a' }, 'body'],
    ['none', '# Title\n---\nx', {}, '# Title\n---\nx'],
    ['a line that never closes', '---\nname: a', {}, '---\nname: a'],
    ['empty', '---\n---\nbody', {}, 'body'],
    [
      'globs as Cursor writes them',
      '---\nglobs: *.ts,**/x\nalwaysApply: false\n---\n',
      { globs: '*.ts,**/x', alwaysApply: 'false' },
      '',
    ],
    ['a colon in the words', '---\ndescription: Use when: always\n---\n', { description: 'Use when: always' }, ''],
    ['hints as Claude writes them', '---\nargument-hint: [a] [b]\n---\n', { 'argument-hint': '[a] [b]' }, ''],
  ])('%s', async (_what, text, fields, body) => {
    expect(await readDocument(text)).toEqual({ fields, body });
  });

  it('is bounded in length, alias expansion and depth', async () => {
    const long = `---\na: ${'x'.repeat(MAX_FRONT_MATTER_CHARS)}\n---\n`;
    await expect(readDocument(long)).rejects.toThrow(ParseProblem);
    const bomb = [
      'a: &a [x,x,x,x]',
      ...'bcdefgh'.split('').map((key, i) => `${key}: &${key} [${`*${'abcdefgh'[i]},`.repeat(8)}]`),
    ];
    const { fields } = await readDocument(`---\n${bomb.join('\n')}\n---\n`).catch(() => ({ fields: {} }));
    expect(JSON.stringify(fields).length).toBeLessThan(10_000);
    const deep = await readDocument(`---\na: ${'['.repeat(10_000)}\n---\n`).catch((error: unknown) => error);
    expect(deep instanceof ParseProblem || 'fields' in (deep as object)).toBe(true);
    const proto = await readDocument('---\n__proto__: { polluted: true }\n---\n');
    expect('polluted' in Object.prototype).toBe(false);
    expect(proto.body).toBe('');
  });
});

describe('a plugin', () => {
  const path = fc.constantFrom(
    'plugin.json',
    '.claude-plugin/plugin.json',
    'skills/a/SKILL.md',
    'skills/b/SKILL.md',
    'commands/x/y.md',
    'agents/z.md',
    'rules/r.mdc',
    'hooks/hooks.json',
    '.mcp.json',
    'mcp.json',
  );
  const manifest = fc
    .record({
      name: fc.anything(),
      skills: fc.anything(),
      hooks: fc.anything(),
      mcpServers: fc.anything(),
      rules: fc.anything(),
    })
    .map((value) => JSON.stringify(value));
  const files = fc.dictionary(path as fc.Arbitrary<string>, fc.oneof(anyText, manifest));

  it('of any content yields only valid entries with unique ids', async () => {
    const validator = strict(CustomizationSchema);
    await fc.assert(
      fc.asyncProperty(files, async (content) => {
        const { load, found } = await loadPlugin(treeOf(content), 'id');
        const children = found.map(({ child }) => child);
        const entry = { id: 'id', type: 'plugin', uri: 'file:///p', name: 'p', enabled: true, load, children };
        expect(validator.explain(entry)).toBeUndefined();
        expect(new Set(children.map(({ id }) => id)).size).toBe(children.length);
      }),
      { numRuns: 300 },
    );
  });

  it('declares how to launch its MCP servers, with its folder filled in', async () => {
    const root = '$'.concat('{CLAUDE_PLUGIN_ROOT}');
    const mcpServers = {
      one: { command: `${root}/bin/x`, args: ['--at', root], env: { HOME: root } },
      two: { url: 'https://example.org/mcp', headers: { 'x-key': 'k' } },
      bad: { url: 'file:///etc/passwd' },
    };
    const { found, load } = await loadPlugin(
      treeOf({ '.mcp.json': JSON.stringify({ mcpServers }) }, '/plug$&in'),
      'id',
    );
    const at = '/plug$&in';
    expect(found.map(({ launch }) => launch)).toEqual([
      { kind: 'stdio', command: `${at}/bin/x`, args: ['--at', at], env: { HOME: at }, cwd: at },
      { kind: 'http', url: 'https://example.org/mcp', headers: { 'x-key': 'k' } },
    ]);
    expect(load).toMatchObject({ kind: 'degraded', message: expect.stringContaining('bad') });
  });
});
