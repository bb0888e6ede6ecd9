import type { URI } from '../common/uri.js';

interface Holder {
  readonly workingDirectories?: URI[] | undefined;
}

/** A session or chat with one more folder; the same object if it has it already. */
export function withDirectory<T extends Holder>(holder: T, directory: URI): T {
  const known = holder.workingDirectories ?? [];
  return known.includes(directory) ? holder : { ...holder, workingDirectories: [...known, directory] };
}

/** A session or chat without a folder; the same object if it does not have it. */
export function withoutDirectory<T extends Holder>(holder: T, directory: URI): T {
  const known = holder.workingDirectories;
  if (!known?.includes(directory)) return holder;
  return { ...holder, workingDirectories: known.filter((each) => each !== directory) };
}

/** A session or chat with a folder exchanged, in its place; the same object if it does not have it. */
export function withReplacedDirectory<T extends Holder>(holder: T, directory: URI, replacement: URI): T {
  const known = holder.workingDirectories;
  if (!known?.includes(directory) || directory === replacement) return holder;
  const others = known.filter((each) => each !== replacement);
  return { ...holder, workingDirectories: others.map((each) => (each === directory ? replacement : each)) };
}
