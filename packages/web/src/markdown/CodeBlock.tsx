import { memo, useState } from 'react';
import { Highlighted } from './Highlighted.js';

/** Lines of code that are shown at first; the rest is a click away. */
const FIRST_LINES = 400;

export const CodeBlock = memo(function CodeBlock({ text, language }: { text: string; language?: string | undefined }) {
  const [copied, setCopied] = useState(false);
  const [all, setAll] = useState(false);
  const lines = text.split('\n');
  const cut = !all && lines.length > FIRST_LINES;
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language ?? ''}</span>
        <button
          type="button"
          className="link"
          onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        <code>
          <Highlighted text={cut ? lines.slice(0, FIRST_LINES).join('\n') : text} language={language} />
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
