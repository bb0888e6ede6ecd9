/** States and actions of a version, of which only its reducers know the members. */
export type Wire = Readonly<Record<string, unknown>>;

export function list(value: unknown): Wire[] {
  return (value ?? []) as Wire[];
}

export function object(value: unknown): Wire {
  return (value ?? {}) as Wire;
}

/** Replaces the first item that matches, in place, or appends the new one. */
export function upsert(items: readonly Wire[], item: Wire, matches: (candidate: Wire) => boolean): Wire[] {
  const index = items.findIndex(matches);
  return index < 0 ? [...items, item] : items.with(index, item);
}

/** Changes the first item that matches; the same list when there is none. */
export function changeFirst(
  items: readonly Wire[],
  matches: (candidate: Wire) => boolean,
  change: (item: Wire) => Wire,
): readonly Wire[] {
  const index = items.findIndex(matches);
  const item = items[index];
  return item ? items.with(index, change(item)) : items;
}

export function removeFirst(items: readonly Wire[], matches: (candidate: Wire) => boolean): readonly Wire[] {
  const index = items.findIndex(matches);
  return index < 0 ? items : items.toSpliced(index, 1);
}

/** The list, or nothing where it is empty. */
export function nonEmpty<T>(items: readonly T[] | undefined): readonly T[] | undefined {
  return items?.length ? items : undefined;
}

export const IDLE = 1;
export const ERROR = 2;
export const IN_PROGRESS = 8;
export const INPUT_NEEDED = 24;
export const IS_READ = 32;
export const IS_ARCHIVED = 64;

export function withActivity(status: unknown, activity: number): number {
  return ((Number(status) & ~31) | activity) >>> 0;
}

export function withFlag(status: unknown, flag: number, on: unknown): number {
  return (on ? Number(status) | flag : Number(status) & ~flag) >>> 0;
}
