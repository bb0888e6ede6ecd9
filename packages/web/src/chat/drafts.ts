import type { MessageAttachment } from '@ahpd/protocol';
import { useCallback, useState } from 'react';

export interface Draft {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
}

interface DraftAttachment {
  readonly attachment: MessageAttachment;
  /** What stands for it in the text; when that is deleted, it is not meant any more. */
  readonly words?: string | undefined;
}

const KEY = 'ahpd.draft.';
const FOUND_KEY = 'ahpd.draft-found.';
const attachments = new Map<string, readonly DraftAttachment[]>();

type Change = Draft | ((now: Draft) => Draft);

/**
 * What is being written in a chat. The text, and what it names, survive a reload of the page; files that were put in, which
 * may be large, survive a change of the chat.
 */
export function useDraft(chat: string): readonly [Draft, (change: Change) => void] {
  const [draft, setState] = useState<Draft>(() => ({
    text: sessionStorage.getItem(KEY + chat) ?? '',
    attachments: attachments.get(chat) ?? readFound(chat),
  }));
  const setDraft = useCallback(
    (change: Change) =>
      setState((now) => {
        const next = stillMeant(typeof change === 'function' ? change(now) : change);
        keep(KEY + chat, next.text);
        const found = next.attachments.filter(({ words }) => words !== undefined);
        keep(FOUND_KEY + chat, found.length > 0 ? JSON.stringify(found) : '');
        attachments.set(chat, next.attachments);
        return next;
      }),
    [chat],
  );
  return [draft, setDraft];
}

function stillMeant(draft: Draft): Draft {
  const kept = draft.attachments.filter(({ words }) => words === undefined || draft.text.includes(words));
  return kept.length === draft.attachments.length ? draft : { ...draft, attachments: kept };
}

function keep(key: string, value: string): void {
  if (value) sessionStorage.setItem(key, value);
  else sessionStorage.removeItem(key);
}

function readFound(chat: string): readonly DraftAttachment[] {
  try {
    return JSON.parse(sessionStorage.getItem(FOUND_KEY + chat) ?? '[]') as DraftAttachment[];
  } catch {
    return [];
  }
}
