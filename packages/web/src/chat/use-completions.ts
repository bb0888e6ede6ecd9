import type { CompletionItem } from '@ahpd/protocol';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import type { Draft } from './drafts.js';

/** After the last key: a host need not hear of each letter. */
const PAUSE_MS = 120;
/** Offered at once; who looks for more types more. */
const MAX_OFFERED = 50;

export interface Completions {
  readonly items: readonly CompletionItem[];
  readonly active: number;
  choose(item: CompletionItem): void;
  /** True when the key was for the list. */
  onKey(event: KeyboardEvent): boolean;
  /** The cursor went elsewhere without anything being typed. */
  onMoved(): void;
}

/** What the host offers for the word before the cursor, such as files after `@`. */
export function useCompletions(
  chat: string,
  { text }: Draft,
  setDraft: (change: (now: Draft) => Draft) => void,
  box: RefObject<HTMLTextAreaElement | null>,
): Completions {
  const client = useClient();
  /** The offer, and what it was made for: for anything else it is none. */
  const [offer, setOffer] = useState<{ text: string; offset: number; items: readonly CompletionItem[] }>();
  const [active, setActive] = useState(0);
  /** The text for which nothing more shall be offered. */
  const settled = useRef(text);
  const cursor = useRef<number>(undefined);
  const triggers = client.hostInfo.completionTriggerCharacters;

  useEffect(() => {
    const offset = box.current?.selectionStart ?? text.length;
    const word = wordBefore(text, offset);
    if (settled.current === text || !triggers?.some((trigger) => word.startsWith(trigger))) {
      setOffer(undefined);
      return;
    }
    settled.current = '';
    let ended = false;
    const timer = setTimeout(async () => {
      const params = { kind: 'userMessage', channel: chat, text, offset } as const;
      const found = await client.request('completions', params).catch(() => undefined);
      if (ended) return;
      setOffer({ text, offset, items: (found?.items ?? []).slice(0, MAX_OFFERED) });
      setActive(0);
    }, PAUSE_MS);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [client, chat, text, triggers, box]);

  // What is written for the user puts the cursor behind it, which the browser would leave at the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the text has become what was written
  useLayoutEffect(() => {
    if (cursor.current === undefined) return;
    box.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = undefined;
  }, [text]);

  const dismiss = () => {
    settled.current = text;
    setOffer(undefined);
  };
  const choose = (item: CompletionItem) => {
    const offset = offer?.offset ?? text.length;
    const start = item.rangeStart ?? offset - wordBefore(text, offset).length;
    const rest = text.slice(item.rangeEnd ?? offset);
    const inserted = /\s$/.test(item.insertText) || /^\s/.test(rest) ? item.insertText : `${item.insertText} `;
    settled.current = text.slice(0, start) + inserted + rest;
    cursor.current = start + inserted.length;
    setOffer(undefined);
    const words = item.insertText.trim();
    setDraft((now) => ({
      text: settled.current,
      attachments: [
        ...now.attachments.filter((other) => other.words !== words),
        { attachment: item.attachment, words },
      ],
    }));
    box.current?.focus();
  };

  const items = offer?.text === text ? offer.items : NONE;
  const onKey = (event: KeyboardEvent): boolean => {
    const item = items[active];
    if (!item || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % items.length);
    else if (event.key === 'ArrowUp') setActive((active + items.length - 1) % items.length);
    else if (event.key === 'Escape') dismiss();
    else if (event.key === 'Tab') choose(item);
    // Where all of it stands there already, Enter does what it does otherwise.
    else if (event.key === 'Enter' && item.insertText.trim() !== wordBefore(text, offer?.offset ?? 0)) choose(item);
    else return false;
    event.preventDefault();
    return true;
  };
  const onMoved = () => {
    if (offer && box.current?.selectionStart !== offer.offset) setOffer(undefined);
  };
  return { items, active, choose, onKey, onMoved };
}

const NONE: readonly CompletionItem[] = [];

function wordBefore(text: string, offset: number): string {
  return /\S*$/.exec(text.slice(0, offset))?.[0] ?? '';
}
