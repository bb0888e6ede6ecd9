import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

const ROOT = 'ahp-root://';

/** Starts the host of a built checkout and waits until it listens. */
export async function startHost(checkout, { data, project, config, home }) {
  const bin = `${checkout}/packages/cli/bin/moorage.js`;
  const args = [
    'serve',
    '--port',
    '0',
    '--json',
    '--no-web',
    '--data-dir',
    data,
    '--root',
    project,
    '--config',
    config,
  ];
  const env = { PATH: process.env.PATH, HOME: home, SHELL: '/bin/sh', LANG: 'C.UTF-8' };
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exited = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, token } = JSON.parse(line);
  const end = (signal) => async () => {
    child.kill(signal);
    await exited;
  };
  return { url, token, stop: end('SIGTERM'), kill: end('SIGKILL') };
}

/** A client with nothing but a socket, so that it also runs where the libraries speak something else. */
export class Wire {
  envelopes = [];
  #socket;
  #clientId;
  #answers = new Map();
  #waiting = new Set();
  #requests = 0;
  #clientSeq = 0;

  static async connect(host, clientId, version = '0.4.0') {
    const wire = await Wire.open(host, clientId);
    await wire.request('initialize', { clientId, protocolVersions: [version], initialSubscriptions: [ROOT] });
    return wire;
  }

  /** Connects without the handshake. */
  static async open({ url, token }, clientId) {
    const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` } });
    await once(socket, 'open');
    return new Wire(socket, clientId);
  }

  constructor(socket, clientId) {
    this.#socket = socket;
    this.#clientId = clientId;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data))));
    socket.on('close', () => this.#wake());
  }

  request(method, params) {
    const id = ++this.#requests;
    this.#send({ id, method, params: { channel: ROOT, ...params } });
    return new Promise((resolve, reject) => this.#answers.set(id, { method, resolve, reject }));
  }

  async subscribe(channel) {
    return (await this.request('subscribe', { channel })).snapshot.state;
  }

  unsubscribe(channel) {
    this.#send({ method: 'unsubscribe', params: { channel } });
  }

  /** Dispatches an action that must be accepted. */
  async act(channel, action) {
    const clientSeq = ++this.#clientSeq;
    this.#send({ method: 'dispatchAction', params: { channel, clientSeq, action } });
    const isEcho = ({ origin }) => origin?.clientId === this.#clientId && origin.clientSeq === clientSeq;
    const { rejectionReason } = await this.find(isEcho, JSON.stringify(action));
    if (rejectionReason) throw new Error(`${JSON.stringify(action)} was rejected: ${rejectionReason}`);
  }

  /** Waits for an action on a channel that fits, also one that came before. */
  async action(channel, type, fits = () => true) {
    const matches = ({ channel: on, action }) => on === channel && action.type === type && fits(action);
    return (await this.find(matches, `${type} on ${channel}`)).action;
  }

  /** Waits until the state of a channel that is subscribed to shows something. */
  async shown(channel, pick) {
    for (;;) {
      const heard = this.envelopes.length;
      const found = pick(await this.subscribe(channel));
      if (found !== undefined) return found;
      await this.#until(() => (this.envelopes.length > heard ? true : undefined), `a change of ${channel}`);
    }
  }

  find(matches, what) {
    return this.#until(() => this.envelopes.find(matches), what);
  }

  close() {
    this.#socket.close();
  }

  #until(look, what) {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = look();
        if (found === undefined && this.#socket.readyState === WebSocket.OPEN) return;
        this.#waiting.delete(check);
        clearTimeout(limit);
        if (found === undefined) reject(new Error(`the connection closed before ${what}`));
        else resolve(found);
      };
      const limit = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), WAIT_MS);
      this.#waiting.add(check);
      check();
    });
  }

  #send(message) {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  #receive({ id, method, params, result, error }) {
    if (method === 'action') this.envelopes.push(params);
    if (method === undefined) {
      const answer = this.#answers.get(id);
      this.#answers.delete(id);
      if (error) answer.reject(new Error(`${answer.method}: ${error.message}`));
      else answer.resolve(result);
    }
    this.#wake();
  }

  #wake() {
    for (const check of [...this.#waiting]) check();
  }
}

const WAIT_MS = 60_000;
