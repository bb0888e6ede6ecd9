import type { ToolDecision } from '@moorage/host/ports';
import type { ConfirmationOption, FileEdit } from '@moorage/protocol';
import { abortable } from '../../shared/abortable.js';
import { parseEdited } from '../../shared/edited-input.js';
import { describeChange, isSameChange } from '../../shared/file-edit.js';
import type { FileChange } from '../../shared/files/change.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import { sayDenied } from './denied.js';
import type { EditTool } from './edit-tools.js';
import { type Preview, previewOf } from './progress.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall } from './tool-call.js';

const ALLOW_IN_SESSION = 'allow-session';

const OPTIONS: ConfirmationOption[] = [
  { id: 'allow', label: 'Allow once', kind: 'approve', group: 1 },
  { id: ALLOW_IN_SESSION, label: 'Allow for this session', kind: 'approve', group: 1 },
  { id: 'deny', label: 'Deny', kind: 'deny', group: 2 },
];

/** Changes one file: works out the change, asks with it as preview, makes it, and reports what was really done. */
export async function runEdit<Input>(tool: EditTool<Input>, input: Input, run: ScriptRun): Promise<void> {
  const call = new ToolCall(run, wordsFor(tool, input));
  await call.streamInput();
  let seen: Planned;
  try {
    seen = await plan(tool, input, run);
  } catch (error) {
    call.running();
    return call.failWith(error);
  }
  if (!run.resumed && (await abortable(run.turn.signal, run.chat.autoMode())) !== 'off') {
    call.running('setting');
    return finish(call, run, async () => seen);
  }
  const preview = run.resumed?.preview ?? previewOf(seen.change);
  const decision = await confirm(call, seen.edit, preview, run);
  if (!decision.approved) return sayDenied(decision, call.words.now, run);
  if (decision.option?.id === ALLOW_IN_SESSION) run.chat.setAutoMode('edits');
  return finish(call, run, () => {
    const approved = decision.toolInput === undefined ? input : readEdited(tool, decision.toolInput);
    call.reword(wordsFor(tool, approved));
    return planAgain(tool, approved, { ...seen, preview }, run);
  });
}

interface Planned {
  readonly change: FileChange;
  readonly edit: FileEdit;
}

async function plan<Input>(tool: EditTool<Input>, input: Input, run: ScriptRun): Promise<Planned> {
  const change = await abortable(run.turn.signal, tool.plan(run.chat.files, input));
  return { change, edit: await describeChange(run.turn, change) };
}

/** The user may have taken a while to answer, so the approved input is applied to the file as it is now. */
async function planAgain<Input>(
  tool: EditTool<Input>,
  input: Input,
  seen: Planned & { preview: Preview },
  run: ScriptRun,
): Promise<Planned> {
  const change = await abortable(run.turn.signal, tool.plan(run.chat.files, input));
  if (tool.replacesAll && isStale(seen.preview, previewOf(change))) {
    throw new ToolProblem('changed', `${tool.subject(input)} was changed while you were asked, so it was left alone.`);
  }
  const edit = isSameChange(seen.change, change) ? seen.edit : await describeChange(run.turn, change);
  return { change, edit };
}

/** Whether the file has changed since the user was shown it. */
function isStale(seen: Preview, now: Preview): boolean {
  return seen.uri === now.uri && seen.before !== now.before;
}

function readEdited<Input>(tool: EditTool<Input>, text: string): Input {
  const value = parseEdited(text);
  if (tool.input.check(value)) return value;
  const { path, expected } = tool.input.explain(value) ?? { path: '', expected: 'another value' };
  throw new ToolProblem('badInput', `The edited input is wrong at ${path || 'its root'}: expected ${expected}.`);
}

async function finish(call: ToolCall, run: ScriptRun, prepare: () => Promise<Planned>): Promise<void> {
  try {
    const { change, edit } = await prepare();
    run.turn.signal.throwIfAborted();
    await change.apply();
    call.report([{ type: 'fileEdit', ...edit }]);
  } catch (error) {
    call.failWith(error);
  }
}

function confirm(call: ToolCall, edit: FileEdit, preview: Preview, run: ScriptRun): Promise<ToolDecision> {
  run.saveProgress(preview);
  const request = run.turn.confirm({
    toolCallId: call.id,
    invocationMessage: call.words.now,
    title: `${call.words.now}?`,
    toolInput: call.words.input,
    edits: [edit],
    editable: true,
    options: OPTIONS,
  });
  return abortable(run.turn.signal, request);
}

function wordsFor<Input>(tool: EditTool<Input>, input: Input) {
  const subject = tool.subject(input);
  const [now, past, failed] = tool.verbs;
  return {
    name: tool.name,
    displayName: tool.displayName,
    now: `${now} ${subject}`,
    past: `${past} ${subject}`,
    failed: `Could not ${failed} ${subject}`,
    input: JSON.stringify(input, undefined, 2),
  };
}
