/** Whether this is used with a finger: there is no shift key to hold, and Enter is on a keyboard of glass. */
export function isTouched(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
