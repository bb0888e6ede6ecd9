import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where the old host works. Tests unpack what it leaves elsewhere and replace this path. */
export const PLACE = '/tmp/moorage-old-store';

export const paths = {
  data: join(PLACE, 'data'),
  project: join(PLACE, 'project'),
  config: join(PLACE, 'config.jsonc'),
  home: join(PLACE, 'home'),
};

/** The URI of a file of the project. */
export function inProject(path = '') {
  return pathToFileURL(join(paths.project, path)).href;
}

/** An empty data folder, and a repository with rules, a custom agent, a skill and a plugin. */
export function makePlace() {
  rmSync(PLACE, { recursive: true, force: true });
  mkdirSync(paths.home, { recursive: true });
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(PLACE, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  copyFileSync(fileURLToPath(new URL('usage-agent.mjs', import.meta.url)), join(PLACE, 'usage-agent.mjs'));
  const git = (...args) => execFileSync('git', ['-C', paths.project, ...IDENTITY, ...args]);
  git('init', '-q', '-b', 'main', '--template=');
  git('add', '--all');
  git('commit', '-q', '-m', 'start');
}

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('');

const FILES = {
  'project/main.txt': LINES,
  'project/other.txt': 'one\ntwo\nthree\n',
  'project/gone.txt': 'this file is deleted\n',
  'project/AGENTS.md': 'Be kind.\n',
  'project/.claude/rules/style.md': '---\npaths: "*.txt"\n---\nShort lines.\n',
  'project/.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reads\n---\nRead twice.\n',
  'project/.agents/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies\n---\nTidy up.\n',
  'plugin/plugin.json': '{ "name": "helpers" }\n',
  'plugin/commands/greet.md': 'Greet $1.\n',
  'plugin/rules/plugin-rule.md': 'A rule of a plugin.\n',
  'config.jsonc': `${JSON.stringify(
    {
      plugins: ['./plugin'],
      mcpServers: { missing: { command: 'moorage-no-such-program' }, other: { command: 'moorage-no-such-program' } },
      agents: { usage: { type: 'acp', command: 'node', args: [join(PLACE, 'usage-agent.mjs')] } },
    },
    null,
    2,
  )}\n`,
};
