import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesetSelector, ChangesetState, SessionState } from '@moorage/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { userMessage } from '../support/test-host.js';

const FILES = ['a.txt', 'b.txt'];

/** Places in a file that are written at most once each, with a line between any two, so that changes do not touch. */
const SLOTS = 9;

/** Each write takes the next free place of its file, so an author's places are scattered among those of the others. */
const file = fc.constantFrom(...FILES);
const step = fc.record({ file, isCommand: fc.boolean() });
const turns = fc.array(fc.array(step, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 });
const plan = fc.record({
  chats: fc.tuple(turns, turns),
  /** Who does something next: the first chat, the second, or the user in one of the files. */
  order: fc.array(fc.oneof(fc.constantFrom(0, 1), file), { minLength: 4, maxLength: 12 }),
});

/** A place in a file, and who has it. */
interface Place {
  readonly name: string;
  readonly slot: number;
  readonly author: string;
  /** When it was written; undefined until then. */
  moment?: number;
}

/** Who wrote into which place, and when: kept by the test alone. */
class Model {
  readonly #places: Place[] = [];
  #moment = 0;

  /** Reserves a free place; undefined if there is none. */
  take(name: string, author: string): Place | undefined {
    const isFree = (slot: number) => !this.#places.some((place) => place.name === name && place.slot === slot);
    const slot = ORDER.find(isFree);
    if (slot === undefined) return undefined;
    const place: Place = { name, slot, author };
    this.#places.push(place);
    return place;
  }

  written(place: Place | undefined): void {
    if (place) place.moment = ++this.#moment;
  }

  /** The file with what was written up to a moment, but nothing of some authors. */
  text(name: string, isLeftOut: (author: string) => boolean = () => false, upTo = this.#moment): string {
    const line = (slot: number) => {
      const place = this.#of(name).find((one) => one.slot === slot && (one.moment ?? 0) <= upTo);
      return place && !isLeftOut(place.author) ? textOf(place) : `slot${slot}`;
    };
    return Array.from({ length: SLOTS }, (_, slot) => `${line(slot)}\n${name} ${slot}\n`).join('');
  }

  /** What a changeset of these authors must show. */
  changes(bench: ChangesBench, isOwn: (author: string) => boolean) {
    return FILES.flatMap((name) => {
      const own = this.#of(name).filter(({ author }) => isOwn(author));
      if (own.length === 0) return [];
      const last = Math.max(...own.map(({ moment = 0 }) => moment));
      const diff = { added: own.length, removed: own.length };
      return {
        id: bench.fileUri(name),
        before: this.text(name, isOwn, last),
        after: this.text(name, undefined, last),
        diff,
      };
    });
  }

  #of(name: string): Place[] {
    return this.#places.filter((place) => place.name === name && place.moment !== undefined);
  }
}

/** Neighbouring places get different authors. */
const ORDER = [4, 0, 7, 2, 5, 8, 1, 6, 3];

const textOf = ({ author, slot }: Place) => `${author}-${slot}`;

it('two chats and a user in the same files: everyone has exactly their own lines', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ chats, order }) => {
      const model = new Model();
      const bench = await ChangesBench.start({
        prepare: (b) => b.commit(Object.fromEntries(FILES.map((name) => [name, model.text(name)]))),
      });
      try {
        await check(bench, model, chats, order);
      } finally {
        await bench.dispose();
      }
    }),
    { numRuns: 10 },
  );
}, 240_000);

async function check(
  bench: ChangesBench,
  model: Model,
  plans: readonly { file: string; isCommand: boolean }[][][],
  order: readonly (number | string)[],
): Promise<void> {
  const { client } = bench;
  const uncommitted = bench.uri({ kind: 'uncommitted' });
  await bench.changeset(uncommitted);
  const second = bench.host.newChatUri();
  await client.request('createChat', { channel: bench.session, chat: second });
  await client.subscribe(second);
  const chats = [bench.chat, second].map(
    (uri, index) => new ScriptedChat(bench, model, uri, `c${index}`, plans[index]),
  );
  for (const next of order) {
    if (typeof next === 'number') await chats[next]?.goOn();
    else await byHand(bench, model, next);
  }
  for (const chat of chats) while (await chat.goOn());
  const turnIds = chats.flatMap((chat) => chat.turnIds);
  const subjects: [ChangesetSelector, (author: string) => boolean][] = [
    [{ kind: 'session' }, (author) => author !== 'user'],
    ...turnIds.map((turnId): [ChangesetSelector, (author: string) => boolean] => [
      { kind: 'turn', turnId },
      (author) => author === turnId,
    ]),
  ];
  for (const [selector, isOwn] of subjects) {
    const state = await bench.changeset(bench.uri(selector));
    expect(await described(bench, state), JSON.stringify(selector)).toEqual(model.changes(bench, isOwn));
  }
  const { changesets } = await client.subscribe<SessionState>(bench.session);
  const all = model.changes(bench, (author) => author !== 'user');
  const additions = all.reduce((sum, { diff }) => sum + diff.added, 0);
  expect(changesets?.[0]).toMatchObject({ additions, deletions: additions, files: all.length });
  const whole = bench.tree();
  for (const [selector, isOwn] of subjects) {
    const uri = bench.uri(selector);
    if (model.changes(bench, isOwn).length === 0) continue;
    await bench.invoke(uri, 'revert');
    for (const name of FILES) expect(bench.read(name), JSON.stringify(selector)).toBe(model.text(name, isOwn));
    await bench.expectUndo(uri, whole);
  }
}

