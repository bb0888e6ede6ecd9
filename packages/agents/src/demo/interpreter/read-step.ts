import { abortable } from '../../shared/abortable.js';
import { existing, fileText, MAX_READ_BYTES } from '../../shared/files/content.js';
import { readFile } from '../../shared/files/read-file.js';
import type { StepOf } from '../script/step.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall } from './tool-call.js';

export async function runRead({ path }: StepOf<'read'>, run: ScriptRun): Promise<void> {
  const call = new ToolCall(run, {
    name: 'read',
    displayName: 'Read file',
    kind: 'read',
    now: `Read ${path}`,
    past: `Read ${path}`,
    failed: `Could not read ${path}`,
    input: JSON.stringify({ path }, undefined, 2),
  });
  call.running();
  try {
    const file = await abortable(run.turn.signal, readFile(run.chat.files, path, MAX_READ_BYTES));
    call.succeed([{ type: 'text', text: fileText(file, existing(file)) }]);
  } catch (error) {
    call.failWith(error);
  }
}
