import type { HttpHandler } from '@moorage/host';
import { pageHeaders } from './page-headers.js';

/** A page that says that the host is running, for a checkout whose web page was not built. */
export function statusPage(version: string): HttpHandler {
  const body = PAGE.replace('{version}', version);
  return (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/') return false;
    const headers = {
      ...pageHeaders(request),
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
    };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>moorage</title>
<h1>moorage {version} is running</h1>
<p>This host serves the Agent Host Protocol on this address, for any client that shows its token.</p>
<p>Its web page was not built. Run <code>npm run build</code> and start the host again.</p>
</html>
`;
