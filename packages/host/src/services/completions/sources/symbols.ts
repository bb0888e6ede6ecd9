import { isUtf8 } from 'node:buffer';
import { changesetUri, ExtensionMeta, fileUriIn, type URI } from '@moorage/protocol';
import type { Channel } from '../../../core/channel.js';
import type { ChangesetService } from '../../changesets/changeset-service.js';
import type { HostContext } from '../../context.js';
import { agentFiles } from '../../resources/agent-files.js';
import { pathOfUri } from '../../resources/file-uri.js';
import { type Declaration, declarationsIn } from '../declarations.js';
import { search, searchable } from '../fuzzy.js';
import { MAX_ITEMS_OF_SOURCE, MAX_SYMBOL_BYTES, MAX_SYMBOL_FILES, MAX_SYMBOLS, SYMBOLS_MS } from '../limits.js';
import type { CompletionSource, Suggestion } from '../source.js';

interface ChangedSymbol extends Declaration {
  readonly folder: URI;
  readonly path: string;
}

/** Declarations in the files that the session has changed: those are what people write about. */
export function symbolSource(context: HostContext, changesets: ChangesetService): CompletionSource {
  const recent = new Map<URI, { at: number; symbols: Promise<readonly ChangedSymbol[]> }>();
  const symbolsOf = (session: Channel<'session'>) => {
    const now = context.clock.now();
    for (const [uri, { at }] of recent) if (now - at > SYMBOLS_MS) recent.delete(uri);
    const symbols = recent.get(session.uri)?.symbols ?? readSymbols(context, changesets, session);
    if (!recent.has(session.uri)) recent.set(session.uri, { at: now, symbols });
    return symbols;
  };
  return {
    triggers: ['#'],
    async complete({ session, word }) {
      const symbols = await symbolsOf(session);
      const matches = search(searchable(symbols.map(({ name }) => name)), word.query, MAX_ITEMS_OF_SOURCE);
      return matches.flatMap(({ index }) => {
        const symbol = symbols[index];
        return symbol ? [symbolItem(symbol)] : [];
      });
    },
  };
}

function symbolItem({ folder, name, path, line, character }: ChangedSymbol): Suggestion {
  const range = { start: { line, character }, end: { line, character: character + name.length } };
  return {
    insertText: `#${name}`,
    attachment: {
      type: 'resource',
      uri: fileUriIn(folder, path),
      label: name,
      displayKind: 'symbol',
      selection: { range },
      _meta: { [ExtensionMeta.path]: path },
    },
  };
}

async function readSymbols(
  { files, folders }: HostContext,
  changesets: ChangesetService,
  session: Channel<'session'>,
): Promise<readonly ChangedSymbol[]> {
  const subject = changesets.subject(changesetUri(session.uri, { kind: 'session' }));
  const changed = await Promise.all(
    (subject?.folders() ?? []).map(async ({ folderUri: folder, changes }) => {
      const tree = agentFiles(files, { named: pathOfUri(folder), real: folders.resolve(folder) });
      return (await changes()).flatMap(({ after }) => (after ? [{ folder, tree, path: after.path }] : []));
    }),
  );
  const lists = await Promise.all(
    changed
      .flat()
      .slice(0, MAX_SYMBOL_FILES)
      .map(async ({ folder, tree, path }) => {
        const file = await tree.read(path, MAX_SYMBOL_BYTES).catch(() => undefined); // too large, or deleted meanwhile
        const bytes = file?.content?.bytes;
        if (!bytes || !isUtf8(bytes)) return [];
        return declarationsIn(path, Buffer.from(bytes).toString()).map((found) => ({ ...found, folder, path }));
      }),
  );
  return lists.flat().slice(0, MAX_SYMBOLS);
}
