import { compile } from '#compile-schema';
import type { Static, TSchema } from '../common/type.js';
import { explain, type Problem } from './explain.js';
import { loosen, loosenInside } from './loosen.js';
import { type PlainSchema, toPlainSchema } from './plain-schema.js';

/** Checks values against a schema. */
export interface Validator<T> {
  /** Whether the value fits. */
  check(value: unknown): value is T;
  /** Why the value is not valid, or undefined when it is. */
  explain(value: unknown): Problem | undefined;
  /** The value itself, typed; throws a ValidationError that names the place and what was expected. */
  parse(value: unknown): T;
}

/** A value is not what its schema asks for; says where, and what was expected there. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly path: string;
  readonly expected: string;

  constructor(problem: Problem) {
    super(`${problem.path || 'value'}: expected ${problem.expected}`);
    this.path = problem.path;
    this.expected = problem.expected;
  }
}

/** For what we send: exactly the wire's shapes, closed enums and unions. Unknown members are always allowed (B-335). */
export function strict<S extends TSchema>(schema: S): Validator<Static<S>> {
  return cached(strictCache, schema, () => build<Static<S>>(() => toPlainSchema(schema)));
}

/** For what we receive: what later versions may add passes, see `loosen`. */
export function lenient<S extends TSchema>(schema: S): Validator<Static<S>> {
  return cached(lenientCache, schema, () => build<Static<S>>(() => loosen(toPlainSchema(schema))));
}

/** For what we are asked to do: strict on its own members, lenient on what they carry, see `loosenInside`. */
export function command<S extends TSchema>(schema: S): Validator<Static<S>> {
  return cached(commandCache, schema, () => build<Static<S>>(() => loosenInside(toPlainSchema(schema))));
}

const commandCache = new WeakMap<TSchema, Validator<unknown>>();
const strictCache = new WeakMap<TSchema, Validator<unknown>>();
const lenientCache = new WeakMap<TSchema, Validator<unknown>>();

/** Compiled on first use: a program that needs few messages does not pay for all of them at start. */
function build<T>(makeSchema: () => PlainSchema): Validator<T> {
  let made: PlainSchema | undefined;
  const schemaOf = () => {
    made ??= makeSchema();
    return made;
  };
  let check = (value: unknown): boolean => {
    check = compile(schemaOf());
    return check(value);
  };
  return {
    check: (value): value is T => check(value),
    explain: (value) => (check(value) ? undefined : explain(schemaOf(), value)),
    parse(value) {
      if (check(value)) return value as T;
      const schema = schemaOf();
      throw new ValidationError(explain(schema, value) ?? { path: '', expected: schema.title ?? 'another value' });
    },
  };
}

function cached<T>(
  cache: WeakMap<TSchema, Validator<unknown>>,
  schema: TSchema,
  make: () => Validator<T>,
): Validator<T> {
  const found = cache.get(schema);
  if (found) return found as Validator<T>;
  const made = make();
  cache.set(schema, made);
  return made;
}

/** Members that are free-form: a `null` inside them is the sender's own business. */
const FREE_FORM = new Set(['_meta', 'config', 'structuredContent']);

/**
 * JSON cannot write "undefined", so some clients send `null` for a member they mean to leave out (OQ-24). Such members
 * of an action, and of the input request in one, are dropped before it is validated. The same object when there are none.
 */
export function stripNulls<T extends object>(action: T): T {
  let clean = dropNulls(action);
  const request = (clean as { request?: unknown }).request;
  if (typeof request === 'object' && request !== null) {
    const cleanRequest = dropNulls(request);
    if (cleanRequest !== request) clean = { ...clean, request: cleanRequest };
  }
  return clean;
}

function dropNulls<T extends object>(object: T): T {
  if (!Object.entries(object).some(isDroppable)) return object;
  return Object.fromEntries(Object.entries(object).filter((entry) => !isDroppable(entry))) as T;
}

function isDroppable([name, value]: readonly [string, unknown]): boolean {
  // `activeClient: null` is the protocol's own way to release the role (B-14).
  return value === null && !FREE_FORM.has(name) && name !== 'activeClient';
}
