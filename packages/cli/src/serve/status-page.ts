import type { HttpHandler } from '@ahpd/host';

/** A page that says that the host runs. The web client takes its place. */
export function statusPage(version: string): HttpHandler {
  const body = PAGE.replace('{version}', version);
  return (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/') return false;
    response.writeHead(200, HEADERS).end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ahpd</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif; }
  main { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem; }
  code { font: 13px ui-monospace, monospace; }
</style>
<main>
  <h1>ahpd {version} is running</h1>
  <p>This host serves the Agent Host Protocol on this address, for any client that shows its token.</p>
  <p>The web client is not built yet. Until then, talk to the demo agent from a terminal:</p>
  <p><code>npm run chat</code></p>
</main>
</html>
`;
