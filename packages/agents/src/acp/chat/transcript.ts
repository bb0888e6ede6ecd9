import type { ResponsePart, Turn } from '@moorage/protocol';
import { steeringOf } from '@moorage/protocol/internal';

/** UTF-16 units of earlier conversation that an agent is given, the newest: about a fifth of a usual context window. */
const MAX_TRANSCRIPT_CHARS = 100_000;

/** What was said in a chat, for an agent that cannot resume its session. */
export class Transcript {
  #turns: { readonly user: string; readonly agent: string }[];

  constructor(history: readonly Turn[]) {
    this.#turns = history.map(({ message, responseParts }) => ({
      user: message.text,
      agent: responseParts.map(wordsIn).join(''),
    }));
  }

  add(user: string, agent: string): void {
    this.#turns.push({ user, agent });
    // Older turns would be cut off anyway.
    let chars = 0;
    const kept = this.#turns.findLastIndex((turn) => {
      chars += turn.user.length + turn.agent.length;
      return chars > MAX_TRANSCRIPT_CHARS;
    });
    if (kept > 0) this.#turns = this.#turns.slice(kept);
  }

  get isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  toString(): string {
    const turns = this.#turns.map(({ user, agent }) => `User: ${user}\n\nYou: ${agent || '(no answer)'}`);
    const whole = turns.join('\n\n');
    const cut =
      whole.length > MAX_TRANSCRIPT_CHARS ? `(older messages left out)\n${whole.slice(-MAX_TRANSCRIPT_CHARS)}` : whole;
    return `This is the conversation so far, for your information. Go on from here.\n\n${cut}\n\n(end of the conversation so far)`;
  }
}

/** Also what the user said while the agent worked. */
function wordsIn(part: ResponsePart): string {
  const steering = steeringOf(part);
  if (steering) return `\n\n[The user meanwhile: ${steering.message.text}]\n\n`;
  return part.kind === 'markdown' ? part.content : '';
}
