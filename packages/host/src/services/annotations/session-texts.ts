import { isUtf8 } from 'node:buffer';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileUriIn, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { AgentFileError } from '../../ports/agent-files.js';
import type { ChangesetService } from '../changesets/changeset-service.js';
import type { HostContext } from '../context.js';
import { agentFiles } from '../resources/agent-files.js';
import { pathOfUri } from '../resources/file-uri.js';
import { hasLines } from './evidence.js';
import type { Followed } from './followed.js';
import { MAX_FOLLOWED_BYTES } from './limits.js';

/** The texts of the files in one folder of a session, current and as turns left them. Reads each file once. */
export class SessionTexts {
  readonly #session: Channel<'session'>;
  readonly #changesets: ChangesetService | undefined;
  readonly #folder: URI;
  readonly #named: string;
  readonly #files: ReturnType<typeof agentFiles>;
  readonly #current = new Map<string, Promise<string | undefined>>();

  /** Those of each folder of the session that can be used now. */
  static ofEach(
    { files, folders }: HostContext,
    session: Channel<'session'>,
    changesets: ChangesetService | undefined,
  ): SessionTexts[] {
    return (session.state.workingDirectories ?? []).flatMap((folder) => {
      try {
        const place = { named: pathOfUri(folder), real: folders.resolve(folder) };
        return [new SessionTexts(session, changesets, folder, place.named, agentFiles(files, place))];
      } catch {
        return [];
      }
    });
  }

  private constructor(
    session: Channel<'session'>,
    changesets: ChangesetService | undefined,
    folder: URI,
    named: string,
    files: ReturnType<typeof agentFiles>,
  ) {
    this.#session = session;
    this.#changesets = changesets;
    this.#folder = folder;
    this.#named = named;
    this.#files = files;
  }

  /** The slash-separated path of a file within the folder; undefined for files elsewhere. */
  pathOf(resource: URI): string | undefined {
    try {
      const path = relative(this.#named, pathOfUri(resource));
      if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
      return path.split(sep).join('/');
    } catch {
      return undefined;
    }
  }

  uriOf(path: string): URI {
    return fileUriIn(this.#folder, path);
  }

  /**
   * The version of the file that an annotation's range refers to: as its turn left it, or the current one if that is
   * not known. The lines that the client says it saw decide between the two.
   */
  async pinned({ turnId, side, range, seen }: Followed, path: string): Promise<string | undefined> {
    const bytes = await this.#changesets?.fileAt(this.#session, this.#folder, turnId, path, side);
    const left = bytes && decodedText(bytes);
    const isSeen = (text: string | undefined) =>
      text !== undefined && range !== undefined && hasLines(text, range, seen ?? '');
    if (seen !== undefined && !isSeen(left) && isSeen(await this.current(path))) return this.current(path);
    return left ?? this.current(path);
  }

  current(path: string): Promise<string | undefined> {
    const known = this.#current.get(path);
    if (known) return known;
    const reading = this.#read(path);
    this.#current.set(path, reading);
    return reading;
  }

  pathNow(turnId: string, path: string): string {
    return this.#changesets?.pathNow(this.#session, this.#folder, turnId, path) ?? path;
  }

  async #read(path: string): Promise<string | undefined> {
    try {
      const { content } = await this.#files.read(join(this.#named, path), MAX_FOLLOWED_BYTES);
      return content && decodedText(content.bytes);
    } catch (error) {
      if (error instanceof AgentFileError) return undefined;
      throw error;
    }
  }
}

function decodedText(bytes: Uint8Array): string | undefined {
  const isText = bytes.length <= MAX_FOLLOWED_BYTES && isUtf8(bytes) && !bytes.includes(0);
  return isText ? Buffer.from(bytes).toString() : undefined;
}
