/** A form of channel URI, `<scheme>:/<id>` with an opaque id that holds no slash: to make, recognize and take apart. */
export interface SimpleUri {
  /** The URI with this id. */
  format(id: string): string;
  /** The id, or undefined when the URI is not of this form. */
  parse(uri: string): string | undefined;
  /** Whether it is a URI of this form. */
  matches(uri: string): boolean;
}

export function simpleUri(scheme: string): SimpleUri {
  const prefix = `${scheme}:/`;
  const parse = (uri: string) => {
    if (!uri.startsWith(prefix)) return undefined;
    const id = uri.slice(prefix.length);
    return id === '' || /[/?#\s]/.test(id) ? undefined : id;
  };
  return { format: (id) => prefix + id, parse, matches: (uri) => parse(uri) !== undefined };
}
