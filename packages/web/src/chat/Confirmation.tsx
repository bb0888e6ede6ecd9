import {
  type ConfirmationOption,
  type ContentRef,
  ExtensionMeta,
  type ToolCallPendingConfirmationState,
} from '@moorage/protocol';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useRights } from '../connection/rights.js';
import { InlineDiff } from '../diff/InlineDiff.js';
import { CodeBlock } from '../markdown/CodeBlock.js';
import { VisibleText } from '../markdown/Text.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { focusComposer } from '../ui/focus.js';
import { pathOf } from '../ui/format.js';
import { isReachable } from '../ui/is-reachable.js';
import { useKeys } from '../ui/keys.js';
import { LongText } from '../ui/LongText.js';
import { showFailure } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { focusApproval, isRead } from './approval-focus.js';
import { ContentLink } from './ContentLink.js';
import { Contributor } from './Contributor.js';
import { useChat } from './context.js';

const PLAIN_OPTIONS: readonly ConfirmationOption[] = [
  { id: '', label: 'Allow', kind: 'approve' },
  { id: '', label: 'Deny', kind: 'deny' },
];

/** Asks for permission for a tool call: what the agent wants to do, the edit or the input, and the possible answers. */
export function Confirmation({
  call,
  turnId,
}: {
  readonly call: ToolCallPendingConfirmationState;
  readonly turnId: string;
}) {
  const { mirror, folder } = useChat();
  const lacking = useRights().lacks('steer');
  const [input, setInput] = useState<string>();
  const [reason, setReason] = useState('');
  const [denying, setDenying] = useState(false);
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const answered = useRef(false);
  const appearedAt = useAppearance(call);
  const wholeInput = wholeInputOf(call);
  const given = typeof call.toolInput === 'string' ? call.toolInput : undefined;
  const options = lacking ? [] : call.options?.length ? call.options : PLAIN_OPTIONS;
  const keys = keysFor(options);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      // The element is still there, but gone in a moment; the focus must not be left on nothing.
      if (element?.contains(document.activeElement)) queueMicrotask(() => leave(answered.current));
    };
  }, []);

  const answer = (option: ConfirmationOption) => {
    answered.current = true;
    const base = { type: 'chat/toolCallConfirmed', turnId, toolCallId: call.toolCallId } as const;
    const chosen = option.id && { selectedOptionId: option.id };
    const edited = input !== undefined && input !== given && { editedToolInput: input };
    showFailure(
      mirror.dispatch(
        option.kind === 'approve'
          ? { ...base, approved: true, confirmed: 'user-action', ...chosen, ...edited }
          : {
              ...base,
              approved: false,
              reason: 'denied',
              ...chosen,
              ...(reason.trim() && { reasonMessage: reason.trim() }),
            },
      ),
    );
  };
  const numbers = options.slice(0, 9).map((option, index) => [option, String(index + 1)] as const);
  useKeys(
    Object.fromEntries(
      [...keys, ...numbers].map(([option, key]) => [
        key,
        {
          label: visible(option.label),
          group: 'Conversation',
          run: (at = performance.now()) => isRead(appearedAt, at) && answer(option),
        },
      ]),
    ),
    {
      // Keys must not answer a request that is out of sight, such as behind a review.
      isSeen: () => isReachable(card.current?.querySelector('.confirmation-options > *')),
      hasFocus: () => card.current?.contains(document.activeElement) === true,
    },
  );

  return (
    <section ref={card} className="confirmation approval" aria-labelledby={titleId} tabIndex={-1}>
      <ErrorBoundary of={call} fallback={<LongText text={rawText(call)} />}>
        <h3 id={titleId}>
          <VisibleText value={call.confirmationTitle ?? call.invocationMessage} />
          <Contributor call={call} />
        </h3>
        {/* Also beside an edit: whatever will run must be in view before it is approved. */}
        {input === undefined && given && <CodeBlock text={commandOf(given)} />}
        {wholeInput && <ContentLink content={wholeInput} />}
        {call.edits?.items.map((edit, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: edits have no other name
          <InlineDiff key={index} edit={edit} folder={pathOf(folder)} />
        ))}
      </ErrorBoundary>
      {input !== undefined && (
        <textarea
          className="code-input"
          aria-label="Tool input"
          spellCheck={false}
          rows={Math.min(14, input.split('\n').length + 1)}
          value={input}
          onChange={(event) => setInput(event.target.value)}
        />
      )}
      {denying && (
        <input
          className="deny-reason"
          type="text"
          placeholder="Why not, or what instead? The agent reads it."
          aria-label="Reason for denying"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked to write this
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            const deny = options.find(({ kind }) => kind === 'deny');
            if (event.key === 'Enter' && deny) answer(deny);
            if (event.key === 'Escape') setDenying(false);
          }}
        />
      )}
      {lacking ? (
        <p className="quiet">Somebody else has to answer. {lacking}</p>
      ) : (
        <div className="confirmation-options">
          {options.map((option) => (
            <button
              key={option.id || option.kind}
              type="button"
              className={`button ${option === options.find(({ kind }) => kind === 'approve') ? 'primary' : ''}`}
              // The second click of a double click would answer the next request, unread.
              onClick={({ detail }) => detail < 2 && answer(option)}
            >
              {visible(option.label)}
              {keys.get(option) && <kbd>{keys.get(option)}</kbd>}
            </button>
          ))}
          {!denying && (
            <button type="button" className="link" onClick={() => setDenying(true)}>
              Deny with a reason
            </button>
          )}
          {call.editable && given !== undefined && (
            <button type="button" className="link" onClick={() => setInput(input === undefined ? given : undefined)}>
              {input === undefined ? 'Edit input' : 'Keep the original input'}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** Where the host keeps an input that is too long for the chat. */
function wholeInputOf({ toolInput, _meta }: ToolCallPendingConfirmationState): ContentRef | undefined {
  if (typeof toolInput === 'object') return toolInput;
  const ref = _meta?.[ExtensionMeta.toolInput];
  return typeof ref === 'object' && ref !== null && 'uri' in ref && typeof ref.uri === 'string'
    ? { uri: ref.uri, contentType: 'text/plain' }
    : undefined;
}

/** When what is asked was shown first, on the clock of events. Whatever changes it makes it a new question. */
function useAppearance({
  confirmationTitle,
  invocationMessage,
  toolInput,
  edits,
  options,
}: ToolCallPendingConfirmationState): number {
  const asked = JSON.stringify([confirmationTitle, invocationMessage, toolInput, edits, options]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins anew
  return useMemo(() => performance.now(), [asked]);
}

/** After the user's answer, the focus goes to the next request; after somebody else's, only to where keys write text. */
function leave(answered: boolean): void {
  if (document.activeElement !== document.body) return;
  if (!answered || !focusApproval({ isNew: true })) focusComposer();
}

/** Everything that is asked, as it came, if it cannot be shown better. */
function rawText({ confirmationTitle, invocationMessage, toolInput, edits }: ToolCallPendingConfirmationState): string {
  return JSON.stringify({ confirmationTitle, invocationMessage, toolInput, edits }, undefined, 2);
}

/** `y` allows once, `a` allows more than once, `n` denies. */
function keysFor(options: readonly ConfirmationOption[]): Map<ConfirmationOption, string> {
  const [once, always] = options.filter(({ kind }) => kind === 'approve');
  const deny = options.find(({ kind }) => kind === 'deny');
  const keys = new Map<ConfirmationOption, string>();
  if (once) keys.set(once, 'y');
  if (always) keys.set(always, 'a');
  if (deny) keys.set(deny, 'n');
  return keys;
}

/** Shows the command itself if the input is JSON with nothing else in it. */
function commandOf(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === 'object' && value !== null && 'command' in value && Object.keys(value).length === 1)
      return String(value.command);
  } catch {
    // Not JSON: shown as it is.
  }
  return input;
}
