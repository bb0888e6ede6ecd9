import type { Command } from 'commander';
import { collect } from '../../option-values.js';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { agentStates } from '../host/agent-states.js';
import { addConfigured, removeConfigured, variables } from '../host/configured.js';
import { withHost } from '../host/open.js';
import { colour, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';

interface AgentsOptions extends CommonOptions {
  readonly check?: boolean;
}

interface AddOptions {
  readonly url?: string;
  readonly api: string;
  readonly model?: readonly string[];
  readonly keyEnv?: string;
  readonly passEnv?: readonly string[];
  readonly env?: readonly string[];
}

export default function agentsCommand(): Command {
  const add = command('add <name> [command...]', 'Add an agent that speaks ACP, or a model, to the configuration.', [
    'moorage agents add mine -- my-agent --acp',
    'moorage agents add local --url http://127.0.0.1:11434/v1 --model qwen3',
  ])
    .option('--url <url>', 'of a model endpoint, for the built-in agent')
    .option('--api <api>', 'with --url: openai, openai-responses or anthropic', 'openai')
    .option('--model <id>', 'with --url: a model; repeatable; without, those that the endpoint lists', collect)
    .option('--key-env <name>', 'with --url: the environment variable of the host that has the key')
    .option('--pass-env <name>', 'a variable of the host that the program gets; repeatable', collect)
    .option('--env <name=value>', 'a variable of its environment; repeatable', collect)
    .action((name: string, words: string[], options: AddOptions) =>
      addConfigured('agents', name, entry(words, options)),
    );
  const remove = command('remove <name>', 'Remove an agent from the configuration.', [
    'moorage agents remove mine',
  ]).action((name: string) => removeConfigured('agents', name));
  const agents = command(
    'agents',
    'List the agents of the host, their models, and what those that cannot be used need.',
    [
      'moorage agents',
      'moorage agents --check           # start those that were never used, to see whether they are logged in',
      'moorage agents add local --url http://127.0.0.1:11434/v1 --model qwen3',
      'moorage agents --json',
    ],
  )
    .option('--check', 'try those that were never used; takes some seconds')
    .action(async (options: AgentsOptions) => {
      await withHost(options, async (client) => {
        const states = await withProgress('looking at agents', agentStates(client, options.check === true));
        if (options.json) return printLine(jsonLine(states));
        for (const { provider, displayName, state, description, command, models } of states) {
          const paint = state === 'ready' ? colour.green : state === 'not installed' ? colour.dim : colour.yellow;
          const about = description === '' ? displayName : `${displayName}: ${description}`;
          printLine(`${colour.bold(plainLine(provider).padEnd(10))} ${paint(state.padEnd(13))}  ${plainLine(about)}`);
          if (command !== undefined) printLine(`  ${colour.cyan(plainLine(command))}`);
          for (const { id, name } of models) printLine(`  ${plainLine(id)}  ${colour.dim(plainLine(name))}`);
        }
      });
    });
  agents.enablePositionalOptions();
  for (const child of [add, remove]) agents.addCommand(child);
  return agents;
}

function entry([program, ...args]: readonly string[], options: AddOptions): object {
  const { url, api, model, keyEnv, passEnv, env } = options;
  if ((program === undefined) === (url === undefined))
    throw new UsageError('say what it is: moorage agents add NAME -- COMMAND, or moorage agents add NAME --url URL');
  if (url !== undefined)
    return {
      type: 'model',
      api,
      baseURL: url,
      ...(model && { models: model }),
      ...(keyEnv !== undefined && { apiKeyEnv: keyEnv }),
    };
  return {
    type: 'acp',
    command: program,
    ...(args.length > 0 && { args }),
    ...(env && { env: variables(env) }),
    ...(passEnv && { passEnv }),
  };
}
