import { each } from '../../queues/each.js';
import type { Finding } from './finding.js';
import { MAX_CHILDREN, MAX_DEPTH, MAX_FOLDERS } from './limits.js';
import type { Build } from './parse/children.js';
import { skillOf } from './parse/children.js';
import { readDocument } from './parse/front-matter.js';
import { hooksOf } from './parse/hooks.js';
import type { Tree } from './tree.js';

/** A folder of a tree to search on behalf of one container. */
export interface SourceFolder {
  readonly tree: Tree;
  readonly path: string;
  readonly container: string;
}

/** Builds a child from each of these files that exists. */
export async function findFiles(
  place: SourceFolder,
  paths: readonly string[],
  build: Build,
  into: Finding,
  nameOf: (path: string) => string = (path) => path,
): Promise<void> {
  await each(paths, async (path) => {
    const found = await into.attempt(path, () => readOne(place, below(place, path), nameOf(path), build));
    if (found) into.add(found);
  });
}

/**
 * Finds Markdown files at any depth. Those in subfolders are named `folder:name`. Returns whether the folder exists.
 */
export async function findMarkdown(
  place: SourceFolder,
  suffixes: readonly string[],
  build: Build,
  into: Finding,
): Promise<boolean> {
  const isWanted = (name: string) => suffixes.some((suffix) => name.length > suffix.length && name.endsWith(suffix));
  const { files, exists } = await walk(place, isWanted, into);
  await findFiles(place, files, build, into, (path) => plainName(path, suffixes));
  return exists;
}

/** Finds folders with a SKILL.md. Returns whether the folder exists. */
export async function findSkills(place: SourceFolder, into: Finding): Promise<boolean> {
  const entries = await into.attempt('', () => place.tree.list(place.path));
  const folders = entries?.filter(({ type }) => type === 'directory').map(({ name }) => name) ?? [];
  const isSkill = entries?.some(({ name, type }) => type === 'file' && name === SKILL_FILE);
  const paths = [
    ...(isSkill ? [SKILL_FILE] : []),
    ...folders.slice(0, MAX_CHILDREN + 1).map((f) => `${f}/${SKILL_FILE}`),
  ];
  const ownName = place.path.split('/').at(-1) ?? 'skill';
  await findFiles(place, paths, skillOf, into, (path) => path.split('/').at(-2) ?? ownName);
  return entries !== undefined;
}

const SKILL_FILE = 'SKILL.md';

/** Reads hooks from files. Returns whether any of them exists. */
export async function findHooks(place: SourceFolder, paths: readonly string[], into: Finding): Promise<boolean> {
  let exists = false;
  await each(paths, async (path) => {
    const at = below(place, path);
    const text = await into.attempt(path, () => place.tree.read(at));
    if (text === undefined) return;
    exists = true;
    into.add(...((await into.attempt(path, () => hooksOf({ ...place, path: at }, text))) ?? []));
  });
  return exists;
}

/** Reads hooks from the JSON files directly in a folder. Returns whether the folder exists. */
export async function findHookFiles(place: SourceFolder, into: Finding): Promise<boolean> {
  const entries = await into.attempt('', () => place.tree.list(place.path));
  const names = entries?.flatMap(({ name, type }) => (type === 'file' && name.endsWith('.json') ? [name] : [])) ?? [];
  await findHooks(place, names, into);
  return entries !== undefined;
}

async function readOne({ tree, container }: SourceFolder, path: string, name: string, build: Build) {
  const text = await tree.read(path);
  return text === undefined ? undefined : build({ tree, path, container, name, document: await readDocument(text) });
}

async function walk(place: SourceFolder, isWanted: (name: string) => boolean, into: Finding) {
  const files: string[] = [];
  const queue = [{ path: '', depth: 0 }];
  let folders = 0;
  let exists = false;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { path, depth } = next;
    const entries = await into.attempt(path, () => place.tree.list(below(place, path)));
    if (depth === 0) exists = entries !== undefined;
    for (const { name, type } of entries ?? []) {
      const inside = path === '' ? name : `${path}/${name}`;
      if (type === 'file' && isWanted(name) && files.length <= MAX_CHILDREN) files.push(inside);
      if (type === 'directory' && depth < MAX_DEPTH && folders++ < MAX_FOLDERS) {
        queue.push({ path: inside, depth: depth + 1 });
      }
    }
  }
  return { files, exists };
}

function plainName(path: string, suffixes: readonly string[]): string {
  const suffix = suffixes.find((candidate) => path.endsWith(candidate)) ?? '';
  return path.slice(0, path.length - suffix.length).replaceAll('/', ':');
}

function below({ path }: SourceFolder, inside: string): string {
  return [path, inside].filter((part) => part !== '').join('/');
}
