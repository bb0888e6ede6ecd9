import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AcpAgentOptions } from '@moorage/agents/acp';

/** A real agent from the registry: how it is installed, and how it is made to speak with a model on loopback. */
export interface RealAgent {
  readonly id: string;
  readonly package: string;
  readonly version: string;
  /** Its program needs Node 22, which is taken from the registry, too. */
  readonly needsNode22?: boolean;
  /** In a session with MCP servers it asks first whether the user trusts the folder. */
  readonly asksForTrust?: boolean;
  /** Its calls do not say which MCP server they are for. */
  readonly hidesServers?: boolean;
  /** It rejects MCP servers that are programs. */
  readonly takesHttpServersOnly?: boolean;
  /** What it cannot do, and why; the same is in docs/AGENTS.md, and that it still cannot is tested. */
  readonly cannot?: Readonly<Partial<Record<Scenario, string>>>;
  /** Writes the agent's own configuration to its home folder and gives how it is started. */
  configure(place: AgentPlace): Omit<AcpAgentOptions, 'id'>;
}

/** What every agent goes through (`tests/agents`). */
export type Scenario =
  | 'hello'
  | 'usage'
  | 'edit'
  | 'reject'
  | 'command'
  | 'cancel while it streams'
  | 'cancel while a command runs'
  | 'cancel while it asks'
  | 'two chats'
  | 'agent killed'
  | 'host restarted'
  | 'host restarted later'
  | 'host killed'
  | 'adopt'
  | 'queued'
  | 'steering'
  | 'ask'
  | 'plan'
  | 'mcp'
  | 'sandbox'
  | 'error 400'
  | 'error 401'
  | 'error 429'
  | 'error 500'
  | 'error that passes';

interface AgentPlace {
  /** The Node that runs it. */
  readonly node: string;
  readonly home: string;
  readonly modules: string;
  /** The address of the model. */
  readonly model: string;
  /** The session has MCP servers. */
  readonly usesMcp: boolean;
}

const CACHE = fileURLToPath(new URL('../../../.cache/agents/', import.meta.url));

/** Installs an agent once; its folder of modules, and the Node that runs it. */
export async function install(agent: RealAgent): Promise<{ modules: string; node: string }> {
  const modules = await installed(agent);
  if (!agent.needsNode22 || Number(process.versions.node.split('.')[0]) >= 22)
    return { modules, node: process.execPath };
  const name = `node-linux-${process.arch}`;
  const nodes = await installed({ id: 'node22', package: name, version: '22' });
  return { modules, node: join(nodes, name, 'bin/node') };
}

async function installed({
  id,
  package: name,
  version,
}: Pick<RealAgent, 'id' | 'package' | 'version'>): Promise<string> {
  const folder = join(CACHE, id);
  const modules = join(folder, 'node_modules');
  const done = join(folder, `installed-${version}`);
  if (existsSync(done)) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--silent', `${name}@${version}`];
  await promisify(execFile)('npm', args, { cwd: folder, timeout: 5 * 60_000 });
  writeFileSync(done, '');
  return modules;
}

const codex: RealAgent = {
  id: 'codex',
  package: '@agentclientprotocol/codex-acp',
  version: '2.6.0',
  cannot: { plan: 'it offers gpt-5.5 no tool for plans' },
  configure({ home, modules, model, usesMcp }) {
    const lines = [
      // Models that it knows must search for tools of MCP servers; others are told of them at once.
      `model = "${usesMcp ? 'fake-model' : 'gpt-5.5'}"`,
      'model_provider = "fake"',
      'check_for_update_on_startup = false',
      '[model_providers.fake]',
      'name = "Fake"',
      `base_url = "${model}/v1"`,
      'env_key = "FAKE_KEY"',
      'wire_api = "responses"',
      'requires_openai_auth = false',
      'request_max_retries = 1',
      'stream_max_retries = 1',
      '[analytics]',
      'enabled = false',
      '[feedback]',
      'enabled = false',
    ];
    write(join(home, '.codex'), 'config.toml', `${lines.join('\n')}\n`);
    return {
      command: process.execPath,
      args: [join(modules, '@agentclientprotocol/codex-acp/dist/index.js')],
      env: {
        HOME: home,
        CODEX_HOME: join(home, '.codex'),
        FAKE_KEY: 'fake-key',
        NO_BROWSER: '1',
        INITIAL_AGENT_MODE: 'read-only',
      },
    };
  },
};

