/** Replaces the first item that matches, in place, or appends the new one. */
export function upsert<T>(list: readonly T[], item: T, matches: (candidate: T) => boolean): T[] {
  const index = list.findIndex(matches);
  return index < 0 ? [...list, item] : list.with(index, item);
}

export function removeAt<T>(list: readonly T[], index: number): T[] {
  return [...list.slice(0, index), ...list.slice(index + 1)];
}
