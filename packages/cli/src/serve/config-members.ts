export interface Problem {
  readonly path: readonly (string | number)[];
  readonly expected: string;
}

export interface Kind {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

export const TEXT: Kind = { expected: 'a string', fits: (value) => typeof value === 'string' };
export const SWITCH: Kind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
export const TEXTS: Kind = {
  expected: 'a list of strings',
  fits: (value) => Array.isArray(value) && value.every(TEXT.fits),
};
export const VARIABLES: Kind = {
  expected: 'an object whose values are strings',
  fits: (value) => isObject(value) && Object.values(value).every(TEXT.fits),
};
export const PROGRAM: Kind = {
  expected: 'the name or path of a program',
  fits: (value) => TEXT.fits(value) && value !== '',
};

export type Members = Readonly<Record<string, Kind>>;

/** The first problem in a table of things by name. */
export function findInEach(
  key: string,
  value: unknown,
  find: (path: string[], member: Readonly<Record<string, unknown>>) => Problem | undefined,
): Problem | undefined {
  if (!isObject(value)) return { path: [key], expected: 'an object with a member for each' };
  for (const [name, member] of Object.entries(value)) {
    const path = [key, name];
    if (key === 'agents' && (name === 'demo' || !/^[\w.-]{1,64}$/.test(name)))
      return { path, expected: 'another name: letters, digits, dots and dashes, and not "demo"' };
    const problem = isObject(member) ? find(path, member) : { path, expected: 'an object' };
    if (problem) return problem;
  }
  return undefined;
}

/** The first member that is unknown or of the wrong kind. */
export function findWrongMember(
  path: string[],
  value: Readonly<Record<string, unknown>>,
  members: Members,
): Problem | undefined {
  for (const [name, member] of Object.entries(value)) {
    const kind = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!kind) return { path: [...path, name], expected: `one of the keys ${Object.keys(members).join(', ')}` };
    if (!kind.fits(member)) return { path: [...path, name], expected: kind.expected };
  }
  return undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
