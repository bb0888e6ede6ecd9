import { memo } from 'react';
import { useHighlighter } from './highlighter.js';

/** Code with syntax colours; plain until the highlighter is loaded, and for unknown languages. */
export const Highlighted = memo(function Highlighted({
  text,
  language,
}: {
  text: string;
  language?: string | undefined;
}) {
  const highlight = useHighlighter();
  const lines = language === undefined ? undefined : highlight?.(text, language);
  if (!lines) return text;
  return lines.map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
    <span key={row}>
      {line.map(({ text: piece, style }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
        <span key={index} className={style}>
          {piece}
        </span>
      ))}
      {row < lines.length - 1 && '\n'}
    </span>
  ));
});
