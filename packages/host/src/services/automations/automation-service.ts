import {
  type AutomationCapabilities,
  type AutomationDefinition,
  type AutomationEntry,
  type AutomationRunOrigin,
  type AutomationScheduleTrigger,
  ExtensionMeta,
  errorOf,
  type FetchAutomationRunsParams,
  isObject,
  RpcError,
  type RunAutomationParams,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { Subscriber } from '../../core/delivery.js';
import { invalidParams, invalidRequest, notAllowed, notFound } from '../../core/errors.js';
import { isOver } from '../../core/keeping.js';
import { withChanges } from '../../core/rules/automation.js';
import type { Authorize } from '../../ports/authorize.js';
import { nameOf } from '../../ports/people.js';
import type { HostContext } from '../context.js';
import { depthOf } from '../host-tools/host-tool-service.js';
import { workingDirectoriesParam } from '../sessions/extra-params.js';
import { type AutomationRecord, Catalogue } from './catalogue.js';
import { definitionProblem, whyOver } from './definition-problem.js';
import { isWaitingFor, type SessionEvent } from './events.js';
import { LATE_MS, MAX_REQUESTS, MAX_RUNS_UNDER_WAY, MAX_WORD_CHARS, RUN_HISTORY_LIMIT, RUNS_PAGE } from './limits.js';
import { type RunServices, Runs, sessionParams, shownRuns, summaryOf, turnOf } from './runs.js';
import { nextTime } from './schedule.js';
import { Timer } from './timer.js';

/** What the host says of its automations in the handshake. */
export const AUTOMATION_CAPABILITIES: AutomationCapabilities = {
  create: {},
  schedules: { minIntervalMinutes: 1 },
  runCancellation: {},
  runHistoryLimit: RUN_HISTORY_LIMIT,
};

/** Begins sessions with nobody connected: by schedule, when something happens, and on request. */
export class AutomationService {
  readonly #context: HostContext;
  readonly #authorize: Authorize;
  readonly #catalogue: Catalogue;
  readonly #runs: Runs;
  readonly #timer: Timer;

  constructor(context: HostContext, services: RunServices, authorize: Authorize) {
    this.#context = context;
    this.#authorize = authorize;
    this.#catalogue = new Catalogue(context, () => this.#startDue());
    this.#runs = new Runs(context, services, this.#catalogue);
    this.#timer = new Timer(context.clock, () => this.#startDue());
  }

  /** Before anything is settled after a restart: what is settled may end a run. */
  open(): void {
    this.#catalogue.open();
  }

  /** Goes on with the runs that were under way, and makes up for those that were missed. */
  start(): void {
    const { door, store } = this.#context;
    for (const uri of store.header.unsettled) {
      const run = door.channels.peek(uri);
      if (isKind(run, 'automationRun')) this.#goOn(run);
    }
    this.#startDue();
  }

  stop(): void {
    this.#timer.set(undefined);
  }

  /** Why there can be no such automation; undefined if there can. */
  problem(definition: AutomationDefinition, runCount: number): string | undefined {
    const { agents, folders, clock } = this.#context;
    const problem = definitionProblem(definition, runCount, clock.now());
    if (problem !== undefined) return problem;
    const { provider, workingDirectories } = definition.session;
    try {
      const { takesSeveralFolders: takesSeveral = false } = agents.named(provider);
      workingDirectoriesParam({ workingDirectories }, folders, { takesSeveral, isVscode: false });
      return undefined;
    } catch (error) {
      if (error instanceof RpcError) return error.message;
      throw error;
    }
  }

  /** In the tick of a client's request, does what it asks for. */
  onAutomation({ action, sender, before }: Committed<'automation'>): void {
    if (action.type === 'automation/createRequested') this.#create(action.resource, action.definition, sender);
    if (action.type === 'automation/updateRequested') {
      const known = before.entries.find(({ resource }) => resource === action.resource);
      if (known) this.#update(known, withChanges(known.definition, action.changes), sender);
    }
    if (action.type === 'automation/removed') this.#removed(action.resource);
  }

  onRun({ channel, action }: Committed<'automationRun'>): void {
    if (action.type === 'automationRun/cancelRequested') this.#runs.cancel(channel);
  }

  /** In the tick in which something happens in a session: if it is that of a run, the run goes on or ends. */
  onSession({ channel, action, before }: Committed<'session'>): void {
    if (action.type === 'session/inputNeededSet') {
      const { request } = action;
      const isKnown = before.inputNeeded?.some(({ id }) => id === request.id);
      if (!isKnown) this.#happened(channel, { id: 'inputNeeded', session: channel.uri, chat: request.chat });
      return;
    }
    const run = this.#runOf(channel);
    if (run?.state.lifecycle.status !== 'running') return;
    if (action.type === 'session/ready') this.#runs.start(run, channel.state.defaultChat);
    if (action.type === 'session/creationFailed') this.#runs.end(run, { status: 'failed', error: action.error });
    if (action.type === 'session/chatRemoved' && action.chat === before.defaultChat)
      this.#runs.end(run, { status: 'cancelled' });
  }

  onChat({ channel, action, before, after }: Committed<'chat'>): void {
    const session = this.#context.door.channels.sessionOf(channel);
    if (!session) return;
    if (action.type === 'chat/turnComplete' || action.type === 'chat/error') {
      const id = action.type === 'chat/error' ? 'turnFailed' : 'turnEnded';
      const isOfUser = before.activeTurn?.message.origin.kind === 'user' && after.origin?.kind !== 'tool';
      if (isOfUser) this.#happened(session, { id, session: session.uri, chat: channel.uri, turnId: action.turnId });
    }
    const run = this.#runOf(session);
    const turnId = run && turnOf(run.uri);
    if (!run || before.activeTurn?.id !== turnId || after.activeTurn?.id === turnId) return;
    const turn = after.turns.find(({ id }) => id === turnId);
    const error = turn && errorOf(turn);
    if (turn?.state === 'complete')
      this.#runs.end(run, { status: 'completed', ...(turn.usage && { usage: turn.usage }) });
    else if (error) this.#runs.end(run, { status: 'failed', error });
    else this.#runs.end(run, { status: 'cancelled' });
  }

  /** A run that somebody asks for. However often they ask with one id, there is one. */
  run({ automation, requestId }: RunAutomationParams): URI {
    const entry = this.#known(automation);
    const record = this.#recordOf(automation);
    if (requestId === '' || requestId.length > MAX_WORD_CHARS)
      throw invalidParams(`params/requestId: expected 1 to ${MAX_WORD_CHARS} characters`);
    const known = record.requests.find(([id]) => id === requestId);
    if (known) return known[1];
    const refusal = this.#refusal(entry, record);
    if (refusal !== undefined) throw notAllowed(`the author of this automation may not begin sessions: ${refusal}`);
    if (this.#underWay(record) >= MAX_RUNS_UNDER_WAY) throw invalidRequest(TOO_MANY);
    return this.#decide(entry, record, { kind: 'manual' }, requestId).uri;
  }

  /** Shows older runs to one client. */
  fetchRuns({ automation, cursor }: FetchAutomationRunsParams, client: Subscriber): void {
    const { channel } = this.#catalogue;
    const entry = this.#known(automation);
    const record = this.#recordOf(automation);
    const index = cursor === undefined ? -1 : record.runs.indexOf(cursor);
    if (cursor !== undefined && index < 0)
      throw invalidParams('params/cursor: expected the "runsNextCursor" of this automation');
    const { runsNextCursor: _, ...others } = entry;
    const shown = shownRuns(record, (uri) => this.#runs.find(uri), index + 1 + RUNS_PAGE);
    if (channel)
      this.#context.door.show(client, channel, { type: 'automation/set', automation: { ...others, ...shown } });
  }

  /** Disables what somebody made whose rights have ended. */
  credentialEnded(credential: string): void {
    for (const entry of this.#catalogue.entries) {
      const record = this.#catalogue.record(entry.resource);
      if (record?.author.credential === credential) this.#disableIfRefused(entry, record);
    }
  }

  #create(resource: URI, definition: AutomationDefinition, sender: Subscriber | undefined): void {
    const now = this.#context.clock.now();
    const time = new Date(now).toISOString();
    const author = { credential: sender?.credential ?? '', clientId: sender?.clientId ?? '' };
    const record: AutomationRecord = { author, due: dueTimes(definition, now), runs: [], requests: [] };
    const entry: AutomationEntry = {
      resource,
      definition,
      runCount: 0,
      runs: [],
      operations: ['update', 'remove', 'run'],
      createdAt: time,
      modifiedAt: time,
    };
    this.#set(entry, record);
  }

  /** Whoever says what an automation does lends it their rights; whoever only switches it on or off does not. */
  #update(entry: AutomationEntry, definition: AutomationDefinition, sender: Subscriber | undefined): void {
    const now = this.#context.clock.now();
    const before = this.#recordOf(entry.resource);
    const isSaidAnew = (['message', 'session', 'triggers'] as const).some(
      (name) => JSON.stringify(definition[name]) !== JSON.stringify(entry.definition[name]),
    );
    const author = sender && isSaidAnew ? { credential: sender.credential, clientId: sender.clientId } : before.author;
    const due = entry.definition.enabled
      ? dueTimes(definition, now, entry.definition, before.due)
      : dueTimes(definition, now);
    const modifiedAt = new Date(now).toISOString();
    this.#set({ ...withoutReason(entry), definition, modifiedAt }, { ...before, author, due });
  }

  #removed(automation: URI): void {
    for (const uri of this.#recordOf(automation).runs) {
      const run = this.#runs.find(uri);
      if (run && isOver(run.state.lifecycle)) this.#runs.forget(run); // the others when they are over
    }
    this.#catalogue.forget(automation);
    this.#context.door.afterwards(() => this.#wait());
  }

  #goOn(run: Channel<'automationRun'>): void {
    const { door } = this.#context;
    const { lifecycle } = run.state;
    if (lifecycle.status === 'pending') this.#runs.begin(run);
    if (lifecycle.status !== 'running') return;
    const [uri = ''] = run.state.sessions;
    const session = door.channels.find('session', uri);
    if (!session) this.#runs.end(run, { status: 'cancelled' });
    else if (session.state.lifecycle === 'ready') this.#runs.start(run, session.state.defaultChat);
  }

  #startDue(): void {
    const now = this.#context.clock.now();
    for (const entry of this.#catalogue.entries) if (entry.definition.enabled) this.#startDueOf(entry, now);
    this.#wait();
  }

  /** Starts the runs of an automation that are due, and disables it if its time is over. */
  #startDueOf({ resource }: AutomationEntry, now: number): void {
    const record = this.#recordOf(resource);
    const over = whyOver(this.#known(resource).definition, 0, now);
    if (over !== undefined) {
      this.#disable(this.#known(resource), record, over);
      return;
    }
    for (const trigger of this.#known(resource).definition.triggers) {
      const due = record.due[trigger.id];
      if (trigger.kind === 'schedule' && due !== undefined && due <= now) this.#due(resource, trigger, due, now);
    }
  }

  #due(resource: URI, trigger: AutomationScheduleTrigger, due: number, now: number): void {
    const entry = this.#known(resource);
    if (!entry.definition.enabled) return; // a run of another trigger was its last
    const record = this.#recordOf(resource);
    const next = nextTime(trigger.schedule, now);
    const { [trigger.id]: _, ...others } = record.due;
    const advanced = { ...record, due: next === undefined ? others : { ...others, [trigger.id]: next } };
    const isLate = now - due > LATE_MS;
    const scheduledFor = new Date(due).toISOString();
    if (isLate && trigger.misfirePolicy === 'skip') {
      this.#context.log.write(
        'info',
        'automation.run-missed',
        'a run was missed and is skipped, as its schedule says',
        {
          automation: resource,
          scheduledFor,
        },
      );
      this.#set(entry, advanced);
      return;
    }
    const origin = { kind: 'trigger' as const, triggerId: trigger.id, scheduledFor, ...(isLate && { catchUp: true }) };
    this.#triggered(entry, advanced, origin);
  }

  /** Something happened that automations may wait for. What sessions of automations do is none of it: that would never end. */
  #happened(session: Channel<'session'>, event: SessionEvent): void {
    if (session.state.origin || depthOf(session.state) > 0) return;
    for (const { resource } of this.#catalogue.entries) {
      const { definition } = this.#known(resource);
      const trigger = definition.triggers.find(
        (one) => one.kind === 'event' && isWaitingFor(one, event, session.state),
      );
      if (!trigger || !definition.enabled) continue;
      const origin = { kind: 'trigger' as const, triggerId: trigger.id, event: { ...event } };
      this.#triggered(this.#known(resource), this.#recordOf(resource), origin);
    }
  }

  /** A trigger wants a run. */
  #triggered(entry: AutomationEntry, record: AutomationRecord, origin: AutomationRunOrigin): void {
    const refusal = this.#refusal(entry, record);
    if (refusal !== undefined) {
      this.#disable(entry, record, refused(refusal));
      return;
    }
    if (this.#underWay(record) < MAX_RUNS_UNDER_WAY) {
      this.#decide(entry, record, origin);
      return;
    }
    const time = new Date(this.#context.clock.now()).toISOString();
    const error = { errorType: 'tooManyRuns', message: TOO_MANY };
    const run = this.#runs.open(entry.resource, origin, {
      status: 'failed',
      createdAt: time,
      completedAt: time,
      error,
    });
    this.#set(...this.#withRun(entry, record, run));
  }

  /** Stores that there is a run. Once it is stored, its session is made. */
  #decide(
    entry: AutomationEntry,
    record: AutomationRecord,
    origin: AutomationRunOrigin,
    requestId?: string,
  ): Channel<'automationRun'> {
    const { clock, door } = this.#context;
    const createdAt = new Date(clock.now()).toISOString();
    const run = this.#runs.open(entry.resource, origin, { status: 'pending', createdAt });
    const [shown, kept] = this.#withRun(entry, record, run);
    const requests =
      requestId === undefined
        ? kept.requests
        : [[requestId, run.uri] as const, ...kept.requests].slice(0, MAX_REQUESTS);
    const runCount = (entry.runCount ?? 0) + 1;
    const over = shown.definition.enabled ? whyOver(shown.definition, runCount, clock.now()) : undefined;
    const next = { ...shown, runCount };
    if (over === undefined) this.#set(next, { ...kept, requests });
    else this.#disable(next, { ...kept, requests }, over);
    door.afterwards(() => {
      if (door.isOpen(run) && run.state.lifecycle.status === 'pending') this.#runs.begin(run);
    });
    return run;
  }

  /** The oldest runs beyond what is kept are forgotten, except those that are not over. */
  #withRun(
    entry: AutomationEntry,
    record: AutomationRecord,
    run: Channel<'automationRun'>,
  ): [AutomationEntry, AutomationRecord] {
    const all = [run.uri, ...record.runs];
    const kept = all.filter((uri, index) => {
      if (index < RUN_HISTORY_LIMIT) return true;
      const old = this.#runs.find(uri);
      if (old && !isOver(old.state.lifecycle)) return true;
      if (old) this.#runs.forget(old);
      return false;
    });
    const runs = [summaryOf(run.state), ...entry.runs].slice(0, RUNS_PAGE);
    const last = runs.at(-1);
    const { runsNextCursor: _, ...others } = entry;
    const cursor = kept.length > runs.length && last ? { runsNextCursor: last.resource } : {};
    return [
      { ...others, runs, ...cursor },
      { ...record, runs: kept },
    ];
  }

  #disable(entry: AutomationEntry, record: AutomationRecord, reason: string): void {
    const { resource, _meta: meta } = entry;
    this.#context.log.write('info', 'automation.disabled', 'an automation disabled itself', {
      automation: resource,
      reason,
    });
    const definition = { ...entry.definition, enabled: false };
    this.#set(
      { ...entry, definition, _meta: { ...meta, [ExtensionMeta.disabledBecause]: reason } },
      { ...record, due: {} },
    );
  }

  #disableIfRefused(entry: AutomationEntry, record: AutomationRecord): void {
    const refusal = entry.definition.enabled ? this.#refusal(entry, record) : undefined;
    if (refusal !== undefined) this.#disable(entry, record, refused(refusal));
  }

  /** Shows and stores an automation with when it runs next and whose it is. */
  #set(entry: AutomationEntry, record: AutomationRecord): void {
    const { nextRunAt: _, ...others } = entry;
    const next = entry.definition.enabled ? Math.min(...Object.values(record.due)) : Infinity;
    const name = nameOf(record.author.credential);
    const { [ExtensionMeta.person]: _name, ...meta } = isObject(entry._meta) ? entry._meta : {};
    const shown = { ...meta, ...(name !== undefined && { [ExtensionMeta.person]: name }) };
    const { _meta: _shown, ...bare } = others;
    this.#catalogue.set(
      {
        ...bare,
        ...(Number.isFinite(next) && { nextRunAt: new Date(next).toISOString() }),
        ...(Object.keys(shown).length > 0 && { _meta: shown }),
      },
      record,
    );
    this.#context.door.afterwards(() => this.#wait());
  }

  #wait(): void {
    const times = this.#catalogue.entries.flatMap(({ resource, definition }) => {
      if (!definition.enabled) return [];
      const ends = (definition.disableConditions ?? []).flatMap((each) =>
        each.kind === 'afterDate' ? [Date.parse(each.date)] : [],
      );
      return [...Object.values(this.#catalogue.record(resource)?.due ?? {}), ...ends];
    });
    this.#timer.set(times.length > 0 ? Math.min(...times) : undefined);
  }

  /** Why the author of an automation may not begin such a session now. */
  #refusal({ definition }: AutomationEntry, record: AutomationRecord): string | undefined {
    if (record === NO_RECORD) return 'it is not known who that was';
    const params = sessionParams('', { definition });
    return this.#authorize(record.author, {
      kind: 'request',
      channel: params.channel,
      method: 'createSession',
      params,
    });
  }

  /** Runs that are not over are in memory. */
  #underWay({ runs }: AutomationRecord): number {
    return runs.filter((uri) => {
      const run = this.#context.door.channels.peek(uri);
      return isKind(run, 'automationRun') && !isOver(run.state.lifecycle);
    }).length;
  }

  #runOf({ state }: Channel<'session'>): Channel<'automationRun'> | undefined {
    return state.origin?.kind === 'automation' ? this.#runs.find(state.origin.run) : undefined;
  }

  #known(automation: URI): AutomationEntry {
    const entry = this.#catalogue.entry(automation);
    if (!entry) throw notFound(automation, `there is no automation ${automation}`);
    return entry;
  }

  #recordOf(automation: URI): AutomationRecord {
    return this.#catalogue.record(automation) ?? NO_RECORD;
  }
}

