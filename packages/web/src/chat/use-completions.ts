import type { CompletionItem } from '@ahpd/protocol';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import type { Draft } from './drafts.js';

/** After the last key: a host need not hear of each letter. */
const PAUSE_MS = 120;

/** What the host offers for what is being typed, such as files after `@`. */
export function useCompletions(
  chat: string,
  draft: Draft,
  setDraft: (change: (now: Draft) => Draft) => void,
  box: RefObject<HTMLTextAreaElement | null>,
) {
  const client = useClient();
  const [items, setItems] = useState<readonly CompletionItem[]>([]);
  const [active, setActive] = useState(0);
  const triggers = client.hostInfo.completionTriggerCharacters ?? [];
  const { text } = draft;
  const triggered = triggers.length > 0 && triggers.some((trigger) => lastWord(text).startsWith(trigger));

  useEffect(() => {
    setItems([]);
    if (!triggered) return;
    let ended = false;
    const timer = setTimeout(async () => {
      const offset = box.current?.selectionStart ?? text.length;
      const params = { kind: 'userMessage', channel: chat, text, offset } as const;
      const found = await client.request('completions', params).catch(() => undefined);
      if (ended) return;
      setItems(found?.items ?? []);
      setActive(0);
    }, PAUSE_MS);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [client, chat, text, triggered, box]);

  const choose = (item: CompletionItem) => {
    setItems([]);
    setDraft((now) => {
      const start = item.rangeStart ?? now.text.length - lastWord(now.text).length;
      const end = item.rangeEnd ?? now.text.length;
      const completed = now.text.slice(0, start) + item.insertText + now.text.slice(end);
      return { text: completed, attachments: [...now.attachments, item.attachment] };
    });
    box.current?.focus();
  };

  /** True when the key was for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    const item = items[active];
    if (!item) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % items.length);
    else if (event.key === 'ArrowUp') setActive((active + items.length - 1) % items.length);
    else if (event.key === 'Escape') setItems([]);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(item);
    else return false;
    event.preventDefault();
    return true;
  };

  return { items, active, choose, onKey };
}

function lastWord(text: string): string {
  return /\S*$/.exec(text)?.[0] ?? '';
}
