import type { TurnOutcome } from '@moorage/host/ports';
import { createPeer, JsonRpcErrorCodes, type Peer, RpcError, type RpcParams } from '@moorage/protocol';
import { runTurn } from '../interpreter/run-turn.js';
import { exitedError, failed } from '../outcomes.js';
import { lineTransport } from './line-transport.js';
import { MAX_PIPE_CHARS, prompt } from './messages.js';
import { remoteChat, remoteTurn } from './remote.js';

// The demo agent's own process: one chat, one turn at a time, over standard input and output.

let cancel: AbortController | undefined;

const peer: Peer = createPeer(lineTransport(process.stdin, process.stdout), {
  onRequest(method, params) {
    if (method === 'prompt') return runPrompt(params);
    throw new RpcError(JsonRpcErrorCodes.MethodNotFound, `unknown method ${method}`);
  },
  onNotification(method) {
    if (method === 'cancel') cancel?.abort();
  },
  // The host is gone, so there is nobody left to work for.
  onClose: () => process.exit(0),
  onInternalError: (error) => complain(error),
  limits: { maxFrameChars: MAX_PIPE_CHARS },
});

// The default action would end the process even in the middle of a write.
process.on('SIGTERM', () => process.exit(0));

async function runPrompt(params: RpcParams | undefined): Promise<TurnOutcome> {
  const { resumed, ...request } = prompt.parse(params);
  cancel = new AbortController();
  const turn = remoteTurn(peer, request, cancel.signal);
  return runTurn(turn, remoteChat(peer, request.workingDirectory, crash), resumed, request.comments);
}

function crash(): TurnOutcome {
  process.kill(process.pid, 'SIGKILL');
  return failed(exitedError('as the script asked'));
}

function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
