import { turnCancelled } from '@moorage/client';
import {
  activityOf,
  type ChatState,
  openRequests,
  primaryDirectory,
  type SessionState,
  SessionStatus,
} from '@moorage/protocol';
import { useEffect } from 'react';
import { useRights } from '../connection/rights.js';
import { useChannel } from '../connection/use-channel.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { useKeys } from '../ui/keys.js';
import { Loading } from '../ui/Loading.js';
import { Problem } from '../ui/Problem.js';
import { showFailure } from '../ui/toasts.js';
import { focusApproval } from './approval-focus.js';
import { Composer } from './Composer.js';
import { ChatContext } from './context.js';
import { InputRequestForm } from './InputRequestForm.js';
import { PendingMessages } from './PendingMessages.js';
import { useSeenTimes } from './seen-times.js';
import { TurnView } from './TurnView.js';
import { useFollow } from './use-follow.js';
import { useTurnWindow } from './use-turn-window.js';
import { useWantedTurn } from './use-wanted-turn.js';

interface Props {
  readonly uri: string;
  /** The turn to begin at; without it, at the newest. */
  readonly turn: string | undefined;
  readonly session: SessionState;
  readonly sessionUri: string;
  readonly onOpenChat: (uri: string) => void;
  readonly onReviewTurn: (turnId: string) => void;
  readonly onOpenTerminal: (uri: string) => void;
}

/** One chat: its turns, open requests, and the field to type in. */
export function ChatView({ uri, turn: wanted, session, sessionUri, onOpenChat, onReviewTurn, onOpenTerminal }: Props) {
  const { mirror, state, error, retry } = useChannel('chat', uri);
  const { may } = useRights();
  useSeenTimes(mirror);
  const follow = useFollow(state);
  const { turns, earlier, showEarlier, showTurn, onScroll } = useTurnWindow(mirror, state, follow.atEnd, follow.ref);
  const running = state?.activeTurn;
  useEffect(() => follow.toEnd(), [follow.toEnd]);
  useWantedTurn(wanted, mirror !== undefined && state !== undefined, follow, showTurn);
  useKeys({
    'alt+g': { label: 'Go to the newest', group: 'Conversation', run: follow.toEnd },
    ...(running !== undefined &&
      may('steer') && {
        'mod+.': {
          label: 'Stop the turn',
          group: 'Conversation',
          run: () => showFailure(mirror?.dispatch(turnCancelled(running))),
        },
      }),
  });
  if (error) return <Problem text={error} onRetry={retry} />;
  if (!state || !mirror) return <Loading what="conversation" />;
  const folder = primaryDirectory(state) ?? primaryDirectory(session);
  const newest = state.activeTurn ?? state.turns.at(-1);
  const isEmpty = state.turns.length === 0 && !state.activeTurn;
  return (
    <ChatContext value={{ mirror, session, sessionUri, folder, onOpenChat, onReviewTurn, onOpenTerminal }}>
      <div className="chat">
        <div
          className="chat-scroll"
          data-follows={follow.atEnd}
          ref={follow.ref}
          onScroll={() => {
            follow.onScroll();
            onScroll();
          }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
        >
          <div className="chat-column" role="log" aria-label="Conversation" aria-busy={running !== undefined}>
            {earlier !== 'none' && (
              <button type="button" className="button older" disabled={earlier === 'loading'} onClick={showEarlier}>
                {earlier === 'loading' ? 'Loading earlier turns…' : 'Earlier turns'}
              </button>
            )}
            {isEmpty && may('steer') && <Welcome session={session} />}
            {isEmpty && !may('steer') && <p className="quiet">Nothing was said here yet.</p>}
            {/* One list, so that a turn keeps its element, and what is unfolded in it, when it ends. */}
            {(state.activeTurn ? [...turns, state.activeTurn] : turns).map((turn) => (
              <ErrorBoundary key={turn.id} of={turn}>
                {turn === state.activeTurn ? (
                  <TurnView
                    turn={turn}
                    active
                    isNewest
                    waiting={waits(state)}
                    doing={session.chats.length === 1 ? session.activity : undefined}
                  />
                ) : (
                  <TurnView turn={turn} isNewest={turn === newest} />
                )}
              </ErrorBoundary>
            ))}
            {openRequests(state).map((request) => (
              <ErrorBoundary key={request.id} of={request}>
                <InputRequestForm request={request} mirror={mirror} session={session} />
              </ErrorBoundary>
            ))}
          </div>
        </div>
        {!follow.atEnd && (
          <button
            type="button"
            className="to-end button"
            data-waiting={waits(state) || undefined}
            onClick={() => {
              follow.toEnd();
              if (waits(state)) focusApproval({ isNew: true });
            }}
          >
            {waits(state) && may('steer') ? '↓ Needs you' : '↓ Newest'}
          </button>
        )}
        <div className="chat-foot">
          <ErrorBoundary of={state}>
            <PendingMessages state={state} mirror={mirror} />
          </ErrorBoundary>
          <Composer key={uri} state={state} mirror={mirror} session={session} />
        </div>
      </div>
    </ChatContext>
  );
}

function waits({ status }: ChatState): boolean {
  return activityOf(status) === SessionStatus.InputNeeded;
}

function Welcome({ session: { provider } }: { session: SessionState }) {
  return (
    <div className="welcome">
      <h2>What should the agent do?</h2>
      <p>
        {provider === 'demo' ? (
          <>
            The demo agent follows steps, such as <code>/write hello.txt Hello</code> or{' '}
            <code>/ask Which colour? | red | blue</code>. Say anything else and it explains itself.
          </>
        ) : (
          'Write to the agent below. It asks before doing anything you have not allowed.'
        )}
      </p>
    </div>
  );
}
