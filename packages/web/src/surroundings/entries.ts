import type {
  ChildCustomization,
  Customization,
  McpServerCustomization,
  McpServerState,
  SessionState,
} from '@ahpd/protocol';

export type Container = Exclude<Customization, McpServerCustomization>;

/** The servers of a session, alone or in a plugin. */
export function serversOf({ customizations = [] }: SessionState): McpServerCustomization[] {
  return customizations.flatMap((entry) =>
    entry.type === 'mcpServer'
      ? [entry]
      : (entry.children ?? []).filter((child): child is McpServerCustomization => child.type === 'mcpServer'),
  );
}

/** Those that hold something, or say that something is wrong; a folder that is only offered to save into is nothing yet. */
export function containersOf({ customizations = [] }: SessionState): Container[] {
  return customizations.filter(
    (entry): entry is Container =>
      entry.type !== 'mcpServer' &&
      (entry.type === 'plugin' || (entry.children?.length ?? 0) > 0 || isTroubled(entry.load?.kind)),
  );
}

/** Entries that do not work and are not switched off. */
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

export const SERVER_WORDS: Readonly<Record<McpServerState['kind'], string>> = {
  starting: 'Starting',
  ready: 'Ready',
  authRequired: 'Needs a token',
  error: 'Error',
  stopped: 'Stopped',
};

export const KIND_WORDS: Readonly<Record<ChildCustomization['type'], string>> = {
  agent: 'agent',
  skill: 'skill',
  prompt: 'prompt',
  rule: 'rule',
  hook: 'hook',
  mcpServer: 'MCP server',
};
