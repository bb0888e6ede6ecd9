import { triggerInWords } from '@moorage/client';
import { type AutomationEntry, type AutomationRunSummary, ExtensionMeta } from '@moorage/protocol';
import { colour, printLine } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { printTable } from '../output/table.js';
import { sessionId, shortId } from '../sessions/find.js';
import { ago } from '../sessions/status.js';

export function printAutomations(entries: readonly AutomationEntry[], now: number): void {
  printTable(
    ['ID', 'TITLE', 'WHEN', 'NEXT', 'LAST RUN'],
    entries.map((entry) => {
      const { definition, nextRunAt, runs } = entry;
      const [last] = runs;
      return [
        shortId(entry),
        plainLine(definition.title),
        whenItRuns(entry),
        definition.enabled ? shortTime(nextRunAt) : 'disabled',
        last ? `${last.lifecycle.status} ${ago(Date.parse(last.lifecycle.createdAt), now)}` : '',
      ];
    }),
    dimmedHead,
  );
}

export function printAutomation(entry: AutomationEntry, now: number): void {
  const { definition, runCount = 0, nextRunAt, _meta: meta } = entry;
  const { session, message } = definition;
  const reason = meta?.[ExtensionMeta.disabledBecause];
  const person = meta?.[ExtensionMeta.person];
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['id', sessionId(entry)],
    ['when', whenItRuns(entry)],
    ['state', definition.enabled ? 'enabled' : typeof reason === 'string' ? `disabled: ${reason}` : 'disabled'],
    ['next run', nextRunAt],
    ['runs', String(runCount)],
    ['ends', ends(entry)],
    ['agent', session.provider],
    ['model', session.model?.id],
    ['folder', session.workingDirectories?.join(', ')],
    ['set up by', typeof person === 'string' ? person : undefined],
    ['says', message.text],
  ];
  printLine(colour.bold(plainLine(definition.title)));
  for (const [name, value] of lines) if (value !== undefined) printLine(`  ${name.padEnd(10)}${plainLine(value)}`);
  if (entry.runs.length > 0) printLine('');
  if (entry.runs.length > 0) printRuns(entry.runs, now);
}

export function printRuns(runs: readonly AutomationRunSummary[], now: number): void {
  printTable(
    ['RUN', 'STATE', 'BEGUN', 'BY', 'SESSION', ''],
    runs.map((run) => [
      shortId(run),
      run.lifecycle.status,
      ago(Date.parse(run.lifecycle.createdAt), now),
      origin(run),
      run.primarySession === undefined ? '' : shortId({ resource: run.primarySession }),
      run.lifecycle.status === 'failed' ? plainLine(run.lifecycle.error.message) : '',
    ]),
    dimmedHead,
  );
}

function whenItRuns({ definition }: AutomationEntry): string {
  return plainLine(definition.triggers.map(triggerInWords).join('; ')) || 'on request';
}

function ends({ definition }: AutomationEntry): string | undefined {
  const all = (definition.disableConditions ?? []).map((condition) =>
    condition.kind === 'afterRuns' ? `after ${condition.max} runs` : `at ${condition.date}`,
  );
  return all.length > 0 ? all.join(', ') : undefined;
}

function origin({ origin: from }: AutomationRunSummary): string {
  if (from.kind === 'manual') return 'request';
  if (from.event) return 'event';
  return from.catchUp ? 'schedule, late' : 'schedule';
}

function shortTime(iso: string | undefined): string {
  return iso === undefined ? '' : plainLine(`${iso.slice(0, 16).replace('T', ' ')}Z`);
}

function dimmedHead(cell: string, _column: number, row: number): string {
  return row < 0 ? colour.dim(cell) : cell;
}
