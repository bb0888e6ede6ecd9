import { asList, asObject, mapMember, mapObjects, type WireObject, without } from '../shared/wire.js';

/** 0.2 knows MCP servers only as things inside a plugin or directory, without a state. */
export function customization(later: WireObject): WireObject {
  if (later.type === 'mcpServer') return wrapped(later);
  return mapMember(later, 'children', (children) => mapObjects(children, child));
}

export function customizations(later: unknown): WireObject[] {
  return asList(later).map(customization);
}

export function activeClient(later: unknown): unknown {
  return mapMember(asObject(later), 'customizations', customizations);
}

function child(later: WireObject): WireObject {
  if (later.type === 'mcpServer') return without(later, 'enabled', 'state', 'channel', 'mcpApp');
  return later.type === 'agent' ? without(later, '_meta') : later;
}

/** A server at the top becomes a directory with the same id that holds it, so that switching it off and on still works. */
function wrapped(server: WireObject): WireObject {
  const { id, uri, name, icons, enabled, state } = server;
  const load = loadState(asObject(state));
  return {
    type: 'directory',
    id,
    uri,
    name,
    ...(icons !== undefined && { icons }),
    enabled,
    contents: 'mcpServer',
    writable: false,
    ...(load && { load }),
    children: [{ ...child(server), id: `${String(id)}#server` }],
  };
}

function loadState(state: WireObject): WireObject | undefined {
  switch (state.kind) {
    case 'starting':
      return { kind: 'loading' };
    case 'ready':
      return { kind: 'loaded' };
    case 'authRequired':
      return { kind: 'degraded', message: String(state.description ?? 'The server asks for authentication.') };
    case 'error':
      return { kind: 'error', message: String(asObject(state.error).message ?? 'The server failed.') };
    default:
      return undefined;
  }
}
