import { useEffect, useState } from 'react';
import { ClientContext } from '../connection/context.js';
import { pairingCodeIn, redeemPairingCode, takePairingCode } from '../connection/pairing.js';
import { SignIn } from '../connection/SignIn.js';
import { forgetToken, keepToken, rememberToken, takeToken, tokenInLink } from '../connection/token.js';
import { type Credential, useConnection } from '../connection/use-connection.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { listenForKeys } from '../ui/keys.js';
import { sentenceOf } from '../ui/sentence.js';
import { Toasts } from '../ui/Toasts.js';
import { BrokenPage } from './BrokenPage.js';
import { Shell } from './Shell.js';

/** Asks for a token first, and shows the page once the host accepts it. */
export function App() {
  const [credential, setCredential] = useState(readCredential);
  const connection = useConnection(credential);
  useEffect(() => listenForKeys(), []);
  useEffect(() => {
    // Opening the host's link in a tab that shows the page already changes only the fragment.
    const onHash = () => {
      if (location.hash.startsWith('#token=')) setCredential(readCredential());
      if (location.hash.startsWith('#pair=')) setCode(takePairingCode());
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  const [code, setCode] = useState(takePairingCode);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (code === undefined) return;
    redeemPairingCode(code)
      .then((token) => {
        keepToken(token);
        rememberToken(true); // the code was for this device, and is used up
        setCredential({ token });
      })
      .catch((error: unknown) => setProblem(sentenceOf(error)))
      .finally(() => setCode(undefined));
  }, [code]);
  const signIn = (text: string) => {
    const entered = pairingCodeIn(text);
    setProblem(undefined);
    setCode(entered);
    if (entered !== undefined) return;
    const token = tokenInLink(text) ?? text;
    keepToken(token);
    setCredential({ token });
  };
  const signOut = () => {
    forgetToken();
    setCredential(undefined);
  };
  if (code !== undefined) return <Waiting unreachable={false} />;
  if (!credential || connection.state === 'refused')
    return <SignIn refused={connection.state === 'refused'} problem={problem} onEntered={signIn} />;
  if (connection.state !== 'connected') return <Waiting unreachable={connection.state === 'unreachable'} />;
  return (
    <ClientContext value={connection.client}>
      <ErrorBoundary fallback={(message) => <BrokenPage message={message} />}>
        <Shell onSignOut={signOut} />
      </ErrorBoundary>
      <Toasts />
    </ClientContext>
  );
}

function readCredential(): Credential | undefined {
  const token = takeToken();
  return token === undefined ? undefined : { token };
}

function Waiting({ unreachable }: { readonly unreachable: boolean }) {
  return (
    <main className="gate waiting" aria-busy="true">
      {unreachable ? (
        <>
          <h1>The host does not answer</h1>
          <p>
            Is it running? Start it with <code>moorage serve</code>; this page then connects by itself.
          </p>
        </>
      ) : (
        <p className="late">Connecting…</p>
      )}
    </main>
  );
}
