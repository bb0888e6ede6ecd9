import { type PlainSchema, toPlainSchema } from '../../../packages/protocol/src/validation/plain-schema.js';
import type { Random } from '../random.js';
import type { Names } from './names.js';

export type Schema = Parameters<typeof toPlainSchema>[0];
type Definitions = NonNullable<PlainSchema['$defs']>;

/** How deep a value nests before optional members are left out. */
const DEEPEST = 5;

/** Makes values that a schema allows, from the schema itself. */
export class Values {
  readonly #random: Random;
  readonly #names: Names;

  constructor(random: Random, names: Names) {
    this.#random = random;
    this.#names = names;
  }

  of(schema: Schema): Record<string, unknown> {
    const plain = plainOf(schema);
    return this.#make(plain, '', plain.$defs ?? {}, 0) as Record<string, unknown>;
  }

  /** Anything that JSON can carry. */
  json(depth = 0): unknown {
    const random = this.#random;
    const kind = random.below(depth > 3 ? 5 : 8);
    if (kind === 0) return null;
    if (kind === 1) return random.chance(0.5);
    if (kind === 2) return this.#number();
    if (kind <= 4) return this.#names.text(random.pick(['channel', 'uri', 'turnId', 'text', 'type', 'data']));
    const length = random.chance(0.01) ? 300 : random.below(4);
    if (kind === 5) return Array.from({ length }, () => this.json(depth + 1));
    return Object.fromEntries(Array.from({ length }, () => [this.key(), this.json(depth + 1)]));
  }

  key(): string {
    return this.#random.pick([
      'a',
      'type',
      'channel',
      'id',
      'action',
      'kind',
      '__proto__',
      'constructor',
      'toString',
      '',
    ]);
  }

  #make(schema: PlainSchema, member: string, definitions: Definitions, depth: number): unknown {
    const random = this.#random;
    if (schema.$ref)
      return this.#make(definitions[schema.$ref.slice('#/$defs/'.length)] ?? {}, member, definitions, depth + 1);
    if (schema.anyOf) return this.#make(random.pick(schema.anyOf), member, definitions, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    switch (schema.type) {
      case 'string':
        return this.#names.text(member);
      case 'integer':
        return Math.max(schema.minimum ?? Number.NEGATIVE_INFINITY, this.#integer());
      case 'number':
        return this.#number();
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      case 'array':
        return this.#list(schema.items ?? {}, member, definitions, depth);
      case 'object':
        return this.#object(schema, definitions, depth);
      default:
        return this.json(2);
    }
  }

  #list(items: PlainSchema, member: string, definitions: Definitions, depth: number): unknown[] {
    const length = depth > DEEPEST ? 0 : this.#random.below(3);
    const isGlobs = member === 'includes' || member === 'excludes';
    return Array.from({ length }, () =>
      isGlobs ? this.#names.glob() : this.#make(items, member, definitions, depth + 1),
    );
  }

  #object(schema: PlainSchema, definitions: Definitions, depth: number): Record<string, unknown> {
    if (schema.additionalProperties) {
      const values = schema.additionalProperties;
      const length = this.#random.below(3);
      return Object.fromEntries(
        Array.from({ length }, () => [this.key(), this.#make(values, '', definitions, depth + 1)]),
      );
    }
    const made: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const isGiven = schema.required?.includes(name) || (depth < DEEPEST && this.#random.chance(0.4));
      if (isGiven) made[name] = this.#make(member, name, definitions, depth + 1);
    }
    return made;
  }

  #integer(): number {
    return this.#random.chance(0.9)
      ? this.#random.below(100)
      : this.#random.pick([-1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, -(2 ** 53) + 1]);
  }

  #number(): number {
    return this.#random.chance(0.8) ? this.#integer() : this.#random.pick([0.5, -1.25, 1e300, 5e-324]);
  }
}

const known = new WeakMap<Schema, PlainSchema>();

function plainOf(schema: Schema): PlainSchema {
  const plain = known.get(schema) ?? toPlainSchema(schema);
  known.set(schema, plain);
  return plain;
}
