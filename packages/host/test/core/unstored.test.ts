import type { SessionState } from '@moorage/protocol';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import type { Channel } from '../../src/core/channel.js';
import { Door } from '../../src/core/door.js';
import type { IfLost } from '../../src/core/if-lost.js';
import { MAX_RETRY_MS, MIN_RETRY_MS } from '../../src/core/unstored.js';
import { newSessionState } from '../../src/services/sessions/new-session.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { createFaultyStore, type FaultyStore } from '../../src/testing/store-faulty.js';

const SESSION = 'ahp-session:/one';
const FOREVER = Number.POSITIVE_INFINITY;

let store: FaultyStore;
let clock: ManualClock;
let door: Door;
let session: Channel<'session'>;
let terminal: Channel<'terminal'>;
let calls: string[];
let errors: string[];
beforeEach(() => {
  store = createFaultyStore(createMemoryStore(createMemoryDisk()));
  clock = new ManualClock();
  calls = [];
  errors = [];
  door = new Door({
    store,
    clock,
    numbersFor: () => 1,
    schedule: () => {}, // the test says when
    onEffectError: (error) => errors.push(String(error)),
    onStoreError: () => {},
    onDropped: () => {},
  });
  const state = newSessionState({ params: { channel: SESSION }, provider: 'demo', now: 0 } as never);
  session = door.open(SESSION, 'session', SESSION, { ...state, lifecycle: 'ready' } as SessionState);
  terminal = door.openEphemeral('ahp-terminal:/one', 'terminal', { title: '', content: [] } as never);
  door.settle();
});

const title = (text: string, ifLost?: IfLost<'session'>) =>
  door.commit(session, { type: 'session/titleChanged', title: text }, ifLost);
const noting = (name: string): IfLost<'session'> => ({
  undo: () => calls.push(`undo ${name}`),
  again: ({ state }) => calls.push(`again ${name}: ${state.title}`),
});
function lose(times = 1): void {
  store.failNext(times);
  door.settle();
}
/** Moves the time on, and stores what was decided then. */
function pass(milliseconds: number): void {
  clock.advance(milliseconds);
  door.settle();
}

describe('what the host decided and could not store', () => {
  it('is undone at once and decided again after a moment, on the channel as it is then', () => {
    title('one', noting('a'));
    lose();
    expect(calls).toEqual(['undo a']);
    title('two');
    door.settle();
    pass(MIN_RETRY_MS - 1);
    expect(calls).toHaveLength(1);
    pass(1);
    expect(calls).toEqual(['undo a', 'again a: two']);
    expect(clock.waiting).toBe(0);
  });

  it('is nothing, if it was stored', () => {
    title('one', noting('a'));
    door.settle();
    expect([calls, clock.waiting]).toEqual([[], 0]);
  });

  it('is decided once, however many actions came with it, and each thing for itself', () => {
    const [a, b] = [noting('a'), noting('b')];
    for (const ifLost of [a, a, b, a]) title('x', ifLost);
    lose();
    title('y', a); // before the moment is over
    lose();
    pass(MIN_RETRY_MS);
    expect(calls.filter((call) => call.startsWith('again'))).toEqual([
      expect.stringContaining('again a'),
      expect.stringContaining('again b'),
    ]);
  });

  it('is decided on the channel that has the URI then: also if it was unloaded, and not if it has ended', () => {
    const seen: unknown[] = [];
    title('one', { again: (same) => seen.push(same) });
    lose();
    door.unload([[SESSION, [session as unknown as Channel]]]);
    pass(MIN_RETRY_MS);
    expect(seen).toEqual([door.channels.peek(SESSION)]);
    expect(seen[0]).not.toBe(session);
    session = seen[0] as Channel<'session'>;
    title('two', noting('a'));
    lose();
    door.dispose(SESSION, [session as unknown as Channel]);
    door.settle();
    pass(MAX_RETRY_MS);
    expect(calls).toEqual(['undo a']);
  });

  it('does not keep others from theirs when it fails', () => {
    const fail = () => {
      throw new Error('a bug');
    };
    title('one', { undo: fail, again: fail });
    title('one', noting('a'));
    lose();
    pass(MIN_RETRY_MS);
    expect(calls).toEqual(['undo a', expect.stringContaining('again a')]);
    expect(errors).toEqual(['Error: a bug', 'Error: a bug']);
  });

  it('is tried after as long again as the store has been failing, within bounds, and soon after it worked', () => {
    const start = clock.now();
    const tries: number[] = [];
    const again = () => {
      tries.push((clock.now() - start) / 1000);
      title('x', { again });
    };
    title('x', { again });
    lose(FOREVER);
    for (let second = 0; second < 92; second++) pass(1000);
    expect(tries).toEqual([1, 2, 4, 8, 16, 32, 62, 92]);
    store.failNext(0);
    pass(MAX_RETRY_MS);
    expect([tries.length, clock.waiting]).toEqual([9, 0]);
    title('x', { again });
    lose();
    pass(MIN_RETRY_MS);
    expect(tries).toHaveLength(10);
  });

  it('is given up when the host stops', () => {
    title('one', noting('a'));
    lose(FOREVER);
    door.close();
    pass(MAX_RETRY_MS);
    expect([calls, clock.waiting]).toEqual([['undo a'], 0]);
  });
});

