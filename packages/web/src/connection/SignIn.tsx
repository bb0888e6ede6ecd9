import { useState } from 'react';
import { tokenInLink } from './token.js';

/** Asks for the token, and says where to find it. */
export function SignIn({ refused, onToken }: { readonly refused: boolean; readonly onToken: (token: string) => void }) {
  const [text, setText] = useState('');
  return (
    <main className="gate">
      <h1>{refused ? 'The host does not accept this token' : 'Sign in to this host'}</h1>
      <p>
        {refused
          ? 'The link may belong to another host, or the token has changed. Open the link that the running host printed, or paste it here.'
          : 'Open the link that the host printed when it started, or paste it here.'}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onToken(tokenInLink(text) ?? text.trim());
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
        <code>token</code> in its data folder.
      </p>
    </main>
  );
}
