import type { EarlierTurn } from '@moorage/host/ports';
import { type Fields, fields, text } from '../../shared/untrusted.js';

/** Turns that are taken over, the newest, and UTF-16 units of each message and answer. */
const MAX_TURNS = 500;
const MAX_TEXT_CHARS = 64_000;

/** Gathers turns from what an agent repeats when it loads a session. */
export class Replay {
  #turns: { message: string; answer: string }[] = [];
  /** Says which message the last words belong to: those of another one begin a paragraph. */
  #last: unknown;

  get turns(): readonly EarlierTurn[] {
    return this.#turns.slice(-MAX_TURNS);
  }

  take({ sessionUpdate, messageId, content }: Fields): undefined {
    const said = text(fields(content).text) ?? '';
    const isSame = this.#last === `${sessionUpdate} ${messageId}`;
    this.#last = `${sessionUpdate} ${messageId}`;
    const turn = this.#turns.at(-1);
    if (sessionUpdate === 'user_message_chunk') {
      if (turn?.answer === '') turn.message = joined(turn.message, said, isSame);
      else this.#turns.push({ message: joined('', said, true), answer: '' });
    }
    if (sessionUpdate === 'agent_message_chunk') {
      if (turn) turn.answer = joined(turn.answer, said, isSame);
      else this.#turns.push({ message: '', answer: joined('', said, true) });
    }
    if (this.#turns.length > 2 * MAX_TURNS) this.#turns = this.#turns.slice(-MAX_TURNS);
    return undefined;
  }
}

function joined(before: string, more: string, isSame: boolean): string {
  const gap = isSame || before === '' ? '' : '\n\n';
  return before.length >= MAX_TEXT_CHARS ? before : (before + gap + more).slice(0, MAX_TEXT_CHARS);
}
