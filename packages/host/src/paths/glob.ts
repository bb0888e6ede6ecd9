import { expandBraces } from './braces.js';

/** Whether a relative path with slashes matches a glob, or lies below a folder that does. */
export type Glob = (path: string) => boolean;

/**
 * Compiles a glob: `*` and `?` match within a name, `**` across folders, `[a-z]` and `[!a-z]` one character, `{a,b}` one of
 * several alternatives, and a backslash escapes. Matching takes time linear in glob and path, since both are untrusted.
 */
export function compileGlob(glob: string): Glob {
  const alternatives = expandBraces(glob.replace(/^(\.?\/)+/, '').replace(/\/+$/, '')).map(tokenize);
  return (path) => alternatives.some((tokens) => matches(tokens, path));
}

type Token =
  | { readonly kind: 'one'; readonly test: (char: string) => boolean }
  /** Any number of characters within a name. */
  | { readonly kind: 'name' }
  /** Any number of characters. */
  | { readonly kind: 'all' }
  /** Any number of folders, each with its trailing slash. */
  | { readonly kind: 'folders' };

function tokenize(glob: string): Token[] {
  const tokens: Token[] = [];
  let rest = glob;
  let atStart = true;
  while (rest !== '') {
    const folders = atStart && /^\*\*\/+/.exec(rest);
    const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
    let length = 1;
    if (folders) {
      tokens.push({ kind: 'folders' });
      length = folders[0].length;
    } else if (rest.startsWith('**')) {
      tokens.push({ kind: 'all' });
      length = 2;
    } else if (rest.startsWith('*')) tokens.push({ kind: 'name' });
    else if (rest.startsWith('?')) tokens.push({ kind: 'one', test: (char) => char !== '/' });
    else if (set) {
      tokens.push({ kind: 'one', test: setOf(set[2] ?? '', set[1] !== '') });
      length = set[0].length;
    } else {
      const literal = (/^\\(.)/su.exec(rest)?.[1] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0)) as string;
      tokens.push({ kind: 'one', test: (char) => char === literal });
      length = (rest.startsWith('\\') && rest.length > 1 ? 1 : 0) + literal.length;
    }
    const taken = rest.slice(0, length);
    atStart = taken.endsWith('/');
    rest = rest.slice(length);
  }
  return tokens;
}

function setOf(members: string, negated: boolean): (char: string) => boolean {
  const ranges: [string, string][] = [];
  const chars = [...members];
  for (let index = 0; index < chars.length; index++) {
    const [from = '', dash, to] = chars.slice(index, index + 3);
    if (dash === '-' && to !== undefined) {
      ranges.push([from, to]);
      index += 2;
    } else ranges.push([from, from]);
  }
  return (char) => char !== '/' && ranges.some(([from, to]) => from <= char && char <= to) !== negated;
}

/** Tracks all positions in the tokens at once, as an NFA does, so that there is no backtracking. */
function matches(tokens: readonly Token[], path: string): boolean {
  let places = new Set<number>();
  const enter = (into: Set<number>, place: number) => {
    for (let next = place; ; next++) {
      into.add(next);
      const kind = tokens[next]?.kind;
      if (kind === undefined || kind === 'one') return; // the other tokens may match nothing, so the next is reached too
    }
  };
  enter(places, 0);
  for (const char of path) {
    if (char === '/' && places.has(tokens.length)) return true; // the path lies below a match
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token?.kind === 'one' && token.test(char)) enter(next, place + 1);
      if (token?.kind === 'all' || (token?.kind === 'name' && char !== '/')) enter(next, place);
      if (token?.kind !== 'folders') continue;
      next.add(place);
      if (char === '/') enter(next, place + 1);
    }
    places = next;
    if (places.size === 0) return false;
  }
  return places.has(tokens.length);
}
