/** Why a file is not worth reading line by line; undefined for others. */
export function whyFolded(path: string, text: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (LOCK_FILES.has(name.toLowerCase())) return 'Lock file';
  if (MINIFIED_NAME.test(name) || isMinified(text)) return 'Minified file';
  return GENERATED.test(text.slice(0, HEAD_CHARS)) ? 'Generated file' : undefined;
}

const LOCK_FILES: ReadonlySet<string> = new Set([
  'bun.lock',
  'cargo.lock',
  'composer.lock',
  'deno.lock',
  'flake.lock',
  'gemfile.lock',
  'go.sum',
  'gradle.lockfile',
  'mix.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'package.resolved',
  'packages.lock.json',
  'pdm.lock',
  'pipfile.lock',
  'pnpm-lock.yaml',
  'podfile.lock',
  'poetry.lock',
  'pubspec.lock',
  'uv.lock',
  'yarn.lock',
]);

const MINIFIED_NAME = /\.min\.(?:js|cjs|mjs|css)$|\.(?:js|css)\.map$/i;
/** Nobody writes code with lines of this length on average. */
const MINIFIED_LINE_CHARS = 500;
/** Shorter texts are as quickly read as unfolded, such as a single long line of prose. */
const MINIFIED_MIN_CHARS = 5_000;

function isMinified(text: string): boolean {
  if (text.length < MINIFIED_MIN_CHARS) return false;
  return text.length / text.split('\n').length > MINIFIED_LINE_CHARS;
}

/** Where generators put their mark: `@generated`, and what Go's tools and many others write. */
const HEAD_CHARS = 1_000;
const GENERATED = /@generated\b|\bgenerated\b[^\n]*\bdo not edit\b|\bdo not edit\b[^\n]*\bgenerated\b/i;
