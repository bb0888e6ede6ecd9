import { type SimpleUri, simpleUri } from '../simple-uri.js';

const simple = simpleUri('ahp-chat');

/** VS Code names chats by their session: `ahp-chat://<name>/<base64url of the session's URI>`, and for sub-agents a call (V-12). */
const BY_SESSION = /^ahp-chat:(\/\/[^/?#\s]+\/[\w-]+(?:\/[^/?#\s]+)?)$/;

/** `ahp-chat:/<id>`, or the form that VS Code makes. */
export const chatUri: SimpleUri = {
  format: simple.format,
  parse: (uri) => simple.parse(uri) ?? BY_SESSION.exec(uri)?.[1],
  matches: (uri) => simple.matches(uri) || BY_SESSION.test(uri),
};
