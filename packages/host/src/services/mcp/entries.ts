import type { Customization, McpServerCustomization, SessionState } from '@ahpd/protocol';

/** A server where it stands in a session: alone, or in a plugin or directory. */
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

/** A top-level entry hides a child with the same id, as for the reducer. */
export function findEntry(state: SessionState, id: string): Entry | undefined {
  const all = entriesOf(state).filter(({ server }) => server.id === id);
  return all.find(({ container }) => !container) ?? all[0];
}

/** What to upsert so that a server is what `change` makes of it (B-229). */
export function changedEntry({ server, container }: Entry, change: Partial<McpServerCustomization>): Customization {
  const changed = { ...server, ...change };
  if (!container) return changed;
  return { ...container, children: (container.children ?? []).map((child) => (child === server ? changed : child)) };
}

/** A user wants it, and wants what it is a part of. */
export function isEnabled({ server, container }: Entry): boolean {
  return server.enabled && container?.enabled !== false;
}
