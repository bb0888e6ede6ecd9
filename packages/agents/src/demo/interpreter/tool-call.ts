import type { AgentEvent } from '@moorage/host/ports';
import type { ToolResultContent } from '@moorage/protocol';
import { giveWay } from '../../shared/abortable.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import { inPieces } from './pieces.js';
import type { ScriptRun } from './script-run.js';

export interface ToolWords {
  readonly name: string;
  readonly displayName: string;
  /** How VS Code shows the call (V-31). */
  readonly kind?: 'terminal' | 'read' | 'subagent';
  /** "Write a.txt", "Wrote a.txt", "Could not write a.txt". */
  readonly now: string;
  readonly past: string;
  readonly failed: string;
  /** JSON text. */
  readonly input: string;
}

/** A tool call of this agent, from its start to its end. */
export class ToolCall {
  readonly id: string;
  #words: ToolWords;
  readonly #run: ScriptRun;

  constructor(run: ScriptRun, words: ToolWords) {
    this.id = run.nextId();
    this.#words = words;
    this.#run = run;
    if (run.resumed) return;
    const { name, displayName, kind } = words;
    const meta = kind && { meta: { toolKind: kind } };
    run.voice.emit({ kind: 'toolCallStart', toolCallId: this.id, toolName: name, displayName, ...meta });
  }

  get words(): ToolWords {
    return this.#words;
  }

  /** The user has edited the input. */
  reword(words: ToolWords): void {
    this.#words = words;
  }

  /** Streams the input in pieces, as a model would. */
  async streamInput(): Promise<void> {
    if (this.#run.resumed) return;
    for (const text of inPieces(this.#words.input)) {
      this.#run.voice.emit({ kind: 'toolCallInput', toolCallId: this.id, text });
      await giveWay(this.#run.turn.signal);
    }
  }

  running(confirmed: 'not-needed' | 'setting' = 'not-needed'): void {
    const { now, input } = this.#words;
    this.#run.voice.emit({
      kind: 'toolCallRunning',
      toolCallId: this.id,
      invocationMessage: now,
      toolInput: input,
      confirmed,
    });
  }

  /** Shows content while the call runs. */
  show(content: ToolResultContent[]): void {
    this.#run.voice.emit({ kind: 'toolCallContent', toolCallId: this.id, content });
  }

  succeed(content: ToolResultContent[]): void {
    this.#run.voice.emit(this.#success(content));
  }

  /** Reports what has been done, even if the turn was cancelled meanwhile. */
  report(content: ToolResultContent[]): void {
    this.#run.turn.emit({ kind: 'toolCallContent', toolCallId: this.id, content });
    this.#run.turn.emit(this.#success(content));
  }

  fail(message: string, code: string, content?: ToolResultContent[]): void {
    this.#run.voice.emit({
      kind: 'toolCallDone',
      toolCallId: this.id,
      result: {
        success: false,
        pastTenseMessage: this.#words.failed,
        ...(content && { content }),
        error: { message, code },
      },
    });
  }

  /** Ends the call with a ToolProblem; rethrows any other error. */
  failWith(error: unknown): void {
    if (!(error instanceof ToolProblem)) throw error;
    this.fail(error.message, error.code);
  }

  #success(content: ToolResultContent[]): AgentEvent {
    return {
      kind: 'toolCallDone',
      toolCallId: this.id,
      result: { success: true, pastTenseMessage: this.#words.past, content },
    };
  }
}
