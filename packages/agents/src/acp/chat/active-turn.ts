import type { AgentEvent, AgentMcpServer, AgentTurn } from '@ahpd/host/ports';
import { TurnMapper } from '../mapping/turn-mapper.js';
import { storedOnce } from './stored-once.js';
import { Terminals } from './terminals.js';

/** A turn while the agent works on it. */
export class ActiveTurn {
  readonly turn: AgentTurn;
  readonly mapper: TurnMapper;
  readonly terminals = new Terminals();
  /** Called whenever the agent, or who it waits for, has done something. */
  onLife: () => void = () => {};
  #waiting = 0;

  constructor(turn: AgentTurn, workingDirectory: string, servers: readonly AgentMcpServer[]) {
    this.turn = turn;
    this.mapper = new TurnMapper({
      storeContent: storedOnce(turn),
      terminal: (terminalId) => this.terminals.find(terminalId),
      mcp: { servers, tools: turn.mcpTools },
      workingDirectory,
    });
  }

  /** Whether it is somebody else's turn to do something: the user's, or a command's. */
  get isWaiting(): boolean {
    return this.#waiting > 0 || this.mapper.hasRunningCall;
  }

  emit(events: readonly AgentEvent[]): void {
    this.onLife();
    for (const event of events) this.turn.emit(event);
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
