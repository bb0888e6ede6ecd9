import { describe, expect, it } from 'vitest';
import { notHere, Tiers, Unanswerable } from '../../src/adapters/workspace-git/tiers.js';
import { NO_TELEMETRY } from '../../src/ports/telemetry.js';
import { WorkspaceError } from '../../src/ports/workspace.js';

function asked() {
  const counts: string[] = [];
  const errors: string[] = [];
  const tiers = new Tiers({
    telemetry: {
      ...NO_TELEMETRY,
      isOn: true,
      count: (name, _amount, { 'workspace.tier': tier, 'workspace.reason': reason } = {}) =>
        counts.push([name.replace('ahp.workspace.', ''), tier, reason].filter(Boolean).join(' ')),
    },
    log: { write: (level, message) => errors.push(`${level} ${message}`) },
  });
  const last = { name: 'git', answer: async () => 'said by git' };
  const first = (answer: () => Promise<string>, signal?: AbortSignal) =>
    tiers.first<string>('compare', [{ name: 'quick', answer }], last, signal);
  return { counts, errors, first, tiers, last };
}

describe('of the tiers that may answer', () => {
  it('the first that has an answer gives it, and is counted', async () => {
    const { first, counts } = asked();
    expect(await first(async () => 'said at once')).toBe('said at once');
    expect(counts).toEqual(['answers quick']);
  });

  it('one that has none says why, and the next is asked', async () => {
    const { tiers, last, counts, errors } = asked();
    const quick = { name: 'quick', answer: async () => notHere('too-many') };
    expect(await tiers.first<string>('compare', [quick], last)).toBe('said by git');
    expect([counts, errors]).toEqual([['not_here quick too-many', 'answers git'], []]);
  });

  it.each([
    ['what the tier itself throws', new Unanswerable('submodule'), 'submodule'],
    ['a git that fails', new WorkspaceError('git failed'), 'git-failed'],
    ['a file that vanished', Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open' }), 'system-error'],
  ])('%s is a reason like others', async (_, error, reason) => {
    const { first, counts, errors } = asked();
    expect(await first(() => Promise.reject(error))).toBe('said by git');
    expect([counts, errors]).toEqual([[`not_here quick ${reason}`, 'answers git'], []]);
  });

  it('one that throws anything else is a bug: counted each time, logged once, and the next answers', async () => {
    const { first, counts, errors } = asked();
    const bug = () => Promise.reject(new TypeError('undefined is not a function'));
    expect([await first(bug), await first(bug)]).toEqual(['said by git', 'said by git']);
    const once = ['tier_failures quick', 'not_here quick tier-failed', 'answers git'];
    expect(counts).toEqual([...once, ...once]);
    expect(errors).toEqual([expect.stringContaining('error workspace.tier-failed')]);
  });

  it('none is asked after the call was aborted', async () => {
    const { first, counts } = asked();
    const abort = new AbortController();
    const cancelled = first(async () => {
      abort.abort();
      throw new WorkspaceError('git was cancelled');
    }, abort.signal);
    await expect(cancelled).rejects.toThrow('git was cancelled');
    expect(counts).toEqual([]);
  });
});
