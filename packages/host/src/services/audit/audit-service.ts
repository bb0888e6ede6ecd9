import type { Subscriber } from '../../core/delivery.js';
import type { Audit, AuditEntry } from '../../ports/audit.js';
import type { Attempt } from '../../ports/authorize.js';
import { nameOf } from '../../ports/people.js';
import type { HostContext } from '../context.js';

/** Records what people did and the host accepted. */
export class AuditService {
  readonly #context: HostContext;
  readonly #audit: Audit;
  /** When typing into a terminal was last recorded, by client and terminal. */
  readonly #typed = new Map<string, number>();

  constructor(context: HostContext, audit: Audit) {
    this.#context = context;
    this.#audit = audit;
  }

  accepted(client: Subscriber, attempt: Attempt): void {
    const what = attempt.kind === 'action' ? attempt.action.type : attempt.method;
    if (NOT_RECORDED.has(what)) return;
    const at = this.#context.clock.now();
    if (what === 'terminal/input' && !this.#isNewTyping(`${client.clientId} ${attempt.channel}`, at)) return;
    const { clientId, program } = client;
    const about = aboutOf(attempt.kind === 'action' ? attempt.action : attempt.params);
    this.#record({
      at,
      person: nameOf(client.credential) ?? 'owner',
      clientId,
      ...(program !== undefined && { program }),
      channel: attempt.channel,
      what,
      ...(Object.keys(about).length > 0 && { about }),
    });
  }

  #record(entry: AuditEntry): void {
    try {
      this.#audit.record(entry);
    } catch (error) {
      this.#context.log.write('error', 'audit.write-failed', 'the audit could not be written', {
        what: entry.what,
        error: String(error),
      });
    }
  }

  /** Keys are not recorded one by one. */
  #isNewTyping(key: string, at: number): boolean {
    const before = this.#typed.get(key);
    if (before !== undefined && at - before < TYPING_MS) return false;
    if (this.#typed.size >= MAX_TYPED) this.#typed.clear();
    this.#typed.set(key, at);
    return true;
  }
}

/** Milliseconds in which typing into a terminal is recorded once. */
const TYPING_MS = 60_000;
const MAX_TYPED = 1_000;

/** What only reads, says that somebody is there, or is replaced a moment later. */
const NOT_RECORDED: ReadonlySet<string> = new Set([
  ...['chat/draftChanged', 'chat/inputAnswerChanged', 'session/activeClientSet', 'session/activeClientRemoved'],
  ...['terminal/resized', 'session/isReadChanged', 'chat/isReadChanged'],
  ...['initialize', 'reconnect', 'ping', 'subscribe', 'listSessions', 'listDisposedSessions', 'fetchTurns'],
  ...['createResourceWatch', 'resourceRead', 'resourceList', 'resourceResolve', 'resourceRequest'],
  ...['resolveSessionConfig', 'sessionConfigCompletions', 'completions'],
  ...['moorage/listHistory', 'moorage/listHistoryFiles', 'moorage/blame', 'moorage/compareSessions'],
  ...['moorage/getPushKey', 'moorage/searchConversations', 'moorage/suggestCommitMessage'],
  ...[
    'moorage/listEarlierSessions',
    'moorage/listPeople',
    'moorage/listAudit',
    'moorage/listWatchers',
    'moorage/listHosts',
    'moorage/listTokens',
  ],
]);

/** Members that name what an attempt is about. Others may quote what was said, or hold secrets. */
const NAMING = [
  ...['turnId', 'toolCallId', 'approved', 'requestId', 'response', 'operationId', 'annotationId', 'entryId', 'chat'],
  ...['provider', 'title', 'name', 'role', 'expiresAt', 'uri', 'source', 'destination', 'step', 'folder', 'resource'],
  ...['isArchived', 'isRead', 'kind', 'id', 'host'],
] as const;

const MAX_CHARS = 300;

function aboutOf(from: unknown): Record<string, string | number | boolean> {
  const members = from as Record<string, unknown>;
  const about: Record<string, string | number | boolean> = {};
  for (const name of NAMING) {
    const value = members[name];
    if (typeof value === 'string') about[name] = value.slice(0, MAX_CHARS);
    else if (typeof value === 'number' || typeof value === 'boolean') about[name] = value;
  }
  return about;
}
