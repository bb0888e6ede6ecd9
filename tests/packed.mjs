// Packs every package as it would be published, installs `moorage` alone in an empty folder and uses it from there; then the
// libraries: runs the examples of their READMEs, and compiles and runs examples/embedded.ts. Needs the package registry.  npm run test:packed
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'moorage-packed-'));
try {
  const tarballs = packAll();
  await useTheProgram(tarballs);
  useTheLibraries(tarballs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function packAll() {
  const made = {};
  for (const name of readdirSync(packages)) {
    const [{ filename, files }] = packed(join(packages, name));
    const paths = files.map(({ path }) => path);
    for (const needed of ['package.json', 'README.md', 'LICENSE']) {
      assert.ok(paths.includes(needed), `${name}: the package lacks ${needed}`);
    }
    const odd = paths.filter((path) => /(^|\/)(test|tests|src)\/|tsbuildinfo/.test(path));
    assert.deepEqual(odd, [], `${name}: what users do not need`);
    made[name] = join(folder, filename);
    say(`${name}: ${paths.length} files`);
  }
  return made;
}

function packed(cwd) {
  const output = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], cwd));
  return Array.isArray(output) ? output : Object.values(output); // npm 12 says it by name
}

async function useTheProgram({ cli, web }) {
  const home = emptyPackage('program');
  run('npm', ['install', '--no-audit', '--no-fund', cli, web], home);
  const work = join(folder, 'work');
  mkdirSync(work);
  const host = spawn(
    'npx',
    ['--no-install', 'moorage', 'serve', '--port', '0', '--data-dir', join(folder, 'data'), '--root', work, '--json'],
    {
      cwd: home,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  try {
    const [line] = await once(createInterface({ input: host.stdout }), 'line');
    const { ready, url, web: page, token } = JSON.parse(line);
    assert.equal(ready, true);
    const html = await (await fetch(page)).text();
    const script = /<script[^>]+src="([^"]+)"/.exec(html)?.[1];
    assert.ok(script, 'the page has no script');
    assert.equal((await fetch(new URL(script, page))).status, 200);
    const env = { ...process.env, MOORAGE_HOST: url, MOORAGE_TOKEN: token };
    const flags = [
      '--no-install',
      'moorage',
      'run',
      '--yes',
      '--folder',
      work,
      '/write hello.txt Hello\n/run echo ran',
    ];
    const said = run('npx', flags, home, env);
    assert.equal(readFileSync(join(work, 'hello.txt'), 'utf8'), 'Hello');
    assert.match(said, /ran/);
    say('moorage serve and moorage run work from an empty folder');
  } finally {
    process.kill(-host.pid, 'SIGTERM');
    if (host.exitCode === null) await once(host, 'exit');
  }
}

function useTheLibraries({ protocol, client, host, agents }) {
  const home = emptyPackage('libraries');
  run('npm', ['install', '--no-audit', '--no-fund', protocol, client, host, agents], home);
  for (const name of ['protocol', 'host', 'agents']) {
    const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(packages, name, 'README.md'), 'utf8'))[1];
    writeFileSync(join(home, `${name}.mjs`), example);
    say(
      `${name}: ${run(process.execPath, [`${name}.mjs`], home)
        .trim()
        .replaceAll('\n', ' | ')}`,
    );
  }
  useTelemetryWithout(home);
  useTheTypes(home);
  useOtherRuntimes(home);
}

/** OpenTelemetry is an optional peer: it is not installed here, and a host that is given it says so and works. */
function useTelemetryWithout(home) {
  const program = `
    import { otelTelemetry } from '@moorage/host';
    const telemetry = otelTelemetry({ version: '1', log: { write: (level, _event, text, { error }) => console.log(level, text, error) } });
    telemetry.listen('logs', () => {});
    await telemetry.ready();
    await telemetry.close();`;
  writeFileSync(join(home, 'telemetry.mjs'), program);
  const said = run(process.execPath, ['telemetry.mjs'], home);
  assert.match(said, /starting telemetry failed.*Install the @opentelemetry peer dependencies/);
  say('a host without OpenTelemetry says what to install');
}

/** A TypeScript program under both ways in which compilers find types today, and then as what it compiles to. */
function useTheTypes(home) {
  run('npm', ['install', '--no-audit', '--no-fund', '@types/node@20'], home);
  writeFileSync(join(home, 'embedded.mts'), readFileSync(new URL('../examples/embedded.ts', import.meta.url)));
  const tsc = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--types', 'node', 'embedded.mts'];
  run(tsc, ['--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler', ...strict], home);
  run(tsc, ['--module', 'nodenext', ...strict], home);
  say(`embedded: ${run(process.execPath, ['embedded.mjs'], home).trim()}`);
}

/** What works in Bun and Deno, as docs/BUILD-A-HOST.md says. Both come from the registry. */
function useOtherRuntimes(home) {
  run('npm', ['install', '--no-audit', '--no-fund', 'bun@1', 'deno@2'], home);
  const program = 'tests/support/runtime-smoke.mjs';
  for (const file of [program, 'examples/agent/agent.mjs']) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), readFileSync(new URL(`../${file}`, import.meta.url)));
  }
  const bin = (name) => join(home, 'node_modules', '.bin', name);
  const runtimes = { node: [process.execPath], bun: [bin('bun')], deno: [bin('deno'), 'run', '-A'] };
  for (const [name, [command, ...args]] of Object.entries(runtimes)) {
    for (const kind of ['memory', 'sqlite', 'git']) {
      const smoke = spawnSync(command, [...args, program, kind], { cwd: home, encoding: 'utf8', timeout: 120_000 });
      if (name === 'bun' && kind === 'git') {
        assert.equal(smoke.status, 1, 'it ends, and does not hang');
        assert.match(smoke.stderr, /gitWorkspaces does not work in Bun/);
      } else assert.equal(smoke.stdout, 'complete You said: hello\n', `${name}, ${kind}: ${smoke.stderr}`);
    }
    say(
      `${name}: a host with a memory store, with SQLite${name === 'bun' ? '; git workspaces are refused' : ', with git workspaces'}`,
    );
  }
}

function emptyPackage(name) {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  return home;
}

function run(command, args, cwd, env = process.env) {
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
  });
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
