import { ExtensionMeta, expandUriTemplate, SessionStatus, type SessionSummary } from '@moorage/protocol';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { focusApproval } from '../chat/approval-focus.js';
import { ChatView } from '../chat/ChatView.js';
import { useRights } from '../connection/rights.js';
import { useChannel } from '../connection/use-channel.js';
import { SessionHeader } from '../sessions/SessionHeader.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { moveFocusToChat } from '../ui/focus.js';
import { useKeys } from '../ui/keys.js';
import { Loading } from '../ui/Loading.js';
import { moodOf } from '../ui/mood.js';
import { Problem } from '../ui/Problem.js';
import { Splitter, usePaneWidth } from '../ui/Splitter.js';
import { useMedia } from '../ui/use-media.js';
import { useVisible } from '../ui/use-visible.js';
import { visible } from '../ui/visible.js';
import { PHONE } from '../ui/widths.js';
import { neededText } from './input-needed.js';
import type { Go, Route } from './route.js';
import { WaitingSheet } from './WaitingSheet.js';

/** Loaded only when the user opens a review. */
const ReviewPane = lazy(() => import('../review/ReviewPane.js').then((module) => ({ default: module.ReviewPane })));

/** Too narrow for a review beside the conversation. Must match `small.css`. */
const NARROW = '(max-width: 1100px)';

interface Props {
  readonly uri: string;
  /** From the list of sessions: the host computes some of it for lists only. */
  readonly summary: SessionSummary | undefined;
  readonly route: Route;
  readonly go: Go;
  /** Where a phone shows requests that wait for the user. */
  readonly sheetPlace: HTMLElement | null;
  readonly onOpenTerminal: (uri: string) => void;
  readonly onToggleTerminals: () => void;
  readonly onArchive: (isArchived: boolean) => void;
  readonly onShare: () => void;
}

