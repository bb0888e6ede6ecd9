import {
  type ActionOf,
  AhpErrorCodes,
  type CreateTerminalParams,
  JsonRpcErrorCodes,
  RpcError,
  type TerminalClaim,
  type URI,
} from '@ahpd/protocol';
import type { Committed } from '../../core/committed.js';
import { invalidParams, invalidRequest, notFound, sessionNotFound } from '../../core/errors.js';
import { claimKindProblem, terminalSizeProblem, terminalTitleProblem } from '../../core/terminal-bounds.js';
import { type Pty, PtyError, type Ptys } from '../../ports/pty.js';
import type { ShellLaunch, Shells } from '../../ports/shell.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';
import type { RootService } from '../root/root-service.js';
import type { WorkingDirectory } from '../working-directory.js';
import { Catalogue } from './catalogue.js';
import { DEFAULT_COLS, DEFAULT_ROWS, MAX_TERMINALS, MAX_TERMINALS_PER_CLIENT } from './limits.js';
import { placeOf } from './place.js';
import { Terminal } from './terminal.js';

export interface TerminalPorts {
  readonly ptys: Ptys;
  readonly shells: Shells;
}

export interface NewTerminal {
  readonly uri: URI;
  readonly claim: TerminalClaim;
  readonly title: string;
  readonly place: WorkingDirectory;
  readonly launch: ShellLaunch;
  readonly nonce: string;
  readonly cols?: number | undefined;
  readonly rows?: number | undefined;
}

/** Terminals: they come with a request or a tool call, follow what is committed on their channel, and end with the host. */
export class TerminalService {
  readonly shells: Shells;
  readonly #context: HostContext;
  readonly #ptys: Ptys;
  readonly #catalogue: Catalogue;
  readonly #isConnected: (clientId: string) => boolean;
  readonly #terminals = new Map<URI, Terminal>();
  /** Those whose end is decided and not stored yet: it may be taken back. */
  readonly #leaving = new Map<URI, Terminal>();
  readonly #ending = new Set<Promise<void>>();
  /** By terminal, until its program is gone. */
  readonly #programs = new Map<URI, Promise<void>>();
  readonly #disposed = new Set<Promise<void>>();

