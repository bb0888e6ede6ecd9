import { parseChangesetUri, parseSessionUri, sessionOfAnnotationsUri, type URI } from '@moorage/protocol';
import { isKind } from '../../core/channel.js';
import type { ChannelTable } from '../../core/channel-table.js';
import { isFileUri, pathOfUri } from '../resources/file-uri.js';
import type { ChannelFacts } from './authorize-people.js';

export function channelFacts(channels: Pick<ChannelTable, 'load' | 'find' | 'sessionOf'>): ChannelFacts {
  return {
    sessionOf: (uri) => {
      const named = sessionOfAnnotationsUri(uri) ?? parseChangesetUri(uri)?.session;
      if (named !== undefined) return named;
      const channel = channels.load(uri);
      return channel ? channels.sessionOf(channel)?.uri : parseSessionUri(uri) ? uri : undefined;
    },
    claimOf: (uri) => {
      const channel = channels.load(uri);
      return isKind(channel, 'terminal') ? channel.state.claim : undefined;
    },
    foldersOf: (session) => {
      const { workingDirectories = [] } = channels.find('session', session)?.state ?? {};
      return workingDirectories.filter((uri: URI) => isFileUri(uri)).map((uri: URI) => pathOfUri(uri));
    },
  };
}
