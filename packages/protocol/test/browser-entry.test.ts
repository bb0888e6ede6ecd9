import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { type BuildResult, build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

let bundle: BuildResult<{ write: false; metafile: true }>;

beforeAll(async () => {
  bundle = await build({
    entryPoints: [source('index.ts')],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'ahp',
    alias: { '#compile-schema': source('validation/compile-closures.ts') }, // what package.json says of the build
    external: ['node:*'], // left in, to be named by the first test
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
});

/** Runs a function body with the bundle's exports, in a page that has only what the web platform gives. */
function inPage(body: string, options: { evalAllowed: boolean }): unknown {
  const context = vm.createContext(
    { TextEncoder, URL },
    { codeGeneration: { strings: options.evalAllowed, wasm: false } },
  );
  const code = bundle.outputFiles[0]?.text ?? '';
  return JSON.parse(vm.runInContext(`${code};JSON.stringify((() => {${body}})())`, context));
}

describe('the entry of the package in a browser', () => {
  it('needs no module of Node', () => {
    const imports = Object.entries(bundle.metafile.inputs).flatMap(([file, input]) =>
      input.imports.filter((entry) => entry.external).map((entry) => `${file} imports ${entry.path}`),
    );
    expect(imports).toEqual([]);
  });

  it('comes from this package and one small dependency: the schema library stays away', () => {
    const foreign = Object.keys(bundle.metafile.inputs).filter(
      (file) => !/(^|\/)(packages\/protocol\/src|node_modules\/url-template)\//.test(file),
    );
    expect(foreign).toEqual([]);
  });

  it('does without the translators, which only a host needs', () => {
    expect(Object.keys(bundle.metafile.inputs).filter((file) => file.includes('/src/versions/'))).toEqual([]);
  });

  const globals = `return [typeof process, typeof require, typeof Buffer, typeof module];`;
  const reducing = `
    const env = { now: () => 5 };
    const session = { title: 'a', chats: [], lifecycle: 'creating' };
    const one = ahp.reduce('session', session, { type: 'session/titleChanged', title: 'b' }, env);
    const data = ['x', 'y', 'z', '!'].map((data) => ({ type: 'terminal/data', data }));
    return [one.title, ahp.reduceAll('terminal', { content: [] }, data, env).content];
  `;
  const validating = `
    const envelope = (content) => ({
      channel: 'ahp-chat:/c',
      serverSeq: 1,
      action: { type: 'chat/delta', turnId: 't', partId: 'p', content },
    });
    const later = { channel: 'x', serverSeq: 1, action: { type: 'chat/unheard' } };
    const envelopes = [ahp.strict(ahp.ActionEnvelopeSchema), ahp.lenient(ahp.ActionEnvelopeSchema)];
    return [
      envelopes.map((validator) => [envelope('a'), envelope(1), later].map((value) => validator.check(value))),
      envelopes[0].explain(envelope(1)),
      ahp.strict(ahp.RootStateSchema).check({ agents: [], config: { schema: { type: 'object', properties: {} }, values: {} } }),
      ahp.changesetUri('ahp-session:/s', { kind: 'turn', turnId: 'a/b' }),
      ahp.kindOfUri('ahp-chat:/c'),
    ];
  `;
  const validated = [
    [
      [true, false, false],
      [true, false, true],
    ],
    { path: '/action/content', expected: 'a string' },
    true,
    'ahp-changeset:/s/changeset/turn/a%2Fb',
    'chat',
  ];

  it('is tried in a place without any of Node', () => {
    expect(inPage(globals, { evalAllowed: true })).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
  });

  it('reduces there', () => {
    expect(inPage(reducing, { evalAllowed: true })).toEqual(['b', [{ type: 'unclassified', value: 'xyz!' }]]);
  });

  it('validates there', () => {
    expect(inPage(validating, { evalAllowed: true })).toEqual(validated);
  });

  it('validates too where a content security policy forbids `eval`', () => {
    expect(() => inPage(`return new Function('return 1')();`, { evalAllowed: false })).toThrow('Code generation');
    expect(inPage(validating, { evalAllowed: false })).toEqual(validated);
  });
});
