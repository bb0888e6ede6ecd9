import { type Rules, unless } from './verdict.js';

export const changesetRules: Rules<'changeset'> = {
  // Any client may say what its user has reviewed, of files that are there.
  'changeset/filesReviewChanged': ({ files }, { state }) => {
    const known = new Set(state.files.map(({ id }) => id));
    const unknown = files.find((id) => !known.has(id));
    return unless(unknown !== undefined && `there is no file "${unknown}" in this changeset`);
  },
};
