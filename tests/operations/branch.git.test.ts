import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { run } from '../support/run-from-small-process.js';

let bench: ChangesBench;
let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-branches-')));
});
afterEach(async () => {
  await bench.dispose();
  rmSync(place, { recursive: true, force: true });
});

function identify(b: ChangesBench): void {
  b.git('config', 'user.name', 'Ada');
  b.git('config', 'user.email', 'ada@example.org');
  b.git('config', 'commit.gpgsign', 'false');
}

describe('in a repository', () => {
  beforeEach(async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.commit({ 'a.txt': 'one\n' });
        identify(b);
      },
    });
  });

  it('creates a branch named after the session, and another one beside it', async () => {
    await bench.turn('/title Größer & better: the "thing"!');
    const uri = bench.uri({ kind: 'branch' });
    bench.write('a.txt', 'two\n');
    expect((await bench.invoke(uri, 'create-branch')).message).toContain('moorage/gro-er-better-the-thing');
    expect(bench.git('branch', '--show-current').trim()).toMatch(/^moorage\/gro.*-thing$/);
    expect(bench.read('a.txt')).toBe('two\n');
    await bench.invoke(uri, 'create-branch');
    expect(bench.git('branch', '--show-current').trim()).toMatch(/thing-2$/);
  });

  it('says why there is nothing to push to, merge, or ask for', async () => {
    const uri = bench.uri({ kind: 'branch' });
    expect((await bench.operation(uri, 'push', 'disabled')).description).toBe('The repository has no remote.');
    expect((await bench.operation(uri, 'create-pr', 'disabled')).description).toBe('The repository has no remote.');
    const merge = await bench.operation(uri, 'merge-back', 'disabled');
    expect(merge.description).toBe('The session does not work in a work tree of its own.');
    expect((await bench.refused(uri, 'push')).code).toBe(-32600);
  });

  it('pushes, and never over what is there', async () => {
    const remote = join(place, 'remote.git');
    run('git', ['init', '-q', '--bare', '-b', 'main', remote]);
    bench.git('remote', 'add', 'origin', remote);
    const uri = bench.uri({ kind: 'branch' });
    await bench.operation(uri, 'push', 'idle');
    expect((await bench.operation(uri, 'create-pr', 'disabled')).description).toMatch(/base branch|No tool is known/);
    expect((await bench.invoke(uri, 'push')).message).toBe('Pushed main to origin.');
    const pushed = () => run('git', ['-C', remote, 'rev-parse', 'main']).toString();
    const first = pushed();
    expect(first).toBe(bench.git('rev-parse', 'main'));
    bench.git('commit', '-q', '--amend', '-m', 'another');
    const error = await bench.refused(uri, 'push');
    expect([error.code, error.message]).toEqual([-32603, expect.stringMatching(/rejected|non-fast-forward/)]);
    expect(pushed()).toBe(first);
  });

  it('is still compared with its base after it was pushed', async () => {
    const remote = join(place, 'remote.git');
    run('git', ['init', '-q', '--bare', '-b', 'main', remote]);
    bench.git('remote', 'add', 'origin', remote);
    bench.git('push', '-q', 'origin', 'main');
    bench.git('switch', '-q', '-c', 'topic/one', '--track', 'main');
    const uri = bench.uri({ kind: 'branch' });
    bench.commit({ 'b.txt': 'new\n' });
    await bench.changeset(uri, ({ files }) => files.length === 1);
    await bench.invoke(uri, 'push');
    expect(bench.git('rev-parse', '--abbrev-ref', '@{upstream}').trim()).toBe('origin/topic/one');
    bench.write('c.txt', 'more\n');
    await bench.changeset(uri, ({ files }) => files.length === 2);
    const { description = '' } = await bench.operation(uri, 'create-pr', 'disabled');
    expect(description).not.toContain('base branch');
  });

  it('opens a pull request with the tool of the forge, and says where it is', async () => {
    const remote = join(place, 'remote.git');
    run('git', ['init', '-q', '--bare', '-b', 'main', remote]);
    bench.git('remote', 'add', 'origin', 'https://github.com/ada/thing.git');
    bench.git('config', `url.${remote}.pushInsteadOf`, 'https://github.com/ada/thing.git');
    bench.git('switch', '-q', '-c', 'topic');
    const uri = bench.uri({ kind: 'branch' });
    const path = process.env.PATH;
    const tools = join(place, 'tools');
    mkdirSync(tools);
    const missing = await bench.operation(uri, 'create-pr', 'disabled');
    expect(missing.description).toContain('Install "gh"');
    writeFileSync(
      join(tools, 'gh'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > "${join(place, 'asked')}"\necho https://github.com/ada/thing/pull/7\n`,
    );
    chmodSync(join(tools, 'gh'), 0o755);
    process.env.PATH = `${tools}${delimiter}${path}`;
    try {
      const { followUp } = await bench.invoke(uri, 'create-pr');
      expect(followUp).toEqual({ content: { uri: 'https://github.com/ada/thing/pull/7' }, external: true });
      const asked = readFileSync(join(place, 'asked'), 'utf8');
      expect(asked).toContain('--base\nmain\n--head\ntopic');
      expect(run('git', ['-C', remote, 'branch', '--list']).toString()).toContain('topic');
    } finally {
      process.env.PATH = path;
    }
  });

  it.each([
    [
      'gh',
      'github.com',
      '{"url":"https://github.com/ada/thing/pull/7","state":"OPEN","statusCheckRollup":[{"conclusion":"SUCCESS"},{"conclusion":"FAILURE"},{"conclusion":"","status":"IN_PROGRESS"},{"state":"SUCCESS"}]}',
      ['pr create --title Mine --body All of it --base main --head topic --draft'],
      ['pr edit topic --title Better', 'pr ready topic'],
      'Checks: 2 passed, 1 failed, 1 not done yet.',
    ],
    [
      'glab',
      'gitlab.com',
      '{"web_url":"https://github.com/ada/thing/pull/7","state":"opened","head_pipeline":{"status":"running"}}',
      ['mr create --yes --title Mine --description All of it --target-branch main --source-branch topic --draft'],
      ['mr update topic --yes --title Better --ready'],
      'Checks: 0 passed, 1 not done yet.',
    ],
  ])(
    '%s gets title, body and draft, updates an open request, and tells its checks',
    async (tool, host, shown, created, updated, checks) => {
      const remote = join(place, 'remote.git');
      run('git', ['init', '-q', '--bare', '-b', 'main', remote]);
      bench.git('remote', 'add', 'origin', `https://${host}/ada/thing.git`);
      bench.git('config', `url.${remote}.pushInsteadOf`, `https://${host}/ada/thing.git`);
      bench.git('switch', '-q', '-c', 'topic');
      const uri = bench.uri({ kind: 'branch' });
      const path = process.env.PATH;
      const [tools, asked, isOpen] = [join(place, 'tools'), join(place, 'asked'), join(place, 'is-open')];
      mkdirSync(tools);
      // As the real tool: `view` fails while there is none, `create` makes one.
      writeFileSync(
        join(tools, tool),
        `#!/bin/sh\ncase "$2" in\nview) [ -e "${isOpen}" ] || exit 1; cat "${isOpen}";;\n*) echo "$*" >> "${asked}";;\nesac\n` +
          `if [ "$2" = create ]; then printf '%s' '${shown}' > "${isOpen}"; echo https://github.com/ada/thing/pull/7; fi\n`,
      );
      chmodSync(join(tools, tool), 0o755);
      process.env.PATH = `${tools}${delimiter}${path}`;
      const commands = () => readFileSync(asked, 'utf8').trim().split('\n');
      try {
        const draft = { 'moorage.title': 'Mine', 'moorage.body': 'All of it', 'moorage.draft': true };
        expect((await bench.invoke(uri, 'create-pr', undefined, draft)).message).toContain('Opened https://');
        expect(commands()).toEqual(created);
        rmSync(asked);
        const better = { 'moorage.title': 'Better', 'moorage.draft': false };
        const { message, followUp } = await bench.invoke(uri, 'create-pr', undefined, better);
        expect(message).toBe(`Updated https://github.com/ada/thing/pull/7. ${checks}`);
        expect(followUp?.external).toBe(true);
        expect(commands()).toEqual(updated);
        rmSync(asked);
        await bench.invoke(uri, 'create-pr'); // nobody's words are written over
        expect(() => commands()).toThrow('ENOENT');
        for (const wrong of [{ 'moorage.title': 'two\nlines' }, { 'moorage.body': 1 }, { 'moorage.draft': 'yes' }])
          expect((await bench.refused(uri, 'create-pr', undefined, wrong)).code).toBe(-32602);
      } finally {
        process.env.PATH = path;
      }
    },
  );
});

