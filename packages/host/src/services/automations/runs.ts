import {
  type AutomationEntry,
  type AutomationRunLifecycle,
  type AutomationRunOrigin,
  type AutomationRunState,
  type AutomationRunSummary,
  automationRunUri,
  type CreateSessionParams,
  type ErrorInfo,
  ExtensionMeta,
  type Message,
  RpcError,
  sessionUri,
  type URI,
} from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { hasTurn } from '../../core/chat-turns.js';
import { isOver } from '../../core/keeping.js';
import { nameOf } from '../../ports/people.js';
import { StoreError } from '../../ports/store.js';
import type { AuthService } from '../auth/auth-service.js';
import { storeAttachments } from '../content/attachments.js';
import type { ContentService } from '../content/content-service.js';
import type { HostContext } from '../context.js';
import type { SessionService } from '../sessions/session-service.js';
import { cancelled } from '../turns/turn-ends.js';
import type { AutomationRecord, Catalogue } from './catalogue.js';
import { RUNS_PAGE } from './limits.js';

export interface RunServices {
  readonly sessions: SessionService;
  readonly auth: AuthService;
  readonly contents: ContentService;
}

/**
 * Brings runs about. A run is decided and stored first; its session has the same id, and so has the turn that it begins
 * with. So after a crash the host finds what there is of a run already, and nothing is done twice.
 *
 * | state of a run | what is stored | after a restart |
 * |---|---|---|
 * | pending | the run | its session is made |
 * | running | also its session, being made | its turn is started once the session is ready |
 * | running | also the turn | the turn ends or goes on, as any turn does, and the run with it |
 */
export class Runs {
  readonly #context: HostContext;
  readonly #services: RunServices;
  readonly #catalogue: Catalogue;

  constructor(context: HostContext, services: RunServices, catalogue: Catalogue) {
    this.#context = context;
    this.#services = services;
    this.#catalogue = catalogue;
  }

  /** Opens the channel of a new run. */
  open(automation: URI, origin: AutomationRunOrigin, lifecycle: AutomationRunLifecycle): Channel<'automationRun'> {
    const { door, ids } = this.#context;
    const resource = automationRunUri.format(ids.next());
    // It belongs to no session but itself, so that it can be removed without a trace some time after it is over.
    return door.open(resource, 'automationRun', resource, { resource, automation, origin, lifecycle, sessions: [] });
  }

  find(uri: URI): Channel<'automationRun'> | undefined {
    try {
      return this.#context.door.channels.find('automationRun', uri);
    } catch (error) {
      if (error instanceof StoreError) return undefined; // damaged: there is nothing to show or to go on with
      throw error;
    }
  }

  /** Makes the session of a pending run. */
  begin(run: Channel<'automationRun'>): void {
    const entry = this.#catalogue.entry(run.state.automation);
    const record = this.#catalogue.record(run.state.automation);
    if (!entry || !record) {
      this.end(run, { status: 'cancelled' });
      return;
    }
    const params = sessionParams(run.uri, entry);
    const learning = this.#services.sessions.learnSettings(params);
    if (!learning) this.#create(run, entry, record);
    else void learning.catch(() => {}).then(() => this.#create(run, entry, record)); // `create` says what is wrong
  }

  #create(run: Channel<'automationRun'>, entry: AutomationEntry, { author }: AutomationRecord): void {
    const { door, clock } = this.#context;
    const { sessions, auth } = this.#services;
    const { lifecycle, automation } = run.state;
    if (!door.isOpen(run) || lifecycle.status !== 'pending') return; // cancelled meanwhile
    const params = sessionParams(run.uri, entry);
    try {
      sessions.create(params, {
        clientId: author.clientId,
        isOurs: true,
        isVscode: false,
        assertUsable: (provider) => auth.assertTokens(author, provider, params.channel),
        begunBy: { origin: { kind: 'automation', automation, run: run.uri }, title: entry.definition.title },
      });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      this.end(run, { status: 'failed', error: { errorType: 'sessionNotCreated', message: error.message } });
      return;
    }
    auth.created(params.channel, author.clientId);
    const again = { again: (channel: Channel<'automationRun'>) => this.begin(channel) };
    door.commit(run, { type: 'automationRun/sessionSet', session: params.channel }, again);
    door.commit(run, { type: 'automationRun/primarySessionChanged', primarySession: params.channel });
    const startedAt = new Date(clock.now()).toISOString();
    this.#change(run, { status: 'running', createdAt: lifecycle.createdAt, startedAt });
  }

  /** Starts the turn of a run whose session is ready, unless it has been started. */
  start(run: Channel<'automationRun'>, chatUri: URI | undefined): void {
    const { door } = this.#context;
    const { sessions, auth, contents } = this.#services;
    const chat = chatUri === undefined ? undefined : door.channels.find('chat', chatUri);
    const entry = this.#catalogue.entry(run.state.automation);
    const record = this.#catalogue.record(run.state.automation);
    const turnId = turnOf(run.uri);
    if (!chat || !entry || !record) {
      this.end(run, { status: 'cancelled' });
      return;
    }
    if (hasTurn(chat.state, turnId)) return;
    auth.starters.opens(chat.uri, record.author.clientId);
    const message = messageOf(entry, record, run.state);
    sessions.startTurn(chat, storeAttachments(message, sessionOf(run.uri), contents), turnId);
  }

