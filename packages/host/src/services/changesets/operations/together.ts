import { basename } from 'node:path';
import type { InvokeChangesetOperationResult } from '@moorage/protocol';
import type { Ids } from '../../../ports/ids.js';
import { NothingToDo, OperationRefused } from '../refused.js';
import { undoneState } from '../undo-history.js';
import type { Job, Plan, Runner } from './job.js';
import { begin, carryOut, type Ground, type Prepared, perform, prepare } from './perform.js';
import { undoOf } from './undo.js';

/** What an operation is going to change in one folder. */
export interface PlannedIn {
  readonly ground: Ground;
  readonly id: string;
  readonly plan: Plan;
}

/**
 * Runs an operation in several folders. All of them plan first; if one refuses, nothing is changed anywhere. Folders where
 * there is nothing to do are left out, unless there is nothing to do at all.
 */
export async function runTogether(
  runner: Runner,
  jobs: readonly Job[],
  performAll: (plans: ReadonlyMap<Job, Plan>) => Promise<void>,
): Promise<InvokeChangesetOperationResult> {
  const plans = new Map<Job, Plan>();
  const refusals: unknown[] = [];
  const arrived = new Set<Job>();
  let decide = () => {};
  const performed = new Promise<void>((resolve, reject) => {
    decide = () => {
      const refusal = refusals.find((error) => !(error instanceof NothingToDo));
      if (refusal === undefined) performAll(plans).then(resolve, reject);
      else reject(refusal);
    };
  });
  performed.catch(() => undefined); // nobody waits for it if no folder has a plan
  const arrive = (job: Job) => {
    if (arrived.has(job)) return;
    arrived.add(job);
    if (arrived.size === jobs.length) decide();
  };
  const run = async (job: Job) => {
    const planned = (plan: Plan) => {
      plans.set(job, plan);
      arrive(job);
      return performed;
    };
    try {
      return (await runner({ ...job, perform: planned })).message ?? '';
    } catch (error) {
      if (!plans.has(job)) refusals.push(error);
      throw error;
    } finally {
      arrive(job);
    }
  };
  const results = await Promise.allSettled(jobs.map(run));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const reason = failed.find((error) => !(error instanceof NothingToDo)) ?? failed[0];
  if (reason !== undefined && (failed.length === jobs.length || !(reason instanceof NothingToDo))) throw reason;
  const said = results.map((result, index) => {
    const message = result.status === 'fulfilled' ? result.value : String((result.reason as Error).message);
    return `${basename(jobs[index]?.subject.folder ?? '')}: ${message}`;
  });
  return { message: said.join(' ') };
}

/**
 * Changes several folders, each as a step of its own history, which are done and undone together. All plans are stored
 * before anything is changed. If one cannot be carried out, those before it are taken back.
 */
export async function performTogether(all: readonly PlannedIn[], ids: Ids): Promise<void> {
  const [only] = all;
  if (!only) return;
  if (all.length === 1) return perform(only.ground, only.id, only.plan);
  const { changesets } = only.ground;
  const steps = all.map(({ ground: { folder }, id }) => ({ folder, id }));
  const inTurn = <T>({ workspace }: Ground, work: () => Promise<T>) => workspace.betweenCheckpoints(work);
  const prepared: { readonly ground: Ground; readonly prepared: Prepared }[] = [];
  for (const { ground, id, plan } of all) {
    const others = steps.filter((step) => step.id !== id);
    prepared.push({ ground, prepared: await inTurn(ground, () => prepare(ground, id, { ...plan, with: others })) });
  }
  for (const one of prepared) begin(one.ground, one.prepared);
  const done: typeof prepared = [];
  try {
    for (const one of prepared) {
      await inTurn(one.ground, () => carryOut(one.ground, one.prepared));
      done.push(one);
    }
  } catch (error) {
    for (const { prepared: left } of prepared.slice(done.length + 1)) changesets.journal.dropped(left.record);
    for (const { ground, prepared: one } of done.toReversed()) {
      await takeBack(ground, one.record.id, ids).catch(() => {
        const why = error instanceof Error ? error.message : String(error);
        throw new OperationRefused(`${why} What was done in ${ground.folder} before that stays; undo it there.`);
      });
    }
    throw error;
  } finally {
    for (const session of new Set(all.map(({ ground }) => ground.session))) changesets.changed(session);
  }
}

/** Undoes a step because another one of the same operation was not done. */
export async function takeBack(ground: Ground, id: string, ids: Ids): Promise<void> {
  const { journal } = ground.changesets;
  const record = journal.record(id);
  if (!record || undoneState(record) !== 'none') return;
  const { plan } = await undoOf(journal, ground.editor, record, {});
  await perform({ ...ground, operationId: 'undo' }, ids.next(), plan);
}
