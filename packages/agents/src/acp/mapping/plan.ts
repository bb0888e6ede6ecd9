import type { AgentEvent } from '@moorage/host/ports';
import { fields, label, list } from '../../shared/untrusted.js';
import { MAX_PLAN_STEPS } from './limits.js';

/** The plan of a turn. It is shown as a tool call whose content is the list of steps, so that it changes in place. */
export class Plan {
  #number = 0;
  #isOpen = false;
  #shown = '';

  update(entries: unknown): AgentEvent[] {
    const steps = list(entries).slice(0, MAX_PLAN_STEPS).map(fields);
    const shown = steps.map(({ content, status }) => `${mark(status)} ${label(content) ?? ''}`).join('\n');
    if (shown === '' || (this.#isOpen && shown === this.#shown)) return [];
    const start = this.#isOpen ? [] : this.#start();
    this.#shown = shown;
    const content: AgentEvent = {
      kind: 'toolCallContent',
      toolCallId: this.#id,
      content: [{ type: 'text', text: shown }],
    };
    const isDone = steps.every(({ status }) => status === 'completed');
    return isDone ? [...start, ...this.close()] : [...start, content];
  }

  /** Called when the turn is over, or every step is done. */
  close(): AgentEvent[] {
    if (!this.#isOpen) return [];
    this.#isOpen = false;
    const result = { success: true, pastTenseMessage: 'Plan', content: [{ type: 'text' as const, text: this.#shown }] };
    return [{ kind: 'toolCallDone', toolCallId: this.#id, result }];
  }

  get #id(): string {
    return `acp-plan-${this.#number}`;
  }

  #start(): AgentEvent[] {
    this.#number++;
    this.#isOpen = true;
    const toolCallId = this.#id;
    return [
      { kind: 'toolCallStart', toolCallId, toolName: 'plan', displayName: 'Plan', meta: { toolKind: 'think' } },
      { kind: 'toolCallRunning', toolCallId, invocationMessage: 'Plan' },
    ];
  }
}

function mark(status: unknown): string {
  return status === 'completed' ? '- [x]' : status === 'in_progress' ? '- [ ] (now)' : '- [ ]';
}
