import {
  type ChildCustomization,
  type Customization,
  type CustomizationEnablement,
  isEnabledBy,
  type SessionState,
} from '@moorage/protocol';
import type { Container } from './found.js';

/** A user's choice for an entry, if there is one. */
export type Choice = (id: string) => CustomizationEnablement[] | undefined;

/** The entry to publish: what was found, with users' choices and the state of running MCP servers. */
export function mergeEntry(found: Container, before: Customization | undefined, choice: Choice): Container {
  const known = before && 'children' in before ? before.children : undefined;
  const children = found.children && {
    children: found.children.map((child) => mergeChild(child, known, choice)),
  };
  const chosen = choice(found.id);
  if (found.type === 'directory') {
    const enabled = chosen ? isEnabledBy(chosen) : before?.type === 'directory' ? before.enabled : found.enabled;
    return { ...found, enabled, ...children };
  }
  const kept = found.clientId === undefined && before?.type === 'plugin' ? before.enablement : undefined;
  return withEnablement({ ...found, ...children }, chosen ?? kept ?? found.enablement);
}

function mergeChild(
  child: ChildCustomization,
  known: readonly ChildCustomization[] | undefined,
  choice: Choice,
): ChildCustomization {
  const chosen = choice(child.id);
  if (child.type !== 'mcpServer') return chosen ? { ...child, enabled: isEnabledBy(chosen) } : child;
  const before = known?.find(({ id }) => id === child.id);
  if (before?.type !== 'mcpServer') return withEnablement(child, chosen ?? child.enablement);
  const { state, channel, mcpApp } = before;
  return {
    ...withEnablement(child, chosen ?? before.enablement),
    state,
    ...(channel !== undefined && { channel }),
    ...(mcpApp && { mcpApp }),
  };
}

/** An empty list says nothing, and is left out. */
function withEnablement<E extends { enablement?: CustomizationEnablement[] | undefined }>(
  entry: E,
  enablement: CustomizationEnablement[] | undefined,
): E {
  const { enablement: _, ...others } = entry;
  return (enablement?.length ? { ...others, enablement } : others) as E;
}

/** Whether a plugin or a directory is used. */
export function isUsed(container: Container): boolean {
  return container.type === 'directory' ? container.enabled : isEnabledBy(container.enablement);
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
