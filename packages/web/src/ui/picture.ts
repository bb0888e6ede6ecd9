/** A data URL for a picture; undefined for other content, and for image types that can contain scripts. */
export function pictureOf(contentType: string | undefined, base64: string): string | undefined {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(contentType ?? '') ? `data:${contentType};base64,${base64}` : undefined;
}
