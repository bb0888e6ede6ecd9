import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { exponentOf, median } from './fit.mjs';
import { differenceOnWire } from './same.mjs';

/**
 * One row of the report. `baseline` and `ours` do the same `work` (a number of actions or frames) and give what they
 * made; `atLeast` is how many times faster ours must be, `atMost` how many times dearer it may be.
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {number} work
 * @property {() => unknown} baseline
 * @property {() => unknown} ours
 * @property {number} [atLeast]
 * @property {number} [atMost]
 * @property {boolean} [processorTime] count the time the processor works, not the time that passes
 * @property {[number, number]} [sizes] for rows that compare ours small with ours large: what grew
 * @property {'time' | 'bytes' | 'count'} [unit] of what `run` gives; bytes and counts stand where milliseconds would
 * @property {() => Promise<{ baselineMs: number, oursMs: number, details?: string[], cannot?: string }>} [run] instead of the two,
 *   for what needs processes; the details are printed when the row is asked for by name; `cannot` says why there is no figure
 * @property {() => Promise<[size: number, ms: number][]>} [grow] instead of the two: what it costs at several sizes
 * @property {number} [growsAtMost] the exponent that `grow` may give: 0 is flat, 1 linear
 * @property {() => [unknown, unknown][]} [pairs] what must be equal, when it is not the two results
 */

const FULL = { rounds: 31, enoughRounds: 5, sampleMs: 6, warmUpMs: 200, budgetMs: 3000 };
const SMOKE = { rounds: 1, enoughRounds: 1, sampleMs: 0, warmUpMs: 0, budgetMs: 0 };

/** Times both sides in turn, so that whatever else the machine does falls on both, and takes medians. */
export function measure(oneCase, { smoke }) {
  const plan = smoke ? SMOKE : FULL;
  const difference = findDifference(oneCase);
  const clock = oneCase.processorTime && !smoke ? processorClock : wallClock; // too coarse for the tiny runs of smoke
  const baseline = prepare(oneCase.baseline, plan, clock);
  const ours = prepare(oneCase.ours, plan, clock);
  const rounds = [];
  const deadline = performance.now() + plan.budgetMs;
  while (rounds.length < plan.enoughRounds || (rounds.length < plan.rounds && performance.now() < deadline)) {
    const first = rounds.length % 2 === 0; // neither side always runs on what the other left behind
    const early = sample(first ? baseline : ours);
    const late = sample(first ? ours : baseline);
    rounds.push(first ? { baseline: early, ours: late } : { baseline: late, ours: early });
  }
  return summarize(oneCase, rounds, difference);
}

/** A case that needs processes or sockets does its own rounds, and gives the medians of both sides. */
export async function measureRun(oneCase) {
  const { baselineMs, oursMs, details, cannot } = await oneCase.run();
  if (cannot !== undefined) return { name: oneCase.name, unit: oneCase.unit, cannot, goal: {} };
  return { ...summarize(oneCase, [{ baseline: baselineMs, ours: oursMs }], undefined), details };
}

/** How cost grows: the smallest size stands where a baseline would, the largest where ours would. */
export async function measureGrowth({ name, grow, growsAtMost }) {
  const points = await grow();
  const [[, smallest], [, largest]] = [points[0], points.at(-1)];
  const exponent = exponentOf(points);
  return {
    name,
    unit: 'time',
    baselineNs: smallest * 1e6,
    oursNs: largest * 1e6,
    ratio: largest / smallest,
    goal: { growsAtMost },
    // Small sizes cost a fixed amount and the machine is noisy: what counts is the kind of growth.
    met: exponent <= growsAtMost + EXPONENT_TOLERANCE,
    exponent,
    points,
    rounds: 1,
  };
}

const EXPONENT_TOLERANCE = 0.15;

function findDifference({ baseline, ours, pairs }) {
  for (const [expected, actual] of pairs?.() ?? [[baseline(), ours()]]) {
    const difference = differenceOnWire(expected, actual);
    if (difference) return difference;
  }
  return undefined;
}

/** Warms a side up and finds how often it must run for a sample that a clock can tell. */
function prepare(run, { sampleMs, warmUpMs }, clock) {
  const started = performance.now();
  let runs = 0;
  do {
    kept.result = run();
    runs++;
  } while (performance.now() - started < warmUpMs);
  const oneMs = (performance.now() - started) / runs;
  return { run, clock, repeat: Math.max(1, Math.ceil(sampleMs / oneMs)) };
}

/** Milliseconds for one run of a side. */
function sample({ run, clock, repeat }) {
  if (repeat > 1) kept.result = run(); // the other side has emptied the processor's caches
  collectGarbage({ type: 'minor' }); // neither side pays for what the other left
  const started = clock();
  for (let count = 0; count < repeat; count++) kept.result = run();
  return (clock() - started) / repeat;
}

/** Does not count the time in which others had the processor; useless for work that waits for a disk or a socket. */
function processorClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function wallClock() {
  return performance.now();
}

function summarize({ name, work, atLeast, atMost, sizes, unit = 'time' }, rounds, difference) {
  const baselineMs = median(rounds.map((round) => round.baseline));
  const oursMs = median(rounds.map((round) => round.ours));
  // Of each round's own two times: a machine that slows down for a while slows both.
  const speedup = median(rounds.map((round) => round.baseline / round.ours));
  const ratio = atMost === undefined ? speedup : 1 / speedup;
  const nanoseconds = (ms) => (ms * 1e6) / work;
  return {
    name,
    unit,
    baselineNs: nanoseconds(baselineMs),
    oursNs: nanoseconds(oursMs),
    ratio,
    goal: atMost === undefined ? { atLeast } : { atMost },
    met: atMost === undefined ? atLeast === undefined || ratio >= atLeast : ratio <= atMost,
    exponent: sizes && Math.log(ratio) / Math.log(sizes[1] / sizes[0]),
    rounds: rounds.length,
    difference,
  };
}

setFlagsFromString('--expose-gc');
setFlagsFromString('--no-parallel-scavenge'); // helpers that wait for a busy core would be counted as work
const collectGarbage = runInNewContext('gc');

/** Results end here, so that the compiler cannot drop the work as unused. */
const kept = { result: undefined };