const NO_RECORD: AutomationRecord = { author: { credential: '', clientId: '' }, due: {}, runs: [], requests: [] };

const TOO_MANY = `${MAX_RUNS_UNDER_WAY} runs of this automation are under way: end one of them first`;

function refused(refusal: string): string {
  return `Whoever set it up may not begin sessions any more: ${refusal}.`;
}

function withoutReason({ _meta, ...entry }: AutomationEntry): AutomationEntry {
  const { [ExtensionMeta.disabledBecause]: _, ...meta } = _meta ?? {};
  return { ...entry, _meta: meta };
}

/** When each schedule comes next. Those that are the same as before keep their time, so that nothing is missed. */
function dueTimes(
  { triggers }: AutomationDefinition,
  now: number,
  before?: AutomationDefinition,
  due: AutomationRecord['due'] = {},
): AutomationRecord['due'] {
  const times = triggers.flatMap((trigger) => {
    if (trigger.kind !== 'schedule') return [];
    const known = before?.triggers.find(({ id }) => id === trigger.id);
    const isSame = known?.kind === 'schedule' && JSON.stringify(known.schedule) === JSON.stringify(trigger.schedule);
    const time = isSame ? (due[trigger.id] ?? nextTime(trigger.schedule, now)) : nextTime(trigger.schedule, now);
    return time === undefined ? [] : [[trigger.id, time] as const];
  });
  return Object.fromEntries(times);
}
