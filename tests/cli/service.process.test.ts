import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemdUnit } from '../../packages/cli/src/client/service/definition.js';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
afterEach(() => world.end());

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const unitFile = () => join(world.folder, 'config', 'systemd', 'user', 'moorage.service');

/** Puts a `systemctl` first in PATH that notes how it is called: there is no systemd in which a test may start services. */
function recordCalls(): () => string[] {
  const log = join(world.folder, 'calls');
  const script = `#!/bin/sh\necho "$@" >> "${log}"\ncase "$*" in *is-active*) echo active;; esac\n`;
  writeFileSync(join(world.folder, 'bin', 'systemctl'), script, { mode: 0o755 });
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
}

/** What systemd's own parser says of a unit; nothing if it is right. */
function verify(text: string): string {
  const file = join(world.folder, 'verified', 'moorage.service');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const { stderr } = spawnSync('systemd-analyze', ['--user', '--man=no', 'verify', file], {
    encoding: 'utf8',
    env: { ...process.env, XDG_RUNTIME_DIR: world.folder },
  });
  return stderr
    .split('\n')
    .filter((line) => line.includes('moorage.service'))
    .join('\n');
}

describe.runIf(process.platform === 'linux')('moorage service', () => {
  it('installs a unit that only the user can read, says how it is, and removes it', async () => {
    const calls = recordCalls();
    const { code, out } = await world.moorage('service', 'install', '--port', '0');
    expect([code, out]).toEqual([0, expect.stringContaining(unitFile())]);
    expect(calls()).toEqual([
      '--user daemon-reload',
      '--user enable moorage.service',
      '--user restart moorage.service',
    ]);
    expect(statSync(unitFile()).mode & 0o777).toBe(0o600);
    const text = readFileSync(unitFile(), 'utf8');
    expect(text).toContain(`"--root" "${world.work}" "--port" "0"`);
    if (hasSystemd) expect(verify(text)).toBe('');

    expect(JSON.parse((await world.moorage('service', 'status', '--json')).out)).toMatchObject({ state: 'active' });
    expect((await world.moorage('service', 'uninstall')).code).toBe(0);
    expect(calls().slice(-2)).toEqual(['--user disable --now moorage.service', '--user daemon-reload']);
    expect(existsSync(unitFile())).toBe(false);
    expect(await world.moorage('service', 'status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('not installed'),
    });
  });

  it('leaves nothing behind where systemd refuses, and says what to do instead', async () => {
    writeFileSync(join(world.folder, 'bin', 'systemctl'), '#!/bin/sh\necho "Failed to connect to bus" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const { code, err } = await world.moorage('service', 'install');
    expect(code).toBe(1);
    expect(err).toMatch(/Failed to connect to bus.*moorage host start/s);
    expect(existsSync(unitFile())).toBe(false);
  });

  it('does not touch a unit that somebody else wrote', async () => {
    const calls = recordCalls();
    mkdirSync(dirname(unitFile()), { recursive: true });
    writeFileSync(unitFile(), '[Service]\nExecStart=/bin/true\n');
    for (const verb of ['install', 'uninstall']) {
      const { code, err } = await world.moorage('service', verb);
      expect([code, err]).toEqual([1, expect.stringContaining('was not written by')]);
    }
    expect(readFileSync(unitFile(), 'utf8')).toBe('[Service]\nExecStart=/bin/true\n');
    expect(calls()).toEqual([]);
  });

  it('wants no second host beside one that runs', async () => {
    recordCalls();
    await world.serve();
    const { code, err } = await world.moorage('service', 'install');
    expect([code, err]).toEqual([1, expect.stringContaining('moorage host stop')]);
  });

  it('runs the command that the unit names, whatever is in its paths', () => {
    const command = [process.execPath, '/a b/$HOME/100%/"quoted"\\back.js', 'serve'];
    const text = systemdUnit({ command, path: '/usr/bin:/with space' });
    expect(text).toContain('"/a b/$$HOME/100%%/\\"quoted\\"\\\\back.js"');
    expect(text).toContain('Environment="PATH=/usr/bin:/with space"');
    if (hasSystemd) expect(verify(text)).toBe('');
    expect(() => systemdUnit({ command: ['/x\nExecStartPre=/bin/evil'], path: '' })).toThrow('cannot be used');
  });
});
