import { expect, it } from 'vitest';
import { Episode, type EpisodeFigures } from '../support/fuzz/episode.js';
import { FuzzWorld } from '../support/fuzz/fuzz-world.js';
import { descendantsOf } from '../support/process-tree.js';

/** `npm run fuzz` asks for many more, `FUZZ_MESSAGES=1000000 npm run fuzz` for the long form. */
const MESSAGES = Number(process.env.FUZZ_MESSAGES ?? 3000);
/** Messages of one seed; between two seeds everything is taken away again. */
const EPISODE = Number(process.env.FUZZ_EPISODE ?? 500);
/** The first seed; a failing one is named, and run alone with FUZZ_SEED=n FUZZ_MESSAGES=1. */
const FIRST_SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Memory is held against its earlier self in runs that are long enough for it to have settled. */
const LONG = 50_000;

it(
  `survives ${MESSAGES} messages, of which most are wrong (seeds from ${FIRST_SEED})`,
  async () => {
    const world = await FuzzWorld.start();
    const all: EpisodeFigures = { messages: 0, answers: 0, envelopes: 0, rejections: 0, closes: 0 };
    const memory: number[] = [];
    const begun = Date.now();
    try {
      for (let seed = FIRST_SEED; all.messages < MESSAGES; seed++) {
        const figures = await new Episode(world, seed, EPISODE).run().catch((error: unknown) => {
          throw new Error(
            `seed ${seed} (again: FUZZ_SEED=${seed} FUZZ_EPISODE=${EPISODE} FUZZ_MESSAGES=1 npm run fuzz)\n${String(error)}\nprocesses:\n${processesOf(world.host.pid)}\nlog:\n${world.host.stderr().slice(-1500)}`,
          );
        });
        for (const key of Object.keys(all) as (keyof EpisodeFigures)[]) all[key] += figures[key];
        memory.push(world.memory());
        if (memory.length % 20 === 0) report(all, memory, begun);
      }
      report(all, memory, begun);
      if (all.messages >= LONG) expectFlat(memory);
    } finally {
      expect(await world.end()).toBe(0);
    }
  },
  120_000 + MESSAGES * 30,
);

/** What it has started: whoever waits in vain may wait for one of them. */
function processesOf(pid: number): string {
  return descendantsOf(pid)
    .map(({ pid: child, command }) => `${child} ${command.slice(0, 200)}`)
    .join('\n');
}

function report(all: EpisodeFigures, memory: readonly number[], begun: number): void {
  const seconds = Math.round((Date.now() - begun) / 1000);
  const figures = Object.entries(all).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`fuzz: ${figures.join(', ')}; host ${memory.at(-1)} MB; ${seconds} s\n`);
}

/** The least that the last third of the run needed is not much more than the least of the third before it. */
function expectFlat(memory: readonly number[]): void {
  const third = Math.floor(memory.length / 3);
  const [earlier, later] = [memory.slice(third, 2 * third), memory.slice(2 * third)];
  expect(Math.min(...later)).toBeLessThan(Math.min(...earlier) * 1.25 + 40);
}
