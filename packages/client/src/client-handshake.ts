import { type ClientCapabilities, type Implementation, ROOT_URI } from '@moorage/protocol';
import type { ChannelTable } from './channels/channel-table.js';
import { replay, restorableUris, restore, resumableUris } from './channels/resumption.js';
import type { Ask, Handshake } from './connection/handshake.js';
import type { LastSeen } from './connection/last-seen.js';
import { ProtocolError } from './errors.js';
import { type HostInfo, readInitializeResult, readReconnectResult } from './wire/read-handshake.js';

/** How a client introduces itself. */
export interface Introduction {
  readonly clientId: string;
  readonly clientInfo: Implementation;
  readonly protocolVersions: readonly string[];
  readonly locale: string | undefined;
  readonly capabilities: ClientCapabilities | undefined;
}

/** Says who we are and what we are subscribed to, and takes over the states that come back. */
export class ClientHandshake implements Handshake {
  readonly #introduction: Introduction;
  readonly #channels: ChannelTable;
  readonly #lastSeen: LastSeen;
  readonly #report: (error: unknown) => void;
  hostInfo: HostInfo = { protocolVersion: '' };

  constructor(
    introduction: Introduction,
    channels: ChannelTable,
    lastSeen: LastSeen,
    report: (error: unknown) => void,
  ) {
    this.#introduction = introduction;
    this.#channels = channels;
    this.#lastSeen = lastSeen;
    this.#report = report;
  }

  async initialize(ask: Ask): Promise<() => void> {
    const listed = restorableUris(this.#channels);
    const { clientId, clientInfo, protocolVersions, locale, capabilities } = this.#introduction;
    const params = { channel: ROOT_URI, clientId, clientInfo, protocolVersions, locale, capabilities };
    const answer = await ask('initialize', { ...params, initialSubscriptions: listed });
    const { hostInfo, serverSeq, snapshots } = readInitializeResult(answer);
    if (!protocolVersions.includes(hostInfo.protocolVersion)) {
      throw new ProtocolError(`the host chose version ${hostInfo.protocolVersion}, which was not offered`);
    }
    return () => {
      this.hostInfo = hostInfo;
      this.#lastSeen.restart([serverSeq, ...restore(this.#channels, listed, snapshots, this.#report)]);
    };
  }

  async resume(ask: Ask): Promise<() => void> {
    const listed = resumableUris(this.#channels);
    const params = { channel: ROOT_URI, clientId: this.#introduction.clientId, subscriptions: listed };
    const answer = await ask('reconnect', { ...params, lastSeenServerSeq: this.#lastSeen.seq });
    const result = readReconnectResult(answer);
    return () => {
      if (result.type === 'replay') {
        for (const envelope of result.actions) this.#lastSeen.saw(envelope);
        replay(this.#channels, listed, result);
      } else {
        this.#lastSeen.restart(restore(this.#channels, listed, result.snapshots, this.#report));
      }
    };
  }
}
