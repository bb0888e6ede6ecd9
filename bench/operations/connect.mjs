import { pathToFileURL } from 'node:url';
import { changesetUri, createPeer, createTransportPair, ROOT_URI } from '@moorage/protocol';

/** A client of a host in the same process, with a session in a folder: it invokes operations on what is not committed. */
export async function connectTo(host, folder) {
  const [near, far] = createTransportPair();
  const sendBatch = ({ frames }) => {
    for (const frame of frames) far.send(frame);
  };
  host.accept({ transport: { ...methodsOf(far), sendBatch, backlog: 0, onDrain: () => {} }, credential: 'bench' });
  const waiting = new Set();
  const peer = createPeer(near, {
    onRequest: () => {
      throw new Error('this client answers nothing');
    },
    onNotification: (_method, params) => {
      for (const look of [...waiting]) look(params);
    },
  });
  const folderUri = pathToFileURL(folder).href;
  const channel = `ahp-session:/${crypto.randomUUID()}`;
  await peer.request('initialize', { channel: ROOT_URI, clientId: 'bench', protocolVersions: ['1.0.0'] });
  await peer.request('createSession', { channel, provider: 'none', workingDirectories: [folderUri] });
  /** Resolves with the next notification of that kind. */
  const next = (isWanted) =>
    new Promise((resolve) => {
      const look = (params) => {
        if (!isWanted(params)) return;
        waiting.delete(look);
        resolve(undefined);
      };
      waiting.add(look);
    });
  const { snapshot } = await peer.request('subscribe', { channel });
  if (!snapshot.state.changesets) await next((params) => params?.action?.type === 'session/changesetsChanged');
  const uncommitted = changesetUri(channel, { kind: 'uncommitted' });
  const invoke = (params) => peer.request('invokeChangesetOperation', { channel: uncommitted, ...params });
  return { folderUri, session: channel, peer, next, invoke };
}

function methodsOf(transport) {
  const names = ['send', 'close', 'onMessage', 'onClose'];
  return Object.fromEntries(names.map((name) => [name, (...args) => transport[name](...args)]));
}
