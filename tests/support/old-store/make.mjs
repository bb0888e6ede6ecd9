// Makes tests/fixtures/store-0.4: a data folder as moorage kept it before version 1.0 of the protocol became its own,
// and what that host showed of it (a line about all, then one for each session). It has been run with the built checkout
// of commit e8911792, the last such one:
//
//   git worktree add /tmp/old e8911792 && (cd /tmp/old && npm ci && npm run build)
//   node tests/support/old-store/make.mjs /tmp/old
//
// The store is that of a killed host: some turns wait for the user, one runs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { makePlace, PLACE, paths } from './place.mjs';
import { hashedIds, record } from './record.mjs';
import { finishedScenes, openScenes } from './scenes.mjs';
import { startHost, Wire } from './wire.mjs';

const [checkout] = process.argv.slice(2);
if (!checkout) throw new Error('usage: node make.mjs CHECKOUT (built, of commit e8911792)');
const fixture = fileURLToPath(new URL('../../fixtures/store-0.4/', import.meta.url));

makePlace();
await withHost('stop', finishedScenes);
await withHost('kill', openScenes);
dropWhatIsNotKept();
mkdirSync(fixture, { recursive: true });
execFileSync('tar', ['--create', '--gzip', '--file', `${fixture}folder.tar.gz`, '--owner=0', '--group=0', '.'], {
  cwd: PLACE,
});
await withHost('kill', async (wire) => {
  const { sessions, ...others } = await record(wire);
  const lines = [{ place: PLACE, hashed: hashedIds(sessions), ...others }, ...Object.values(sessions)];
  writeFileSync(`${fixture}expected.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
});
rmSync(PLACE, { recursive: true });

async function withHost(end, work) {
  const host = await startHost(checkout, paths);
  const wire = await Wire.connect(host, 'old-client');
  await work(wire);
  await host[end]();
}

/** The token, and what names this machine or a process on it. */
function dropWhatIsNotKept() {
  const { data, project } = paths;
  const names = ['token', 'host.json', 'host.pid', 'host.lock', 'host.lock-journal', 'shells', 'workspaces/in-use'];
  const unkept = names.map((name) => `${data}/${name}`);
  const examples = readdirSync(`${data}/workspaces`).map((workspace) => `${data}/workspaces/${workspace}/hooks`);
  const worktrees = readdirSync(`${project}/.git/worktrees`).map((name) => `${project}/.git/worktrees/${name}`);
  const reflogs = [`${project}/.git`, ...worktrees].map((folder) => `${folder}/logs`);
  for (const path of [...unkept, ...examples, ...reflogs]) rmSync(path, { recursive: true, force: true });
  const { DatabaseSync } = createRequire(`${checkout}/packages/host/package.json`)('@photostructure/sqlite');
  const database = new DatabaseSync(`${data}/store.sqlite`);
  database.exec("DELETE FROM documents WHERE collection = 'openIn'; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
