import { type Changeset, expandUriTemplate, type SessionState } from '@moorage/protocol';
import { useState } from 'react';
import { Counts } from '../ui/Counts.js';
import { useAllTurns } from './use-all-turns.js';

interface Props {
  readonly uri: string;
  readonly session: SessionState;
  readonly chat: string | undefined;
  readonly onChoose: (uri: string) => void;
}

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
  const turnUri = (turnId: string) => (turn ? expandUriTemplate(turn.uriTemplate, { turnId }) : '');
  const isWhole = state?.turnsNextCursor === undefined;
  const name = (index: number) =>
    `${isWhole ? `Turn ${index + 1}: ` : ''}${firstLine(turns[index]?.message.text ?? '')}`;
  return (
    <div className="changesets">
      {whole.map((changeset) => (
        <Chip key={changeset.uriTemplate} changeset={changeset} uri={uri} onChoose={onChoose} />
      ))}
      {turn && turns.length > 0 && (
        <select
          className="chip-select"
          aria-label="Changes of one turn"
          data-chosen={turns.some(({ id }) => turnUri(id) === uri) || undefined}
          value={turns.find(({ id }) => turnUri(id) === uri)?.id ?? ''}
          onChange={({ target }) => target.value && onChoose(turnUri(target.value))}
        >
          <option value="">Turn…</option>
          {turns.map(({ id }, index) => (
            <option key={id} value={id}>
              {name(index)}
            </option>
          ))}
        </select>
      )}
      {compare && turns.length > 1 && (
        <button type="button" className="chip" aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
          Compare…
        </button>
      )}
      {comparing && compare && (
        <CompareForm
          names={turns.map(({ id }, index) => ({ id, name: name(index) }))}
          onCompare={(originalTurnId, modifiedTurnId) =>
            onChoose(expandUriTemplate(compare.uriTemplate, { originalTurnId, modifiedTurnId }))
          }
        />
      )}
    </div>
  );
}

function Chip({ changeset, uri, onChoose }: { changeset: Changeset; uri: string; onChoose: (uri: string) => void }) {
  return (
    <button
      type="button"
      className="chip"
      aria-pressed={changeset.uriTemplate === uri}
      title={changeset.description}
      onClick={() => onChoose(changeset.uriTemplate)}
    >
      {changeset.label} <Counts added={changeset.additions} removed={changeset.deletions} />
    </button>
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
      {select('After', from, setFrom)}
      {select('compared to after', to, setTo)}
      <button type="button" className="button" disabled={from === to} onClick={() => onCompare(from, to)}>
        Compare
      </button>
    </div>
  );
}

function isFor(template: string, variables: readonly string[]): boolean {
  const found = [...template.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
  return found.length === variables.length && variables.every((variable) => found.includes(variable));
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
