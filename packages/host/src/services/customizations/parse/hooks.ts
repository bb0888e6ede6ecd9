import { isObject } from '@moorage/protocol';
import { type FoundCustomization, idOf } from '../found.js';
import { MAX_NAME_CHARS } from '../limits.js';
import type { Tree } from '../tree.js';
import { oneLine } from './fields.js';
import { ParseProblem } from './front-matter.js';
import { type JsonObject, rangesIn, readJson } from './json.js';

export interface JsonSource {
  readonly tree: Tree;
  readonly path: string;
  readonly container: string;
}

/** The hooks in a file: when each runs, but not what it runs (B-235). They are shown only; the host never runs them. */
export async function hooksOf(source: JsonSource, text: string): Promise<FoundCustomization[]> {
  const { hooks } = readJson(text);
  if (hooks === undefined) return [];
  if (!isObject(hooks)) throw new ParseProblem('its hooks are not an object with a member for each event');
  return hookChildren(source, hooks, await rangesIn(text), ['hooks']);
}

type Ranges = Awaited<ReturnType<typeof rangesIn>>;

export function hookChildren(
  source: JsonSource,
  hooks: JsonObject,
  ranges: Ranges,
  at: readonly string[],
): FoundCustomization[] {
  const uri = source.tree.uriOf(source.path);
  return Object.entries(hooks).flatMap(([event, entries]) =>
    (Array.isArray(entries) ? entries : [entries]).filter(isObject).map((entry, index): FoundCustomization => {
      const matcher = oneLine(entry.matcher, MAX_NAME_CHARS);
      const name = oneLine(matcher === undefined ? event : `${event} (${matcher})`, MAX_NAME_CHARS) ?? 'hook';
      const range = ranges([...at, event, ...(Array.isArray(entries) ? [index] : [])]);
      const id = idOf(source.container, 'hook', uri, event, String(index));
      return { child: { id, uri, name, ...(range && { range }), type: 'hook' } };
    }),
  );
}
