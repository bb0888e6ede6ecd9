import { SYNTAX } from './syntax.js';

const EXAMPLE = `/think The user wants a greeting.
/write hello.txt Hello, world!\\n
/replace hello.txt world => you
/ask Shall I go on? | yes | no
/say Done.`;

/** The answer to a message without steps. */
export function explainSteps(): string {
  const steps = [...SYNTAX.values()].map(({ usage, summary }) => `- \`${usage}\` ${summary}`);
  return [
    'I am the demo agent. I need no model: each line of your message that starts with `/` is a step, and other lines I ' +
      'say back. Try this:',
    `\`\`\`\n${EXAMPLE}\n\`\`\``,
    `The steps:\n\n${steps.join('\n')}`,
  ].join('\n\n');
}
