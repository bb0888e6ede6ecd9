import type { MessageAttachment } from '@ahpd/protocol';
import { useCallback, useSyncExternalStore } from 'react';
import { keepInTab } from '../ui/tab-storage.js';

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
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

type Change = Draft | ((now: Draft) => Draft);

/**
 * What is being written in a chat. The text, and what it names, survive a reload of the page; files that were put in, which
 * may be large, survive a change of the chat.
 */
export function useDraft(chat: string): readonly [Draft, (change: Change) => void] {
  const draft = useSyncExternalStore(subscribe, () => draftOf(chat));
  return [draft, useCallback((change: Change) => changeDraft(chat, change), [chat])];
}

/** Also of a chat that is not shown. */
function changeDraft(chat: string, change: Change): void {
  const next = stillMeant(typeof change === 'function' ? change(draftOf(chat)) : change);
  drafts.set(chat, next);
  keepInTab(KEY + chat, next.text);
  const found = foundIn(next);
  keepInTab(FOUND_KEY + chat, found.length > 0 ? JSON.stringify(found) : '');
  for (const listener of listeners) listener();
}

/** Puts a text back that could not be sent, before what was written since. */
export function putBack(chat: string, { text, attachments }: Draft): void {
  changeDraft(chat, (now) => ({
    text: [text, now.text].filter(Boolean).join('\n\n'),
    attachments: [...attachments, ...now.attachments],
  }));
}

/** The attachments that are named in the text: small enough to be kept in the tab. */
export function foundIn({ attachments }: Draft): readonly DraftAttachment[] {
  return attachments.filter(({ words }) => words !== undefined);
}

function draftOf(chat: string): Draft {
  const known = drafts.get(chat);
  if (known) return known;
  const read = { text: sessionStorage.getItem(KEY + chat) ?? '', attachments: readFound(chat) };
  drafts.set(chat, read);
  return read;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stillMeant(draft: Draft): Draft {
  const kept = draft.attachments.filter(({ words }) => words === undefined || draft.text.includes(words));
  return kept.length === draft.attachments.length ? draft : { ...draft, attachments: kept };
}

function readFound(chat: string): readonly DraftAttachment[] {
  try {
    return JSON.parse(sessionStorage.getItem(FOUND_KEY + chat) ?? '[]') as DraftAttachment[];
  } catch {
    return [];
  }
}
