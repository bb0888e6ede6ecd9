import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

/** A person's first minutes: nothing is set up, and whatever they type says what to do next. */
let world: CliWorld;
beforeAll(() => {
  world = new CliWorld();
});
afterAll(() => world.end());

const home = () => ({ env: { HOME: world.folder } });

describe('on a machine without anything', () => {
  it('moorage alone says what there is, and where to begin', async () => {
    const { code, out } = await world.moorageWith(home());
    expect(code).toBe(0);
    expect(out).toContain('moorage host start --root .            start a host in the background');
  });

  it.each([[['ls']], [['run', 'Hello']], [['agents']], [['show']]])(
    '%j says that no host runs, and starts none',
    async (args) => {
      const { code, out, err } = await world.moorageWith(home(), ...args);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`no host is running (looked in ${world.dataDir})\nStart one with: moorage host start\n`);
      expect(existsSync(world.dataDir)).toBe(false);
    },
  );

  it('doctor says the same, and what is there', async () => {
    const { code, out } = await world.moorageWith(home(), 'doctor');
    expect(code).toBe(1);
    expect(out).toMatch(/^ok +node/m);
    expect(out).toMatch(/host +.*no host is running[\s\S]*fix:.*moorage host start/);
  });

  it('serve says of a folder and of a configuration that are not there which they are', async () => {
    const nowhere = join(world.folder, 'nowhere');
    const root = await world.moorageWith(home(), 'serve', '--port', '0', '--root', nowhere);
    expect(root).toMatchObject({ code: 2, err: expect.stringContaining(nowhere) });
    const config = await world.moorageWith(home(), 'serve', '--port', '0', '--config', nowhere);
    expect(config).toMatchObject({ code: 2, err: expect.stringContaining('there is no such file') });
  });
});

describe('with the first host', () => {
  beforeAll(async () => {
    expect((await world.moorageWith(home(), 'host', 'start', '--root', '.', '--port', '0')).out).toMatch(
      /^started: ws:\/\/127\.0\.0\.1:\d+\/ .*\nlog: /,
    );
  }, 60_000);
  afterAll(() => world.moorage('host', 'stop'));

  it('says of every agent whether it can be used, and the one command that helps', async () => {
    const { out } = await world.moorageWith(home(), 'agents');
    expect(out).toMatch(/^demo +ready/m);
    expect(out).toMatch(/^auggie +not installed +Auggie\n +npm install --global @augmentcode\/auggie$/m);
  });

  it('a second one says which process has the data folder', async () => {
    const again = await world.moorageWith(home(), 'serve', '--port', '0');
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/process \d+/) });
  });

  it('has no sessions, and says how to begin one', async () => {
    const { code, err } = await world.moorageWith(home(), 'ls');
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('moorage run') });
  });

  it('an unknown agent is answered with those that there are', async () => {
    const { code, err } = await world.moorageWith(home(), 'run', '--agent', 'clod', 'Hello');
    expect(code).not.toBe(0);
    expect(err).toContain('demo');
  });

  it('the first message is answered, and the session is found again', async () => {
    expect(await world.moorageWith(home(), 'run', '--yes', '/title First\n/say Hello')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Hello'),
    });
    expect((await world.moorageWith(home(), 'ls')).out).toContain('First');
    expect((await world.moorageWith(home(), 'show', 'First')).out).toMatch(/agent +demo/);
  });
});
