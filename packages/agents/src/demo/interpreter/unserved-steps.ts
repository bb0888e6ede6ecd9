import type { StepOf } from '../script/step.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall } from './tool-call.js';

/** Commands run in terminals of the host, which an agent cannot ask for yet. */
export function runCommand({ command }: StepOf<'run'>, run: ScriptRun): void {
  const call = new ToolCall(run, {
    name: 'run',
    displayName: 'Run command',
    now: `Run ${command}`,
    past: `Ran ${command}`,
    failed: `Could not run ${command}`,
    input: JSON.stringify({ command }, undefined, 2),
  });
  call.running();
  call.fail('Commands come with terminals, which this host does not serve yet. Nothing was run.', 'notServed');
}

export function runMcp({ server, tool, input }: StepOf<'mcp'>, run: ScriptRun): void {
  const call = new ToolCall(run, {
    name: tool,
    displayName: `${tool} (${server})`,
    now: `Call ${tool} of ${server}`,
    past: `Called ${tool} of ${server}`,
    failed: `Could not call ${tool} of ${server}`,
    input,
  });
  call.running();
  call.fail('MCP servers are not served by this host yet. Nothing was called.', 'notServed');
}
