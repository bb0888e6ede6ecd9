import type { CompletionItem } from '@moorage/protocol';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import type { Draft } from './drafts.js';

/** Pause after the last key, so that the host is not asked for every letter. */
const PAUSE_MS = 120;
/** Suggestions shown at once. Typing more narrows them down. */
const MAX_OFFERED = 50;

export interface Completions {
  readonly items: readonly CompletionItem[];
  readonly active: number;
  choose(item: CompletionItem): void;
  /** Returns whether the list has handled the key. */
  onKey(event: KeyboardEvent): boolean;
  /** To be called when the cursor moves. */
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
  /** The suggestions, and the text that they are valid for. */
  const [offer, setOffer] = useState<{ text: string; offset: number; items: readonly CompletionItem[] }>();
  const [active, setActive] = useState(0);
  /** The text for which no suggestions are wanted: one was just accepted or dismissed. */
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

  // Puts the cursor after an accepted suggestion; the browser would put it at the end of the text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the text has changed
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
    // If the text already contains the whole suggestion, Enter sends as usual.
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
