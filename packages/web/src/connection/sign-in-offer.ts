import { isObject } from '@moorage/protocol';
import { useEffect, useState } from 'react';

/** What the provider is called with which people can sign in here; undefined while that is not known, or if there is none. */
export function useSignInOffer(): string | undefined {
  const [name, setName] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    fetch('/sign-in/offer')
      .then(async (response): Promise<unknown> => (response.ok ? await response.json() : undefined))
      .then((offer) => {
        if (isWanted && isObject(offer) && typeof offer.name === 'string') setName(offer.name);
      })
      .catch(() => {}); // the form is there all the same
    return () => {
      isWanted = false;
    };
  }, []);
  return name;
}
