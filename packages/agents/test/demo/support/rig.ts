import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentFiles, nodeFiles } from '@moorage/host';
import type { AgentChat, AgentTree, TurnOutcome } from '@moorage/host/ports';
import type { ErrorInfo } from '@moorage/protocol';
import { expect } from 'vitest';
import { type DemoAgentInternals, type DemoAgentOptions, DemoProvider } from '../../../src/demo/provider.js';
import { FakeTurn, type Script } from './fake-turn.js';

/** The agent's process is a real one, so its program must have been built; `npm test` does that. */
const CHILD = fileURLToPath(new URL('../../../dist/demo/process/child.js', import.meta.url));

export const ISOLATIONS = ['none', 'process'] as const;

export interface RigOptions extends DemoAgentOptions {
  readonly folder?: string | undefined;
  readonly session?: string;
  readonly resumeState?: unknown;
  readonly sessionState?: unknown;
  readonly internals?: Partial<DemoAgentInternals>;
  readonly provider?: DemoProvider;
}

export interface Rig {
  readonly provider: DemoProvider;
  readonly chat: AgentChat;
  readonly chatUri: string;
  readonly titles: string[];
  readonly saved: unknown[];
  readonly savedForSession: unknown[];
  readonly deaths: ErrorInfo[];
  /** Runs a message and checks that the agent kept to the port. */
  run(text: string, script?: Script): Promise<{ turn: FakeTurn; outcome: TurnOutcome }>;
  /** Starts a message; `outcome` resolves when it is over. */
  start(text: string, script?: Script): { turn: FakeTurn; outcome: Promise<TurnOutcome> };
}

let lastChat = 0;

export async function openRig(options: RigOptions = {}): Promise<Rig> {
  if (!existsSync(CHILD)) throw new Error(`${CHILD} is missing: run npm run build first`);
  const provider = options.provider ?? new DemoProvider(options, { script: CHILD, ...options.internals });
  lastChat++;
  const chatUri = `ahp-chat:/${process.pid}-${lastChat}`;
  const titles: string[] = [];
  const saved: unknown[] = [];
  const savedForSession: unknown[] = [];
  const deaths: ErrorInfo[] = [];
  const chat = await provider.openChat({
    session: options.session ?? `ahp-session:/${lastChat}`,
    chat: chatUri,
    workingDirectory: options.folder,
    config: {},
    mcpServers: [],
    history: [],
    resumeState: options.resumeState,
    sessionState: options.sessionState,
    files: filesOf(options.folder),
    host: {
      saveResumeState: (state) => void saved.push(structuredClone(state)),
      saveSessionState: (state) => void savedForSession.push(structuredClone(state)),
      setTitle: (title) => void titles.push(title),
      setConfig: () => {},
      setCommands: () => {},
      say: () => true,
      died: (error) => void deaths.push(error),
    },
  });
  const start = (text: string, script?: Script) => {
    const turn = new FakeTurn(text, script);
    const outcome = chat.prompt(turn).then((ended) => {
      turn.end(ended);
      return ended;
    });
    return { turn, outcome };
  };
  const run = async (text: string, script?: Script) => {
    const { turn, outcome } = start(text, script);
    const ended = await outcome;
    expect(turn.violations).toEqual([]);
    return { turn, outcome: ended };
  };
  return { provider, chat, chatUri, titles, saved, savedForSession, deaths, run, start };
}

/** The files of the host itself, as it hands them to agents. */
export function filesOf(folder: string | undefined): AgentTree {
  if (folder === undefined) return agentFiles(nodeFiles(), undefined);
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  return agentFiles(nodeFiles(), { named: folder, real });
}

/** A folder of the test's own, empty. What escapes from it by `..` is still in a folder that is the test's. */
export function makeFolder(): string {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'moorage-demo-'))), 'work');
  mkdirSync(folder);
  return folder;
}

export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}

export function removeFolder(folder: string): void {
  rmSync(dirname(folder), { recursive: true, force: true });
}
