import { asReceived, inTurn, randomFrom, uuid, words } from '../lib/random.mjs';
import { foldBatches, foldNaively, foldSingly, inBatches } from './fold.mjs';

const GOALS = [
  { parts: 5, single: 20, batch: 50 },
  { parts: 50, single: 25, batch: 100 },
  { parts: 500, single: 15, batch: 200 },
];

/** A turn streams: deltas come for one part, or for several in turn. */
export function* chatCases({ smoke }) {
  const work = smoke ? 40 : 10_000;
  const turns = smoke ? 3 : 1_000;
  for (const { parts, single, batch } of GOALS) {
    for (const target of [toLastPart, toEachPart]) {
      const state = chatWith({ parts, turns });
      const actions = target(state, work);
      const name = `chat/delta, ${parts} parts, ${target.label}`;
      const baseline = () => foldNaively(state, actions);
      const goal = target === toLastPart ? { single, batch } : {}; // the goals are for one stream at a time
      yield { name, work, baseline, ours: () => foldSingly('chat', state, actions), atLeast: goal.single };
      for (const size of [16, 1000]) {
        const batches = inBatches(actions, size);
        const ours = () => foldBatches('chat', state, batches);
        yield { name: `${name}, batches of ${size}`, work, baseline, ours, atLeast: goal.batch };
      }
    }
  }
  const few = chatWith({ parts: 5, turns });
  const many = chatWith({ parts: 500, turns });
  yield* growthCases('5 to 500 parts', [5, 500], [few, many], work, { single: 10, batch: 3 });
  const young = chatWith({ parts: 5, turns: smoke ? 2 : 100 });
  const old = chatWith({ parts: 5, turns: smoke ? 4 : 5_000 });
  yield* growthCases('100 to 5,000 turns', [100, 5_000], [young, old], work, { single: 1.1, batch: 1.1 });
}

function* growthCases(what, sizes, [small, large], work, { single, batch }) {
  const toSmall = toLastPart(small, work);
  const toLarge = toLastPart(large, work);
  yield growthCase(`chat/delta, from ${what}`, single, (state, actions) => foldSingly('chat', state, actions));
  for (const size of [16, 1000]) {
    yield growthCase(`chat/delta, from ${what}, batches of ${size}`, batch, (state, actions) =>
      foldBatches('chat', state, inBatches(actions, size)),
    );
  }

  function growthCase(name, atMost, fold) {
    const baseline = () => fold(small, toSmall);
    const ours = () => fold(large, toLarge);
    const pairs = () => [
      [foldNaively(small, toSmall), baseline()],
      [foldNaively(large, toLarge), ours()],
    ];
    return { name, work, baseline, ours, atMost, sizes, pairs };
  }
}

export function toLastPart(state, count) {
  return deltas(state, count, (parts) => parts.at(-1));
}
toLastPart.label = 'last part';

function toEachPart(state, count) {
  return deltas(state, count, (parts, index) => parts[index % parts.length]);
}
toEachPart.label = 'each part in turn';

function deltas({ activeTurn }, count, pick) {
  const random = randomFrom(2);
  const parts = activeTurn.responseParts.filter((part) => part.kind === 'markdown');
  return inTurn(count, (index) => ({
    type: 'chat/delta',
    turnId: activeTurn.id,
    partId: pick(parts, index).id,
    content: words(random, 1 + Math.floor(random() * 5)),
  }));
}

export function chatWith({ parts, turns }) {
  const random = randomFrom(1);
  return asReceived({
    resource: `ahp-chat:/${uuid(random)}`,
    title: 'Rename the module',
    status: 8,
    activity: 'Reading src/index.ts',
    modifiedAt: '2025-06-15T15:06:40.000Z',
    origin: { kind: 'user' },
    interactivity: 'full',
    workingDirectories: ['file:///home/me/project'],
    turns: Array.from({ length: turns }, () => ({ ...turnWith(random, 4), duration: 42_000, state: 'complete' })),
    activeTurn: turnWith(random, parts),
  });
}

function turnWith(random, parts) {
  return {
    id: uuid(random),
    startedAt: '2025-06-15T15:06:40.000Z',
    message: {
      text: words(random, 12),
      origin: { kind: 'user' },
      model: { id: 'large', config: { effort: 'high' } },
      agent: { uri: 'file:///home/me/project/.agents/reviewer.md' },
    },
    responseParts: Array.from({ length: parts }, (_, index) => PARTS[(index + 5 - (parts % 5)) % 5](random)),
    usage: { inputTokens: 1200, outputTokens: 340 },
  };
}

const PARTS = [reasoning, toolCall, markdown, toolCall, markdown];

function reasoning(random) {
  return { kind: 'reasoning', id: uuid(random), content: words(random, 8) };
}

function markdown(random) {
  return { kind: 'markdown', id: uuid(random), content: words(random, 20) };
}

function toolCall(random) {
  return {
    kind: 'toolCall',
    toolCall: {
      status: 'completed',
      toolCallId: uuid(random),
      toolName: 'read_file',
      displayName: 'Read file',
      invocationMessage: 'Reading src/index.ts',
      toolInput: '{"path":"src/index.ts"}',
      confirmed: 'not-needed',
      success: true,
      pastTenseMessage: 'Read src/index.ts',
      content: [{ type: 'text', text: words(random, 20) }],
    },
  };
}
