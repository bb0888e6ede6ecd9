import * as protocol from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILE_MEMBERS, mapUris, mapUrisInText, URI_MEMBERS } from '../../src/server/spelling/uri-members.js';

const renamed = (uri: string) => (uri.startsWith('ahp-session:') ? uri.replace('ahp-session:', 'demo:') : uri);

describe('URIs in the text of a message', () => {
  it('are found where an object has them, and nowhere else', () => {
    const uri = fc.constantFrom('ahp-session:/x', 'ahp-session:/x/annotations', 'ahp-chat:/y', 'file:///a', 'demo:/x');
    const text = fc.oneof(
      uri,
      fc.string(),
      uri.map((each) => `"channel":"${each}"`),
      uri.map((each) => `,"${each}","session":["${each}"]`),
      uri.map((each) => JSON.stringify(JSON.stringify({ session: each }))),
    );
    const name = fc.constantFrom('channel', 'session', 'chats', 'missing', 'text', 'title', 'a"b', 'resource', '\\');
    const { message } = fc.letrec((tie) => ({
      message: fc.dictionary(
        name,
        fc.oneof(
          { maxDepth: 4 },
          text,
          fc.integer(),
          fc.constant(null),
          fc.array(uri, { maxLength: 4 }),
          fc.array(tie('message'), { maxLength: 4 }),
          tie('message'),
        ),
        { maxKeys: 5, noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(message, (value) => {
        expect(JSON.parse(mapUrisInText(JSON.stringify(value), 'ahp-', renamed))).toEqual(mapUris(value, renamed));
      }),
      { numRuns: 2000 },
    );
  });

  it('are left alone if none has another name', () => {
    const json = '{"channel":"ahp-chat:/x","action":{"text":"ahp-session:/x"}}';
    expect(mapUrisInText(json, 'ahp-', renamed)).toBe(json);
  });
});

it('every member of the protocol that holds a URI is known, and whether it may be that of a channel or a file', () => {
  const members = new Set<string>();
  const visited = new Set<unknown>();
  const visit = (schema: unknown) => {
    if (typeof schema !== 'object' || schema === null || visited.has(schema)) return;
    visited.add(schema);
    const { properties = {} } = schema as { properties?: Record<string, unknown> };
    for (const [name, member] of Object.entries(properties)) if (holdsUri(member)) members.add(name);
    for (const part of Object.values(schema)) visit(part);
  };
  for (const [name, exported] of Object.entries(protocol)) if (name.endsWith('Schema')) visit(exported);
  expect(members.size).toBeGreaterThan(10);
  const unknown = [...members].filter((name) => !URI_MEMBERS.has(name) && !FILE_MEMBERS.has(name) && !OTHERS.has(name));
  expect(unknown).toEqual([]);
});

/** Members that hold the URIs of pages, of kept contents, or of channels that have one name only. */
const OTHERS = new Set([
  'automation',
  'run',
  'before',
  'logs',
  'metrics',
  'src',
  'stagedAfter',
  'stagedBefore',
  'traces',
  'url',
]);

/** Whether a schema is that of a URI, or of a list of URIs, or allows one. */
function holdsUri(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { title, items, anyOf = [] } = schema as { title?: string; items?: unknown; anyOf?: unknown[] };
  return title === 'URI' || holdsUri(items) || anyOf.some(holdsUri);
}
