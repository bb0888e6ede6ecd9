import type { ToolDecision } from '@moorage/host/ports';
import { wordsOf } from '@moorage/protocol';
import type { ScriptRun } from './script-run.js';
import { TurnCancelled } from './turn-cancelled.js';

type Denial = Extract<ToolDecision, { approved: false }>;

/** Says that a denied step is skipped. The host has already closed the call. */
export async function sayDenied(denial: Denial, what: string, run: ScriptRun): Promise<void> {
  if (denial.reason === 'cancelled') throw new TurnCancelled();
  const sentences = [`Skipped: ${what} (${denial.reason}).`];
  if (denial.message) sentences.push(`Reason: ${wordsOf(denial.message)}`);
  if (denial.suggestion) sentences.push(`Suggestion: ${denial.suggestion.text}`);
  await run.voice.say(sentences.join('\n\n'));
}
