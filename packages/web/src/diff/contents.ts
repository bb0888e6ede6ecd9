import type { Client } from '@moorage/client';
import type { FileEdit } from '@moorage/protocol';
import { pathOf } from '../ui/format.js';
import { sentenceOf } from '../ui/sentence.js';

/** Both sides of an edit, or why they cannot be shown. */
export type EditContents =
  | { readonly kind: 'text'; readonly before: string; readonly after: string }
  | { readonly kind: 'image'; readonly before: string | undefined; readonly after: string | undefined }
  | { readonly kind: 'binary' }
  | { readonly kind: 'large'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Bytes of one side above which a text is shown only on request. */
const LARGE_BYTES = 1024 * 1024;
/** Contents that are cached. They cannot become stale: the content behind a content URI never changes. */
const MAX_KEPT = 300;

const kept = new Map<string, Promise<EditContents>>();

export function editKey({ before, after }: FileEdit): string {
  return `${before?.content.uri ?? ''} ${after?.content.uri ?? ''}`;
}

/** Reads both sides of an edit. Never rejects: a failure becomes the result. */
export function loadEdit(client: Client, edit: FileEdit, { evenLarge = false } = {}): Promise<EditContents> {
  const key = `${editKey(edit)} ${evenLarge}`;
  const known = kept.get(key);
  if (known) return known;
  const loading = load(client, edit, evenLarge);
  kept.set(key, loading);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  void loading.then((contents) => contents.kind === 'failed' && kept.delete(key));
  return loading;
}

async function load(client: Client, { before, after }: FileEdit, evenLarge: boolean): Promise<EditContents> {
  const bytes = Math.max(before?.content.sizeHint ?? 0, after?.content.sizeHint ?? 0);
  if (bytes > LARGE_BYTES && !evenLarge) return { kind: 'large', bytes };
  try {
    const [old, now] = await Promise.all([read(client, before), read(client, after)]);
    if (old?.encoding !== 'base64' && now?.encoding !== 'base64') {
      return { kind: 'text', before: old?.data ?? '', after: now?.data ?? '' };
    }
    const type = imageType(pathOf((after ?? before)?.uri));
    if (type === undefined) return { kind: 'binary' };
    return { kind: 'image', before: old && dataUrl(type, old), after: now && dataUrl(type, now) };
  } catch (error) {
    return { kind: 'failed', reason: sentenceOf(error) };
  }
}

interface Content {
  readonly data: string;
  readonly encoding: string;
}

async function read(client: Client, side: FileEdit['after']): Promise<Content | undefined> {
  return side && (await client.request('resourceRead', { uri: side.content.uri }));
}

/** Only image types that cannot contain scripts. */
function imageType(path: string): string | undefined {
  const extension = /\.(png|jpe?g|gif|webp|avif|bmp)$/i.exec(path)?.[1]?.toLowerCase();
  return extension && `image/${extension === 'jpg' ? 'jpeg' : extension}`;
}

function dataUrl(type: string, { data, encoding }: Content): string {
  return encoding === 'base64' ? `data:${type};base64,${data}` : `data:${type},${encodeURIComponent(data)}`;
}
