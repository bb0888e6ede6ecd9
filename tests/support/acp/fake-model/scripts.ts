/** What the model does in one answer: it says something, then calls tools, named by what they are for. */
export interface Step {
  readonly think?: string;
  readonly text?: string;
  readonly calls?: readonly Wish[];
  /** Words without end, until nobody listens. */
  readonly endless?: boolean;
  /** An HTTP status instead of an answer. */
  readonly status?: number;
}

/** A tool that the model wants to use; agents have other names for the same. */
export type Wish =
  | { readonly tool: 'read'; readonly path: string }
  | { readonly tool: 'write'; readonly path: string; readonly content: string }
  | { readonly tool: 'edit'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly tool: 'run'; readonly command: string };

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
  sleep: [
    { text: 'I run it.', calls: [{ tool: 'run', command: 'echo begin; sleep 600; echo end' }] },
    { text: 'It ran.' },
  ],
  endless: [{ endless: true }],
  refused: [{ status: 400 }],
};

export const NO_SCRIPT: Step = { text: 'Say "script:hello".' };
