import { createHash } from 'node:crypto';

/** Everything that a client can read of a host that opened the old folder, as version 0.4 shows it. */
export async function record(wire) {
  const { items } = await wire.request('listSessions', {});
  const disposed = await wire.request('listDisposedSessions', {});
  const sessions = {};
  for (const { resource } of items) sessions[resource] = await recordSession(wire, resource);
  for (const { summary } of disposed.items) {
    await wire.request('restoreSession', { channel: summary.resource });
    sessions[summary.resource] = await recordSession(wire, summary.resource);
  }
  const { config } = await wire.subscribe('ahp-root://');
  return { listed: items, removed: disposed.items, settings: config.values, sessions };
}

async function recordSession(wire, uri) {
  await wire.subscribe(uri);
  // Customizations are looked for again when somebody subscribes.
  const session = await wire.shown(uri, (state) => (state.customizations?.length >= 10 ? state : undefined));
  const chats = {};
  for (const { resource } of session.chats) chats[resource] = await wire.subscribe(resource);
  const annotations = await wire.subscribe(`${uri}/annotations`);
  const contents = {};
  for (const reference of referencesIn(chats)) contents[reference] = await read(wire, reference);
  const changes = {};
  for (const id of turnsIn(chats)) {
    const channel = `ahp-changeset:/${uri.slice('ahp-session:/'.length)}/changeset/turn/${id}`;
    await wire.subscribe(channel);
    const { files, operations } = await wire.shown(channel, (state) => (isComplete(state) ? state : undefined));
    changes[id] = { files, possible: operations.filter(({ status }) => status === 'idle').map((one) => one.id) };
    wire.unsubscribe(channel);
  }
  return { session, chats, annotations, contents, changes };
}

function isComplete({ status, operations }) {
  return status === 'ready' && operations !== undefined;
}

async function read(wire, uri) {
  const { data, encoding } = await wire.request('resourceRead', { uri });
  const long = { sha256: createHash('sha256').update(data).digest('hex') };
  return { encoding, ...(data.length > 1000 ? long : { data }) };
}

/** The URIs of contents that the host keeps beside the conversation. */
function referencesIn(value) {
  return [...new Set(JSON.stringify(value).match(/ahp-content:[^"\\]+/g) ?? [])].sort();
}

function turnsIn(chats) {
  return Object.values(chats).flatMap(({ turns }) => turns.map(({ id }) => id));
}

/** Ids that are hashes of paths, with what they are hashes of, for tests that unpack the folder elsewhere. */
export function hashedIds(sessions) {
  const found = new Map();
  for (const { session } of Object.values(sessions)) {
    for (const entry of session.customizations ?? []) {
      if (entry.type === 'mcpServer') continue;
      const kind = entry.type === 'directory' ? ['directory', entry.contents] : ['plugin'];
      found.set(entry.id, [...kind, entry.uri]);
      for (const child of entry.children ?? []) found.set(child.id, [entry.id, child.type, child.uri]);
    }
  }
  for (const [id, parts] of found) if (idOf(parts) !== id) throw new Error(`${id} is no hash of ${parts}`);
  return [...found].map(([id, parts]) => ({ id, parts }));
}

function idOf(parts) {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
