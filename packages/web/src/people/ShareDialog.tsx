import { PersonRole } from '@moorage/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import type { ListedSession } from '../connection/session-board.js';
import { Dialog } from '../ui/Dialog.js';
import { sentenceOf } from '../ui/sentence.js';
import { visible } from '../ui/visible.js';
import { RoleChoice } from './RoleChoice.js';
import { pageAddress, ROLES } from './roles.js';
import { ShareLink } from './ShareLink.js';

interface Props {
  readonly session: ListedSession;
  readonly onClose: () => void;
}

const HOUR_MS = 3_600_000;
const PERIODS = [
  ['1 hour', HOUR_MS],
  ['1 day', 24 * HOUR_MS],
  ['1 week', 7 * 24 * HOUR_MS],
  ['30 days', 30 * 24 * HOUR_MS],
] as const;

/** Makes a link to one session, with fewer rights and an end. */
export function ShareDialog({ session, onClose }: Props) {
  const client = useClient();
  const { may } = useRights();
  const [role, setRole] = useState<PersonRole>(PersonRole.View);
  const [period, setPeriod] = useState<number>(7 * 24 * HOUR_MS);
  const [made, setMade] = useState<{ readonly link: string; readonly about: string }>();
  const [problem, setProblem] = useState<string>();
  const share = async () => {
    try {
      const expiresAt = Date.now() + period;
      const { resource } = session;
      const { name, token, page } = await client.request('moorage/shareSession', {
        channel: resource,
        role,
        expiresAt,
      });
      const link = `${pageAddress(page)}#${new URLSearchParams({ token, session: resource })}`;
      const until = new Date(expiresAt).toLocaleString();
      setMade({
        link,
        about: `Whoever has this link may ${role} until ${until}. It is called ${name} among the people.`,
      });
      setProblem(undefined);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <Dialog title="Share" className="people-dialog" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void share();
        }}
      >
        <p>
          A link to <bdi>“{visible(session.title || 'New session')}”</bdi>, and to nothing else of this host.
        </p>
        {/* A link cannot make an admin, and nobody gives away more than they have. */}
        <RoleChoice
          roles={ROLES.filter((each) => each !== 'admin' && may(each))}
          value={role}
          onChange={(next) => {
            setRole(next);
            setMade(undefined);
          }}
        />
        <label className="field">
          <span>Ends after</span>
          <select
            value={period}
            onChange={({ target }) => {
              setPeriod(Number(target.value));
              setMade(undefined);
            }}
          >
            {PERIODS.map(([label, ms]) => (
              <option key={label} value={ms}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {problem && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        {made ? (
          <ShareLink {...made} />
        ) : (
          <div className="form-end">
            <button type="submit" className="button primary">
              Make a link
            </button>
          </div>
        )}
      </form>
    </Dialog>
  );
}
