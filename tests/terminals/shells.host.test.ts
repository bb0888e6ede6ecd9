import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../support/exit-code.js';
import { describeShell, shellPath } from '../support/shells.js';
import { TerminalView } from '../support/terminals.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let home: string;
let host: TestHost;
let client: WireClient;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'moorage-home-'));
});
afterEach(async () => {
  await host.dispose();
  rmSync(home, { recursive: true, force: true });
});

const RC_FILES = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' } as const;
type Shell = keyof typeof RC_FILES;

/** A terminal with a real shell of a user whose home has these files. */
async function open(shell: Shell, files: Readonly<Record<string, string>> = {}, env: NodeJS.ProcessEnv = {}) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const environment = { PATH: process.env.PATH, HOME: home, USER: 'tester', ...env };
  host = await TestHost.start({ terminals: { shell: shellPath(shell) ?? shell, environment } });
  client = await host.client();
  const view = await TerminalView.open(client, { cols: 200 });
  await view.until((state) => state.supportsCommandDetection, `${shell} to report commands`);
  return view;
}

/** What a command wrote, without what the shell itself sets around it. */
const written = (output: string | undefined) =>
  output?.replaceAll(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b(?:\[[0-?]*[ -/]*[@-~]|[()]B)/g, '').replace(/^\r/, '');

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  describeShell(shell)(`${shell} in a terminal`, () => {
    it('reports each command with its line, output, exit code and duration (B-284)', async () => {
      const view = await open(shell);
      const echo = await view.run('echo one "t;w\\o"');
      expect(echo).toMatchObject({ commandLine: 'echo one "t;w\\o"', exitCode: 0, isComplete: true });
      expect(written(echo?.output)).toBe('one t;w\\o\r\n');
      expect(echo?.durationMs).toBeGreaterThanOrEqual(0);
      const failed = await view.run('sh -c "exit 42"');
      expect(failed).toMatchObject({ exitCode: 42 });
      const partial = await view.run("printf 'a\\nb'");
      expect(written(partial?.output)).toBe('a\r\nb');
      view.type('\r');
      const after = await view.run('echo again');
      expect(view.commands.map(({ commandLine }) => commandLine)).toHaveLength(4);
      expect(after).toMatchObject({ commandLine: 'echo again', exitCode: 0 });
      const available = client.actionsOn(view.uri).filter(({ type }) => type === 'terminal/commandDetectionAvailable');
      expect(available).toHaveLength(1);
    });

    it('reports where it is, also in odd folders', async () => {
      const view = await open(shell);
      const odd = join(host.workspace, 'a b;c\\d é');
      mkdirSync(odd);
      await view.run(`cd '${odd.replaceAll('\\', shell === 'fish' ? '\\\\' : '\\')}'`);
      await view.until((state) => state.cwd !== undefined && state.cwd !== host.workspaceUri);
      expect(decodeURIComponent(new URL(view.state.cwd ?? '').pathname)).toBe(odd);
    });

    it('leaves no mark in the output, and believes none that a program writes (B-285)', async () => {
      const view = await open(shell);
      const marks = ['633;C;;rm -rf', '633;D;0', '133;C', '133;D;1', '633;P;Cwd=/forged', '7;file:///forged'];
      const forged = marks.map((mark) => `\\033]${mark}\\007`).join('x');
      const command = await view.run(`printf '${forged}|\\n'; sh -c 'exit 3'`);
      expect(command).toMatchObject({ exitCode: 3 });
      expect(command?.output).toContain('xxxxx\x1b]7;file:///forged\x07|');
      expect(view.text).not.toMatch(/\x1b\]1?[36]33/);
      expect(view.commands).toHaveLength(1);
      expect(view.state.cwd).toBe(host.workspaceUri);
    });

    it("reads the user's own files, writes none, and shows programs nothing of the host", async () => {
      const rc = { [RC_FILES[shell]]: shell === 'fish' ? 'set -gx FROM_RC read\n' : 'export FROM_RC=read\n' };
      const view = await open(shell, rc, { MOORAGE_TOKEN: 'secret', npm_config_x: '1', TMUX: '/tmp/x', EDITOR: 'ed' });
      const env = await view.run('env');
      expect(env?.output).toContain('FROM_RC=read');
      expect(env?.output).toContain('EDITOR=ed');
      expect(env?.output).toContain('TERM=xterm-256color');
      expect(env?.output).not.toMatch(/MOORAGE_|npm_config_x|TMUX|ZDOTDIR/);
      expect(readFileSync(join(home, RC_FILES[shell]), 'utf8')).toBe(rc[RC_FILES[shell]]);
      const mine = readdirSync(home).filter((name) => /moorage/i.test(name));
      expect(mine).toEqual([]);
    });

    it('that is left in the middle of a command is still told apart', async () => {
      const view = await open(shell);
      const line = 'sh -c "echo started; exec sleep 600"';
      view.type(`${line}\r`);
      // Until the program itself runs, an interrupt would be the shell's.
      await view.until(() => view.commands[0]?.output.includes('started'));
      expect(view.commands).toMatchObject([{ commandLine: line, isComplete: false }]);
      view.type('\x03');
      await view.until(() => view.commands[0]?.isComplete);
      expect(view.commands[0]?.exitCode).toBe(130);
      view.type('exit 5\r');
      expect(await view.until((state) => exitCodeOf(state))).toBe(5);
    });
  });
}

describeShell('bash')('bash in a terminal', () => {
  it('keeps the hooks and the prompt of the user', async () => {
    const view = await open('bash', {
      '.bashrc': "PROMPT_COMMAND='hook=$?'\nPS0='[starting]'\nPS1='[prompt $hook]'\n",
    });
    await view.run('sh -c "exit 9"');
    await view.untilText('[prompt 9]');
    expect(view.commands[0]?.output).toContain('[starting]');
  });

  it('keeps hooks in a list, and says nothing wrong of what the history leaves out', async () => {
    const view = await open('bash', {
      '.bashrc': "PROMPT_COMMAND=('a=$?' 'b=$a')\nHISTCONTROL=ignoreboth\nPS1='[prompt $b]'\n",
    });
    expect(await view.run('sh -c "exit 8"')).toMatchObject({ commandLine: 'sh -c "exit 8"' });
    await view.untilText('[prompt 8]');
    expect(await view.run(' echo hidden')).toMatchObject({ commandLine: '', exitCode: 0 });
  });
});

describeShell('zsh')('zsh in a terminal', () => {
  it('finds the files where the user has put them, and keeps its history there', async () => {
    const view = await open(
      'zsh',
      { '.zshenv': 'export ZDOTDIR=$HOME/zsh\n', 'zsh/.zshrc': 'mine=here\nprecmd() { hooked=$? }\n' },
      {},
    );
    const echo = await view.run('echo $mine $ZDOTDIR $hooked');
    expect(written(echo?.output)).toBe(`here ${home}/zsh 0\r\n`);
  });
});

describe('a shell without integration', () => {
  it('is a plain terminal', async () => {
    host = await TestHost.start({ terminals: { shell: '/bin/sh' } });
    client = await host.client();
    const view = await TerminalView.open(client);
    view.type('echo pl""ain\r');
    await view.untilText('plain\r\n');
    expect(view.state.supportsCommandDetection).toBeUndefined();
    expect(view.commands).toEqual([]);
    expect(existsSync(join(host.folder, 'shells'))).toBe(false);
  });
});
