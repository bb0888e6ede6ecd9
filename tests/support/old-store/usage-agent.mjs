// An ACP agent that says one sentence, and how full its context window is. The demo agent does not report that.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId, update) => send({ method: 'session/update', params: { sessionId, update } });

const ANSWERS = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: 'usage', version: '1' } }),
  'session/new': () => ({ sessionId: 'usage-session' }),
  'session/prompt': ({ sessionId }) => {
    update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Counted.' } });
    const cost = { amount: 0.25, currency: 'USD' };
    update(sessionId, { sessionUpdate: 'usage_update', used: 1200, size: 200000, cost });
    return { stopReason: 'end_turn', usage: { inputTokens: 1000, outputTokens: 200, totalTokens: 1200 } };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && method !== undefined) send({ id, result: ANSWERS[method]?.(params) ?? {} });
}
