import { useEffect, useRef } from 'react';

export interface KeyAction {
  readonly label: string;
  readonly group: 'Everywhere' | 'Conversation' | 'Review';
  readonly run: () => void;
  /** Repeats while the key is held. For keys that move, not for keys that act: the user has not read what comes next. */
  readonly repeats?: boolean;
}

/** `j`, `?`, `mod+k`, `shift+g`. `mod` is the command key on a Mac and control elsewhere. */
export type KeyTable = Readonly<Record<string, KeyAction>>;

const tables: (() => KeyTable)[] = [];

/**
 * Registers keys while the component is mounted and, if `isSeen` is given, while that returns true. If two components
 * register the same key, the later one wins.
 */
export function useKeys(table: KeyTable, isSeen: () => boolean = () => true): void {
  const latest = useRef({ table, isSeen });
  latest.current = { table, isSeen };
  useEffect(() => {
    const entry = () => (latest.current.isSeen() ? latest.current.table : {});
    tables.push(entry);
    return () => {
      tables.splice(tables.indexOf(entry), 1);
    };
  }, []);
}

/** Every key that does something now, for the palette and the help. */
export function activeKeys(): Map<string, KeyAction> {
  const all = tables.flatMap((table) => Object.entries(table()));
  // A review moves with keys that answer questions elsewhere, so its keys win: a slip must not answer a question.
  const rank = ([, action]: (typeof all)[number]) => (action.group === 'Review' ? 1 : 0);
  return new Map(all.sort((a, b) => rank(a) - rank(b)));
}

export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const name = nameOfKey(event);
    if (event.defaultPrevented || event.isComposing || (isTyping(event.target) && !name.startsWith('mod+'))) return;
    if (document.querySelector('dialog[open]')) return;
    const action = activeKeys().get(name);
    if (!action) return;
    event.preventDefault();
    if (event.repeat && !action.repeats) return;
    action.run();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function nameOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const mod = ctrlKey || metaKey ? 'mod+' : '';
  const shift = shiftKey && /^[A-Z]$/.test(key) ? 'shift+' : '';
  return `${mod}${altKey ? 'alt+' : ''}${shift}${key.length === 1 ? key.toLowerCase() : key}`;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
