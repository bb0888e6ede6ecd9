import { MAX_READ_BYTES, readExisting, textOf } from '../files/content.js';
import { Folder } from '../files/folder.js';
import type { StepOf } from '../script/step.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall } from './tool-call.js';

export function runRead({ path }: StepOf<'read'>, run: ScriptRun): void {
  const call = new ToolCall(run, {
    name: 'read',
    displayName: 'Read file',
    now: `Read ${path}`,
    past: `Read ${path}`,
    failed: `Could not read ${path}`,
    input: JSON.stringify({ path }, undefined, 2),
  });
  call.running();
  try {
    const place = new Folder(run.chat.workingDirectory).locate(path);
    call.succeed([{ type: 'text', text: textOf(place, readExisting(place, MAX_READ_BYTES)) }]);
  } catch (error) {
    call.failWith(error);
  }
}
