import type { ChatState, MessageAttachment, ResponsePart, Turn } from '@moorage/protocol';
import { steeringOf } from '@moorage/protocol/internal';

type ChatAttachment = Extract<MessageAttachment, { type: 'chat' }>;

/** UTF-16 units of an attached conversation that an agent is given, the newest: about a fifth of a usual context window. */
const MAX_CHARS = 100_000;

/** The attachment with the last turn that it means: a conversation goes on, what was attached does not. */
export function pinned(attachment: ChatAttachment, chat: ChatState | undefined): ChatAttachment {
  const endTurn = attachment.endTurn ?? chat?.turns.at(-1)?.id;
  return endTurn === attachment.endTurn || endTurn === undefined ? attachment : { ...attachment, endTurn };
}

/** What was said in an attached conversation, for an agent, which cannot read channels. */
export function asTranscript(attachment: ChatAttachment, chat: ChatState | undefined): MessageAttachment {
  const { label, range, _meta } = attachment;
  const modelRepresentation = chat ? transcript(turnsOf(attachment, chat)) : '(a conversation that no longer exists)';
  return { type: 'simple', label, ...(range && { range }), modelRepresentation, ...(_meta && { _meta }) };
}

/** Up to the pinned turn; all if that has been removed since. */
function turnsOf({ endTurn }: ChatAttachment, { turns }: ChatState): readonly Turn[] {
  const end = turns.findIndex(({ id }) => id === endTurn);
  return end < 0 ? turns : turns.slice(0, end + 1);
}

/** What was said in turns, for an agent. */
export function transcript(turns: readonly Turn[]): string {
  const whole = turns.map(({ message, responseParts }) => {
    const answer = responseParts.map(words).join('').trim();
    return `User: ${message.text}\n\nAgent: ${answer || '(no answer)'}`;
  });
  const text = whole.join('\n\n') || '(nothing was said yet)';
  return text.length > MAX_CHARS ? `(older messages left out)\n${text.slice(-MAX_CHARS)}` : text;
}

function words(part: ResponsePart): string {
  const steering = steeringOf(part);
  if (steering) return `\n\n[The user meanwhile: ${steering.message.text}]\n\n`;
  return part.kind === 'markdown' ? part.content : '';
}
