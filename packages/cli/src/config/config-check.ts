import { isObject } from '@moorage/protocol';

type Path = readonly (string | number)[];

interface Problem {
  readonly path: Path;
  readonly expected: string;
}

/** Says what is wrong with the value at a path of the configuration file, if anything is. */
export type Check = (value: unknown, path: Path) => Problem | undefined;

type Checks = Readonly<Record<string, Check>>;

export function expecting(expected: string, fits: (value: unknown) => boolean): Check {
  return (value, path) => (fits(value) ? undefined : { path, expected });
}

/** An object with these members and no others. */
export function object(members: Checks, required: readonly string[] = []): Check {
  return (value, path) => {
    if (!isObject(value)) return { path, expected: 'an object' };
    const missing = required.find((name) => value[name] === undefined);
    if (missing !== undefined) return members[missing]?.(undefined, [...path, missing]);
    return firstOf(Object.entries(value), ([name, member]) => {
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      const expected = `one of the keys ${Object.keys(members).join(', ')}`;
      return check ? check(member, [...path, name]) : { path: [...path, name], expected };
    });
  };
}

/** An object whose keys are names that the user chose. */
export function table(entry: Check, name: Check = () => undefined): Check {
  return (value, path) => {
    if (!isObject(value)) return { path, expected: 'an object with a key for each' };
    return firstOf(
      Object.entries(value),
      ([key, member]) => name(key, [...path, key]) ?? entry(member, [...path, key]),
    );
  };
}

export function list(expected: string, item: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, expected };
    return firstOf([...value.entries()], ([index, member]) => item(member, [...path, index]));
  };
}

/** What another part of the program checks. */
export const ANYTHING: Check = () => undefined;
export const TEXT = expecting('a string', isText);
export const NAME = expecting('a string that is not empty', isName);
export const SWITCH = expecting('true or false', (value) => typeof value === 'boolean');
export const TEXTS = list('a list of strings', TEXT);
export const VARIABLES = expecting(
  'an object whose values are strings',
  (value) => isObject(value) && Object.values(value).every(isText),
);
export const PROGRAM = expecting('the name or path of a program', isName);

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isName(value: unknown): boolean {
  return isText(value) && value !== '';
}

export function isUrl(value: unknown): boolean {
  return isText(value) && URL.canParse(value);
}

export function isWebUrl(value: unknown): boolean {
  return isText(value) && /^https?:\/\//.test(value) && URL.canParse(value);
}

function firstOf<T>(items: readonly T[], find: (item: T) => Problem | undefined): Problem | undefined {
  for (const item of items) {
    const problem = find(item);
    if (problem) return problem;
  }
  return undefined;
}
