import type { Watcher } from '@moorage/protocol';
import type { Subscriber } from '../../core/delivery.js';
import { sessionNotFound } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';
import { nameOf } from '../../ports/people.js';
import type { HostContext } from '../context.js';

/** Who follows a session or one of its chats. */
export function watcherCommands({ door }: HostContext) {
  const listWatchers: Handler<'moorage/listWatchers'> = ({ channel }) => {
    const session = door.channels.find('session', channel);
    if (!session) throw sessionNotFound(channel);
    const channels = [channel, ...session.state.chats.map(({ resource }) => resource)];
    const watchers = new Map<string, Subscriber>();
    for (const uri of channels) for (const one of door.subscriptions.of(uri)) watchers.set(one.clientId, one);
    return { items: [...watchers.values()].map(described) };
  };
  return { 'moorage/listWatchers': listWatchers } satisfies Handlers;
}

function described({ clientId, credential, program }: Subscriber): Watcher {
  const name = nameOf(credential);
  return { clientId, ...(name !== undefined && { name }), ...(program !== undefined && { program }) };
}
