import { allTurns } from '@moorage/client';
import { useEffect } from 'react';
import { useClient } from '../connection/context.js';
import { type ChannelView, useChannel } from '../connection/use-channel.js';

/** A chat, of which all turns are loaded while somebody chooses among them. */
export function useAllTurns(chat: string | undefined): ChannelView<'chat'> {
  const client = useClient();
  const view = useChannel('chat', chat);
  const { mirror } = view;
  useEffect(() => {
    if (mirror) allTurns(client, mirror).catch(() => {}); // those that are here can be chosen all the same
  }, [client, mirror]);
  return view;
}
