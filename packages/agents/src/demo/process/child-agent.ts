import type { AgentTurn, TurnOutcome } from '@moorage/host/ports';
import {
  createPeer,
  type ErrorInfo,
  JsonRpcErrorCodes,
  type Peer,
  RpcError,
  type RpcParams,
  type Timers,
  ValidationError,
} from '@moorage/protocol';
import { commentsIn } from '../comments.js';
import type { Progress } from '../interpreter/progress.js';
import { CANCELLED, exitedError, failed } from '../outcomes.js';
import { AgentProcess } from './agent-process.js';
import { MAX_PIPE_CHARS, promptResult } from './messages.js';
import { isNotification, isRequest, type ServedChat, ServedTurn } from './serve-turn.js';

/** Milliseconds that a cancelled script may take to stop before its process is killed. Only a hanging one needs them. */
export const CANCEL_GRACE_MS = 2_000;

export interface ChildAgentOptions extends ServedChat {
  readonly script: string;
  readonly label: string;
  readonly workingDirectory: string | undefined;
  readonly timers: Timers;
  onDeath(death: Death): void;
}

/** How a process ended that nobody asked to end. */
export interface Death {
  readonly error: ErrorInfo;
  /** Whether a turn was running, which then fails with the same error. */
  readonly inTurn: boolean;
  readonly stderr: string;
}

/** One process of the demo agent, and the turn that runs in it. Nothing it says is trusted. */
export class ChildAgent {
  readonly #options: ChildAgentOptions;
  readonly #process: AgentProcess;
  readonly #peer: Peer;
  #turn: ServedTurn | undefined;
  #stopping = false;
  #misbehaviour: ErrorInfo | undefined;

  constructor(options: ChildAgentOptions) {
    this.#options = options;
    this.#process = new AgentProcess(options);
    this.#peer = createPeer(this.#process.transport, {
      onRequest: (method, params) => this.#answer(method, params),
      onNotification: (method, params) => this.#hear(method, params),
      onProtocolError: (message) => this.#distrust(message),
      // A process that cannot be talked to is of no use.
      onClose: () => this.#process.kill(),
      limits: { maxFrameChars: MAX_PIPE_CHARS },
    });
    void this.#process.exited.then((how) => this.#died(how));
  }

  /** Whether it can run no further turn. */
  get gone(): boolean {
    return this.#stopping || this.#peer.closed;
  }

  async run(turn: AgentTurn, resumed: Progress | undefined): Promise<TurnOutcome> {
    const { workingDirectory, timers } = this.#options;
    let grace: unknown;
    const cancel = () => {
      this.#peer.notify('cancel');
      grace = timers.setTimeout(() => this.#process.kill(), CANCEL_GRACE_MS);
    };
    turn.signal.addEventListener('abort', cancel, { once: true });
    this.#turn = new ServedTurn(turn, this.#options);
    try {
      const answer = await this.#peer.request('prompt', {
        turnId: turn.turnId,
        text: turn.message.text,
        comments: commentsIn(turn.message),
        clientTools: turn.clientTools.map(({ name }) => ({ name })),
        workingDirectory,
        resumed,
      });
      return promptResult.parse(answer);
    } catch (error) {
      if (error instanceof ValidationError) this.#distrust(error.message);
      this.#process.kill();
      const how = await this.#process.exited;
      if (turn.signal.aborted || this.#stopping) return CANCELLED;
      return failed(this.#misbehaviour ?? exitedError(how));
    } finally {
      this.#turn = undefined;
      turn.signal.removeEventListener('abort', cancel);
      timers.clearTimeout(grace);
    }
  }

  pause(isPaused: boolean): void {
    this.#process.pause(isPaused);
  }

  /** Ends the process; resolves when it is gone. */
  stop(): Promise<void> {
    this.#stopping = true;
    return this.#process.stop();
  }

  async #answer(method: string, params: RpcParams | undefined): Promise<unknown> {
    if (!this.#turn || !isRequest(method)) throw new RpcError(JsonRpcErrorCodes.InvalidRequest, `not now: ${method}`);
    try {
      return await this.#turn.answer(method, params);
    } catch (error) {
      if (error instanceof ValidationError) this.#distrust(`${method}: ${error.message}`);
      throw new RpcError(JsonRpcErrorCodes.InternalError, error instanceof Error ? error.message : 'failed');
    }
  }

  #hear(method: string, params: RpcParams | undefined): void {
    if (!this.#turn || !isNotification(method)) return;
    try {
      this.#turn.hear(method, params);
    } catch (error) {
      this.#distrust(`${method}: ${error instanceof Error ? error.message : 'failed'}`);
    }
  }

  /** Ends a process that breaks the protocol, since nobody knows what else it would do. */
  #distrust(message: string): void {
    this.#misbehaviour ??= {
      errorType: 'agentMisbehaved',
      message: `The process of the demo agent said something invalid and was ended (${message}).`,
    };
    this.#process.kill();
  }

  #died(how: string): void {
    if (this.#stopping) return;
    const error = this.#misbehaviour ?? exitedError(how);
    this.#options.onDeath({ error, inTurn: this.#turn !== undefined, stderr: this.#process.stderr });
  }
}
