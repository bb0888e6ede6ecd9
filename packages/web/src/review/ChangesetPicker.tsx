import { expandUriTemplate, type SessionState } from '@moorage/protocol';
import { useState } from 'react';
import { countOf } from '../ui/format.js';
import { useAllTurns } from './use-all-turns.js';

interface Props {
  readonly uri: string;
  readonly session: SessionState;
  readonly chat: string | undefined;
  readonly onChoose: (uri: string) => void;
}

const COMPARE = 'compare';

/** Chooses the changes to review: one of the session's changesets, those of one turn, or the difference of two turns. */
export function ChangesetPicker({ uri, session, chat, onChoose }: Props) {
  const { state } = useAllTurns(chat);
  const [comparing, setComparing] = useState(false);
  const changesets = session.changesets ?? [];
  // With one chat, its changes are those of the session.
  const ofChat = session.chats.length > 1 ? (state?.changesets ?? []) : [];
  const whole = [...changesets, ...ofChat].filter(({ uriTemplate }) => !uriTemplate.includes('{'));
  const turn = changesets.find(({ uriTemplate }) => isFor(uriTemplate, ['turnId']));
  const compare = changesets.find(({ uriTemplate }) => isFor(uriTemplate, ['originalTurnId', 'modifiedTurnId']));
  const turns = [...(state?.turns ?? []), ...(state?.activeTurn ? [state.activeTurn] : [])];
  const isWhole = state?.turnsNextCursor === undefined;
  const named = turns.map(({ id, message }, index) => ({
    id,
    name: `${isWhole ? `Turn ${index + 1}: ` : ''}${firstLine(message.text)}`,
    uri: turn ? expandUriTemplate(turn.uriTemplate, { turnId: id }) : '',
  }));
  const isListed = [...whole.map(({ uriTemplate }) => uriTemplate), ...named.map((each) => each.uri)].includes(uri);
  const choose = (chosen: string) => {
    setComparing(chosen === COMPARE);
    if (chosen !== COMPARE) onChoose(chosen);
  };
  return (
    <>
      <select
        className="changeset-select"
        aria-label="Changes shown"
        value={comparing || !isListed ? COMPARE : uri}
        onChange={({ target }) => choose(target.value)}
      >
        {whole.map(({ uriTemplate, label, description, additions, deletions }) => (
          <option key={uriTemplate} value={uriTemplate} title={description}>
            {[label, countsText(additions, deletions)].filter(Boolean).join('  ')}
          </option>
        ))}
        {turn && named.length > 0 && (
          <optgroup label="One turn">
            {named.map(({ id, name, uri: value }) => (
              <option key={id} value={value}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {((compare && named.length > 1) || !isListed) && (
          <option value={COMPARE}>{isListed || comparing ? 'Compare with…' : 'Two turns compared'}</option>
        )}
      </select>
      {comparing && compare && (
        <CompareForm
          names={named}
          onCompare={(originalTurnId, modifiedTurnId) => {
            setComparing(false);
            onChoose(expandUriTemplate(compare.uriTemplate, { originalTurnId, modifiedTurnId }));
          }}
        />
      )}
    </>
  );
}

interface CompareProps {
  readonly names: readonly { readonly id: string; readonly name: string }[];
  readonly onCompare: (original: string, modified: string) => void;
}

function CompareForm({ names, onCompare }: CompareProps) {
  const [from, setFrom] = useState(names[0]?.id ?? '');
  const [to, setTo] = useState(names.at(-1)?.id ?? '');
  const select = (label: string, value: string, onChange: (id: string) => void) => (
    <label>
      {label}{' '}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {names.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div className="compare">
      {select('Files after', to, setTo)}
      {select('compare with', from, setFrom)}
      <button type="button" className="button" disabled={from === to} onClick={() => onCompare(from, to)}>
        Compare
      </button>
    </div>
  );
}

function countsText(added: number | undefined, removed: number | undefined): string {
  return [added && `+${countOf(added)}`, removed && `−${countOf(removed)}`].filter(Boolean).join(' ');
}

function isFor(template: string, variables: readonly string[]): boolean {
  const found = [...template.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
  return found.length === variables.length && variables.every((variable) => found.includes(variable));
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
