import { TestHost } from '../test-host.js';
import { workspacesIn } from '../workspaces.js';
import { type Envelope, LegacyClient, type Version } from './client.js';

export const VERSIONS: readonly Version[] = [
  1,
  '0.1.0',
  '0.2.0',
  '0.3.0',
  '0.4.0',
  '0.5.0',
  '0.5.1',
  '0.5.2',
  '0.6.0',
  '0.7.0',
  '0.9.0',
  '1.0.0',
];
export const WITHOUT_CHATS: readonly Version[] = [1, '0.1.0', '0.2.0', '0.3.0'];

type Wire = Record<string, unknown>;

/** A client with the session that it follows and the place where its version has the conversation. */
export interface Place {
  readonly client: LegacyClient;
  readonly session: string;
  readonly conversation: string;
}

/** A host and clients of any version that are closed with it. */
export class Scenario {
  readonly host: TestHost;
  readonly clients: LegacyClient[] = [];

  static async start({ changesets = false } = {}): Promise<Scenario> {
    return new Scenario(await TestHost.start(changesets ? { workspaces: workspacesIn } : {}));
  }

  constructor(host: TestHost) {
    this.host = host;
  }

  async connect(version: Version, subscribe: string[] = []): Promise<LegacyClient> {
    const client = await LegacyClient.connect(this.host, version, { subscribe });
    this.clients.push(client);
    return client;
  }

  /** A connection before its handshake. */
  async open(version: Version, before?: Pick<LegacyClient, 'clientId' | 'clientSeq'>): Promise<LegacyClient> {
    const client = await LegacyClient.open(this.host, version, before?.clientId, before?.clientSeq);
    this.clients.push(client);
    return client;
  }

  /** A new session of the demo agent, followed by its creator. */
  async create(client: LegacyClient, id: string = crypto.randomUUID(), params: Wire = {}): Promise<Place> {
    const session = { [client.isEarly ? 'session' : 'channel']: sessionFor(client, id) };
    await client.request('createSession', {
      ...session,
      provider: 'demo',
      ...(client.since('0.7.0')
        ? { workingDirectories: [this.host.workspaceUri] }
        : { workingDirectory: this.host.workspaceUri }),
      ...params,
    });
    return this.follow(client, id);
  }

  /** Follows a session with all that belongs to it in the version. */
  async follow(client: LegacyClient, id: string): Promise<Place> {
    const session = sessionFor(client, id);
    const state = await client.attach(session);
    if (client.mergesChats) return { client, session, conversation: session };
    const conversation = String(state.defaultChat);
    await client.attach(conversation);
    return { client, session, conversation };
  }

  /** The same session for a client of another version. */
  followToo(client: LegacyClient, place: Place): Promise<Place> {
    return this.follow(client, place.session.slice(place.session.indexOf(':/') + 2));
  }

  async dispose(): Promise<void> {
    for (const client of this.clients) await client.close();
    await this.host.dispose();
  }
}

/** The URI under which a version knows a session of the demo agent. */
export function sessionFor(client: LegacyClient, id: string): string {
  return client.isEarly ? `demo:/${id}` : `ahp-session:/${id}`;
}

/** The action of a conversation as the version names it. */
export function said({ client }: Place, name: string, payload: Wire = {}): Wire {
  return { type: `${client.mergesChats ? 'session' : 'chat'}/${name}`, ...timesOf(client, name), ...payload };
}

/** Since 0.6 whoever starts or ends a turn says when, or how long it took. */
function timesOf(client: LegacyClient, name: string): Wire {
  if (!client.since('0.6.0')) return {};
  if (name === 'turnStarted') return { startedAt: new Date().toISOString() };
  return name === 'turnCancelled' ? { duration: 0 } : {};
}

/** What is asked of the user: beside the turns at first, since 0.6 in the turn. */
export function openRequest<Request>(state: Wire): Request | undefined {
  const { responseParts = [] } = (state.activeTurn ?? {}) as { responseParts?: Wire[] };
  const parts = responseParts.filter(({ kind, response }) => kind === 'inputRequest' && response === undefined);
  const requests = [...((state.inputRequests ?? []) as unknown[]), ...parts.map(({ request }) => request)];
  return requests[0] as Request | undefined;
}

/** The action by which a client becomes active, and the one by which it leaves. */
export function activation(client: LegacyClient, tools: Wire[]): { claim: Wire; release: Wire } {
  const { clientId } = client;
  const activeClient = { clientId, tools };
  if (client.since('0.5.0')) {
    return {
      claim: { type: 'session/activeClientSet', activeClient },
      release: { type: 'session/activeClientRemoved', clientId },
    };
  }
  const type = 'session/activeClientChanged';
  return { claim: { type, activeClient }, release: { type, activeClient: null } };
}

export function messageIn({ client }: Place, text: string): Wire {
  const hasMessage = !['v1', '0.1', '0.2'].includes(client.dialect.name);
  return hasMessage ? { message: { text, origin: { kind: 'user' } } } : { userMessage: { text } };
}

let turns = 0;

export function startTurn(place: Place, text: string, turnId = `turn-${++turns}`): string {
  place.client.dispatch(place.conversation, said(place, 'turnStarted', { turnId, ...messageIn(place, text) }));
  return turnId;
}

/** Runs a turn to its end, however it ends. */
export async function runTurn(place: Place, text: string, turnId?: string): Promise<string> {
  const id = startTurn(place, text, turnId);
  await turnEnd(place, id);
  return id;
}

export function turnEnd({ client, conversation }: Place, turnId: string): Promise<Envelope> {
  return client.envelope(
    ({ channel, action }) => channel === conversation && ENDS.test(action.type) && action.turnId === turnId,
  );
}

const ENDS = /\/(turnComplete|turnCancelled|error)$/;

export function turnsOf({ client, conversation }: Place): (Wire & { id: string; responseParts: Wire[] })[] {
  return client.state(conversation).turns as never;
}

/** Waits until what is said of the conversation is so. */
export function shown<T>(
  { client, conversation }: Place,
  find: (state: Wire) => T | undefined,
  what: string,
): Promise<T> {
  return client.until(() => find(client.state(conversation)), what);
}

/** The tool calls of the active turn. */
export function openCalls(state: Wire): (Wire & { toolCallId: string; status: string })[] {
  const { responseParts = [] } = (state.activeTurn ?? {}) as { responseParts?: Wire[] };
  return responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall as never] : []));
}