  constructor(
    context: HostContext,
    { ptys, shells }: TerminalPorts,
    root: RootService,
    isConnected: (clientId: string) => boolean,
  ) {
    this.#context = context;
    this.#ptys = ptys;
    this.shells = shells;
    this.#isConnected = isConnected;
    this.#catalogue = new Catalogue(context.clock, root, () => this.#terminals.values());
    context.door.onCommitted('terminal', (committed) => this.#react(committed));
    context.door.onLost((lost) => this.#repeat(lost));
  }

  create(params: CreateTerminalParams, clientId: string): void {
    const { channel: uri, claim, name, cwd, cols, rows } = params;
    this.#assertClaim(claim, clientId);
    const problem = sizeProblem(cols, rows) ?? (name === undefined ? undefined : terminalTitleProblem(name));
    if (problem) throw invalidParams(`params: ${problem}`);
    const mine = [...this.#terminals.values()].filter(({ channel }) => isHeldBy(channel.state.claim, clientId));
    if (mine.length >= MAX_TERMINALS_PER_CLIENT) {
      throw invalidRequest(`a client can hold ${MAX_TERMINALS_PER_CLIENT} terminals; dispose some first`);
    }
    const place = placeOf(this.#context, cwd, claim);
    const nonce = this.#context.ids.next();
    const launch = telling(() => this.shells.interactive(nonce));
    const terminal = this.open({ uri, claim, title: name ?? launch.name, place, launch, nonce, cols, rows });
    try {
      this.#context.door.flush();
    } catch (error) {
      terminal.kill(); // the client is told that it has none
      this.dispose(terminal);
      throw error;
    }
  }

  /** Starts the program of a new terminal and lists it. Nothing is left behind when it cannot be started. */
  open(terminal: NewTerminal): Terminal {
    const { door } = this.#context;
    const { uri, claim, title, place, launch, nonce, cols = DEFAULT_COLS, rows = DEFAULT_ROWS } = terminal;
    if (door.channels.load(uri) || this.#leaving.has(uri))
      throw new RpcError(AhpErrorCodes.AlreadyExists, `terminal ${uri} exists already`);
    if (this.#terminals.size >= MAX_TERMINALS) {
      throw invalidRequest(`this host can have ${MAX_TERMINALS} terminals; dispose some first`);
    }
    const { file, args, env } = launch;
    const pty = telling(() => this.#ptys.spawn({ file, args, env, cwd: place.path, cols, rows }));
    const state = { title, cwd: place.uri, cols, rows, content: [], claim };
    const channel = door.openEphemeral(uri, 'terminal', state);
    const opened = new Terminal(this.#context, { channel, pty, nonce });
    this.#terminals.set(uri, opened);
    this.#track(uri, pty);
    this.#catalogue.changed();
    return opened;
  }

  get(uri: URI): Terminal | undefined {
    return this.#terminals.get(uri);
  }

  /** Ends a terminal for a client: its own, one of a session, or one whose client is not there to do it. */
  disposeFor(uri: URI, clientId: string): void {
    const terminal = this.#terminals.get(uri);
    if (!terminal) throw notFound(uri);
    const { claim } = terminal.channel.state;
    if (claim.kind === 'client' && claim.clientId !== clientId && this.#isConnected(claim.clientId)) {
      const message = `client "${claim.clientId}" holds this terminal; only it can dispose of it`;
      throw new RpcError(AhpErrorCodes.PermissionDenied, message, { data: {} });
    }
    this.dispose(terminal);
  }

  /**
   * Ends a terminal: the list says that it is gone, then its subscribers hear no more of it (OQ-17). What still runs is
   * killed once that is stored.
   */
  dispose(terminal: Terminal): void {
    const { door } = this.#context;
    const { uri } = terminal.channel;
    if (!this.#terminals.delete(uri)) return;
    this.#leaving.set(uri, terminal);
    this.#catalogue.changed();
    door.end(terminal.channel);
    door.afterwards(() => this.#gone(terminal));
  }

  #gone(terminal: Terminal): void {
    const { uri } = terminal.channel;
    this.#leaving.delete(uri);
    const gone = this.#programs.get(uri);
    if (gone) {
      this.#disposed.add(gone);
      void gone.then(() => this.#disposed.delete(gone));
    }
    terminal.dispose();
  }

  /** What a session holds ends with it (OQ-88). */
  endSession(session: URI): void {
    for (const terminal of this.heldBy(session)) this.dispose(terminal);
  }

  /** Resolves when the programs of all terminals that were disposed of are gone. */
  async quiet(): Promise<void> {
    await Promise.all(this.#disposed);
  }

  heldBy(session: URI): Terminal[] {
    const isHeld = ({ claim }: { claim: TerminalClaim }) => claim.kind === 'session' && claim.session === session;
    return [...this.#terminals.values()].filter(({ channel }) => isHeld(channel.state));
  }

  /** Ends every program; resolves when they are gone. */
  async close(): Promise<void> {
    this.#catalogue.stop();
    for (const terminal of [...this.#terminals.values(), ...this.#leaving.values()]) terminal.kill();
    await Promise.all(this.#ending);
  }

  #react({ channel, action, origin }: Committed<'terminal'>): void {
    const terminal = this.#terminals.get(channel.uri);
    if (terminal?.channel !== channel) return;
    switch (action.type) {
      case 'terminal/input':
        terminal.write(action.data);
        return;
      case 'terminal/resized':
        terminal.resize(action);
        return;
      case 'terminal/titleChanged':
        if (origin) {
          terminal.named();
          this.#catalogue.changed();
        } else this.#catalogue.changedSoon();
        return;
      case 'terminal/claimed':
        if (!isInUse(action.claim)) terminal.detached();
        this.#catalogue.changed();
        return;
      case 'terminal/exited':
        this.#catalogue.changed();
        return;
      default:
        return;
    }
  }

  /** What a program wrote cannot be asked for again: what was lost because the store failed is said again. */
  #repeat(lost: readonly Committed[]): void {
    for (const [uri, terminal] of this.#leaving) this.#terminals.set(uri, terminal);
    this.#leaving.clear();
    for (const terminal of this.#terminals.values()) {
      const mine = lost.filter(({ channel, origin }) => channel.uri === terminal.channel.uri && !origin);
      if (mine.length > 0) terminal.repeat(mine.map(({ action }) => action as ActionOf<'terminal'>));
    }
    if (lost.some(({ action }) => action.type === 'root/terminalsChanged')) this.#catalogue.changedSoon(STORE_RETRY_MS);
  }

  #track(uri: URI, pty: Pty): void {
    const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
    this.#ending.add(ended);
    this.#programs.set(uri, ended);
    void ended.then(() => {
      this.#ending.delete(ended);
      if (this.#programs.get(uri) === ended) this.#programs.delete(uri);
    });
  }

  /** Who asks claims the terminal for itself, or for a session that there is (OQ-83). */
  #assertClaim(claim: TerminalClaim, clientId: string): void {
    const problem = claimKindProblem(claim);
    if (problem) throw invalidParams(`params/claim/kind: ${problem}`);
    if (claim.kind === 'client') {
      if (claim.clientId !== clientId) {
        throw invalidParams('params/claim/clientId: expected the id of the client that asks');
      }
    } else if (!this.#context.door.channels.find('session', claim.session)) {
      throw sessionNotFound(claim.session);
    }
  }
}

function sizeProblem(cols = DEFAULT_COLS, rows = DEFAULT_ROWS): string | undefined {
  return terminalSizeProblem({ cols, rows });
}

/** Whether a tool call, or a turn that has none yet, uses the terminal right now (B-277). */
function isInUse(claim: TerminalClaim): boolean {
  return claim.kind === 'session' && (claim.turnId !== undefined || claim.toolCallId !== undefined);
}

function isHeldBy(claim: TerminalClaim, clientId: string): boolean {
  return claim.kind === 'client' && claim.clientId === clientId;
}

/** Why a terminal cannot be had is for the client to know (OQ-83). */
function telling<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PtyError)) throw error;
    throw new RpcError(JsonRpcErrorCodes.InternalError, error.message, { cause: error });
  }
}
