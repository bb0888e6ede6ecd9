import { DispatchActionParamsSchema, lenient } from '@moorage/protocol';
import { randomFrom, uuid, words } from '../lib/random.mjs';

/** What a host does with a frame before it looks at it: parse it and make sure that it is what it says. */
export function* frameCases({ smoke }) {
  const work = smoke ? 10 : 1_000;
  const random = randomFrom(7);
  for (const [label, action] of Object.entries(ACTIONS)) {
    const frames = Array.from({ length: work }, (_, index) => frameWith(action(random), index, random));
    yield {
      name: `dispatchAction frame, parse and validate, ${label}`,
      work,
      baseline: () => parseAll(frames),
      ours: () => parseAndValidateAll(frames),
      atMost: 1.3,
    };
  }
}

function parseAll(frames) {
  return frames.map((frame) => JSON.parse(frame).params);
}

const validator = lenient(DispatchActionParamsSchema);

function parseAndValidateAll(frames) {
  return frames.map((frame) => validator.parse(JSON.parse(frame).params));
}

function frameWith(action, index, random) {
  const params = { channel: `ahp-chat:/${uuid(random)}`, clientSeq: index, action };
  return JSON.stringify({ jsonrpc: '2.0', method: 'dispatchAction', params });
}

const ACTIONS = {
  'chat/turnStarted': (random) => ({
    type: 'chat/turnStarted',
    turnId: uuid(random),
    startedAt: '2026-01-01T00:00:00.000Z',
    message: { text: words(random, 20), origin: { kind: 'user' } },
  }),
  'chat/toolCallConfirmed': (random) => ({
    type: 'chat/toolCallConfirmed',
    turnId: uuid(random),
    toolCallId: uuid(random),
    approved: true,
    confirmed: 'user-action',
    editedToolInput: words(random, 10),
  }),
  'session/titleChanged': (random) => ({ type: 'session/titleChanged', title: words(random, 5) }),
};
