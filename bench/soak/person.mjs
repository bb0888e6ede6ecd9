import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, turnStarted } from '@moorage/client';
import { changesetUri, ROOT_URI } from '@moorage/protocol';
import { renew } from './sessions.mjs';

/** A client of the host that does what people do, one thing after the other, with pauses. */
export class Person {
  #target;
  #places;
  #random;
  #client;
  #session;
  #chat;
  #place;
  #generation = 0;

  constructor(target, places, place, random) {
    this.#target = target;
    this.#places = places;
    this.#place = place;
    this.#random = random;
  }

  async arrive() {
    this.#client = await connect({ url: this.#target.url, token: this.#target.token, requestTimeoutMs: 60_000 });
    this.#generation = 0;
    await this.#settle();
  }

  leave() {
    this.#client?.close();
  }

  /** One thing, and its name. */
  async act() {
    await this.#settle();
    const dice = this.#random() * 100;
    const [, name] = HABITS.find(([upTo]) => dice < upTo);
    await this[name]();
    return name;
  }

  /** Follows the session that is in the place now. */
  async #settle() {
    if (this.#generation === this.#place.generation) return;
    this.#session?.release();
    this.#chat?.release();
    const { generation, session, chat } = this.#place;
    this.#session = await this.#client.session(session);
    this.#chat = await this.#client.chat(chat);
    this.#generation = generation;
  }

  async turn() {
    if (this.#chat.confirmed.activeTurn) return;
    this.#place.turns++;
    const file = `src/${Math.floor(this.#random() * 50)}.txt`;
    const text = `/auto on\n/think about it\n/stream 30\n/write ${file} ${crypto.randomUUID()}\n/say done`;
    const turnId = crypto.randomUUID();
    const chat = this.#chat;
    await chat.dispatch(turnStarted(turnId, { text, origin: { kind: 'user' } }));
    await this.#until(chat, () => chat.confirmed.turns.some(({ id }) => id === turnId));
  }

  rename() {
    return this.#session.dispatch({ type: 'session/titleChanged', title: `soak ${this.#random()}` });
  }

  list() {
    return this.#client.request('listSessions', { channel: ROOT_URI });
  }

  /** Looks into a session of somebody else. */
  async visit() {
    const other = this.#places[Math.floor(this.#random() * this.#places.length)];
    const chat = await this.#client.chat(other.chat);
    chat.release();
  }

  async comeAgain() {
    this.leave();
    await this.arrive();
  }

  async review() {
    const uri = changesetUri(this.#place.session, { kind: 'uncommitted' });
    const changeset = await this.#client.changeset(uri);
    await this.#until(changeset, () => changeset.confirmed.status !== 'computing');
    const content = changeset.confirmed.files[0]?.edit.after?.content.uri;
    if (content) await this.#client.request('resourceRead', { channel: ROOT_URI, uri: content });
    changeset.release();
  }

  async terminal() {
    const channel = `ahp-terminal:/${crypto.randomUUID()}`;
    const claim = { kind: 'client', clientId: this.#client.clientId };
    await this.#client.request('createTerminal', { channel, claim });
    const terminal = await this.#client.terminal(channel);
    try {
      await terminal.dispatch({ type: 'terminal/input', data: "echo $((6 * 7)) of so''ak\r" });
      await this.#until(terminal, () => JSON.stringify(terminal.confirmed.content).includes('42 of soak'));
    } finally {
      terminal.release();
      await this.#client.request('disposeTerminal', { channel });
    }
  }

  read() {
    const uri = pathToFileURL(join(this.#place.folder, 'src', '1.txt')).href;
    return this.#client.request('resourceRead', { channel: ROOT_URI, uri });
  }

  renew() {
    return renew(this.#place, this.#client);
  }

  /** Until it is so, or the session has been replaced by somebody else. */
  #until(mirror, isSo) {
    const { generation } = this.#place;
    const isOver = () => isSo() || this.#place.generation !== generation;
    return new Promise((resolve, reject) => {
      const end = (error) => {
        clearInterval(looking);
        stop();
        if (error) reject(error);
        else resolve();
      };
      const late = performance.now() + PATIENCE_MS;
      const looking = setInterval(() => {
        if (isOver()) end();
        else if (performance.now() > late) end(new Error(`${mirror.kind}, ${mirror.status}: waited in vain`));
      }, 500);
      const stop = mirror.subscribe(() => isOver() && end());
      if (isOver()) end();
    });
  }
}

const PATIENCE_MS = 60_000;

/** What is done, with how often of a hundred times, added up. */
const HABITS = addedUp({ turn: 40, rename: 22, list: 4, visit: 10, comeAgain: 8, review: 5, terminal: 1, read: 6 });
HABITS.push([100, 'renew']);

function addedUp(shares) {
  let upTo = 0;
  return Object.entries(shares).map(([name, share]) => {
    upTo += share;
    return [upTo, name];
  });
}
