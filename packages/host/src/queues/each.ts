/** Files read or written at the same time: enough to keep a disk busy, few enough to leave threads for other work. */
const AT_ONCE = 8;

/** Runs a function for each item, a few at a time, and returns the results in order. Starts no more after a failure. */
export async function each<T, R>(items: readonly T[], run: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const failures: unknown[] = [];
  const worker = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await run(items[index] as T, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
