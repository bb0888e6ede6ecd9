import type { Step } from '../script/step.js';
import { Agenda } from './agenda.js';
import type { ScriptChat, ScriptTurn } from './ports.js';
import type { Preview, Progress } from './progress.js';
import { Voice } from './voice.js';

/** What every step needs while a turn runs. */
export class ScriptRun {
  readonly turn: ScriptTurn;
  readonly chat: ScriptChat;
  readonly voice: Voice;
  readonly agenda: Agenda;
  #resumed: Progress | undefined;
  #ids: number;
  #idsBeforeStep: number;

  constructor(turn: ScriptTurn, chat: ScriptChat, resumed: Progress | undefined) {
    this.turn = turn;
    this.chat = chat;
    this.voice = new Voice(turn);
    this.agenda = resumed ? Agenda.resume(turn.message.text, resumed) : new Agenda(turn.message.text);
    this.#resumed = resumed;
    this.#ids = resumed?.ids ?? 0;
    this.#idsBeforeStep = this.#ids;
  }

  /** Set during the first step of a resumed turn: what it emitted before it asked is still there. */
  get resumed(): Progress | undefined {
    return this.#resumed;
  }

  nextStep(): Step | undefined {
    this.#idsBeforeStep = this.#ids;
    return this.agenda.next();
  }

  endStep(): void {
    this.#resumed = undefined;
  }

  /** Unique, because it contains the turn's id, and the same again when a step is repeated after a restart. */
  nextId(): string {
    this.#ids++;
    return `${this.turn.turnId}-${this.#ids}`;
  }

  /** Must be called before the user is asked, because the question outlives this process. */
  saveProgress(preview?: Preview): void {
    this.turn.signal.throwIfAborted();
    this.chat.saveProgress({
      turnId: this.turn.turnId,
      ids: this.#idsBeforeStep,
      ...this.agenda.progress,
      ...(preview && { preview }),
    });
  }
}
