import type { SessionConfigPropertySchema, SessionConfigValueItem } from '@moorage/protocol';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

/** Asks the host for values that match the typed text. */
export type Suggest = (query: string) => Promise<readonly SessionConfigValueItem[]>;

interface Props {
  readonly id: string;
  readonly property: SessionConfigPropertySchema;
  readonly value: string;
  readonly suggest: Suggest;
  readonly onChange: (value: string) => void;
}

const PAUSE_MS = 120;
/** Values shown at once. Typing more narrows them down. */
const MAX_OFFERED = 50;

/** Chooses one of too many values to list, such as the branches of a repository, by typing. */
export function ConfigCombobox({ id, property, value, suggest, onChange }: Props) {
  /** The typed text; undefined while the list is closed. */
  const [typed, setTyped] = useState<string>();
  const [items, setItems] = useState<readonly SessionConfigValueItem[]>(() => seeds(property));
  /** The value that the arrows are on. By value and not by place: an answer may come while somebody moves. */
  const [active, setActive] = useState<string>();
  const activeIndex = items.findIndex((item) => item.value === active);
  const open = typed !== undefined;
  const latest = useRef(suggest);
  latest.current = suggest;
  useEffect(() => {
    if (typed === undefined) return;
    let ended = false;
    const timer = setTimeout(async () => {
      // Without an answer, the list keeps the values from the schema.
      const found = await latest.current(typed).catch(() => undefined);
      if (ended || !found) return;
      setItems(found.slice(0, MAX_OFFERED));
    }, PAUSE_MS);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [typed]);

  const take = (text: string) => {
    setTyped(undefined);
    setActive(undefined);
    if (text !== value) onChange(text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!open) setTyped('');
      else if (items.length > 0)
        setActive(items[step(activeIndex, event.key === 'ArrowDown' ? 1 : -1, items.length)]?.value);
    } else if (event.key === 'Enter' && open) take(items[activeIndex]?.value ?? (typed || value));
    else if (event.key === 'Escape' && open) setTyped(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="combobox">
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={open && activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
        aria-describedby={property.description ? `${id}-note` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={open && value ? value : 'Default'}
        value={typed ?? labelOf(value, items)}
        onClick={() => !open && setTyped('')}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(undefined);
        }}
        onBlur={() => open && take(typed || value)}
        onKeyDown={onKey}
      />
      <div id={`${id}-list`} role="listbox" aria-label={property.title} className="combobox-list" hidden={!open}>
        {open &&
          items.map((item, index) => (
            <div
              key={item.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              className="combobox-row"
              // Not on click: by then the field would have lost the focus and accepted the typed text.
              onPointerDown={(event) => {
                event.preventDefault();
                take(item.value);
              }}
            >
              <bdi>{item.label}</bdi>
              {item.description && <span className="quiet">{item.description}</span>}
            </div>
          ))}
        {open && items.length === 0 && <p className="empty">No matches; your text is used as it is.</p>}
      </div>
    </div>
  );
}

function seeds({ enum: values, enumLabels, enumDescriptions }: SessionConfigPropertySchema): SessionConfigValueItem[] {
  return (values ?? []).map(String).map((value, index) => {
    const description = enumDescriptions?.[index];
    return { value, label: enumLabels?.[index] ?? value, ...(description !== undefined && { description }) };
  });
}

function labelOf(value: string, items: readonly SessionConfigValueItem[]): string {
  return items.find((item) => item.value === value)?.label ?? value;
}

/** Moves through the list and wraps around; starts at its first or last item. */
function step(active: number, by: 1 | -1, count: number): number {
  if (active < 0) return by > 0 ? 0 : count - 1;
  return (active + by + count) % count;
}
