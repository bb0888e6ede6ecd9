import { useEffect, useRef, useState } from 'react';
import { sizeOf } from './format.js';
import { visible } from './visible.js';

/** Characters shown at first, so that megabytes of output do not freeze the page. */
const FIRST_CHARS = 4_000;
const STEP_CHARS = 200_000;

interface Props {
  readonly text: string;
  readonly language?: string | undefined;
  /** What is shown at first. The end of what a command printed says how it went. */
  readonly from?: 'start' | 'end';
}

/** The beginning or the end of a long text, with a button that shows more. */
export function LongText({ text, language, from = 'start' }: Props) {
  const [shown, setShown] = useState(FIRST_CHARS);
  const more = text.length > shown && (
    <button type="button" className="link show-rest" onClick={() => setShown(shown + STEP_CHARS)}>
      Show more ({sizeOf(text.length - shown)} left)
    </button>
  );
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (from === 'end') box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [from]);
  return (
    <>
      {from === 'end' && more}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre ref={box} className="output" tabIndex={0} data-language={language}>
        {visible(from === 'start' ? text.slice(0, shown) : text.slice(-shown))}
      </pre>
      {from === 'start' && more}
    </>
  );
}
