import type { ToolResultContent } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import { abortable } from '../../shared/abortable.js';
import { MAX_RESULT_CHARS } from '../limits.js';
import { cutMiddle } from './cut.js';
import { defineTool } from './tool.js';

export const subAgentTool = defineTool({
  name: 'sub_agent',
  displayName: 'Sub-agent',
  kind: 'subagent',
  description:
    'Lets a sub-agent work on a task of its own, in a new chat that knows nothing of this one, and gives what it said at the end. Its tool calls are asked about as yours are.',
  parameters: Type.Object({
    title: Type.String({ minLength: 1, maxLength: 100 }),
    message: Type.String({ minLength: 1, description: 'The whole task: what to do, and what to report.' }),
  }),
  prepare: ({ title, message }, { turn }, toolCallId) => ({
    words: { now: `Sub-agent: ${title}`, past: `Sub-agent: ${title}`, failed: `The sub-agent failed: ${title}` },
    run: async () => {
      const spawned = await abortable(turn.signal, turn.spawn({ toolCallId, title, message }));
      const { chat, outcome } = spawned;
      const text = cutMiddle(spawned.text, MAX_RESULT_CHARS);
      const content: ToolResultContent[] = [{ type: 'subagent', resource: chat, title }];
      if (text !== '') content.push({ type: 'text', text });
      if (outcome.kind === 'complete') return { text: text || 'The sub-agent said nothing.', content };
      const failure = outcome.kind === 'error' ? outcome.error.message : 'The sub-agent was cancelled.';
      return { text: `${failure}\n${text}`, content, problem: { message: failure, code: 'subAgentFailed' } };
    },
  }),
});
