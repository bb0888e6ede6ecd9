import { asReceived, randomFrom, uuid } from '../lib/random.mjs';
import { foldBatches, foldNaively, foldSingly, inBatches } from './fold.mjs';

/** The counts of a large changeset arrive file by file; a few files are new. */
export function* changesetCases({ smoke }) {
  const work = smoke ? 40 : 10_000;
  const files = smoke ? 20 : 10_000;
  const state = changesetWith(files);
  const actions = upserts(state, work);
  const name = `changeset/fileSet, ${files.toLocaleString('en')} files`;
  const baseline = () => foldNaively(state, actions);
  yield { name, work, baseline, ours: () => foldSingly('changeset', state, actions), atLeast: 5 };
  for (const size of [16, 1000]) {
    const batches = inBatches(actions, size);
    const ours = () => foldBatches('changeset', state, batches);
    yield { name: `${name}, batches of ${size}`, work, baseline, ours, atLeast: 20 };
  }
}

function upserts({ files }, count) {
  const random = randomFrom(6);
  return Array.from({ length: count }, (_, index) => {
    const isNew = index % 100 === 99;
    const id = isNew ? pathOf(random) : files[Math.floor(random() * files.length)].id;
    return asReceived({ type: 'changeset/fileSet', file: fileWith(id, random) });
  });
}

function changesetWith(files) {
  const random = randomFrom(5);
  return asReceived({
    status: 'computing',
    files: Array.from({ length: files }, () => fileWith(pathOf(random), random)),
    operations: [{ id: 'revert', label: 'Revert', scopes: ['changeset', 'resource'], status: 'idle' }],
  });
}

function pathOf(random) {
  return `packages/host/src/services/${uuid(random).slice(0, 13)}.ts`;
}

function fileWith(id, random) {
  const uri = `file:///home/me/project/${id}`;
  return {
    id,
    edit: {
      before: { uri, content: { uri: `ahp-content:/before/${id}` } },
      after: { uri, content: { uri: `ahp-content:/after/${id}` } },
      diff: { added: Math.floor(random() * 50), removed: Math.floor(random() * 50) },
    },
  };
}
