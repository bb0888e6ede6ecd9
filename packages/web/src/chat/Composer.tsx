import { type Mirror, turnCancelled } from '@moorage/client';
import type { ChatState, SessionState } from '@moorage/protocol';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { useRights } from '../connection/rights.js';
import { focusComposer } from '../ui/focus.js';
import { Icon } from '../ui/Icon.js';
import { useKeys } from '../ui/keys.js';
import { isTouchScreen } from '../ui/pointer.js';
import { showFailure } from '../ui/toasts.js';
import { AttachButton } from './AttachButton.js';
import { focusApproval } from './approval-focus.js';
import { CompletionList, optionId } from './CompletionList.js';
import { DraftAttachments } from './DraftAttachments.js';
import { type DraftSharing, shareDraft } from './draft-sharing.js';
import { useDraft } from './drafts.js';
import { ModelPicker } from './ModelPicker.js';
import { sendDraft } from './send.js';
import { restoreUnsent } from './unsent.js';
import { sessionTotalText, totalText } from './usage.js';
import { useAttaching } from './use-attaching.js';
import { useCompletions } from './use-completions.js';
import { useFitHeight } from './use-fit-height.js';

interface Props {
  readonly state: ChatState;
  readonly mirror: Mirror<'chat'>;
  readonly session: SessionState;
}

/** The message field, or why there is none. */
export function Composer(props: Props) {
  const { interactivity } = props.state;
  const lacking = useRights().lacks('steer');
  if (interactivity === 'read-only' || interactivity === 'hidden')
    return <p className="quiet composer-note">This chat belongs to a sub-agent and can only be read.</p>;
  if (lacking) return <p className="quiet composer-note">You can read along. {lacking.replace('This', 'Writing')}</p>;
  return <MessageField {...props} />;
}

/** It grows with the text, keeps a draft per chat, and accepts files and pictures. */
function MessageField({ state, mirror, session }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useDraft(mirror.uri);
  const { over, onDrag, onPaste, attach } = useAttaching(draft, setDraft);
  const sharing = useRef<DraftSharing>(undefined);
  // As a layout effect it ends before the chat's mirror is released, so that the last words are shared.
  useLayoutEffect(() => {
    restoreUnsent(mirror);
    const started = shareDraft(mirror, () => document.hasFocus() && document.activeElement === box.current);
    sharing.current = started;
    return () => started.stop();
  }, [mirror]);
  const running = state.activeTurn;
  const completions = useCompletions(mirror.uri, draft, setDraft, box);
  const total = useMemo(() => totalText(state), [state]);
  const sessionTotal = sessionTotalText(session);
  const listId = useId();
  const offered = completions.items.length > 0;
  useKeys({ 'alt+i': { label: 'Write to the agent', group: 'Conversation', run: () => box.current?.focus() } });

  useFitHeight(box, draft.text);
  // On opening a chat, typing goes to the agent; unless the user has already put the focus elsewhere.
  useEffect(() => {
    if (document.activeElement === document.body) focusComposer();
  }, []);

  const send = (kind: 'steering' | 'queued') => {
    if (!draft.text.trim() && draft.attachments.length === 0) return;
    setDraft({ text: '', attachments: [] });
    showFailure(sendDraft(mirror, kind, draft));
    sharing.current?.sent();
  };

  return (
    <form
      className="composer"
      data-over={over || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send('queued');
      }}
      {...onDrag}
    >
      <CompletionList id={listId} items={completions.items} active={completions.active} choose={completions.choose} />
      <DraftAttachments draft={draft} onChange={setDraft} />
      <textarea
        ref={box}
        rows={1}
        aria-label="Message to the agent"
        placeholder={running ? 'Queue a message, or steer this turn' : 'Write to the agent'}
        aria-autocomplete="list"
        aria-controls={offered ? listId : undefined}
        aria-activedescendant={offered ? optionId(listId, completions.active) : undefined}
        autoComplete="off"
        value={draft.text}
        onSelect={completions.onMoved}
        onBlur={() => sharing.current?.adopt()}
        onChange={(event) => setDraft((now) => ({ ...now, text: event.target.value }))}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || completions.onKey(event)) return;
          if (event.key === 'Enter' && !event.shiftKey && (event.ctrlKey || event.metaKey || !isTouchScreen())) {
            event.preventDefault();
            send(event.ctrlKey || event.metaKey ? 'steering' : 'queued');
          } else if (event.key === 'Escape' && !focusApproval()) {
            document.querySelector<HTMLElement>('.chat-scroll')?.focus();
          }
        }}
      />
      <div className="composer-row">
        <AttachButton onFiles={(files) => void attach(files)} />
        <ModelPicker session={session} state={state} mirror={mirror} />
        {total && (
          <span className="usage-total" title="What this chat has used so far">
            {total}
          </span>
        )}
        {sessionTotal && (
          <span className="usage-total session-total" title="What all chats of this session have used so far">
            Session: {sessionTotal}
          </span>
        )}
        <span className="composer-hint">{hintFor(state, draft.text)}</span>
        {running && draft.text.trim() && (
          <button type="button" className="button" onClick={() => send('steering')}>
            Steer
          </button>
        )}
        {running && !draft.text.trim() ? (
          <button
            type="button"
            className="button"
            title="Stop the turn"
            onClick={() => showFailure(mirror.dispatch(turnCancelled(running)))}
          >
            <Icon name="stop" /> Stop
          </button>
        ) : (
          <button type="submit" className="button primary" disabled={!draft.text.trim() && !draft.attachments.length}>
            {running ? 'Queue' : 'Send'}
          </button>
        )}
      </div>
    </form>
  );
}

function hintFor({ activeTurn }: ChatState, text: string): string {
  // What the field takes, for those who do not know it yet; what Enter does, once there is something to send.
  if (!activeTurn) return text ? 'Enter sends' : '@ for files, / for commands, paste pictures';
  const asks = activeTurn.responseParts.some(
    (part) => part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation',
  );
  // While the focus is in the field, the keys that answer a request would type letters.
  return asks && !text ? 'Press Esc to answer with keys' : 'Enter queues, Ctrl+Enter steers';
}
