import {
  AhpErrorCodes,
  type AuthenticateParams,
  type AuthRequiredReason,
  type ProtectedResourceMetadata,
  ROOT_URI,
  RpcError,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Subscriber } from '../../core/delivery.js';
import { invalidParams, invalidRequest } from '../../core/errors.js';
import type { HostContext } from '../context.js';
import { ExpiryWatch } from './expiry-watch.js';
import { MAX_TOKENS_PER_CLIENT } from './limits.js';
import { readSharing, readToken } from './read-token.js';
import { ProtectedResources } from './resources.js';
import { Starters } from './starters.js';
import { tokenExpiry } from './token-expiry.js';
import type { KnownToken, TokenVault } from './token-vault.js';
import { TurnTokens } from './turn-tokens.js';

/** The part of the service for what belongs to a session rather than to a turn, such as connections to MCP servers. */
interface SessionTokens {
  /** A token for the session as a whole: its active client's, else its creator's, else a shared one. */
  tokenFor(session: URI, resource: string): string | undefined;
  /** Called with the resource when a token for it is given, replaced or dropped. */
  onTokensChanged(listener: (resource: string) => void): void;
  /**
   * Adds resources, besides those of agents, that clients may authenticate for (OQ-73). `source` is called on every
   * lookup.
   */
  addResources(source: () => Iterable<ProtectedResourceMetadata>): void;
}

/**
 * Keeps the tokens of clients, decides which turn and session may use which, and asks clients for those that are
 * missing.
 */
export class AuthService implements SessionTokens {
  readonly starters: Starters;
  readonly #context: HostContext;
  readonly #vault: TokenVault;
  readonly #clientOf: (clientId: string) => Subscriber | undefined;
  readonly #resources: ProtectedResources;
  readonly #expiry: ExpiryWatch;
  readonly #onChanged: ((resource: string) => void)[] = [];

