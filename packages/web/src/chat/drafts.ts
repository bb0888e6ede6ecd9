import type { MessageAttachment } from '@moorage/protocol';
import { useCallback, useSyncExternalStore } from 'react';
import { keepInTab } from '../ui/tab-storage.js';

export interface Draft {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
}

interface DraftAttachment {
  readonly attachment: MessageAttachment;
  /** The text that stands for the attachment. If the user deletes it, the attachment goes too. */
  readonly words?: string | undefined;
}

const KEY = 'moorage.draft.';
const FOUND_KEY = 'moorage.draft-found.';
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

type Change = Draft | ((now: Draft) => Draft);

/**
 * The draft of a chat. Its text, and the attachments named in the text, survive a reload. Attached files may be large, and
 * survive only switching between chats.
 */
export function useDraft(chat: string): readonly [Draft, (change: Change) => void] {
  const draft = useSyncExternalStore(onDraftsChanged, () => draftOf(chat));
  return [draft, useCallback((change: Change) => changeDraft(chat, change), [chat])];
}

/** Also works for a chat that is not shown. */
export function changeDraft(chat: string, change: Change): void {
  const next = withoutDeleted(typeof change === 'function' ? change(draftOf(chat)) : change);
  drafts.set(chat, next);
  keepInTab(KEY + chat, next.text);
  const found = foundIn(next);
  keepInTab(FOUND_KEY + chat, found.length > 0 ? JSON.stringify(found) : '');
  for (const listener of listeners) listener();
}

/** Puts a text that could not be sent back into the draft, before what was written since. */
export function restoreDraft(chat: string, { text, attachments }: Draft): void {
  changeDraft(chat, (now) => ({
    text: [text, now.text].filter(Boolean).join('\n\n'),
    attachments: [...attachments, ...now.attachments],
  }));
}

/** The attachments that the text names. They are small enough for the tab's storage. */
export function foundIn({ attachments }: Draft): readonly DraftAttachment[] {
  return attachments.filter(({ words }) => words !== undefined);
}

export function draftOf(chat: string): Draft {
  const known = drafts.get(chat);
  if (known) return known;
  const read = { text: sessionStorage.getItem(KEY + chat) ?? '', attachments: readStored(chat) };
  drafts.set(chat, read);
  return read;
}

/** Listens to the drafts of all chats. */
export function onDraftsChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function withoutDeleted(draft: Draft): Draft {
  const kept = draft.attachments.filter(({ words }) => words === undefined || draft.text.includes(words));
  return kept.length === draft.attachments.length ? draft : { ...draft, attachments: kept };
}

function readStored(chat: string): readonly DraftAttachment[] {
  try {
    return JSON.parse(sessionStorage.getItem(FOUND_KEY + chat) ?? '[]') as DraftAttachment[];
  } catch {
    return [];
  }
}
