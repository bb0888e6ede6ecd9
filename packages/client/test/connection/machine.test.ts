import { describe, expect, it } from 'vitest';
import { type ConnectionEvent, type ConnectionState, statusOf, transition } from '../../src/connection/machine.js';
import { TRANSITIONS } from '../../src/connection/transitions.js';

const states = Object.keys(TRANSITIONS) as ConnectionState[];
const events = Object.keys(TRANSITIONS.opening) as ConnectionEvent[];
const pairs = states.flatMap((state) => events.map((event) => [state, event] as const));

/** States in which there is a transport that has to be closed on the way out. */
const attached: ConnectionState[] = ['initializing', 'live', 'resuming', 'restarting'];

describe('the table of transitions', () => {
  it('has every event in every state', () => {
    for (const state of states) expect(Object.keys(TRANSITIONS[state])).toEqual(events);
  });

  it('closes from everywhere, and never comes back (I-7)', () => {
    for (const state of states.filter((name) => name !== 'closed'))
      expect(transition(state, 'close')?.to).toBe('closed');
    for (const event of events) expect(transition('closed', event)).toBeUndefined();
  });

  it.each(pairs)('%s, %s: leaves no transport behind and ends exactly when it closes', (state, event) => {
    const next = transition(state, event);
    if (!next) return;
    const leaves = attached.includes(state) && !attached.includes(next.to);
    expect(next.commands.includes('drop')).toBe(leaves);
    expect(next.commands.includes('end')).toBe(next.to === 'closed');
    expect(next.commands.includes('goLive')).toBe(next.to === 'live');
  });

  it('speaks exactly one handshake on a new transport, and goes live only after it (I-2)', () => {
    for (const [state, event] of pairs) {
      const next = transition(state, event);
      if (next?.to === 'live') expect([event, attached.includes(state)]).toEqual(['accepted', true]);
      if (event === 'opened' && next) {
        expect(next.commands.filter((command) => command === 'initialize' || command === 'resume')).toHaveLength(1);
      }
    }
  });

  it('tries again after a loss, except for the first connection', () => {
    expect(statusOf(transition('live', 'lost')?.to ?? 'closed')).toBe('reconnecting');
    expect(statusOf(transition('resuming', 'lost')?.to ?? 'closed')).toBe('reconnecting');
    expect(transition('initializing', 'lost')?.to).toBe('closed');
    expect(transition('opening', 'openFailed')?.to).toBe('closed');
  });

  it('does not try again when the host will not have us', () => {
    const waits: ConnectionState[] = ['waiting', 'waitingAfresh', 'closed']; // there is nobody who could refuse
    for (const state of states.filter((name) => !waits.includes(name))) {
      expect(transition(state, 'refused')?.to).toBe('closed');
    }
  });

  it('does not ask again for what the host would not resume, until it is live', () => {
    const afresh: ConnectionState[] = ['restarting', 'waitingAfresh', 'reopeningAfresh'];
    for (const state of afresh) {
      for (const event of events) {
        const to = transition(state, event)?.to;
        if (to) expect([...afresh, 'live', 'closed']).toContain(to);
      }
    }
  });
});
