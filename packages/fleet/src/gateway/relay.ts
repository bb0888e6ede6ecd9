import type { ClientTransport, DialledHost, SharedSeat } from '@moorage/host';
import { CloseCodes, type CloseInfo } from '@moorage/protocol';

/** Bytes that wait for a client before its host is held up. */
const CLIENT_BACKLOG_BYTES = 256 * 1024;
/** Bytes of a client's messages that wait for its host. A client that sends more without reading is not one of ours. */
const HOST_BACKLOG_BYTES = 32 * 1024 * 1024;

/** A client's own connection to its host. */
export interface Dialled {
  readonly host: DialledHost;
  /** Its place among those that share; without one, all that it gets comes by its own connection, and goes on as it comes. */
  readonly seat?: SharedSeat | undefined;
}

/** Passes on what a client and its host say, unread, until either ends. What the client says meanwhile waits for the host. */
export async function relay(client: ClientTransport, dial: () => Promise<Dialled>): Promise<void> {
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
  const { seat } = dialled;
  if (ended) {
    dialled.host.close(ended.code, ended.reason);
    return;
  }
  host = dialled.host;
  const { pause, resume } = host;
  if (seat) {
    host.onClose(seat.end);
    host.onMessage(seat.own);
  } else {
    host.onClose(({ code, reason }) => client.close(code, reason));
    host.onMessage((text) => {
      client.send(text);
      if (client.backlog > CLIENT_BACKLOG_BYTES) pause();
    });
    client.onDrain(resume);
  }
  for (const text of early) host.send(text);
  early = [];
  resume();
}
