import type { MessageAttachment } from '@ahpd/protocol';
import { useCallback, useState } from 'react';

export interface Draft {
  readonly text: string;
  readonly attachments: readonly MessageAttachment[];
}

const KEY = 'ahpd.draft.';
const attachments = new Map<string, readonly MessageAttachment[]>();

type Change = Draft | ((now: Draft) => Draft);

/** What is being written in a chat. The text survives a reload of the page, attachments a change of the chat. */
export function useDraft(chat: string): readonly [Draft, (change: Change) => void] {
  const [draft, setState] = useState<Draft>(() => ({
    text: sessionStorage.getItem(KEY + chat) ?? '',
    attachments: attachments.get(chat) ?? [],
  }));
  const setDraft = useCallback(
    (change: Change) =>
      setState((now) => {
        const next = typeof change === 'function' ? change(now) : change;
        if (next.text) sessionStorage.setItem(KEY + chat, next.text);
        else sessionStorage.removeItem(KEY + chat);
        attachments.set(chat, next.attachments);
        return next;
      }),
    [chat],
  );
  return [draft, setDraft];
}
