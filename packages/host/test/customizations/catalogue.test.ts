import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { nodeFiles } from '../../src/adapters/files-node/index.js';
import { nodeWatcher } from '../../src/adapters/watcher-node/index.js';
import { type FileReader, silentLog } from '../../src/ports/index.js';
import { Catalogue } from '../../src/services/customizations/catalogue.js';
import { ANYWHERE } from '../../src/services/customizations/scopes.js';
import { folderSource } from '../../src/services/customizations/sources/folder-source.js';
import { WORKSPACE_FOLDERS } from '../../src/services/customizations/sources/known-folders.js';
import { WatchedFiles } from '../../src/services/customizations/watched-files.js';

let base: string;
let reads: number;
let asked: string[];
let catalogue: Catalogue;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-catalogue-')));
  mkdirSync(join(base, 'work/.claude/skills/one'), { recursive: true });
  putSkill('work/.claude/skills/one', 'one');
  reads = 0;
  asked = [];
});
afterEach(() => {
  catalogue.close();
  rmSync(base, { recursive: true, force: true });
});

function open(watcher = nodeWatcher()): Promise<void> {
  const real = nodeFiles();
  const counted = <A extends [path: string, ...unknown[]], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      reads++;
      return noted(call)(...args);
    };
  };
  const noted = <A extends [path: string, ...unknown[]], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      asked.push(args[0]);
      return call(...args);
    };
  };
  const counting: FileReader = {
    ...real,
    read: counted(real.read),
    list: counted(real.list),
    describe: noted(real.describe),
  };
  const work = join(base, 'work');
  const files = new WatchedFiles(counting, work);
  const options = { files, base: work, scope: ANYWHERE, origin: 'workspace', mayWrite: async () => true } as const;
  const sources = WORKSPACE_FOLDERS.map((known) => folderSource(known, options));
  catalogue = new Catalogue({ sources, base: work, scope: ANYWHERE, files, watcher, clock: nodeClock, log: silentLog });
  return catalogue.ready;
}
function putSkill(folder: string, description: string): void {
  writeFileSync(join(base, folder, 'SKILL.md'), `---\nname: one\ndescription: ${description}\n---\nHow.\n`);
}
const described = () => JSON.stringify(catalogue.containers.map(({ entry }) => entry));
const linux = it.runIf(process.platform === 'linux');

describe('customizations that are looked for', () => {
  it('are not looked for below folders that are missing, each of which is looked at once in a round', async () => {
    await open();
    const below = (folder: string) => asked.filter((path) => path.startsWith(join(base, 'work', folder, '/')));
    for (const folder of ['.github', '.cursor', '.agents', '.claude/rules']) expect(below(folder)).toEqual([]);
    expect(below('.claude')).not.toEqual([]);
    expect(asked).not.toContain(join(base, 'work/.claude/skills/one')); // its folder was listed
    // Watched, read, and watched again for what has appeared meanwhile.
    expect(asked.filter((path) => path === join(base, 'work/.github'))).toHaveLength(3);
  });

  it('are found in folders that were missing before, however deep', async () => {
    await open();
    await catalogue.refresh();
    mkdirSync(join(base, 'work/.github/prompts/deep'), { recursive: true });
    writeFileSync(join(base, 'work/.github/prompts/deep/new.prompt.md'), 'Do it.');
    await catalogue.refresh();
    expect(described()).toContain('deep:new');
  });

  it('are found where a link outside leads back in', async () => {
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'work/.claude/skills'), join(base, 'elsewhere/skills'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'work/.agents'));
    await open();
    expect(described()).toContain('.agents/skills/one');
  });
});

describe('customizations that are refreshed for a turn', () => {
  linux('are not read again while nothing changed', async () => {
    await open();
    await catalogue.refresh(); // what was reported while everything was read for the first time
    reads = 0;
    for (let turn = 0; turn < 5; turn++) await catalogue.refresh();
    expect(reads).toBe(0);
  });

  it('have what was written just before', async () => {
    await open();
    for (let turn = 0; turn < 10; turn++) {
      putSkill('work/.claude/skills/one', `in turn ${turn}`);
      await catalogue.refresh();
      expect(described()).toContain(`in turn ${turn}`);
    }
    writeFileSync(join(base, 'work/AGENTS.md'), 'Be brief.');
    await catalogue.refresh();
    expect(described()).toContain('AGENTS.md');
  });

  it('have what was written where a link leads, which nobody watches', async () => {
    mkdirSync(join(base, 'elsewhere'));
    putSkill('elsewhere', 'linked');
    symlinkSync(join(base, 'elsewhere'), join(base, 'work/.claude/skills/two'));
    await open();
    expect(described()).toContain('linked');
    putSkill('elsewhere', 'changed');
    await catalogue.refresh();
    expect(described()).toContain('changed');
  });

  it('have what a link led to that led nowhere before', async () => {
    mkdirSync(join(base, 'elsewhere'));
    rmSync(join(base, 'work/.claude/skills/one/SKILL.md'));
    symlinkSync(join(base, 'elsewhere/SKILL.md'), join(base, 'work/.claude/skills/one/SKILL.md'));
    await open();
    putSkill('elsewhere', 'appeared');
    await catalogue.refresh();
    expect(described()).toContain('appeared');
  });

  it('are all read where the watcher cannot tell what it has reported', async () => {
    const { watch } = nodeWatcher();
    await open({ watch });
    putSkill('work/.claude/skills/one', 'unreported');
    await catalogue.refresh();
    expect(described()).toContain('unreported');
  });
});
