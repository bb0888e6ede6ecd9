import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { sentenceOf } from '../ui/sentence.js';
import { showToast } from '../ui/toasts.js';
import type { Draft } from './drafts.js';
import { attachmentsFrom } from './files.js';

interface Attaching {
  /** Whether something is dragged over the form. */
  readonly over: boolean;
  /** Handlers of the form that takes dropped files. */
  readonly onDrag: {
    onDragOver(event: DragEvent): void;
    onDragLeave(): void;
    onDrop(event: DragEvent): void;
  };
  onPaste(event: ClipboardEvent): void;
  attach(files: Iterable<File>): Promise<void>;
}

/** Adds files to a draft that are dropped, pasted or chosen. */
export function useAttaching(draft: Draft, setDraft: (change: (now: Draft) => Draft) => void): Attaching {
  const [over, setOver] = useState(false);
  const attach = async (files: Iterable<File>) => {
    try {
      const others = draft.attachments.map(({ attachment }) => attachment);
      const added = (await attachmentsFrom(files, others)).map((attachment) => ({ attachment }));
      setDraft((now) => ({ ...now, attachments: [...now.attachments, ...added] }));
    } catch (error) {
      showToast({ tone: 'error', text: sentenceOf(error) });
    }
  };
  return {
    over,
    onDrag: {
      onDragOver(event) {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop(event) {
        event.preventDefault();
        setOver(false);
        void attach(event.dataTransfer.files);
      },
    },
    onPaste(event) {
      if (event.clipboardData.files.length > 0) void attach(event.clipboardData.files);
    },
    attach,
  };
}
