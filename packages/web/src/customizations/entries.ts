import type {
  ChildCustomization,
  Customization,
  McpServerCustomization,
  McpServerState,
  SessionState,
} from '@moorage/protocol';

export type Container = Exclude<Customization, McpServerCustomization>;

/** The MCP servers of a session, including those in plugins. */
export function serversOf({ customizations = [] }: SessionState): McpServerCustomization[] {
  return customizations.flatMap((entry) =>
    entry.type === 'mcpServer'
      ? [entry]
      : (entry.children ?? []).filter((child): child is McpServerCustomization => child.type === 'mcpServer'),
  );
}

/** Plugins, and folders that contain something or have a problem. An empty folder is only offered to save into. */
export function containersOf({ customizations = [] }: SessionState): Container[] {
  return customizations.filter(
    (entry): entry is Container =>
      entry.type !== 'mcpServer' &&
      (entry.type === 'plugin' || (entry.children?.length ?? 0) > 0 || isTroubled(entry.load?.kind)),
  );
}

/** The number of enabled entries that do not work. */
export function troublesOf(session: SessionState): number {
  const servers = serversOf(session).filter(
    ({ enabled, state }) => enabled && (state.kind === 'error' || state.kind === 'authRequired'),
  );
  const containers = containersOf(session).filter(({ enabled, load }) => enabled && isTroubled(load?.kind));
  return servers.length + containers.length;
}

function isTroubled(kind: string | undefined): boolean {
  return kind === 'error' || kind === 'degraded';
}

export const SERVER_LABELS: Readonly<Record<McpServerState['kind'], string>> = {
  starting: 'Starting',
  ready: 'Ready',
  authRequired: 'Needs a token',
  error: 'Error',
  stopped: 'Stopped',
};

export const KIND_LABELS: Readonly<Record<ChildCustomization['type'], string>> = {
  agent: 'agent',
  skill: 'skill',
  prompt: 'prompt',
  rule: 'rule',
  hook: 'hook',
  mcpServer: 'MCP server',
};
