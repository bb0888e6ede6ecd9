import { baseBranchOf } from '../base-branch.js';
import { OperationRefused } from '../refused.js';
import type { Runner } from './job.js';
import { branchName, describeSession } from './session-text.js';

export const createBranch: Runner = async ({ editor, subject, changesets }) => {
  const name = await editor.repository.createBranch(branchName(subject.session.state));
  await changesets.changed(subject);
  return { message: `Created the branch ${name}; it is checked out.` };
};

export const mergeBack: Runner = async ({ editor, subject, changesets }) => {
  const base = await editor.repository.mergeBack(await baseOf(subject));
  await changesets.changed(subject);
  return { message: `Merged into ${base}.` };
};

export const push: Runner = async ({ editor, subject, changesets }) => {
  const { remote, branch } = await editor.repository.push();
  await changesets.changed(subject);
  return { message: `Pushed ${branch} to ${remote}.` };
};

export const createPullRequest: Runner = async ({ editor, subject, context }) => {
  const { subject: title, body } = describeSession(subject.session.state, context.door);
  const uri = await editor.repository.createPullRequest(await baseOf(subject), title, body);
  return { message: `Opened ${uri}`, followUp: { content: { uri }, external: true } };
};

async function baseOf({ session, workspace }: Parameters<Runner>[0]['subject']): Promise<string> {
  const { baseBranch } = await workspace.describe({ freshness: 'exact', baseBranch: baseBranchOf(session) });
  if (baseBranch === undefined) throw new OperationRefused('There is no base branch.');
  return baseBranch;
}