/** One session: its conversation, and beside it the review. */
export function SessionPane(props: Props) {
  const { uri, summary, route, go, sheetPlace, onOpenTerminal, onToggleTerminals, onArchive, onShare } = props;
  const { may, session: onlySession } = useRights();
  const canMark = may('review');
  const { mirror, state, error, retry } = useChannel('session', uri);
  const [full, setFull] = useState(false);
  const reviewWidth = usePaneWidth({ name: 'review', min: 320, max: 2_000, side: 'right' });
  const isNarrow = useMedia(NARROW);
  const isPhone = useMedia(PHONE);
  const isSeen = useVisible();
  const isRead = summary === undefined || (summary.status & SessionStatus.IsRead) !== 0;
  useEffect(() => {
    if (mirror && !isRead && isSeen && canMark) void mirror.dispatch({ type: 'session/isReadChanged', isRead: true });
  }, [mirror, isRead, isSeen, canMark]);

  const changesets = state?.changesets;
  /** Whether the user opened the review here: then it gets the focus. After a reload, the message field has it. */
  const [reviewAsked, setReviewAsked] = useState(false);
  const openReview = useCallback(
    (variables?: Readonly<Record<string, string>>, how?: { readonly replace: boolean }) => {
      setReviewAsked(true);
      const kind = variables ? 'turn' : 'session';
      const entry = changesets?.find(({ changeKind }) => changeKind === kind) ?? changesets?.[0];
      if (entry) go({ review: expandUriTemplate(entry.uriTemplate, variables ?? {}), pane: 'review' }, how);
    },
    [changesets, go],
  );
  const onOpenChat = useCallback(
    (chat: string) => {
      go({ chat, turn: undefined, pane: 'chat' });
      moveFocusToChat();
    },
    [go],
  );
  const onReviewTurn = useCallback((turnId: string) => openReview({ turnId }), [openReview]);
  const toggleReview = () => {
    if (!route.review) return openReview();
    go({ review: undefined, pane: 'chat' });
    moveFocusToChat();
  };
  useKeys({ 'alt+r': { label: 'Review the changes', group: 'Everywhere', run: toggleReview } });
  useEffect(() => {
    // On a phone, the bottom bar opens the review without naming one. Replaces the entry, so that Back leaves the review.
    if (route.pane === 'review' && !route.review) openReview(undefined, { replace: true });
  }, [route.pane, route.review, openReview]);

  if (error) return <Problem text={error} onRetry={retry} />;
  if (!mirror || !state) return <Loading what="session" />;
  const close = () =>
    go({ host: undefined, session: undefined, chat: undefined, turn: undefined, review: undefined, pane: 'sessions' });
  if (mirror.status === 'gone' && summary === undefined)
    return (
      <main className="gate">
        <h1>This session was deleted</h1>
        <p>Someone deleted it while you had it open. Its changes to files are still there.</p>
        {onlySession === undefined && (
          <button type="button" className="button" onClick={close}>
            Back to the sessions
          </button>
        )}
      </main>
    );
  const chat = route.chat ?? state.defaultChat;
  const needed = state.inputNeeded?.find((request) => request.chat === chat) ?? state.inputNeeded?.[0];
  const isElsewhere = needed !== undefined && needed.chat !== chat;
  const showChat = () => {
    setFull(false);
    go({
      pane: 'chat',
      ...(isNarrow && { review: undefined }),
      ...(isElsewhere && { chat: needed?.chat, turn: undefined }),
    });
    // Once the conversation is shown.
    setTimeout(() => focusApproval({ isNew: true }));
  };
  const changesProblem = state._meta?.[ExtensionMeta.changesProblem];
  return (
    <main className="session" data-review={route.review ? (full ? 'full' : 'beside') : 'none'}>
      <ErrorBoundary of={state}>
        <SessionHeader
          mirror={mirror}
          state={state}
          summary={summary}
          chat={chat}
          reviewing={route.review !== undefined}
          onOpenChat={onOpenChat}
          onToggleReview={toggleReview}
          onToggleTerminals={onToggleTerminals}
          onArchive={onArchive}
          onShare={onShare}
          onClosed={close}
        />
      </ErrorBoundary>
      {isPhone && sheetPlace && (
        <ErrorBoundary of={state}>
          <WaitingSheet
            session={state}
            sessionUri={uri}
            chat={chat}
            place={sheetPlace}
            onOpenChat={onOpenChat}
            onReviewTurn={onReviewTurn}
            onOpenTerminal={onOpenTerminal}
          />
        </ErrorBoundary>
      )}
      {state.lifecycle === 'failed' && (
        <p className="problem pane-note" role="alert">
          The session could not be started: {state.creationError?.message}
        </p>
      )}
      {typeof changesProblem === 'string' && (
        <p className="problem pane-note" role="status">
          {visible(changesProblem)}
        </p>
      )}
      {moodOf((summary ?? state).status) === 'needs-you' && (
        <button type="button" className="needs-you-bar" data-elsewhere={isElsewhere || undefined} onClick={showChat}>
          {waitingText(isElsewhere, may('steer'))}
          {needed && `: ${neededText(needed)}`} · <span className="underlined">show the conversation</span>
        </button>
      )}
      <div className="session-columns" style={{ '--review-width': reviewWidth.width && `${reviewWidth.width}px` }}>
        {chat && (
          <ChatView
            key={chat}
            uri={chat}
            turn={route.turn}
            session={state}
            sessionUri={uri}
            onOpenChat={onOpenChat}
            onReviewTurn={onReviewTurn}
            onOpenTerminal={onOpenTerminal}
          />
        )}
        {route.review && <Splitter label="Width of the review" {...reviewWidth.splitter} />}
        {route.review && (
          <Suspense fallback={<Loading what="review" />}>
            <ErrorBoundary of={route.review}>
              <ReviewPane
                uri={route.review}
                session={state}
                sessionUri={uri}
                chat={chat}
                asked={reviewAsked}
                full={full}
                onFull={() => setFull(!full)}
                onChoose={(review) => go({ review })}
                onClose={toggleReview}
              />
            </ErrorBoundary>
          </Suspense>
        )}
        {!route.review && route.pane === 'review' && (
          <p className="pane-note quiet">This session has no folder, so there are no changes to review.</p>
        )}
      </div>
    </main>
  );
}

function waitingText(isElsewhere: boolean, canAnswer: boolean): string {
  if (canAnswer) return isElsewhere ? 'Another chat needs you' : 'Needs you';
  return isElsewhere ? 'Another chat waits for an answer' : 'Waits for an answer';
}
