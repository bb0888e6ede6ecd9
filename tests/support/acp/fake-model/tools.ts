import { join } from 'node:path';
import type { Wish } from './scripts.js';

export interface OfferedTool {
  readonly name: string;
  /** `custom` takes a text instead of JSON. */
  readonly type: string | undefined;
  /** The group that it belongs to, which is part of its name for whoever has such groups. */
  readonly namespace?: string | undefined;
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
    if (!tool) continue;
    const { namespace } = tool;
    return { id: `call_${++uses}`, name: tool.name, namespace, isCustom: tool.type === 'custom', input };
  }
  throw new Error(`no tool for ${wish.tool} in ${offered.map(fullName).join(', ')}`);
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
        ['ReadFile', { path }],
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
        ['ask_user_question', { questions: [{ question, header: 'Colour', multiSelect: false, options }] }],
        ['request_user_input', { questions: [{ id: 'colour', question, header: 'Colour', options }] }],
      ];
    }
    case 'mcp':
      return [
        [`${wish.server}_${wish.name}`, wish.input],
        [`mcp__${wish.server}__${wish.name}`, wish.input],
        [WAITS_FOR_SERVERS, {}],
      ];
    case 'plan': {
      const { step, isDone } = wish;
      const status = isDone ? 'completed' : 'in_progress';
      return [
        ['todowrite', { todos: [{ id: '1', content: step, status, priority: 'medium' }] }],
        ['todo_write', { todos: [{ id: '1', content: step, status }] }],
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
