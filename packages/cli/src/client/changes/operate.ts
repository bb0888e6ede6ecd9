import type { Client, Mirror } from '@moorage/client';
import {
  type ChangesetFile,
  type ChangesetOperation,
  type ChangesetOperationTarget,
  type ChangesetState,
  type InvokeChangesetOperationParams,
  primaryDirectory,
} from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import type { CommonOptions } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { confirm } from '../output/confirm.js';
import { printLine } from '../output/out.js';
import { jsonLine, plainLine, sentence } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { LiveSession } from '../sessions/live-session.js';
import { when } from '../sessions/when.js';
import { chooseHunks } from './hunks.js';
import { openChangeset } from './open.js';
import { pathOf } from './paths.js';
import { type ChangesOptions, selectChangeset } from './select.js';

export interface OperateOptions extends CommonOptions, ChangesOptions {
  readonly file?: readonly string[];
  readonly interactive?: boolean;
  readonly yes?: boolean;
}

/** Asks the user about an operation in another way than with a yes or no. Returns the `_meta` of the request. */
type Ask = (shown: ShownChanges) => Promise<Record<string, unknown>>;

export interface ShownChanges {
  readonly client: Client;
  readonly channel: string;
  readonly session: string;
  readonly files: readonly ChangesetFile[];
  readonly folder: string | undefined;
}

/**
 * Invokes an operation of a changeset: on all of it, on files, or on hunks that the user chooses. `unlisted` describes one
 * that hosts do not list, because it needs more than a target.
 */
export async function operate(
  operationId: string,
  session: string | undefined,
  options: OperateOptions,
  otherwise: 'session' | 'uncommitted',
  ask?: Ask,
  unlisted?: Pick<ChangesetOperation, 'label' | 'confirmation'>,
): Promise<void> {
  if (options.interactive && (!process.stdin.isTTY || options.json)) {
    throw new UsageError('--interactive needs a terminal; name files with --file instead');
  }
  await withHost(options, async (client) => {
    const live = await LiveSession.find(client, session);
    const state = live.session.confirmed;
    const channel = selectChangeset(state, live.main.confirmed, options, otherwise);
    const changeset = await withOperations(await openChangeset(client, channel));
    const folder = primaryDirectory(state);
    const operation = unlisted ?? findOperation(changeset, operationId);
    const files = options.file?.map((path) => findFile(changeset.files, folder, path));
    const targets = options.interactive
      ? await chooseHunks(client, files ?? changeset.files, folder, operation.label)
      : (files?.map(wholeFile) ?? [undefined]);
    if (targets.length === 0) throw new CommandError('nothing was chosen, so nothing was done');
    const meta = await ask?.({ client, channel, session: live.session.uri, files: changeset.files, folder });
    if (!ask && operation.confirmation !== undefined && !options.interactive) {
      await confirm(sentence(operation.confirmation), options.yes);
    }
    const messages: string[] = [];
    for (const target of targets) messages.push(await invoke(client, { channel, operationId, target, _meta: meta }));
    if (options.json) printLine(jsonLine({ operation: operationId, changeset: channel, messages }));
    else for (const message of messages) printLine(message || `${plainLine(operation.label)}: done`);
  });
}

/** Milliseconds. The host says which operations there are after the changes themselves, or never if it has none. */
const OPERATIONS_WITHIN_MS = 10_000;

async function withOperations(mirror: Mirror<'changeset'>): Promise<ChangesetState> {
  const offered = when(mirror, ({ operations }) => operations, AbortSignal.timeout(OPERATIONS_WITHIN_MS));
  await withProgress('asking what can be done', offered).catch(() => undefined);
  return mirror.confirmed;
}

export async function invoke(client: Client, params: InvokeChangesetOperationParams): Promise<string> {
  const { message } = await withProgress(params.operationId, client.request('invokeChangesetOperation', params));
  return message === undefined ? '' : sentence(message);
}

function findOperation({ operations = [] }: ChangesetState, id: string) {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) {
    const offered = operations.map((candidate) => plainLine(candidate.id)).join(', ');
    throw new CommandError(`the host does not offer "${id}" for these changes; it offers: ${offered || 'nothing'}`);
  }
  if (operation.status !== 'disabled') return operation;
  throw new CommandError(
    `"${id}" is not possible now: ${plainLine(operation.description ?? 'the host does not say why')}`,
  );
}

export function findFile(files: readonly ChangesetFile[], folder: string | undefined, path: string): ChangesetFile {
  const found = files.find(({ edit }) =>
    [edit.after, edit.before].some((version) => version !== undefined && pathOf(version.uri, folder) === path),
  );
  if (found) return found;
  throw new UsageError(`${path} is not among the changes: list them with moorage diff --stat`);
}

export function wholeFile({ edit }: ChangesetFile): ChangesetOperationTarget | undefined {
  const side = edit.after ? 'after' : 'before';
  const resource = edit[side]?.uri;
  return resource === undefined ? undefined : { kind: 'resource', resource, side };
}
