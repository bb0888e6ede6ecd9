let most = Number.POSITIVE_INFINITY;

/** For runs that only prove that all works. */
export function limitRounds(rounds) {
  most = rounds;
}

/** The least time of several: what else the machine does only adds. */
export async function best(rounds, run, before = () => {}) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < Math.min(rounds, most); round++) {
    await before();
    const started = performance.now();
    await run();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

/** One point for each size. */
export async function atSizes(sizes, cost) {
  const points = [];
  for (const size of sizes) points.push([size, await cost(size)]);
  return points;
}