const claude: RealAgent = {
  id: 'claude',
  package: '@agentclientprotocol/claude-agent-acp',
  version: '0.49.0',
  configure({ home, modules, model }) {
    write(join(home, '.claude'), 'settings.json', '{}\n');
    return {
      command: process.execPath,
      args: [join(modules, '@agentclientprotocol/claude-agent-acp/dist/index.js')],
      env: {
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, '.claude'),
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: 'fake-key',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
    };
  },
};

const newestClaude: RealAgent = {
  ...claude,
  id: 'claude-newest',
  version: '0.99.1',
  needsNode22: true,
  cannot: { plan: 'it offers its model no tool for plans' },
  configure: (place) => ({ ...claude.configure(place), command: place.node }),
};

const copilot: RealAgent = {
  id: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  cannot: {
    ask: 'it offers its model no tool for questions over ACP',
    plan: 'its model keeps a list in a database of its own, of which it reports nothing',
  },
  takesHttpServersOnly: true,
  configure: ({ home, modules, model }) => ({
    command: join(modules, `@github/copilot-linux-${process.arch}/copilot`),
    args: ['--acp'],
    env: {
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'fake-key',
      COPILOT_MODEL: 'fake-model',
    },
  }),
};

const qwen: RealAgent = {
  id: 'qwen',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  hidesServers: true,
  cannot: { plan: 'it does not offer its model the tool for plans' },
  needsNode22: true,
  configure({ home, modules, model, node }) {
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      tools: { approvalMode: 'default' }, // its own default never asks
    };
    write(join(home, '.qwen'), 'settings.json', JSON.stringify(settings));
    return {
      command: node,
      args: [join(modules, '@qwen-code/qwen-code/cli-entry.js'), '--acp'],
      env: {
        HOME: home,
        OPENAI_API_KEY: 'fake-key',
        OPENAI_BASE_URL: `${model}/v1`,
        OPENAI_MODEL: 'fake-model',
      },
    };
  },
};

const opencode: RealAgent = {
  id: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  cannot: { ask: 'it offers its model no tool for questions over ACP' },
  configure({ home, modules, model }) {
    const limit = { context: 128_000, output: 8_000 };
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Fake',
      options: { baseURL: `${model}/v1`, apiKey: 'fake-key' },
      models: { 'fake-model': { name: 'Fake', tool_call: true, limit }, 'fake-small': { name: 'Small', limit } },
    };
    const config = {
      autoupdate: false,
      share: 'disabled',
      model: 'fake/fake-model',
      small_model: 'fake/fake-small',
      permission: { edit: 'ask', bash: 'ask' },
      enabled_providers: ['fake'],
      provider: { fake: provider },
    };
    write(join(home, '.config/opencode'), 'opencode.json', JSON.stringify(config));
    return {
      command: join(modules, '.bin/opencode'),
      args: ['acp'],
      env: {
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_DATA_HOME: join(home, '.local/share'),
        XDG_CACHE_HOME: join(home, '.cache'),
        XDG_STATE_HOME: join(home, '.local/state'),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      },
    };
  },
};

const gemini: RealAgent = {
  id: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  asksForTrust: true,
  cannot: {
    'host restarted': 'it repeats a session only after it said that it has loaded it, so it gets a new one',
    'host restarted later': 'as above',
    adopt: 'it does not list its sessions',
    ask: 'it offers its model no tool for questions over ACP',
    plan: 'it offers its model no tool for plans over ACP',
  },
  configure({ home, modules, model }) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
    };
    write(join(home, '.gemini'), 'settings.json', JSON.stringify(settings));
    return {
      command: process.execPath,
      args: [join(modules, '@google/gemini-cli/bundle/gemini.js'), '--acp'],
      fs: false,
      trustEnv: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      env: {
        HOME: home,
        GEMINI_CLI_HOME: home,
        GEMINI_API_KEY: 'fake-key',
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
    };
  },
};

const kimi: RealAgent = {
  id: 'kimi',
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  needsNode22: true,
  cannot: {
    usage: 'it does not say what it used',
    edit: 'it edits without a diff',
    reject: 'it does not ask before it edits',
    'cancel while it asks': 'it does not ask before it edits',
  },
  configure: ({ home, modules, model, node }) => ({
    command: node,
    args: [join(modules, '@moonshot-ai/kimi-code/dist/main.mjs'), 'acp'],
    env: {
      HOME: home,
      KIMI_CODE_HOME: join(home, '.kimi'),
      KIMI_CODE_NO_AUTO_UPDATE: '1',
      KIMI_MODEL_NAME: 'fake-model',
      KIMI_MODEL_API_KEY: 'fake-key',
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_BASE_URL: `${model}/v1`,
    },
  }),
};

export const REAL_AGENTS: readonly RealAgent[] = [codex, claude, newestClaude, opencode, gemini, copilot, qwen, kimi];

function write(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}
