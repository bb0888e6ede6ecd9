import { type Customization, isEnabledBy, type McpServerCustomization, type SessionState } from '@moorage/protocol';
import { isUsed } from '../customizations/merge.js';

/** A server entry in a session: top-level, or in a plugin or directory. */
export interface Entry {
  readonly server: McpServerCustomization;
  readonly container: Exclude<Customization, McpServerCustomization> | undefined;
}

export function entriesOf({ customizations = [] }: SessionState): Entry[] {
  return customizations.flatMap((entry): Entry[] => {
    if (entry.type === 'mcpServer') return [{ server: entry, container: undefined }];
    return (entry.children ?? []).flatMap((child) =>
      child.type === 'mcpServer' ? [{ server: child, container: entry }] : [],
    );
  });
}

/** Finds an entry by id. A top-level entry hides a child with the same id, as in the reducer. */
export function findEntry(state: SessionState, id: string): Entry | undefined {
  const all = entriesOf(state).filter(({ server }) => server.id === id);
  return all.find(({ container }) => !container) ?? all[0];
}

/** The entry to upsert to apply `change` to a server (B-229). */
export function changedEntry({ server, container }: Entry, change: Partial<McpServerCustomization>): Customization {
  const changed = { ...server, ...change };
  if (!container) return changed;
  return { ...container, children: (container.children ?? []).map((child) => (child === server ? changed : child)) };
}

/** Whether both the server and its container are enabled. */
export function isEnabled({ server, container }: Entry): boolean {
  return isEnabledBy(server.enablement) && (!container || isUsed(container));
}
