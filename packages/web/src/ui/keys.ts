import { useEffect, useRef } from 'react';
import { rememberFocus } from './focus.js';

export interface KeyAction {
  readonly label: string;
  readonly group: 'Everywhere' | 'Conversation' | 'Review';
  /** `at` is when the key was pressed, as the event's `timeStamp`; undefined if the palette runs it. */
  readonly run: (at?: number) => void;
  /** Repeats while the key is held. For keys that move, not for keys that act: the user has not read what comes next. */
  readonly repeats?: boolean;
}

/** `mod+k`, `alt+n`, `j`. `mod` is the command key on a Mac and control elsewhere. */
export type KeyTable = Readonly<Record<string, KeyAction>>;

interface Conditions {
  /** Whether what the keys are about can be seen. The palette and the help list only such keys. */
  readonly isSeen?: () => boolean;
  /** Whether it has the focus. Keys without a modifier need this: whoever types elsewhere must not act by accident. */
  readonly hasFocus?: () => boolean;
}

interface Registered {
  readonly table: KeyTable;
  readonly conditions: Conditions;
}

const tables: { readonly current: Registered }[] = [];

/** Registers keys while the component is mounted. If two components register the same key, the later one wins. */
export function useKeys(table: KeyTable, conditions: Conditions = {}): void {
  const latest = useRef({ table, conditions });
  latest.current = { table, conditions };
  useEffect(() => {
    tables.push(latest);
    return () => {
      tables.splice(tables.indexOf(latest), 1);
    };
  }, []);
}

/** Every key that does something now, or would if the focus were there, for the palette and the help. */
export function seenKeys(): (readonly [string, KeyAction])[] {
  return tables.flatMap(({ current: { table, conditions } }) =>
    conditions.isSeen?.() === false ? [] : Object.entries(table),
  );
}

export function listenForKeys(): () => void {
  const stopFocus = rememberFocus();
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || (isTyping(event.target) && types(event))) return;
    if (document.querySelector('dialog[open]')) return;
    const action = actionFor(nameOfKey(event));
    if (!action) return;
    event.preventDefault();
    if (event.repeat && !action.repeats) return;
    action.run(event.timeStamp);
  };
  addEventListener('keydown', onKey);
  return () => {
    stopFocus();
    removeEventListener('keydown', onKey);
  };
}

function actionFor(key: string): KeyAction | undefined {
  return tables.findLast(
    ({ current: { table, conditions } }) =>
      table[key] && conditions.isSeen?.() !== false && conditions.hasFocus?.() !== false,
  )?.current.table[key];
}

function nameOfKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const mod = ctrlKey || metaKey ? 'mod+' : '';
  const shift = shiftKey && /^[A-Z]$/.test(key) ? 'shift+' : '';
  // On a Mac, Option makes another character of the key.
  const name = altKey && !/^[a-z]$/i.test(key) ? (/^Key([A-Z])$/.exec(code)?.[1] ?? key) : key;
  return `${mod}${altKey ? 'alt+' : ''}${shift}${name.length === 1 ? name.toLowerCase() : name}`;
}

/** Whether a key types something in a text field, as Option and AltGr do with many letters. */
function types(event: KeyboardEvent): boolean {
  if (event.getModifierState('AltGraph')) return true;
  return !event.ctrlKey && !event.metaKey && !(event.altKey && /^[a-z]$/i.test(event.key));
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
