import { removeAt, upsert } from '../../common/list.js';
import type {
  SessionCustomizationRemovedAction,
  SessionCustomizationsChangedAction,
  SessionCustomizationToggledAction,
  SessionCustomizationUpdatedAction,
  SessionMcpServerBackgroundRequestedAction,
  SessionMcpServerStartRequestedAction,
  SessionMcpServerStateChangedAction,
  SessionMcpServerStopRequestedAction,
} from './actions/customizations.js';
import type { Customization } from './customization.js';
import type { ChildCustomization } from './customization-child.js';
import { type CustomizationEnablement, isEnabledBy } from './customization-enablement.js';
import type { McpServerCustomization } from './mcp-server.js';

type CustomizationAction =
  | SessionCustomizationsChangedAction
  | SessionCustomizationToggledAction
  | SessionCustomizationUpdatedAction
  | SessionCustomizationRemovedAction
  | SessionMcpServerStateChangedAction
  | SessionMcpServerStartRequestedAction
  | SessionMcpServerStopRequestedAction
  | SessionMcpServerBackgroundRequestedAction;
type Container = Exclude<Customization, McpServerCustomization>;
type ChangeServer = (server: McpServerCustomization) => McpServerCustomization;

/** The list after an action on it; the same list when nothing changes. */
export function reduceCustomizations(
  list: Customization[] | undefined,
  action: CustomizationAction,
): Customization[] | undefined {
  switch (action.type) {
    case 'session/customizationsChanged':
      return action.customizations;
    case 'session/customizationUpdated':
      return upsert(list ?? [], action.customization, (entry) => entry.id === action.customization.id);
    case 'session/customizationToggled':
      return list && toggle(list, action);
    case 'session/customizationRemoved':
      return list && remove(list, action.id);
    case 'session/mcpServerStateChanged':
      return list && changeServer(list, action.id, (server) => withState(server, action.state, action.channel));
    // What a client asks for shows at once; the host says later what came of it.
    case 'session/mcpServerStartRequested':
      return list && changeServer(list, action.id, (server) => withState(server, { kind: 'starting' }, undefined));
    case 'session/mcpServerStopRequested':
      return list && changeServer(list, action.id, (server) => withState(server, { kind: 'stopped' }, undefined));
    case 'session/mcpServerBackgroundRequested':
      return list && changeServer(list, action.id, unblock);
  }
}

function toggle(list: Customization[], { id, enablement }: SessionCustomizationToggledAction): Customization[] {
  const index = list.findIndex((entry) => entry.id === id);
  const entry = list[index];
  if (entry) return list.with(index, withEnablement(entry, enablement));
  let isFound = false; // of several children with one id, only the first
  return mapContainers(list, (container, children) => {
    const position = children.findIndex((candidate) => candidate.id === id);
    const child = children[position];
    if (!child || isFound) return container;
    isFound = true;
    return { ...container, children: children.with(position, withEnablement(child, enablement)) };
  });
}

/** Plugins and MCP servers keep the decisions themselves, the others only what they come to. */
function withEnablement<C extends Customization | ChildCustomization>(
  entry: C,
  enablement: CustomizationEnablement[],
): C {
  if (entry.type !== 'plugin' && entry.type !== 'mcpServer') return { ...entry, enabled: isEnabledBy(enablement) };
  return { ...entry, enablement: enablement.length > 0 ? enablement : undefined };
}

function remove(list: Customization[], id: string): Customization[] {
  const index = list.findIndex((entry) => entry.id === id);
  if (index >= 0) return removeAt(list, index);
  return mapContainers(list, (container, children) => {
    const child = children.findIndex((entry) => entry.id === id);
    return child < 0 ? container : { ...container, children: removeAt(children, child) };
  });
}

function changeServer(list: Customization[], id: string, change: ChangeServer): Customization[] {
  const index = list.findIndex((entry) => entry.id === id);
  const entry = list[index];
  // A top-level entry of another type ends the search: children are not looked at then.
  if (entry) return entry.type === 'mcpServer' ? replaceIfChanged(list, index, change(entry)) : list;
  return mapContainers(list, (container, children) => {
    const position = children.findIndex((candidate) => candidate.id === id);
    const child = children[position];
    if (child?.type !== 'mcpServer') return container;
    const changed = replaceIfChanged(children, position, change(child));
    return changed === children ? container : { ...container, children: changed };
  });
}

function replaceIfChanged<T>(list: T[], index: number, item: T): T[] {
  return list[index] === item ? list : list.with(index, item);
}

function withState(
  server: McpServerCustomization,
  state: McpServerCustomization['state'],
  channel: string | undefined,
): McpServerCustomization {
  return { ...server, state, channel };
}

/** Messages need not wait any more for a server that is starting. */
function unblock(server: McpServerCustomization): McpServerCustomization {
  const { state } = server;
  return state.kind === 'starting' && state.blocking ? { ...server, state: { ...state, blocking: false } } : server;
}

function mapContainers(
  list: Customization[],
  change: (container: Container, children: NonNullable<Container['children']>) => Container,
): Customization[] {
  let changed = false;
  const mapped = list.map((entry) => {
    if (entry.type === 'mcpServer' || !entry.children) return entry;
    const next = change(entry, entry.children);
    changed ||= next !== entry;
    return next;
  });
  return changed ? mapped : list;
}
