import { terminalOutputTool, terminalStopTool } from './background.js';
import { deleteTool, editTool, multiEditTool, writeTool } from './edit.js';
import { globTool, listTool } from './folders.js';
import { grepTool } from './grep.js';
import { askTool, titleTool } from './people.js';
import { planTool } from './plan.js';
import { readTool } from './read.js';
import { runTool } from './run.js';
import { subAgentTool } from './sub-agent.js';
import type { ModelTool } from './tool.js';

/** Every tool of this agent; `set_title` only while the session may be named. */
export function ownTools({ namesSession }: { namesSession: boolean }): ReadonlyMap<string, ModelTool> {
  const tools = namesSession ? [...TOOLS, titleTool] : TOOLS;
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** The tools that a small context window has room for: what a task cannot be done without. */
export function fewTools(): ReadonlyMap<string, ModelTool> {
  const few = [readTool, listTool, grepTool, writeTool, editTool, runTool];
  return new Map(few.map((tool) => [tool.name, tool]));
}

const TOOLS: readonly ModelTool[] = [
  readTool,
  listTool,
  globTool,
  grepTool,
  writeTool,
  editTool,
  multiEditTool,
  deleteTool,
  runTool,
  terminalOutputTool,
  terminalStopTool,
  askTool,
  planTool,
  subAgentTool,
];
