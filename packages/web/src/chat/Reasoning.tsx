import { useState } from 'react';
import { Markdown } from '../markdown/Markdown.js';
import { Elapsed } from '../ui/Elapsed.js';
import { durationText } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import { useChat } from './context.js';
import { seenDuration, seenSince } from './seen-times.js';

interface Props {
  readonly id: string;
  readonly text: string;
  readonly live: boolean;
}

/** An agent's reasoning, folded into one line at first. */
export function Reasoning({ id, text, live }: Props) {
  const { mirror } = useChat();
  const [open, setOpen] = useState(false);
  const firstLine = text.trim().split('\n', 1)[0] ?? '';
  const since = live ? seenSince(mirror.uri, id) : undefined;
  const took = live ? undefined : seenDuration(mirror.uri, id);
  return (
    <div className="reasoning">
      <button type="button" className="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron" />
        <span>{live ? 'Thinking' : 'Thought'}</span>
        {!open && <span className="fold-preview">{firstLine}</span>}
        <span className="fold-time">
          {since !== undefined && <Elapsed since={since} />}
          {took !== undefined && durationText(took)}
        </span>
      </button>
      {open && <Markdown text={text} />}
    </div>
  );
}
