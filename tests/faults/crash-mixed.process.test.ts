import { afterAll, it } from 'vitest';
import { CrashWorld } from '../support/crash/crash-world.js';
import { CrashFolders } from '../support/crash/folders.js';
import { Random } from '../support/random.js';

/** `npm run test:crash` asks for many more. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

/**
 * Hosts that live beside each other: most of a life is waiting, so that many rounds take less time in several. Each has enough of
 * them that everything happens to it.
 */
const WORLDS = ROUNDS < 300 ? 1 : 3;

const folders: CrashFolders[] = [];
const worlds: CrashWorld[] = [];
afterAll(async () => {
  await Promise.all(worlds.map((world) => world.abandon()));
  for (const folder of folders) await folder.remove();
});

it(
  `is sound after ${ROUNDS} deaths of host and agents in the middle of everything (seed ${SEED})`,
  () => Promise.all(Array.from({ length: WORLDS }, (_, index) => livesIn(SEED + index))),
  120_000 + ROUNDS * 40_000,
);

async function livesIn(seed: number): Promise<void> {
  const own = new CrashFolders();
  folders.push(own);
  const world = await CrashWorld.create(own, new Random(seed));
  worlds.push(world);
  const say = () => process.stdout.write(`crash, seed ${seed}: ${JSON.stringify(world.figures)}\n`);
  const rounds = Math.ceil(ROUNDS / WORLDS);
  for (let round = 0; round < rounds; round++) {
    await world.live(round);
    if (round % 20 === 19) say();
  }
  await world.end();
  say();
}
