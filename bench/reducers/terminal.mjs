import { asReceived, inTurn, randomFrom, uuid, words } from '../lib/random.mjs';
import { foldBatches, foldNaively, foldSingly, inBatches } from './fold.mjs';

const GOALS = [
  { commands: 0, single: 8, batch: 20 },
  { commands: 1_000, single: 1.3, batch: 8 },
];

/** A program prints, in a shell without command detection and in one that has already run many commands. */
export function* terminalCases({ smoke }) {
  const work = smoke ? 40 : 100_000;
  for (const { commands, single, batch } of GOALS) {
    const state = terminalWith(smoke ? Math.min(commands, 3) : commands);
    const actions = output(work);
    const name = `terminal/data, ${commands.toLocaleString('en')} commands`;
    const baseline = () => foldNaively(state, actions);
    yield { name, work, baseline, ours: () => foldSingly('terminal', state, actions), atLeast: single };
    for (const size of [16, 1000]) {
      const batches = inBatches(actions, size);
      const ours = () => foldBatches('terminal', state, batches);
      yield { name: `${name}, batches of ${size}`, work, baseline, ours, atLeast: batch };
    }
  }
}

function output(count) {
  const random = randomFrom(4);
  return inTurn(count, () => ({ type: 'terminal/data', data: `${words(random, 1 + Math.floor(random() * 10))}\r\n` }));
}

function terminalWith(commands) {
  const random = randomFrom(3);
  const content = Array.from({ length: commands }, (_, index) => command(random, index === commands - 1));
  return asReceived({
    title: 'bash',
    cwd: 'file:///home/me/project',
    cols: 120,
    rows: 40,
    content,
    lifecycle: { status: 'running' },
    claim: { kind: 'session', session: `ahp-session:/${uuid(random)}`, chat: `ahp-chat:/${uuid(random)}` },
    supportsCommandDetection: commands > 0,
  });
}

function command(random, isRunning) {
  return {
    type: 'command',
    commandId: uuid(random),
    commandLine: `make ${words(random, 2)}`,
    output: words(random, 10),
    timestamp: 1_750_000_000_000,
    isComplete: !isRunning,
    ...(!isRunning && { exitCode: 0, durationMs: 1200 }),
  };
}
