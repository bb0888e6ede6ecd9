import { removeAt, replaceAt, upsert } from '../../common/list.js';
import type { ActionOf } from '../action-table.js';
import type { Customization } from './customization.js';
import type { McpServerCustomization } from './mcp-server.js';

type CustomizationAction = Extract<
  ActionOf<'session'>,
  {
    type:
      | 'session/customizationsChanged'
      | 'session/customizationToggled'
      | 'session/customizationUpdated'
      | 'session/customizationRemoved'
      | 'session/mcpServerStateChanged';
  }
>;
type Container = Exclude<Customization, McpServerCustomization>;
type McpStateChange = Extract<CustomizationAction, { type: 'session/mcpServerStateChanged' }>;

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
    case 'session/customizationToggled': {
      const index = list?.findIndex((entry) => entry.id === action.id) ?? -1;
      const entry = list?.[index];
      return list && entry ? replaceAt(list, index, { ...entry, enabled: action.enabled }) : list;
    }
    case 'session/customizationRemoved':
      return list && remove(list, action.id);
    case 'session/mcpServerStateChanged':
      return list && changeMcpState(list, action);
  }
}

function remove(list: Customization[], id: string): Customization[] {
  const index = list.findIndex((entry) => entry.id === id);
  if (index >= 0) return removeAt(list, index);
  return mapContainers(list, (container, children) => {
    const child = children.findIndex((entry) => entry.id === id);
    return child < 0 ? container : { ...container, children: removeAt(children, child) };
  });
}

function changeMcpState(list: Customization[], action: McpStateChange): Customization[] {
  const index = list.findIndex((entry) => entry.id === action.id);
  const entry = list[index];
  // A top-level entry of another type ends the search: children are not looked at then.
  if (entry) return entry.type === 'mcpServer' ? replaceAt(list, index, withState(entry, action)) : list;
  return mapContainers(list, (container, children) => {
    const position = children.findIndex((candidate) => candidate.id === action.id);
    const child = children[position];
    if (child?.type !== 'mcpServer') return container;
    return { ...container, children: replaceAt(children, position, withState(child, action)) };
  });
}

function withState(server: McpServerCustomization, action: McpStateChange): McpServerCustomization {
  return { ...server, state: action.state, channel: action.channel };
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
