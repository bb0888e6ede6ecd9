import type { ClientTransport } from '../../../src/ports/index.js';

const PIECE = JSON.stringify('x'.repeat(100_000));
const FULL_BYTES = 1_000_000;

/** Sends to a client that does not read until the network has taken all it can, and much waits in the host. */
export async function clog(near: ClientTransport): Promise<void> {
  for (let refused = 0; refused < 10 || near.backlog < FULL_BYTES; ) {
    const before = near.backlog;
    near.send(PIECE);
    await new Promise((resolve) => setImmediate(resolve));
    refused = near.backlog >= before + PIECE.length ? refused + 1 : 0;
  }
}
