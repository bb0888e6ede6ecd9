import { spawn } from 'node:child_process';
import { FolderEditError } from '../../ports/folder-editor.js';
import { GroupGuard } from '../../processes/group-guard.js';
import { closePipesAfterExit } from '../../processes/held-pipes.js';
import { requirePipes } from '../../processes/require-pipes.js';
import type { Git } from '../shared/git/git.js';
import { observed } from '../shared/git/observed.js';
import { assertOwnRepository } from '../shared/git/repository-rules.js';
import { USER_GIT_TIMEOUT_MS } from './limits.js';

/**
 * Runs a program as the user would: with their settings, hooks, signing keys and credentials. It must not prompt on a
 * terminal or open an editor, since nobody is there to answer. Rejects with its error output. Only for what the user
 * asked for: it runs whatever the repository configures. It ends with the host, even if that is killed: a git that goes on
 * would find an index that the next start has put in order.
 */
export async function runAsUser(
  git: Git,
  program: string,
  args: readonly string[],
  cwd: string,
  { input = '', env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  await assertOwnRepository(git, cwd);
  const start = () => run(program, args, cwd, input, { ...userEnvironment(), ...env });
  const { telemetry } = git.user;
  return program === 'git' && telemetry?.isOn ? observed(args, telemetry, start) : start();
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  input: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const guard = new GroupGuard({ signal: 'TERM' }); // with KILL, git would leave its locks
    const child = requirePipes(
      spawn(program, args, { cwd, env, stdio: 'pipe', detached: process.platform !== 'win32' }),
    );
    if (child.pid !== undefined) guard.watch(child.pid);
    closePipesAfterExit(child); // hooks and ssh can leave processes behind
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL'); // a hanging program may ignore SIGTERM
    }, USER_GIT_TIMEOUT_MS);
    let output = '';
    let complaint = '';
    child.stdout.on('data', (chunk) => {
      output = (output + chunk).slice(-MAX_KEPT_CHARS);
    });
    child.stderr.on('data', (chunk) => {
      complaint = (complaint + chunk).slice(-MAX_KEPT_CHARS);
    });
    child.on('error', (cause) => {
      clearTimeout(limit);
      guard.dismiss();
      reject(new FolderEditError('refused', `${program} cannot be run`, { cause }));
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      guard.dismiss();
      if (code === 0) resolve(output.trim());
      else if (isLate)
        reject(new FolderEditError('refused', `${program} did not end within ${USER_GIT_TIMEOUT_MS / 1000} s`));
      else reject(new FolderEditError('refused', explain(`${complaint}\n${output}`.trim()) || `${program} failed`));
    });
    child.stdin.on('error', () => {}); // it ended early; its exit code says why
    child.stdin.end(input);
  });
}

/** Characters kept of a program's output: enough to see why it failed. */
const MAX_KEPT_CHARS = 4_000;

/** Variables that point git at a repository. They are removed, so that the folder alone decides which one is used. */
const LOCAL_VARIABLES = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

function userEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !LOCAL_VARIABLES.has(name));
  const given = Number(process.env.GIT_CONFIG_COUNT) || 0;
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    // The repository that the host shows, not one that is hidden among its files.
    GIT_CONFIG_COUNT: String(given + 1),
    [`GIT_CONFIG_KEY_${given}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${given}`]: 'explicit',
    GIT_EDITOR: 'true',
    GH_PROMPT_DISABLED: '1',
  };
}

/** Git's message, or for known problems, what to do about them. */
function explain(complaint: string): string {
  if (/tell me who you are|empty ident|unable to auto-detect email/i.test(complaint))
    return 'git does not know who you are; set user.name and user.email with "git config --global"';
  if (/\.lock'?: File exists|another git process/i.test(complaint))
    return 'another git process is at work in the repository; try again when it has ended';
  if (/gpg failed to sign|failed to sign the data|Couldn't load public key/i.test(complaint))
    return `the commit could not be signed: ${complaint}`;
  return complaint;
}
