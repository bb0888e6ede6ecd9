import type { URI } from '@moorage/protocol';
import { type FoundCustomization, idOf } from '../found.js';
import { MAX_NAME_CHARS } from '../limits.js';
import type { Tree } from '../tree.js';
import { descriptionField, field, globsField, isTrue, listField, nameField, oneLine } from './fields.js';
import { type Document, ParseProblem } from './front-matter.js';

/** A file that was read, and its container. */
interface Source {
  readonly tree: Tree;
  readonly path: string;
  readonly container: string;
  /** The name if the file itself gives none. */
  readonly name: string;
  readonly document: Document;
}

export type Build = (source: Source) => FoundCustomization;

/** A rule. It applies to every message, to matching files, or, with neither, when the agent asks for it (B-236). */
export const ruleOf: Build = (source) => {
  const { fields } = source.document;
  const globs = globsField(field(fields, 'globs', 'applyTo', 'paths'));
  const isForAll = globs.some((glob) => /^(\.?\/)?\*\*(\/\*)?$/.test(glob));
  const always = field(fields, 'alwaysApply');
  const isRequested = always !== undefined || descriptionOf(source) !== undefined;
  const alwaysApply = isTrue(always) || isForAll || (globs.length === 0 && !isRequested);
  return {
    child: {
      ...base(source, 'rule'),
      type: 'rule',
      ...description(source),
      alwaysApply,
      ...(globs.length > 0 && !alwaysApply && { globs }),
    },
    file: source,
  };
};

/** A file such as AGENTS.md. It applies to every message, whatever its front matter says. */
export const instructionsOf: Build = (source) => ({
  child: { ...base(source, 'rule'), type: 'rule', ...description(source), alwaysApply: true },
  file: source,
});

/** Claude's rules cannot be requested: without paths they apply to every message. */
export const claudeRuleOf: Build = (source) => {
  const { fields } = source.document;
  return Object.hasOwn(fields, 'paths') || Object.hasOwn(fields, 'globs') ? ruleOf(source) : instructionsOf(source);
};

export const skillOf: Build = (source) => ({
  child: {
    ...base(source, 'skill'),
    type: 'skill',
    ...description(source),
    ...(isTrue(field(source.document.fields, 'disable-model-invocation', 'disableModelInvocation')) && {
      disableModelInvocation: true,
    }),
  },
  file: source,
});

export const promptOf: Build = (source) => ({
  child: { ...base(source, 'prompt'), type: 'prompt', ...description(source) },
  file: source,
});

export const agentOf: Build = (source) => {
  const tools = listField(field(source.document.fields, 'tools'));
  return {
    child: { ...base(source, 'agent'), type: 'agent', ...description(source) },
    file: source,
    ...(tools && { tools }),
  };
};

function base(source: Source, type: string): { id: string; uri: URI; name: string } {
  const { tree, path, container, document } = source;
  const name = nameField(document.fields, 'name') ?? oneLine(source.name, MAX_NAME_CHARS);
  if (name === undefined) throw new ParseProblem('it has no name');
  const uri = tree.uriOf(path);
  return { id: idOf(container, type, uri), uri, name };
}

function description(source: Source): { description?: string } {
  const text = descriptionOf(source);
  return text === undefined ? {} : { description: text };
}

function descriptionOf({ document }: Source): string | undefined {
  return descriptionField(document.fields);
}
