import { ExtensionMeta } from '@moorage/protocol';
import { invalidParams } from '../../../core/errors.js';
import { MAX_COMMIT_MESSAGE_CHARS } from '../limits.js';

/** What a client that has asked its user wants of a pull request, from the `_meta` of its request. */
export interface PullRequestText {
  readonly title?: string;
  readonly body?: string;
  readonly draft?: boolean;
}

/** Throws if `_meta` has the right members with wrong values. */
export function pullRequestText(meta: Readonly<Record<string, unknown>>): PullRequestText {
  const { [ExtensionMeta.title]: title, [ExtensionMeta.body]: body, [ExtensionMeta.draft]: draft } = meta;
  if (title !== undefined && (!isText(title) || title.trim() === '' || title.includes('\n')))
    throw invalidParams(`params/_meta/${ExtensionMeta.title}: expected a line of text`);
  if (body !== undefined && !isText(body))
    throw invalidParams(
      `params/_meta/${ExtensionMeta.body}: expected a text of at most ${MAX_COMMIT_MESSAGE_CHARS} characters`,
    );
  if (draft !== undefined && typeof draft !== 'boolean')
    throw invalidParams(`params/_meta/${ExtensionMeta.draft}: expected true or false`);
  return {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    ...(draft !== undefined && { draft }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_COMMIT_MESSAGE_CHARS;
}
