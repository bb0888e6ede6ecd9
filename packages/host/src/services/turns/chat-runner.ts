import type { ErrorInfo, Message } from '@moorage/protocol';
import { type AgentChat, AgentError, type TurnOutcome } from '../../ports/agent.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { CANCEL_GRACE_MS } from './limits.js';
import type { Pause } from './pause.js';
import type { TurnRun } from './turn-run.js';

interface Needs {
  readonly clock: Clock;
  readonly log: Log;
  readonly pause: Pause;
}

/** Drives the agent of one chat: opens it when needed, and runs one turn at a time. */
export class ChatRunner {
  readonly #open: () => Promise<AgentChat>;
  /** Whether the agent may begin while the files are being recorded. */
  readonly #awaitsGoAhead: () => boolean;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #pause: Pause;
  #agent: Promise<AgentChat> | undefined;
  #opened: AgentChat | undefined;
  #run: TurnRun | undefined;
  #closed = false;
  /** Settles after the last prompt: a cancelled agent may need a moment before it can take the next. */
  #idle: Promise<void> = Promise.resolve();

  constructor(open: () => Promise<AgentChat>, awaitsGoAhead: () => boolean, { clock, log, pause }: Needs) {
    this.#open = open;
    this.#awaitsGoAhead = awaitsGoAhead;
    this.#clock = clock;
    this.#log = log;
    this.#pause = pause;
  }

  /** The turn that runs now. */
  get run(): TurnRun | undefined {
    return this.#run;
  }

  /** Resolves when no turn runs or is being cleaned up after. */
  get idle(): Promise<void> {
    return this.#idle;
  }

  start(run: TurnRun, message: Message): void {
    this.#run = run;
    this.#idle = this.#idle.then(() => this.#drive(run, message)).catch((error) => this.#warn('cleaning up', error));
  }

  /** Stops the agent's work on a turn that was ended by someone else. */
  stop(turnId: string): void {
    const run = this.#run;
    if (run?.turnId !== turnId) return;
    this.#run = undefined;
    run.stop();
  }

  /** Stops the agent's program or lets it go on: agents also do things about which they do not ask. */
  pause(isPaused: boolean): void {
    this.#opened?.pause?.(isPaused);
  }

  /** The agent's process is gone; the next prompt opens the chat anew. */
  forgetAgent(): void {
    this.#agent = undefined;
    this.#opened = undefined;
  }

  /** Uses the agent's chat between two turns, if it is open. */
  whenIdle(use: (agent: AgentChat) => Promise<void>): void {
    const agent = this.#agent;
    if (agent) this.#idle = this.#idle.then(async () => use(await agent)).catch(() => this.forgetAgent());
  }

  /** Closes the agent. A turn that still runs is not ended: it is settled after the next start of the host. */
  async dispose(): Promise<void> {
    this.#closed = true;
    this.#run?.flush();
    this.#run?.stop();
    await this.#closeAgent();
  }

  async #closeAgent(): Promise<void> {
    const opening = this.#agent;
    const agent = this.#opened;
    this.forgetAgent();
    // An agent that is still opening, which may never finish, is closed once it is open.
    if (!agent) opening?.then((late) => late.dispose()).catch(() => undefined);
    await agent?.dispose();
  }

  async #drive(run: TurnRun, message: Message): Promise<void> {
    if (run.signal.aborted) return;
    const outcome = await this.#prompt(run, message);
    await run.end().catch((error: unknown) => this.#warn('recording its changes', error));
    if (this.#run === run) this.#run = undefined;
    if (!this.#closed) this.#finish(run, outcome);
  }

  /** Whatever an agent answers, its turn ends: while one is active, the chat can start no other. */
  #finish(run: TurnRun, outcome: TurnOutcome): void {
    try {
      run.finish(outcome);
    } catch (error) {
      this.#warn('its outcome', error);
      run.finish({ kind: 'error', error: describeFailure(error) });
    }
  }

  #warn(step: string, error: unknown): void {
    this.#log.write('warn', 'turn.end-failed', 'ending a turn failed', { step, error: String(error) });
  }

  async #prompt(run: TurnRun, message: Message): Promise<TurnOutcome> {
    try {
      await run.begin(this.#awaitsGoAhead());
      const outcome = await Promise.race([this.#ask(run, message), this.#giveUp(run), failureOf(run.filesRecorded())]);
      await run.filesRecorded(); // else what it changed could not be told
      return outcome;
    } catch (error) {
      if (!(error instanceof AgentError || run.signal.aborted))
        this.#log.write('warn', 'agent.failed', 'an agent failed unexpectedly', { error: String(error) });
      const closing = this.#closeAgent().catch(() => undefined);
      if (!run.signal.aborted) await closing; // an agent that did not stop may not close either
      return { kind: 'error', error: describeFailure(error) };
    }
  }

  async #ask(run: TurnRun, message: Message): Promise<TurnOutcome> {
    await this.#pause.over(run.signal);
    if (run.signal.aborted) return { kind: 'cancelled' }; // its session may be gone too
    this.#agent ??= this.#open();
    const opening = this.#agent;
    const agent = await opening;
    if (this.#agent === opening) this.#opened = agent;
    await this.#pause.over(run.signal); // opening it may have taken long
    return run.signal.aborted ? { kind: 'cancelled' } : agent.prompt(run.forAgent(message));
  }

  /** Rejects when the agent does not stop in time after a cancel. */
  #giveUp(run: TurnRun): Promise<never> {
    return new Promise((_, reject) => {
      const late = () => reject(new AgentError('agentStuck', 'The agent did not stop in time and was closed.'));
      run.signal.addEventListener('abort', () => this.#clock.setTimeout(late, CANCEL_GRACE_MS), { once: true });
    });
  }
}

/** Rejects as the other does, and never resolves. */
function failureOf(other: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    other.catch(reject);
  });
}

/** Only messages that an adapter wrote for users are shown; others may contain paths or secrets. */
function describeFailure(error: unknown): ErrorInfo {
  if (error instanceof AgentError) return { errorType: error.errorType, message: error.message };
  return { errorType: 'agentFailed', message: 'The agent failed unexpectedly. Send the message again to retry.' };
}
