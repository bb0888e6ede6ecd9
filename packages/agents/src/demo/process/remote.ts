import type { Peer } from '@moorage/protocol';
import type { ScriptChat, ScriptTerminal, ScriptTurn } from '../interpreter/ports.js';
import { remoteFiles } from './file-messages.js';
import {
  type NotificationMethod,
  type Notifications,
  type Prompt,
  REQUESTS,
  type RequestMethod,
  type Requests,
  type TerminalName,
} from './messages.js';

/** The host's turn, as a proxy in the agent's process. */
export function remoteTurn(peer: Peer, { turnId, text, clientTools }: Prompt, signal: AbortSignal): ScriptTurn {
  return {
    turnId,
    signal,
    clientTools,
    message: { text },
    emit: (event) => tell(peer, 'emit', { event }),
    confirm: (request) => ask(peer, 'confirm', request),
    ask: (request) => ask(peer, 'ask', request),
    callClientTool: (call) => ask(peer, 'callClientTool', call),
    callMcpTool: (call) => ask(peer, 'callMcpTool', call),
    takeSteering: async () => (await ask(peer, 'takeSteering', {})).message,
    spawn: (request) => ask(peer, 'spawn', request),
    storeContent: (content, contentType) =>
      ask(peer, 'storeContent', { base64: Buffer.from(content).toString('base64'), contentType }),
    createTerminal: async (request) => remoteTerminal(peer, await ask(peer, 'createTerminal', request)),
  };
}

function remoteTerminal(peer: Peer, { resource }: TerminalName): ScriptTerminal {
  return {
    resource,
    wait: () => ask(peer, 'waitForTerminal', { resource }),
    output: () => ask(peer, 'terminalOutput', { resource }),
    release: () => tell(peer, 'releaseTerminal', { resource }),
  };
}

export function remoteChat(peer: Peer, workingDirectory: string | undefined, crash: ScriptChat['crash']): ScriptChat {
  return {
    workingDirectory,
    files: remoteFiles((method, params) => ask(peer, method, params)),
    setTitle: (title) => tell(peer, 'setTitle', { title }),
    autoMode: async () => (await ask(peer, 'autoMode', {})).mode,
    setAutoMode: (mode) => tell(peer, 'setAutoMode', { mode }),
    saveProgress: (progress) => tell(peer, 'saveProgress', progress),
    crash,
  };
}

async function ask<M extends RequestMethod>(
  peer: Peer,
  method: M,
  params: Requests[M]['params'],
): Promise<Requests[M]['result']> {
  return REQUESTS[method].result.parse(await peer.request(method, params));
}

function tell<M extends NotificationMethod>(peer: Peer, method: M, params: Notifications[M]): void {
  peer.notify(method, params);
}
