import { isObject } from '../common/is-object.js';
import { discriminatorOf, type TagValue } from './discriminator.js';
import { isUnknownVariant, type UnknownVariant } from './loosen.js';
import type { PlainSchema } from './plain-schema.js';

type Check = (value: unknown) => boolean;
/** The checks of the schemas that nest themselves, by reference. */
type Definitions = (reference: string) => Check;

/**
 * Makes a function of a schema, out of one for each of its parts: at once, without a library, and without `eval`, which
 * pages with a strict content security policy refuse. Decides as `compile-generated.ts` does.
 */
export function compile(schema: PlainSchema): Check {
  const definitions = new Map<string, Check>();
  const resolve = (reference: string): Check => {
    const name = reference.slice('#/$defs/'.length);
    return lazy(() => {
      const check = definitions.get(name) ?? checkOf(schema.$defs?.[name] ?? {}, resolve);
      definitions.set(name, check);
      return check;
    });
  };
  return checkOf(schema, resolve);
}

function checkOf(schema: PlainSchema, definitions: Definitions): Check {
  if (schema.$ref) return definitions(schema.$ref);
  if (isUnknownVariant(schema)) return unknownVariant(schema);
  if (schema.anyOf) return union(schema.anyOf, definitions);
  if (schema.const !== undefined) return (value) => value === schema.const;
  if (schema.enum) {
    const values: ReadonlySet<unknown> = new Set(schema.enum);
    return (value) => values.has(value);
  }
  switch (schema.type) {
    case 'object':
      return object(schema, definitions);
    case 'array': {
      const item = schema.items && checkOf(schema.items, definitions);
      return (value) => Array.isArray(value) && (!item || value.every(item));
    }
    case 'number':
    case 'integer':
      return number(schema);
    case 'string':
    case 'boolean': {
      const { type } = schema;
      return (value) => typeof value === type;
    }
    case 'null':
      return (value) => value === null;
    default:
      return () => true;
  }
}

function number({ type, minimum = -Infinity }: PlainSchema): Check {
  const isNumber = type === 'integer' ? Number.isInteger : Number.isFinite;
  return (value) => isNumber(value) && (value as number) >= minimum;
}

function object(
  { properties = {}, required = [], additionalProperties }: PlainSchema,
  definitions: Definitions,
): Check {
  const needed = new Set(required);
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    isRequired: needed.has(name),
    check: checkOf(member, definitions),
  }));
  const others = additionalProperties && checkOf(additionalProperties, definitions);
  return (value) => {
    if (!isObject(value)) return false;
    for (const { name, isRequired, check } of members) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      // A member that may be absent may be undefined as well: JSON cannot say so.
      if (member === undefined && !isRequired) continue;
      if (isRequired && !Object.hasOwn(value, name)) return false;
      if (!check(member)) return false;
    }
    if (!others) return true;
    return Object.entries(value).every(([name, member]) => Object.hasOwn(properties, name) || others(member));
  };
}

/** By its tag where it has one: only the variant that is meant is checked, and made when it is first met. */
function union(variants: readonly PlainSchema[], definitions: Definitions): Check {
  const known = variants.filter((variant) => !isUnknownVariant(variant));
  const tag = discriminatorOf(known);
  if (!tag) {
    const checks = variants.map((variant) => checkOf(variant, definitions));
    return (value) => checks.some((check) => check(value));
  }
  const isOpen = known.length < variants.length;
  const checks = new Map<unknown, Check>();
  for (const [value, variant] of tag.variants)
    checks.set(
      value,
      lazy(() => checkOf(variant, definitions)),
    );
  return (value) => {
    if (!isObject(value) || !Object.hasOwn(value, tag.property)) return false;
    const given = value[tag.property] as TagValue;
    const check = checks.get(given);
    return check ? check(value) : isOpen && typeof given === 'string';
  };
}

function unknownVariant({ unknownTag: { property, known } }: UnknownVariant): Check {
  return (value) => {
    const tag = isObject(value) && Object.hasOwn(value, property) ? value[property] : undefined;
    return typeof tag === 'string' && !known.includes(tag);
  };
}

function lazy(make: () => Check): Check {
  let check: Check | undefined;
  return (value) => {
    check ??= make();
    return check(value);
  };
}
