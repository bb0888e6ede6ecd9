import type { CompletionItem } from '@ahpd/protocol';

interface Props {
  readonly items: readonly CompletionItem[];
  readonly active: number;
  readonly choose: (item: CompletionItem) => void;
}

export function CompletionList({ items, active, choose }: Props) {
  if (items.length === 0) return null;
  return (
    <div className="completions" role="listbox" aria-label="Completions">
      {items.map((item, index) => (
        <div
          key={item.insertText}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="completion"
          onMouseDown={(event) => {
            event.preventDefault();
            choose(item);
          }}
        >
          <bdi>{item.attachment.label}</bdi>
        </div>
      ))}
    </div>
  );
}
