/** The address of a picture whose bytes are here; undefined for what is none, and for those that can hold a program. */
export function pictureOf(contentType: string | undefined, base64: string): string | undefined {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(contentType ?? '') ? `data:${contentType};base64,${base64}` : undefined;
}
