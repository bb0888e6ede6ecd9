import { useState } from 'react';
import { useSignInOffer } from './sign-in-offer.js';

/** Asks for the token or a pairing code, and says where to find it. */
export function SignIn({
  refused,
  problem,
  onEntered,
}: {
  readonly refused: boolean;
  /** Why a pairing code was not accepted. */
  readonly problem: string | undefined;
  readonly onEntered: (text: string) => void;
}) {
  const [text, setText] = useState('');
  const provider = useSignInOffer();
  return (
    <main className="gate">
      <h1>{refused ? 'The host does not accept this token' : 'Sign in to this host'}</h1>
      <p>
        {refused
          ? 'The link may belong to another host, or the token has changed. Open the link that the running host printed, or paste it here.'
          : 'Open the link that the host printed when it started, or paste it here.'}
      </p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {provider !== undefined && (
        <p>
          <a className="button primary" href="/sign-in">
            Sign in with {provider}
          </a>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onEntered(text.trim());
        }}
      >
        <label className="field">
          <span>Link or token</span>
          <input
            type="password"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the one thing to do on this page
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="submit" className="button primary" disabled={!text.trim()}>
          Sign in
        </button>
      </form>
      <p className="quiet">
        The host prints the link when it starts (<code>moorage serve</code>); the token alone is in the file{' '}
        <code>token</code> in its data folder. <code>moorage pair</code> prints a code for another device.
      </p>
    </main>
  );
}
