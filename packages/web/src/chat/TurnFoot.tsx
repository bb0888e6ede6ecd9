import { randomId } from '@moorage/client';
import { chatUri, type Turn } from '@moorage/protocol';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { Icon } from '../ui/Icon.js';
import { showFailure } from '../ui/toasts.js';
import { useChat } from './context.js';
import { sendInstead, sendMessage } from './send.js';
import { usageText } from './usage.js';

/** Actions on a finished turn, and what it used. */
export function TurnFoot({ turn }: { readonly turn: Turn }) {
  const client = useClient();
  const canSteer = useRights().may('steer');
  const { mirror, session, sessionUri, onReviewTurn, onOpenChat } = useChat();
  const changed = turn.responseParts.some(
    (part) =>
      part.kind === 'toolCall' &&
      'content' in part.toolCall &&
      part.toolCall.content?.some((content) => content.type === 'fileEdit' || content.type === 'terminal'),
  );
  const fork = async () => {
    const chat = chatUri.format(randomId());
    await client.request('createChat', {
      channel: sessionUri,
      chat,
      source: { kind: 'fork', chat: mirror.uri, turnId: turn.id },
    });
    onOpenChat(chat);
  };
  /** Replaces the last turn; for an earlier one, sends its message again. */
  const retry = async () => {
    if (mirror.optimistic.turns.at(-1)?.id === turn.id) await sendInstead(client, mirror, turn.id, turn.message);
    else await sendMessage(mirror, turn.message);
  };
  return (
    <footer className="turn-foot">
      {changed && session.changesets && (
        <button type="button" className="link" onClick={() => onReviewTurn(turn.id)}>
          <Icon name="diff" /> Review changes
        </button>
      )}
      {canSteer && turn.state !== 'complete' && (
        <button type="button" className="link" onClick={() => showFailure(retry())}>
          <Icon name="undo" /> Try again
        </button>
      )}
      {canSteer && (
        <button type="button" className="link on-hover" onClick={() => showFailure(fork())}>
          <Icon name="fork" /> Fork
        </button>
      )}
      {turn.usage && <span className="usage">{usageText(turn.usage)}</span>}
    </footer>
  );
}
