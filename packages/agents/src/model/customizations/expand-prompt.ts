import type { AgentCustomization, AgentCustomizations } from '@moorage/host/ports';

/** `/name arguments`, at the start of a message. */
export interface Invocation {
  readonly invoked: AgentCustomization;
  readonly args: string;
}

/** The prompt or skill that a message starts with, if there is one of that name. */
export function invocationIn(text: string, { prompts, skills }: AgentCustomizations): Invocation | undefined {
  const [, name, args = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const all: readonly AgentCustomization[] = [...prompts, ...skills];
  const invoked =
    all.find((candidate) => candidate.name === name) ??
    all.find((candidate) => candidate.plugin !== undefined && `${candidate.plugin}:${candidate.name}` === name);
  return invoked && { invoked, args };
}

/** Fills the user's arguments into a prompt, or appends them if it has no place for them. */
export function expandPrompt(template: string, args: string): string {
  const words = args.split(/\s+/).filter((word) => word !== '');
  let isUsed = false;
  const expanded = template.replaceAll(/\$(ARGUMENTS|[1-9])(?![\w])/g, (_whole, which: string) => {
    isUsed = true;
    return which === 'ARGUMENTS' ? args : (words[Number(which) - 1] ?? '');
  });
  return isUsed || args === '' ? expanded : `${expanded}\n\n${args}`;
}
