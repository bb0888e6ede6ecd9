/** The media type for a file extension; undefined if unknown. */
export function contentTypeOf(path: string): string | undefined {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : TYPES.get(extension);
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ...of('text/plain', 'txt log'),
  ...of('text/markdown', 'md markdown'),
  ...of('text/html', 'html htm'),
  ...of('text/css', 'css'),
  ...of('text/csv', 'csv'),
  ...of('text/javascript', 'js mjs cjs'),
  ...of('text/x-typescript', 'ts mts cts tsx'),
  ...of('text/x-python', 'py'),
  ...of('text/x-shellscript', 'sh bash'),
  ...of('application/json', 'json'),
  ...of('application/yaml', 'yaml yml'),
  ...of('application/toml', 'toml'),
  ...of('application/xml', 'xml'),
  ...of('application/pdf', 'pdf'),
  ...of('application/zip', 'zip'),
  ...of('application/gzip', 'gz'),
  ...of('application/wasm', 'wasm'),
  ...of('image/svg+xml', 'svg'),
  ...of('image/png', 'png'),
  ...of('image/jpeg', 'jpg jpeg'),
  ...of('image/gif', 'gif'),
  ...of('image/webp', 'webp'),
  ...of('font/woff2', 'woff2'),
  ...of('audio/mpeg', 'mp3'),
  ...of('video/mp4', 'mp4'),
]);

function of(type: string, extensions: string): [string, string][] {
  return extensions.split(' ').map((extension) => [extension, type]);
}
