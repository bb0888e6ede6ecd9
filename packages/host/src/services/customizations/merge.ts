import type { ChildCustomization, Customization, SessionState } from '@moorage/protocol';
import type { Container } from './found.js';

/** A user's choice for an entry, if there is one. */
export type Choice = (id: string) => boolean | undefined;

/** The entry to publish: what was found, with users' choices and the state of running MCP servers. */
export function mergeEntry(found: Container, before: Customization | undefined, choice: Choice): Container {
  const known = before && 'children' in before ? before.children : undefined;
  const enabled = choice(found.id) ?? (found.clientId === undefined ? before?.enabled : undefined) ?? found.enabled;
  const { children } = found;
  return {
    ...found,
    enabled,
    ...(children && { children: children.map((child) => mergeChild(child, known, choice)) }),
  };
}

function mergeChild(
  child: ChildCustomization,
  known: readonly ChildCustomization[] | undefined,
  choice: Choice,
): ChildCustomization {
  if (child.type !== 'mcpServer') return child;
  const before = known?.find(({ id }) => id === child.id);
  if (before?.type !== 'mcpServer') return { ...child, enabled: choice(child.id) ?? child.enabled };
  const { state, channel, mcpApp } = before;
  return {
    ...child,
    enabled: choice(child.id) ?? before.enabled,
    state,
    ...(channel !== undefined && { channel }),
    ...(mcpApp && { mcpApp }),
  };
}

/** A session's plugins and directories; top-level MCP servers belong to McpService. */
export function containersOf({ customizations = [] }: SessionState): Container[] {
  return customizations.filter((entry): entry is Container => entry.type !== 'mcpServer');
}

/** Compares as JSON: undefined members count as absent, as they do when stored and sent. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
