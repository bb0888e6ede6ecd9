import { actionTable, type ChannelKind, type StateAction } from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf } from '../../../protocol/test/support/arbitrary.js';
import type { Channel } from '../../src/core/channel.js';
import type { ChannelTable } from '../../src/core/channel-table.js';
import type { Subscriber } from '../../src/core/delivery.js';
import { Judge } from '../../src/core/rules/index.js';
import type { Attempt } from '../../src/ports/index.js';

const channels = { sessionOf: () => undefined } as unknown as ChannelTable;
const sender = { clientId: 'c', credential: 'ada', isOurs: true, isVscode: false } as Subscriber;
const channelOf = (kind: ChannelKind) => ({ kind, uri: `test:/${kind}`, state: {} }) as unknown as Channel;

const actions = Object.entries(actionTable).filter(([, { sender: who }]) => who === 'client');

describe('authorize', () => {
  it.each(actions)('is asked before the rule of %s, and its reason is the answer', (type, { kind, schema }) => {
    const judge = new Judge(channels);
    const asked: Attempt[] = [];
    judge.authorize = (_person, attempt) => {
      asked.push(attempt);
      return 'not today';
    };
    const [action] = fc.sample(arbitraryOf(schema), 1) as StateAction[];
    const channel = channelOf(kind);
    expect(judge.decide(sender, channel, { ...action, type } as StateAction)).toEqual({
      kind: 'reject',
      reason: 'not today',
    });
    expect(asked).toEqual([{ kind: 'action', channel: channel.uri, action: { ...action, type } }]);
  });

  it('is not asked about what is malformed', () => {
    const judge = new Judge(channels);
    judge.authorize = () => expect.unreachable();
    const verdicts = [{ type: 'no/such' }, { type: 'chat/turnStarted' }, { type: 'chat/delta' }].map((action) =>
      judge.decide(sender, channelOf('chat'), action as StateAction),
    );
    expect(verdicts.map(({ kind }) => kind)).toEqual(['reject', 'reject', 'reject']);
  });
});
