import { search, searchable } from '../../packages/host/dist/services/completions/fuzzy.js';

/** Names as a large repository has them. */
function names(count) {
  const parts = ['src', 'lib', 'core', 'server', 'client', 'views', 'models', 'tests', 'util', 'generated'];
  const words = ['index', 'main', 'handler', 'service', 'table', 'render', 'parse', 'store', 'worker', 'config'];
  return Array.from({ length: count }, (_, n) => {
    const at = (list, step) => list[Math.floor(n / step) % list.length];
    return `${at(parts, 1)}/${at(parts, 10)}/${at(parts, 100)}/${at(words, 3)}-${at(words, 7)}-${n}.ts`;
  });
}

/** One keystroke: the best 40 of all names, against looking for the text in each and sorting what has it. */
export function keystroke(query, smoke) {
  const all = names(smoke ? 1_000 : 100_000);
  const ready = searchable(all);
  const lower = query.toLowerCase();
  const found = (list) => (list.length > 0 ? 'some' : 'none');
  return {
    name: `"${query}" in ${all.length.toLocaleString('en')} names`,
    work: 1,
    atMost: 3,
    baseline: () =>
      found(
        all
          .filter((name) => name.toLowerCase().includes(lower))
          .sort((a, b) => a.length - b.length)
          .slice(0, 40),
      ),
    ours: () => found(search(ready, query, 40)),
  };
}
