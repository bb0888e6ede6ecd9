import { type Dialect, inPieces, newId, type PastTurn, plain } from './dialect.js';
import { WAITS_FOR_SERVERS } from './tools.js';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
}

interface Past {
  readonly role: string;
  readonly content: string | Block[];
}

/** Anthropic's Messages, as Claude Code speaks them. */
export const messages: Dialect = {
  path: /\/messages$/,
  read(body) {
    const { messages: said = [], tools = [] } = body as {
      messages?: Past[];
      tools?: { name: string; type?: string }[];
    };
    return { turns: said.map(pastTurn), tools: tools.map(({ name, type }) => ({ name, type })) };
  },
  async write(answer, model, send) {
    const usage = { input_tokens: 100, output_tokens: 1 };
    const message = {
      id: newId('msg'),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      usage,
    };
    const tell = (type: string, more: object = {}) => send({ type, ...more }, type);
    await tell('message_start', { message });
    await tell('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    await inPieces(answer, (text) => tell('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }));
    await tell('content_block_stop', { index: 0 });
    for (const [at, { id, name, input }] of answer.uses.entries()) {
      const index = at + 1;
      const content_block = { type: 'tool_use', id: `toolu_${id}`, name, input: {} };
      await tell('content_block_start', { index, content_block });
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
      await tell('content_block_delta', { index, delta });
      await tell('content_block_stop', { index });
    }
    const stop_reason = answer.uses.length > 0 ? 'tool_use' : 'end_turn';
    await tell('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
    await tell('message_stop');
  },
};

function pastTurn({ role, content }: Past): PastTurn {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const isUser = role === 'user' && !blocks.some(({ type }) => type === 'tool_result');
  // Waiting is not yet the call that the script is about.
  const hasCalls = blocks.some(({ type, name }) => type === 'tool_use' && name !== WAITS_FOR_SERVERS);
  return { role: isUser ? 'user' : role === 'assistant' ? 'assistant' : 'other', text: plain(blocks), hasCalls };
}
