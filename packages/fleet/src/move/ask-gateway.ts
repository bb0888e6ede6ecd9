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
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (;;) {
        const { head, bytes } = await request({ ask: 'read', ticket, of, at });
        assertGiven(head);
        pieces.push(bytes);
        at += bytes.length;
        if (at >= (head.total as number) || bytes.length === 0) return Buffer.concat(pieces);
      }
    },
  };
}
