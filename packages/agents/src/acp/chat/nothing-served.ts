import { RequestError } from '@agentclientprotocol/sdk';
import type { AgentRequests } from '../connection/connection.js';

const refuse = (): never => {
  throw new RequestError(-32000, 'no turn is running');
};

/** For an agent that is started only to be asked something. */
export const NOTHING_SERVED: AgentRequests = {
  update: () => undefined,
  permission: async () => refuse(),
  elicitation: async () => refuse(),
  readFile: async () => refuse(),
  writeFile: async () => refuse(),
  createTerminal: async () => refuse(),
  terminalOutput: refuse,
  waitForTerminal: async () => refuse(),
  killTerminal: refuse,
  releaseTerminal: refuse,
};
