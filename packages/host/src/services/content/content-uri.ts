import type { FileEdit, URI } from '@moorage/protocol';

/**
 * The form of URIs of content that the host keeps: `<scheme>:/<path of the file>?<id>`. Only the id is read. The path is
 * for clients that show the name and the language of what they compare by it (V-52); content of no file has none. Ids have
 * letters, digits, `-` and `.` only, so that they survive a client that rewrites URIs (V-50).
 */
export interface ContentUris {
  format(id: string, file?: URI): URI;
  /** The id, also in the form that was minted earlier; undefined for another URI. */
  parse(uri: URI): string | undefined;
}

/** `earlierId` reads the id from the path of a URI without a query. */
export function contentUris(scheme: string, earlierId: (path: string) => string | undefined): ContentUris {
  const prefix = `${scheme}:/`;
  return {
    format: (id, file) => `${prefix}${pathOf(file)}?${id}`,
    parse: (uri) => {
      if (!uri.startsWith(prefix)) return undefined;
      const [path = '', query] = uri.slice(prefix.length).split('?', 2);
      return query === undefined ? earlierId(path) : ID.exec(query)?.[0];
    },
  };
}

/** `ahp-content:/<path>?<id>`, or `ahp-content:/<id>` for content of no file. */
const named = contentUris('ahp-content', (path) => ID.exec(path)?.[0]);

export const contentUri = {
  format: (id: string): URI => `ahp-content:/${id}`,
  parse: named.parse,
  /** The URI of a copy, named as the original. */
  withId: (original: URI, id: string): URI => {
    const [path, query] = original.split('?', 2);
    return query === undefined ? contentUri.format(id) : `${path}?${id}`;
  },
  /** The URI of the same content with the name of a file; any other URI as it is. */
  named: (uri: URI, file: URI): URI => {
    const id = named.parse(uri);
    return id === undefined ? uri : named.format(id, file);
  },
};

/** The edit with its contents named after its files. */
export function withNamedContents(edit: FileEdit): FileEdit {
  const { before, after } = edit;
  return { ...edit, ...(before && { before: namedSide(before) }), ...(after && { after: namedSide(after) }) };
}

function namedSide<S extends { uri: URI; content: { uri: URI } }>(side: S): S {
  return { ...side, content: { ...side.content, uri: contentUri.named(side.content.uri, side.uri) } };
}

/** The path of a `file:` URI, without its leading slash; empty for any other. */
function pathOf(file = ''): string {
  return /^file:\/\/\/([^?#]*)/i.exec(file)?.[1] ?? '';
}

const ID = /^[\w.-]+$/;
