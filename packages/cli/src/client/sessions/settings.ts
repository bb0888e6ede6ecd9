import type { Client } from '@moorage/client';
import { JsonRpcErrorCodes, RpcError, type SessionConfigSchema } from '@moorage/protocol';
import { type Command, Option } from 'commander';
import { collect } from '../../option-values.js';
import { UsageError } from '../../usage-error.js';
import { amount } from '../command.js';
import { CommandError } from '../errors.js';

/** The settings of a new session, as they are given on the command line. */
export interface Settings {
  readonly worktree?: boolean;
  readonly base?: string;
  readonly branch?: string;
  readonly set?: readonly string[];
  readonly budget?: number;
  readonly sandbox?: boolean;
  readonly network?: keyof typeof SANDBOX_MODES;
}

export function withSettings(command: Command): Command {
  return command
    .option('--worktree', 'work in a git work tree of its own, on a new branch')
    .option('--base <branch>', 'where the work tree starts, and what changes are measured against')
    .option('--branch <name>', 'the new branch; implies --worktree')
    .option(
      '--budget <amount>',
      'pause the session when it has cost this much (tokens, if the agent reports no cost)',
      amount,
    )
    .option('--sandbox', 'let what the agent runs change nothing but its folders, and see no secrets')
    .addOption(new Option('--network <which>', 'what it can reach; implies --sandbox').choices(['on', 'listed', 'off']))
    .option('--set <key=value>', 'another setting of the session; repeatable', collect);
}

/** The host's names for what a sandboxed session can reach. */
const SANDBOX_MODES = { on: 'network', listed: 'listed', off: 'offline' } as const;

interface SessionContext {
  readonly workingDirectory: string;
  readonly provider?: string;
}

/** The settings for `createSession`, checked by the host; undefined when none were given. */
export async function sessionConfig(
  client: Client,
  place: SessionContext,
  { worktree, base, branch, set = [], budget, sandbox, network }: Settings,
): Promise<Record<string, unknown> | undefined> {
  const wantsWorktree = worktree || branch !== undefined;
  const texts = {
    ...(wantsWorktree && { isolation: 'worktree' }),
    ...(base !== undefined && { baseBranch: base }),
    ...(branch !== undefined && { branchName: branch }),
    ...(budget !== undefined && { budget: String(budget) }),
    ...((sandbox || network) && { sandbox: SANDBOX_MODES[network ?? 'on'] }),
    ...Object.fromEntries(set.map(keyAndValue)),
  };
  if (Object.keys(texts).length === 0) return undefined;
  // Which settings there are depends on where the session works.
  const { isolation } = texts as { isolation?: string };
  const { schema } = await resolve(client, place, isolation === undefined ? {} : { isolation });
  const values = Object.entries(texts).map(([key, text]) => [key, readValue(schema, key, text)]);
  const config = Object.fromEntries(values) as Record<string, unknown>;
  await resolve(client, place, config);
  return config;
}

async function resolve(client: Client, place: SessionContext, config: Record<string, unknown>) {
  try {
    return await client.request('resolveSessionConfig', { ...place, config });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.code !== JsonRpcErrorCodes.MethodNotFound)
      throw new CommandError(error.message.replace(/^params\/\S+: /, ''));
    throw new CommandError(
      'this host has no settings for sessions; run it without --worktree, --base, --branch and --set',
    );
  }
}

function keyAndValue(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--set ${text}: expected KEY=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Reads a value from text, by the type of the setting. */
function readValue({ properties }: SessionConfigSchema, key: string, text: string): unknown {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (!property) {
    throw new CommandError(
      `there is no setting "${key}" here; there are: ${Object.keys(properties).join(', ') || 'none'}`,
    );
  }
  if (property.type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${key}: expected JSON of a ${property.type}, such as ${EXAMPLES[property.type]}`);
  }
}

const EXAMPLES = { number: '7', boolean: 'true', array: '["a"]', object: '{"a":1}' } as const;
