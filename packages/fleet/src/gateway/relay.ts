import type { ClientTransport, DialledHost } from '@moorage/host';
import { CloseCodes, type CloseInfo } from '@moorage/protocol';

/** Bytes that wait for a client before its host is held up. */
const CLIENT_BACKLOG_BYTES = 256 * 1024;
/** Bytes of a client's messages that wait for its host. A client that sends more without reading is not one of ours. */
const HOST_BACKLOG_BYTES = 32 * 1024 * 1024;

/** Passes on what a client and its host say, unread, until either ends. What the client says meanwhile waits for the host. */
export async function relay(client: ClientTransport, dial: () => Promise<DialledHost>): Promise<void> {
  let host: DialledHost | undefined;
  let early: string[] = [];
  let earlyLength = 0;
  let ended: CloseInfo | undefined;

  client.onMessage((text) => {
    if (host) host.send(text);
    else {
      early.push(text);
      earlyLength += text.length;
    }
    if ((host?.backlog ?? earlyLength) > HOST_BACKLOG_BYTES) {
      client.close(CloseCodes.TryAgainLater, 'too much waits for the host');
    }
  });
  client.onClose((info) => {
    ended = info;
    host?.close(info.code, info.reason);
  });

  const dialled = await dial().catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    client.close(CloseCodes.TryAgainLater, `the host cannot be reached: ${why}`);
  });
  if (!dialled) return;
  if (ended) {
    dialled.close(ended.code, ended.reason);
    return;
  }
  host = dialled;
  dialled.onClose(({ code, reason }) => client.close(code, reason));
  dialled.onMessage((text) => {
    client.send(text);
    if (client.backlog > CLIENT_BACKLOG_BYTES) dialled.pause();
  });
  client.onDrain(() => dialled.resume());
  for (const text of early) dialled.send(text);
  early = [];
  dialled.resume();
}
