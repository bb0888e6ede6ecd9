// SOAK_MINUTES=60 SOAK_CLIENTS=200 SOAK_SESSIONS=100 SOAK_JSON=FILE node bench/soak/run.mjs
import { writeFileSync } from 'node:fs';
import { connect } from '@moorage/client';
import { randomFrom } from '../lib/random.mjs';
import { Person } from './person.mjs';
import { startProbe } from './probe.mjs';
import { processFigures } from './process-figures.mjs';
import { openPlaces } from './sessions.mjs';
import { judge } from './verdict.mjs';
import { startWorld } from './world.mjs';

const minutes = setting('SOAK_MINUTES', 60);
const clients = setting('SOAK_CLIENTS', 200);
const sessions = setting('SOAK_SESSIONS', 100);
/** Seconds between two things that a client does: all together about fifty in a second. */
const pauseSeconds = setting('SOAK_PAUSE_SECONDS', 4);
/** Two who share a session get into each other's way: a session is replaced while somebody works in it. */
const MOST_FAILURES = 0.02;

const random = randomFrom(12);
const world = await startWorld();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await world.end(); // its host and a hundred agents would live on
    process.exit(1);
  });
const done = {};
const failures = {};
const samples = [];
let running = true;
try {
  const opener = await connect({ url: world.host.url, token: world.host.token });
  const places = await openPlaces(opener, world.folders, sessions);
  opener.close();
  const people = places.flatMap((place, index) =>
    Array.from(
      { length: Math.ceil((clients - index) / places.length) },
      () => new Person(world.host, places, place, random),
    ),
  );
  for (const person of people) await person.arrive();
  const probe = await startProbe(world.host);
  say(`${people.length} clients in ${places.length} sessions, ${minutes} minutes`);
  const living = people.map(live);
  await watch(probe);
  running = false;
  await probe.stop();
  await Promise.all(living);
  for (const person of people) person.leave();
} finally {
  await world.end();
}
report();

async function live(person) {
  while (running) {
    await new Promise((resolve) => setTimeout(resolve, random() * 2 * pauseSeconds * 1000));
    if (!running) return;
    try {
      const name = await person.act();
      done[name] = (done[name] ?? 0) + 1;
    } catch (error) {
      const name = `${error.name}: ${error.message}`.replaceAll(/[0-9a-f-]{36}/g, 'ID').slice(0, 120);
      failures[name] = (failures[name] ?? 0) + 1;
    }
  }
}

async function watch(probe) {
  const started = performance.now();
  const everyMs = Math.max(2000, minutes * 300); // two hundred samples, or as many as fit
  while (performance.now() - started < minutes * 60_000) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    if (world.host.ended) throw new Error(`the host has ended: ${world.host.ended}`);
    const sample = {
      seconds: (performance.now() - started) / 1000,
      ...processFigures(world.host.pid),
      ...probe.take(),
    };
    samples.push(sample);
    if (samples.length % 10 === 1) say(line(sample));
  }
}

function line({ seconds, memory, handles, threads, children, bareMs, pingMs, echoMs, longestMs }) {
  const times = `bare ${bareMs.toFixed(2)} ms, ping ${pingMs.toFixed(2)} ms, echo ${echoMs.toFixed(2)} ms, longest ${longestMs.toFixed(0)} ms`;
  return `${seconds.toFixed(0)} s: ${(memory / 1e6).toFixed(1)} MB, ${handles} handles, ${threads} threads, ${children} children, ${times}`;
}

function report() {
  const verdicts = judge(samples);
  const total = Object.values(done).reduce((sum, count) => sum + count, 0);
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  say(`\n${total} things done: ${JSON.stringify(done)}`);
  say(`${failed} failed: ${JSON.stringify(failures, undefined, 2)}`);
  for (const { name, verdict, text } of verdicts) say(`${name.padEnd(9)} ${verdict.padEnd(8)} ${text}`);
  if (process.env.SOAK_JSON)
    writeFileSync(process.env.SOAK_JSON, JSON.stringify({ minutes, done, failures, verdicts, samples }));
  const tooMany = failed > total * MOST_FAILURES;
  if (tooMany) say('too much failed');
  if (tooMany || verdicts.some(({ growing }) => growing)) process.exitCode = 1;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function setting(name, usual) {
  const value = Number(process.env[name] ?? usual);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}