  constructor(context: HostContext, vault: TokenVault, clientOf: (clientId: string) => Subscriber | undefined) {
    this.#context = context;
    this.#vault = vault;
    this.#clientOf = clientOf;
    this.#resources = new ProtectedResources(context.agents);
    this.#expiry = new ExpiryWatch(context.clock, (token) => this.#drop(token, ROOT_URI));
    this.starters = new Starters(context, (chat) => this.#resourcesOf(chat).length > 0);
  }

  authenticate(params: AuthenticateParams, client: Subscriber): void {
    const { resource } = params;
    const metadata = this.#resources.find(resource);
    if (!metadata) throw invalidParams('params/resource: expected a resource that an agent or an MCP server declares');
    const value = readToken(params);
    const token: KnownToken = {
      owner: client,
      resource,
      value,
      expiresAt: tokenExpiry(params, this.#context.clock.now()),
      sharing: readSharing(params),
    };
    if (this.#expiry.isExpired(token)) throw authRequired('the token has expired already', [metadata]);
    const before = this.#vault.get(client, resource);
    if (!before && this.#vault.count(client) >= MAX_TOKENS_PER_CLIENT) {
      throw invalidRequest(`a client can have ${MAX_TOKENS_PER_CLIENT} tokens`);
    }
    if (before) this.#expiry.forget(before);
    this.#vault.put(token);
    this.#expiry.watch(token);
    this.#changed(resource);
  }

  /** Throws -32007 when the client lacks a token that the agent requires (B-310); one that is not connected has none. */
  assertTokens(client: Subscriber | { readonly clientId: string }, provider: string, session: URI): void {
    const missing = this.#missing(this.#clientOf(client.clientId), provider, session);
    const names = missing.map(({ resource }) => resource).join(', ');
    if (missing.length > 0) throw authRequired(`the agent needs a token for ${names}`, missing);
  }

  /** The protected resources that the session's agent requires and for which the client has given no token. */
  missingTokens(client: Subscriber, { uri, state }: Channel<'session'>): readonly string[] {
    return this.#missing(client, state.provider, uri).map(({ resource }) => resource);
  }

  /** Notifies the client, on the session's channel, of tokens it has to give. */
  ask(client: Subscriber, channel: URI, resources: readonly string[], reason: AuthRequiredReason = 'required'): void {
    const session = this.#sessionOf(channel)?.uri ?? channel;
    for (const name of resources) {
      const resource = this.#resources.find(name) ?? { resource: name };
      this.#context.door.notifyOne(client, 'auth/required', { channel: session, resource, reason });
    }
  }

  /** For a client that reconnected: its earlier tokens are gone, so it is asked again for those its sessions need. */
  remind(client: Subscriber): void {
    for (const uri of client.channels) {
      const session = this.#context.door.channels.peek(uri);
      if (isKind(session, 'session')) this.ask(client, uri, this.missingTokens(client, session));
    }
  }

  /** The tokens that a turn may use, and the resources it needs but has no token for. */
  forTurn(chat: Channel<'chat'>, turnId: string): { tokens: TurnTokens; missing: readonly string[] } {
    const session = this.#sessionOf(chat.uri);
    const uri = session?.uri ?? '';
    const declared = this.#resourcesOf(chat);
    const find = (resource: string) => {
      const clientId = this.starters.of(chat.uri, turnId);
      const client = clientId === undefined ? undefined : this.#clientOf(clientId);
      return this.#find(client, uri, resource);
    };
    const tokens = new TurnTokens(
      {
        find,
        isExpired: (token) => this.#expiry.isExpired(token),
        refused: (token) => this.#drop(token, uri),
      },
      declared.map(({ resource }) => resource),
    );
    const missing = declared.filter(({ required, resource }) => required !== false && !tokens.get(resource));
    return { tokens, missing: missing.map(({ resource }) => resource) };
  }

  /** Asks the client that started the turn for tokens, if that client is connected. */
  askStarter(chat: URI, turnId: string, resources: readonly string[]): void {
    const clientId = this.starters.of(chat, turnId);
    const client = clientId === undefined ? undefined : this.#clientOf(clientId);
    if (client) this.ask(client, chat, resources);
  }

  created(session: URI, clientId: string): void {
    const json = JSON.stringify({ clientId });
    this.#context.door.documents.put({ collection: 'owner', key: session, session, json });
  }

  tokenFor(session: URI, resource: string): string | undefined {
    const active = this.#context.door.channels.find('session', session)?.state.activeClients ?? [];
    for (const clientId of [...active.map((client) => client.clientId).reverse(), this.#creatorOf(session)]) {
      const client = clientId === undefined ? undefined : this.#clientOf(clientId);
      const token = client && this.#vault.get(client, resource);
      if (token && !this.#expiry.isExpired(token)) return token.value;
    }
    return this.#find(undefined, session, resource)?.value;
  }

  onTokensChanged(listener: (resource: string) => void): void {
    this.#onChanged.push(listener);
  }

  addResources(source: () => Iterable<ProtectedResourceMetadata>): void {
    this.#resources.add(source);
  }

  /** Drops the tokens of a connection that was closed. */
  clientGone(client: Subscriber): void {
    for (const token of this.#vault.removeAll(client)) {
      this.#expiry.forget(token);
      this.#changed(token.resource);
    }
  }

  dispose(): void {
    for (const token of this.#vault) this.#expiry.forget(token);
  }

  #missing(client: Subscriber | undefined, provider: string, session: URI): readonly ProtectedResourceMetadata[] {
    return this.#context.agents
      .protectedResources(provider)
      .filter(({ required, resource }) => required !== false && !this.#find(client, session, resource));
  }

  /** The client's own token, else one shared with the session. */
  #find(client: Subscriber | undefined, session: URI, resource: string): KnownToken | undefined {
    const own = client && this.#vault.get(client, resource);
    const token = own && !this.#expiry.isExpired(own) ? own : this.#vault.shared(session, resource);
    return token && !this.#expiry.isExpired(token) ? token : undefined;
  }

  /**
   * Drops a token that expired or was refused, and asks its owner for a new one on `channel`. For an MCP server nobody
   * is asked: its state shows that it needs a token (B-241).
   */
  #drop(token: KnownToken, channel: URI): void {
    this.#expiry.forget(token);
    if (!this.#vault.remove(token)) return;
    if (this.#resources.findOfAgents(token.resource)) this.ask(token.owner, channel, [token.resource], 'expired');
    this.#changed(token.resource);
  }

  #changed(resource: string): void {
    for (const listener of this.#onChanged) listener(resource);
  }

  #resourcesOf(chat: Channel<'chat'>): readonly ProtectedResourceMetadata[] {
    const provider = this.#sessionOf(chat.uri)?.state.provider;
    return provider === undefined ? [] : this.#context.agents.protectedResources(provider);
  }

  #sessionOf(uri: URI): Channel<'session'> | undefined {
    const { channels } = this.#context.door;
    const channel = channels.load(uri);
    return channel && channels.sessionOf(channel);
  }

  #creatorOf(session: URI): string | undefined {
    const json = this.#context.door.documents.read('owner', session);
    return json === undefined ? undefined : (JSON.parse(json) as { clientId: string }).clientId;
  }
}

function authRequired(message: string, resources: readonly ProtectedResourceMetadata[]): RpcError {
  return new RpcError(AhpErrorCodes.AuthRequired, message, { data: { resources: [...resources] } });
}
