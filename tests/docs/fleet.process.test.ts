import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { missingEngines } from '../support/fleet/engines.js';
import { type PostgresServer, startPostgres } from '../support/fleet/postgres-server.js';
import { freePort } from '../support/free-port.js';

const page = readFileSync(new URL('../../docs/FLEET.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
const WAIT = { timeout: 30_000, interval: 100 };

describe.skipIf(missingEngines().length > 0)('the commands of docs/FLEET.md', () => {
  let world: CliWorld;
  const running: ChildProcess[] = [];
  let postgres: PostgresServer;
  beforeAll(async () => {
    world = new CliWorld();
    postgres = await startPostgres();
  });
  afterAll(async () => {
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    await postgres.end();
    await world.end();
  });

  it('work one after the other', async () => {
    const [bus, gateway] = [await freePort(), await freePort()];
    const env = { ...world.env, HOME: world.folder, STORE: postgres.url };
    const options = { env, cwd: world.work };
    const done: string[] = [];
    expect(blocks.length).toBeGreaterThan(7);
    for (const block of blocks) {
      const script = block.replaceAll('4222', String(bus)).replaceAll('7433', String(gateway));
      if (!block.includes('# leave it running')) {
        const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
          ...options,
          encoding: 'utf8',
        });
        expect([script, status, stderr]).toEqual([script, 0, expect.anything()]);
        done.push(stdout);
        continue;
      }
      running.push(spawn('bash', ['-c', script], { ...options, stdio: 'ignore', detached: true }));
      if (block.startsWith('nats-server')) await vi.waitFor(() => accepts(bus), WAIT);
      else if (block.startsWith('moorage gateway'))
        await vi.waitFor(() => expect(readFileSync(`${world.work}/gateway.log`, 'utf8')).toContain('Stop it'), WAIT);
      else await vi.waitFor(async () => expect((await list()).out).toMatch(/ here +now /), WAIT);
    }
    const all = done.join('\n');
    expect(all).toMatch(/Far away/);
    expect(all).toContain('1 of 1 hosts are there');
    expect(all).toContain('revoked alice');
    function list() {
      return world.moorageWith({ env }, 'fleet', 'ls');
    }
  });
});

function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
