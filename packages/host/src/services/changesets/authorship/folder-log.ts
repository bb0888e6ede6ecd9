import { type ActionOf, ExtensionMeta, fileUriIn, type URI } from '@moorage/protocol';
import type { Clock } from '../../../ports/clock.js';
import type { EditStep } from '../../../ports/folder-editor.js';
import type { FileVersion, StateId } from '../../../ports/workspace.js';
import { decoded } from '../../decoded.js';

/** Milliseconds after a tool call during which changes still count as its own, where the folder cannot be looked at then. */
const GRACE_MS = 1_000;

/** Looks that are remembered while turns run; without the oldest ones, authorship is less exact. */
const MAX_STATES = 1_000;

/** Tools that change no files, as agents name their kinds. */
const READING_KINDS: ReadonlySet<unknown> = new Set(['read', 'search', 'fetch', 'think']);

/** Gives the present state of the folder if that is cheap; calls back when all changes up to now are reported. */
export type QuickCheckpoint = (onCaughtUp: () => void) => Promise<StateId | undefined>;

export interface FolderState {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly state: StateId;
}

/** A turn that runs in a folder. Its key is unique in the host. */
export interface LoggedTurn {
  readonly key: string;
  /** The turns whose sub-agent it is, directly or not: what it does is theirs as well. */
  readonly above: readonly string[];
  /** The folder, as agents name it in their edits, and all folders of the session. */
  readonly folder: URI;
  readonly folders: readonly URI[];
}

/** A change of one path that was reported. `from` and `to` are versions, or where an agent's content can be read. */
export interface LoggedReport {
  readonly since: number;
  readonly at: number;
  readonly by: readonly string[];
  readonly isOperation?: boolean;
  readonly from: FileVersion | URI | undefined;
  readonly to: FileVersion | URI | undefined;
}

interface Call {
  readonly turn: LoggedTurn;
  readonly startedAt: number;
  readonly isReading: boolean;
  reports: number;
  hasTerminal: boolean;
  hasSubagent: boolean;
}

/** From the first to the last of successive reports by the watcher, the same calls were running. */
interface Touch {
  readonly from: number;
  to: number;
  readonly calls: readonly Call[];
}

/**
 * What is known about the changes in a folder while turns run in it: what agents and operations reported, what the watcher
 * reported and which tool calls ran then, and states of the folder in between.
 */
export class FolderLog {
  readonly #clock: Clock;
  /** A number for each moment, greater than all before it. */
  readonly moment: () => number;
  readonly #quickCheckpoint: QuickCheckpoint;
  readonly #turns = new Map<string, LoggedTurn>();
  readonly #running = new Map<string, Call>();
  readonly #reading = new Set<string>();
  readonly #touches = new Map<string, Touch[]>();
  readonly #reports = new Map<string, LoggedReport[]>();
  #states: FolderState[] = [];
  /** The calls that run or have just ended; replaced, never changed. */
  #busy: readonly Call[] = [];
  #checking: Promise<void> = Promise.resolve();
  #isBehind = false;

  constructor(clock: Clock, moment: () => number, quickCheckpoint: QuickCheckpoint) {
    this.#clock = clock;
    this.moment = moment;
    this.#quickCheckpoint = quickCheckpoint;
  }

  get isIdle(): boolean {
    return this.#turns.size === 0;
  }

  begin(turn: LoggedTurn): void {
    this.#turns.set(turn.key, turn);
  }

