import { findProgram } from '../shared/find-program.js';
import type { AcpAgentConfig } from './config.js';

/** Agents that are offered without configuration if their program is on PATH. */
const KNOWN: readonly AcpAgentConfig[] = [
  {
    id: 'claude',
    displayName: 'Claude Code',
    command: 'claude-agent-acp',
    passEnv: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
  },
  {
    id: 'codex',
    displayName: 'Codex',
    command: 'codex-acp',
    passEnv: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_HOME'],
  },
  { id: 'opencode', displayName: 'opencode', command: 'opencode', args: ['acp'] },
  {
    id: 'gemini',
    displayName: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    // Otherwise it starts itself a second time. With `fs` it fails to write new files.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    passEnv: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_HOME'],
    fs: false,
  },
  {
    id: 'copilot',
    displayName: 'GitHub Copilot',
    command: 'copilot',
    args: ['--acp'],
    passEnv: [
      'GH_TOKEN',
      'GITHUB_TOKEN',
      'COPILOT_OFFLINE',
      'COPILOT_MODEL',
      'COPILOT_PROVIDER_BASE_URL',
      'COPILOT_PROVIDER_TYPE',
      'COPILOT_PROVIDER_API_KEY',
    ],
  },
  {
    id: 'qwen',
    displayName: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    passEnv: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
  },
  { id: 'goose', displayName: 'Goose', command: 'goose', args: ['acp'] },
  { id: 'auggie', displayName: 'Auggie', command: 'auggie', args: ['--acp'] },
];

/** Those that are installed and whose id is not taken. */
export function knownAgents(taken: ReadonlySet<string>, path?: string): AcpAgentConfig[] {
  return KNOWN.filter(({ id, command }) => !taken.has(id) && findProgram(command, path) !== undefined);
}
