import { useState } from 'react';
import { sizeOf } from '../ui/format.js';
import { visible } from '../ui/visible.js';

/** Characters shown at first, so that megabytes of output do not freeze the page. */
const FIRST_CHARS = 4_000;
const STEP_CHARS = 200_000;

/** The beginning of a long text, with a button that shows more. */
export function LongText({ text, language }: { readonly text: string; readonly language?: string | undefined }) {
  const [shown, setShown] = useState(FIRST_CHARS);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre className="output" tabIndex={0} data-language={language}>
        {visible(text.slice(0, shown))}
      </pre>
      {text.length > shown && (
        <button type="button" className="link show-rest" onClick={() => setShown(shown + STEP_CHARS)}>
          Show more ({sizeOf(text.length - shown)} left)
        </button>
      )}
    </>
  );
}