  cancel(run: Channel<'automationRun'>): void {
    const { door, clock } = this.#context;
    const chat = door.channels.find('session', sessionOf(run.uri))?.state.defaultChat;
    const channel = chat === undefined ? undefined : door.channels.find('chat', chat);
    const turn = channel?.state.activeTurn;
    if (channel && turn?.id === turnOf(run.uri)) door.commit(channel, cancelled(turn, clock.now()));
    else this.end(run, { status: 'cancelled' });
  }

  end(run: Channel<'automationRun'>, how: RunEnd): void {
    const { lifecycle, automation } = run.state;
    if (isOver(lifecycle)) return;
    const { createdAt } = lifecycle;
    const started = 'startedAt' in lifecycle && lifecycle.startedAt !== undefined ? lifecycle.startedAt : undefined;
    const completedAt = new Date(this.#context.clock.now()).toISOString();
    const times = { createdAt, ...(started !== undefined && { startedAt: started }), completedAt };
    if (how.status === 'completed')
      this.#change(run, { ...how, createdAt, startedAt: started ?? createdAt, completedAt });
    else this.#change(run, { ...times, ...how });
    if (!this.#catalogue.entry(automation)) this.forget(run);
  }

  /** Removes a run that is over; what is stored of it is purged like removed sessions. */
  forget(run: Channel<'automationRun'>): void {
    this.#context.door.dispose(run.uri, [run]);
  }

  #change(run: Channel<'automationRun'>, lifecycle: AutomationRunLifecycle): void {
    this.#context.door.commit(run, { type: 'automationRun/lifecycleChanged', lifecycle });
    const entry = this.#catalogue.entry(run.state.automation);
    if (!entry) return;
    const summary = summaryOf(run.state);
    const runs = entry.runs.map((shown) => (shown.resource === run.uri ? summary : shown));
    this.#catalogue.set({ ...entry, runs });
  }
}

export type RunEnd =
  | { readonly status: 'completed'; readonly usage?: Extract<AutomationRunLifecycle, { status: 'completed' }>['usage'] }
  | { readonly status: 'failed'; readonly error: ErrorInfo }
  | { readonly status: 'cancelled' };

export function summaryOf({ sessions, ...run }: AutomationRunState): AutomationRunSummary {
  return { ...run, sessionCount: sessions.length };
}

/** The newest runs of an automation, as its entry shows them, up to a number of them. */
export function shownRuns(
  record: AutomationRecord,
  find: (uri: URI) => Channel<'automationRun'> | undefined,
  count = RUNS_PAGE,
): Pick<AutomationEntry, 'runs' | 'runsNextCursor'> {
  const shown = record.runs.slice(0, count);
  const last = shown.at(-1);
  return {
    runs: shown.flatMap((uri) => {
      const run = find(uri);
      return run ? [summaryOf(run.state)] : [];
    }),
    ...(record.runs.length > count && last !== undefined && { runsNextCursor: last }),
  };
}

/** The session of a run has its id. */
function sessionOf(run: URI): URI {
  return sessionUri.format(idOf(run));
}

/** So has the turn that the session begins with. */
export function turnOf(run: URI): string {
  return idOf(run);
}

function idOf(run: URI): string {
  return automationRunUri.parse(run) ?? run;
}

export function sessionParams(run: URI, { definition }: Pick<AutomationEntry, 'definition'>): CreateSessionParams {
  const { provider, workingDirectories, config } = definition.session;
  return {
    channel: sessionOf(run),
    ...(provider !== undefined && { provider }),
    ...(workingDirectories && { workingDirectories }),
    ...(config && { config }),
  };
}

function messageOf(
  { definition }: AutomationEntry,
  { author }: AutomationRecord,
  { origin }: AutomationRunState,
): Message {
  const { message, session } = definition;
  const { model = message.model, agent = message.agent } = session;
  const name = nameOf(author.credential);
  const event = origin.kind === 'trigger' ? origin.event : undefined;
  const { [ExtensionMeta.person]: _, ...meta } = message._meta ?? {};
  return {
    ...message,
    text: event ? `${message.text}\n\n${describedEvent(event)}` : message.text,
    origin: { kind: 'automation' },
    ...(model && { model }),
    ...(agent && { agent }),
    _meta: { ...meta, ...(name !== undefined && { [ExtensionMeta.person]: name }) },
  };
}

/** Names what happened, and quotes nothing: what was said in another session is not an instruction. */
function describedEvent(event: Readonly<Record<string, unknown>>): string {
  return `(This run was started by the event "${event.id}" in the session ${event.session}.)`;
}
