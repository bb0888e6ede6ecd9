import { useState } from 'react';
import { showFailure } from './toasts.js';
import { visible } from './visible.js';

/** A page loaded without encryption from another machine has no access to the clipboard. */
const CAN_COPY = navigator.clipboard !== undefined;

/** A command to run in a terminal, and a button that copies it. */
export function CopyLine({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState<string>();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <div className="copy-line">
      <code>{visible(text)}</code>
      {CAN_COPY && (
        <button type="button" className="link" aria-label={`Copy ${text}`} onClick={() => showFailure(copy())}>
          {copied === text ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  );
}
