import {
  type ChatInputRequest,
  type ChatState,
  primaryDirectory,
  type SessionState,
  type ToolCallPendingConfirmationState,
  type ToolCallPendingResultConfirmationState,
} from '@moorage/protocol';
import { useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { Confirmation } from '../chat/Confirmation.js';
import { ChatContext } from '../chat/context.js';
import { InputRequestForm } from '../chat/InputRequestForm.js';
import { ResultConfirmation } from '../chat/ResultConfirmation.js';
import { ToolCallBody } from '../chat/ToolCallBody.js';
import { useRights } from '../connection/rights.js';
import { useChannel } from '../connection/use-channel.js';
import { Icon } from '../ui/Icon.js';

interface Props {
  readonly session: SessionState;
  readonly sessionUri: string;
  readonly chat: string | undefined;
  /** The element to render into: above the bottom bar on every pane. */
  readonly place: HTMLElement;
  readonly onOpenChat: (uri: string) => void;
  readonly onReviewTurn: (turnId: string) => void;
  readonly onOpenTerminal: (uri: string) => void;
}

/** On a phone: the first request that waits for the user, in the open chat or in another one of the session. */
export function WaitingSheet(props: Props) {
  const { session, sessionUri, chat, place, onOpenChat, onReviewTurn, onOpenTerminal } = props;
  const title = useRights().may('steer') ? 'Needs you' : 'Waits for an answer';
  const open = useChannel('chat', chat);
  const isHere = open.state !== undefined && requestsOf(open.state).length > 0;
  const elsewhere = session.inputNeeded?.[0]?.chat;
  const other = useChannel('chat', isHere || elsewhere === chat ? undefined : elsewhere);
  const { mirror, state } = isHere ? open : other;
  const folder = (state && primaryDirectory(state)) ?? primaryDirectory(session);
  const parts = useMemo(
    () => mirror && { mirror, session, sessionUri, folder, onOpenChat, onReviewTurn, onOpenTerminal },
    [mirror, session, sessionUri, folder, onOpenChat, onReviewTurn, onOpenTerminal],
  );
  const [folded, setFolded] = useState<string>();
  if (!parts || !state) return null;
  const requests = requestsOf(state);
  const [first] = requests;
  if (!first) return null;
  const isFolded = folded === first.id;
  return createPortal(
    <ChatContext value={parts}>
      <section className="waiting-sheet" aria-label={title}>
        <button
          type="button"
          className="fold sheet-head"
          aria-expanded={!isFolded}
          onClick={() => setFolded(isFolded ? undefined : first.id)}
        >
          <Icon name="chevron" />
          {title}
          {requests.length > 1 && <span className="quiet">1 of {requests.length}</span>}
        </button>
        {!isFolded && (
          <div className="sheet-body" key={first.id}>
            {first.kind === 'call' && <Confirmation call={first.call} turnId={first.turnId} />}
            {first.kind === 'result' && (
              <>
                <ToolCallBody call={first.call} />
                <ResultConfirmation call={first.call} turnId={first.turnId} />
              </>
            )}
            {first.kind === 'question' && (
              <InputRequestForm request={first.request} mirror={parts.mirror} session={session} />
            )}
          </div>
        )}
      </section>
    </ChatContext>,
    place,
  );
}

type WaitingRequest = { readonly id: string } & (
  | { readonly kind: 'call'; readonly call: ToolCallPendingConfirmationState; readonly turnId: string }
  | { readonly kind: 'result'; readonly call: ToolCallPendingResultConfirmationState; readonly turnId: string }
  | { readonly kind: 'question'; readonly request: ChatInputRequest }
);

/** The requests that wait in a chat, in the order of the conversation. */
function requestsOf({ activeTurn }: ChatState): WaitingRequest[] {
  return (activeTurn?.responseParts ?? []).flatMap((part): WaitingRequest[] => {
    const turnId = activeTurn?.id ?? '';
    if (part.kind === 'inputRequest' && part.response === undefined)
      return [{ kind: 'question', id: part.request.id, request: part.request }];
    if (part.kind !== 'toolCall') return [];
    const call = part.toolCall;
    if (call.status === 'pending-confirmation') return [{ kind: 'call', id: call.toolCallId, call, turnId }];
    if (call.status !== 'pending-result-confirmation') return [];
    return [{ kind: 'result', id: `result ${call.toolCallId}`, call, turnId }];
  });
}
