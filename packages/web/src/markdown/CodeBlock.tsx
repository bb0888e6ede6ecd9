import { memo, useState } from 'react';
import { showFailure } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { Highlighted } from './Highlighted.js';

/** Lines shown at first. */
const FIRST_LINES = 400;

/** A page loaded without encryption from another machine has no access to the clipboard. */
const CAN_COPY = navigator.clipboard !== undefined;

export const CodeBlock = memo(function CodeBlock({ text, language }: { text: string; language?: string | undefined }) {
  const [copied, setCopied] = useState(false);
  const [all, setAll] = useState(false);
  const lines = text.split('\n');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const cut = !all && lines.length > FIRST_LINES;
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language ?? ''}</span>
        {CAN_COPY && (
          <button type="button" className="link" onClick={() => showFailure(copy())}>
            {copied ? 'Copied' : 'Copy'}
          </button>
        )}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        <code>
          <Highlighted text={visible(cut ? lines.slice(0, FIRST_LINES).join('\n') : text)} language={language} />
        </code>
      </pre>
      {cut && (
        <button type="button" className="link show-rest" onClick={() => setAll(true)}>
          Show {lines.length - FIRST_LINES} more lines
        </button>
      )}
    </figure>
  );
});
