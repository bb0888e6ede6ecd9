import { expect, it } from 'vitest';
import { Crowd } from '../../src/core/crowd.js';
import {
  type Delivery,
  deliverTick,
  type Subscriber,
  Subscriptions,
  type TickMessage,
} from '../../src/core/delivery.js';
import type { SharedPlace, SharedWay } from '../../src/ports/transport.js';

const CHAT = 'ahp-chat:/a';
const OTHER = 'ahp-chat:/b';

/** Clients that share a way, which notes all that is said; their own messages are noted among it. */
function rig() {
  const said: string[] = [];
  let groups = 0;
  const way: SharedWay = {
    newGroup: () => ++groups,
    join: (group, client) => void said.push(`+${group} ${client}`),
    leave: (group, client) => void said.push(`-${group} ${client}`),
    send: (group, frame) => void said.push(`${group} ${frame}`),
  };
  const crowd = new Crowd(way, ({ frame }) => {
    if (frame.startsWith('personal')) return undefined;
    return [{ frame, ...(frame.startsWith('all files') && { replaces: 'all files' }) }];
  });
  const subscriptions = new Subscriptions();
  const member = (client: number) => {
    const subscriber = {
      clientId: `client-${client}`,
      channels: new Set<string>(),
      crowd: crowd as Crowd | undefined,
      shared: { way, client } as SharedPlace,
      deliver: ({ messages }: Delivery) => void said.push(...messages.map(({ frame }) => `${client} alone: ${frame}`)),
    };
    return subscriber as typeof subscriber & Subscriber;
  };
  const tick = (...messages: TickMessage[]) => deliverTick(messages, subscriptions);
  return { said, crowd, subscriptions, member, tick };
}

it('is told each message once by channel, and each member its own in between', () => {
  const { said, subscriptions, member, tick } = rig();
  const [one, two, three] = [member(1), member(2), member(3)];
  for (const each of [one, two, three]) subscriptions.add(each, CHAT);
  subscriptions.add(two, OTHER);
  subscriptions.add(two, OTHER);
  expect(said.splice(0)).toEqual(['+1 1', '+1 2', '+1 3', '+2 2']);
  tick(
    { to: CHAT, frame: 'hello' },
    { to: one, frame: 'rejected' },
    { to: OTHER, frame: 'there' },
    { to: CHAT, frame: 'personal echo' },
    { to: CHAT, frame: 'bye' },
  );
  expect(said.splice(0)).toEqual([
    '1 hello',
    '1 alone: rejected',
    '2 there',
    '1 alone: personal echo',
    '2 alone: personal echo',
    '3 alone: personal echo',
    '1 bye',
  ]);
});

it('is told only the last of what replaces each other in a tick', () => {
  const { said, subscriptions, member, tick } = rig();
  subscriptions.add(member(1), CHAT);
  tick({ to: CHAT, frame: 'all files 1' }, { to: CHAT, frame: 'between' }, { to: CHAT, frame: 'all files 2' });
  expect(said).toEqual(['+1 1', '1 between', '1 all files 2']);
});

it('loses those who unsubscribe, whose channel ends, and who need messages of their own', () => {
  const { said, crowd, subscriptions, member, tick } = rig();
  const [one, two, three] = [member(1), member(2), member(3)];
  for (const each of [one, two, three]) subscriptions.add(each, CHAT);
  subscriptions.remove(one, CHAT);
  subscriptions.leaveCrowd(two, crowd);
  two.crowd = undefined;
  expect(said.splice(0)).toEqual(['+1 1', '+1 2', '+1 3', '-1 1', '-1 2']);
  tick({ to: CHAT, frame: 'hello' });
  expect(said.splice(0).sort()).toEqual(['1 hello', '2 alone: hello']);
  subscriptions.removeChannel(CHAT);
  expect(said.splice(0)).toEqual(['-1 3']);
  tick({ to: CHAT, frame: 'nobody hears this' });
  expect(said).toEqual([]);
  subscriptions.add(one, CHAT);
  expect(said).toEqual(['+2 1']); // a group is not used again
});
