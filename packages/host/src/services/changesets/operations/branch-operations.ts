import type { CheckCounts } from '../../../ports/user-repository.js';
import { baseBranchOf } from '../base-branch.js';
import { OperationRefused } from '../refused.js';
import type { Runner } from './job.js';
import { branchName, describeSession } from './session-text.js';

export const createBranch: Runner = async ({ editor, subject, changesets }) => {
  const name = await editor.repository.createBranch(branchName(subject.session.state));
  changesets.changed(subject.session.uri);
  return { message: `Created the branch ${name}; it is checked out.` };
};

export const mergeBack: Runner = async ({ editor, subject, changesets }) => {
  const base = await editor.repository.mergeBack(await baseOf(subject));
  changesets.changed(subject.session.uri);
  return { message: `Merged into ${base}.` };
};

export const push: Runner = async ({ editor, subject, changesets }) => {
  const { remote, branch } = await editor.repository.push();
  changesets.changed(subject.session.uri);
  return { message: `Pushed ${branch} to ${remote}.` };
};

/** Opens a pull request; if one is open already, changes it and says how its checks stand. */
export const createPullRequest: Runner = async ({ editor, subject, context, pullRequest = {} }) => {
  const { subject: title, body } = describeSession(subject.session.state, context.door);
  const wishes = { ...pullRequest, suggested: { title, body } };
  const { url: uri, isNew, checks } = await editor.repository.createPullRequest(await baseOf(subject), wishes);
  const message = isNew ? `Opened ${uri}` : `Updated ${uri}.${checks ? ` ${describeChecks(checks)}` : ''}`;
  return { message, followUp: { content: { uri }, external: true } };
};

function describeChecks({ passed, failed, pending }: CheckCounts): string {
  if (passed + failed + pending === 0) return 'It has no checks.';
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, pending > 0 && `${pending} not done yet`];
  return `Checks: ${counts.filter(Boolean).join(', ')}.`;
}

async function baseOf({ session, workspace }: Parameters<Runner>[0]['subject']): Promise<string> {
  const { baseBranch } = await workspace.describe({ freshness: 'exact', baseBranch: baseBranchOf(session) });
  if (baseBranch === undefined) throw new OperationRefused('There is no base branch.');
  return baseBranch;
}
