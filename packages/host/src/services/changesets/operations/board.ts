import type { ActionOf, ChangesetOperation, ErrorInfo, URI } from '@moorage/protocol';
import { type Channel, isKind } from '../../../core/channel.js';
import type { Committed } from '../../../core/committed.js';
import type { Workspaces } from '../../../ports/workspace.js';
import type { HostContext } from '../../context.js';
import type { ChangesetService } from '../changeset-service.js';
import { MAX_REMEMBERED_FAILURES } from '../limits.js';
import type { FolderSubject } from '../subject.js';
import { listedOperations } from './catalogue.js';
import { factsOf, joinedFacts } from './in-folders.js';

/** Shows subscribers which operations a changeset offers, and the status of those that were invoked. */
export class OperationBoard {
  readonly #context: HostContext;
  readonly #changesets: ChangesetService;
  readonly #workspaces: Workspaces;
  readonly #open = new Map<URI, { unwatch: () => void; state: 'idle' | 'due' | 'running' | 'again' }>();
  /** The number of running invocations, by channel and operation. */
  readonly #running = new Map<string, number>();
  /** The error of the last invocation, if it failed, by the same key. Kept for later subscribers. */
  readonly #failed = new Map<string, ErrorInfo>();

  constructor(context: HostContext, changesets: ChangesetService, workspaces: Workspaces) {
    this.#context = context;
    this.#changesets = changesets;
    this.#workspaces = workspaces;
  }

  started(uri: URI, operationId: string): void {
    const key = `${uri} ${operationId}`;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    this.#failed.delete(key);
    this.#commit(uri, { type: 'changeset/operationStatusChanged', operationId, status: 'running' });
  }

  ended(uri: URI, operationId: string, error?: ErrorInfo): void {
    const key = `${uri} ${operationId}`;
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
    if (error) this.#remember(key, error);
    const status = error ? 'error' : left > 0 ? 'running' : 'idle';
    this.#commit(uri, { type: 'changeset/operationStatusChanged', operationId, status, ...(error && { error }) });
    this.refresh(uri);
  }

  /**
   * Finds out again which operations are possible, once the actions of this tick are sent. However often this is called
   * meanwhile, it runs only once more.
   */
  refresh(uri: URI): void {
    const open = this.#open.get(uri);
    if (!open || open.state === 'due') return;
    if (open.state !== 'idle') {
      open.state = 'again';
      return;
    }
    open.state = 'due';
    const { clock } = this.#context;
    const later = (run: () => void) => clock.defer(() => clock.defer(run)); // the first is before what it follows is sent
    later(() => {
      open.state = 'running';
      void this.#publish(uri).finally(() => {
        const again = open.state === 'again';
        open.state = 'idle';
        if (again) this.refresh(uri);
      });
    });
  }

  refreshAll(): void {
    for (const uri of this.#open.keys()) this.refresh(uri);
  }

  onChangeset({ channel, action }: Committed<'changeset'>): void {
    switch (action.type) {
      case 'changeset/operationsChanged':
      case 'changeset/operationStatusChanged':
        return;
      case 'changeset/disposed':
        this.onUnused(channel.uri);
        return;
      default:
        if (!this.#context.door.isOpen(channel)) return; // its last subscriber left before this action was sent
        if (!this.#open.has(channel.uri)) this.#watch(channel.uri);
        this.refresh(channel.uri);
    }
  }

  /** Also refreshes when the repository changes: index and branch can change without any file of the changeset. */
  #watch(uri: URI): void {
    const subject = this.#changesets.subject(uri);
    if (!subject) return;
    const dependsOnRepository = subject.selector.kind === 'uncommitted' || subject.selector.kind === 'branch';
    const refresh = { settled: () => this.refresh(uri) };
    const watches = dependsOnRepository ? subject.folders().map(({ workspace }) => workspace.watch(refresh)) : [];
    const unwatch = () => {
      for (const end of watches) end();
    };
    this.#open.set(uri, { unwatch, state: 'idle' });
  }

  onUnused(uri: URI): void {
    this.#open.get(uri)?.unwatch();
    this.#open.delete(uri);
  }

  async #publish(uri: URI): Promise<void> {
    try {
      const channel = this.#channel(uri);
      const subject = channel && this.#changesets.subject(uri);
      if (!channel || !subject || channel.state.status === 'computing') return;
      // Only the sum of the files counts here.
      const files = ({ isPrimary }: FolderSubject) => (isPrimary ? channel.state.files.length : 0);
      const [first, ...others] = await Promise.all(
        subject
          .folders()
          .map((folder) => factsOf(folder, files(folder), this.#workspaces.editor(folder.folder), this.#changesets)),
      );
      if (!first) return;
      const operations = listedOperations(joinedFacts([first, ...others])).map((operation) =>
        this.#withStatus(uri, operation),
      );
      if (JSON.stringify(operations) === JSON.stringify(channel.state.operations)) return;
      this.#commit(uri, { type: 'changeset/operationsChanged', operations });
    } catch (error) {
      this.#context.log.write('warn', 'operation.offer-failed', 'finding out which operations are possible failed', {
        error: String(error),
      });
    }
  }

  /** A failed operation keeps its error until it is invoked again or is no longer possible. */
  #withStatus(uri: URI, operation: ChangesetOperation): ChangesetOperation {
    const key = `${uri} ${operation.id}`;
    if (this.#running.has(key)) return { ...operation, status: 'running' };
    const error = operation.status === 'idle' ? this.#failed.get(key) : undefined;
    return error ? { ...operation, status: 'error', error } : operation;
  }

  #remember(key: string, error: ErrorInfo): void {
    const [oldest] = this.#failed.keys();
    if (oldest !== undefined && this.#failed.size >= MAX_REMEMBERED_FAILURES) this.#failed.delete(oldest);
    this.#failed.set(key, error);
  }

  #channel(uri: URI): Channel<'changeset'> | undefined {
    const channel = this.#context.door.channels.peek(uri);
    return isKind(channel, 'changeset') ? channel : undefined;
  }

  #commit(uri: URI, action: ActionOf<'changeset'>): void {
    const channel = this.#channel(uri);
    if (channel) this.#context.door.commit(channel, action, { again: () => this.refresh(uri) });
  }
}
