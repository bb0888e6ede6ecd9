import type { AcpAgentConfig } from './config.js';

/** An agent that is offered without configuration once its program is on PATH, and the commands that get it there. */
export interface KnownAgent extends AcpAgentConfig {
  readonly displayName: string;
  /** Installs it, and updates it, too. */
  readonly install: string;
  readonly login: string;
}

const KNOWN: readonly KnownAgent[] = [
  {
    id: 'claude',
    install: 'npm install --global @agentclientprotocol/claude-agent-acp',
    login: 'claude /login',
    displayName: 'Claude Code',
    command: 'claude-agent-acp',
    passEnv: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
    ownFiles: {
      writable: ['.claude', '.claude.json', '$CLAUDE_CONFIG_DIR'],
      readable: ['.claude/settings.json', '$CLAUDE_CONFIG_DIR/settings.json'],
    },
  },
  {
    id: 'codex',
    install: 'npm install --global @agentclientprotocol/codex-acp',
    login: 'codex login',
    displayName: 'Codex',
    command: 'codex-acp',
    passEnv: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_HOME'],
    ownFiles: { writable: ['.codex', '$CODEX_HOME'], readable: ['.codex/config.toml', '$CODEX_HOME/config.toml'] },
  },
  {
    id: 'opencode',
    install: 'npm install --global opencode-ai',
    login: 'opencode auth login',
    displayName: 'opencode',
    command: 'opencode',
    args: ['acp'],
    ownFiles: {
      writable: [
        '.config/opencode', // where it installs its plugins
        '.local/share/opencode',
        '.local/state/opencode',
        '.cache/opencode',
        '$XDG_CONFIG_HOME/opencode',
        '$XDG_DATA_HOME/opencode',
        '$XDG_STATE_HOME/opencode',
        '$XDG_CACHE_HOME/opencode',
      ],
      readable: ['.config/opencode/opencode.json', '$XDG_CONFIG_HOME/opencode/opencode.json'],
    },
  },
  {
    id: 'gemini',
    install: 'npm install --global @google/gemini-cli',
    login: 'gemini',
    displayName: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    // Otherwise it starts itself a second time. With `fs` it fails to write new files.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    passEnv: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_HOME'],
    fs: false,
    ownFiles: {
      writable: ['.gemini', '$GEMINI_CLI_HOME/.gemini'],
      readable: ['.gemini/settings.json', '$GEMINI_CLI_HOME/.gemini/settings.json'],
    },
    trustEnv: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  {
    id: 'copilot',
    install: 'npm install --global @github/copilot',
    login: 'copilot login',
    displayName: 'GitHub Copilot',
    command: 'copilot',
    args: ['--acp'],
    ownFiles: {
      writable: ['.copilot', '.cache/copilot', '$XDG_CACHE_HOME/copilot'],
      readable: ['.copilot/mcp-config.json'],
    },
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
    install: 'npm install --global @qwen-code/qwen-code',
    login: 'qwen',
    displayName: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    ownFiles: { writable: ['.qwen'], readable: ['.qwen/settings.json'] },
    passEnv: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
  },
  {
    id: 'kimi',
    install: 'npm install --global @moonshot-ai/kimi-code',
    login: 'kimi login',
    displayName: 'Kimi Code',
    command: 'kimi',
    args: ['acp'],
    passEnv: [
      'KIMI_CODE_HOME',
      'KIMI_MODEL_NAME',
      'KIMI_MODEL_API_KEY',
      'KIMI_MODEL_PROVIDER_TYPE',
      'KIMI_MODEL_BASE_URL',
    ],
    ownFiles: {
      writable: ['.kimi-code', '$KIMI_CODE_HOME'],
      readable: ['.kimi-code/config.toml', '$KIMI_CODE_HOME/config.toml'],
    },
  },
  {
    id: 'goose',
    install: 'curl -fsSL https://github.com/block/goose/releases/download/stable/download_cli.sh | bash',
    login: 'goose configure',
    displayName: 'Goose',
    command: 'goose',
    args: ['acp'],
    ownFiles: { writable: ['.local/share/goose', '.local/state/goose'], readable: ['.config/goose'] },
  },
  {
    id: 'auggie',
    install: 'npm install --global @augmentcode/auggie',
    login: 'auggie login',
    displayName: 'Auggie',
    command: 'auggie',
    args: ['--acp'],
    ownFiles: { writable: ['.augment'], readable: ['.augment/settings.json'] },
  },
];

/** All of them whose id is not taken, installed or not. */
export function knownAgents(taken: ReadonlySet<string>): readonly KnownAgent[] {
  return KNOWN.filter(({ id }) => !taken.has(id));
}
