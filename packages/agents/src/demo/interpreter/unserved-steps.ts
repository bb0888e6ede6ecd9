import type { StepOf } from '../script/step.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall } from './tool-call.js';

/** MCP servers are something that an agent cannot ask for yet. */
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
