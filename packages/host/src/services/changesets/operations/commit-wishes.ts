import { ExtensionMeta } from '@moorage/protocol';
import { invalidParams } from '../../../core/errors.js';
import { MAX_COMMIT_MESSAGE_CHARS } from '../limits.js';

/** What a client that has asked its user wants of a commit, from the `_meta` of its request. */
export interface CommitWishes {
  /** Without one, the host writes it. */
  readonly message?: string;
  /** What goes in; without it, what is staged, or else what the session changed. */
  readonly what?: CommitChoice;
  /** The ids of the files that the user was shown; nothing else is committed. Without them, whatever there is. */
  readonly files?: ReadonlySet<string>;
}

export type CommitChoice = (typeof CHOICES)[number];
const CHOICES = ['staged', 'session', 'reviewed', 'all'] as const;

/** Throws if `_meta` has the right members with wrong values. */
export function commitWishes(meta: Readonly<Record<string, unknown>>): CommitWishes {
  const { [ExtensionMeta.message]: message, [ExtensionMeta.files]: files, [ExtensionMeta.what]: what } = meta;
  if (what !== undefined && !isChoice(what))
    throw invalidParams(
      `params/_meta/${ExtensionMeta.what}: expected ${CHOICES.map((one) => `"${one}"`).join(' or ')}`,
    );
  if (message !== undefined && !isMessage(message))
    throw invalidParams(
      `params/_meta/${ExtensionMeta.message}: expected a text of at most ${MAX_COMMIT_MESSAGE_CHARS} characters`,
    );
  if (files !== undefined && !isTexts(files))
    throw invalidParams(`params/_meta/${ExtensionMeta.files}: expected the ids of files of this changeset`);
  return {
    ...(message !== undefined && { message }),
    ...(files !== undefined && { files: new Set(files) }),
    ...(what !== undefined && { what }),
  };
}

/** The commit that a change shall go into, from the `_meta` of the request: its id, or the beginning of it. */
export function commitName(meta: Readonly<Record<string, unknown>>): string {
  const { [ExtensionMeta.commit]: commit } = meta;
  if (typeof commit === 'string' && /^[0-9a-f]{4,64}$/.test(commit)) return commit;
  throw invalidParams(`params/_meta/${ExtensionMeta.commit}: expected the id of a commit, of at least 4 hex digits`);
}

function isChoice(value: unknown): value is CommitChoice {
  return (CHOICES as readonly unknown[]).includes(value);
}

function isMessage(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_COMMIT_MESSAGE_CHARS;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
