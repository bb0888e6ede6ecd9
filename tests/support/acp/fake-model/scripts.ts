/** What the model does in one answer: it says something, then calls tools, named by what they are for. */
export interface Step {
  readonly think?: string;
  readonly text?: string;
  readonly calls?: readonly Wish[];
  /** Words without end, until nobody listens. */
  readonly endless?: boolean;
  /** An HTTP status instead of an answer. */
  readonly status?: number;
  /** How often it is only that status; then the answer comes after all. */
  readonly times?: number;
}

/** A tool that the model wants to use; agents have other names for the same. */
export type Wish =
  | { readonly tool: 'read'; readonly path: string }
  | { readonly tool: 'write'; readonly path: string; readonly content: string }
  | { readonly tool: 'edit'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly tool: 'run'; readonly command: string }
  | { readonly tool: 'ask'; readonly question: string; readonly options: readonly string[] }
  /** A list of one step, to be done or done. */
  | { readonly tool: 'plan'; readonly step: string; readonly isDone: boolean }
  /** A tool of an MCP server. */
  | { readonly tool: 'mcp'; readonly server: string; readonly name: string; readonly input: object };

/** A message that holds `script:NAME` gets the answers of that script, one after each round of tool calls. */
export const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
  hello: [{ think: 'A greeting.', text: 'Hello from the model.' }],
  write: [
    { text: 'I write it.', calls: [{ tool: 'write', path: 'hello.txt', content: 'hi\n' }] },
    { text: 'It is written.' },
  ],
  edit: [
    { text: 'I look first.', calls: [{ tool: 'read', path: 'README.md' }] },
    { text: 'I change it.', calls: [{ tool: 'edit', path: 'README.md', before: 'old line', after: 'new line' }] },
    { text: 'It is changed.' },
  ],
  command: [{ text: 'I run it.', calls: [{ tool: 'run', command: 'expr 40000 + 1234' }] }, { text: 'It ran.' }],
  wait: [
    { text: 'I wait.', calls: [{ tool: 'run', command: 'until [ -e go ]; do sleep 0.1; done' }] },
    { text: 'It is over.' },
  ],
  escape: [
    { text: 'I try.', calls: [{ tool: 'run', command: 'echo escaped > /var/moorage-escaped' }] },
    { text: 'I tried.' },
  ],
  sleep: [
    { text: 'I run it.', calls: [{ tool: 'run', command: 'echo begin; sleep 600; echo end' }] },
    { text: 'It ran.' },
  ],
  endless: [{ endless: true }],
  error400: [{ status: 400 }],
  error401: [{ status: 401 }],
  error429: [{ status: 429 }],
  error500: [{ status: 500 }],
  hiccup: [{ status: 500, times: 1, text: 'Hello after all.' }],
  ask: [
    { text: 'I ask.', calls: [{ tool: 'ask', question: 'Which colour?', options: ['Red', 'Blue'] }] },
    { text: 'Thank you.' },
  ],
  mcp: [
    { text: 'I call it.', calls: [{ tool: 'mcp', server: 'everything', name: 'echo', input: { message: 'ping' } }] },
    { text: 'It answered.' },
  ],
  plan: [
    { text: 'I plan.', calls: [{ tool: 'plan', step: 'Write the code', isDone: false }] },
    { text: 'I go on.', calls: [{ tool: 'plan', step: 'Write the code', isDone: true }] },
    { text: 'It is done.' },
  ],
};

export const NO_SCRIPT: Step = { text: 'Say "script:hello".' };
