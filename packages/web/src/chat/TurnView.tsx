import { type ActiveTurn, errorOf, type ResponsePart, type Turn } from '@moorage/protocol';
import { memo } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { Icon } from '../ui/Icon.js';
import { PartView } from './PartView.js';
import { TurnFoot } from './TurnFoot.js';
import { UserMessage } from './UserMessage.js';

interface Props {
  readonly turn: Turn | ActiveTurn;
  readonly active?: boolean;
  /** Whether it is the newest turn, whose results are unfolded. In older ones, each is one line. */
  readonly isNewest: boolean;
  readonly waiting?: boolean;
  /** What the session is doing, shown until the first part of the response. */
  readonly doing?: string | undefined;
}

/** A message and the agent's response to it. */
export const TurnView = memo(function TurnView({ turn, active = false, isNewest, waiting = false, doing }: Props) {
  const last = turn.responseParts.length - 1;
  const ended = 'state' in turn ? turn : undefined;
  return (
    <article className="turn" aria-label="Turn" data-turn={turn.id}>
      <ErrorBoundary of={turn.message}>
        <UserMessage message={turn.message} turnId={turn.id} canEdit={ended !== undefined} />
      </ErrorBoundary>
      <div className="answer">
        {turn.responseParts.map((part, index) => (
          <ErrorBoundary key={keyOf(part) ?? index} of={part}>
            <PartView
              part={part}
              turnId={turn.id}
              live={active && !waiting && index === last}
              isActive={active}
              isNewest={isNewest}
            />
          </ErrorBoundary>
        ))}
        {active && !waiting && <p className="working">{(last < 0 && doing) || 'Working'}</p>}
        {ended?.state === 'error' && (
          <p className="problem turn-problem" role="alert">
            <Icon name="warning" /> {errorOf(ended)?.message ?? 'The turn ended with an error.'}
          </p>
        )}
        {ended?.state === 'cancelled' && <p className="quiet">Stopped.</p>}
      </div>
      {ended && (
        <ErrorBoundary of={ended}>
          <TurnFoot turn={ended} />
        </ErrorBoundary>
      )}
    </article>
  );
});

function keyOf(part: ResponsePart): string | undefined {
  if (part.kind === 'toolCall') return part.toolCall.toolCallId;
  if (part.kind === 'inputRequest') return `request ${part.request.id}`;
  return 'id' in part ? part.id : undefined;
}
