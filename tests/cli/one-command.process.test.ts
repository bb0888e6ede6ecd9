import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCommandLine } from '../../packages/cli/src/command-line.js';
import { CliWorld } from '../support/cli.js';

describe('what is typed after moorage', () => {
  it.each([
    ['ls --json', 'ls --json', false],
    ['--json ls --all', 'ls --json --all', false],
    ['--host work --json diff x', 'diff --host work --json x', false],
    ['--host=work ls', 'ls --host=work', false],
    ['--data-dir d serve --port 0', 'serve --data-dir d --port 0', true],
    ['help serve', 'help serve', true],
    ['help run', 'help run', false],
    ['--version', '--version', false],
    ['', '', false],
    ['run -- --host', 'run -- --host', false],
    ['--json host status', 'host status --json', false],
    ['--data-dir d host --json logs -n 5', 'host logs --data-dir d --json -n 5', false],
    ['--host work term --detach', 'term --host work --detach', false],
    ['--json term', 'term --json', false],
  ])('"%s" is read as "%s"', (typed, args, isForHost) => {
    const words = (text: string) => text.split(' ').filter((word) => word !== '');
    expect(readCommandLine(words(typed))).toEqual({ args: words(args), isForHost });
  });
});

describe('moorage', () => {
  let world: CliWorld;
  beforeEach(() => {
    world = new CliWorld();
  });
  afterEach(() => world.end());

  it('alone prints what there is, in groups', async () => {
    const { code, out, err } = await world.moorage();
    expect([code, err]).toEqual([0, '']);
    for (const group of ['Sessions', 'Turns', 'Changes', 'Terminals', 'Hosts and agents', 'Running a host'])
      expect(out).toContain(`\n${group}:\n`);
  });

  it('takes options before the command, and lists those of the command first', async () => {
    await world.serve();
    const before = await world.moorage('--data-dir', world.dataDir, '--json', 'ls');
    expect([before.code, JSON.parse(before.out)]).toEqual([0, []]);
    const { out } = await world.moorage('ls', '--help');
    expect(out.indexOf('--all ')).toBeLessThan(out.indexOf('--host'));
  });

  it('serve reads the configuration file of the user, which names hosts, too', async () => {
    await world.moorage('host', 'add', 'work', 'ws://127.0.0.1:1/');
    const file = join(world.folder, 'config', 'moorage', 'config.jsonc');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ "roots": 5,'));
    const { code, err } = await world.moorage('serve', '--port', '0');
    expect([code, err]).toEqual([2, expect.stringMatching(/config\.jsonc:\d+: roots: expected a list of strings/)]);
  });
});
