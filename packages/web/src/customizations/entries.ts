import {
  type ChildCustomization,
  type Customization,
  type CustomizationEnablement,
  isEnabledBy,
  type McpServerCustomization,
  type McpServerState,
  type SessionState,
} from '@moorage/protocol';

export type Container = Exclude<Customization, McpServerCustomization>;

/** Switches an entry on or off in this session. */
export type Toggle = (entry: Customization, enabled: boolean) => void;

/** Whether a session uses an entry. */
export function isEnabled(entry: Customization): boolean {
  return entry.type === 'directory' ? entry.enabled : isEnabledBy(entry.enablement);
}

/** The decisions on an entry with another one for this session, which comes first because it is the most specific. */
export function toggled(entry: Customization, enabled: boolean): CustomizationEnablement[] {
  const others = entry.type === 'directory' ? [] : (entry.enablement ?? []);
  return [{ kind: 'session', enabled }, ...others.filter(({ kind }) => kind !== 'session')];
}

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
    (server) => isEnabled(server) && (server.state.kind === 'error' || server.state.kind === 'authRequired'),
  );
  const containers = containersOf(session).filter((entry) => isEnabled(entry) && isTroubled(entry.load?.kind));
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
