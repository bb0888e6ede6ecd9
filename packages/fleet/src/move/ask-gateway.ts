import type { Bus } from '@moorage/host';
import { type MoveRequest, moveSubject, type ReadOf, readAnswer } from './messages.js';

/** A host's questions about sessions that move. */
export interface AskGateway {
  /** Rejects with a Refusal if the gateway refuses, unless the answer is wanted all the same. */
  ask(request: MoveRequest, takesRefusals?: boolean): Promise<{ readonly head: Record<string, unknown> }>;
  /** All pieces of what is read. */
  read(ticket: string, of: ReadOf): Promise<Uint8Array>;
}

/** What was asked for is not done, for a reason in words for people; and nothing has changed. */
export class Refusal extends Error {}

const ANSWER_MS = 15_000;

export function askGateway(bus: Bus, host: string): AskGateway {
  const request = async (body: MoveRequest) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return readAnswer(await bus.request(moveSubject(host), bytes, ANSWER_MS));
  };
  const assertGiven = ({ refused }: Record<string, unknown>) => {
    if (typeof refused === 'string') throw new Refusal(refused);
  };
  return {
    ask: async (body, takesRefusals = false) => {
      const answer = await request(body);
      if (!takesRefusals) assertGiven(answer.head);
      return answer;
    },
    read: async (ticket, of) => {
      const piece = async (at: number) => {
        const { head, bytes } = await request({ ask: 'read', ticket, of, at });
        assertGiven(head);
        return { total: head.total as number, bytes };
      };
      const { total, bytes: first } = await piece(0);
      if (first.length === 0) return first;
      const whole = Buffer.alloc(total);
      whole.set(first);
      // Each gateway may give less in one piece than another.
      const fill = async (from: number, end: number) => {
        for (let at = from; at < end; ) {
          const { total: now, bytes } = await piece(at);
          if (now !== total) throw new Refusal('the session was changed meanwhile: try again');
          whole.set(bytes, at);
          at += bytes.length;
        }
      };
      const lanes = Array.from({ length: PIECES_AT_ONCE }, async (_, lane) => {
        for (let at = (lane + 1) * first.length; at < total; at += PIECES_AT_ONCE * first.length)
          await fill(at, Math.min(at + first.length, total));
      });
      await Promise.all(lanes);
      return whole;
    },
  };
}

/** Pieces of one thing that are under way together. */
const PIECES_AT_ONCE = 4;
