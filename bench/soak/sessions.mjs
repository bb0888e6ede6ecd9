import { pathToFileURL } from 'node:url';

/** Turns after which a session is replaced: all history that is in use stays as long as it is. */
const TURNS = 25;

/** The sessions of the run: a fixed number of places, in each of them one session after the other. */
export async function openPlaces(client, folders, count) {
  const places = [];
  for (let index = 0; index < count; index++) {
    const place = { folder: folders[index % folders.length], generation: 0, turns: 0 };
    await fill(place, client);
    places.push(place);
  }
  return places;
}

async function fill(place, client) {
  const session = `ahp-session:/${crypto.randomUUID()}`;
  const workingDirectories = [pathToFileURL(place.folder).href];
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories });
  const mirror = await client.session(session);
  Object.assign(place, { session, chat: mirror.confirmed.defaultChat, turns: 0, generation: place.generation + 1 });
  mirror.release();
}

/** Another session in the place of one that has become long. */
export async function renew(place, client) {
  if (place.turns < TURNS || place.renewing) return false;
  place.renewing = true;
  try {
    const old = place.session;
    await fill(place, client);
    await client.request('disposeSession', { channel: old });
  } finally {
    place.renewing = false;
  }
  return true;
}
