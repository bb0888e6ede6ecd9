import type { Mirror } from '@moorage/client';
import type { ChatDraftChangedAction, ChatState, ModelSelection } from '@moorage/protocol';
import { changeDraft, draftOf, onDraftsChanged } from './drafts.js';

/** Milliseconds after a change of the text before everyone gets it. */
const SHARE_AFTER_MS = 500;

/** Keeps the text of a chat's message field and the draft that all its clients share in step. */
export interface DraftSharing {
  /** Takes over what others wrote, unless the user is writing here. */
  adopt(): void;
  /** The draft was sent as a message. */
  sent(): void;
  /** Ends it; what is not shared yet is. */
  stop(): void;
}

/** What is typed here always wins over what arrives, until the field has lost the focus. */
export function shareDraft(mirror: Mirror<'chat'>, isTyping: () => boolean): DraftSharing {
  /** What this page and the others last agreed on. */
  let agreed = sharedText(mirror.optimistic);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const own = () => draftOf(mirror.uri).text;
  const write = (text: string) => changeDraft(mirror.uri, (now) => ({ ...now, text }));
  const share = () => {
    clearTimeout(timer);
    timer = undefined;
    if (own() === agreed) return;
    agreed = own();
    tell(mirror, withText(mirror.optimistic, agreed));
  };
  const onOwnChange = () => {
    if (own() !== agreed) timer ??= setTimeout(share, SHARE_AFTER_MS);
  };
  const adopt = () => {
    const shared = sharedText(mirror.optimistic);
    if (shared === agreed || own() !== agreed || isTyping()) return;
    agreed = shared;
    write(shared);
  };
  if (own() === '') write(agreed);
  else onOwnChange();
  const stops = [mirror.subscribe(adopt), onDraftsChanged(onOwnChange)];
  return {
    adopt,
    sent() {
      clearTimeout(timer);
      timer = undefined;
      agreed = '';
      if (mirror.optimistic.draft) tell(mirror, withText(mirror.optimistic, ''));
    },
    stop() {
      for (const stop of stops) stop();
      share();
    },
  };
}

/** Chooses the model of the next message, for everyone. */
export function chooseModel(mirror: Mirror<'chat'>, model: ModelSelection): Promise<unknown> {
  const { draft } = mirror.optimistic;
  return mirror.dispatch({
    type: 'chat/draftChanged',
    draft: { text: '', origin: { kind: 'user' }, ...draft, model },
  });
}

function sharedText({ draft }: ChatState): string {
  return draft?.text ?? '';
}

/** A choice of model or agent stays while the turn that runs was not started with it. */
function withText({ draft, activeTurn }: ChatState, text: string): ChatDraftChangedAction {
  const { model, agent } = draft ?? {};
  const isChoice = model?.id !== activeTurn?.message.model?.id || agent?.uri !== activeTurn?.message.agent?.uri;
  const isEmpty = text === '' && !((model || agent) && isChoice);
  if (isEmpty) return { type: 'chat/draftChanged' };
  return { type: 'chat/draftChanged', draft: { origin: { kind: 'user' }, ...draft, text } };
}

/** The draft is not worth an error message: it is still in the field. */
function tell(mirror: Mirror<'chat'>, action: ChatDraftChangedAction): void {
  mirror.dispatch(action).catch(() => {});
}
