import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionTable, notifications, publishedDocuments, requests, strict, type TSchema } from '../src/index.js';
import { toPlainSchema } from '../src/validation/plain-schema.js';
import { arbitraryOf } from './support/arbitrary.js';
import { mutated } from './support/mutate.js';
import { schemas } from './support/schemas.js';

/**
 * The wire as it is published. When this test fails, the wire has changed. If that was the intention: say in the commit
 * what changes for a peer, run `npm run build` so that `schema/` is written anew, and put the new value here.
 */
const FINGERPRINT = 'd694281911f18ac6bda0ca51cba434c8118f12aa164c573c5dd6ba2340dfeb9c';

const documents = publishedDocuments();
const folder = new URL('../schema/', import.meta.url);

interface Node {
  readonly [key: string]: unknown;
}

/** Every schema object in a document, with the path to it. */
function* nodesOf(value: unknown, path = '#'): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Node];
  for (const [key, member] of Object.entries(value)) yield* nodesOf(member, `${path}/${key}`);
}

/** The schema that a reference leads to, in the same document. */
function target(document: object, ref: string): Node | undefined {
  const [, ...keys] = ref.split('/');
  return keys.reduce<Node | undefined>((node, key) => node?.[key] as Node | undefined, document as Node);
}

it('the wire is the one that was pinned', () => {
  const hash = createHash('sha256').update(JSON.stringify(documents)).digest('hex');
  expect(hash).toBe(FINGERPRINT);
});

describe('the files in schema/', () => {
  it('are one for each document', () => {
    const names = Object.keys(documents).map((name) => `${name}.schema.json`);
    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(documents))('%s is up to date', (name, document) => {
    const text = readFileSync(new URL(`${name}.schema.json`, folder), 'utf8');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
  });
});

describe.each(Object.entries(documents))('%s', (name, document) => {
  const nodes = [...nodesOf(document)];

  it('compiles in a strict 2020-12 compiler, every definition of it', () => {
    const ajv = new Ajv2020({ strict: true });
    expect(document.$id).toBe(`urn:ahp:1.0.0:${name}`);
    ajv.addSchema(document);
    for (const definition of Object.keys(document.$defs)) {
      expect(ajv.getSchema(`${document.$id}#/$defs/${definition}`)).toBeTypeOf('function');
    }
    expect(() => ajv.getSchema(document.$id)).not.toThrow();
  });

  it('OQ-1 has no reference that leads nowhere or out of the document', () => {
    const refs = nodes.flatMap(([path, node]) => (typeof node.$ref === 'string' ? [{ path, ref: node.$ref }] : []));
    expect(refs.filter(({ ref }) => !ref.startsWith('#/$defs/') || !target(document, ref))).toEqual([]);
  });

  it('OQ-1 every union with a tag is `oneOf`, and no other is', () => {
    const unions = nodes.flatMap(([path, node]) => {
      const variants = node.oneOf ?? node.anyOf;
      return Array.isArray(variants) ? [{ path, exclusive: node.oneOf !== undefined, tagged: isTagged(variants) }] : [];
    });
    expect(unions.filter(({ exclusive, tagged }) => exclusive !== tagged)).toEqual([]);
  });

  it('OQ-1 no definition accepts everything', () => {
    expect(Object.entries(document.$defs).filter(([, body]) => Object.keys(body as Node).length < 2)).toEqual([]);
  });

  /** Whether one member, required by all variants, has other values in each of them. */
  function isTagged(variants: readonly Node[]): boolean {
    const [first, ...others] = variants.map(tagsOf);
    return Object.entries(first ?? {}).some(([member, values]) => {
      const all = [...values, ...others.flatMap((tags) => tags[member] ?? [])];
      return others.every((tags) => tags[member]) && new Set(all).size === all.length;
    });
  }

  function tagsOf(schema: Node): Record<string, unknown[]> {
    const node = typeof schema.$ref === 'string' ? (target(document, schema.$ref) ?? {}) : schema;
    if (Array.isArray(node.oneOf)) {
      const [first = {}, ...others] = node.oneOf.map(tagsOf);
      const shared = Object.keys(first).filter((member) => others.every((tags) => tags[member]));
      return Object.fromEntries(
        shared.map((member) => [member, [...new Set([first, ...others].flatMap((tags) => tags[member] ?? []))]]),
      );
    }
    const required = Array.isArray(node.required) ? node.required : [];
    const members = Object.entries((node.properties ?? {}) as Record<string, Node>);
    return Object.fromEntries(
      members
        .filter(
          ([member, { const: value, enum: values }]) => required.includes(member) && (value ?? values) !== undefined,
        )
        .map(([member, { const: value, enum: values }]) => [member, Array.isArray(values) ? values : [value]]),
    );
  }
});

describe('what is published', () => {
  const definitions = Object.assign({}, ...Object.values(documents).map((document) => document.$defs)) as object;

  it('has every action, and the params and results of every method', () => {
    const methods = [...Object.values(requests), ...Object.values(notifications)];
    const parts: readonly TSchema[] = [
      ...Object.values(actionTable).map((row) => row.schema),
      ...methods.flatMap((row): TSchema[] => ('result' in row ? [row.params, row.result] : [row.params])),
    ];
    const names = parts.map((schema) => toPlainSchema(schema)).flatMap((schema) => schema.title ?? []);
    expect(names.filter((name) => !Object.hasOwn(definitions, name))).toEqual([]);
    expect(Object.keys((documents.commands as unknown as Node).properties as object)).toEqual(Object.keys(requests));
    expect(Object.keys((documents.notifications as unknown as Node).properties as object)).toEqual(
      Object.keys(notifications),
    );
  });

  it('means the same in every document', () => {
    for (const document of Object.values(documents)) {
      for (const [name, body] of Object.entries(document.$defs)) expect(body).toEqual(Reflect.get(definitions, name));
    }
  });
});

describe('a value passes another validator exactly when it passes ours', () => {
  const ajv = new Ajv2020({ strict: true });
  for (const document of Object.values(documents)) ajv.addSchema(document);
  const places = schemas.flatMap(([name, schema]) => {
    const document = Object.values(documents).find(({ $defs }) => Object.hasOwn($defs, name));
    return document ? [{ name, schema, ref: `${document.$id}#/$defs/${name}` }] : [];
  });

  it('most types are published', () => {
    expect(places.length).toBeGreaterThan(250);
  });

  it.each(places)('$name', ({ schema, ref }) => {
    const published = ajv.getSchema(ref);
    const valid = arbitraryOf(schema);
    const value = fc.oneof(valid, mutated(valid)).map((sample) => JSON.parse(JSON.stringify(sample ?? null)));
    fc.assert(
      fc.property(value, (sample) => {
        expect(published?.(sample)).toBe(strict(schema).check(sample));
      }),
      { numRuns: 30 },
    );
  });
});
