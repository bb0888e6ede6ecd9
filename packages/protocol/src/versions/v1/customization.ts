import { isObject } from '../../common/is-object.js';
import { customizations as customizationsIn02 } from '../0.2/customization.js';
import { asList, asObject, mapMember, mapObjects, type WireObject } from '../shared/wire.js';

/** What a session lists: one flat entry per container, told apart by its URI. Children are lost. */
export function sessionCustomizations(later: unknown): WireObject[] {
  return withUris(customizationsIn02(later)).map(({ entry, uri }) => {
    const { enabled, clientId, load } = entry;
    const { kind, message } = asObject(load);
    return {
      customization: customizationRef(entry, uri),
      enabled,
      ...(clientId !== undefined && { clientId }),
      ...(kind !== undefined && { status: kind }),
      ...(message !== undefined && { statusMessage: message }),
    };
  });
}

export function customizationRefs(later: unknown): WireObject[] {
  return withUris(customizationsIn02(later)).map(({ entry, uri }) => customizationRef(entry, uri));
}

export function activeClient(native: unknown): WireObject {
  return mapMember(asObject(native), 'customizations', customizationRefs);
}

export function uriOfCustomization(native: unknown, id: string): string | undefined {
  return withUris(asList(native)).find(({ entry }) => entry.id === id)?.uri;
}

export function idOfCustomization(native: unknown, uri: string): string | undefined {
  const id = withUris(asList(native)).find((candidate) => candidate.uri === uri)?.entry.id;
  return typeof id === 'string' ? id : undefined;
}

/** What a client publishes: plugins, known by their URI. */
export function nativeActiveClient(client: unknown): unknown {
  if (!isObject(client)) return client;
  return mapMember(client, 'customizations', (refs) =>
    mapObjects(refs, ({ uri, displayName, icons, nonce }) => ({
      type: 'plugin',
      id: uri,
      uri,
      name: displayName,
      ...(icons !== undefined && { icons }),
      ...(nonce !== undefined && { nonce }),
      enabled: true,
    })),
  );
}

function customizationRef(entry: WireObject, uri: string): WireObject {
  const { name, icons, nonce } = entry;
  return { uri, displayName: name, ...(icons !== undefined && { icons }), ...(nonce !== undefined && { nonce }) };
}

/** The first entry with a URI keeps it; others with the same one get their own, the same every time. */
function withUris(entries: readonly WireObject[]): { entry: WireObject; uri: string }[] {
  const taken = new Set<string>();
  return entries.map((entry) => {
    const plain = String(entry.uri);
    const uri = taken.has(plain) ? `${plain}#${String(entry.id)}` : plain;
    taken.add(uri);
    return { entry, uri };
  });
}
