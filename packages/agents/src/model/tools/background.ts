import type { AgentTerminal } from '@moorage/host/ports';
import { Type } from '@moorage/protocol/internal';
import { abortable } from '../../shared/abortable.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import { outputOf } from './run.js';
import { defineTool, type ToolEnv } from './tool.js';

const parameters = Type.Object({ terminal: Type.String({ description: 'The name that `run` gave, such as "t1".' }) });

export const terminalOutputTool = defineTool({
  name: 'terminal_output',
  displayName: 'Look at terminal',
  description: 'What a command in the background has written, and whether it has ended.',
  isReadOnly: true,
  parameters,
  prepare: ({ terminal: name }, env) => ({
    words: { now: `Look at terminal ${name}`, past: `Looked at terminal ${name}`, failed: `Could not look at ${name}` },
    run: async () => {
      const terminal = known(name, env);
      const { exitCode } = terminal.output();
      const state = exitCode === undefined ? 'It still runs.' : `It ended with exit code ${exitCode}.`;
      return { text: `${state}\n${outputOf(terminal)}`.trimEnd() };
    },
  }),
});

export const terminalStopTool = defineTool({
  name: 'terminal_stop',
  displayName: 'Stop terminal',
  description: 'Ends a command that runs in the background.',
  parameters,
  prepare: ({ terminal: name }, env, toolCallId) => ({
    words: { now: `Stop terminal ${name}`, past: `Stopped terminal ${name}`, failed: `Could not stop ${name}` },
    run: async () => {
      const terminal = await attach(name, env, toolCallId);
      terminal.kill();
      const outcome = await abortable(env.turn.signal, terminal.wait());
      terminal.release();
      env.background.delete(name);
      return { text: outcome.kind === 'exited' ? `It ended with exit code ${outcome.exitCode}.` : 'It was closed.' };
    },
  }),
});

function known(name: string, { background }: ToolEnv): AgentTerminal {
  const terminal = background.get(name);
  if (terminal) return terminal;
  const others = [...background.keys()].join(', ') || 'none';
  throw new ToolProblem('noTerminal', `There is no terminal ${JSON.stringify(name)}. There are: ${others}.`);
}

/** A terminal must be claimed by a call to be ended. */
function attach(name: string, env: ToolEnv, toolCallId: string): Promise<AgentTerminal> {
  return env.turn.attachTerminal({ toolCallId, resource: known(name, env).resource });
}
