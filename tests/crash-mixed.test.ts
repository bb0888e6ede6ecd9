import { afterAll, beforeAll, it } from 'vitest';
import { CrashWorld } from './support/crash/crash-world.js';
import { CrashFolders } from './support/crash/folders.js';
import { Random } from './support/random.js';

/** `npm run test:crash` asks for many more. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

let folders: CrashFolders;
let world: CrashWorld | undefined;
beforeAll(() => {
  folders = new CrashFolders();
});
afterAll(async () => {
  await world?.abandon();
  folders.remove();
});

it(
  `is sound after ${ROUNDS} deaths of host and agents in the middle of everything (seed ${SEED})`,
  async () => {
    world = await CrashWorld.create(folders, new Random(SEED));
    for (let round = 0; round < ROUNDS; round++) {
      await world.live(round);
      if (round % 20 === 19) process.stdout.write(`crash: ${JSON.stringify(world.figures)}\n`);
    }
    await world.end();
    process.stdout.write(`crash: ${JSON.stringify(world.figures)}\n`);
  },
  120_000 + ROUNDS * 40_000,
);
