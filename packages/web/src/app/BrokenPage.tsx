import { loadHosts, saveHosts } from '../connection/host-list.js';

/** Shown if nothing else can be. Whatever other hosts send must not keep them from being removed. */
export function BrokenPage({ message }: { readonly message: string }) {
  const remove = (id: string) => {
    saveHosts(loadHosts().filter((host) => host.id !== id));
    location.reload();
  };
  return (
    <main className="gate">
      <h1>The page could not be shown</h1>
      <p className="problem" role="alert">
        {message}
      </p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Reload the page
      </button>
      {loadHosts().map(({ id, name }) => (
        <button key={id} type="button" className="button" onClick={() => remove(id)}>
          Remove the host <bdi>{name}</bdi> from this page
        </button>
      ))}
    </main>
  );
}
