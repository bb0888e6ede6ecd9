/** The path of a file URI; any other text as it is. */
export function pathOf(uri: string | undefined): string {
  if (uri === undefined) return '';
  if (!uri.startsWith('file://')) return uri;
  return decoded(uri.slice('file://'.length));
}

/** Decodes percent-encoding; returns invalid text as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function nameOf(uri: string | undefined): string {
  const path = pathOf(uri).replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

/** A time for machines; undefined for a number that is no date. */
export function timeOf(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** "now", "5m", "3h", "2d": how long ago; empty for a number that is no date. */
export function ageOf(then: number, now: number): string {
  if (timeOf(then) === undefined) return '';
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h`;
  const days = Math.floor(hours / 24);
  return days < 365 ? `${days}d` : `${Math.floor(days / 365)}y`;
}

/** "just now", "5m ago". */
export function agoOf(then: number, now: number): string {
  const age = ageOf(then, now);
  return age === 'now' ? 'just now' : age && `${age} ago`;
}

/** "40ms", "4.2s", "3m 20s", "2h 5m": how long something took. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toString()}s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

export function countOf(value: number): string {
  return value < 10_000 ? String(value) : `${Math.round(value / 1000)}k`;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A path relative to a folder that contains it; any other path as it is. */
export function relative(path: string, folder: string | undefined): string {
  const root = folder && `${folder.replace(/\/$/, '')}/`;
  return root && path.startsWith(root) ? path.slice(root.length) : path;
}

/**
 * The path of a file as people know it: within the folder of the session, or, if that has several, with the name of the
 * folder before it. Folders of the same name have the one above them as well.
 */
export function pathInFolders(uri: string | undefined, folders: readonly string[]): string {
  const path = pathOf(uri);
  const roots = folders.map((folder) => pathOf(folder).replace(/\/+$/, ''));
  if (roots.length < 2) return relative(path, roots[0]);
  const root = roots.find((one) => path.startsWith(`${one}/`));
  return root === undefined ? path : `${uniqueName(root, roots)}/${relative(path, root)}`;
}

/** The last names of a path, as many as tell it from the others. */
export function uniqueName(path: string, all: readonly string[]): string {
  const names = path.split('/').filter(Boolean);
  for (let count = 1; count < names.length; count++) {
    const name = names.slice(-count).join('/');
    if (all.every((other) => other === path || !other.endsWith(`/${name}`))) return name;
  }
  return path;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
