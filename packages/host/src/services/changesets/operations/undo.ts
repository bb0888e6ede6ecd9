import type { FolderEditor } from '../../../ports/folder-editor.js';
import { isSameEntry } from '../index-entries.js';
import type { OperationJournal, OperationRecord } from '../journal.js';
import { OperationRefused } from '../refused.js';
import { summarize } from '../three-way.js';
import { COMMIT_PART } from '../undo-history.js';
import type { Plan, Runner } from './job.js';
import { backwards } from './perform.js';
import { type PlannedUndo, planUndo, type UndoPart } from './plan-undo.js';

/** Takes back what the newest operation on the changeset did in this folder, as far as no later change is in the way. */
export const undo: Runner = async ({ journal, subject, editor, perform }) => {
  const last = journal.last(subject.uri).find(({ folder }) => folder === subject.folder);
  if (!last) throw new OperationRefused('There is nothing to undo.');
  const { plan, message } = await undoOf(journal, editor, last, {});
  await perform(plan);
  return { message };
};

/** The plan that undoes a step or part of it. An undo is a step as well, and undoing it is a redo. */
export async function undoOf(
  journal: OperationJournal,
  editor: FolderEditor,
  record: OperationRecord,
  part: UndoPart,
): Promise<{ plan: Plan; message: string; left: readonly string[] }> {
  if (record.commit) return undoOfCommit(journal, editor, record, part);
  const views = record.channel === undefined ? [] : journal.of(record.channel).views.flatMap(({ changes }) => changes);
  const planned = await planUndo(editor, record, part, views);
  const { steps, index, covers, view, left } = planned;
  if (isNothing(planned)) throw nothingToUndo(journal, record, planned);
  const subject = journal.history.undoneStep(record);
  const label = subject ? subject.label : record.label;
  const isRedo = isRedoOf(journal, record);
  const done = `${nameOfStep(label)} ${isRedo ? 'redone' : 'undone'}${part.path === undefined ? '' : `: ${part.path}`}`;
  return {
    plan: {
      label: `the ${isRedo ? 'redo' : 'undo'} of ${label}`,
      steps,
      index,
      ...(view.length > 0 && { view }),
      undoes: record.id,
      covers,
    },
    message: left.length === 0 ? `${done}.` : `${done}, but not all of it: ${summarize(left)}.`,
    left,
  };
}

/** Takes a commit back, or makes it again: the branch and the index go where they were, the files stay. */
async function undoOfCommit(
  journal: OperationJournal,
  editor: FolderEditor,
  record: OperationRecord,
  { path }: UndoPart,
): Promise<{ plan: Plan; message: string; left: readonly string[] }> {
  const { commit, index = [], undone } = record;
  if (!commit || undone)
    throw new OperationRefused(`${record.label}: it has been undone already; nothing was changed.`);
  if (path !== undefined) throw new OperationRefused('A commit is undone as a whole; nothing was changed.');
  const { conflicted } = await editor.index.status({ freshness: 'exact' });
  const staged = index.filter((step) => !conflicted.has(step.path));
  const now = await editor.index.entries(staged.map((step) => step.path));
  const isRedo = isRedoOf(journal, record);
  const label = (journal.history.undoneStep(record) ?? record).label;
  const move = { ...commit, from: commit.to, to: commit.from };
  const undoing = `the ${isRedo ? 'redo' : 'undo'} of ${label}`;
  return {
    plan: {
      label: undoing,
      index: staged.filter((step) => isSameEntry(now.get(step.path), step.to)).map(backwards),
      head: {
        move,
        index: 'after',
        run: async () => {
          await editor.repository.moveHead(move);
          return { move, label: undoing };
        },
      },
      undoes: record.id,
      covers: { [COMMIT_PART]: true },
    },
    message: isRedo ? `${nameOfStep(label)} redone.` : `${nameOfStep(label)} undone; the files are as they were.`,
    left: [],
  };
}

/** "the revert of a.txt" at the beginning of a sentence: "Revert of a.txt". */
function nameOfStep(label: string): string {
  const name = label.replace(/^the /, '');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Whether undoing the step does again what another one had undone. */
export function isRedoOf(journal: OperationJournal, record: OperationRecord): boolean {
  const target = record.undoes === undefined ? undefined : journal.record(record.undoes);
  return record.undoes !== undefined && (target === undefined || !isRedoOf(journal, target));
}

function isNothing({ covers }: PlannedUndo): boolean {
  return Object.keys(covers).length === 0;
}

function nothingToUndo(journal: OperationJournal, record: OperationRecord, { left }: PlannedUndo): OperationRefused {
  if (left.length > 0 && left.every((problem) => problem.endsWith('has been committed since'))) {
    journal.forgetUndo(record);
    return new OperationRefused(`${record.label}: it has been committed since, so there is nothing to undo.`);
  }
  if (left.length > 0) return new OperationRefused(`Nothing was changed. ${summarize(left)}.`);
  return new OperationRefused(`${record.label}: it has been undone already; nothing was changed.`);
}