async function byHand(bench: ChangesBench, model: Model, name: string): Promise<void> {
  const place = model.take(name, 'user');
  if (!place) return;
  writeFileSync(join(bench.folder, name), bench.read(name).replace(`slot${place.slot}\n`, `${textOf(place)}\n`));
  model.written(place);
  // A command that starts now could have written it; once the host has seen it, that is ruled out.
  for (;;) {
    const seen = bench.client.envelopes.length;
    const { files } = await bench.client.subscribe<ChangesetState>(bench.uri({ kind: 'uncommitted' }));
    const after = files.find(({ id }) => id === bench.fileUri(name))?.edit.after;
    if (after && (await bench.text(after.content.uri)) === bench.read(name)) return;
    await bench.client.envelope(() => bench.client.envelopes.length > seen);
  }
}

/** A chat whose turns wait before each step, until the test lets them go on. */
class ScriptedChat {
  readonly turnIds: string[] = [];
  readonly #bench: ChangesBench;
  readonly #model: Model;
  readonly #uri: string;
  readonly #name: string;
  readonly #turns: { file: string; isCommand: boolean }[][];
  #left: (Place | undefined)[] = [];
  #asked = 0;

  constructor(
    bench: ChangesBench,
    model: Model,
    uri: string,
    name: string,
    turns: readonly { file: string; isCommand: boolean }[][] = [],
  ) {
    this.#bench = bench;
    this.#model = model;
    this.#uri = uri;
    this.#name = name;
    this.#turns = [...turns];
  }

  /** Starts the next turn, or takes the next step of the one that waits; false when there is nothing left to do. */
  async goOn(): Promise<boolean> {
    const { client } = this.#bench;
    if (this.#left.length === 0) {
      const next = this.#turns.shift();
      if (!next) return false;
      const turnId = `${this.#name}t${this.turnIds.length}`;
      this.turnIds.push(turnId);
      this.#left = next.map((it) => this.#model.take(it.file, turnId));
      const lines = next.flatMap((it, index) => ['/ask Go on?', scripted(this.#left[index], it.isCommand)]);
      client.dispatch(this.#uri, {
        type: 'chat/turnStarted',
        startedAt: '2026-01-01T00:00:00.000Z',
        turnId,
        message: userMessage(['/auto on', ...lines].join('\n')),
      });
      await client.action(this.#uri, 'chat/inputRequested', ++this.#asked);
      return true;
    }
    const place = this.#left.shift();
    const { request } = await client.action(this.#uri, 'chat/inputRequested', this.#asked);
    client.dispatch(this.#uri, { type: 'chat/inputCompleted', requestId: request.id, response: 'cancel' });
    if (this.#left.length > 0) await client.action(this.#uri, 'chat/inputRequested', ++this.#asked);
    else await client.action(this.#uri, 'chat/turnComplete', this.turnIds.length);
    this.#model.written(place);
    await this.#seen();
    return true;
  }

  /** Waits until the host has looked at what a command left: showing the turn anew waits for that. */
  async #seen(): Promise<void> {
    const uri = this.#bench.turnUri(this.turnIds.at(-1) ?? '');
    await this.#bench.changeset(uri);
    this.#bench.client.peer.notify('unsubscribe', { channel: uri });
  }
}

/** A reported edit, or a command that changes the file without saying so. */
function scripted(place: Place | undefined, isCommand: boolean): string {
  if (!place) return '/say nothing left';
  const { name, slot } = place;
  return isCommand
    ? `/run sed -i 's/^slot${slot}$/${textOf(place)}/' ${name}`
    : `/replace ${name} slot${slot} => ${textOf(place)}`;
}

async function described(bench: ChangesBench, { files }: ChangesetState) {
  return Promise.all(
    files.map(async ({ id, edit: { before, after, diff } }) => ({
      id,
      before: before && (await bench.text(before.content.uri)),
      after: after && (await bench.text(after.content.uri)),
      diff,
    })),
  );
}
