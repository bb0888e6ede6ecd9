import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, it } from 'vitest';
import type { CommittingDoor, FlushingDoor, ReadingDoor } from '../../src/core/door-parts.js';
import type { HostContext } from '../../src/services/context.js';

/** Never called: what matters is that it compiles, and that the marked lines do not. */
function _uses(service: HostContext, reading: ReadingDoor, journal: FlushingDoor): void {
  // @ts-expect-error a service does not flush: it would store and send half of a decision
  service.door.flush();
  // @ts-expect-error nor does it settle
  service.door.settle();
  // @ts-expect-error effects are in compose/effects.ts
  service.door.connect({});
  // @ts-expect-error the rules judge what clients send, and the server hands it in
  service.door.dispatch;
  // @ts-expect-error only the door adds and forgets channels
  service.door.channels.forget('ahp-session:/one');
  // @ts-expect-error only the server subscribes
  service.door.subscriptions.add;
  // @ts-expect-error who reads does not commit
  reading.commit;
  // @ts-expect-error nor put documents
  reading.documents.put({ collection: 'grants', key: 'one', json: '1' });
  journal.flush();
  const part: CommittingDoor = journal;
  void part;
}

it('has parts that can do less', () => {
  expectTypeOf(_uses).toBeFunction();
});

const SERVICES = join(import.meta.dirname, '../../src/services');
const sources = readdirSync(SERVICES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(SERVICES, name), 'utf8') }));

it.each([
  ['listens for what could not be stored: `commit` takes what to do then', /onLost|onUndone|: readonly Committed\[\]/],
  ['has a timer to store something again: the door has it', /STORE_RETRY|putAgain|publishAgain|repeatLost/],
  ['registers a hook with the door: compose/ does', /onCommitted|door\.connect\(|subscriptions\.on/],
  ['sets a hook of the door: compose/ does', /set(Lighten|Unlisted|MissingTokens)|onMissing|documents\.follow/],
  ['uses the whole door', /core\/door\.js/],
  ['defers past the clock', /setImmediate|process\.nextTick/],
])('no service %s', (_what, pattern) => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)).toEqual([]);
});
