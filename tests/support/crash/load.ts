import { pathToFileURL } from 'node:url';
import {
  annotationsUri,
  type ChatState,
  changesetUri,
  type SessionState,
  sessionUri,
  terminalUri,
} from '@moorage/protocol';
import { expect } from 'vitest';
import type { Random } from '../random.js';
import { userMessage } from '../test-host.js';
import type { WireClient } from '../wire-client.js';
import type { CrashFigures } from './figures.js';
import type { CrashFolders } from './folders.js';
import type { Survivor } from './survivor.js';

/** Chats that a life adds load to; older ones are only held against what was known of them. */
export const BUSY_CHATS = 4;

/** What is asked of a host while it lives: turns, a terminal, changesets, an operation, annotations, titles, queued messages. */
export class CrashLoad {
  readonly #survivor: Survivor;
  readonly #folders: CrashFolders;
  readonly #random: Random;
  readonly #figures: CrashFigures;
  readonly #chats: { uri: string; provider: string }[] = [];
  /** What an agent was told to append, once its tool call is known to have worked. */
  readonly #appends = new Map<string, string>();
  #turns = 0;

  constructor(survivor: Survivor, folders: CrashFolders, random: Random, figures: CrashFigures) {
    this.#survivor = survivor;
    this.#folders = folders;
    this.#random = random;
    this.#figures = figures;
  }

  /** All chats, the newest last. */
  get chats(): string[] {
    return this.#chats.map(({ uri }) => uri);
  }

  async newSession(client: WireClient, provider: string): Promise<void> {
    const session = sessionUri.format(crypto.randomUUID());
    const workingDirectory = pathToFileURL(this.#folders.turns).href;
    await client.request('createSession', { channel: session, provider, workingDirectories: [workingDirectory] });
    const { chats } = await this.#survivor.follow<SessionState>(client, session, 'session');
    await this.#survivor.follow(client, annotationsUri(session), 'annotations');
    for (const { resource } of chats) {
      await this.#survivor.follow<ChatState>(client, resource, 'chat');
      this.#chats.push({ uri: resource, provider });
    }
  }

  /** All at once; `operations` is the changeset that operations are about. */
  async add(client: WireClient, operations: string): Promise<void> {
    const random = this.#random;
    for (const { uri, provider } of this.#chats.slice(-BUSY_CHATS)) this.#turn(client, uri, provider);
    const sessions = [...this.#survivor.known].filter(([, { kind }]) => kind === 'session').map(([uri]) => uri);
    const session = random.pick(sessions);
    client.dispatch(session, { type: 'session/titleChanged', title: `title ${this.#turns}` });
    client.dispatch(annotationsUri(session), {
      type: 'annotations/set',
      annotation: annotation(`note-${random.below(5)}`, pathToFileURL(this.#folders.turns).href, this.#turns),
    });
    const terminal = terminalUri.format(crypto.randomUUID());
    const claim = { kind: 'client', clientId: 'survivor' } as const;
    client.peer.request('createTerminal', { channel: terminal, claim }).catch(ignored);
    client.peer.request('subscribe', { channel: terminal }).catch(ignored);
    client.dispatch(terminal, {
      type: 'terminal/input',
      data: 'sleep 300 & while :; do echo tick; sleep 0.2; done\r',
    });
    client.peer.request('subscribe', { channel: changesetUri(session, { kind: 'uncommitted' }) }).catch(ignored);
    client.peer.request('subscribe', { channel: operations }).catch(ignored);
    if (random.chance(0.5)) this.#folders.userEdits();
    this.#folders.userWrites(random);
    await this.#operation(client, operations);
  }

  /** What an agent reported as appended is in the file. */
  expectAppends(): void {
    for (const { state, kind } of this.#survivor.known.values()) {
      if (kind !== 'chat') continue;
      for (const turn of (state as ChatState).turns) {
        const append = this.#appends.get(turn.id);
        const call = turn.responseParts.find((part) => part.kind === 'toolCall')?.toolCall;
        if (append === undefined || call?.status !== 'completed' || !call.success) continue;
        const [name = '', line = ''] = append.split(' ');
        expect(this.#folders.appended(name).has(line), `${append} of ${turn.id}`).toBe(true);
        this.#appends.delete(turn.id);
        this.#figures.appended++;
      }
    }
  }

  async #operation(client: WireClient, operations: string): Promise<void> {
    const random = this.#random;
    const operationId = random.pick(['revert', 'undo', 'stage', 'keep', 'unstage']);
    this.#figures.operations++;
    const operation = client.peer
      .request('invokeChangesetOperation', { channel: operations, operationId })
      .then(() => this.#figures.operationsDone++)
      .catch(ignored);
    if (random.chance(0.4)) await operation; // else death may come in the middle of it, or before
  }

  #turn(client: WireClient, chat: string, provider: string): void {
    const random = this.#random;
    const turn = ++this.#turns;
    const line = `line-${turn}`;
    const steps = [
      '/stream 30',
      '/say working',
      `/think ${turn}`,
      '/usage 10 20',
      '/ask Go on? | yes | no',
      '/read README.md',
      '/run sleep 0.05',
    ];
    const some = Array.from({ length: 2 }, () => random.pick(steps));
    const script =
      provider === 'demo'
        ? ['/auto on', `/append log-${turn % 4}.txt ${line}\\n`, ...some, '/stream 5000'].join('\n')
        : ['/say one', '/think two', '/stream'].join('\n');
    const turnId = `turn-${turn}`;
    const activeTurn = (this.#survivor.known.get(chat)?.state as ChatState | undefined)?.activeTurn;
    // One that waits for an answer over all deaths is good to have, but no other could begin.
    if (activeTurn && random.chance(0.7))
      client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId: activeTurn.id });
    if (provider === 'demo') this.#appends.set(turnId, `log-${turn % 4}.txt ${line}`);
    client.dispatch(chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId,
      message: userMessage(script),
    });
    if (random.chance(0.5)) client.dispatch(chat, queued(turn));
    if (random.chance(0.2)) client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId });
  }
}

/** A message that waits for the turn before it, and must survive. */
export function queued(number: number, script = '/stream 20') {
  const message = userMessage(script);
  return { type: 'chat/pendingMessageSet', kind: 'queued', id: `q-${number}`, message } as const;
}

/** The host may die before it answers. */
function ignored(): void {}

function annotation(id: string, folder: string, text: number) {
  return {
    id,
    turnId: 'turn-1',
    resource: `${folder}/README.md`,
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    resolved: false,
    entries: [{ id: 'e', text: `note ${text}` }],
  };
}
