import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry, FLEET_TABLES, migrate, openPostgres } from '@moorage/fleet';
import { freePort, postgresPrograms } from './engines.mjs';

/** A server with its usual settings, started when it is first asked for an empty database. */
export function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-postgres-'));
  const [data, programs, as] = [join(folder, 'data'), postgresPrograms(), unprivileged()];
  let child;
  let url;
  let databases = 0;
  const start = async () => {
    if (as) chownSync(folder, as.uid, as.gid);
    const settings = ['-U', 'moorage', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-D', data];
    execFileSync(join(programs, 'initdb'), settings, { stdio: 'pipe', cwd: folder, ...as });
    const port = await freePort();
    const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
    child = spawn(join(programs, 'postgres'), options, { stdio: 'ignore', cwd: folder, detached: true, ...as });
    url = `postgres://moorage@127.0.0.1:${port}`;
    for (const database = openPostgres({ url: `${url}/postgres` }); ; ) {
      const isUp = await database.query('select 1').catch(() => undefined);
      if (isUp) return database.close();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return {
    /** The address of a new database. */
    create: async () => {
      if (!child) await start();
      const name = `bench${databases++}`;
      const database = openPostgres({ url: `${url}/postgres` });
      await database.execute(`create database ${name}`);
      await database.close();
      return `${url}/${name}`;
    },
    end: () => {
      if (child?.pid) process.kill(-child.pid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** A database with the tables of a fleet, and some hosts. */
export async function fleetDatabase(postgres, hosts) {
  const database = openPostgres({ url: await postgres.create() });
  await migrate(database, FLEET_TABLES);
  const registry = createRegistry(database);
  const ids = [];
  for (let index = 0; index < hosts; index++) {
    const invitation = await registry.invite([], Date.now() + 60_000);
    ids.push((await registry.enrol({ ...invitation, name: `host ${index}`, publicKey: `key ${index}` })).host);
  }
  return { database, hosts: ids };
}

function unprivileged() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
