import type { TerminalState } from '@moorage/protocol';
import { terminalUri } from '@moorage/protocol';
import { Fold } from './fold.js';
import type { WireClient } from './wire-client.js';

/** A terminal as one client sees it. */
export class TerminalView {
  readonly client: WireClient;
  readonly uri: string;
  readonly #fold: Fold<'terminal'>;
  #taken = 0;

  /** Creates a terminal that the client holds, unless told otherwise, and watches it. */
  static async open(client: WireClient, params: object = {}): Promise<TerminalView> {
    const channel = terminalUri.format(crypto.randomUUID());
    const claim = { kind: 'client' as const, clientId: client.clientId };
    const creating = client.request('createTerminal', { channel, claim, ...params });
    // Right behind, without waiting for the answer (B-53).
    const [, view] = await Promise.all([creating, TerminalView.watch(client, channel)]);
    return view;
  }

  static async watch(client: WireClient, uri: string): Promise<TerminalView> {
    const { state, fromSeq } = await client.snapshot<TerminalState>(uri);
    return new TerminalView(client, uri, { resource: uri, state, fromSeq });
  }

  constructor(client: WireClient, uri: string, snapshot: { resource: string; state: TerminalState; fromSeq: number }) {
    this.client = client;
    this.uri = uri;
    this.#fold = new Fold('terminal', snapshot);
  }

  get state(): TerminalState {
    const updates = this.client.envelopes.slice(this.#taken);
    this.#taken = this.client.envelopes.length;
    this.#fold.apply(this.uri, updates);
    return this.#fold.state;
  }

  /** All output so far. */
  get text(): string {
    return textOf(this.state);
  }

  get commands() {
    return this.state.content.filter((part) => part.type === 'command');
  }

  type(data: string): void {
    this.client.dispatch(this.uri, { type: 'terminal/input', data });
  }

  /** Waits until the state shows something. */
  until<T>(find: (state: TerminalState) => T | undefined | false, what = 'a state of the terminal'): Promise<T> {
    return this.client.until(() => {
      const { state } = this;
      return find(state) || undefined;
    }, what);
  }

  untilText(text: string): Promise<true> {
    return this.until((state) => textOf(state).includes(text), `output "${text}"`);
  }

  /** Types a command line and waits until it has finished. */
  async run(line: string) {
    const done = this.#finished;
    this.type(`${line}\r`);
    await this.until(() => this.#finished > done, `the end of ${line}`);
    return this.commands.filter((command) => command.isComplete).at(-1);
  }

  get #finished(): number {
    return this.commands.filter((command) => command.isComplete).length;
  }
}

export function textOf({ content }: TerminalState): string {
  return content.map((part) => (part.type === 'command' ? part.output : part.value)).join('');
}
