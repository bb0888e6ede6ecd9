import { useEffect, useRef } from 'react';
import { IconButton } from '../ui/IconButton.js';

interface Props {
  readonly query: string;
  readonly found: number;
  /** Counts from 0; -1 if there is none. */
  readonly active: number;
  /** Whether contents that may have more are on the way, or were left out. */
  readonly note: string | undefined;
  readonly onQuery: (query: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

/** Searches the lines of the review. The browser's own search finds only what is drawn. */
export function SearchBar({ query, found, active, note, onQuery, onStep, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <search className="review-search">
      <input
        ref={field}
        type="text"
        aria-label="Search the changes"
        placeholder="Search the changes"
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for it
        autoFocus
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span className="quiet" role="status">
        {query === '' ? '' : found === 0 ? 'Nothing found' : `${active + 1} of ${found.toLocaleString('en')}`}
        {query !== '' && note && ` (${note})`}
      </span>
      <IconButton icon="up" label="Previous" title="Previous (Shift Enter)" onClick={() => onStep(-1)} />
      <IconButton icon="up" label="Next" title="Next (Enter)" className="icon-down" onClick={() => onStep(1)} />
      <IconButton icon="close" label="Close the search" title="Close the search (Escape)" onClick={onClose} />
    </search>
  );
}
