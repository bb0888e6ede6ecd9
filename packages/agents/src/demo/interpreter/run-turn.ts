import type { TurnOutcome } from '@moorage/host/ports';
import { abortable, giveWay } from '../../shared/abortable.js';
import type { ScriptChat, ScriptTurn } from './ports.js';
import type { Progress } from './progress.js';
import { runStep } from './run-step.js';
import { ScriptRun } from './script-run.js';
import { TurnCancelled } from './turn-cancelled.js';

/** Runs the script of a turn, or the rest of it. Always resolves, and emits nothing afterwards. */
export async function runTurn(
  turn: ScriptTurn,
  chat: ScriptChat,
  resumed?: Progress,
  comments: readonly string[] = [],
): Promise<TurnOutcome> {
  try {
    return await runScript(new ScriptRun(turn, chat, resumed), resumed ? [] : comments);
  } catch (error) {
    if (turn.signal.aborted || error instanceof TurnCancelled) return { kind: 'cancelled' };
    return {
      kind: 'error',
      error: { errorType: 'agentFailed', message: `The demo agent failed: ${messageOf(error)}` },
    };
  }
}

async function runScript(run: ScriptRun, comments: readonly string[]): Promise<TurnOutcome> {
  const { turn } = run;
  for (const text of comments) await run.voice.say(`I read what is attached. ${text}`);
  for (let step = run.nextStep(); step; step = run.nextStep()) {
    await giveWay(turn.signal);
    await run.chat.goAhead?.();
    turn.signal.throwIfAborted();
    const outcome = await runStep(step, run);
    if (outcome) return outcome;
    run.endStep();
    turn.signal.throwIfAborted();
    const steering = await abortable(turn.signal, turn.takeSteering());
    if (steering) run.agenda.steer(steering.text);
  }
  return { kind: 'complete' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason';
}
