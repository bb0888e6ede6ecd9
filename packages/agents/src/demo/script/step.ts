/** One step of a script. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'think'; readonly text: string }
  | { readonly kind: 'stream'; readonly count: number }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'replace'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'ask'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'spawn'; readonly message: string }
  /** `input` is the JSON text of an object. */
  | { readonly kind: 'tool'; readonly name: string; readonly input: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string; readonly input: string }
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'usage'; readonly input: number; readonly output: number }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'crash' }
  | { readonly kind: 'auto'; readonly on: boolean }
  /** Explains the steps, as the answer to a message that has none. */
  | { readonly kind: 'help' }
  /** A line that starts with `/` but cannot be run. */
  | { readonly kind: 'invalid'; readonly line: string; readonly problem: string; readonly usage?: string };

/** A step of one kind. */
export type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;
