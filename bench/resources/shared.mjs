import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../lib/fit.mjs';
import { randomFrom, words } from '../lib/random.mjs';

/** Lines of words, as a source file has. */
export function textOf(kib) {
  const random = randomFrom(11);
  const lines = Array.from({ length: 64 }, () => words(random, 12)).join('\n');
  return lines.repeat(Math.ceil((kib * 1024) / lines.length)).slice(0, kib * 1024);
}

export async function withFile(kib, use) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'moorage-bench-')));
  try {
    const path = join(folder, 'file.txt');
    await writeFile(path, textOf(kib));
    return await use(path, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Both sides in turn, many times, and the medians; fails when they do not read the same. */
export async function inTurns(smoke, baseline, ours) {
  const rounds = smoke ? 3 : 500;
  const times = { baseline: [], ours: [] };
  for (let round = -rounds / 5; round < rounds; round++) {
    const before = await timed(baseline);
    const after = await timed(ours);
    if (before.result !== after.result) throw new Error(`read ${after.result} instead of ${before.result}`);
    if (round < 0) continue; // warming up
    times.baseline.push(before.ms);
    times.ours.push(after.ms);
  }
  return { baselineMs: median(times.baseline), oursMs: median(times.ours) };
}

async function timed(run) {
  const started = performance.now();
  const result = await run();
  return { result, ms: performance.now() - started };
}
