import { join } from 'node:path';
import type { Wish } from './scripts.js';

export interface OfferedTool {
  readonly name: string;
  /** `custom` takes a text instead of JSON. */
  readonly type: string | undefined;
  /** The group that it belongs to, which is part of its name for whoever has such groups. */
  readonly namespace?: string | undefined;
  /** The names of its parameters, where they tell tools of the same name apart. */
  readonly parameters?: readonly string[] | undefined;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly isCustom: boolean;
  readonly input: unknown;
}

/** Claude's tool that waits for servers which it still starts; when they are there, their tools are offered. */
export const WAITS_FOR_SERVERS = 'WaitForMcpServers';

let uses = 0;

/** A wish as a call of a tool that the agent offers, in the form that this tool takes. */
export function useOf(wish: Wish, offered: readonly OfferedTool[], cwd: string): ToolUse {
  for (const [name, input] of formsOf(wish, cwd)) {
    const tool = offered.find((candidate) => fullName(candidate) === name);
    if (!tool || !takes(tool, input)) continue;
    const { namespace } = tool;
    return { id: `call_${++uses}`, name: tool.name, namespace, isCustom: tool.type === 'custom', input };
  }
  throw new Error(`no tool for ${wish.tool} in ${offered.map(fullName).join(', ')}`);
}

function takes({ name, parameters }: OfferedTool, input: unknown): boolean {
  // Of the two tools of this name, Claude's comes without parameters here.
  if (name === 'AskUserQuestion') return (parameters === undefined) === JSON.stringify(input).includes('multiSelect');
  if (!parameters || typeof input !== 'object' || input === null) return true;
  return Object.keys(input).some((name) => parameters.includes(name)) && !lacks(parameters, input);
}

/** Whether the tool wants a path under another name. */
function lacks(parameters: readonly string[], input: object): boolean {
  return ['path', 'file_path'].some((name) => name in input && !parameters.includes(name)) && !('filePath' in input);
}

function fullName({ name, namespace }: OfferedTool): string {
  return namespace === undefined ? name : `${namespace.replace(/_+$/, '')}__${name}`;
}

function formsOf(wish: Wish, cwd: string): [string, unknown][] {
  switch (wish.tool) {
    case 'read': {
      const path = join(cwd, wish.path);
      return [
        ['read', { filePath: path }],
        ['Read', { file_path: path }],
        ['read_file', { file_path: path }],
        ['Read', { path }],
        ['view', { path }],
        ['exec_command', { cmd: `cat ${wish.path}` }],
      ];
    }
    case 'write': {
      const path = join(cwd, wish.path);
      const { content } = wish;
      const lines = content.trimEnd().split('\n');
      return [
        ['write', { filePath: path, content }],
        ['Write', { file_path: path, content }],
        ['Write', { path, content }],
        ['write_file', { file_path: path, content }],
        ['create', { path, file_text: content }],
        [
          'apply_patch',
          patch(
            `Add File: ${wish.path}`,
            lines.map((line) => `+${line}`),
          ),
        ],
      ];
    }
    case 'edit': {
      const path = join(cwd, wish.path);
      const { before, after } = wish;
      return [
        // Several agents have a tool of this name; each takes the members that it knows.
        [
          'edit',
          {
            ...{ filePath: path, oldString: before, newString: after },
            ...{ file_path: path, old_string: before, new_string: after },
            ...{ path, old_str: before, new_str: after },
          },
        ],
        ['Edit', { file_path: path, old_string: before, new_string: after }],
        ['Edit', { path, old_string: before, new_string: after }],
        ['replace', { file_path: path, old_string: before, new_string: after, instruction: 'change the line' }],
        ['apply_patch', patch(`Update File: ${wish.path}`, ['@@', `-${before}`, `+${after}`])],
      ];
    }
    case 'run': {
      const { command } = wish;
      const described = { command, description: 'run it' };
      return [
        ['bash', described],
        ['Bash', described],
        ['run_shell_command', { ...described, is_background: false }],
        ['exec_command', { cmd: command }],
      ];
    }
    case 'ask': {
      const { question } = wish;
      const options = wish.options.map((label) => ({ label, description: label }));
      return [
        ['AskUserQuestion', { questions: [{ question, header: 'Colour', multiSelect: false, options }] }],
        ['AskUserQuestion', { questions: [{ question, header: 'Colour', options }] }], // Kimi's
        ['ask_user', { questions: [{ question, header: 'Colour', type: 'choice', options }] }],
        ['ask_user_question', { questions: [{ question, header: 'Colour', multiSelect: false, options }] }],
        ['request_user_input', { questions: [{ id: 'colour', question, header: 'Colour', options }] }],
      ];
    }
    case 'mcp':
      return [
        [`${wish.server}_${wish.name}`, wish.input],
        [`mcp__${wish.server}__${wish.name}`, wish.input],
        [`mcp_${wish.server}_${wish.name}`, wish.input],
        [`remote-${wish.name}`, wish.input], // of a server with an address

        // Tools that Qwen Code names to its model, but does not describe.
        ['tool_call', { name: `mcp__${wish.server}__${wish.name}`, arguments: wish.input }],
        [WAITS_FOR_SERVERS, {}],
      ];
    case 'plan': {
      const { step, isDone } = wish;
      const status = isDone ? 'completed' : 'in_progress';
      return [
        ['todowrite', { todos: [{ id: '1', content: step, status, priority: 'medium' }] }],
        ['todo_write', { todos: [{ id: '1', content: step, status }] }],
        ['write_todos', { todos: [{ description: step, status }] }],
        ['TodoList', { todos: [{ title: step, status: isDone ? 'done' : 'in_progress' }] }],
        ['TodoWrite', { todos: [{ content: step, status, activeForm: step }] }],
        isDone
          ? ['TaskUpdate', { taskId: '1', status }]
          : ['TaskCreate', { subject: step, description: step, activeForm: step }],
      ];
    }
  }
}

function patch(head: string, lines: readonly string[]): string {
  return ['*** Begin Patch', `*** ${head}`, ...lines, '*** End Patch'].join('\n');
}
