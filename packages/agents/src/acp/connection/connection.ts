import * as acp from '@agentclientprotocol/sdk';
import type { AgentProcess } from '../process/agent-process.js';
import { MAX_OPEN_REQUESTS } from './limits.js';
import { messageStream } from './messages.js';

/** What an agent may ask of us. It gets failures as errors, and nothing that it asks can harm the host. */
export interface AgentRequests {
  /** Resolves when the next message may be handled; undefined means at once. */
  update(params: unknown): Promise<void> | undefined;
  /** `withdrawn` aborts when the agent does not want the answer any more. */
  permission(params: acp.RequestPermissionRequest, withdrawn: AbortSignal): Promise<acp.RequestPermissionResponse>;
  elicitation(params: acp.CreateElicitationRequest, withdrawn: AbortSignal): Promise<acp.CreateElicitationResponse>;
  readFile(params: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse>;
  writeFile(params: acp.WriteTextFileRequest): Promise<acp.WriteTextFileResponse>;
  createTerminal(params: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse>;
  terminalOutput(params: acp.TerminalOutputRequest): acp.TerminalOutputResponse;
  waitForTerminal(params: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse>;
  killTerminal(params: acp.KillTerminalRequest): void;
  releaseTerminal(params: acp.ReleaseTerminalRequest): void;
}

export type AgentConnection = acp.ClientConnection;

/** Speaks ACP with an agent's process. The connection closes when its output ends, or has a line that is too long. */
export function connectAgent(process: AgentProcess, requests: AgentRequests): AgentConnection {
  let open = 0;
  const bounded = async <T>(serve: () => T | Promise<T>): Promise<T> => {
    if (open >= MAX_OPEN_REQUESTS) throw new acp.RequestError(-32000, 'too many requests are waiting already');
    open++;
    try {
      return await serve();
    } catch (error) {
      if (error instanceof acp.RequestError) throw error;
      throw new acp.RequestError(-32603, error instanceof Error ? error.message : 'the request failed');
    } finally {
      open--;
    }
  };
  const { client: methods } = acp.methods;
  return acp
    .client({ name: 'moorage' })
    .onRequest(methods.session.requestPermission, ({ params, signal }) =>
      bounded(() => requests.permission(params, signal)),
    )
    .onRequest(methods.elicitation.create, ({ params, signal }) => bounded(() => requests.elicitation(params, signal)))
    .onRequest(methods.fs.readTextFile, ({ params }) => bounded(() => requests.readFile(params)))
    .onRequest(methods.fs.writeTextFile, ({ params }) => bounded(() => requests.writeFile(params)))
    .onRequest(methods.terminal.create, ({ params }) => bounded(() => requests.createTerminal(params)))
    .onRequest(methods.terminal.output, ({ params }) => bounded(() => requests.terminalOutput(params)))
    .onRequest(methods.terminal.waitForExit, ({ params }) => bounded(() => requests.waitForTerminal(params)))
    .onRequest(methods.terminal.kill, ({ params }) => bounded(() => requests.killTerminal(params)))
    .onRequest(methods.terminal.release, ({ params }) => bounded(() => requests.releaseTerminal(params)))
    .connect(messageStream(process.output, process.input, (params) => requests.update(params)));
}
