import { type ClientTransport, FrameBatch } from '@moorage/host';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdingBack } from '../../packages/fleet/src/keeping/hold-back.js';
import { ManualClock } from '../support/manual-clock.js';

/** A transport that notes what it is told to do, and a fleet that has as much as the test says. */
function rig() {
  const said: string[] = [];
  const clock = new ManualClock();
  const shipper = { last: 0, position: 0, listener: (_position: number) => {} };
  let closed = () => {};
  let drained = () => {};
  const inner: ClientTransport = {
    send: (text) => said.push(text),
    sendBatch: ({ frames }) => said.push(...frames),
    close: (code) => {
      said.push(`closed ${code}`);
      closed();
    },
    onMessage: () => {},
    onClose: (listener) => {
      closed = () => listener({});
    },
    onDrain: (listener) => {
      drained = listener;
    },
    backlog: 0,
  };
  const holdBack = holdingBack({
    shipper: {
      get last() {
        return shipper.last;
      },
      get position() {
        return shipper.position;
      },
      onShipped: (listener) => {
        shipper.listener = listener;
      },
    },
    clock,
    heldMs: 1_000,
  });
  const ship = (position: number) => {
    shipper.position = position;
    shipper.listener(position);
  };
  return { transport: holdBack(inner), shipper, ship, said, clock, drain: () => drained() };
}

it('sends in order, each once the fleet has what was committed before it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('commit', 'send', 'batch', 'ship')), (steps) => {
      const { transport, shipper, ship, said } = rig();
      const sent: { readonly text: string; readonly tick: number }[] = [];
      for (const [index, step] of steps.entries()) {
        const text = String(index);
        if (step === 'commit') shipper.last++;
        else if (step === 'ship') ship(Math.min(shipper.last, shipper.position + 1));
        else {
          sent.push({ text, tick: shipper.last });
          if (step === 'send') transport.send(text);
          else transport.sendBatch(new FrameBatch([text]));
        }
        expect(said).toEqual(sent.filter(({ tick }) => tick <= shipper.position).map(({ text: of }) => of));
        expect(transport.backlog === 0).toBe(said.length === sent.length);
      }
    }),
  );
});

it('closes after what was sent before', () => {
  const { transport, shipper, ship, said } = rig();
  shipper.last = 1;
  transport.send('a');
  transport.close(1000);
  expect(said).toEqual([]);
  ship(1);
  expect(said).toEqual(['a', 'closed 1000']);
});

it('says that it has drained when nothing is held any more, and not before', () => {
  const { transport, shipper, ship, drain } = rig();
  let count = 0;
  transport.onDrain(() => count++);
  shipper.last = 1;
  transport.send('a');
  drain();
  expect(count).toBe(0);
  ship(1);
  expect(count).toBe(1);
});

it('tells a client to come again when the fleet stores nothing for too long', async () => {
  const { transport, shipper, said, clock } = rig();
  shipper.last = 1;
  transport.send('a');
  await clock.advance(999);
  expect(said).toEqual([]);
  await clock.advance(1);
  expect(said).toEqual(['closed 1013']);
  expect(transport.backlog).toBe(0);
});
