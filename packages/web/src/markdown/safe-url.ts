/** Allows images with inline data, and links to the web or to mail. Returns an empty URL for anything else. */
export function safeUrl(url: string): string {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=]+$/i.test(url)) return url;
  return safeLink(url) ?? '';
}

export function safeLink(url: string | undefined): string | undefined {
  if (url === undefined || !/^(?:https?|mailto):/i.test(url)) return undefined;
  return URL.canParse(url) ? url : undefined;
}
