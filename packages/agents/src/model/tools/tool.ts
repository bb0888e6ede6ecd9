import type { AgentTerminal, AgentTree, AgentTurn } from '@moorage/host/ports';
import type { Static, TSchema } from '@moorage/protocol';
import { type FileEdit, strict, type ToolResultContent } from '@moorage/protocol';
import type { Lock } from '../../shared/lock.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import type { Approval } from '../approval/approval.js';
import type { ModelClock } from '../options.js';

/** What a tool may use. */
export interface ToolEnv {
  readonly turn: AgentTurn;
  readonly files: AgentTree;
  readonly workingDirectory: string | undefined;
  readonly clock: ModelClock;
  /** Held while a file is read and changed, because the calls of one answer run in parallel. */
  readonly editing: Lock;
  /** Terminals that were left running, by the names that the model knows. */
  readonly background: Map<string, AgentTerminal>;
  setTitle(title: string): void;
}

/** A call with valid input: what it will do, in words, and how to do it. */
export interface Prepared {
  /** "Write a.txt", "Wrote a.txt", "Could not write a.txt". */
  readonly words: { readonly now: string; readonly past: string; readonly failed: string };
  /** Absent when nobody has to be asked. */
  readonly approval?: Approval;
  /** What the user is shown before allowing it. */
  readonly edits?: FileEdit[];
  /** Rejects with a ToolProblem or an AgentError, which ends the call, not the turn. */
  run(): Promise<ToolOutput>;
}

export interface ToolOutput {
  /** For the model. */
  readonly text: string;
  /** For people; without it they see the text. */
  readonly content?: ToolResultContent[];
  readonly problem?: { readonly message: string; readonly code: string };
}

export interface ModelTool {
  readonly name: string;
  readonly displayName: string;
  /** For the model. */
  readonly description: string;
  readonly parameters: TSchema;
  readonly isReadOnly: boolean;
  /** How VS Code shows its calls (V-31). */
  readonly kind?: 'terminal' | 'read' | 'search' | 'subagent' | 'think';
  /** Changes nothing. Rejects with a ToolProblem when the call makes no sense. */
  prepare(input: unknown, env: ToolEnv, toolCallId: string): Promise<Prepared>;
}

export interface ToolParts<S extends TSchema> extends Omit<ModelTool, 'parameters' | 'prepare' | 'isReadOnly'> {
  readonly parameters: S;
  readonly isReadOnly?: boolean;
  prepare(input: Static<S>, env: ToolEnv, toolCallId: string): Promise<Prepared> | Prepared;
}

/** A tool whose input is validated before anything else sees it. */
export function defineTool<S extends TSchema>({ isReadOnly = false, ...parts }: ToolParts<S>): ModelTool {
  const validator = strict(parts.parameters);
  return {
    ...parts,
    isReadOnly,
    prepare: async (input, env, toolCallId) => {
      if (validator.check(input)) return parts.prepare(input, env, toolCallId);
      const { path, expected } = validator.explain(input) ?? { path: '', expected: 'another value' };
      throw new ToolProblem(
        'badInput',
        `The input of ${parts.name} is wrong at ${path || 'its root'}: expected ${expected}.`,
      );
    },
  };
}
