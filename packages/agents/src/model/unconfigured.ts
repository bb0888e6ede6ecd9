import { AgentError, type AgentProvider } from '@moorage/host/ports';
import { type AgentInfo, ExtensionMeta } from '@moorage/protocol';
import { repeatedly } from './endpoint/repeatedly.js';

const HOW =
  'No model is configured. Add one under "agents" in the file given with --config, such as "model": { "type": "model", "api": "openai", "baseURL": "http://127.0.0.1:11434/v1", "models": ["qwen3"] }, and start the host again.';

/** A model server that was found on this machine, and the command that adds it to the configuration. */
export interface FoundModelServer {
  readonly name: string;
  readonly models: readonly string[];
  readonly command: string;
}

/** How often the machine is looked at for a model server. Somebody may just have started one. */
const SEARCH_MS = 30_000;

/** A placeholder for the model agent that says how to configure it, and names a model server that runs here. */
export function unconfiguredModelAgent(
  find: () => Promise<FoundModelServer | undefined> = async () => undefined,
): AgentProvider {
  let found: FoundModelServer | undefined;
  const listeners: (() => void)[] = [];
  const search = async () => {
    const next = await find();
    if (next?.command === found?.command) return;
    found = next;
    for (const listener of listeners) listener();
  };
  const stop = repeatedly(SEARCH_MS, search);
  return {
    isConfinable: true, // it starts nothing
    get info() {
      return infoOf(found);
    },
    onInfoChanged: (listener) => {
      listeners.push(listener);
    },
    openChat: () => Promise.reject(new AgentError('modelNotConfigured', HOW)),
    dispose: async () => stop(),
  };
}

function infoOf(found: FoundModelServer | undefined): AgentInfo {
  const offer =
    found && `No model is configured. ${found.name} runs on this machine, with ${found.models.join(', ')}. Add it with`;
  return {
    provider: 'model',
    displayName: 'Model',
    description: offer ? `${offer} ${found.command} and start the host again.` : HOW,
    models: [],
    _meta: {
      [ExtensionMeta.agentState]: 'not configured',
      ...(found && { [ExtensionMeta.agentCommand]: found.command }),
    },
  };
}
