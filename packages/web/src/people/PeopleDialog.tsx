import { type PersonEntry, PersonRole, ROOT_URI } from '@moorage/protocol';
import { useCallback, useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import type { ListedSession } from '../connection/session-board.js';
import { Dialog } from '../ui/Dialog.js';
import { plural } from '../ui/format.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { Loading } from '../ui/Loading.js';
import { sentenceOf } from '../ui/sentence.js';
import { showFailure } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { RoleChoice } from './RoleChoice.js';
import { pageAddress, ROLES } from './roles.js';
import { ShareLink } from './ShareLink.js';

interface Props {
  /** Of this host, to say what a link is for. */
  readonly sessions: readonly ListedSession[];
  readonly onClose: () => void;
}

/** Who may use the host besides its owner: invites people, and takes access back. */
export function PeopleDialog({ sessions, onClose }: Props) {
  const client = useClient();
  const [people, setPeople] = useState<readonly PersonEntry[]>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(async () => {
    try {
      setPeople((await client.request('moorage/listPeople', { channel: ROOT_URI })).items);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [client]);
  useEffect(() => void load(), [load]);
  const revoke = async (name: string) => {
    await client.request('moorage/revokePerson', { channel: ROOT_URI, name });
    await load();
  };
  return (
    <Dialog title="People" className="people-dialog" onClose={onClose}>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {!people && !problem && <Loading what="people" />}
      {people?.length === 0 && <p className="quiet">Nobody but the owner uses this host.</p>}
      {people && people.length > 0 && (
        <ul className="host-rows" aria-label="People and links">
          {people.map((person) => (
            <PersonRow
              key={person.name}
              person={person}
              about={sessions.find(({ resource }) => resource === person.session)?.title}
              onRevoke={() => showFailure(revoke(person.name))}
            />
          ))}
        </ul>
      )}
      {people && <Invite onInvited={() => void load()} />}
    </Dialog>
  );
}

interface RowProps {
  readonly person: PersonEntry;
  /** The title of the session that a link is for. */
  readonly about: string | undefined;
  readonly onRevoke: () => void;
}

function PersonRow({ person, about, onRevoke }: RowProps) {
  const [asking, setAsking] = useState(false);
  const { name, role, isHere } = person;
  return (
    <li className="host-row">
      <span className="host-name">
        <span className="dot" data-mood={isHere ? 'ready' : 'idle'} />
        <bdi>{visible(name)}</bdi>
        <span className="tag">{role}</span>
      </span>
      <p className="quiet">{visible(stateOf(person, about))}</p>
      {asking ? (
        <InlineQuestion
          label={`Revoke ${name}`}
          action="Revoke"
          focus="cancel"
          onYes={onRevoke}
          onNo={() => setAsking(false)}
        >
          {person.session === undefined ? 'They are' : 'Whoever has the link is'} out at once, on every device.
        </InlineQuestion>
      ) : (
        <button type="button" className="link" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
          Revoke
        </button>
      )}
    </li>
  );
}

function stateOf({ session, expiresAt, isHere, isInvited, devices }: PersonEntry, about: string | undefined): string {
  const state = isHere ? 'here now' : isInvited && devices === 0 ? 'invited, not here yet' : 'away';
  if (session === undefined) return [state, devices > 0 && plural(devices, 'device')].filter(Boolean).join(' · ');
  const end = expiresAt !== undefined && `until ${new Date(expiresAt).toLocaleString()}`;
  return [`Link to “${about || 'a session'}”`, state, end].filter(Boolean).join(' · ');
}

function Invite({ onInvited }: { readonly onInvited: () => void }) {
  const client = useClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<PersonRole>(PersonRole.View);
  const [made, setMade] = useState<{ readonly link: string; readonly about: string }>();
  const [problem, setProblem] = useState<string>();
  const invite = async () => {
    const wanted = name.trim();
    try {
      const answer = await client.request('moorage/invitePerson', { channel: ROOT_URI, name: wanted, role });
      const until = new Date(answer.expiresAt).toLocaleDateString();
      const link = `${pageAddress(answer.page)}#pair=${answer.secret}`;
      setMade({ link, about: `Give this to ${visible(wanted)} in private. It works once, until ${until}.` });
      setProblem(undefined);
      setName('');
      onInvited();
    } catch (error) {
      setMade(undefined);
      setProblem(sentenceOf(error));
    }
  };
  return (
    <form
      className="form"
      aria-label="Invite somebody"
      onSubmit={(event) => {
        event.preventDefault();
        void invite();
      }}
    >
      <label className="field">
        <span>Invite somebody</span>
        <input
          type="text"
          autoComplete="off"
          placeholder="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <RoleChoice roles={ROLES} value={role} onChange={setRole} />
      {role === 'steer' || role === 'admin' ? (
        <p className="quiet">Whoever steers an agent can run commands as the user of this host.</p>
      ) : null}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="form-end">
        <button type="submit" className="button primary" disabled={!name.trim()}>
          Invite
        </button>
      </div>
      {made && <ShareLink {...made} />}
    </form>
  );
}
