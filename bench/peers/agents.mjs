import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { codexEnv } from './codex.mjs';
import { peerBin } from './install.mjs';
import { opencodeEnv } from './opencode.mjs';

/** How each agent is started to speak ACP, alone or under our host. */
export const acpAgents = {
  opencode: (home, modelUrl) => ({ command: peerBin('opencode'), args: ['acp'], env: opencodeEnv(home, modelUrl) }),
  codex: (home, modelUrl) => ({
    command: peerBin('codex-acp'),
    args: [],
    env: { ...codexEnv(home, modelUrl), NO_BROWSER: '1' },
  }),
};

/** An agent with nobody between it and us. */
export async function startAlone({ command, args, env }, work) {
  const child = spawn(command, args, { cwd: work, env, stdio: ['pipe', 'pipe', 'ignore'] });
  let asked = 0;
  const waiting = new Map();
  let onText = () => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'session/update' && message.params.update.sessionUpdate === 'agent_message_chunk') onText();
    else if (message.method && message.id !== undefined)
      send({ id: message.id, error: { code: -32601, message: 'no' } });
    else waiting.get(message.id)?.(message);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      );
      send({ id, method, params });
    });
  await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await call('session/new', { cwd: work, mcpServers: [] });
  return {
    pid: child.pid,
    async say(text) {
      const began = performance.now();
      let firstMs;
      onText = () => {
        firstMs ??= performance.now() - began;
      };
      await call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      return { firstMs, endMs: performance.now() - began };
    },
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await once(child, 'exit');
      clearTimeout(timer);
    },
  };
}