describe('what waits until it is stored', () => {
  it.each([
    ['resolves', 0, 'stored'],
    ['rejects with what the store says', 1, 'disk is full'],
  ])('%s', async (_what, failures, outcome) => {
    title('one');
    const stored = door.stored().then(
      () => 'stored',
      (error: Error) => error.message,
    );
    lose(failures);
    expect(await stored).toContain(outcome);
  });
});

describe('what cannot be found out a second time', () => {
  const read = () => door.documents.read('changes', 'one');
  const stored = () => store.documents.read('changes', 'one');
  const document = (json: string | undefined) => ({ collection: 'changes' as const, key: 'one', json });

  it('documents are put again, and seen meanwhile', () => {
    door.documents.keep(document('1'));
    lose(2);
    expect([read(), stored()]).toEqual(['1', undefined]);
    pass(MIN_RETRY_MS); // fails, too
    expect([read(), stored()]).toEqual(['1', undefined]);
    pass(MIN_RETRY_MS);
    expect([read(), stored(), clock.waiting]).toEqual(['1', '1', 0]);
  });

  it('the last of them counts, also if it is a removal or just put', () => {
    door.documents.keep(document('1'));
    lose();
    door.documents.put(document('2'));
    lose();
    expect(read()).toBe('2');
    door.documents.keep(document(undefined));
    lose();
    expect(read()).toBeUndefined();
    door.documents.put(document('3'));
    door.settle();
    pass(MAX_RETRY_MS);
    expect([read(), stored()]).toEqual(['3', '3']);
  });

  it('documents get a last chance when the host stops', () => {
    door.documents.keep(document('1'));
    lose();
    door.close();
    expect(stored()).toBe('1');
  });

  it('actions are repeated in order, before later ones', () => {
    const ifLost: IfLost<'terminal'> = { repeats: true, again: () => calls.push('again') };
    const write = (data: string) => door.commit(terminal, { type: 'terminal/data', data }, ifLost);
    const text = () => terminal.state.content.map((part) => ('value' in part ? part.value : '')).join('');
    write('a');
    write('b');
    title('something to store');
    lose();
    expect(text()).toBe('');
    write('c');
    expect(text()).toBe('');
    pass(MIN_RETRY_MS);
    expect([text(), calls]).toEqual(['abc', ['again']]);
    write('d');
    expect(text()).toBe('abcd');
  });
});

it('whatever fails when, in the end all is stored as it was decided last, and output once and in order', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('decide' as const), text: fc.string() }),
    fc.record({ kind: fc.constant('write' as const), text: fc.string({ minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('keep' as const), text: fc.string() }),
    fc.record({ kind: fc.constant('fail' as const), times: fc.nat(3) }),
    fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.nat(5_000) }),
    fc.record({ kind: fc.constant('settle' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const uri = `ahp-session:/${crypto.randomUUID()}`;
      const one = door.open(uri, 'session', uri, session.state);
      const output = door.openEphemeral(`ahp-terminal:/${uri}`, 'terminal', { title: '', content: [] } as never);
      door.settle();
      const wanted = { title: one.state.title, output: '', document: undefined as string | undefined };
      const show = (channel: Channel<'session'>) => {
        if (channel.state.title === wanted.title) return;
        door.commit(channel, { type: 'session/titleChanged', title: wanted.title }, ifLost);
      };
      const ifLost: IfLost<'session'> = { again: show };
      for (const next of steps) {
        if (next.kind === 'decide') {
          wanted.title = next.text;
          show(one);
        } else if (next.kind === 'write') {
          wanted.output += next.text;
          door.commit(output, { type: 'terminal/data', data: next.text }, { repeats: true });
        } else if (next.kind === 'keep') {
          wanted.document = next.text;
          door.documents.keep({ collection: 'changes', key: uri, json: next.text });
        } else if (next.kind === 'fail') store.failNext(next.times);
        else if (next.kind === 'pass') pass(next.milliseconds);
        else door.settle();
      }
      door.settle();
      store.failNext(0);
      pass(MAX_RETRY_MS);
      const text = output.state.content.map((part) => ('value' in part ? part.value : '')).join('');
      const document = store.documents.read('changes', uri);
      expect({ title: one.state.title, output: text, document }).toEqual(wanted);
      door.unload([[uri, [one as unknown as Channel]]]);
      expect(door.channels.find('session', uri)?.state.title).toBe(wanted.title);
      expect(clock.waiting).toBe(0);
    }),
  );
});