  end(key: string): void {
    this.#turns.delete(key);
    this.#busy = this.#busy.filter(({ turn }) => turn.key !== key);
    for (const [id, { turn }] of this.#running) if (turn.key === key) this.#running.delete(id);
    for (const id of this.#reading) if (id.startsWith(`${key} `)) this.#reading.delete(id); // calls that never ended
  }

  /** A state of the folder that somebody has taken since the moment `startedAt`. */
  addState(state: StateId, startedAt: number): FolderState {
    const taken = { startedAt, endedAt: this.moment(), state };
    this.#states = [...this.#states, taken].slice(-MAX_STATES);
    this.#isBehind = false;
    return taken;
  }

  /** The state at which something began, and all later ones. */
  since(first: FolderState): FolderState[] {
    return [first, ...this.#states.filter(({ endedAt }) => endedAt > first.endedAt)];
  }

  /** Resolves when states that are being taken are in the log. */
  async upToDate(): Promise<void> {
    await this.#checking;
  }

  /** The watcher reports that these paths have just changed. */
  touched(paths: readonly string[]): void {
    if (this.isIdle || paths.length === 0) return;
    const now = this.moment();
    this.#isBehind = true;
    for (const path of paths) {
      const touches = this.#touches.get(path) ?? [];
      const last = touches.at(-1);
      const isSame = last?.calls === this.#busy && (this.#states.at(-1)?.endedAt ?? 0) < last.to;
      if (last && isSame) last.to = now;
      else touches.push({ from: now, to: now, calls: this.#busy });
      this.#touches.set(path, touches);
    }
  }

  /** The watcher reports that nothing has changed for a few moments. */
  settled(): void {
    if (this.#isBehind && !this.isIdle && !this.#busy.some(mayChangeUnreported)) this.#takeState();
  }

  /** Takes note of an action in a turn's chat: tool calls start, end, and report edits. */
  observe(key: string, action: ActionOf<'chat'>): void {
    const turn = this.#turns.get(key);
    if (!turn) return;
    switch (action.type) {
      case 'chat/toolCallStart':
        if (isReading(action._meta)) this.#reading.add(`${key} ${action.toolCallId}`);
        return;
      case 'chat/toolCallReady':
        if (action.confirmed) this.#started(turn, action.toolCallId);
        else this.#stopped(turn, action.toolCallId);
        return;
      case 'chat/toolCallConfirmed':
        if (action.approved) this.#started(turn, action.toolCallId);
        return;
      case 'chat/toolCallContentChanged': {
        const call = this.#running.get(`${key} ${action.toolCallId}`);
        if (call) noteContent(call, action.content);
        return;
      }
      case 'chat/toolCallComplete':
        if (action.result.success) this.#report(turn, action.toolCallId, action.result.content ?? []);
        this.#stopped(turn, action.toolCallId);
        return;
      default:
        return;
    }
  }

  /** An operation has made these changes. */
  operated(steps: readonly EditStep[]): void {
    if (this.isIdle) return;
    const at = this.moment();
    for (const { path, from, to } of steps) this.#add(path, { since: at, at, by: [], isOperation: true, from, to });
  }

  /** What was reported of a path since a look, in order. */
  reportsOf(path: string, { startedAt }: FolderState): LoggedReport[] {
    return (this.#reports.get(path) ?? []).filter(({ at }) => at > startedAt);
  }

  /** Whether a turn alone can have changed a path since a look, and nobody has reported exactly what. */
  isOnlyFrom(key: string, path: string, { startedAt }: FolderState): boolean {
    if (this.#reports.get(path)?.some(({ at }) => at > startedAt)) return false;
    const touches = (this.#touches.get(path) ?? []).filter(({ to }) => to > startedAt);
    return touches.length > 0 ? touches.every(({ calls }) => makersIn(calls).join() === key) : this.#turns.size === 1;
  }

  /** The paths that a turn may have changed unreported. */
  touchedBy(key: string): string[] {
    return [...this.#touches.keys()].filter((path) => this.isTouchedBy(key, path));
  }

  isTouchedBy(key: string, path: string): boolean {
    return this.#touches.get(path)?.some(({ calls }) => makersIn(calls).includes(key)) ?? false;
  }

  /** The turns that may have changed a path unreported between two moments; empty if somebody else did. */
  whoTouched(path: string, from: number, to: number): string[] {
    const touches = (this.#touches.get(path) ?? []).filter((touch) => touch.to > from && touch.from <= to);
    if (touches.length > 0) return makersIn(touches.flatMap(({ calls }) => calls));
    const makers = makersIn(this.#busy);
    // In doubt, as without a watcher, it was whoever may have been.
    return makers.length > 0 ? makers : [...this.#turns.keys()];
  }

  /** The turns whose sub-agent a turn is. */
  above(key: string): readonly string[] {
    return this.#turns.get(key)?.above ?? [];
  }

  #started(turn: LoggedTurn, toolCallId: string): void {
    const id = `${turn.key} ${toolCallId}`;
    if (this.#running.has(id)) return;
    if (this.#isBehind && !this.#busy.some(mayChangeUnreported)) this.#takeState(); // what came before it is not its own
    const call = { turn, startedAt: this.moment(), isReading: this.#reading.has(id) };
    this.#running.set(id, { ...call, reports: 0, hasTerminal: false, hasSubagent: false });
    this.#busy = [...this.#running.values(), ...this.#busy.filter((one) => !this.#isRunning(one))];
  }

  /** What a call changed unreported is reported by the watcher a moment later. */
  #stopped(turn: LoggedTurn, toolCallId: string): void {
    const id = `${turn.key} ${toolCallId}`;
    const call = this.#running.get(id);
    if (!call) return;
    this.#running.delete(id);
    this.#reading.delete(id);
    const release = () => {
      this.#busy = this.#busy.filter((one) => one !== call);
    };
    if (!mayChangeUnreported(call)) release();
    else this.#takeState(release, () => void this.#clock.setTimeout(release, GRACE_MS));
  }

  #report(
    turn: LoggedTurn,
    toolCallId: string,
    content: readonly {
      type: string;
      before?: { uri: URI; content: { uri: URI } } | undefined;
      after?: { uri: URI; content: { uri: URI } } | undefined;
    }[],
  ): void {
    const call = this.#running.get(`${turn.key} ${toolCallId}`);
    if (call) noteContent(call, content);
    for (const { type, before, after } of content) {
      if (type !== 'fileEdit') continue;
      const [from, to] = [before && pathIn(turn.folder, before.uri), after && pathIn(turn.folder, after.uri)];
      const since = call?.startedAt ?? 0;
      const report = { since, at: this.moment(), by: [turn.key, ...turn.above] };
      const isIn = (folder: URI) => [before, after].some((side) => side && pathIn(folder, side.uri) !== undefined);
      if (call && turn.folders.some(isIn)) call.reports++;
      const contents = { from: before?.content.uri, to: after?.content.uri };
      if (from !== undefined && from === to) this.#add(from, { ...report, ...contents });
      else {
        if (from !== undefined) this.#add(from, { ...report, from: contents.from, to: undefined });
        if (to !== undefined) this.#add(to, { ...report, from: undefined, to: contents.to });
      }
    }
  }

  #add(path: string, report: LoggedReport): void {
    this.#reports.set(path, [...(this.#reports.get(path) ?? []), report]);
  }

  #takeState(onCaughtUp: () => void = () => undefined, otherwise: () => void = () => undefined): void {
    const startedAt = this.moment();
    let isCaughtUp = false;
    const caughtUp = () => {
      isCaughtUp = true;
      onCaughtUp();
    };
    const take = async () => {
      const state = await this.#quickCheckpoint(caughtUp).catch(() => undefined); // the folder may be gone, or the host stops
      if (state !== undefined) this.addState(state, startedAt);
      if (!isCaughtUp) otherwise();
    };
    this.#checking = Promise.all([this.#checking, take()]).then(() => undefined);
  }

  #isRunning(call: Call): boolean {
    return [...this.#running.values()].includes(call);
  }
}

/** Whether a call may have changed files that it does not report. */
function mayChangeUnreported({ isReading, reports, hasTerminal, hasSubagent }: Call): boolean {
  return !isReading && !hasSubagent && (reports === 0 || hasTerminal);
}

/** The turns of these calls, without those that report what they change. */
function makersIn(calls: readonly Call[]): string[] {
  return [...new Set(calls.filter(mayChangeUnreported).map(({ turn }) => turn.key))];
}

function noteContent(call: Call, content: readonly { type: string }[]): void {
  if (content.some(({ type }) => type === 'terminal')) call.hasTerminal = true;
  if (content.some(({ type }) => type === 'subagent')) call.hasSubagent = true;
}

function isReading(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  return READING_KINDS.has(meta?.toolKind) || meta?.[ExtensionMeta.readOnlyHint] === true;
}

/** The path of a file within the folder; undefined for one elsewhere. */
function pathIn(folder: URI, file: URI): string | undefined {
  const prefix = fileUriIn(folder, '');
  return file.startsWith(prefix) ? decoded(file.slice(prefix.length)) : undefined;
}
