import { RpcError, type TerminalSessionClaim, terminalUri, type URI } from '@moorage/protocol';
import { AgentError } from '../../ports/agent.js';
import type { AgentTerminal, TerminalRequest } from '../../ports/agent-terminals.js';
import type { ShellLaunch } from '../../ports/shell.js';
import type { HostContext } from '../context.js';
import { uriOfPath } from '../resources/file-uri.js';
import { type Confine, withoutSecrets } from '../sandbox/session-sandbox.js';
import { MAX_ENDED_TOOL_TERMINALS } from './limits.js';
import { startFolder } from './start-folder.js';
import type { Terminal } from './terminal.js';
import type { TerminalService } from './terminal-service.js';
import { ToolTerminal } from './tool-terminal.js';

export interface TerminalContext {
  readonly session: URI;
  readonly chat: URI;
  readonly turnId: string;
  readonly cwd: URI | undefined;
  /** Undefined if the session has no sandbox. */
  readonly confine: Confine | undefined;
}

/** The terminals used by tool calls of one turn (B-291). */
export class TurnTerminals {
  readonly #context: HostContext;
  readonly #terminals: TerminalService;
  readonly #turn: TerminalContext;
  /** Terminals that a call still holds. */
  readonly #used = new Set<ToolTerminal>();
  #isOver = false;

  constructor(context: HostContext, terminals: TerminalService, turn: TerminalContext) {
    this.#context = context;
    this.#terminals = terminals;
    this.#turn = turn;
  }

  async create({ toolCallId, command, args, env, cwd, title, outputLimit }: TerminalRequest): Promise<AgentTerminal> {
    const { shells } = this.#terminals;
    const claim = this.#claim(toolCallId);
    const line = args ? shells.program(command, args) : shells.commandLine(command);
    const folder = cwd === undefined ? this.#turn.cwd : uriOfPath(cwd);
    const place = asAgentErrors(() => startFolder(this.#context, folder, claim));
    const launch = await this.#launch({ ...line, env: { ...line.env, ...env } }, env, place.path);
    this.#dropOldest();
    return asAgentErrors(() => {
      const terminal = this.#terminals.open({
        uri: terminalUri.format(this.#context.ids.next()),
        claim,
        title: title ?? line.name.slice(0, MAX_TITLE_CHARS),
        place,
        launch,
        nonce: '',
      });
      terminal.startCommand(line.name);
      return this.#use(terminal, claim, outputLimit);
    });
  }

  attach({ toolCallId, resource }: { toolCallId?: string; resource: URI }): AgentTerminal {
    const terminal = this.#terminals.get(resource);
    const held = terminal?.channel.state.claim;
    const isOurs = held?.kind === 'session' && held.session === this.#turn.session;
    if (!terminal || !isOurs || held.toolCallId !== undefined || held.turnId !== undefined) {
      throw new AgentError(
        'terminalNotHeld',
        `There is no terminal ${resource} that this session holds and no call uses.`,
      );
    }
    const claim = this.#claim(toolCallId);
    terminal.claim(claim);
    return this.#use(terminal, claim);
  }

  /** In a sandbox the program gets only the variables that hold no secrets, and those that the agent gave. */
  async #launch(launch: ShellLaunch, given: TerminalRequest['env'], cwd: string): Promise<ShellLaunch> {
    const { confine } = this.#turn;
    if (!confine) return launch;
    const env = { ...withoutSecrets(launch.env), ...given };
    const confined = await confine({ command: launch.file, args: launch.args, env, cwd });
    if (this.#isOver) throw new AgentError('turnOver', 'The turn is over. Nothing was run.');
    return { ...launch, file: confined.command, args: confined.args, env: confined.env };
  }

  /** The turn was cancelled: kills what its calls still hold. Detached terminals go on. */
  kill(): void {
    for (const terminal of this.#used) terminal.kill();
    this.release();
  }

  /** The turn is over: its calls give up their terminals. */
  release(): void {
    this.#isOver = true;
    for (const terminal of this.#used) terminal.release();
  }

  #use(terminal: Terminal, claim: TerminalSessionClaim, outputLimit?: number): ToolTerminal {
    const used = new ToolTerminal(terminal, claim, outputLimit);
    this.#used.add(used);
    const forget = () => this.#used.delete(used);
    terminal.onDetached(forget);
    terminal.onDisposed(forget);
    return used;
  }

  #claim(toolCallId: string | undefined): TerminalSessionClaim {
    const { session, chat, turnId } = this.#turn;
    return { kind: 'session', session, chat, turnId, ...(toolCallId !== undefined && { toolCallId }) };
  }

  /** Keeps a few finished terminals for users to look at, and disposes older ones. */
  #dropOldest(): void {
    const ended = this.#terminals.heldBy(this.#turn.session).filter(({ exit, isForTool }) => exit && isForTool);
    const tooMany = ended.slice(0, Math.max(0, ended.length + 1 - MAX_ENDED_TOOL_TERMINALS));
    for (const terminal of tooMany) this.#terminals.dispose(terminal);
  }
}

/** UTF-16 units of a title taken from a command. */
const MAX_TITLE_CHARS = 80;

/** Turns an error meant for a client's request into one for the agent. */
function asAgentErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new AgentError('terminalFailed', error.message, { cause: error });
  }
}
