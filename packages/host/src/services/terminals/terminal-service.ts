import {
  AhpErrorCodes,
  type CreateTerminalParams,
  JsonRpcErrorCodes,
  RpcError,
  type TerminalClaim,
  type URI,
} from '@moorage/protocol';
import type { Committed } from '../../core/committed.js';
import { invalidParams, invalidRequest, notFound, sessionNotFound } from '../../core/errors.js';
import { claimKindProblem, terminalSizeProblem, terminalTitleProblem } from '../../core/terminal-bounds.js';
import { type Pty, PtyError, type Ptys } from '../../ports/pty.js';
import type { ShellLaunch, Shells } from '../../ports/shell.js';
import type { HostContext } from '../context.js';
import type { RootService } from '../root/root-service.js';
import type { WorkingDirectory } from '../working-directory.js';
import { Catalogue } from './catalogue.js';
import { DEFAULT_COLS, DEFAULT_ROWS, MAX_TERMINALS, MAX_TERMINALS_PER_CLIENT } from './limits.js';
import { startFolder } from './start-folder.js';
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

/**
 * Manages terminals. They are created by a request or a tool call, react to actions on their channel, and end with the
 * host.
 */
export class TerminalService {
  readonly shells: Shells;
  readonly #context: HostContext;
  readonly #ptys: Ptys;
  readonly #catalogue: Catalogue;
  readonly #isConnected: (clientId: string) => boolean;
  /** Includes those whose disposal is not stored yet, and may be undone: their channel is not open. */
  readonly #terminals = new Map<URI, Terminal>();
  readonly #ending = new Set<Promise<void>>();
  /** By terminal; resolves when its program has exited. */
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
    this.#catalogue = new Catalogue(context.clock, root, () => this.#open);
  }

  create(params: CreateTerminalParams, clientId: string): void {
    const { channel: uri, claim, name, cwd, cols, rows } = params;
    this.#assertClaim(claim, clientId);
    const problem = sizeProblem(cols, rows) ?? (name === undefined ? undefined : terminalTitleProblem(name));
    if (problem) throw invalidParams(`params: ${problem}`);
    const mine = this.#open.filter(({ channel }) => isClaimedBy(channel.state.claim, clientId));
    if (mine.length >= MAX_TERMINALS_PER_CLIENT) {
      throw invalidRequest(`a client can hold ${MAX_TERMINALS_PER_CLIENT} terminals; dispose some first`);
    }
    const place = startFolder(this.#context, cwd, claim);
    const nonce = this.#context.ids.next();
    const launch = passingPtyErrors(() => this.shells.interactive(nonce));
    const terminal = this.#start({ uri, claim, title: name ?? launch.name, place, launch, nonce, cols, rows });
    this.#catalogue.changed(() => {
      terminal.kill(); // the client gets an error, so no terminal may remain
      this.dispose(terminal);
    });
  }

  /** Starts the program of a new terminal and lists it. Leaves nothing behind if the program cannot be started. */
  open(terminal: NewTerminal): Terminal {
    const opened = this.#start(terminal);
    this.#catalogue.changed();
    return opened;
  }

  #start(terminal: NewTerminal): Terminal {
    const { door } = this.#context;
    const { uri, claim, title, place, launch, nonce, cols = DEFAULT_COLS, rows = DEFAULT_ROWS } = terminal;
    if (door.channels.load(uri) || this.#terminals.has(uri))
      throw new RpcError(AhpErrorCodes.AlreadyExists, `terminal ${uri} already exists`);
    if (this.#terminals.size >= MAX_TERMINALS) {
      throw invalidRequest(`this host can have ${MAX_TERMINALS} terminals; dispose some first`);
    }
    const { file, args, env } = launch;
    const pty = passingPtyErrors(() => this.#ptys.spawn({ file, args, env, cwd: place.path, cols, rows }));
    const lifecycle = { status: 'running' as const };
    const state = { title, cwd: place.uri, cols, rows, content: [], claim, lifecycle, isPty: true };
    const channel = door.openEphemeral(uri, 'terminal', state);
    const opened = new Terminal(this.#context, { channel, pty, nonce });
    this.#terminals.set(uri, opened);
    this.#track(uri, pty);
    return opened;
  }

  get(uri: URI): Terminal | undefined {
    const terminal = this.#terminals.get(uri);
    return terminal && this.#context.door.isOpen(terminal.channel) ? terminal : undefined;
  }

  get #open(): Terminal[] {
    return [...this.#terminals.values()].filter(({ channel }) => this.#context.door.isOpen(channel));
  }

  /** Disposes a terminal for a client: one it holds, one of a session, or one whose client is disconnected. */
  disposeFor(uri: URI, clientId: string): void {
    const terminal = this.get(uri);
    if (!terminal) throw notFound(uri);
    const { claim } = terminal.channel.state;
    if (claim.kind === 'client' && claim.clientId !== clientId && this.#isConnected(claim.clientId)) {
      const message = `client "${claim.clientId}" holds this terminal; only it can dispose of it`;
      throw new RpcError(AhpErrorCodes.PermissionDenied, message, { data: {} });
    }
    this.dispose(terminal);
  }

  /**
   * Disposes a terminal: it leaves the list, then its channel ends (OQ-17). Its program is killed once that is stored.
   */
  dispose(terminal: Terminal): void {
    const { door } = this.#context;
    if (!door.isOpen(terminal.channel)) return;
    door.end(terminal.channel);
    this.#catalogue.changed();
    door.afterwards(() => this.#finishDisposal(terminal));
  }

  #finishDisposal(terminal: Terminal): void {
    const { uri } = terminal.channel;
    this.#terminals.delete(uri);
    const exited = this.#programs.get(uri);
    if (exited) {
      this.#disposed.add(exited);
      void exited.then(() => this.#disposed.delete(exited));
    }
    terminal.dispose();
  }

  /** Disposes the terminals that a session holds (OQ-88). */
  sessionDisposing(session: URI): void {
    for (const terminal of this.heldBy(session)) this.dispose(terminal);
  }

  /** Resolves when the programs of all disposed terminals have exited. */
  async quiet(): Promise<void> {
    await Promise.all(this.#disposed);
  }

  heldBy(session: URI): Terminal[] {
    const isHeld = ({ claim }: { claim: TerminalClaim }) => claim.kind === 'session' && claim.session === session;
    return this.#open.filter(({ channel }) => isHeld(channel.state));
  }

  /** Kills every program; resolves when all have exited. */
  async close(): Promise<void> {
    this.#catalogue.stop();
    for (const terminal of this.#terminals.values()) terminal.kill();
    await Promise.all(this.#ending);
  }

  onTerminal({ channel, action, origin }: Committed<'terminal'>): void {
    const terminal = this.get(channel.uri);
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

  #track(uri: URI, pty: Pty): void {
    const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
    this.#ending.add(ended);
    this.#programs.set(uri, ended);
    void ended.then(() => {
      this.#ending.delete(ended);
      if (this.#programs.get(uri) === ended) this.#programs.delete(uri);
    });
  }

  /** A client can claim a new terminal for itself, or for an existing session (OQ-83). */
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

/** Whether a tool call or a turn is using the terminal (B-277). */
function isInUse(claim: TerminalClaim): boolean {
  return claim.kind === 'session' && (claim.turnId !== undefined || claim.toolCallId !== undefined);
}

function isClaimedBy(claim: TerminalClaim, clientId: string): boolean {
  return claim.kind === 'client' && claim.clientId === clientId;
}

/** Passes the reason why a terminal cannot be started on to the client (OQ-83). */
function passingPtyErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PtyError)) throw error;
    throw new RpcError(JsonRpcErrorCodes.InternalError, error.message, { cause: error });
  }
}
