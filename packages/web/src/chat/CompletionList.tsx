import { type CompletionItem, ExtensionMeta } from '@moorage/protocol';
import { useEffect, useRef } from 'react';
import { plural } from '../ui/format.js';
import { Icon, type IconName } from '../ui/Icon.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly id: string;
  readonly items: readonly CompletionItem[];
  readonly active: number;
  readonly choose: (item: CompletionItem) => void;
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** Suggestions for the word at the cursor. The focus stays in the text field, which names the active option by its id. */
export function CompletionList({ id, items, active, choose }: Props) {
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another option becomes active
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [active, items]);
  return (
    <>
      <span className="visually-hidden" role="status">
        {items.length > 0 && `${plural(items.length, 'suggestion')}; choose with the arrow keys, accept with Enter`}
      </span>
      {items.length > 0 && (
        <div id={id} className="completions" role="listbox" aria-label="Completions">
          {items.map((item, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same text
              key={index}
              ref={index === active ? chosen : undefined}
              id={optionId(id, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="completion"
              // Not on click: by then the text field would have lost the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(item);
              }}
            >
              <Icon name={iconOf(item)} />
              <bdi className="completion-name">{visible(item.attachment.label)}</bdi>
              <bdi className="completion-about">{aboutOf(item)}</bdi>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function iconOf({ attachment: { displayKind } }: CompletionItem): IconName {
  return (displayKind !== undefined && ICONS.get(displayKind)) || 'file';
}

const ICONS: ReadonlyMap<string, IconName> = new Map([
  ['command', 'terminal'],
  ['skill', 'bot'],
  ['prompt', 'chat'],
  ['symbol', 'list'],
  ['comment', 'comment'],
]);

/** The folder of a file, or what a command does. */
function aboutOf({ attachment: { label, _meta = {} } }: CompletionItem): string {
  const { [ExtensionMeta.path]: path, [ExtensionMeta.description]: description, [ExtensionMeta.hint]: hint } = _meta;
  const folder = typeof path === 'string' && path.endsWith(`/${label}`) ? path.slice(0, -label.length - 1) : path;
  const texts = [description, hint, folder === label ? undefined : folder];
  return visible(texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '');
}
