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
  /** Writes the agent's own configuration to its home folder and gives how it is started. */
  configure(place: AgentPlace): Omit<AcpAgentOptions, 'id'>;
}

interface AgentPlace {
  readonly home: string;
  readonly modules: string;
  /** The address of the model. */
  readonly model: string;
  /** The session has MCP servers. */
  readonly usesMcp: boolean;
}

const CACHE = fileURLToPath(new URL('../../../.cache/agents/', import.meta.url));

/** Installs an agent once; its folder of modules. */
export async function install({ id, package: name, version }: RealAgent): Promise<string> {
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

const opencode: RealAgent = {
  id: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
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

export const REAL_AGENTS: readonly RealAgent[] = [codex, claude, opencode];

function write(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}
