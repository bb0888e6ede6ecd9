// Packs every package as it would be published, installs `moorage` alone in an empty folder and uses it from there; then the
// libraries: holds their pages against them, runs the examples, and compiles and runs examples/embedded.ts. Needs the package registry.  npm run test:packed
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
    assertSources(join(packages, name), paths);
    const odd = paths.filter((path) => /(^|\/)(test|tests|src)\/|tsbuildinfo/.test(path));
    assert.deepEqual(odd, [], `${name}: what users do not need`);
    made[name] = join(folder, filename);
    say(`${name}: ${paths.length} files`);
  }
  return made;
}

/** A debugger shows sources, which are not in the package otherwise. */
function assertSources(folder, paths) {
  for (const path of paths.filter((each) => each.endsWith('.js.map'))) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    assert.equal(sourcesContent?.length, sources.length, `${path} has no sources`);
  }
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
    const about = readFileSync(join(home, 'node_modules/moorage/README.md'), 'utf8');
    const commands = [...about.matchAll(/(?:npx |`)moorage ([a-z]+)/g)].map(([, command]) => command);
    for (const command of new Set(commands)) run('npx', ['--no-install', 'moorage', command, '--help'], home);
    say(`the page of moorage names ${new Set(commands).size} commands, and they are there`);
  } finally {
    process.kill(-host.pid, 'SIGTERM');
    if (host.exitCode === null) await once(host, 'exit');
  }
}

function useTheLibraries({ protocol, client, host, agents }) {
  const home = emptyPackage('libraries');
  run('npm', ['install', '--no-audit', '--no-fund', protocol, client, host, agents], home);
  const pageOf = (name) => readFileSync(join(home, 'node_modules/@moorage', name, 'README.md'), 'utf8');
  for (const name of ['protocol', 'client', 'host', 'agents']) holdThePage(home, name, pageOf(name));
  for (const name of ['protocol', 'host', 'agents']) {
    const example = /```js\n([\s\S]*?)```/.exec(pageOf(name))[1];
    writeFileSync(join(home, `${name}.mjs`), example);
    say(
      `${name}: ${run(process.execPath, [`${name}.mjs`], home)
        .trim()
        .replaceAll('\n', ' | ')}`,
    );
  }
  useTheSuites(home, pageOf('host'));
  useTelemetryWithout(home);
  useTheTypes(home);
  useOtherRuntimes(home);
}

/** What a page imports can be imported, and the names in its tables are those of the package. */
function holdThePage(home, name, page) {
  const declared = declarationsOf(join(home, 'node_modules/@moorage'));
  const names = [...page.matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?=[`(])/g)].map(([, word]) => word);
  const missing = [...new Set(names)].filter(
    (word) => word !== 'useSyncExternalStore' && !new RegExp(`\\b${word}\\b`).test(declared),
  );
  assert.deepEqual(missing, [], `@moorage/${name}: the page names what no package has`);
  const imports = [...page.matchAll(/^import \{[^}]*\} from '(@moorage\/[^']+)'/gm)].map(([, from]) => from);
  const entries = [...imports, ...[...page.matchAll(/`(@moorage\/[a-z]+\/[a-z]+)`/g)].map(([, entry]) => entry)];
  const resolve = `for (const entry of ${JSON.stringify(entries)}) import.meta.resolve(entry)`;
  run(process.execPath, ['--input-type=module', '-e', resolve], home);
  say(`@moorage/${name}: its page names ${new Set(names).size} things that are there`);
}

function declarationsOf(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.d.ts'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

/** The contract suites, as the pages say: an agent's from docs/BUILD-AN-AGENT.md, a store's from the package's own page. */
function useTheSuites(home, page) {
  run('npm', ['install', '--no-audit', '--no-fund', '--save-dev', 'vitest', 'fast-check'], home);
  for (const file of ['agent.mjs', 'agent.test.mjs'])
    writeFileSync(join(home, file), readFileSync(new URL(`../examples/agent/${file}`, import.meta.url)));
  writeFileSync(join(home, 'store.test.mjs'), [...page.matchAll(/```js\n([\s\S]*?)```/g)][1][1]);
  const said = run(
    'npx',
    ['--no-install', 'vitest', 'run', '--reporter', 'json', 'agent.test.mjs', 'store.test.mjs'],
    home,
  );
  const { success, numPassedTests } = JSON.parse(said.slice(said.indexOf('{')));
  assert.ok(success && numPassedTests > 50, said);
  say(`the suites of an agent and a store: ${numPassedTests} tests`);
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
      assert.notEqual(smoke.error?.code, 'ETIMEDOUT', `${name}, ${kind}: it said ${smoke.stdout}and does not end`);
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
