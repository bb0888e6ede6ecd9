import { ExtensionMeta, type ToolCallState } from '@moorage/protocol';
import { memo, useState } from 'react';
import { TokenRequest } from '../customizations/TokenRequest.js';
import { plainText } from '../markdown/Text.js';
import { nameIn } from '../people/PersonName.js';
import { Counts } from '../ui/Counts.js';
import { Elapsed } from '../ui/Elapsed.js';
import { durationText } from '../ui/format.js';
import { Icon, type IconName } from '../ui/Icon.js';
import { visible } from '../ui/visible.js';
import { Confirmation } from './Confirmation.js';
import { Contributor } from './Contributor.js';
import { useChat } from './context.js';
import { ResultConfirmation } from './ResultConfirmation.js';
import { seenDuration, seenSince } from './seen-times.js';
import { ToolCallBody } from './ToolCallBody.js';

interface Props {
  readonly call: ToolCallState;
  readonly turnId: string;
  /** Whether it belongs to the newest turn. */
  readonly isNewest: boolean;
}

/** A tool call: one line that unfolds. One that waits for the user is unfolded, and the only one with colour. */
export const ToolCallView = memo(function ToolCallView({ call, turnId, isNewest }: Props) {
  const [open, setOpen] = useState<boolean>();
  if (call.status === 'pending-confirmation') return <Confirmation call={call} turnId={turnId} />;
  const decider = nameIn(call._meta, ExtensionMeta.decidedBy);
  const shown = open ?? isInitiallyOpen(call, isNewest);
  return (
    <div className="tool-call" data-status={call.status} data-failed={isFailed(call) || undefined}>
      <button type="button" className="fold" aria-expanded={shown} onClick={() => setOpen(!shown)}>
        <Icon name="chevron" />
        <span className="tool-icon">
          <Icon name={iconOf(call)} />
        </span>
        <span className="tool-line">{lineOf(call)}</span>
        <Contributor call={call} />
        <span className="tool-state">{stateOf(call)}</span>
        {decider !== undefined && <bdi className="person-name">by {visible(decider)}</bdi>}
        {!shown && <EditedLines call={call} />}
        <span className="fold-time">
          <CallTime call={call} />
        </span>
      </button>
      {call.status === 'pending-result-confirmation' && <ResultConfirmation call={call} turnId={turnId} />}
      {call.status === 'auth-required' && <TokenRequest need={call.auth} />}
      {shown && <ToolCallBody call={call} />}
    </div>
  );
});

/** How long a call took, by the host's or else this page's measurement; or how long it has been running. */
function CallTime({ call }: { readonly call: ToolCallState }) {
  const { mirror } = useChat();
  if (call.status === 'running') {
    const since = seenSince(mirror.uri, call.toolCallId);
    return since !== undefined && <Elapsed since={since} />;
  }
  if (call.status !== 'completed' && call.status !== 'pending-result-confirmation') return null;
  const measured = call._meta?.[ExtensionMeta.durationMs];
  const took = typeof measured === 'number' && measured >= 0 ? measured : seenDuration(mirror.uri, call.toolCallId);
  return took !== undefined && durationText(took);
}

function EditedLines({ call }: { readonly call: ToolCallState }) {
  let added = 0;
  let removed = 0;
  for (const item of ('content' in call && call.content) || [])
    if (item.type === 'fileEdit') {
      added += item.diff?.added ?? 0;
      removed += item.diff?.removed ?? 0;
    }
  return <Counts added={added} removed={removed} />;
}

/** In the newest turn, edits, terminals and sub-agents are unfolded: their line alone says too little. */
function isInitiallyOpen(call: ToolCallState, isNewest: boolean): boolean {
  if (call.status === 'pending-result-confirmation') return true;
  if (!isNewest) return false;
  return 'content' in call && (call.content?.some(({ type }) => type !== 'text' && type !== 'resource') ?? false);
}

function isFailed(call: ToolCallState): boolean {
  return call.status === 'completed' && !call.success;
}

function lineOf(call: ToolCallState): string {
  if (call.status === 'completed' || call.status === 'pending-result-confirmation')
    return visible(plainText(call.pastTenseMessage) || call.displayName);
  return visible(plainText(call.invocationMessage) || call.displayName);
}

function stateOf(call: ToolCallState): string {
  switch (call.status) {
    case 'streaming':
      return 'preparing';
    case 'running':
      return 'running';
    case 'auth-required':
      return 'needs a token';
    case 'cancelled':
      return call.reason === 'denied' ? 'denied' : call.reason === 'skipped' ? 'skipped' : 'result denied';
    case 'completed':
      return call.success ? '' : 'failed';
    default:
      return '';
  }
}

function iconOf(call: ToolCallState): IconName {
  if (isFailed(call)) return 'warning';
  if (call.status === 'cancelled') return 'close';
  const content = 'content' in call ? call.content : undefined;
  if (content?.some(({ type }) => type === 'terminal')) return 'terminal';
  if (content?.some(({ type }) => type === 'subagent')) return 'bot';
  if (content?.some(({ type }) => type === 'fileEdit')) return 'pencil';
  return call.status === 'completed' ? 'check' : 'clock';
}
