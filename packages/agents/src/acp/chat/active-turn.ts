import type { AgentEvent, AgentFiles, AgentMcpServer, AgentTurn } from '@moorage/host/ports';
import type { Fields } from '../../shared/untrusted.js';
import { TurnMapper } from '../mapping/turn-mapper.js';
import { AfterCancel } from './after-cancel.js';
import { Approvals } from './approvals.js';
import { EditedFiles } from './edited-files.js';
import { storedOnce } from './stored-once.js';
import { Terminals } from './terminals.js';

/** What a turn has around it. */
export interface TurnSurroundings {
  readonly workingDirectory: string;
  readonly servers: readonly AgentMcpServer[];
  readonly files: Pick<AgentFiles, 'read'>;
}

/** A turn while the agent works on it. */
export class ActiveTurn {
  readonly turn: AgentTurn;
  readonly mapper: TurnMapper;
  readonly terminals = new Terminals();
  readonly files: EditedFiles;
  readonly approvals: Approvals;
  readonly afterCancel = new AfterCancel();
  /** Called whenever the agent, or whoever it waits for, has done something. */
  onLife: () => void = () => {};
  /** Whether the agent has said or done anything in the turn. */
  hasOutput = false;
  #waiting = 0;

  constructor(turn: AgentTurn, { workingDirectory, servers, files }: TurnSurroundings) {
    this.turn = turn;
    this.files = new EditedFiles(files);
    this.mapper = new TurnMapper({
      storeContent: storedOnce(turn),
      terminal: (terminalId) => this.terminals.find(terminalId),
      mcp: { servers, tools: turn.mcpTools },
      workingDirectory,
    });
    this.approvals = new Approvals(this);
  }

  /** Whether the agent waits for somebody else: the user, or a command. */
  get isWaiting(): boolean {
    return this.#waiting > 0 || this.mapper.hasRunningCall;
  }

  /** Takes a report of the agent. While the returned promise is pending, the next one must wait: files are being read. */
  report(update: Fields): Promise<void> | undefined {
    const whole = this.files.complete(update, this.mapper.contentOf(update.toolCallId));
    if (!whole) return this.#take(update);
    return whole.then((completed) => this.#take(completed));
  }

  #take(update: Fields): undefined {
    this.emit(this.mapper.update(update));
    this.approvals.recheck();
  }

  emit(events: readonly AgentEvent[]): void {
    this.onLife();
    for (const event of events) {
      this.hasOutput ||= event.kind !== 'usage';
      this.afterCancel.take(event, this.turn.signal.aborted);
      this.turn.emit(event);
    }
  }

  /** Shows the commands that run in terminals of the host, or the one, which the agent has shown in no call. */
  showCommands(terminalId?: string): void {
    for (const command of this.terminals.takeUnshown(terminalId)) this.emit(this.mapper.command(command));
  }

  async whileWaiting<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    try {
      return await work();
    } finally {
      this.#waiting--;
      this.onLife();
    }
  }
}
