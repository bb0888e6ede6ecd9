// What is measured of each system; all of them in turn, round by round, so that whatever else the machine does falls on all.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../lib/fit.mjs';
import { acpAgents, startAlone } from './agents.mjs';
import { cpuOf, memoryOf, startModel } from './children.mjs';

/** `opencode` and `codex`: the goals for ours in relation to theirs; below 1 is better. */
export const ROWS = [
  { group: starts, name: 'cold start', goals: { opencode: 1, codex: 1.5 } },
  { group: starts, name: 'memory, idle', unit: 'bytes', goals: { opencode: 0.8, codex: 0.8 } },
  { group: starts, name: 'first turn after a start, until the first text', goals: { opencode: 1.3, codex: 1.3 } },
  { group: turns, name: 'a turn, until the first text', goals: { opencode: 0.5, codex: 0.5 } },
  { group: turns, name: 'a turn, until its end', goals: { opencode: 0.5, codex: 0.5 } },
  { group: turns, name: 'memory after 20 turns', unit: 'bytes', goals: { opencode: 0.8, codex: 0.8 } },
  { group: turns, name: 'memory, 10 sessions', unit: 'bytes', goals: { opencode: 0.8, codex: 0.8 } },
  { group: deltas, name: 'CPU for 2,000 deltas, 1 client', goals: { opencode: 0.8, codex: 0.8 } },
  { group: deltas, name: 'CPU for 2,000 deltas, 20 clients', goals: { opencode: 0.4, codex: 0.4 } },
  { group: deltas, name: 'bytes for 2,000 deltas, 1 client', unit: 'bytes', goals: { opencode: 0.5, codex: 0.5 } },
  { group: stored, name: 'list of 500 sessions, cold', goals: { opencode: 1, codex: 1 } },
  { group: stored, name: 'list of 500 sessions, warm', goals: { opencode: 1, codex: 1 } },
  { group: stored, name: 'open a session of 200 turns, cold', goals: { opencode: 1, codex: 1 } },
  { group: stored, name: 'open a session of 200 turns, warm', goals: { opencode: 1, codex: 1 } },
  { group: changes, name: 'from a message to its diff, 20,000 files', goals: { opencode: 1, codex: 1 } },
  { group: changes, name: 'diff after the end of the turn, 20,000 files', goals: { opencode: 1, codex: 1 } },
  { group: changes, name: 'revert, 20,000 files', goals: { opencode: 1 } },
  { group: changes, name: 'undo, 20,000 files', goals: { opencode: 1 } },
  { group: kills, name: 'back after kill -9, with the session open', goals: { opencode: 1, codex: 1 } },
  { group: kills, name: 'characters lost that a client had seen', unit: 'count', goals: { opencode: 1, codex: 1 } },
  { group: many, name: '50 sessions at once: time', goals: { opencode: 1, codex: 1 } },
  { group: many, name: '50 sessions at once: memory', unit: 'bytes', goals: { opencode: 1, codex: 1 } },
];

/** Measures a group once, for all its rows: what each system has, by the row's name. */
export function laboratory(systems, smoke) {
  const size = smoke ? SMOKE : FULL;
  const measured = new Map();
  return (group) => {
    if (!measured.has(group))
      measured.set(
        group,
        inLaboratory((context) => group({ ...context, systems, size })),
      );
    return measured.get(group);
  };
}

const FULL = {
  starts: 5,
  turns: 20,
  sessions: 10,
  deltas: 2000,
  deltaRounds: 3,
  clients: 20,
  stored: 500,
  long: 200,
  files: 20_000,
  changes: 3,
  kills: 3,
  atOnce: 50,
  agentTurns: 10,
};
const SMOKE = {
  starts: 1,
  turns: 2,
  sessions: 2,
  deltas: 50,
  deltaRounds: 1,
  clients: 2,
  stored: 3,
  long: 3,
  files: 20,
  changes: 1,
  kills: 1,
  atOnce: 2,
  agentTurns: 1,
};

