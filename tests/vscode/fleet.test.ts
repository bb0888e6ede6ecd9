import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet } from '../support/fleet/fleet.js';
import { CLICK, LONG, VscodeBench } from './support/bench.js';

describe.skipIf(missingEngines().length > 0)('a window at the address of a host behind a gateway', () => {
  let fleet: Fleet;
  let vscode: VscodeBench;
  beforeAll(async () => {
    fleet = new Fleet();
    vscode = await VscodeBench.start(async ({ workspace }) => {
      const gateway = await fleet.start();
      const host = await fleet.host('far', '--enrol', await fleet.invitation(), '--root', workspace);
      await vi.waitFor(() => fleet.client(gateway, `hosts/${host.ready.fleet}/`), LONG);
      return `${gateway.ready.url}hosts/${host.ready.fleet}/?tkn=${fleet.token}`;
    });
  });
  afterAll(async () => {
    await vscode?.end();
    await fleet.end();
  });

  it('makes a session, sends a message, approves a call and shows the answer, as at the host itself', async () => {
    await vscode.choose('Demo');
    await vscode.send('/write hello.txt Hello\n/say written from afar');
    await expect.poll(() => vscode.button(/^Allow/).count(), LONG).toBe(1);
    await vscode.button(/^Allow/).click(CLICK);
    await vscode.shows('written from afar');
    await vscode.idle();
    const file = join(vscode.workspace, 'hello.txt');
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('Hello');
    expect((await fleet.moorage('ls')).out).toMatch(/^far /m);
  });
});
