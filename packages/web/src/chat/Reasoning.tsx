import { useState } from 'react';
import { Markdown } from '../markdown/Markdown.js';
import { Icon } from '../ui/Icon.js';

/** What an agent thought: one folded line. */
export function Reasoning({ text, live }: { readonly text: string; readonly live: boolean }) {
  const [open, setOpen] = useState(false);
  const firstLine = text.trim().split('\n', 1)[0] ?? '';
  return (
    <div className="reasoning">
      <button type="button" className="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" />
        <span>{live ? 'Thinking' : 'Thought'}</span>
        {!open && <span className="fold-preview">{firstLine}</span>}
      </button>
      {open && <Markdown text={text} />}
    </div>
  );
}