async function inLaboratory(measure) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-peers-'));
  const model = await startModel();
  try {
    return await measure({ folder, model });
  } finally {
    await model.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function starts({ systems, size, folder, model }) {
  const found = samples();
  const places = placesOf(systems, folder, 5);
  for (let round = 0; round <= size.starts; round++)
    for (const system of systems) {
      const server = await system.start({ ...places.get(system), modelUrl: model.url });
      const client = await server.connect();
      const idle = memoryOf(server.pid);
      const { firstMs } = await client.say(await client.newSession(), 'pieces 20');
      if (round > 0) {
        // the first round makes what only a first start makes
        found.add('cold start', system, server.readyMs);
        found.add('memory, idle', system, idle);
        found.add('first turn after a start, until the first text', system, firstMs);
      }
      client.close();
      await server.stop();
    }
  return found.medians();
}

async function turns({ systems, size, folder, model }) {
  const found = samples();
  const running = await startAll(systems, folder, model, 5);
  const sessions = new Map();
  for (const { system, client } of running) {
    sessions.set(system, await client.newSession());
    await client.say(sessions.get(system), 'pieces 20');
  }
  for (let round = 0; round < size.turns; round++)
    for (const { system, client } of running) {
      const { firstMs, endMs } = await client.say(sessions.get(system), 'pieces 20');
      found.add('a turn, until the first text', system, firstMs);
      found.add('a turn, until its end', system, endMs);
    }
  for (const { system, server } of running) found.add('memory after 20 turns', system, memoryOf(server.pid));
  for (const { system, server, client } of running) {
    for (let count = 1; count < size.sessions; count++) await client.say(await client.newSession(), 'pieces 20');
    found.add('memory, 10 sessions', system, memoryOf(server.pid));
  }
  await stopAll(running);
  return found.medians();
}

async function deltas({ systems, size, folder, model }) {
  const found = samples();
  const running = await startAll(systems, folder, model, 5);
  const order = `pieces ${size.deltas}`;
  const cost = async ({ server, client }, session) => {
    const before = cpuOf(server.pid);
    await client.say(session, order);
    return cpuOf(server.pid) - before;
  };
  for (const each of running) {
    each.session = await each.client.newSession();
    await each.client.say(each.session, order);
  }
  for (let round = 0; round < size.deltaRounds; round++)
    for (const each of running) {
      const bytes = each.client.bytes();
      found.add('CPU for 2,000 deltas, 1 client', each.system, await cost(each, each.session));
      found.add('bytes for 2,000 deltas, 1 client', each.system, each.client.bytes() - bytes);
    }
  for (const each of running) {
    each.others = await Promise.all(Array.from({ length: size.clients - 1 }, () => each.server.connect()));
    for (const other of each.others) await other.follow(each.session);
  }
  for (let round = 0; round < size.deltaRounds; round++)
    for (const each of running) {
      const heard = each.others.map((other) => other.bytes());
      found.add('CPU for 2,000 deltas, 20 clients', each.system, await cost(each, each.session));
      if (each.others.some((other, index) => other.bytes() === heard[index]))
        throw new Error(`${each.system.name}: a client heard nothing`);
    }
  for (const each of running) for (const other of each.others) other.close();
  await stopAll(running);
  return found.medians();
}

async function stored({ systems, size, folder, model }) {
  const found = samples();
  let running = await startAll(systems, folder, model, 5);
  const long = new Map();
  const lengths = new Map();
  for (const { system, client } of running) {
    long.set(system, await client.newSession());
    for (let count = 0; count < size.long; count++) await client.say(long.get(system), 'pieces 20');
    for (let count = 1; count < size.stored; count++) await client.fill();
    lengths.set(system, size.long * 20 * 5);
  }
  const measure = async (how, { system, server }) => {
    const client = await server.connect();
    const began = performance.now();
    const listed = await client.list();
    const between = performance.now();
    const length = await client.open(long.get(system));
    found.add(`list of 500 sessions, ${how}`, system, between - began);
    found.add(`open a session of 200 turns, ${how}`, system, performance.now() - between);
    if (listed < size.stored) throw new Error(`${system.name} lists ${listed} of ${size.stored} sessions`);
    if (length < lengths.get(system))
      throw new Error(`${system.name} has ${length} of ${lengths.get(system)} characters`);
    client.close();
  };
  for (let round = 0; round < 3; round++) {
    await stopAll(running);
    running = await startAll(systems, folder, model, 5, { isUsed: true });
    for (const each of running) await measure('cold', each);
  }
  for (let round = 0; round < 5; round++) for (const each of running) await measure('warm', each);
  await stopAll(running);
  return found.medians();
}

async function changes({ systems, size, folder, model }) {
  const found = samples();
  const running = await startAll(systems, folder, model, size.files);
  for (let round = 0; round <= size.changes; round++)
    for (const { system, client } of running) {
      const session = await client.newSession();
      const file = `made-${round}.txt`;
      const began = performance.now();
      const ended = client.say(session, `write ${file}`);
      const shown = client.changes(session, file, ended).then(() => performance.now() - began);
      const { endMs } = await ended;
      const shownMs = await within(60_000, shown, `${system.name} shows no diff`);
      if (round > 0) {
        // the first round reads the folder
        found.add('from a message to its diff, 20,000 files', system, shownMs);
        found.add('diff after the end of the turn, 20,000 files', system, shownMs - endMs);
      }
      for (const [what, name] of [
        ['revert', 'revert, 20,000 files'],
        ['undo', 'undo, 20,000 files'],
      ]) {
        if (system.cannot?.[what]) found.cannot(name, system, system.cannot[what]);
        else {
          const start = performance.now();
          await client[what](session);
          if (round > 0) found.add(name, system, performance.now() - start);
        }
      }
    }
  await stopAll(running);
  return found.medians();
}

async function kills({ systems, size, folder, model }) {
  const found = samples();
  const places = placesOf(systems, folder, 5);
  for (let round = 0; round < size.kills; round++)
    for (const system of systems) {
      const at = { ...places.get(system), modelUrl: model.url };
      const server = await system.start(at);
      const client = await server.connect();
      const session = await client.newSession();
      let seen = 0;
      await new Promise((resolve, reject) => {
        client
          .say(session, 'slow 2000', (text) => {
            seen += text.length;
            if (seen >= 500) resolve();
          })
          .catch(reject);
      });
      await server.kill();
      client.close();
      const began = performance.now();
      const again = await system.start(at);
      const next = await again.connect();
      const length = await next.open(session).catch(() => 0);
      found.add('back after kill -9, with the session open', system, performance.now() - began);
      found.add('characters lost that a client had seen', system, Math.max(0, seen - length));
      next.close();
      await again.stop();
    }
  return found.medians();
}

async function many({ systems, size, folder, model }) {
  const found = samples();
  for (const system of systems) {
    const [each] = await startAll([system], folder, model, 5);
    await each.client.say(await each.client.newSession(), 'pieces 20');
    const sessions = [];
    for (let count = 0; count < size.atOnce; count++) sessions.push(await each.client.newSession());
    const began = performance.now();
    await Promise.all(sessions.map((session) => each.client.say(session, 'pieces 50')));
    found.add('50 sessions at once: time', system, performance.now() - began);
    found.add('50 sessions at once: memory', system, memoryOf(each.server.pid));
    await stopAll([each]);
  }
  return found.medians();
}

/** An agent under our host against the same agent alone: until the first text, and CPU of everything. */
export function hosted(ours, name, smoke) {
  const rounds = (smoke ? SMOKE : FULL).agentTurns;
  return inLaboratory(async ({ folder, model }) => {
    const work = join(folder, 'work');
    makeWork(work, 5);
    const start = (home) => acpAgents[name](join(folder, home), model.url);
    const alone = await startAlone(start('alone'), work);
    const agents = { agent: { type: 'acp', displayName: 'Agent', ...start('hosted') } };
    const server = await ours.start({ home: join(folder, 'ours'), work, modelUrl: model.url, agents });
    const client = await server.connect();
    const session = await client.newSession('agent');
    const sides = [
      { pid: alone.pid, say: () => alone.say('pieces 100'), first: [] },
      { pid: server.pid, say: () => client.say(session, 'pieces 100'), first: [] },
    ];
    for (const side of sides) await side.say();
    // Over all turns, with what is between them: agents go on working when a turn has ended.
    for (const side of sides) side.before = cpuOf(side.pid);
    for (let round = 0; round < rounds; round++) for (const side of sides) side.first.push((await side.say()).firstMs);
    for (const side of sides) side.cpu = (cpuOf(side.pid) - side.before) / rounds;
    client.close();
    await Promise.all([server.stop(), alone.stop()]);
    return sides.map(({ first, cpu }) => ({ first: median(first), cpu }));
  });
}

async function startAll(systems, folder, model, files, { isUsed = false } = {}) {
  const places = placesOf(systems, folder, isUsed ? 0 : files);
  const running = [];
  for (const system of systems) {
    const server = await system.start({ ...places.get(system), modelUrl: model.url });
    running.push({ system, server, client: await server.connect() });
  }
  return running;
}

async function stopAll(running) {
  for (const { server, client } of running) {
    client.close();
    await server.stop();
  }
}

/** A home and a repository for each system. */
function placesOf(systems, folder, files) {
  return new Map(
    systems.map((system) => {
      const [home, work] = ['home', 'work'].map((kind) => join(folder, `${system.name}-${kind}`));
      mkdirSync(home, { recursive: true });
      if (files > 0) makeWork(work, files);
      return [system, { home, work }];
    }),
  );
}

function makeWork(work, files) {
  mkdirSync(work, { recursive: true });
  for (let index = 0; index < files; index++) {
    if (index % 100 === 0) mkdirSync(join(work, `folder-${index / 100}`), { recursive: true });
    writeFileSync(join(work, `folder-${Math.floor(index / 100)}`, `file-${index}.txt`), `file ${index}\n`.repeat(20));
  }
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', ...args], { cwd: work });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'begin');
}

function samples() {
  const all = new Map();
  const of = (row, system) => {
    const key = `${row}\n${system.name}`;
    if (!all.has(key)) all.set(key, []);
    return all.get(key);
  };
  const reasons = new Map();
  return {
    add: (row, system, value) => void of(row, system).push(value),
    cannot: (row, system, why) => void reasons.set(`${row}\n${system.name}`, why),
    /** Of one system in one row: its median, or why there is none. */
    medians: () => (row, system) => {
      const why = reasons.get(`${row}\n${system.name}`);
      return why === undefined ? { value: median(of(row, system)) } : { cannot: why };
    },
  };
}

async function within(milliseconds, promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(what)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
