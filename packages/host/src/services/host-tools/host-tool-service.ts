import { ExtensionMeta, type SessionState, type SessionSummary, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Authorize } from '../../ports/authorize.js';
import { type HostTool, HostToolError, type HostToolsEndpoint } from '../../ports/host-tools.js';
import { nameOf } from '../../ports/people.js';
import type { AuditService } from '../audit/audit-service.js';
import type { AuthService } from '../auth/auth-service.js';
import type { ChangesetService } from '../changesets/changeset-service.js';
import type { HostContext } from '../context.js';
import type { McpServerDeclaration } from '../mcp/declaration.js';
import type { SessionService } from '../sessions/session-service.js';
import { toolsOf } from './tools.js';

export interface HostToolOptions {
  /** Where agents reach the tools. */
  readonly endpoint: HostToolsEndpoint;
  /** Whether sessions have the tools unless a user switches them off; otherwise a user has to switch them on. */
  readonly enabled: boolean;
}

export interface HostToolServices {
  readonly sessions: SessionService;
  readonly auth: AuthService;
  readonly changesets: ChangesetService | undefined;
  readonly audit: AuditService | undefined;
}

/** The person whose session an agent works in. */
export interface Owner {
  readonly credential: string;
  readonly clientId: string;
}

/**
 * Lets agents work with the other sessions of whoever their own session belongs to, as an MCP server of each session. What an
 * agent says is not trusted: a call may do what the owner may, never more, and nothing to sessions of others.
 */
export class HostToolService {
  readonly #context: HostContext;
  readonly #options: HostToolOptions;
  readonly #services: HostToolServices;
  readonly #authorize: Authorize;
  readonly #secrets = new Map<URI, string>();
  readonly #sessions = new Map<string, URI>();

  constructor(context: HostContext, options: HostToolOptions, services: HostToolServices, authorize: Authorize) {
    this.#context = context;
    this.#options = options;
    this.#services = services;
    this.#authorize = authorize;
    options.endpoint.serve((secret) => this.#toolsFor(secret));
  }

  /** The server as a session has it. A session in a sandbox has none: its agent could begin one without. */
  declarationsFor({ uri, state }: Channel<'session'>): readonly McpServerDeclaration[] {
    if (isConfined(state)) return [];
    const { endpoint, enabled } = this.#options;
    const launch = endpoint.launchFor(this.#secretOf(uri));
    return [{ id: 'mcp:moorage-host', name: 'moorage', uri: 'moorage-host-tools:', enabled, launch }];
  }

  #secretOf(session: URI): string {
    const known = this.#secrets.get(session);
    if (known !== undefined) return known;
    const secret = `${this.#context.ids.next()}${this.#context.ids.next()}`;
    this.#secrets.set(session, secret);
    this.#sessions.set(secret, session);
    return secret;
  }

  #toolsFor(secret: string): readonly HostTool[] | undefined {
    const uri = this.#sessions.get(secret);
    const session = uri === undefined ? undefined : this.#context.door.channels.find('session', uri);
    if (!session || isConfined(session.state)) return undefined;
    const owner = this.#ownerOf(session.uri);
    if (!owner) return undefined;
    return toolsOf({
      context: this.#context,
      services: this.#services,
      session,
      owner,
      listed: () => this.#listed(owner),
      find: (wanted) => this.#find(owner, wanted),
      assertMay: (attempt) => {
        const refusal = this.#authorize(owner, attempt);
        if (refusal !== undefined) throw new HostToolError(refusal);
      },
    });
  }

  /** Sessions of the same person that this person may see. Those of others are as if they were not there. */
  #listed(owner: Owner): SessionSummary[] {
    const all = this.#context.store.sessions.list().map((json) => JSON.parse(json) as SessionSummary);
    return all.filter(({ resource }) => this.#isOf(owner, resource));
  }

  #find(owner: Owner, wanted: unknown): Channel<'session'> {
    const uri = typeof wanted === 'string' ? wanted : '';
    const session = this.#isOf(owner, uri) ? this.#context.door.channels.find('session', uri) : undefined;
    if (!session) throw new HostToolError(`there is no session ${uri || '""'}: take one from list_sessions`);
    return session;
  }

  #isOf(owner: Owner, session: URI): boolean {
    const other = this.#ownerOf(session);
    if (!other || personOf(other) !== personOf(owner)) return false;
    const attempt = { kind: 'request', channel: session, method: 'subscribe', params: { channel: session } } as const;
    return this.#authorize(owner, attempt) === undefined;
  }

  /** Whose a session is: of the person whose client created it. Undefined where that is not known. */
  #ownerOf(session: URI): Owner | undefined {
    const { documents } = this.#context.door;
    const json = documents.read('owner', session);
    const clientId = json === undefined ? undefined : (JSON.parse(json) as Partial<Owner>).clientId;
    const client = clientId === undefined ? undefined : documents.read('client', clientId);
    const credential = client === undefined ? undefined : (JSON.parse(client) as Partial<Owner>).credential;
    return clientId === undefined || credential === undefined ? undefined : { credential, clientId };
  }
}

/** All credentials of the host's owner are one person. */
function personOf({ credential }: Owner): string {
  return nameOf(credential) ?? '';
}

function isConfined({ config }: SessionState): boolean {
  return (config?.values.sandbox ?? 'off') !== 'off';
}

/** How many agents stand between a session and a user: 0 for one that a user made. */
export function depthOf({ _meta }: SessionState): number {
  const startedBy = _meta?.[ExtensionMeta.startedBy] as { depth?: unknown } | undefined;
  return typeof startedBy?.depth === 'number' ? startedBy.depth : 0;
}
