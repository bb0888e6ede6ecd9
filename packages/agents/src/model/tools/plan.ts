import { Type } from '@moorage/protocol/internal';
import { defineTool } from './tool.js';

/** Steps of a plan. With more it is no plan. */
const MAX_STEPS = 30;

const MARKS = { pending: '- [ ]', in_progress: '- [ ] (now)', completed: '- [x]' } as const;

export const planTool = defineTool({
  name: 'plan',
  displayName: 'Plan',
  kind: 'think',
  description:
    'Shows the user the steps of your work and how far you are. Give all steps each time; one of them is in_progress.',
  isReadOnly: true,
  parameters: Type.Object({
    steps: Type.Array(
      Type.Object({
        step: Type.String({ minLength: 1, maxLength: 300 }),
        status: Type.Enum(['pending', 'in_progress', 'completed']),
      }),
      { minItems: 1, maxItems: MAX_STEPS },
    ),
  }),
  prepare: ({ steps }) => {
    const done = steps.filter(({ status }) => status === 'completed').length;
    const words = `Plan: ${done} of ${steps.length} done`;
    const text = steps.map(({ step, status }) => `${MARKS[status]} ${step}`).join('\n');
    return {
      words: { now: words, past: words, failed: 'The plan could not be shown' },
      run: async () => ({ text: 'The user sees the plan.', content: [{ type: 'text', text }] }),
    };
  },
});