describe('in a work tree of its own', () => {
  let main: string;
  const inMain = (...args: string[]) => run('git', ['-C', main, ...args]).toString();

  beforeEach(async () => {
    main = join(place, 'main');
    const tree = join(place, 'tree');
    run('git', ['init', '-q', '-b', 'main', main]);
    for (const [key, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.org'],
      ['commit.gpgsign', 'false'],
    ])
      inMain('config', key ?? '', value ?? '');
    writeFileSync(join(main, 'a.txt'), 'one\n');
    inMain('add', '.');
    inMain('commit', '-q', '-m', 'start');
    inMain('worktree', 'add', '-q', '-b', 'topic', tree);
    bench = await ChangesBench.start({ workspace: tree });
  });

  it('merges the branch back where its base is checked out', async () => {
    const uri = bench.uri({ kind: 'branch' });
    bench.write('a.txt', 'two\n');
    const waits = await bench.operation(uri, 'merge-back', 'disabled');
    expect(waits.description).toBe('There are changes that are not committed.');
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'commit', undefined, { 'moorage.what': 'all' });
    expect((await bench.invoke(uri, 'merge-back')).message).toBe('Merged into main.');
    expect(inMain('show', 'main:a.txt')).toBe('two\n');
    expect(readFileSync(join(main, 'a.txt'), 'utf8')).toBe('two\n');
  });

  it('leaves both as they were when it conflicts', async () => {
    bench.write('a.txt', 'two\n');
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'commit', undefined, { 'moorage.what': 'all' });
    writeFileSync(join(main, 'a.txt'), 'other\n');
    inMain('commit', '-q', '-a', '-m', 'other');
    const head = inMain('rev-parse', 'main');
    const error = await bench.refused(bench.uri({ kind: 'branch' }), 'merge-back');
    expect(error.message).toContain('conflicts in a.txt');
    expect(inMain('rev-parse', 'main')).toBe(head);
    expect(inMain('status', '--porcelain')).toBe('');
  });

  it('leaves a merge alone that the user has not finished where the base is checked out', async () => {
    bench.write('b.txt', 'two\n');
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'commit', undefined, { 'moorage.what': 'all' });
    inMain('switch', '-q', '-c', 'other');
    writeFileSync(join(main, 'a.txt'), 'theirs\n');
    inMain('commit', '-q', '-a', '-m', 'theirs');
    inMain('switch', '-q', 'main');
    writeFileSync(join(main, 'a.txt'), 'ours\n');
    inMain('commit', '-q', '-a', '-m', 'ours');
    const merge = ['merge', '-q', 'other'];
    const pick = ['cherry-pick', 'other'];
    for (const [command = '', ...args] of [merge, pick]) {
      expect(() => inMain(command, ...args), command).toThrow();
      writeFileSync(join(main, 'a.txt'), 'resolved with care\n');
      const error = await bench.refused(bench.uri({ kind: 'branch' }), 'merge-back');
      expect(readFileSync(join(main, 'a.txt'), 'utf8')).toBe('resolved with care\n');
      expect(error.message).toBe(`a ${command} is not finished in ${main}; finish or abort it first`);
      inMain(command, '--abort');
    }
    expect((await bench.invoke(bench.uri({ kind: 'branch' }), 'merge-back')).message).toBe('Merged into main.');
  });

  const commitInTree = async (files: Record<string, string>) => {
    for (const [path, content] of Object.entries(files)) bench.write(path, content);
    bench.git('add', '--force', '--all');
    bench.git('commit', '-q', '-m', 'topic');
    await bench.operation(bench.uri({ kind: 'branch' }), 'merge-back', 'idle');
  };
  const mergeRefused = async () => (await bench.refused(bench.uri({ kind: 'branch' }), 'merge-back')).message;
  const divergeMain = () => inMain('commit', '-q', '--allow-empty', '-m', 'meanwhile');

  it.each([
    ['local.env', 'local.env', 'a fast-forward', () => {}],
    ['local.env', 'local.env', 'a merge', divergeMain],
    ['build', 'build/new.txt', 'a merge', divergeMain],
    ['out/result', 'out', 'a merge', divergeMain],
  ])('leaves %s, which git ignores, when the branch has %s and it would be %s', async (path, added, _how, prepare) => {
    writeFileSync(join(main, '.git', 'info', 'exclude'), '*.env\nbuild\nout\n');
    mkdirSync(dirname(join(main, path)), { recursive: true });
    writeFileSync(join(main, path), 'mine\n');
    prepare();
    const head = inMain('rev-parse', 'main');
    await commitInTree({ [added]: 'theirs\n' });
    expect(await mergeRefused()).toContain(`${path} is in the way in ${main}`);
    expect(readFileSync(join(main, path), 'utf8')).toBe('mine\n');
    expect(inMain('rev-parse', 'main')).toBe(head);
    rmSync(join(main, path));
    expect((await bench.invoke(bench.uri({ kind: 'branch' }), 'merge-back')).message).toBe('Merged into main.');
    expect(readFileSync(join(main, added), 'utf8')).toBe('theirs\n');
  });

  it.each([['assume-unchanged'], ['skip-worktree']])('leaves a changed file that is marked %s', async (flag) => {
    writeFileSync(join(main, 'a.txt'), 'mine\n');
    inMain('update-index', `--${flag}`, 'a.txt');
    await commitInTree({ 'a.txt': 'theirs\n' });
    expect(await mergeRefused()).toContain(`a.txt is in the way in ${main}`);
    expect(readFileSync(join(main, 'a.txt'), 'utf8')).toBe('mine\n');
  });

  it('never puts conflict markers into a changed file, whatever the settings', async () => {
    inMain('config', 'merge.autoStash', 'true');
    inMain('config', 'branch.main.mergeOptions', '--autostash --no-commit');
    await commitInTree({ 'a.txt': 'theirs\n' });
    writeFileSync(join(main, 'a.txt'), 'mine\n');
    expect(await mergeRefused()).toContain('a.txt');
    expect(readFileSync(join(main, 'a.txt'), 'utf8')).toBe('mine\n');
    expect(inMain('stash', 'list')).toBe('');
    inMain('checkout', '-q', 'a.txt');
    divergeMain();
    expect((await bench.invoke(bench.uri({ kind: 'branch' }), 'merge-back')).message).toBe('Merged into main.');
    expect(inMain('status', '--porcelain')).toBe('');
    expect(inMain('show', 'main:a.txt')).toBe('theirs\n');
  });

  it('takes changes back in a linked work tree as anywhere', async () => {
    bench.write('a.txt', 'two\n');
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert');
    expect(bench.read('a.txt')).toBe('one\n');
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe('two\n');
  });
});
