import { join } from 'node:path';
import type { CustomizationOrigin } from '../../../ports/customizations.js';
import type { FileReader, FileScope } from '../../../ports/files.js';
import { fileTree } from '../file-tree.js';
import { Finding } from '../finding.js';
import { idOf, type LoadedContainer } from '../found.js';
import type { KnownFolder } from './known-folders.js';
import type { Source } from './source.js';

export interface FolderSourceOptions {
  readonly files: FileReader;
  /** The workspace or the user's home; nothing outside it is read. */
  readonly base: string;
  readonly scope: FileScope;
  readonly origin: CustomizationOrigin;
  /** Whether clients may write to a path. */
  mayWrite(path: string): Promise<boolean>;
}

/** A source for a known folder below `base`. */
export function folderSource(known: KnownFolder, options: FolderSourceOptions): Source {
  const { files, base, scope, origin, mayWrite } = options;
  const folder = join(base, known.path);
  const tree = fileTree(files, base, scope);
  const uri = tree.uriOf(known.path);
  const id = idOf('directory', known.contents, uri);
  return {
    folder,
    ...(known.files && { files: known.files }),
    load: async (): Promise<LoadedContainer[]> => {
      const into = new Finding();
      const exists = await known.find({ tree, path: known.path, container: id }, into);
      if (!exists && !known.isOffered && into.isEmpty) return [];
      const writable = known.isWritable && (await mayWrite(folder));
      const { found } = into;
      const children = found.map(({ child }) => child);
      const { name, contents } = known;
      const shown = { id, uri, name, enabled: true, load: into.load, children };
      const entry = { ...shown, type: 'directory' as const, contents, writable };
      return [{ entry, found, origin, ...(origin === 'workspace' && { workspace: base }) }];
    },
  };
}
