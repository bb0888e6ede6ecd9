import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AcpAgentOptions } from '@moorage/agents/acp';
import { demoAgent } from '@moorage/agents/demo';
import { type BubblewrapOptions, bubblewrap, gitWorktrees, type Sandbox } from '@moorage/host';
import type { SessionState } from '@moorage/protocol';
import { AcpProvider } from '../../packages/agents/src/acp/provider.js';
import { scripted } from './acp/scripted.js';
import { turn } from './actions.js';
import { TestHost } from './test-host.js';
import type { WireClient } from './wire-client.js';

/** Whether sandboxes can be made here; without that, nothing can be said about them. */
export const CAN_CONFINE =
  spawnSync('bwrap', ['--unshare-user', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true']).status ===
  0;

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

export function sandboxIn(folder: string, options: Partial<BubblewrapOptions> = {}): Sandbox {
  return bubblewrap({ directory: join(folder, 'sandbox'), hidden: [folder], ...options });
}

/** A host with a sandbox, and the two kinds of programs in it: the process of an agent, and a command in a terminal. */
export class SandboxRig {
  host!: TestHost;
  client!: WireClient;

  async start(options: Partial<BubblewrapOptions> = {}, own: AcpAgentOptions['ownFiles'] = {}): Promise<void> {
    const { writable = [], readable = [] } = own;
    const agent = scripted({ ownFiles: { writable, readable: [CHECKOUT, process.execPath, ...readable] } });
    this.host = new TestHost({
      agents: () => [demoAgent({ isolation: 'none' }), new AcpProvider(agent)],
      sandbox: (folder) => sandboxIn(folder, options),
      worktrees: (folder) => gitWorktrees({ directory: join(folder, 'worktrees') }),
    });
    await this.host.start();
    this.client = await this.host.client();
  }

  /** Runs a command in a new session with this setting; gives its exit code and all that it wrote. */
  async run(kind: ProgramKind, sandbox: string, command: string, config: object = {}): Promise<Ran> {
    const provider = kind === 'agent' ? 'scripted' : 'demo';
    const made = await this.host.session(this.client, { provider, config: { sandbox, ...config } });
    const { workingDirectories = [] } = await this.client.subscribe<SessionState>(made.session);
    const folder = fileURLToPath(workingDirectories[0] ?? '');
    const line = `{ ${command} ; } > .out 2>&1; echo $? > .code`;
    await turn(
      this.client,
      made.chat,
      kind === 'agent' ? `/shell ${line}` : `/auto on\n/run ${line.replaceAll('\\', '\\\\')}`,
    );
    const ran = { folder, output: readFileSync(join(folder, '.out'), 'utf8'), code: codeIn(folder) };
    rmSync(join(folder, '.out'));
    return ran;
  }
}

export type ProgramKind = 'agent' | 'command';

interface Ran {
  readonly folder: string;
  readonly output: string;
  readonly code: number;
}

function codeIn(folder: string): number {
  const code = readFileSync(join(folder, '.code'), 'utf8');
  rmSync(join(folder, '.code'));
  return Number(code);
}
